"""Statements in running text: lines of English and Chinese, and what of them is read as a statement."""

import pytest

from derive.checker.equations.runs import MOST_TOKENS, runs

ENGLISH = [
    ("The head has 50257 × 768 = 38,597,376 parameters.", ["50257 × 768 = 38,597,376 parameters"]),
    ("Total parameters = 124M", ["Total parameters = 124M"]),
    ("with d = 768, L = 12, V = 50257", ["d = 768", "L = 12", "V = 50257"]),
    ("d_model = 4 * d_head, which is small", ["d_model = 4 * d_head"]),
    ("the KV cache is 2·L·n·d_kv·b = 1.2 GB per sequence", ["2·L·n·d_kv·b = 1.2 GB"]),
    ("we get 12 × 12 × 768² ≈ 85M, or 85,000,000", ["12 × 12 × 768² ≈ 85M"]),
    ("3 × 4 = 12 and 5 × 6 = 30.", ["3 × 4 = 12", "5 × 6 = 30"]),
    ("if d = 4 then m = 16", ["d = 4", "m = 16"]),
    ("hidden_size=4096 num_layers=32", ["hidden_size=4096", "num_layers=32"]),
    ("step=3 loss=2.3", ["step=3", "loss=2.3"]),
    ("config.d = 4096", ["config.d = 4096"]),
    ("fp16 uses 7B × 2 bytes = 14 GB of memory", ["7B × 2 bytes = 14 GB"]),
    ("7B * 2 bytes/param = 14 GB", ["7B * 2 bytes/param = 14 GB"]),
    ("N(Q, K, V) = 3d²", ["N(Q, K, V) = 3d²"]),
    ("10(norm/dropout) + 24(matmul) = 34", ["10(norm/dropout) + 24(matmul) = 34"]),
    ("20 blocks × 4096 = 81,920", ["20 blocks × 4096 = 81,920"]),
    ("8 kv heads * 128 = 1024", ["8 kv heads * 128 = 1024"]),
    ("4 × 4096² ≥ 20000", ["4 × 4096² ≥ 20000"]),
    ("L(4d² + 8d²) = 12Ld²", ["L(4d² + 8d²) = 12Ld²"]),
    ("the ratio is d/h = 64.", ["d/h = 64"]),
    ("24bsh² + 4bs²h = 3", ["24bsh² + 4bs²h = 3"]),
    ("ceil(V/64) * 64 = 50304", ["ceil(V/64) * 64 = 50304"]),
    ("2 x 3 = 6", ["2 x 3 = 6"]),
    ("32 x 4096 x 4096 = 536,870,912", ["32 x 4096 x 4096 = 536,870,912"]),
    ("M_train_fp32 = 16N", ["M_train_fp32 = 16N"]),
    ("4 + 4 = 8 bytes × 1.5B = 12 GB", ["4 + 4 = 8 bytes × 1.5B = 12 GB"]),
    ("6ND = 6 × 7e9 × 1e12 = 4.2e22 FLOPs", ["6ND = 6 × 7e9 × 1e12 = 4.2e22 FLOPs"]),
    ("C ≈ 6ND", ["C ≈ 6ND"]),
    ("P = 12Ld² = 12 × 12 × 768² = 84,934,656", ["P = 12Ld² = 12 × 12 × 768² = 84,934,656"]),
    ("100% = 1", ["100% = 1"]),
    ("2^10 = 1024", ["2^10 = 1024"]),
    ("2**10 == 1024", ["2**10 == 1024"]),
    ("n >= 3", ["n >= 3"]),
    ("n > 3", ["n > 3"]),
    ("5 // 2 = 2", ["5 // 2 = 2"]),
    ("(d + m) × L = 3", ["(d + m) × L = 3"]),
    ("d_ff = 4 d_model", ["d_ff = 4 d_model"]),
    ("loss: L = 3", ["L = 3"]),
    ("α = 0.5", ["α = 0.5"]),
    ("-3 + 5 = 2", ["-3 + 5 = 2"]),
    ("which is 7.2M = 3 × 2.4M – much less", ["7.2M = 3 × 2.4M"]),
    ("x := 3, y ~= 4", ["x := 3", "y ~= 4"]),
    ("P = ~5.2B", ["P = ~5.2B"]),
    ("= 12Ld² = 84,934,656", ["12Ld² = 84,934,656"]),
    ("the RTX 4090(24GB) 3 × 4 = 12", ["3 × 4 = 12"]),
    ("the 12-layer 3 × 4 = 12", ["3 × 4 = 12"]),
    ("2 TFLOP/s × 3 = 6 TFLOP/s", ["2 TFLOP/s × 3 = 6 TFLOP/s"]),
    ("2(d + m) h = 3", ["2(d + m) h = 3"]),
    ("P = 24 (attention) + 36 (FFN)", ["P = 24 (attention) + 36 (FFN)"]),
]
CHINESE = [
    ("参数量 = 12Ld²", ["参数量 = 12Ld²"]),
    ("7B 个参数 × 2 = 14", ["7B 个参数 × 2 = 14"]),
    ("参数量为 12 × 768² = 7,077,888", ["12 × 768² = 7,077,888"]),
    ("总参数 = 1750亿", ["总参数 = 1750亿"]),
    ("其中 d = 768，L = 12", ["d = 768", "L = 12"]),
    ("每层参数约为 12d²", ["每层参数约为 12d²"]),
    ("4 × 4 等于 16", ["4 × 4 等于 16"]),
    ("7B × 2 字节 = 14 GB", ["7B × 2 字节 = 14 GB"]),
    ("KV 缓存 = 2 × 32 × 4096 × 2 字节 ≈ 512 KB", ["KV 缓存 = 2 × 32 × 4096 × 2 字节 ≈ 512 KB"]),
    ("显存占用 ≈ 14 GB", ["显存占用 ≈ 14 GB"]),
    ("20 层 × 4096 = 81920", ["20 层 × 4096 = 81920"]),
    ("d＝768", ["d＝768"]),
    ("（d + m）× L = 3", ["（d + m）× L = 3"]),
    ("共 12 层，每层 12d² = 7,077,888 个参数", ["12d² = 7,077,888 个参数"]),
    ("设 d = 4096，则 4d = 16384。", ["d = 4096", "4d = 16384"]),
    ("总计：4 + 8 = 12", ["4 + 8 = 12"]),
    ("1.5万 × 2 = 3万", ["1.5万 × 2 = 3万"]),
    ("比例为 3/4 = 75%", ["3/4 = 75%"]),
]
NOTHING = [
    "no equation here",
    "a+b",
    "see http://a.b/c?d=3 for more",
    "0x10 = 16",
    "foo@bar = 3",
    "x =",
    "the a = 5 case",
    "= 38,597,376",
    "= 7.2M – much less",
    "12d² 个参数",
    "这里没有等式",
]


