"""What templates may ask for beyond formulas and derivations: each function's output, and what it refuses to print."""

import json
import re
from pathlib import Path

import pytest
from jinja2 import StrictUndefined, UndefinedError
from reference import records, released_config

import derive
from derive.atlas import form_of
from derive.atlas.completing import as_config
from derive.book import words
from derive.book.functions.functions import Functions
from derive.book.latex.body import latex_body
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


def refused(call, words, error=DeriveError):
    """A call that must be refused, in one line that holds the words."""
    with pytest.raises(error, match=re.escape(words)) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.fixture
def of_type(tmp_path):
    """The path of the configuration of a model with recurrences, by its type."""

    def path(model_type):
        config = next(row["config"] for row in records("recurrent_models.jsonl") if row["config"]["model_type"] == model_type)
        file = tmp_path / f"{model_type}.json"
        file.write_text(json.dumps(config))
        return str(file)

    return path


class TestCalls:
    """What a template hands over is looked at before anything is worked out."""

    @pytest.mark.parametrize(
        ("name", "given", "named", "words"),
        [
            ("chapter", ("a", "b", "c"), {}, "chapter(name, heading=''): too many positional arguments; see docs/functions.md"),
            ("cite", (), {}, "cite(key): missing a required argument: 'key'"),
            ("value", (1024,), {}, "text is a text in quotes, not 1024"),
            ("flops", ("x", "LLaMA-7B"), {}, "n is a whole number, 1 or more, not 'x'"),
            ("cache", (0, "LLaMA-7B"), {}, "n is a whole number, 1 or more, not 0"),
            ("cache_over", ((2048, 0), "LLaMA-7B"), {}, "contexts is a list of whole numbers"),
            ("cache", (True, "LLaMA-7B"), {}, "not True"),
            ("ratio", ("d", "m", "d=3, m=7", -1), {}, "digits is a whole number, 1 or more, not -1"),
            ("compression", (16, 4096), {}, "ranks is a list of whole numbers, 1 or more, as in (8, 16) or (8,), not 16"),
            ("estimates", ("12*L*d^2", "LLaMA-7B"), {}, 'formulas is a list of texts, as in ("one", "two") or ("one",), not'),
            ("explained", ("P", (), "LLaMA-7B"), {}, "parts is a list of texts"),
            ("rate", ("P_total", "d"), {"at": "LLaMA-7B"}, "at is a list of texts"),
            ("rate", ("P_total", "d"), {"only": 3}, "only is a list of whole numbers"),
            ("equation", ("P_attn",), {"bias": "no"}, "bias is true or false, not 'no'"),
            ("equation", ("P_attn",), {"norm": "batch"}, "norm is 'rms' or 'layer', not 'batch'"),
            ("tensor_map", ("P_attn",), {"foo": 1}, "no option 'foo'; there are bias, head_bias, ffn, norm, positions, shared"),
            ("change", ("P_total", "L"), {"times": "2"}, "times is a whole number"),
            ("shares", (), {}, "shares(*models): models: none is named"),
            ("tensor_map", (), {"foo": 1}, "names: none is named"),
            ("weights", ("bf16",), {}, "models: none is named"),
        ],
    )
    def test_what_does_not_fit_the_signature(self, name, given, named, words):
        refused(lambda: EN[name](*given, **named), words, ChapterError)

    def test_what_has_no_value(self):
        nothing = StrictUndefined(name="nothing")
        for call in (
            lambda: EN["training"](nothing),
            lambda: EN["estimates"]((nothing,), "LLaMA-7B"),
            lambda: EN["form"]("P_ffn", bias=nothing),
        ):
            with pytest.raises(UndefinedError, match="'nothing' is undefined"):
                call()

    def test_a_function_is_no_text(self):
        refused(lambda: str(EN["math"]), "math is a function: call it, as math(text)", ChapterError)
        assert repr(EN["chapter"]) == "chapter(name, heading='')"

    @pytest.mark.parametrize(
        ("name", "given", "words"),
        [
            ("counted", ("LLaMA-7B", "stored"), "no convention 'stored' of LLaMA-7B; it has total, active"),
            ("symbols", ("hidden_size",), "use d"),
            ("sizes", ("L q", "LLaMA-7B"), "no symbol of the vocabulary"),
            ("sizes", ("", "LLaMA-7B"), "no symbols; name them"),
            ("size", ("2*P", "P=3", "PB"), "no unit 'PB'; known: KB, MB, GB, TB, KiB"),
            ("share", ("d", "0", "d=3"), "share() divides by zero"),
            ("weights", ("x", "LLaMA-7B"), "unknown dtype 'x'"),
            ("weights", ("", "LLaMA-7B"), "no number formats"),
            ("value", ("d", "d=-3"), "d must be a positive whole number, not -3"),
            ("value", ("c", "c=3"), "c is 1 (tied) or 2 (not tied)"),
            ("scientific", ("0",), "zero has no power of ten"),
            ("sharded", ("LLaMA-7B", 1), "two replicas or more"),
            ("worked_model", ("DeepSeek-V3", "P_foo"), "DeepSeek-V3 has no part P_foo; it has P_mla"),
            ("derivation", ("P_atn",), "did you mean P_attn?"),
        ],
    )
    def test_unknown_values_name_the_known(self, name, given, words):
        refused(lambda: EN[name](*given), words)

    def test_conditions_and_options_that_change_nothing(self):
        refused(lambda: EN["equation"]("P_attn", "x=3"), "unknown symbol 'x'")
        refused(lambda: EN["equation"]("P_attn", "m=3"), "a condition on m, which does not occur here")
        refused(
            lambda: EN["extra"]("P_attn", "bias", bias=True),
            "the option is one of bias, head_bias, positions, shared, and not given as well",
        )
        refused(lambda: EN["extra"]("P_attn", "positions"), "adds nothing to P_attn")
        assert "2dhd_h" in EN["equation"]("P_block", "d_q=h*d_h") and "4096" in EN["form"]("d*d_kv", "d_kv=d, d=64")


