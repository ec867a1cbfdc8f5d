"""The inventory of what the book teaches: each formula and worked number by hand against the engine, one line an item.

`[f]` items are closed forms, `[w]` items numbers; left stands what a person writes, right what the engine gives.
"""

from fractions import Fraction

import pytest

from derive.algebra.normal import equal
from derive.book.functions.functions import Functions
from derive.book.functions.sizes import value_of
from derive.book.writing import MARKDOWN
from derive.costs.lora import lora_parameters
from derive.costs.memory import training_scheme
from derive.costs.routing import expected_experts, loads, mixed, top_k
from derive.counting import count
from derive.dtypes import dtype
from derive.formula.parse import parse, parse_equations
from derive.quantities import Variant, quantity
from derive.reading import read_model

GPT = {"bias": True, "ffn": "two-matrix", "norm": "layer", "positions": True}
MHA = "d_kv=d"


def form(name, given="", **variant):
    """A quantity's closed form under conditions."""
    return quantity(name, Variant(**variant)).formula.substitute(dict(parse_equations(given)) if given else {})


FORMULAS = [
    ("A2", "2*d*d_q + 2*d*d_kv", form("P_attn")),
    ("A3", "2*d^2 + 2*d*d_kv", form("P_attn", "d_q=d")),
    ("A4", "4*d^2", form("P_attn", "d_q=d, d_kv=d")),
    ("A5", "3*d*m", form("P_ffn")),
    ("A6", "2*d", 2 * form("P_norm")),
    ("A7", "2*d^2 + 2*d*d_kv + 3*d*m + 2*d", form("P_block")),
    ("A9 untied", "2*V*d", form("P_emb", "c=2")),
    ("A9 tied", "V*d", form("P_emb", "c=1")),
    ("A10", "L*(2*d^2 + 2*d*d_kv + 3*d*m + 2*d) + d + c*V*d", form("P_total")),
    ("A12 attention", "d_q + 2*d_kv + d", form("P_attn", bias=True) - form("P_attn")),
    ("A12 gated", "2*m + d", form("P_ffn", bias=True) - form("P_ffn")),
    ("A12 output", "V", form("P_emb", head_bias=True) - form("P_emb")),
    ("A15", "3*d*m_e", form("P_expert")),
    ("A16", "d*E", form("P_router")),
    ("A18", "2*d^2 + 2*d*d_kv + E*3*d*m_e + d*E + 2*d", form("P_block_MoE")),
    ("A19", "2*d^2 + 2*d*d_kv + k*3*d*m_e + d*E + 2*d", form("P_block_active")),
    ("A20 stored", "E_s*3*d*m_s", form("P_block_MoE", shared=True) - form("P_block_MoE")),
    ("A20 active", "E_s*3*d*m_s", form("P_block_active", shared=True) - form("P_block_active")),
    ("A20 gate", "d", form("P_gate")),
    ("A22", "L*(2*d^2 + 2*d*d_kv + 2*d) + 3*L_D*d*m + L_M*(3*E*d*m_e + d*E) + d + c*V*d", form("P_total_mixed")),
    ("A23", "L*(2*d^2 + 2*d*d_kv + 2*d) + 3*L_D*d*m + L_M*(3*k*d*m_e + d*E) + d + c*V*d", form("P_active_mixed")),
    ("A28", "L*(2*d^2 + 2*d*d_kv) + 3*L_D*d*m + L_M*(3*k*d*m_e + d*E)", form("P_lin_mixed")),
    ("A30 cache", "2*L*h_kv*d_h", form("N_kv")),
    ("A30 row", "c*d", form("P_emb", "V=V+1") - form("P_emb")),
    ("B4", "2*L*(4*d^2 + 8*d^2)", form("F_lin", "d_kv=d, m=8*d/3")),
    ("B5", "6*(L*(2*d^2 + 2*d*d_kv + 3*d*m))", form("F_train") - 3 * form("F_attn") - 3 * form("F_logits")),
    ("B7", "L*2*d + d + c*V*d", form("P_total", "d_kv=d, m=8*d/3") - parse("12*L*d^2")),
    ("B10", "V*d", form("P_tok")),
    ("B11", "n_ctx*d", form("P_pos")),
    ("B17", "d", parse("h*d_h").substitute({"d_h": parse("d/h")})),
    ("B19", "4*d^2 + 4*d", form("P_attn", "d_q=d, d_kv=d", bias=True)),
    ("B22", "d*m + m + m*d + d", form("P_ffn", bias=True, ffn="two-matrix")),
    ("B23", "4*d*d + d*4*d", form("P_ffn", "m=4*d", ffn="two-matrix")),
    ("B24", "8*d^2", form("P_ffn", "m=8*d/3")),
    ("B25", "8*d^2", form("P_ffn", "m=4*d", ffn="two-matrix")),
    ("B26", "8*d^2 + 5*d", form("P_ffn", "m=4*d", bias=True, ffn="two-matrix")),
    ("B29", "4*d", 2 * form("P_norm", norm="layer")),
    ("B30", "12*d^2 + 13*d", form("P_block", "d_kv=d, m=4*d", bias=True, ffn="two-matrix", norm="layer")),
    ("B32", "c*V*d + L*(4*d^2 + 3*d*m + 2*d) + d", form("P_total", MHA)),
    ("B33", "L*(12*d^2 + 13*d) + c*V*d + 2*d + n_ctx*d", form("P_total", "d_kv=d, m=4*d", **GPT)),
    ("B39", "b*(L*(2*d^2 + 2*d*d_kv + 3*d*m + 2*d) + d + c*V*d)", form("M_weights")),
    ("B41", "16*(L*(2*d^2 + 2*d*d_kv + 3*d*m + 2*d) + d + c*V*d)", form("M_train")),
    ("B42", "2*(L*(2*d^2 + 2*d*d_kv + 3*d*m))", form("F_lin")),
    ("B43", "6*(L*(2*d^2 + 2*d*d_kv + 3*d*m + 2*d) + d + c*V*d)", form("F_rule")),
    ("B44", "V*d", form("P_emb", "c=2") - form("P_emb", "c=1")),
    ("B46 projections", "d^2/2", form("P_attn", "d_kv=d/4") - form("P_attn", "d_kv=0")),
    ("B46 attention", "5/2*d^2", form("P_attn", "d_q=d, d_kv=d/4")),
    ("B47", "4*L*r*d + 2*L*r*(d + d_kv)", form("P_lora")),
]

