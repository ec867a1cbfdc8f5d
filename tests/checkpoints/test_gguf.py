"""Headers of GGUF files: what they say, and what is refused."""

import struct
import time

import pytest
from checkpoint_files import gguf_header, gguf_string, gguf_value, llama_gguf, write_bytes, write_gguf

from derive.checkpoints.gguf import Skipped, read_gguf
from derive.checkpoints.gguf_types import GGUF_TYPES
from derive.errors import CheckpointError


@pytest.mark.parametrize(("version", "order"), [(2, "<"), (3, "<"), (3, ">")])
def test_what_a_file_says(tmp_path, version, order):
    metadata, tensors = llama_gguf()
    path = write_gguf(tmp_path / "a.gguf", metadata, tensors, version=version, order=order)
    found, said = read_gguf(str(path))
    assert [(each.name, each.dtype, each.shape) for each in found] == [(name, *each) for name, each in tensors.items()]
    assert said["llama.block_count"] == 2 and said["general.architecture"] == "llama"
    assert found[1].bytes == 256 * 256 // 256 * 144


def test_every_kind_of_metadata(tmp_path):
    metadata = {"a": 1, "b": "text", "c": True, "d": [1, 2], "e": ["x", "yz"], "f": 2.5}
    _, said = read_gguf(str(write_gguf(tmp_path / "a.gguf", metadata, {})))
    assert said == {"a": 1, "b": "text", "c": True, "d": (1, 2), "e": ("x", "yz"), "f": 2.5}


def test_long_arrays_are_skipped(tmp_path):
    metadata = {"tokens": [f"token {i}" for i in range(5000)], "types": [1] * 5000, "after": 7}
    _, said = read_gguf(str(write_gguf(tmp_path / "a.gguf", metadata, {"x": ("F32", (2,))})))
    assert said == {"tokens": 5000, "types": 5000, "after": 7}
    assert isinstance(said["tokens"], Skipped) and isinstance(said["types"], Skipped)


def test_the_blocks_by_their_parts():
    """Bytes of a block as its fields add up: quants, scales, and what packs them."""
    half = 2
    fields = {
        "Q4_0": 32 * 4 / 8 + half, "Q4_1": 32 * 4 / 8 + 2 * half, "Q5_0": 32 * 5 / 8 + half, "Q5_1": 32 * 5 / 8 + 2 * half, "Q8_0": 32 + half,
        "Q2_K": 256 * 2 / 8 + 16 + 2 * half, "Q3_K": 256 * 3 / 8 + 12 + half, "Q4_K": 256 * 4 / 8 + 12 + 2 * half,
        "Q5_K": 256 * 5 / 8 + 12 + 2 * half, "Q6_K": 256 * 6 / 8 + 16 + half, "Q8_K": 256 + 4 + 16 * 2, "IQ4_NL": 32 * 4 / 8 + half,
        "IQ4_XS": 256 * 4 / 8 + half + 2 + 4, "IQ2_XXS": 32 * 2 + half, "IQ2_XS": 32 * 2 + 8 + half, "IQ2_S": 64 + 8 + 8 + half,
        "IQ3_XXS": 96 + half, "IQ3_S": 64 + 8 + 32 + 4 + half, "IQ1_S": 32 + 16 + half, "IQ1_M": 32 + 16 + 8, "TQ1_0": 48 + 4 + half,
        "TQ2_0": 64 + half, "MXFP4": 32 * 4 / 8 + 1, "NVFP4": 64 * 4 / 8 + 4, "F32": 4, "F16": 2, "BF16": 2, "F64": 8, "I8": 1, "I16": 2,
        "I32": 4, "I64": 8,
    }  # fmt: skip
    assert {block.name: block.bytes for block in GGUF_TYPES.values()} == fields


def test_a_terabyte_takes_no_time(tmp_path):
    tensors = {f"blk.{i}.ffn_up.weight": ("Q8_0", (2**16, 2**15)) for i in range(512)}
    path = write_gguf(tmp_path / "a.gguf", {"general.architecture": "llama"}, tensors)
    assert path.stat().st_size > 10**12
    start = time.process_time()
    found, _ = read_gguf(str(path))
    assert sum(each.elements for each in found) == 2**40
    assert time.process_time() - start < 0.5


def raw(tensors=0, keys=0, rest=b"", magic=b"GGUF", version=3):
    return magic + struct.pack("<IQQ", version, tensors, keys) + rest


def tensor(name=b"a", lengths=(32,), kind=0, offset=0):
    return gguf_string(name) + struct.pack(f"<I{len(lengths)}QIQ", len(lengths), *lengths, kind, offset)


def key(name, kind, rest):
    return gguf_string(name) + struct.pack("<I", kind) + rest


