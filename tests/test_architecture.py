"""Each component against a closed form written by hand, in its three readings: formula, integers, arrays."""

import pytest

from derive.architecture.attention import (
    ALL_BIAS,
    AttentionBias,
    QueryKeyNorm,
    grouped_query_attention,
    multi_head_attention,
    multi_query_attention,
)
from derive.architecture.embeddings import embedding_and_head, head, learned_positions, token_embedding
from derive.architecture.experts import routed_experts, router, shared_expert_gate, shared_experts
from derive.architecture.feed_forward import gated, two_matrix
from derive.architecture.indexer import indexer
from derive.architecture.latent_attention import latent_attention
from derive.architecture.model import decoder, layers
from derive.architecture.norms import layer_norm, layer_norm_without_shift, rms_norm
from derive.costs import over
from derive.costs import parameters as costs
from derive.formula.parse import parse
from derive.formula.tree import Name

SIZES = {
    "d": 96, "d_q": 128, "d_kv": 32, "h": 8, "d_h": 16, "m": 200, "m_e": 56, "m_s": 72, "V": 501, "E": 6, "E_s": 2, "k": 3,
    "c": 2, "n_ctx": 64, "r_q": 24, "r_kv": 20, "d_n": 12, "d_r": 4, "d_v": 10, "h_I": 3, "d_I": 14,
}  # fmt: skip

# name, component of its dimensions, the stored parameters as a person would write them, in their order
COMPONENTS = [
    ("grouped-query", lambda s: grouped_query_attention(s["d"], s["d_q"], s["d_kv"]), "2d*d_q + 2d*d_kv"),
    ("all biases", lambda s: grouped_query_attention(s["d"], s["d_q"], s["d_kv"], bias=ALL_BIAS), "2d*d_q + 2d*d_kv + d_q + 2d_kv + d"),
    ("q bias", lambda s: grouped_query_attention(s["d"], s["d_q"], s["d_kv"], bias=AttentionBias(q=True)), "2d*d_q + 2d*d_kv + d_q"),
    ("k bias", lambda s: grouped_query_attention(s["d"], s["d_q"], s["d_kv"], bias=AttentionBias(k=True)), "2d*d_q + 2d*d_kv + d_kv"),
    ("v bias", lambda s: grouped_query_attention(s["d"], s["d_q"], s["d_kv"], bias=AttentionBias(v=True)), "2d*d_q + 2d*d_kv + d_kv"),
    ("o bias", lambda s: grouped_query_attention(s["d"], s["d_q"], s["d_kv"], bias=AttentionBias(o=True)), "2d*d_q + 2d*d_kv + d"),
    (
        "query and key norm",
        lambda s: grouped_query_attention(s["d"], s["d_q"], s["d_kv"], norm=QueryKeyNorm(s["d_h"], s["d_h"])),
        "2d*d_q + 2d*d_kv + 2d_h",
    ),
    (
        "query and key LayerNorm",
        lambda s: grouped_query_attention(s["d"], s["d_q"], s["d_kv"], norm=QueryKeyNorm(s["d_h"], s["d_h"], shift=True)),
        "2d*d_q + 2d*d_kv + 4d_h",
    ),
    ("multi-head", lambda s: multi_head_attention(s["d"]), "4d^2"),
    ("multi-head with biases", lambda s: multi_head_attention(s["d"], bias=ALL_BIAS), "4d^2 + 4d"),
    ("multi-query", lambda s: multi_query_attention(s["d"], s["d_q"], s["d_h"]), "2d*d_q + 2d*d_h"),
    (
        "latent",
        lambda s: latent_attention(*(s[name] for name in ["d", "h", "r_q", "r_kv", "d_n", "d_r", "d_v"])),
        "d*r_q + r_q + r_q*h(d_n + d_r) + d(r_kv + d_r) + r_kv + r_kv*h(d_n + d_v) + h*d_v*d",
    ),
    (
        "latent, queries not compressed, biases",
        lambda s: latent_attention(s["d"], s["h"], None, s["r_kv"], s["d_n"], s["d_r"], s["d_v"], bias=True),
        "d*h(d_n + d_r) + d(r_kv + d_r) + 2r_kv + d_r + r_kv*h(d_n + d_v) + h*d_v*d + d",
    ),
    ("indexer", lambda s: indexer(s["d"], s["r_q"], s["h_I"], s["d_I"]), "r_q*h_I*d_I + d*d_I + 2d_I + d*h_I"),
    ("two-matrix", lambda s: two_matrix(s["d"], s["m"]), "2dm"),
    ("two-matrix with biases", lambda s: two_matrix(s["d"], s["m"], bias=True), "2dm + m + d"),
    ("gated", lambda s: gated(s["d"], s["m"]), "3dm"),
    ("gated with biases", lambda s: gated(s["d"], s["m"], bias=True), "3dm + 2m + d"),
    ("RMSNorm", lambda s: rms_norm(s["d"]), "d"),
    ("two RMSNorms", lambda s: rms_norm(s["d"], copies=2), "2d"),
    ("LayerNorm", lambda s: layer_norm(s["d"]), "2d"),
    ("two LayerNorms", lambda s: layer_norm(s["d"], copies=2), "4d"),
    ("LayerNorm without shift", lambda s: layer_norm(s["d"], bias=False), "d"),
    ("two LayerNorms without shift", lambda s: layer_norm_without_shift(s["d"], copies=2), "2d"),
    ("embedding", lambda s: token_embedding(s["V"], s["d"]), "Vd"),
    ("positions", lambda s: learned_positions(s["n_ctx"], s["d"]), "n_ctx*d"),
    ("head", lambda s: head(s["V"], s["d"], s["c"]), "(c - 1)dV"),
    ("head with bias", lambda s: head(s["V"], s["d"], s["c"], bias=True), "(c - 1)dV + V"),
    ("both ends", lambda s: embedding_and_head(s["V"], s["d"], s["c"]), "cVd"),
    ("router", lambda s: router(s["d"], s["E"]), "dE"),
    ("router with bias", lambda s: router(s["d"], s["E"], bias=True), "dE + E"),
    ("router with correction", lambda s: router(s["d"], s["E"], correction=True), "dE"),
    ("routed experts", lambda s: routed_experts(gated(s["d"], s["m_e"]), s["E"], s["k"]), "3Ed*m_e"),
    ("shared experts", lambda s: shared_experts(gated(s["d"], s["m_s"]), s["E_s"]), "3E_s*d*m_s"),
    ("shared-expert gate", lambda s: shared_expert_gate(s["d"]), "d"),
]
SYMBOLS = {name: Name(name) for name in SIZES}


