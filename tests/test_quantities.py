"""The named closed forms, to the letter, and their derivations."""

import pytest

import derive
from derive.derivation import Derivation, Line, Step, derivation_of, expanded, factored, given, rewritten, without
from derive.errors import FormulaError, StepError
from derive.formula.parse import parse
from derive.formula.tree import Name, Number
from derive.models import bundled_models
from derive.quantities import Variant, quantities, quantity
from derive.showing import show
from derive.text import Text

CLOSED_FORMS = {
    "P_tok": "Vd",
    "P_pos": "n_ctx d",
    "P_emb": "cVd",
    "P_attn": "2d d_q + 2d d_kv",
    "P_ffn": "3dm",
    "P_norm": "d",
    "P_expert": "3d m_e",
    "P_shared": "3d m_s",
    "P_router": "dE",
    "P_gate": "d",
    "P_block": "2d^2 + 2d d_kv + 3dm + 2d",
    "P_block_MoE": "2d^2 + 2d d_kv + 3Ed m_e + dE + 2d",
    "P_block_active": "2d^2 + 2d d_kv + 3kd m_e + dE + 2d",
    "P_total": "L(2d^2 + 2d d_kv + 3dm + 2d) + d + cVd",
    "P_lin": "L(2d^2 + 2d d_kv + 3dm)",
    "P_total_MoE": "L(2d^2 + 2d d_kv + 3Ed m_e + dE + 2d) + d + cVd",
    "P_active": "L(2d^2 + 2d d_kv + 3kd m_e + dE + 2d) + d + cVd",
    "P_total_mixed": "L(2d^2 + 2d d_kv + 2d) + 3L_D*dm + L_M*(3Ed m_e + dE) + d + cVd",
    "P_active_mixed": "L(2d^2 + 2d d_kv + 2d) + 3L_D*dm + L_M*(3kd m_e + dE) + d + cVd",
    "P_lin_mixed": "L(2d^2 + 2d d_kv) + 3L_D*dm + L_M*(3kd m_e + dE)",
}


@pytest.mark.parametrize(("name", "form"), CLOSED_FORMS.items())
def test_closed_forms_in_textbook_order(name, form):
    assert quantity(name).formula.text == parse(form).text


def test_the_targets_of_the_writer():
    assert derive.P_total.latex == r"P_{\mathrm{total}} = L\,(2d^2 + 2d\,d_{kv} + 3dm + 2d) + d + cVd"
    lines = [line.formula.latex for line in derivation_of(quantity("P_total_mixed")).lines]
    assert r"L\,(P_{\mathrm{attn}} + 2d) + 3L_D\,dm + L_M\,(3Edm_e + dE) + d + cVd" in lines


@pytest.mark.parametrize("name", list(quantities()))
@pytest.mark.parametrize("variant", [Variant(), Variant(bias=True, ffn="two-matrix", norm="layer", positions=True, shared=True)])
def test_every_quantity_is_derived_and_ends_in_its_closed_form(name, variant):
    wanted = quantity(name, variant)
    derived = derivation_of(wanted)
    assert derived.result == wanted.formula
    assert derived.result.names
    assert derived.expr == wanted.expr
    assert derived.latex.startswith("\\begin{aligned}")


def test_the_block_of_gpt2():
    shown = show("P_block", "d_kv=d, m=4d", bias=True, ffn="two-matrix", norm="layer")
    assert shown.derivation.result == parse("12d^2 + 13d")


@pytest.mark.parametrize("variant", [{}, {"ffn": "two-matrix"}])
def test_12Ld2_leads_both_kinds_of_model(variant):
    conditions = "d_kv=d, m=4*d" if variant else "d_kv=d, m=8*d/3"
    derived = show("P_total", conditions, **variant).derivation
    why = Text("leading", "主项")
    line = derived.then(without(parse("2Ld + d + cVd"), ("d",), why)).lines[-1]
    assert line.formula == parse("12Ld^2")
    assert line.dropped == parse("2Ld + d + cVd")


