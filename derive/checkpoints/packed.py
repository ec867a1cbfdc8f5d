"""Quantised weights: what a stored tensor stands for, and how many weights it holds.

The true count follows from the shapes wherever the format allows it; a format that is not known is said to be so, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from derive.checkpoints.gguf_types import GGUF_TYPES
from derive.checkpoints.safetensors import BITS
from derive.checkpoints.stored import StoredTensor
from derive.records import dataclass

SIDE = (
    ".qzeros", ".scales", ".g_idx", ".SCB", ".weight_format", ".absmax", ".quant_map", ".nested_absmax", ".nested_quant_map",
    ".weight_scale", ".weight_scale_inv", ".weight_scale_2", ".weight_global_scale", ".input_scale", ".input_global_scale", ".k_scale",
    ".v_scale", ".q_scale", ".prob_scale", ".output_scale", ".activation_scale", ".weight_zero_point", ".weight_shape", ".weight_g_idx",
    ".scale_inv", "_scales", "_scale_inv", ".weight_scale_1",
)  # fmt: skip
"""Ends of names: what is stored beside quantised weights to read them."""
PLAIN = frozenset("F16 BF16 F32 F64 F8_E4M3 F8_E5M2 F8_E4M3FNUZ F8_E5M2FNUZ I8".split())
"""Formats in which an element is a weight, also where scales stand beside it."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A stored tensor and the weights that it holds: None where it packs them in a way that is not known, 0 where it is side data.

    `format` names the quantisation, and is empty where there is none.
    """

    tensor: StoredTensor
    elements: int | None
    format: str = ""

    @property
    def side(self) -> bool:
        """Whether it is data that belongs to quantised weights: scales, zero points, orders, maps."""
        return self.elements == 0 and bool(self.format)


def unpacked(tensors: tuple[StoredTensor, ...], bits: int | None = None) -> Iterator[Weights]:
    """Each tensor with what it holds; `bits` is what the configuration says of one weight, where only it can tell."""
    by_name = {tensor.name: tensor for tensor in tensors}
    quantised = any(name.endswith(SIDE) for name in by_name)
    gguf = {block.name for block in GGUF_TYPES.values() if block.elements > 1}
    for tensor in tensors:
        if tensor.dtype in gguf:
            yield Weights(tensor, tensor.elements, tensor.dtype)
        else:
            yield _weights(tensor, by_name, bits) if quantised else _plain(tensor)


def _weights(tensor: StoredTensor, by_name: Mapping[str, StoredTensor], bits: int | None) -> Weights:
    stem, _, leaf = tensor.name.rpartition(".")
    if leaf == "qweight":
        return _integer_matrix(tensor, stem, by_name)
    if leaf == "weight_packed":
        return _compressed(tensor, bits)
    if leaf.endswith("blocks") and f"{tensor.name.removesuffix('blocks')}scales" in by_name and tensor.dtype == "U8":
        return Weights(tensor, 2 * tensor.elements, "MXFP4")
    if ".quant_state.bitsandbytes" in tensor.name or _is_side(tensor, by_name):
        return Weights(tensor, 0, "scale")
    if tensor.dtype == "U8" and f"{tensor.name}.absmax" in by_name:
        return Weights(tensor, 2 * tensor.elements, "bitsandbytes 4-bit")
    scale = by_name.get(f"{tensor.name}_scale")
    if tensor.dtype == "U8" and scale is not None and scale.dtype == "F8_E4M3" and scale.elements * 8 == tensor.elements:
        return Weights(tensor, 2 * tensor.elements, "NVFP4")
    return _plain(tensor)


def _plain(tensor: StoredTensor) -> Weights:
    """A tensor whose elements are what they say; integers are not weights by themselves."""
    if tensor.dtype in PLAIN or len(tensor.shape) < 2:
        eight = tensor.dtype.startswith("F8") or (tensor.dtype == "I8" and len(tensor.shape) > 1)
        return Weights(tensor, tensor.elements, tensor.dtype if eight else "")
    if BITS.get(tensor.dtype, 8) < 8:
        return Weights(tensor, tensor.elements, tensor.dtype)
    return Weights(tensor, None, tensor.dtype)


def _is_side(tensor: StoredTensor, by_name: Mapping[str, StoredTensor]) -> bool:
    """Whether a tensor is named like side data, and what it belongs to stands beside it."""
    for end in SIDE if tensor.name.endswith(SIDE) else ():
        if tensor.name.endswith(end):
            owner = tensor.name[: -len(end)]
            beside = (owner, f"{owner}.qweight", f"{owner}.weight", f"{owner}.weight_packed", f"{owner}_blocks", f"{owner}.blocks")
            return any(name in by_name for name in beside) or end in (".k_scale", ".v_scale", ".q_scale", ".prob_scale", ".output_scale")
    return False


def _integer_matrix(tensor: StoredTensor, stem: str, by_name: Mapping[str, StoredTensor]) -> Weights:
    """A GPTQ or AWQ matrix: (in, out) weights in 32-bit integers, packed along the first or along the second length.

    Counts   the bits of a weight from the zero points, which are packed alike, or from the order of the input channels.
    """
    scales, zeros, order = (by_name.get(f"{stem}.{leaf}") for leaf in ("scales", "qzeros", "g_idx"))
    if scales is None or tensor.dtype != "I32" or len(tensor.shape) != 2 or len(scales.shape) != 2 or 0 in tensor.shape:
        return Weights(tensor, None, "qweight")
    rows, columns = tensor.shape
    width = scales.shape[1]
    if columns < width:
        return Weights(tensor, rows * width, f"AWQ {_bits(Fraction(32 * columns, width))}")
    if order is not None and order.elements:
        return Weights(tensor, order.elements * columns, f"GPTQ {_bits(Fraction(32 * rows, order.elements))}")
    if zeros is not None and len(zeros.shape) == 2 and zeros.shape[1]:
        bits = Fraction(32 * zeros.shape[1], width)
        return Weights(tensor, int(rows * 32 / bits) * columns, f"GPTQ {_bits(bits)}")
    return Weights(tensor, None, "qweight")


def _bits(bits: Fraction) -> str:
    return f"{bits}-bit"


def _compressed(tensor: StoredTensor, bits: int | None) -> Weights:
    """A matrix of compressed-tensors: two 4-bit floats a byte, or integers in 32 bits as many as the configuration says."""
    if tensor.dtype == "U8":
        return Weights(tensor, 2 * tensor.elements, "NVFP4")
    if tensor.dtype == "I32" and bits in (2, 4, 8):
        return Weights(tensor, 32 // bits * tensor.elements, f"packed {bits}-bit")
    return Weights(tensor, None, "weight_packed")