@pytest.mark.parametrize(("text", "found"), [*ENGLISH, *CHINESE])
def test_statements(text, found):
    assert [text[run.start : run.end] for run in runs(text)] == found


@pytest.mark.parametrize("text", NOTHING)
def test_none(text):
    assert list(runs(text)) == []


def test_there_are_enough():
    assert len(ENGLISH) + len(CHINESE) >= 60


LABELS = [
    ("The head has 4 × 3 = 12 parameters.", "The head has"),
    ("Fine. The cache is 4 × 3 = 12", "The cache is"),
    ("好。缓存为 4 × 3 = 12", "缓存为"),
    ("weights: 4 × 3 = 12", "weights:"),
    ("4 × 3 = 12", ""),
]


@pytest.mark.parametrize(("text", "label"), LABELS)
def test_the_words_before_are_the_label(text, label):
    assert next(runs(text)).label == label


@pytest.mark.parametrize(
    ("text", "worded"), [("Total parameters = 124M", True), ("参数量 = 12Ld²", True), ("f(x, y) = 2x", True), ("P = 12Ld²", False)]
)
def test_a_left_side_of_words_is_one_name(text, worded):
    assert next(runs(text)).worded is worded


def test_an_expression_between_marks_is_an_operand():
    text = "the sum is \x0212Ld^2\x03 + 5 = 17"
    assert [text[run.start : run.end] for run in runs(text)] == ["\x0212Ld^2\x03 + 5 = 17"]


def test_a_side_beyond_the_bound_is_no_statement():
    assert list(runs(" + ".join("3" * MOST_TOKENS) + " = 1")) == []
    assert list(runs("1 = " + " + ".join("3" * MOST_TOKENS))) == []