class TestSteps:
    START = Derivation(Name("P_attn"), (Line("=", parse("2d*d_q + 2d*d_kv"), Text("start", "起")),), {})

    def test_true_steps(self):
        done = self.START.then(given({"d_q": Name("d")}), factored(), expanded())
        assert [line.formula.text for line in done.lines[1:]] == ["2d² + 2d·d_kv", "2d(d + d_kv)", "2d² + 2d·d_kv"]

    def test_a_false_equality_names_the_step_and_the_residual(self):
        with pytest.raises(StepError, match=r"P_attn: the step 'wrong on purpose' does not hold.*differs by 2d·d_q - 2d·d_kv"):
            self.START.then(rewritten(parse("4d*d_kv"), Text("wrong on purpose", "故意写错")))

    def test_a_false_substitution(self):
        wrong = Step("→", lambda formula: parse("5d^2"), Text("wrong", "错"), {"d_q": Name("d"), "d_kv": Name("d")})
        with pytest.raises(StepError, match="differs by -d²"):
            self.START.then(wrong)

    def test_what_is_not_there_cannot_be_dropped(self):
        with pytest.raises(StepError, match="does not have these terms"):
            self.START.then(without(parse("V"), ("d",), Text("not there", "没有")))

    def test_a_step_that_changes_nothing_adds_no_line(self):
        assert self.START.then(expanded()).lines == self.START.lines

    def test_an_approximation_that_does_not_dominate(self):
        with pytest.raises(StepError, match="does not dominate"):
            self.START.then(without(parse("2d*d_kv"), ("d",), Text("too much", "过多")))


def _written(config):
    """The path of a file that holds a configuration."""
    import json
    import tempfile

    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        json.dump(config, file)
    return file.name


