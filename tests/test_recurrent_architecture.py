"""Components that mix tokens without attention, each against a closed form written by hand, in its three readings."""

import pytest

from derive.architecture.attention import ALL_BIAS, QueryKeyNorm
from derive.architecture.context import linear_attention_state, recurrent_state, softmax_attention, state_space_state
from derive.architecture.convolution import short_convolution
from derive.architecture.delta_net import delta_attention, gated_delta_net
from derive.architecture.gated_attention import attention_gate, gated_query_attention
from derive.architecture.gated_recurrence import channel_mixing, recurrent_block, time_mixing
from derive.architecture.lightning_attention import lightning_attention
from derive.architecture.matrix_memory import matrix_memory
from derive.architecture.model import decoder, layers
from derive.architecture.state_space import selective_state_space, state_space_duality
from derive.costs import over
from derive.costs import parameters as costs
from derive.costs.cache import cache_elements
from derive.costs.flops import decode_flops, prefill_flops, token_flops, uncounted
from derive.costs.lora import lora_parameters
from derive.errors import ConfigError
from derive.formula.parse import parse
from derive.formula.tree import Name

SIZES = {
    "d": 96, "d_q": 128, "d_kv": 32, "d_h": 16, "h": 8, "m": 200, "d_rec": 160, "d_state": 12, "d_conv": 4, "r_dt": 6, "h_ssm": 10,
    "g_ssm": 2, "h_lk": 3, "h_lv": 6, "d_lk": 14, "d_lv": 18, "d_block": 20,
}  # fmt: skip
SELECTIVE = ("d", "d_rec", "d_state", "d_conv", "r_dt")
DUALITY = ("d", "d_rec", "d_state", "d_conv", "h_ssm", "g_ssm")


def _of(component, names, **options):
    return lambda s: component(*(s[name] for name in names), **options)


MIXED = "(d_rec + 2g_ssm*d_state)"
PROJECTED = "(2d_rec + 2g_ssm*d_state + h_ssm)"
DELTA = "d(2h_lk*d_lk + 2h_lv*d_lv) + 2d*h_lv + (2h_lk*d_lk + h_lv*d_lv)*d_conv + 2h_lv + d_lv + h_lv*d_lv*d"
COMPONENTS = [
    (
        "Mamba",
        _of(selective_state_space, SELECTIVE),
        "2d*d_rec + d_rec*d_conv + 2d_rec*d_state + 2d_rec*r_dt + 3d_rec + d_rec*d_state + d_rec*d",
    ),
    (
        "Mamba with biases, without the kernel's",
        _of(selective_state_space, SELECTIVE, bias=True, conv_bias=False),
        "2d*d_rec + 2d_rec + d_rec*d_conv + 2d_rec*r_dt + 2d_rec*d_state + 2d_rec + d_rec*d_state + d_rec*d + d",
    ),
    (
        "Mamba with norms inside",
        _of(selective_state_space, SELECTIVE, norms=True),
        "3d*d_rec + d_rec*d_conv + 2d_rec*r_dt + 3d_rec*d_state + 3d_rec + r_dt + 2d_state",
    ),
    ("Mamba-2", _of(state_space_duality, DUALITY), f"d*{PROJECTED} + {MIXED}*d_conv + {MIXED} + 3h_ssm + d_rec + d_rec*d"),
    (
        "Mamba-2 with biases and without norm",
        _of(state_space_duality, DUALITY, bias=True, norm=False),
        f"d*{PROJECTED} + {PROJECTED} + {MIXED}*d_conv + {MIXED} + 3h_ssm + d_rec*d + d",
    ),
    (
        "Mamba-2 with a bias on the output alone",
        _of(state_space_duality, DUALITY, out_bias=True, conv_bias=False),
        f"d*{PROJECTED} + {MIXED}*d_conv + 3h_ssm + d_rec + d_rec*d + d",
    ),
    ("short convolution", _of(short_convolution, ("d", "d_conv")), "4d^2 + d*d_conv"),
    ("short convolution with biases", _of(short_convolution, ("d", "d_conv"), bias=True), "4d^2 + d*d_conv + 5d"),
    (
        "gated delta net",
        _of(gated_delta_net, ("d", "h_lk", "d_lk", "h_lv", "d_lv", "d_conv")),
        DELTA,
    ),
    (
        "delta attention",
        _of(delta_attention, ("d", "h_lk", "d_lk", "d_conv")),
        "4d*h_lk*d_lk + 3h_lk*d_lk*d_conv + 2d*d_lk + 2h_lk*d_lk^2 + h_lk*d_lk + h_lk + d*h_lk + d_lk",
    ),
    ("gated delta net, projections apart", _of(gated_delta_net, ("d", "h_lk", "d_lk", "h_lv", "d_lv", "d_conv"), fused="none"), DELTA),
    ("gated delta net, q, k and v together", _of(gated_delta_net, ("d", "h_lk", "d_lk", "h_lv", "d_lv", "d_conv"), fused="qkv"), DELTA),
    (
        "delta attention without thin matrices",
        _of(delta_attention, ("d", "h_lk", "d_lk", "d_conv"), low_rank=False),
        "6d*h_lk*d_lk + 3h_lk*d_lk*d_conv + h_lk*d_lk + h_lk + d*h_lk + d_lk",
    ),
    ("matrix memory", _of(matrix_memory, ("d", "h_lk", "d_lk", "d_lv")), "2d*h_lk*d_lk + 3d*h_lk*d_lv + 2d*h_lk + 2h_lk + h_lk*d_lv"),
    (
        "matrix memory with biases",
        _of(matrix_memory, ("d", "h_lk", "d_lk", "d_lv"), bias=True),
        "2d*h_lk*d_lk + 3d*h_lk*d_lv + 2d*h_lk + 2h_lk + 2h_lk*d_lk + 4h_lk*d_lv + d",
    ),
    ("attention gate", _of(attention_gate, ("d", "h")), "d*h"),
    ("lightning attention", _of(lightning_attention, ("d", "d_q")), "5d*d_q + d_q"),
    (
        "recurrent block",
        _of(recurrent_block, ("d", "d_rec", "d_conv", "h", "d_block")),
        "3d*d_rec + d_rec*d_conv + 2h*d_block^2 + 6d_rec + d",
    ),
    ("time mixing", _of(time_mixing, ("d", "d_q")), "4d*d_q + 2d_q + 3d"),
    ("channel mixing", _of(channel_mixing, ("d", "m")), "2dm + d^2 + 2d"),
    ("gated attention", _of(gated_query_attention, ("d", "d_q", "d_kv")), "3d*d_q + 2d*d_kv"),
    (
        "gated attention with biases and norms",
        lambda s: gated_query_attention(s["d"], s["d_q"], s["d_kv"], bias=ALL_BIAS, norm=QueryKeyNorm(s["d_h"], s["d_h"])),
        "3d*d_q + 2d*d_kv + 2d_q + 2d_kv + d + 2d_h",
    ),
]
SYMBOLS = {name: Name(name) for name in SIZES}


