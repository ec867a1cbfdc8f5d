"""Checkpoints for the tests: headers written by a few lines of our own, with a hole where the data would be."""

import json
import struct
from math import prod

BYTES = {"F32": 4, "F16": 2, "BF16": 2, "I32": 4, "I16": 2, "U8": 1, "I8": 1, "F8_E4M3": 1, "I64": 8}
BLOCKS = {"F32": (0, 1, 4), "F16": (1, 1, 2), "Q8_0": (8, 32, 34), "Q4_K": (12, 256, 144), "Q6_K": (14, 256, 210), "BF16": (30, 1, 2)}


def safetensors_header(tensors):
    """Name -> (dtype, shape) as the JSON object of a header, and the bytes of the data."""
    header, at = {}, 0
    for name, (dtype, shape) in tensors.items():
        end = at + prod(shape) * BYTES[dtype]
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [at, end]}
        at = end
    return header, at


def write_raw(path, header, data=0, length=None):
    """A header (bytes, or an object for JSON), its claimed length, and so many bytes of data."""
    content = header if isinstance(header, bytes) else json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(content) if length is None else length) + content)
        file.truncate(8 + len(content) + data)
    return path


def write_safetensors(path, tensors):
    return write_raw(path, *safetensors_header(tensors))


def write_index(folder, shards, **metadata):
    """An index and its shards; shard -> tensors."""
    for name, tensors in shards.items():
        write_safetensors(folder / name, tensors)
    weight_map = {tensor: name for name, tensors in shards.items() for tensor in tensors}
    path = folder / "model.safetensors.index.json"
    path.write_text(json.dumps({"metadata": metadata, "weight_map": weight_map}))
    return path


def gguf_string(text, order="<"):
    raw = text if isinstance(text, bytes) else text.encode()
    return struct.pack(order + "Q", len(raw)) + raw


def gguf_value(value, order="<"):
    """A metadata value with its type in front."""
    if isinstance(value, bool):
        return struct.pack(order + "I?", 7, value)
    if isinstance(value, int):
        return struct.pack(order + "II", 4, value)
    if isinstance(value, float):
        return struct.pack(order + "If", 6, value)
    if isinstance(value, str):
        return struct.pack(order + "I", 8) + gguf_string(value, order)
    kind = 8 if isinstance(value[0], str) else 5
    items = b"".join(gguf_string(each, order) if kind == 8 else struct.pack(order + "i", each) for each in value)
    return struct.pack(order + "IIQ", 9, kind, len(value)) + items


def gguf_header(metadata, tensors, version=3, order="<"):
    """The header of a GGUF file, and the bytes of its data; name -> (format, shape with the rows first)."""
    parts = [b"GGUF", struct.pack(order + "IQQ", version, len(tensors), len(metadata))]
    parts += [gguf_string(key, order) + gguf_value(value, order) for key, value in metadata.items()]
    at = 0
    for name, (kind, shape) in tensors.items():
        number, elements, size = BLOCKS[kind]
        lengths = tuple(shape)[::-1]
        parts.append(gguf_string(name, order) + struct.pack(f"{order}I{len(lengths)}QIQ", len(lengths), *lengths, number, at))
        at += -(-(prod(shape) // elements * size) // 32) * 32
    return b"".join(parts), at


def write_gguf(path, metadata, tensors, **more):
    header, data = gguf_header(metadata, tensors, **more)
    return write_bytes(path, header, -(-len(header) // 32) * 32 - len(header) + data)


def write_bytes(path, header, data=0):
    with open(path, "wb") as file:
        file.write(header)
        file.truncate(len(header) + data)
    return path


def llama_tensors(L=3, d=64, m=160, V=100, kv=32, dtype="BF16", tied=False):
    """The tensors of a small LLaMA under the names of Hugging Face."""
    found = {"model.embed_tokens.weight": (dtype, (V, d))}
    for i in range(L):
        at = f"model.layers.{i}."
        found |= {
            f"{at}self_attn.q_proj.weight": (dtype, (d, d)), f"{at}self_attn.k_proj.weight": (dtype, (kv, d)),
            f"{at}self_attn.v_proj.weight": (dtype, (kv, d)), f"{at}self_attn.o_proj.weight": (dtype, (d, d)),
            f"{at}mlp.gate_proj.weight": (dtype, (m, d)), f"{at}mlp.up_proj.weight": (dtype, (m, d)),
            f"{at}mlp.down_proj.weight": (dtype, (d, m)), f"{at}input_layernorm.weight": (dtype, (d,)),
            f"{at}post_attention_layernorm.weight": (dtype, (d,)),
        }  # fmt: skip
    found["model.norm.weight"] = (dtype, (d,))
    return found | ({} if tied else {"lm_head.weight": (dtype, (V, d))})


def llama_gguf(L=2, d=256, m=512, V=320, kv=128, kind="Q4_K", tied=False):
    """The metadata and tensors of a small LLaMA under GGUF's names."""
    metadata = {
        "general.architecture": "llama", "llama.block_count": L, "llama.embedding_length": d, "llama.feed_forward_length": m,
        "llama.attention.head_count": 4, "llama.attention.head_count_kv": kv * 4 // d, "llama.context_length": 2048,
        "tokenizer.ggml.tokens": [f"t{i}" for i in range(V)],
    }  # fmt: skip
    tensors = {"token_embd.weight": (kind, (V, d))}
    for i in range(L):
        tensors |= {
            f"blk.{i}.attn_q.weight": (kind, (d, d)), f"blk.{i}.attn_k.weight": (kind, (kv, d)), f"blk.{i}.attn_v.weight": ("Q6_K", (kv, d)),
            f"blk.{i}.attn_output.weight": (kind, (d, d)), f"blk.{i}.ffn_gate.weight": (kind, (m, d)), f"blk.{i}.ffn_up.weight": (kind, (m, d)),
            f"blk.{i}.ffn_down.weight": ("Q6_K", (d, m)), f"blk.{i}.attn_norm.weight": ("F32", (d,)), f"blk.{i}.ffn_norm.weight": ("F32", (d,)),
        }  # fmt: skip
    tensors["output_norm.weight"] = ("F32", (d,))
    return metadata, tensors | ({} if tied else {"output.weight": ("Q6_K", (V, d))})
