"""Whatever byte of a header is wrong: an answer or a clear error, nothing else."""

from checkpoint_files import gguf_header, llama_gguf, llama_tensors, write_bytes, write_safetensors
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from derive.checkpoints.counting import count_checkpoint
from derive.errors import CheckpointError

quick = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
changes = st.lists(st.tuples(st.integers(0, 10**6), st.binary(min_size=1, max_size=8)), min_size=1, max_size=4)


def spoiled(content, changes):
    found = bytearray(content)
    for at, new in changes:
        at %= len(found)
        found[at : at + len(new)] = new
    return bytes(found)


def answered(path):
    try:
        counted = count_checkpoint(str(path))
    except CheckpointError as error:
        assert str(error).startswith(str(path)) and "\n" not in str(error)
    else:
        assert counted.parameters >= 0


@quick
@given(changes)
def test_safetensors(tmp_path, changes):
    whole = write_safetensors(tmp_path / "a.safetensors", llama_tensors(L=1)).read_bytes()
    length = int.from_bytes(whole[:8], "little") + 8
    answered(write_bytes(tmp_path / "b.safetensors", spoiled(whole[:length], changes), len(whole) - length))


@quick
@given(changes)
def test_gguf(tmp_path, changes):
    header, data = gguf_header(*llama_gguf(L=1, V=32))
    answered(write_bytes(tmp_path / "a.gguf", spoiled(header, changes), data + 64))
