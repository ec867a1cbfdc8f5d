"""The building blocks of a language model: tensors, components and models."""