@pytest.mark.parametrize(("build", "by_hand"), [row[1:] for row in COMPONENTS], ids=[row[0] for row in COMPONENTS])
class TestReadings:
    def test_as_a_formula(self, build, by_hand):
        assert (build(SYMBOLS).expr - parse(by_hand).expr).expand() == 0
        assert parse(build(SYMBOLS).formula.text).evaluate(SIZES) == parse(by_hand).evaluate(SIZES)

    def test_as_integers(self, build, by_hand):
        count = costs.parameters(build(SIZES))
        assert type(count) is int
        assert count == parse(by_hand).evaluate(SIZES)

    def test_as_arrays(self, build, by_hand):
        numpy = pytest.importorskip("numpy")
        sizes = {name: numpy.array([value, value + 3, 2 * value]) for name, value in SIZES.items()}
        expected = [parse(by_hand).evaluate({name: int(array[at]) for name, array in sizes.items()}) for at in range(3)]
        assert costs.parameters(build(sizes)).tolist() == expected


class TestCosts:
    STATE = state_space_state(160, 12, 4)

    def test_a_state_is_kept_once_however_long_the_context(self):
        assert [cache_elements(self.STATE, n) for n in (1, 1000)] == [160 * 12 + 160 * 4] * 2
        assert cache_elements(linear_attention_state(8, 16, 16), 1000) == 8 * 16 * 16
        assert cache_elements(recurrent_state(0, 96, 3), 7) == 96 * 3

    def test_the_flops_of_a_recurrence_are_not_counted(self):
        model = decoder("hybrid", layers(3, softmax_attention(128, 32)), layers(5, self.STATE))
        assert "token by token" in uncounted(model)
        for flops in (prefill_flops, decode_flops, token_flops):
            with pytest.raises(ConfigError, match="hybrid: the FLOPs of a forward pass are not counted: a recurrence"):
                flops(model, 16)
        assert uncounted(decoder("attention", layers(3, softmax_attention(128, 32)))) == ""

    def test_kernels_decays_and_norms_are_no_matrix_products(self):
        mamba = selective_state_space(96, 160, 12, 4, 6, bias=True, norms=True)
        assert costs.linear_parameters(mamba) == 2 * 96 * 160 + 160 * (6 + 24) + 6 * 160 + 160 * 96

    def test_adapters_stand_beside_the_projections_of_recurrent_layers(self):
        model = decoder("mamba", layers(2, selective_state_space(96, 160, 12, 4, 6)))
        projections = (96 + 320) + (160 + 30) + (6 + 160) + (160 + 96)
        for target in ("recurrent", "linear", "all-linear"):
            assert lora_parameters(model, 8, [target]) == 2 * 8 * projections
        with pytest.raises(ConfigError, match="no projection 'attention' in this model; there are W_in, W_x, W_dt, W_out, recurrent"):
            lora_parameters(model, 8, ["attention"])

    def test_no_adapter_stands_beside_the_diagonal_blocks_of_an_rg_lru(self):
        model = decoder("griffin", layers(1, recurrent_block(96, 160, 4, 8, 20)))
        assert lora_parameters(model, 8, ["recurrent"]) == 8 * 3 * (96 + 160)
        assert over(model, costs.linear_parameters) == 3 * 96 * 160 + 2 * 8 * 20 * 20
