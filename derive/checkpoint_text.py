"""A counted checkpoint as text that fits the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.report import cells, columns, folded
from derive.text import grouped, printable

if TYPE_CHECKING:
    from derive.checkpoints.counted import CheckpointCount
    from derive.checkpoints.groups import Group
    from derive.checkpoints.misfits import Misfit

MOST_GROUPS = 40
"""Lines of tensors that are shown for one reason; `--json` has all."""

WIDE = frozenset(("F16", "BF16", "F32", "F64"))


def checkpoint_report(counted: CheckpointCount, width: int) -> str:
    """Title, parts beside the closed form, number formats, what does not fit, notes."""
    blocks = [_title(counted, width), _parts(counted, width)]
    if counted.checkpoint.tensors:
        blocks += [_formats(counted), _verdict(counted, width)]
    blocks += [_misfit(misfit, width) for misfit in counted.misfits]
    blocks += [folded(printable(f"note: {note}"), width).split("\n") for note in counted.notes]
    return "\n\n".join("\n".join(block) for block in blocks)


def _title(counted: CheckpointCount, width: int) -> list[str]:
    checkpoint = counted.checkpoint
    files = f"{len(checkpoint.files)} files" if len(checkpoint.files) > 1 else "1 file"
    known = checkpoint.tensors or checkpoint.total_size is not None
    elements = f", {checkpoint.elements:,} elements" if checkpoint.tensors else ""
    size = f"{elements}, {checkpoint.bytes:,} bytes" if known else ""
    family = f" (family {counted.read.family})" if counted.read else ""
    lines = [
        folded(f"{printable(checkpoint.path)}{family}", width),
        folded(f"{checkpoint.kind}: {len(checkpoint.names):,} tensors in {files}{size}; read from the headers only", width),
    ]
    if counted.read:
        beside = "the file's own metadata" if counted.read.config.source.endswith("(metadata)") else printable(counted.read.name)
        lines.append(folded(f"closed form: by {beside}", width, 2))
    return lines


def _parts(counted: CheckpointCount, width: int) -> list[str]:
    """The parts; the formula stands beside them, or under them where the window is narrow."""
    stored, form = bool(counted.checkpoint.tensors), counted.count is not None
    heading = ["part", "tensors", *(["stored"] if stored else []), *(["closed form"] if form else [])]
    rows = [
        [part.name, f"{part.tensors:,}", *([f"{part.parameters:,}"] if stored else []), *([grouped(part.closed_form)] if form else [])]
        for part in counted.parts
    ]
    total = ["total", f"{sum(part.tensors for part in counted.parts):,}", *([f"{counted.parameters:,}"] if stored else [])]
    rows.append([*total, *([f"{counted.count.total:,}"] if counted.count else [])])
    lines = columns([heading, *rows], right=(1, 2, 3))
    if not form:
        return lines
    formulas = [part.formula for part in counted.parts]
    room = max(map(cells, lines)) + 2
    if room + max(map(cells, formulas)) <= width:
        return [f"{line.ljust(room)}{formula}".rstrip() for line, formula in zip(lines, ["", *formulas, ""], strict=True)]
    under = [["  " + folded(formula, width, 4)] if formula else [] for formula in formulas]
    return [lines[0], *(each for line, more in zip(lines[1:], [*under, []], strict=True) for each in (line, *more))]


def _formats(counted: CheckpointCount) -> list[str]:
    """Parameters and bytes of every number format, and the bits of a weight."""
    rows = [["stored as", "parameters", "bytes"]]
    rows += [[printable(name), f"{parameters:,}", f"{size:,}"] for name, (parameters, size) in counted.formats.items()]
    return [*columns(rows, right=(1, 2)), *_bits_a_weight(counted)]


def _bits_a_weight(counted: CheckpointCount) -> list[str]:
    """Two decimals in integers, where there is something to say."""
    if counted.undecided or not counted.parameters or set(counted.formats) <= WIDE:
        return []
    hundredths = (counted.checkpoint.bytes * 1600 + counted.parameters) // (2 * counted.parameters)
    return [f"{hundredths // 100}.{hundredths % 100:02d} bits a parameter, everything stored counted"]


def _verdict(counted: CheckpointCount, width: int) -> list[str]:
    """Whether the sum over the tensors is the closed form's."""
    if counted.count is None or counted.difference is None:
        return [f"{counted.parameters:,} parameters stored"]
    if counted.undecided:
        return [folded("Not decided: some tensors pack their weights in a way that is not known.", width)]
    if counted.difference == 0:
        return [folded(f"The tensors add up to the closed form: {counted.parameters:,}.", width)]
    text = f"The tensors add up to {counted.difference:+,} over the closed form; what follows accounts for {counted.explained:+,}."
    return [folded(text, width)]


def _misfit(misfit: Misfit, width: int) -> list[str]:
    added = f": {misfit.parameters:+,}" if misfit.parameters else f": {sum(group.stored for group in misfit.groups):,} elements"
    lines = [folded(f"{misfit.kind}{added} ({misfit.reason})", width, 2)]
    lines += ["  " + folded(_group(group), width, 4) for group in misfit.groups[:MOST_GROUPS]]
    if len(misfit.groups) > MOST_GROUPS:
        lines.append(f"  … and {len(misfit.groups) - MOST_GROUPS:,} more lines; --json has all")
    return lines


def _group(group: Group) -> str:
    shape = f"[{', '.join(map(str, group.shape))}]"
    times = f" × {group.count:,}" if group.count > 1 else ""
    where = f" ({group.numbers})" if group.numbers else ""
    size = f", {group.bytes:,} bytes" if group.bytes else ""
    dtype = " ".join(filter(None, (group.dtype, "" if group.format in ("scale", group.dtype) else group.format)))
    many = "" if group.elements is None or not group.elements else f" = {group.elements:,}"
    return " ".join(f"{printable(group.pattern)} {shape} {dtype}{times}{where}{many}{size}".split())
