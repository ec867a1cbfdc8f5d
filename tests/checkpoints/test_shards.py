"""Indexes, shards, folders, links and pickles."""

import json
import os
import time

import pytest
from checkpoint_files import llama_gguf, llama_tensors, write_gguf, write_index, write_safetensors

from derive.checkpoints.locating import find_checkpoint
from derive.checkpoints.reading import read_checkpoint
from derive.errors import CheckpointError

FIRST, SECOND = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"


def halves():
    """The tensors of a model in two shards."""
    tensors = list(llama_tensors().items())
    return {FIRST: dict(tensors[:10]), SECOND: dict(tensors[10:])}


def read(path):
    return read_checkpoint(find_checkpoint(str(path)))


def refused(path, words):
    start = time.process_time()
    with pytest.raises(CheckpointError) as error:
        read(path)
    assert time.process_time() - start < 1
    message = str(error.value)
    assert words in message and "\n" not in message and os.path.basename(path) in message


def index(folder, content):
    path = folder / "model.safetensors.index.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


class TestIndex:
    def test_with_its_shards(self, tmp_path):
        path = write_index(tmp_path, halves(), total_size=284_544)
        for source in (path, tmp_path, tmp_path / FIRST):
            found = read(source)
            assert found.files == (FIRST, SECOND) and found.bytes == 284_544 and not found.notes
            assert {each.name: each.shape for each in found.tensors} == {name: shape for name, (_, shape) in llama_tensors().items()}

    def test_a_wrong_size_is_said(self, tmp_path):
        assert read(write_index(tmp_path, halves(), total_size=5)).notes == ("the index says 5 bytes, the shards hold 284,544",)

    def test_alone(self, tmp_path):
        path = write_index(tmp_path, halves(), total_size=284_544)
        (tmp_path / FIRST).unlink(), (tmp_path / SECOND).unlink()
        found = read(path)
        assert found.kind == "index" and found.tensors == () and found.bytes == 284_544
        assert set(found.names) == set(llama_tensors())

    def test_a_missing_shard(self, tmp_path):
        path = write_index(tmp_path, halves())
        (tmp_path / SECOND).unlink()
        refused(path, f"incomplete: {SECOND} of 2 files not there")
        refused(tmp_path / FIRST, f"incomplete: {SECOND} of 2 files not there")

    def test_a_tensor_in_another_place(self, tmp_path):
        path = write_index(tmp_path, halves())
        shards = halves()
        shards[SECOND]["model.embed_tokens.weight"] = shards[FIRST].pop("model.embed_tokens.weight")
        for name, tensors in shards.items():
            write_safetensors(tmp_path / name, tensors)
        refused(path, f"'model.embed_tokens.weight' should be in {FIRST}, but is in {SECOND}")
        shards[SECOND].pop("model.embed_tokens.weight")
        write_safetensors(tmp_path / SECOND, shards[SECOND])
        refused(path, f"'model.embed_tokens.weight' should be in {FIRST}, but is not")

    def test_a_tensor_twice(self, tmp_path):
        shards = halves()
        shards[SECOND]["model.embed_tokens.weight"] = shards[FIRST]["model.embed_tokens.weight"]
        refused(write_index(tmp_path, shards), f"'model.embed_tokens.weight' is in {FIRST} and in {SECOND}")

    def test_a_tensor_that_the_index_does_not_name(self, tmp_path):
        path = write_index(tmp_path, halves())
        write_safetensors(tmp_path / SECOND, halves()[SECOND] | {"extra": ("F32", (2,))})
        assert "1 tensors stand in the shards, but not in the index: extra" in read(path).notes[0]

    @pytest.mark.parametrize(
        "name",
        ["../other.safetensors", "/etc/model.safetensors", "a/b.safetensors", "..", "", "a\0.safetensors", "c:\\x.safetensors", "x" * 300],
    )
    def test_a_file_outside_of_the_folder(self, tmp_path, name):
        refused(index(tmp_path, {"weight_map": {"a": name}}), "not the name of a file beside it")

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (b"", "not JSON"), (b"[]", "no weight_map"), (b"{}", "no weight_map"), (b'{"weight_map": {}}', "no weight_map"),
            (b'{"weight_map": {"a": 1}}', "the name of a file was expected"), (b'{"weight_map": ' + b"[" * 10**5, "nested too deep"),
            (b'{"weight_map": {"a": "x.safetensors", "a": "y.safetensors"}}', "the key 'a' stands twice"),
            (b'{"weight_map": {"a": "pytorch_model.bin"}}', "not a safetensors file"), (b"\xff\xfe\xfa", "not JSON"),
            (b'{"weight_map": {"a\\u0000": "x.safetensors"}}', "holds a NUL"), (b'{"weight_map": {"": "x.safetensors"}}', "an empty name"),
            (b'{"metadata": {"total_size": -1}, "weight_map": {"a": "x.safetensors"}}', "must be a number of bytes"),
            (b'{"metadata": {"total_size": 1e99}, "weight_map": {"a": "x.safetensors"}}', "must be a number of bytes"),
            (b"{" + b",".join(b'"%d":0' % i for i in range(600_000)) + b"}", "more than 262,144 tensors"),
            (b'{"weight_map": {' + b",".join(b'"%d":"%d.safetensors"' % (i, i) for i in range(9000)) + b"}}", "more than 4,096 files"),
        ],
    )  # fmt: skip
    def test_what_is_no_index(self, tmp_path, content, words):
        refused(index(tmp_path, content), words)

    def test_a_huge_one(self, tmp_path):
        with index(tmp_path, b"{").open("r+b") as file:
            file.truncate(2**40)
        refused(tmp_path / "model.safetensors.index.json", "larger than 32 MiB")


