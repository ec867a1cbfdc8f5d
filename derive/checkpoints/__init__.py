"""Checkpoints: the tensors that a file stores, read from its header alone, and compared with the closed form.

The readers are our own, of the standard library, since neither well-kept library reads only the header in bounded time and memory
(measured with safetensors 0.8 and gguf 0.19): `safetensors.safe_open` loads numpy or torch with the first file, takes 7 s and 1.2 GB for
800,000 tensors and 3.5 s and 1.6 GB for one tensor that claims a shape of 20 million lengths, and accepts a name that stands twice or
holds a NUL; `gguf.GGUFReader` loads numpy and makes an array of every token of the vocabulary. Nothing of a tensor's data is ever read.
"""
