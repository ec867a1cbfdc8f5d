"""Headers of safetensors files: what they say, and what is refused."""

import json
import struct
import time

import pytest
from checkpoint_files import llama_tensors, safetensors_header, write_bytes, write_raw, write_safetensors

from derive.checkpoints.safetensors import read_safetensors
from derive.errors import CheckpointError


def entry(dtype="F16", shape=(2,), offsets=(0, 4)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


def test_the_tensors_in_the_order_of_their_data(tmp_path):
    header, data = safetensors_header(llama_tensors(L=1))
    shuffled = dict(sorted(header.items())) | {"__metadata__": {"format": "pt"}}
    tensors, metadata = read_safetensors(str(write_raw(tmp_path / "a.safetensors", shuffled, data)))
    assert [(each.name, each.dtype, each.shape) for each in tensors] == [(name, *each) for name, each in llama_tensors(L=1).items()]
    assert sum(each.bytes for each in tensors) == data == 2 * sum(each.elements for each in tensors)
    assert metadata == {"format": "pt"} and {each.file for each in tensors} == {"a.safetensors"}


def test_a_terabyte_takes_no_time(tmp_path):
    tensors = {f"model.layers.{i}.mlp.up_proj.weight": ("F16", (2**16, 2**15)) for i in range(256)}
    path = write_safetensors(tmp_path / "huge.safetensors", tensors)
    assert path.stat().st_size > 10**12
    start = time.process_time()
    found, _ = read_safetensors(str(path))
    assert sum(each.bytes for each in found) == 2**40
    assert time.process_time() - start < 0.5


def test_a_scalar_and_an_empty_tensor(tmp_path):
    path = write_safetensors(tmp_path / "a.safetensors", {"empty": ("F32", (0, 4)), "scalar": ("I64", ()), "one": ("U8", (1,))})
    assert {each.name: each.elements for each in read_safetensors(str(path))[0]} == {"empty": 0, "scalar": 1, "one": 1}


NESTED = b'{"a": ' + b"[" * 100_000
HOSTILE = {
    "an empty file": (b"", "truncated"),
    "half a length": (b"\1\0\0", "truncated"),
    "a length of 2^60": (struct.pack("<Q", 2**60) + b"{}", "a header of 1,152,921,504,606,846,976 bytes in a file of 10"),
    "a header that ends early": (struct.pack("<Q", 100) + b"{}", "truncated, or not safetensors"),
    "no JSON": (struct.pack("<Q", 8) + b"{nothing", "the header is not JSON"),
    "a list": (struct.pack("<Q", 2) + b"[]", "does not begin with '{'"),
    "a pickle's beginning": (b"\x80\x02" + b"\0" * 30, "not safetensors"),
    "not UTF-8": (struct.pack("<Q", 7) + b'{"\xff\xfe":0', "not UTF-8"),
    "deep JSON": (struct.pack("<Q", len(NESTED)) + NESTED, "nested too deep"),
    "an LFS pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "git lfs pull"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_file_that_is_none(tmp_path, case):
    content, words = HOSTILE[case]
    refused(write_bytes(tmp_path / "bad.safetensors", content), words)


HEADERS = {
    "beyond the file": ({"a": entry(offsets=(0, 4))}, 2, "truncated: the data of 'a' goes on beyond the end of the file"),
    "overlapping": ({"a": entry(), "b": entry(offsets=(2, 6))}, 6, "the data of 'b' overlaps another tensor's"),
    "the same bytes": ({"a": entry(), "b": entry()}, 4, "overlaps"),
    "a hole": ({"a": entry(), "b": entry(offsets=(8, 12))}, 12, "4 bytes before the data of 'b' belong to no tensor"),
    "bytes left over": ({"a": entry()}, 9, "5 bytes at the end of the file belong to no tensor"),
    "sizes of 2^63": ({"a": entry(shape=(2**63, 2))}, 4, "the length 9223372036854775808 in its shape"),
    "a product of 2^120": ({"a": entry(shape=(2**60, 2**60))}, 4, "does not take the 4 bytes"),
    "offsets of 2^70": ({"a": entry(offsets=(0, 2**70))}, 4, "data_offsets that no file can have"),
    "backwards": ({"a": entry(offsets=(4, 0))}, 4, "ends before it begins"),
    "a negative length": ({"a": entry(shape=(-2,))}, 4, "the length -2 in its shape"),
    "negative offsets": ({"a": entry(offsets=(-4, 0))}, 4, "data_offsets that no file can have"),
    "a length that is no number": ({"a": entry(shape=(True, 2.0))}, 4, "the length true in its shape"),
    "an unknown dtype": ({"a": entry(dtype="F1024")}, 4, 'the unknown dtype "F1024"'),
    "a wrong size": ({"a": entry(shape=(3,))}, 4, "'a' of shape [3] in F16 does not take the 4 bytes"),
    "no offsets": ({"a": {"dtype": "F16", "shape": [2]}}, 4, "no two data_offsets"),
    "no object": ({"a": 7}, 4, "'a' must be an object, not 7"),
    "a shape of many lengths": ({"a": entry(shape=[1] * 50)}, 4, "the shape a list"),
    "a NUL in a name": ({"a\0b": entry()}, 4, "holds a NUL"),
    "no name": ({"": entry()}, 4, "an empty name"),
    "a long name": ({"a" * 5000: entry()}, 4, "a tensor's name has 5,000 characters"),
    "metadata of numbers": ({"__metadata__": {"a": 1}}, 0, "__metadata__ must be an object of strings"),
    "a key twice": (b'{"a": {"dtype": "F16", "shape": [2], "data_offsets": [0, 4]}, "a": {}}', 4, "the key 'a' stands twice"),
    "a length twice": (b'{"a": {"dtype": "F16", "shape": [2], "shape": [3], "data_offsets": [0, 4]}}', 4, "the key 'shape' stands twice"),
    "millions of digits": (b'{"a": ' + b"9" * 10**6 + b"}", 0, "too many digits"),
    "millions of lengths": (b'{"a": {"shape": [' + b"0," * 3 * 10**6 + b"0]}}", 0, "more than 131,072 tensors"),
    "millions of tensors": (b"{" + b",".join(b'"%d":{}' % i for i in range(200_000)) + b"}", 0, "more than 131,072 tensors"),
    "many metadata": (b'{"__metadata__":{' + b",".join(b'"%d":""' % i for i in range(600_000)) + b"}}", 0, "more than 131,072 tensors"),
}


@pytest.mark.parametrize("case", HEADERS)
def test_a_header_that_lies(tmp_path, case):
    header, data, words = HEADERS[case]
    refused(write_raw(tmp_path / "bad.safetensors", header, data), words)


def test_what_a_header_as_large_as_allowed_costs(tmp_path):
    names = {f"{'attention.' * 20}{i}": entry(offsets=(4 * i, 4 * i + 4)) for i in range(50_000)}
    path = write_raw(tmp_path / "a.safetensors", names, 4 * len(names))
    start = time.process_time()
    assert len(read_safetensors(str(path))[0]) == 50_000
    assert time.process_time() - start < 5


def test_files_that_are_none(tmp_path):
    import os

    os.mkfifo(tmp_path / "pipe.safetensors")
    refused(tmp_path / "pipe.safetensors", "not a regular file")
    refused(tmp_path / "missing.safetensors", "no such file")
    (tmp_path / "folder.safetensors").mkdir()
    refused(tmp_path / "folder.safetensors", "not a regular file")


@pytest.mark.parametrize("cut", [1, 7, 8, 9, 100, 2000])
def test_every_truncation(tmp_path, cut):
    whole = write_safetensors(tmp_path / "a.safetensors", llama_tensors(L=1)).read_bytes()
    refused(write_bytes(tmp_path / "b.safetensors", whole[:cut]), "truncated")
    refused(write_bytes(tmp_path / "c.safetensors", whole[:-cut]), "truncated")


def refused(path, words):
    """One line that names the file, at once."""
    start = time.process_time()
    with pytest.raises(CheckpointError) as error:
        read_safetensors(str(path))
    assert time.process_time() - start < 1
    message = str(error.value)
    assert message.startswith(f"{path}: ") and words in message and "\n" not in message and len(message) < len(str(path)) + 300


def test_json_agrees(tmp_path):
    """The header as Python's own JSON reads it."""
    path = write_safetensors(tmp_path / "a.safetensors", llama_tensors())
    raw = path.read_bytes()
    header = json.loads(raw[8 : 8 + int.from_bytes(raw[:8], "little")])
    assert {each.name: list(each.shape) for each in read_safetensors(str(path))[0]} == {
        name: each["shape"] for name, each in header.items()
    }