class TestNames:
    """A misspelt name is refused with the one that is meant; what a reader of the field writes is not."""

    @pytest.mark.parametrize(
        "text", ["γ_Q", "W_0", "W*x", "x_i", "d_in*d_out", "6*P*D", "2*P_act", "hidden_size", "cVd", r"\frac{P}{d}", "α"]
    )
    def test_known(self, text):
        assert EN["math"](text).startswith("$")

    @pytest.mark.parametrize(
        ("name", "given", "words"),
        [
            ("math", ("P_atn",), "unknown name 'P_atn'; did you mean P_attn?"),
            ("math", ("d_kvv",), "did you mean d_kv?"),
            ("math", ("foo",), "unknown word 'foo'; letters that are no symbols stand apart, as in f*o"),
            ("math", ("d = d_kvv",), "did you mean d_kv?"),
            ("form", ("P_attn + P_fnn",), "did you mean P_ffn?"),
            ("claim", ("P_atn = P_atn",), "did you mean P_attn?"),
            ("value", ("P_atn", "LLaMA-7B"), "did you mean P_attn?"),
            ("computed", ("P_tokk = V*d", "GPT-2 small"), "did you mean P_tok?"),
            ("equation_of", ("P_atn = 4*d^2",), "did you mean P_attn?"),
            ("form_of", ("r*d_inn", "d_inn*r"), "unknown name 'd_inn'"),
            ("estimates", (("P_totl",), "LLaMA-7B"), "did you mean P_total?"),
            ("comparison", ("P_totl", "LLaMA-7B"), "did you mean P_total?"),
        ],
    )
    def test_misspelt(self, name, given, words):
        refused(lambda: EN[name](*given), words, FormulaError)

    def test_a_template_s_own_names_have_values(self):
        assert EN["value"]("P_common + E*P_e", at="P_common=2, E=8, P_e=1") == "10"
        refused(lambda: EN["value"]("P_common + E*P_e", at="P_common=2, E=8"), "unknown name 'P_e'")


