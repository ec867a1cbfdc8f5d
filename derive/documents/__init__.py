"""Documents: Markdown, LaTeX, notebooks, reStructuredText and plain text, as blocks with places."""
