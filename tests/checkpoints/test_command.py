"""`derive count` of checkpoints, as a user runs it."""

import json
import os
import subprocess
import sys
import time

import pytest
from checkpoint_files import llama_gguf, llama_tensors, write_gguf, write_index, write_raw, write_safetensors
from click.testing import CliRunner

from derive.cli import main


@pytest.fixture
def run():
    def run(*arguments, columns=100):
        return CliRunner().invoke(main, ["count", *map(str, arguments)], env={"COLUMNS": str(columns)})

    return run


@pytest.fixture
def folder(tmp_path, config):
    (tmp_path / "config.json").write_text(json.dumps(config))
    extra = {f"model.layers.{i}.self_attn.rotary_emb.inv_freq": ("F32", (8,)) for i in range(3)}
    write_safetensors(tmp_path / "model.safetensors", llama_tensors(V=128) | extra)
    return tmp_path


def test_text(run, folder):
    result = run(folder)
    assert result.exit_code == 0
    for line in (
        "safetensors: 33 tensors in 1 file, 145,880 elements, 291,808 bytes; read from the headers only",
        "part             tensors   stored  closed form",
        "attention             12   36,864       36,864  L(2d² + 2d·d_kv)",
        "token embedding        1    8,192        6,400  Vd",
        "The tensors add up to +3,584 over the closed form; what follows accounts for +3,584.",
        "padded vocabulary: +1,792 (128 rows, the vocabulary has 100 entries: 28 × 64 elements more)",
        "  model.layers.*.self_attn.rotary_emb.inv_freq [8] F32 × 3 (0-2) = 24, 96 bytes",
    ):
        assert line in result.output.splitlines()


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_it_fits_the_window(run, folder, columns):
    for source in (folder, write_gguf(folder / "m.gguf", *llama_gguf())):
        output = run(source, columns=columns).output.replace(str(folder), "")
        assert max(map(len, output.splitlines())) <= columns


def test_json(run, folder):
    answer = json.loads(run(folder, "--json").output)
    assert answer["format"] == "safetensors" and answer["parameters"]["difference"] == 3584
    assert [misfit["kind"] for misfit in answer["misfits"]] == ["buffers", "padded vocabulary", "padded vocabulary"]


def test_bits_of_a_weight(run, tmp_path):
    output = run(write_gguf(tmp_path / "m.gguf", *llama_gguf())).output
    assert "5.15 bits a parameter, everything stored counted" in output
    assert "The tensors add up to the closed form: 1,344,768." in output


def test_an_index_alone(run, tmp_path):
    path = write_index(tmp_path, {"a.safetensors": llama_tensors()}, total_size=284_544)
    (tmp_path / "a.safetensors").unlink()
    result = run(path)
    assert result.exit_code == 0 and "Only the index is here, none of its 1 files" in result.output
    assert "index: 30 tensors in 1 file, 284,544 bytes" in result.output


def test_usage_with_the_configuration_beside_it(run, folder):
    assert "kv_cache" in json.loads(run(folder, "--json", "--context", "128").output)
    (folder / "config.json").unlink()
    result = run(folder, "--context", "128")
    assert result.exit_code == 2 and "need the configuration beside the checkpoint" in result.stderr


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.safetensors", b"", "truncated"), ("a.gguf", b"GGUF\1\0\0\0", "GGUF version 1"), ("pytorch_model.bin", b"\x80\x02", "unpickling runs"),
        ("model.safetensors.index.json", b"{}", "no weight_map"), ("a\u001b[31m.safetensors", b"", "truncated"),
    ],
)  # fmt: skip
def test_errors(run, tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    result = run(tmp_path / name)
    assert result.exit_code == 2 and result.stdout == ""
    assert (
        result.stderr.startswith("derive: ") and result.stderr.count("\n") == 1 and words in result.stderr and "\x1b" not in result.stderr
    )


def test_hostile_names(run, tmp_path):
    result = run(write_safetensors(tmp_path / "a.safetensors", llama_tensors() | {"\x1b[31m\n.inv_freq": ("F32", (2,))}))
    assert result.exit_code == 2 and "\x1b" not in result.stderr and result.stderr.count("\n") == 1
    assert "the tensor name '�[31m�.inv_freq' holds a NUL or another control character" in result.stderr


def test_a_terabyte_from_the_shell_without_torch_or_numpy(tmp_path):
    tensors = {f"model.layers.{i}.mlp.up_proj.weight": ("F16", (2**16, 2**15)) for i in range(256)}
    write_safetensors(tmp_path / "huge.safetensors", tensors)
    script = "import sys; from derive.cli import main\nmain(['count', 'huge.safetensors'], standalone_mode=False)\nprint('\\0' + ' '.join(sys.modules))"
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True, env=dict(os.environ))
    assert time.perf_counter() - start < 3
    report, _, loaded = done.stdout.partition("\0")
    assert "549,755,813,888 parameters stored" in report
    assert not {"numpy", "torch", "safetensors", "gguf", "sympy"} & set(loaded.split())


def test_many_groups_are_cut_in_text_only(run, folder):
    extra = {f"what{'x' * i}.weight": ("BF16", (3, 3)) for i in range(60)}
    write_safetensors(folder / "model.safetensors", llama_tensors() | extra)
    assert "… and 20 more lines; --json has all" in run(folder).output
    assert len(json.loads(run(folder, "--json").output)["misfits"][0]["tensors"]) == 60


def test_memory_is_bounded(tmp_path):
    """A header that claims 2^20 lengths a tensor is refused before it is parsed."""
    import tracemalloc

    path = write_raw(tmp_path / "a.safetensors", b'{"a": {"shape": [' + b"0," * 8 * 2**20 + b"0]}}")
    tracemalloc.start()
    CliRunner().invoke(main, ["count", str(path)])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100 * 2**20
