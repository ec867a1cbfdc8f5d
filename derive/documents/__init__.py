"""Documents: Markdown, LaTeX, notebooks, reStructuredText and plain text, as blocks with places."""

from derive.documents.document import Block, Cell, Comment, Document, Piece
from derive.documents.reading import FORMATS, document_of, read_document, read_documents

__all__ = ["FORMATS", "Block", "Cell", "Comment", "Document", "Piece", "document_of", "read_document", "read_documents"]