HOSTILE = {
    "an empty file": (b"", 0, "does not begin with GGUF"),
    "another magic": (raw(magic=b"GGML"), 0, "does not begin with GGUF"),
    "only a magic": (b"GGUF", 0, "without a version"),
    "an old version": (raw(version=1), 0, "GGUF version 1 is not known"),
    "a new version": (raw(version=77), 0, "GGUF version 77 is not known"),
    "no counts": (b"GGUF\3\0\0\0", 0, "truncated"),
    "2^40 tensors": (raw(tensors=2**40), 2**30, "claims 1,099,511,627,776 tensors"),
    "millions of tensors": (raw(tensors=10**7), 2**40, "claims 10,000,000 tensors"),
    "2^62 keys": (raw(keys=2**62), 2**30, "metadata keys"),
    "a key of 2^60 bytes": (raw(keys=1, rest=struct.pack("<Q", 2**60)), 2**30, "a metadata key claims 1,152,921,504,606,846,976 bytes"),
    "a key that is no text": (raw(keys=1, rest=gguf_string(b"\xff\xfe") + struct.pack("<II", 4, 1)), 0, "a metadata key is not UTF-8"),
    "a key with NUL": (raw(keys=1, rest=gguf_string(b"a\0b") + struct.pack("<II", 4, 1)), 0, "is no metadata key"),
    "a key twice": (raw(keys=2, rest=2 * (gguf_string("a") + gguf_value(1))), 0, "the metadata key 'a' stands twice"),
    "an unknown type of value": (raw(keys=1, rest=key("a", 99, b"")), 0, "'a' has the unknown metadata type 99"),
    "an unknown type of items": (raw(keys=1, rest=key("a", 9, struct.pack("<IQ", 99, 1) + b"\0" * 8)), 0, "unknown metadata type 99"),
    "an array of 2^60": (raw(keys=1, rest=key("a", 9, struct.pack("<IQ", 4, 2**60))), 2**30, "'a' claims 1,152,921,504,606,846,976 items"),
    "a list of 2^33 words": (raw(keys=1, rest=key("a", 9, struct.pack("<IQ", 8, 2**33))), 2**40, "more than any vocabulary"),
    "words that run on": (raw(keys=1, rest=key("a", 9, struct.pack("<IQQ", 8, 2000, 2**50))), 2**20, "a string of 'a' goes on beyond"),
    "numbers of 40 MiB": (raw(keys=1, rest=key("a", 9, struct.pack("<IQ", 10, 5 * 2**20))), 2**30, "larger than 32 MiB"),
    "arrays in arrays in arrays": (
        raw(keys=1, rest=key("a", 9, struct.pack("<IQIQIQ", 9, 1, 9, 1, 9, 1) + b"\0" * 60)), 0, "array of arrays of arrays",
    ),
    "a million arrays": (raw(keys=1, rest=key("a", 9, struct.pack("<IQ", 9, 10**6))), 2**30, "1,000,000 arrays in an array"),
    "zeros": (raw(tensors=2**17), 2**40, "an empty name"),
    "a tensor without an end": (raw(tensors=1, rest=gguf_string("a")), 20, "goes on beyond the end" ),
    "2^32 dimensions": (raw(tensors=1, rest=gguf_string("a") + struct.pack("<I", 2**32 - 1)), 2**20, "claims 4,294,967,295 dimensions"),
    "a negative length": (raw(tensors=1, rest=tensor(lengths=(2**64 - 32,))), 2**20, "a negative length"),
    "lengths of 2^62": (raw(tensors=1, rest=tensor(lengths=(2**62, 2**62))), 2**20, "goes on beyond the end"),
    "an unknown tensor type": (raw(tensors=1, rest=tensor(kind=99)), 2**20, "unknown tensor type 99"),
    "half a block": (raw(tensors=1, rest=tensor(lengths=(100,), kind=12)), 2**20, "not a multiple of the 256 in a Q4_K block"),
    "an offset of 2^63": (raw(tensors=1, rest=tensor(offset=2**63)), 2**20, "goes on beyond the end"),
    "overlapping": (raw(tensors=2, rest=tensor() + tensor(b"b", offset=64)), 2**20, "the data of 'b' overlaps"),
    "a name twice": (raw(tensors=2, rest=tensor() + tensor(offset=128)), 2**20, "the tensor 'a' stands twice"),
    "a NUL in a name": (raw(tensors=1, rest=tensor(b"a\0b")), 2**20, "holds a NUL"),
    "a name that is no text": (raw(tensors=1, rest=tensor(b"\xff")), 2**20, "a tensor's name is not UTF-8"),
    "a bad alignment": (raw(keys=1, rest=gguf_string("general.alignment") + gguf_value(33)), 0, "power of two"),
    "an alignment of 2^31": (raw(keys=1, rest=gguf_string("general.alignment") + gguf_value(2**31)), 2**20, "power of two"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_a_header_that_lies(tmp_path, case):
    content, data, words = HOSTILE[case]
    path = write_bytes(tmp_path / "bad.gguf", content, data)
    start = time.process_time()
    with pytest.raises(CheckpointError) as error:
        read_gguf(str(path))
    assert time.process_time() - start < 1
    message = str(error.value)
    assert message.startswith(f"{path}: ") and words in message and "\n" not in message


def test_every_truncation(tmp_path):
    metadata, tensors = llama_gguf(L=1, V=20)
    header, data = gguf_header(metadata, tensors)
    path = tmp_path / "a.gguf"
    for cut in range(0, len(header), 7):
        with pytest.raises(CheckpointError):
            read_gguf(str(write_bytes(path, header[:cut])))
    with pytest.raises(CheckpointError, match="truncated"):
        read_gguf(str(write_bytes(path, header, data - 100)))