NUMBERS = [
    ("B1", 6_573_522_944, value_of("12*L*d^2 + V*d", "L=32, d=4096, V=32000")),
    ("B3", 350 * 10**9, dtype("fp16").size(175 * 10**9)),
    ("B8", 6_442_450_944, value_of("12*L*d^2", "LLaMA-7B")),
    ("B10", 38_597_376, value_of("P_tok", "GPT-2 small")),
    ("B11", 786_432, value_of("P_pos", "GPT-2 small")),
    ("B13 GPT-3", 617_558_016, value_of("V*d", "GPT-3 175B")),
    ("B13 LLaMA-7B", 131_072_000, value_of("V*d", "LLaMA-7B")),
    ("B17", 768, value_of("h*d_h", "GPT-2 small")),
    ("B18", 64, value_of("d/h", "GPT-2 small")),
    ("B20", 67_125_248, value_of("4*d^2 + 4*d", "d=4096")),
    ("B21", 67_108_864, value_of("P_attn", "LLaMA-7B")),
    ("B25", 4_718_592, value_of("2*d*m", "GPT-2 small")),
    ("B35 ends", 39_383_808, value_of("V*d + n_ctx*d", "GPT-2 small")),
    ("B35 layer", 7_077_888, value_of("12*d^2", "GPT-2 small")),
    ("B35 layers", 84_934_656, value_of("12*L*d^2", "GPT-2 small")),
    ("B35", 124_439_808, count("GPT-2 small").total),
    ("B36 network", 135_266_304, value_of("P_ffn", "LLaMA-7B")),
    ("B36 layer", 202_375_168, value_of("P_attn + P_ffn", "LLaMA-7B")),
    ("B36 layers", 6_476_005_376, value_of("L*(P_attn + P_ffn)", "LLaMA-7B")),
    ("B36 sum", 6_607_077_376, value_of("L*(P_attn + P_ffn) + V*d", "LLaMA-7B")),
    ("B36", 6_738_415_616, count("LLaMA-7B").total),
    ("B37 rule", 173_946_175_488, value_of("12*L*d^2", "GPT-3 175B")),
    ("B37", 174_604_259_328, count("GPT-3 175B").total),
    ("B40 7B", 14 * 10**9, dtype("bf16").size(7 * 10**9)),
    ("B40 70B", 140 * 10**9, dtype("bf16").size(70 * 10**9)),
    ("B41", 112 * 10**9, training_scheme("mixed").bytes_per_parameter * 7 * 10**9),
    ("B44", 38_597_376, value_of("V*d", "GPT-2 small")),
    ("B46", 41_943_040, value_of("P_attn", "Llama-3-8B")),
    ("B47", 2 * 32 * 16 * (4096 + 4096), lora_parameters(read_model("LLaMA-7B").numbers, 16, ("q", "v"))),
    ("B49", 164_892_672, value_of("P - 12*L*d^2 - V*d", "LLaMA-7B")),
    ("C4 weights", (Fraction(5, 8), Fraction(3, 8)), tuple(weight for _, weight in top_k(("0.50", "0.30", "0.15", "0.05"), 2))),
    ("C4", (Fraction(5, 4), Fraction(3, 2)), mixed((Fraction(5, 8), Fraction(3, 8)), ((2, 0), (0, 4)))),
    ("C6", (2, 2, 2, 2), loads(((0, 1), (0, 2), (1, 3), (2, 3)), 4)),
    ("C6 expected", Fraction(175, 32), expected_experts(8, 2, 4)),
    ("C7 total", (10, 18, 10), tuple(value_of("P_common + E*P_e", f"P_common=2, P_e=1, E={E}") for E in (8, 16, 8))),
    ("C7 active", (4, 4, 6), tuple(value_of("P_common + k*P_e", f"P_common=2, P_e=1, k={k}") for k in (2, 2, 4))),
    ("C9 Mixtral", (46_702_792_704, 12_879_925_248), (count("Mixtral-8x7B").total, count("Mixtral-8x7B").active)),
    ("C9 DeepSeek-V3", 671_026_404_352, count("DeepSeek-V3").total),
    ("C9 DeepSeek-V3 active", 36_625_603_584, count("DeepSeek-V3").parameters["active_without_input_embedding"]),
    ("C11", 20 * 10**9, dtype("bf16").size(10 * 10**9)),
    ("C13", (4, 4, 0, 0), loads(((0, 1), (0, 1), (0, 1), (0, 1)), 4)),
]


