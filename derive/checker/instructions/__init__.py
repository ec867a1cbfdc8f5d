"""What readers and authors tell the checker: settings, comments in a document, findings that they ask not to see."""