class TestShow:
    def test_numbers_put_in(self):
        shown = show("P_total", "d_kv=d, m=8*d/3", "L=3, d=6, V=10, c=2")
        assert shown.derivation.lines[-2].formula.text == "3(12·6² + 2·6) + 6 + 2·10·6"
        assert shown.derivation.result.value == 3 * (12 * 36 + 12) + 6 + 120

    def test_numbers_of_a_model(self):
        assert show("P_total", at="LLaMA-7B").derivation.result.value == 6_738_415_616

    def test_what_is_missing_is_noted(self):
        shown = show("P_ffn", at="d=4")
        assert shown.derivation.result.text == "3·4m" and shown.notes == ("no number given for m",)

    def test_the_usual_conditions_give_way(self):
        assert show("P_total", "d_q=2d").derivation.result == parse("L(4d^2 + 2d*d_kv + 3dm + 2d) + d + cVd")
        assert show("P_block", "d_q=h*d_h", "d=4, h=2, d_h=8, d_kv=3, m=1").derivation.result.value == 172
        assert show("P_block", "d_kv=d_q").derivation.result == parse("4d^2 + 3dm + 2d")
        config = {
            "model_type": "mistral", "hidden_size": 5120, "num_attention_heads": 32, "head_dim": 128, "num_key_value_heads": 8,
            "num_hidden_layers": 40, "intermediate_size": 14336, "vocab_size": 131072, "sliding_window": None,
        }  # fmt: skip
        assert show("P_total", at=_written(config)).derivation.result.value == 12_247_782_400

    def test_a_model_of_another_kind_is_refused_and_of_this_kind_is_not(self):
        with pytest.raises(FormulaError, match="GPT-2 small has 124,439,808: its tensors or windows are of another kind"):
            show("P_total", at="GPT-2 small")
        variant = {"bias": True, "ffn": "two-matrix", "norm": "layer", "positions": True}
        assert show("P_total", at="GPT-2 small", **variant).derivation.result.value == 124_439_808

    @pytest.mark.parametrize("model", [each.name for each in bundled_models()])
    @pytest.mark.parametrize("name", list(quantities()))
    def test_at_a_model_it_is_the_models_own_number_or_refused(self, name, model):
        """Every quantity at every model equals what `count` and `usage` say, or is not shown."""
        try:
            shown = show(name, at=f"{model}, n=512, B=2, b=2, r=8, N_d=4")
        except FormulaError:
            return
        if not isinstance(shown.derivation.result, Number):
            assert "no number given" in shown.notes[-1]
            return
        counted = derive.count(model).parameters
        used = derive.usage(model, context=512, batch=2, train="mixed")
        flops, cache, memory = used["flops"], used["kv_cache"], used["memory"]
        expected = {
            **dict.fromkeys(("P_total", "P_total_MoE", "P_total_mixed"), counted["total"]),
            **dict.fromkeys(("P_active", "P_active_mixed"), counted["active"]),
            **dict.fromkeys(("P_lin", "P_lin_MoE", "P_lin_mixed"), counted["linear"]),
            **dict.fromkeys(("F_lin", "F_lin_MoE", "F_lin_mixed"), flops["linear_per_token"]),
            **dict.fromkeys(("F_token", "F_token_MoE", "F_token_mixed"), flops["forward_per_token"]),
            "F_attn": flops["attention_per_token"], "F_logits": flops["logits_per_token"], "F_prefill": flops["prefill"],
            "F_prefill_causal": flops["prefill_causal"], "F_train": flops["train_per_token"], "F_rule": flops["rule_6N_total"],
            "F_train_recomputed": flops["train_per_token_recomputed"], "N_kv": cache["elements_per_token"],
            "N_kv_mla": cache["elements_per_token"], "M_kv": cache["bytes"], "M_kv_mla": cache["bytes"],
            "M_weights": memory["weights"], "M_train": memory["training_state"],
        }  # fmt: skip
        if name in expected:
            assert shown.derivation.result.value == expected[name]

    def test_conditions_that_do_not_occur_are_noted(self):
        assert show("P_ffn", "V=5").notes == ("V does not occur in P_ffn",)

    def test_what_is_too_much_to_factor_is_noted(self):
        assert "not factored" in show("P_ffn", "m=d^1000+L^1000", factor=True).notes[-1]
        assert "is not a rational formula" in show("E_used", expand=True).notes[-1]

    def test_expand_and_factor(self):
        assert show("P_block", "d_kv=d, m=4d", factor=True).derivation.result.text == "2d(8d + 1)"
        assert show("P_total", expand=True).derivation.result.text == "2Ld² + 2Ld·d_kv + 3Ldm + 2Ld + d + cVd"

    @pytest.mark.parametrize(
        ("name", "conditions", "values", "words"),
        [
            ("P_nothing", None, None, "unknown quantity; known: P_tok"),
            ("P_ffn", "q=d", None, "unknown symbol 'q'"),
            ("P_ffn", "m=4x", None, "unknown symbol 'x'"),
            ("P_ffn", "m=", None, "the formula ends too early"),
            ("P_ffn", "m=m+1", None, "m is given in terms of itself"),
            ("P_ffn", "m=5/2", None, "m must be a positive whole number"),
            ("P_ffn", "m=-3", None, "m must be a positive whole number"),
            ("P_ffn", "m=0", None, "m must be a positive whole number"),
            ("P_total", "c=3", None, "c is 1 (tied) or 2 (not tied)"),
            ("P_active", "k=9, E=8", None, "k = 9 experts chosen, but E = 8"),
            ("P_ffn", None, "m=4d", "m needs a number here"),
            ("P_ffn", None, "d=__import__('os')", "cannot read"),
        ],
    )
    def test_bad_input(self, name, conditions, values, words):
        with pytest.raises(FormulaError) as error:
            show(name, conditions, values)
        assert words in str(error.value)


def test_results_are_values_for_notebooks():
    shown = show("P_block")
    assert shown.expr == derive.P_block.expr
    assert shown._repr_latex_().startswith("$\\displaystyle \\begin{aligned}")
    assert derive.P_block._repr_latex_().startswith("$\\displaystyle P_")
    result = derive.count("LLaMA-7B")
    assert result.expr.subs(dict(result.symbols)) == 6_738_415_616
    assert derive.P_total.expr.diff("L") == derive.P_block.expr