class TestModelsOfAnotherKind:
    """A quantity is worked out only for a model that has it so, in every function that takes a model."""

    @pytest.mark.parametrize(
        "call",
        [
            lambda at: EN["worked"]("P_total", at=at),
            lambda at: EN["worked"]("P_attn", at=at),
            lambda at: EN["worked"]("P_ffn", at=at),
            lambda at: EN["worked"]("P_block", at=at),
            lambda at: EN["tensors"]("P_attn", at=at),
            lambda at: EN["doubled"]("P_total", "L", at=at),
            lambda at: EN["approximation"]("P_block", drop="2*d", scaling="d d_kv m", at=at),
            lambda at: EN["value"]("P_block", at=at),
            lambda at: EN["value"]("P_attn", at=at, ffn="two-matrix"),
            lambda at: EN["computed"]("P_attn = 4*d^2", at=at),
        ],
    )
    def test_refused(self, call):
        refused(lambda: call("GPT-2 small"), "GPT-2 small has", FormulaError)
        assert call("LLaMA-7B")

    def test_usual_conditions_that_a_model_breaks(self):
        for name in ("P_total", "P_block", "P_lora"):
            refused(lambda: EN["worked"](name, at="Gemma-2-9B, r=8"), "d_q = d contradicts Gemma-2-9B, where d_q = 4096")  # noqa: B023
        refused(lambda: EN["worked"]("P_attn", at="Llama-3-8B", conditions="d_kv=d"), "d_kv = d contradicts Llama-3-8B")
        refused(lambda: EN["tensors"]("P_attn", at="gpt-oss-20b"), "gpt-oss-20b has 26,550,144")
        refused(lambda: EN["worked"]("P_total", at="Mixtral-8x7B"), "use P_total_MoE")

    def test_parts_of_a_layer(self, tmp_path):
        refused(lambda: EN["value"]("P_block_MoE", at="DeepSeek-V3"), "P_attn, which DeepSeek-V3 has not")
        four_norms = tmp_path / "config.json"
        four_norms.write_text(json.dumps({**released_config("gemma2_9b"), "hidden_size": 4096}))
        refused(lambda: EN["value"]("P_block", at=str(four_norms)), "P_block has P_norm 2 times")

    def test_the_right_option_is_accepted(self):
        assert EN["value"]("P_attn", at="GPT-2 small", bias=True) == "2,362,368"
        assert "7{,}087{,}872" in EN["worked"]("P_block", at="GPT-2 small", bias=True, ffn="two-matrix", norm="layer")

    def test_sizes_in_place_of_a_model(self):
        sizes = "d=768, d_q=768, d_kv=64"
        assert "1{,}277{,}952" in EN["worked"]("P_attn", at=sizes)
        table = EN["tensors"]("P_attn", at=sizes)
        assert "$d = 768, d_q = 768, d_{kv} = 64$" in table and [row[3] for row in rows(table)] == [
            "589,824",
            "49,152",
            "49,152",
            "589,824",
        ]


class TestLayerSums:
    def test_proved(self):
        assert r"\sum_{\ell=1}^{L}" in EN["layer_sum"]("P_lin", "P_attn", "P_ffn_active", "P_router")

    @pytest.mark.parametrize(
        ("given", "words"),
        [
            (("P_total", "P_norm"), "P_total is not P_norm summed over the layers"),
            (("P_lin", "P_attn", "P_ffn", "P_router"), "it differs by 3L_M·kd·m_e - 3L_M·Ed·m_e"),
            (("P_lin",), "parts: none is named"),
            (("P_lin", "P_atn"), "no part of a layer 'P_atn'; known: P_attn"),
            (("P_attn", "P_attn"), "P_attn is not known for models whose layers differ"),
            (("foo", "P_attn"), "no named quantity"),
        ],
    )
    def test_refused(self, given, words):
        refused(lambda: EN["layer_sum"](*given), words)


