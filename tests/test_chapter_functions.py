"""What templates may ask for beyond formulas and derivations: each function's output, and what it refuses to print."""

import pytest

from derive.book.functions import Functions
from derive.book.latex import latex_body
from derive.book.naming import naming_of
from derive.book.sources import sources_of, templates_folder
from derive.book.writing import LATEX, MARKDOWN
from derive.errors import ChapterError, ConfigError, DeriveError, FormulaError, StepError

BOOK = sources_of(templates_folder())
EN, ZH, TEX = (
    Functions(language, dialect, naming_of(BOOK, language)).by_name()
    for language, dialect in (("en", MARKDOWN), ("zh", MARKDOWN), ("en", LATEX))
)


def rows(table):
    """The cells of a table in Markdown, without its heading."""
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.strip().splitlines()[2:]]


class TestArithmetic:
    @pytest.mark.parametrize(
        ("text", "at", "shown"),
        [
            ("V*d", "GPT-2 small", r"$Vd = 50{,}257 \cdot 768 = 38{,}597{,}376$"),
            ("P_tok = V*d", "GPT-2 small", r"$P_{\mathrm{tok}} = Vd = 50{,}257 \cdot 768 = 38{,}597{,}376$"),
            ("2*P", "P=7", r"$2P = 2 \cdot 7 = 14$"),
            ("P_norm", "d=768", r"$P_{\mathrm{norm}} = d = 768$"),
            ("5/8", "", r"$\frac{5}{8}$ ($= 0.625$)"),
        ],
    )
    def test_computed(self, text, at, shown):
        assert EN["computed"](text, at) == shown

    def test_a_name_has_to_be_what_is_computed(self):
        with pytest.raises(StepError, match="P_tok is Vd, not dm"):
            EN["computed"]("P_tok = d*m", "GPT-2 small")
        with pytest.raises(ChapterError, match="only a name"):
            EN["computed"]("2*d = d + d", "d=3")

    def test_wide_computations_are_broken(self):
        assert r"\begin{aligned}" in EN["computation"]("P_block", "d=2048, d_kv=512, m=5632")
        assert EN["computation"]("2*P", "P=3") == "\n$$\n2P = 2 \\cdot 3 = 6\n$$\n"

    def test_numbers_in_a_sentence(self):
        assert EN["roughly"]("P", "LLaMA-7B") == "6.74B" and ZH["roughly"]("7*10^9") == "70 亿" and EN["roughly"]("7*10^9") == "7B"
        assert ZH["roughly"]("175*10^9") == "1750 亿"
        assert EN["size"]("2*P", "P=175*10^9") == "350 GB" and EN["size"]("2^34", unit="GiB") == "16.0 GiB"
        assert EN["scientific"]("6*P*D", "P=175*10^9, D=3*10^11") == r"$3.15 \cdot 10^{23}$"
        assert EN["number"]("8/3", digits=2) == "2.7"

    def test_a_model_of_another_kind_is_refused(self):
        """GPT-2's feed-forward network is not the gated one that P_ffn stands for."""
        with pytest.raises(FormulaError):
            EN["value"]("P_ffn", at="GPT-2 small")

    def test_definitions(self):
        assert EN["equation_of"]("d_h = d/h") == "\n$$\nd_h = \\frac{d}{h}\n$$\n"
        with pytest.raises(ChapterError, match="use equation"):
            EN["equation_of"]("P_attn = 4*d^2")
        assert r"&\to \frac{1}{2}d^2" in EN["derivation_of"]("2*d*d_kv", "d_kv=d/4")
        assert EN["form_of"]("r*d + r*m", "r*(d + m)") == r"$rd + rm = r\thinspace (d + m)$"
        with pytest.raises(StepError):
            EN["form_of"]("r*d", "r*m")

    def test_tables(self):
        assert rows(EN["same_count"]("4*d^2", "d=768, h=6", "d=768, h=12"))[1] == ["768", "12", "64", "2,359,296"]
        with pytest.raises(StepError, match="not the same number"):
            EN["same_count"]("4*d^2", "d=768", "d=769")
        assert rows(EN["explained"]("P", ("12*L*d^2", "V*d", "n_ctx*d", "13*L*d", "2*d"), "GPT-2 small"))[3][1] == "119,808"
        with pytest.raises(StepError, match="the parts of P add up to 84934656"):
            EN["explained"]("P", ("12*L*d^2",), "GPT-2 small")
        assert rows(EN["billions"](70)) == [["70B", "700 yi", "70,000,000,000"]]
        assert rows(EN["derivation_of_bytes"]("P=7*10^9"))[-1] == ["**total**", "$16P$", "**112**"]
        assert rows(EN["compression"]((16,), 4096)) == [["16", "131,072", "128", "0.781 %"]]


