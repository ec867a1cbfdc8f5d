"""Mistral: a LLaMA whose attention looks back over a window; the keys and the tensors are the same."""

from derive.families.llama import model, notes, sizes

__all__ = ["model", "notes", "sizes"]