class TestShapes:
    def test_a_product(self):
        assert EN["shapes"]("n d", "d m", "m d") == r"$[n, d] \times [d, m] \times [m, d]$"

    @pytest.mark.parametrize(
        ("shapes", "words"),
        [
            (("n d", "m V"), "a matrix of d columns, then one of m rows"),
            (("n d",), "two shapes or more"),
            (("n d m", "m V"), "each of two symbols"),
            (("n x_q", "x_q V"), "no symbol of the vocabulary"),
            ((r"n \foo", r"\foo V"), "no symbol of the vocabulary"),
        ],
    )
    def test_refused(self, shapes, words):
        refused(lambda: EN["shapes"](*shapes), words)


class TestComponents:
    def test_every_component_has_a_word_and_a_group(self):
        """By the names in the sources; what only computes between tokens has no parameters."""
        folder = Path(derive.__file__).parent
        sources = [path.read_text(encoding="utf-8") for part in ("architecture", "families") for path in (folder / part).glob("*.py")]
        named = {
            name for text in sources for name in re.findall(r'\bComponent\(\s*"([^"]+)"|\bname="([^"]+)"', text) for name in name if name
        }
        assert len(named) > 25 and named <= words.COMPONENTS.keys()
        assert {name for name in named if words.group(name) == words.OTHER} == {
            "low-rank updates", "projection", "projection behind the shared block",
        }  # fmt: skip
        assert words.COMPONENTS.keys() >= {name for names in words.GROUPS.values() for name in names}
        assert words.component("a part of a traced form").zh == "a part of a traced form"

    @pytest.mark.parametrize("model_type", ["mamba", "qwen3_next", "rwkv", "recurrent_gemma", "kimi_linear", "zamba2"])
    def test_models_with_recurrences(self, of_type, model_type):
        assert rows(ZH["components"](of_type(model_type)))[-1][0] == "**合计**"

    @pytest.mark.parametrize("model_type", ["mamba", "nemotron_h", "qwen3_next", "zamba2", "rwkv"])
    @pytest.mark.parametrize(("function", "first"), [("shares", 2), ("layer_shares", 1)])
    def test_shares_are_the_whole(self, of_type, model_type, function, first):
        model = of_type(model_type)
        for table in (EN[function](model), EN[function](model, "Mixtral-8x7B", "GPT-2 small")):
            for row in rows(table):
                assert abs(sum(float(cell.strip("< %")) for cell in row[first:]) - 100) < 0.3, row

    def test_shares_inside_layers(self, of_type):
        heading = EN["layer_shares"]("Mixtral-8x7B").strip().splitlines()[0]
        assert heading == "| model | attention | experts, router | norms |"
        assert rows(EN["layer_shares"]("Mixtral-8x7B"))[0][1:] == ["2.89 %", "97.1 %", "< 0.01 %"]
        assert rows(EN["layer_shares"](of_type("mamba")))[0][1:] == ["100.0 %", "0.0204 %"]

    def test_widths_where_layers_differ(self, of_type):
        table = rows(EN["widths"]("DeepSeek-V3", "Mixtral-8x7B", of_type("mamba"), "GPT-2 small"))
        assert [row[3] for row in table] == ["3", "–", "–", "2"] and table[1][2] == "–"


class TestWithoutAttention:
    def test_what_is_kept(self, of_type):
        table = rows(EN["cache"](8192, of_type("mamba"), of_type("jamba"), of_type("kimi_linear"), of_type("rwkv"), "LLaMA-7B"))
        assert [row[1] for row in table] == ["none, states", "grouped, states", "latent, states", "none, states", "multi-head"]
        assert table[0][2:4] == ["0", "0"] and rows(ZH["cache"](8192, of_type("mamba")))[0][1] == "无，含状态"

    @pytest.mark.parametrize("given", [("flops", 2048), ("rule_of_six", 2048), ("activations", 2048, 1), ("overtaking_contexts",)])
    def test_what_is_not_counted_has_a_reason(self, of_type, given):
        name, *arguments = given
        refused(lambda: EN[name](*arguments, of_type("mamba")), "not counted: ", ConfigError)

    @pytest.mark.parametrize("given", [("cache", 2048), ("flops", 2048), ("activations", 2048, 1), ("overtaking_contexts",)])
    @pytest.mark.parametrize("model_type", ["bart", "hrm_text"])
    def test_what_a_traced_form_does_not_know(self, tmp_path, given, model_type):
        name, *arguments = given
        file = tmp_path / "config.json"
        file.write_text(json.dumps(as_config(form_of(model_type), {})))
        refused(lambda: EN[name](*arguments, str(file)), "what the attention of this family keeps and computes is not known", ConfigError)
        assert "**" in EN["components"](str(file)) and EN["training"]("mixed", str(file))

    def test_beyond_the_position_table(self):
        refused(lambda: EN["cache"](2048, "GPT-2 small"), "beyond the 1024 learned positions", ConfigError)


