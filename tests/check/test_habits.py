"""Habits of writing, one line each: what is said of the last equation, or that nothing is said."""

import pytest

from derive.checker.checking import check_text

H = "Let $h$ be the hidden size.\n\n"
ZH = "设 $b$ 为批次大小，$s$ 为序列长度，$h$ 为隐藏层维度。\n\n"

FOUND = [
    # letters that could be scales or units
    (r"$4bn^2d = 4dbn^2$", "exact"),
    (r"$24bnd^2 + 4bn^2d = 4bnd(6d + n)$", "exact"),
    (r"$24bnd^2 + 4bn^2d = 4bnd(6d + 2n)$", "wrong"),
    (r"$2km_e + 3km_e = 5km_e$", "exact"),
    (r"$\log_2(4096) = 12$", "rounded"),
    (r"$\log_2(4096) = 13$", "wrong"),
    (r"$4096 \cdot \log_2 4096 = 4096 \cdot 12$", "exact"),
    # percent signs and units behind the mathematics
    (r"$3/4 = 75$%", "exact"),
    (r"$1/3 \approx 33$ %", "rounded"),
    (r"$3/4 = 70$%", "wrong"),
    (r"$1.31\cdot 12\cdot 10^9$ bytes $= 15.7$ GB", "rounded"),
    (r"$1.31\cdot 12\cdot 10^9$ bytes $= 17.5$ GB", "wrong"),
    (r"$24 \cdot (12\cdot 1024^2 + 13\cdot 1024) = 302,390,376 $", "wrong"),
    # units that fit together hide no power of a thousand
    ("4096 × 512 KB = 2 MB", "wrong"),
    ("100 × 3 GB = 300 MB", "wrong"),
    ("80 layers × 4 KB = 320 B", "wrong"),
    ("32768 × 320 KiB = 10 GiB", "exact"),
    ("70 × 4 bytes = 280 GB", "exact"),
    ("140 GB / (2 TB/s) = 70 ms", "exact"),
    ("140 GB / (2 TB/s) = 7 ms", "wrong"),
    ("312 TF / 2039 GB/s = 135", "wrong"),
    ("40 GB + 2 × 10^9 × 4 B = 40 + 8", "exact"),
    ("2048 * 12288 * 2B = 50,331,468 B", "wrong"),
    ("2048 * 12288 * 2B = 50,331,648 B", "exact"),
    # fractions are no running computation
    (r"$\frac{4d^2}{12d^2} = \frac{1}{3}$", "exact"),
    (r"$\frac{4d^2}{8d^2} = \frac{1}{3}$", "wrong"),
    ("4 + 4 = 8 bytes × 1.5B", "exact"),
    # how far rounding goes
    ("32 × 2 × 4096 × 2 bytes = 1 MB", "wrong"),
    ("36·12·1280² + 50257·1280 = 774.10M", "wrong"),
    # words for signs
    ("50257 * 768, which is 38,597,376 parameters", "exact"),
    ("50257 * 768, which is 38,597,367 parameters", "wrong"),
    ("12 * 768 * 768 comes to 7,077,988", "wrong"),
    # words of a sentence are no letters
    ("Set d = 4. Then -d = -64", "wrong"),
    ("Let d = 64. √d = 8", "exact"),
    ("Let d = 64. √d = 7", "wrong"),
    ("With m = 4d: 4 d^2 + 2 d (4d) = 12 d^2.", "exact"),
    # said again, on the same line
    ("125696×5120=643,563,520，约6.4亿\n**Q** 65024×4096=266,338,304", "exact"),
    # results beside a program
    ("```python\nkv = 2 * 80 * 8 * 128 * 2  # 327,680 bytes\n```", "exact"),
    ("```python\nkv = 2 * 80 * 8 * 128 * 2  # 327,860 bytes\n```", "wrong"),
    ("```python\nprint(2 * 32 * 32 * 128 * 2)  # -> 542288\n```", "wrong"),
    ("```\n>>> 12 * 768**2\n7077988\n```", "wrong"),
    ("```\nn_params = 12 * 40 * 5120**2  # 13.6B\n```", "wrong"),
    # claims in prose
    (H + "The MLP block has $8h^2 + 5h$ parameters.", "exact-under"),
    (H + "The MLP block has $8h^2 + 4h$ parameters.", "wrong"),
    (H + "The number of parameters of the MLP block is $8h^2+4h$.", "wrong"),
    ("Let $d$ be the model dimension. The SwiGLU MLP has $2 d \\cdot d_{ff}$ parameters.", "wrong"),
    ("KV cache in fp16 is $2bnLd$ bytes with batch $b$, context $n$, layers $L$, width $d$.", "wrong"),
    ("KV cache in fp16 is $4bnLd$ bytes with batch $b$, context $n$, layers $L$, width $d$.", "exact-under"),
    (ZH + "MLP块的参数量为 $8h^2+5h$ 。", "exact-under"),
    (ZH + "MLP块的参数量为 $8h^2+4h$ 。", "wrong"),
    (ZH + "self-attention块的参数量为 4h^2+4h 。", "exact-under"),
    (ZH + "每个 transformer 层的计算量为 $24bsh^2+4bs^2h$", "exact-under"),
    (ZH + "每个 transformer 层的计算量为 $24bsh^2+4bsh^2$", "wrong"),
    # what the same block ties
    ("With $F = 4D$ and $D = NH$, the ratio is $4DNH/(4DNH+3DF) = 1/4$", "exact"),
    ("With $F = 4D$ and $D = NH$, the ratio is $4DNH/(4DNH+3DF) = 1/3$", "wrong"),
    # letters in exponents
    (r"$E(1-(1-k/E)^B) = E - E(1-\frac{k}{E})^B$", "exact"),
    (r"$E(1-(1-k/E)^B) = E - 2E(1-\frac{k}{E})^B$", "wrong"),
]
SILENT = [
    ("| Layers | Heads (Q / KV) | FFN |\n|---|---|---|\n| 28 | 16 / 8 | 3072 |", "a pair"),
    ("| Model | GPUs (TP × PP) | batch |\n|---|---|---|\n| 8 | 2 × 2 | 16 |", "a pair"),
    (r"$1.1\times10^{21}$, i.e. $12.8$ PF-days", "another unit"),
    (r"The blocks have $85.0$M, and with the vocabulary $+ 38.6\text{M} = 123.6\text{M}$", "goes on"),
    ("加上词表 3860万 = 1.24亿", "added to what stands before"),
    ("In 2017, which is 5 years ago", "no computation"),
    ("```python\nbatch = 4 * 2  # 2 gpus\n```", "a remark"),
    ("```python\nx = 8 * 4 // 2\n```", "a division, no comment"),
]


@pytest.mark.parametrize(("text", "verdict"), FOUND)
def test_what_is_said(text, verdict):
    assert check_text(text).findings[-1].verdict == verdict


@pytest.mark.parametrize(("text", "reason"), SILENT)
def test_what_nothing_is_said_of(text, reason):
    assert not [each for each in check_text(text).findings if each.verdict != "definition"], reason


def test_ties_in_a_remark_behind_a_row():
    rows = r"N &= 2dL(2a + f) \\ &= 12Ld^2 \quad \text{with} \quad a = f/4 = d"
    verdicts = [each.verdict for each in check_text(rf"$$\begin{{aligned}}{rows}\end{{aligned}}$$").findings]
    assert "exact" in verdicts
    assert "wrong" not in verdicts