class TestScaling:
    def test_answers(self):
        assert "12d^2 + 2d" in EN["change"]("P_total", "L", given="d_kv=d, m=8*d/3")
        assert EN["doubled"]("P_total", "d", given="d_kv=d, m=8*d/3", at="d=4096, L=32, V=32000, c=2") == "3.92"
        assert EN["times"]("LLaMA-7B", "GPT-2 small") == "54.2"
        assert EN["good_from"]("P_total", "12*L*d^2", "d->oo", "5%", given="d_kv=d, m=8*d/3", at="L=32, V=32000, c=2") == "3170"
        assert rows(EN["overtaking_contexts"]("LLaMA-7B")) == [["LLaMA-7B", "24,704"]]
        assert EN["padded"]("GPT-2 small", 128) == "50,304" and EN["padding"]("GPT-2 small", 128) == "36,096"

    def test_the_parts_of_an_answer(self):
        only_table = EN["solved"]("P_total = 7e9", "d", given="L=32, m=8*d/3, d_kv=d, V=32000, c=2", parts="table")
        assert "$$" not in only_table and "| 4096 | multiple of 128 | 11,008 |" in only_table
        with pytest.raises(ChapterError, match="has no proof"):
            EN["solved"]("P_total = 7e9", "d", parts="proof")

    def test_readings_of_a_token(self):
        assert [row[1] for row in rows(ZH["token_readings"]())] == [
            "$0$", r"$L\thinspace (2d^2 + 2d\thinspace d_{kv} + 3kdm_e + dE + 2d) + d + cVd$", r"$2Lh_{kv}\thinspace d_h$", "$cd$", "$d$",
        ]  # fmt: skip


class TestRouting:
    SCORES = "0.50 0.30 0.15 0.05"

    def test_by_hand(self):
        assert [row[3] for row in rows(EN["routing"](self.SCORES, 2))] == ["0.625", "0.375", "–", "–"]
        assert r"\frac{0.50}{0.50 + 0.30} = 0.625" in EN["renormalised"](self.SCORES, 2)
        assert r"0.625 \cdot (2, 0) + 0.375 \cdot (0, 4) = (1.25, 1.50)" in EN["mixture"](self.SCORES, 2, "2 0", "0 4")
        with pytest.raises(ChapterError, match="2 outputs are wanted"):
            EN["mixture"](self.SCORES, 2, "2 0")

    def test_a_batch(self):
        assert EN["assigned"]("AB CD", 4) == "4" and EN["distinct"]("AB AB", 4) == "2" and EN["load"]("AB AB", 3) == "A 2, B 2, C 0"
        assert rows(ZH["expected"](8, 2, 4)) == [["4", "8", "5.47"]]
        assert rows(ZH["expert_budget"](2, 1, (16, 2))) == [["16", "2", "180 亿", "40 亿", "22.2%"]]
        assert rows(ZH["chosen"]("AB CD", 4)) == [["1", "A、B"], ["2", "C、D"]] and EN["vector"]("2 0") == "$(2, 0)$"
        with pytest.raises(ConfigError):
            EN["load"]("AE", 4)
        with pytest.raises(ChapterError, match="as many experts"):
            EN["chosen"]("AB A", 4)


class TestMistakes:
    def test_values_side_by_side(self):
        table = rows(EN["beside"]("8*7*10^9", "P", at="Mixtral-8x7B"))
        assert table[0] == ["as printed", r"$8 \cdot 7 \cdot 10^9$", "56,000,000,000"] and table[2][2] == "+19.9 %"
        assert rows(EN["beside"]("2*P", "2*P_act", at="Mixtral-8x7B"))[2][2] == "×3.63"

    def test_the_verdict_of_the_checker(self):
        shown = EN["wrong"]("4*d^2 + 4*d = 67112960", given="d=4096")
        assert "| right | $67{,}125{,}248$ |" in shown and shown.count("<!-- derive: o") == 2
        assert "$6P_{\\mathrm{total}}$" in ZH["wrong"]("F_train = 2*P")

    def test_what_is_right_is_not_shown_as_a_mistake(self):
        with pytest.raises(ChapterError, match="comes to 46,702,792,704"):
            EN["beside"]("P_total_MoE", "P", at="Mixtral-8x7B")
        with pytest.raises(ChapterError, match="does not find it wrong"):
            EN["wrong"]("4*4 = 16")


