"""Quantised weights, each format with its true count."""

import pytest

from derive.checkpoints.packed import unpacked
from derive.checkpoints.stored import StoredTensor


def read(tensors, bits=None):
    stored = tuple(StoredTensor(name, shape, dtype, 0, "x") for name, (dtype, shape) in tensors.items())
    return {each.tensor.name: (each.elements, each.format) for each in unpacked(stored, bits)}


IN, OUT = 256, 384


def group(bits, groups=2, order=True):
    """A GPTQ matrix of IN × OUT."""
    found = {
        "q.qweight": ("I32", (IN * bits // 32, OUT)), "q.qzeros": ("I32", (groups, OUT * bits // 32)), "q.scales": ("F16", (groups, OUT)),
    }  # fmt: skip
    return found | ({"q.g_idx": ("I32", (IN,))} if order else {})


@pytest.mark.parametrize("bits", [2, 3, 4, 8])
@pytest.mark.parametrize("order", [True, False])
def test_gptq(bits, order):
    found = read(group(bits, order=order))
    assert found["q.qweight"] == (IN * OUT, f"GPTQ {bits}-bit")
    assert all(each == (0, "scale") for name, each in found.items() if name != "q.qweight")


def test_awq():
    found = read({"q.qweight": ("I32", (IN, OUT // 8)), "q.qzeros": ("I32", (2, OUT // 8)), "q.scales": ("F16", (2, OUT))})
    assert found["q.qweight"] == (IN * OUT, "AWQ 4-bit") and found["q.qzeros"] == (0, "scale")


def test_bitsandbytes():
    four = read({
        "q.weight": ("U8", (IN * OUT // 2, 1)), "q.weight.absmax": ("U8", (1536,)), "q.weight.quant_map": ("F32", (16,)),
        "q.weight.nested_absmax": ("F32", (6,)), "q.weight.nested_quant_map": ("F32", (256,)), "q.weight.quant_state.bitsandbytes__nf4": ("U8", (93,)),
    })  # fmt: skip
    assert four.pop("q.weight") == (IN * OUT, "bitsandbytes 4-bit") and set(four.values()) == {(0, "scale")}
    eight = read({"q.weight": ("I8", (OUT, IN)), "q.SCB": ("F32", (OUT,)), "q.weight_format": ("U8", ())})
    assert eight == {"q.weight": (IN * OUT, "I8"), "q.SCB": (0, "scale"), "q.weight_format": (0, "scale")}


def test_fp8():
    found = read(
        {
            "q.weight": ("F8_E4M3", (OUT, IN)),
            "q.weight_scale_inv": ("F32", (3, 2)),
            "q.input_scale": ("F32", ()),
            "attn.k_scale": ("F32", (1,)),
        }
    )
    assert found.pop("q.weight") == (IN * OUT, "F8_E4M3") and set(found.values()) == {(0, "scale")}


def test_mxfp4_and_nvfp4():
    found = read(
        {
            "e.gate_up_proj_blocks": ("U8", (4, 64, 8, 16)),
            "e.gate_up_proj_scales": ("U8", (4, 64, 8)),
            "e.gate_up_proj_bias": ("BF16", (4, 64)),
        }
    )
    assert found == {
        "e.gate_up_proj_blocks": (4 * 64 * 8 * 32, "MXFP4"), "e.gate_up_proj_scales": (0, "scale"), "e.gate_up_proj_bias": (4 * 64, ""),
    }  # fmt: skip
    found = read({"q.weight": ("U8", (OUT, IN // 2)), "q.weight_scale": ("F8_E4M3", (OUT, IN // 16)), "q.weight_scale_2": ("F32", ())})
    assert found.pop("q.weight") == (IN * OUT, "NVFP4") and set(found.values()) == {(0, "scale")}


def test_compressed_tensors():
    packed = {"q.weight_packed": ("I32", (OUT, IN // 8)), "q.weight_scale": ("BF16", (OUT, 2)), "q.weight_shape": ("I64", (2,))}
    assert read(packed, bits=4)["q.weight_packed"] == (IN * OUT, "packed 4-bit")
    assert read(packed)["q.weight_packed"] == (None, "weight_packed")  # only the configuration says how many bits
    assert read(packed)["q.weight_shape"] == (0, "scale")
    assert read({"q.weight_packed": ("U8", (OUT, IN // 2)), "q.weight_scale": ("F8_E4M3", (OUT, IN // 16))})["q.weight_packed"] == (
        IN * OUT,
        "NVFP4",
    )


def test_what_is_not_known_is_not_guessed():
    assert read({"q.codes": ("I16", (OUT, IN))}) == {"q.codes": (None, "I16")}
    assert read({"q.qweight": ("I32", (8, OUT))})["q.qweight"] == (None, "I32")
    assert read({"q.qweight": ("I32", (8, OUT)), "q.scales": ("F16", (2, OUT))})["q.qweight"] == (None, "qweight")
    assert read({"x.scales": ("F16", (2, OUT))}) == {"x.scales": (2 * OUT, "")}  # nothing beside it that it could belong to


def test_gguf_blocks_count_their_weights():
    assert read({"blk.0.ffn_up.weight": ("Q4_K", (8, 256)), "a.weight": ("F32", (8,))}) == {
        "blk.0.ffn_up.weight": (2048, "Q4_K"),
        "a.weight": (8, ""),
    }