@pytest.mark.parametrize(("by_hand", "engine"), [pytest.param(hand, found, id=item) for item, hand, found in FORMULAS])
def test_formulas(by_hand, engine):
    assert equal(parse(by_hand), engine)


@pytest.mark.parametrize(("by_hand", "engine"), [pytest.param(hand, found, id=item) for item, hand, found in NUMBERS])
def test_numbers(by_hand, engine):
    assert by_hand == engine


@pytest.mark.parametrize(
    ("item", "printed", "function", "arguments"),
    [
        ("B10", "31.0 %", "share", ("V*d", "P", "GPT-2 small")),
        ("B13", "0.354 %", "share", ("V*d", "P", "GPT-3 175B")),
        ("B13", "1.95 %", "share", ("V*d", "P", "LLaMA-7B")),
        ("B38", "56", "number", ("7*10^9/(124*10^6)", "", 2)),
        ("B38", "25", "number", ("175/7", "", 2)),
        ("B44", "23.7 %", "share", ("V*d", "P + V*d", "GPT-2 small")),
        ("B46", "−75.0 %", "change_of", ("2*d*d_kv", "2*d^2", "Llama-3-8B")),
        ("B46", "−37.5 %", "change_of", ("P_attn", "4*d^2", "Llama-3-8B")),
        ("C11", "8 GB", "size", ("2*4*10^9", "", "GB", 1)),
    ],
)
def test_shares_and_ratios_as_the_book_prints_them(item, printed, function, arguments):
    assert Functions("en", MARKDOWN).by_name()[function](*arguments) == printed


def test_units_of_chinese():
    """B50: 70B is 700 亿."""
    assert Functions("zh", MARKDOWN).by_name()["roughly"]("70*10^9") == "700 亿"


WITH_A_VALUE = (
    "A2 A3 A4 A5 A6 A7 A9 A10 A12 A15 A16 A18 A19 A20 A22 A23 A28 A30 B1 B3 B4 B5 B7 B8 B10 B11 B13 B17 B18 B19 B20 B21 B22 B23 B25 B26 "
    "B29 B30 B32 B33 B35 B36 B37 B39 B40 B41 B42 B43 B44 B46 B47 B49 C4 C6 C7 C9 C11 C13"
)
"""The items that hold a formula or a number."""


def test_each_item_with_a_value_is_asserted():
    asserted = {item.split()[0] for item, *_ in (*FORMULAS, *NUMBERS)}
    assert not set(WITH_A_VALUE.split()) - asserted