class TestCosts:
    def test_models_side_by_side(self):
        assert rows(EN["cache"](8192, "DeepSeek-V3")) == [["DeepSeek-V3", "latent", "35,136", "70,272", "0.536"]]
        assert rows(EN["cache"](8192, "Gemma-2-9B"))[0][1] == "grouped, windows"
        assert rows(EN["weights"]("bf16", "LLaMA-7B")) == [["LLaMA-7B", "6,738,415,616", "13.48"]]
        assert rows(EN["adapters"]((16,), "q,v", "LLaMA-7B")) == [["LLaMA-7B", "16", "8,388,608", "0.124 %"]]
        assert rows(EN["sharded"]("LLaMA-7B", 8))[3] == ["3", "1.685", "1.685", "10.11", "13.48"]
        assert rows(EN["estimates"](("12*L*d^2",), "GPT-2 small")) == [["GPT-2 small", "124,439,808", "84.9M", "−31.7 %"]]
        assert rows(EN["layer_shares"]("LLaMA-7B")) == [["LLaMA-7B", "33.2 %", "66.8 %", "< 0.01 %"]]
        assert rows(EN["widths"]("GPT-3 175B")) == [["GPT-3 175B", "12,288", "49,152", "2", "4"]]
        assert rows(EN["schemes"]())[1] == ["Adam, mixed precision", "2", "2", "12", "16"]

    def test_the_rule_of_six_beside_both_conventions_of_attention(self):
        full, causal, stored, *_ = rows(EN["rule_of_six"](2048, "LLaMA-7B"))
        linear, logits, pairs = 32 * (4 * 4096**2 + 3 * 4096 * 11008), 4096 * 32000, 4 * 32 * 4096  # multiply-adds; FLOPs of a pair
        assert full[1:] == [f"{3 * (2 * linear + 2 * logits + pairs * 2048) / 10**9:.2f}", "–"]
        assert causal[1] == f"{3 * (2 * linear + 2 * logits + pairs * 2049 / 2) / 10**9:.2f}"
        assert stored[0].startswith("$6P$") and stored[1] == f"{6 * 6_738_415_616 / 10**9:.2f}"

    def test_what_activations_consist_of(self):
        table = rows(EN["listed"]("A_layer"))
        assert len(table) == 15 and table[-1] == ["**total**", "$34nBd + 5hn^2B$"]
        with pytest.raises(ChapterError, match="not a list"):
            EN["listed"]("P_attn")


class TestDefinitions:
    def test_networks_by_the_names_of_their_tensors(self):
        assert r"\mathrm{GELU}(xW_{\mathrm{up}} + b_{\mathrm{up}}) W_{\mathrm{down}} + b_{\mathrm{down}}" in EN["network"]("gelu")
        assert r"\left(\mathrm{SiLU}(xW_{\mathrm{gate}}) \odot xW_{\mathrm{up}}\right) W_{\mathrm{down}}" in EN["network"]("swiglu")
        with pytest.raises(ChapterError, match="no network 'moe'"):
            EN["network"]("moe")

    def test_the_equation_stands_before_its_root(self):
        shown = EN["solved"]("P_total = 7e9", "d", given="L=32, m=8*d/3, d_kv=d, V=32000, c=2")
        places = [shown.index(part) for part in ("32(12d^2 + 2d) + 64{,}001d", "384d^2 + 64{,}065d - 7{,}000{,}000{,}000 &= 0", "d &= -")]
        assert places == sorted(places)

    def test_the_constants_of_both_fits(self):
        table = rows(EN["fits"]())
        assert [row[1:] for row in table] == [["406.4", "410.7", "0.34", "0.28"], ["482.01", "2085.43", "0.3478", "0.3658"]]


class TestReferences:
    def test_links_and_papers(self):
        assert ZH["chapter"]("attention") == "[注意力](02-attention.md)"
        assert EN["chapter"]("05-dense-decoder", "The layer") == "[The layer](05-dense-decoder.md#the-layer)"
        assert EN["cite"]("gqa") == "[Ainslie et al. 2023](https://arxiv.org/abs/2305.13245)"
        assert ZH["cite"]("gqa") == "[Ainslie 等 2023](https://arxiv.org/abs/2305.13245)" and ZH["cite"]("tying").startswith(
            "[Press 和 Wolf 2016]"
        )
        for wrong in (lambda: EN["chapter"]("none"), lambda: EN["cite"]("none")):
            with pytest.raises(ChapterError, match="none"):
                wrong()

    def test_papers_are_told_apart(self):
        for language in ("en", "zh"):
            cited = [each.short(language) for each in BOOK.references]
            assert len(set(cited)) == len(cited)

    def test_links_and_comments_in_latex(self):
        _, body = latex_body("# T\n\n[Attention](02-attention.md) ≤\n\n<!-- derive: off -->\n")
        assert body == "\\see{02-attention}{Attention} $\\leq$\n\n% derive: off"
        with pytest.raises(ChapterError, match="html block"):
            latex_body("# T\n\n<div>x</div>\n")


def test_every_function_has_a_voice_of_its_own():
    assert EN.keys() == ZH.keys() and all(callable(each) for each in EN.values())
    with pytest.raises(DeriveError):
        EN["value"]("P_attn", at="no-such-model")