class TestDigitGroups:
    """Numbers below ten thousand have no groups, wherever they stand."""

    def test_in_every_function(self):
        assert EN["times"]("DeepSeek-V3", "GPT-2 small") == "5392" and EN["ratio"]("12345", "1") == "12,345"
        assert EN["size"]("5978*10^9", digits=4) == "5978 GB" and EN["change_of"]("143", "10") == "1330 %"
        assert EN["value"]("10001/2") == "5000.50" and EN["roughly"]("1234*10^12") == "1234T"
        assert rows(EN["beside"]("5000", "1"))[2][2] == "×5000"
        remarks = EN["limits"](
            "P_total", "12*L*d^2", "d->oo", given="d_kv=d, m=8*d/3", below="5%", at="L=32, V=32000, c=2", parts="remarks"
        )
        assert "from d = 3170 on" in remarks

    def test_powers_of_ten(self):
        shown = {text: EN["scientific"](text) for text in ("1/3", "9999", "-5*10^6", "10^23")}
        assert list(shown.values()) == [
            r"$3.33 \cdot 10^{-1}$", r"$1 \cdot 10^{4}$", r"$-5 \cdot 10^{6}$", r"$1 \cdot 10^{23}$",
        ]  # fmt: skip


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
        refused(lambda: EN["computation"]("P = 12*L*d^2", "LLaMA-7B"), "P is 6,738,415,616, not 12Ld²", StepError)
        refused(lambda: EN["computed"]("d = 3", "d=4"), "d is 4, not 3", StepError)
        assert EN["computed"]("P = 7", "P=7") == "$P = 7$"

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
        refused(lambda: EN["same_count"]("4*d^2", "LLaMA-7B"), "sizes as equations", ChapterError)
        refused(lambda: EN["same_count"]("4*d^2", "d=768", "d=768, h=12"), "in every row of the same symbols", ChapterError)
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
        refused(lambda: EN["rate"]("P_total", "L", only=(9,)), "the answer has 2 derivations, counted from 1", ChapterError)
        refused(lambda: EN["change"]("P_total", "L", parts="table"), "the answer has none of these", ChapterError)

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
        with pytest.raises(ChapterError, match="no expert 'E'; 4 experts are called A to D"):
            EN["load"]("AE", 4)
        with pytest.raises(ChapterError, match="as many experts"):
            EN["chosen"]("AB A", 4)

    @pytest.mark.parametrize(
        ("name", "given", "words"),
        [
            ("load", ("AB", 30), "30 experts, but letters name 26 at most"),
            ("routing", (" ".join(["0.1"] * 27), 2), "27 scores, but letters name 26"),
            ("routing", ("0.5 high", 1), "numbers with spaces between them are wanted"),
            ("vector", (r"\foo 2",), "numbers with spaces between them are wanted"),
            ("weight", ("0.5 0.5", 2, 3), "which is 1 to 2, not 3"),
            ("mixture", ("0.5 0.5", 2, "1", "1 2"), "not of the same length"),
            ("expert_budget", (2, 1, (8,)), "a pool is (E, k)"),
            ("expert_budget", (2, 1, (2, 8)), "a pool is (E, k)"),
        ],
    )
    def test_what_cannot_be(self, name, given, words):
        refused(lambda: EN[name](*given), words, ChapterError)


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