class TestLinks:
    def test_out_of_the_folder(self, tmp_path):
        home, other = tmp_path / "home", tmp_path / "other"
        home.mkdir(), other.mkdir()
        path = write_index(home, halves())
        (home / SECOND).rename(other / SECOND)
        (home / SECOND).symlink_to(other / SECOND)
        refused(path, f"{SECOND} is a link out of the folder")

    def test_a_folder_with_a_link(self, tmp_path):
        home = tmp_path / "home"
        home.mkdir()
        write_safetensors(tmp_path / "x.safetensors", llama_tensors())
        (home / "model.safetensors").symlink_to(tmp_path / "x.safetensors")
        refused(home, "model.safetensors is a link out of the folder")
        assert read(home / "model.safetensors").tensors  # named, it is what was asked for

    def test_the_store_of_a_download_cache(self, tmp_path):
        snapshot, blobs = tmp_path / "snapshots" / "abc", tmp_path / "blobs"
        snapshot.mkdir(parents=True), blobs.mkdir()
        path = write_index(snapshot, halves())
        for at, name in enumerate((FIRST, SECOND, path.name)):
            (snapshot / name).rename(blobs / str(at))
            (snapshot / name).symlink_to(blobs / str(at))
        assert len(read(snapshot).tensors) == len(llama_tensors())

    def test_a_loop(self, tmp_path):
        (tmp_path / "a.safetensors").symlink_to(tmp_path / "a.safetensors")
        refused(tmp_path / "a.safetensors", "cannot be read")


class TestFolder:
    def test_what_is_found(self, tmp_path):
        assert find_checkpoint(str(tmp_path)) is None and find_checkpoint(str(tmp_path / "config.json")) is None
        assert find_checkpoint("llama-7b") is None and find_checkpoint("a\0b") is None
        write_gguf(tmp_path / "a.gguf", *llama_gguf())
        assert read(tmp_path).kind == "gguf"
        write_safetensors(tmp_path / "model.safetensors", llama_tensors())
        write_safetensors(tmp_path / "consolidated.safetensors", llama_tensors(V=5))
        assert read(tmp_path).files == ("model.safetensors",)

    def test_a_gguf_file_of_any_name(self, tmp_path):
        for name in ("sha256-0123", "ggml-model.bin", "MODEL.GGUF"):
            assert read(write_gguf(tmp_path / name, *llama_gguf())).kind == "gguf"
        assert read(write_safetensors(tmp_path / "A.Safetensors", llama_tensors())).kind == "safetensors"

    def test_several(self, tmp_path):
        for name in ("a", "b"):
            write_safetensors(tmp_path / f"{name}.safetensors", llama_tensors())
        refused(tmp_path, "holds several checkpoints (a.safetensors, b.safetensors); name one of them")

    def test_split_gguf(self, tmp_path):
        metadata, tensors = llama_gguf()
        both = list(tensors.items())
        for number, part in enumerate((both[:9], both[9:]), 1):
            said = (metadata if number == 1 else {}) | {"split.no": number - 1, "split.count": 2, "split.tensors.count": len(both)}
            write_gguf(tmp_path / f"m-0000{number}-of-00002.gguf", said, dict(part))
        for source in (tmp_path, tmp_path / "m-00001-of-00002.gguf", tmp_path / "m-00002-of-00002.gguf"):
            assert read(source).names == tuple(tensors)
        (tmp_path / "m-00002-of-00002.gguf").rename(tmp_path / "other")
        refused(tmp_path / "m-00001-of-00002.gguf", "incomplete: m-00002-of-00002.gguf of 2 files not there")
        (tmp_path / "m-00001-of-00002.gguf").rename(tmp_path / "m.gguf")
        refused(tmp_path / "m.gguf", "one of 2 files")

    def test_numbers_that_make_no_sense(self, tmp_path):
        refused(write_safetensors(tmp_path / "m-00003-of-00002.safetensors", llama_tensors()), "the name says file 3 of 2")
        refused(write_safetensors(tmp_path / "m-00001-of-99999.safetensors", llama_tensors()), "the name says file 1 of 99999")

    @pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "consolidated.00.pth", "last.ckpt", "MODEL.BIN"])
    def test_pickles(self, tmp_path, name):
        (tmp_path / name).write_bytes(b"\x80\x02")
        for source in (tmp_path / name, tmp_path):
            with pytest.raises(CheckpointError, match=r"unpickling runs whatever code the file holds.*convert it to safetensors"):
                find_checkpoint(str(source))
        (tmp_path / "config.json").write_text("{}")
        assert find_checkpoint(str(tmp_path)) is None  # the configuration can be counted
