"""What a document has said up to a place."""