@pytest.mark.parametrize(("build", "by_hand"), [row[1:] for row in COMPONENTS], ids=[row[0] for row in COMPONENTS])
class TestReadings:
    def test_as_a_formula_in_textbook_order(self, build, by_hand):
        assert build(SYMBOLS).formula.text == parse(by_hand).text

    def test_as_integers(self, build, by_hand):
        count = costs.parameters(build(SIZES))
        assert type(count) is int
        assert count == parse(by_hand).evaluate(SIZES)

    def test_as_arrays(self, build, by_hand):
        numpy = pytest.importorskip("numpy")
        sizes = {name: numpy.array([value, value + 3, 2 * value]) for name, value in SIZES.items()}
        expected = [parse(by_hand).evaluate({name: int(array[at]) for name, array in sizes.items()}) for at in range(3)]
        assert costs.parameters(build(sizes)).tolist() == expected

    def test_as_sympy(self, build, by_hand):
        assert (build(SYMBOLS).expr - parse(by_hand).expr).expand() == 0


def test_components_are_values():
    assert rms_norm(8) == rms_norm(8)
    with pytest.raises(AttributeError):
        rms_norm(8).name = "other"
    assert gated(Name("d"), Name("m")).latex == "3dm"
    assert gated(Name("d"), Name("m"))._repr_latex_() == r"$\displaystyle 3dm$"


class TestCosts:
    EXPERTS = routed_experts(gated(96, 56), 6, 3)

    def test_stored_and_active_experts(self):
        assert costs.parameters(self.EXPERTS) == 6 * 3 * 96 * 56
        assert costs.active_parameters(self.EXPERTS) == 3 * 3 * 96 * 56
        assert costs.linear_parameters(self.EXPERTS) == 3 * 3 * 96 * 56

    def test_the_correction_is_a_buffer(self):
        corrected = router(96, 6, correction=True)
        assert (costs.parameters(corrected), costs.buffers(corrected)) == (96 * 6, 6)

    def test_linear_leaves_out_biases_norms_lookups_and_the_head(self):
        assert costs.linear_parameters(gated(96, 200, bias=True)) == 3 * 96 * 200
        for component in (rms_norm(96), token_embedding(501, 96), learned_positions(64, 96), head(501, 96, 2, bias=True)):
            assert costs.linear_parameters(component) == 0

    @pytest.mark.parametrize("c", [1, 2])
    def test_the_output_matrix_counts_once_without_the_lookup(self, c):
        model = decoder("ends", token_embedding(501, 96), learned_positions(64, 96), head(501, 96, c))
        assert over(model, costs.parameters) == c * 501 * 96 + 64 * 96
        assert over(model, costs.active_without_input_embedding) == 501 * 96
        assert over(model, costs.non_embedding) == 0

    def test_layers_multiply_what_they_hold(self):
        model = decoder("two kinds", layers(5, rms_norm(96)), layers(3, gated(96, 200)), rms_norm(96))
        assert over(model, costs.parameters) == 5 * 96 + 3 * 3 * 96 * 200 + 96

    def test_12Ld2_comes_out_of_both_kinds_of_block(self):
        d, L = Name("d"), Name("L")
        old = layers(L, multi_head_attention(d), two_matrix(d, 4 * d))
        new = layers(L, multi_head_attention(d), gated(d, 8 * d / 3))
        assert over(old, costs.parameters).text == over(new, costs.parameters).text == "12Ld²"
        assert over(layers(6, multi_head_attention(48), gated(48, 128)), costs.parameters) == 12 * 6 * 48 * 48
