"""What parameter counts can be: the engine's components, each with the options that people choose without saying so."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from derive.architecture.attention import ALL_BIAS, NO_BIAS, QKV_BIAS, AttentionBias, grouped_query_attention
from derive.architecture.component import Component, stored
from derive.architecture.embeddings import embedding_and_head, head, learned_positions, token_embedding
from derive.architecture.experts import router, shared_expert_gate
from derive.architecture.feed_forward import gated, two_matrix
from derive.architecture.norms import layer_norm, rms_norm
from derive.architecture.tensor import Tensor
from derive.checker.concepts.forms.form import ONE, ZERO, Choice, Form, Frame, Part, fixed
from derive.formula.tree import Formula, as_formula, total
from derive.quantities.quantity import s

D, D_Q, D_KV, D_H, M, M_E, M_S, V, L, N = map(s, ("d", "d_q", "d_kv", "d_h", "m", "m_e", "m_s", "V", "L", "n"))
GATED, TWO = "gated FFN", "two-matrix FFN"
NO_ATTENTION_BIAS, NO_FFN_BIAS, ATTENTION_BIAS, FFN_BIAS = "no attention bias", "no FFN bias", "attention biases", "FFN biases"
RMS, LAYER, ONE_LAYER_NORM = "RMSNorm", "LayerNorm", "one LayerNorm a layer"
WIDE = frozenset({"d_q = d"})
PER_LAYER = (Frame(), Frame(L))


@cache
def of(component: Component) -> Formula:
    """The stored parameters of a component."""
    return as_formula(stored(component.tensors))


def some(component: Component, *names: str) -> Formula:
    """Elements of the tensors with these names."""
    return as_formula(total(tensor.size for tensor in component.tensors if tensor.name in names))


@cache
def _attention(bias: AttentionBias) -> Component:
    return grouped_query_attention(D, D_Q, D_KV, bias=bias)


@cache
def attention_weights(*letters: str) -> Formula:
    """The matrices of the projections with these letters; of all four for none."""
    return some(_attention(NO_BIAS), *(f"W_{letter}" for letter in letters or "QKVO"))


@cache
def attention() -> tuple[Part, ...]:
    """The four projections, with or without biases, and the norms of queries and keys that some models have."""
    choices = (
        Choice(of(_attention(NO_BIAS)), (NO_ATTENTION_BIAS,)),
        Choice(of(_attention(ALL_BIAS)), (ATTENTION_BIAS,)),
        Choice(of(_attention(QKV_BIAS)), ("bias on Q, K and V",)),
    )
    between = Part("norms of queries and keys", (Choice(ZERO), Choice(as_formula(2 * D_H), ("norms of queries and keys",))))
    return Part("attention", choices), between


def projections(letters: str) -> tuple[Part, ...]:
    """Some of the four projections."""
    full = _attention(ALL_BIAS)
    weights, biases = some(full, *(f"W_{each}" for each in letters)), some(full, *(f"b_{each}" for each in letters))
    choices = (Choice(weights, (NO_ATTENTION_BIAS,)), Choice(as_formula(weights + biases), (ATTENTION_BIAS,)))
    return (Part(f"projections {letters}", choices),)


def attention_head() -> Form:
    """One head of attention: its part of the query, key and value projections, with or without the output's."""
    head_wide = {"d_q": D_H, "d_kv": D_H}
    three, four = (attention_weights(*letters).substitute(head_wide) for letters in ("QKV", "QKVO"))
    return Form((Part("one head", (Choice(three, ("Q, K and V",)), Choice(four, ("Q, K, V and O",)))),))


@cache
def feed_forward(width: Formula = M, name: str = "feed-forward") -> Part:
    """The feed-forward network, with two matrices or three."""
    return Part(
        name,
        (
            Choice(of(two_matrix(D, width)), (TWO, NO_FFN_BIAS)),
            Choice(of(gated(D, width)), (GATED, NO_FFN_BIAS)),
            Choice(of(two_matrix(D, width, bias=True)), (TWO, FFN_BIAS)),
            Choice(of(gated(D, width, bias=True)), (GATED, FFN_BIAS)),
        ),
    )


def matrix_of_feed_forward(name: str) -> Part:
    """One matrix of the feed-forward network: `up` or `down`."""
    full = two_matrix(D, M, bias=True)
    weights, bias = some(full, f"W_{name}"), some(full, f"b_{name}")
    return Part(f"{name}-projection", (Choice(weights, (NO_FFN_BIAS,)), Choice(as_formula(weights + bias), (FFN_BIAS,))))


@cache
def norms(copies: int = 2) -> Part:
    """The norms of a block."""
    rms, layer = of(rms_norm(D)), of(layer_norm(D))
    return Part(
        "norms",
        (
            Choice(as_formula(copies * rms), (RMS,)),
            Choice(as_formula(copies * layer), (LAYER,)),
            Choice(rms, (RMS, "one norm a layer")),
            Choice(layer, (LAYER, ONE_LAYER_NORM)),
        ),
        left_out=(as_formula(copies * rms), as_formula(copies * layer)),
    )


@cache
def final_norm() -> Part:
    """The norm behind the last layer."""
    rms, layer = of(rms_norm(D)), of(layer_norm(D))
    return Part("final norm", (Choice(rms, (RMS,)), Choice(layer, (LAYER,))), left_out=(rms, layer))


def one_norm() -> Form:
    """One norm, or a few that a label speaks of together."""
    rms, layer = of(rms_norm(D)), of(layer_norm(D))
    return Form((Part("norm", (Choice(rms, (RMS,)), Choice(layer, (LAYER,)))),))


def all_norms() -> tuple[Form, ...]:
    """The norms of a block, or of the model with the final one."""
    final = final_norm()
    return (
        Form((replace(norms(), left_out=None),), PER_LAYER),
        Form((replace(norms(), left_out=None).times(L), final)),
    )


@cache
def ends() -> Part:
    """Both ends of the vocabulary: the embedding and the output head."""
    once, twice = as_formula(embedding_and_head(V, D, 1).formula), as_formula(embedding_and_head(V, D, 2).formula)
    either = of(embedding_and_head(V, D, s("c")))
    choices = (Choice(either), Choice(once, ("tied",)), Choice(twice, ("untied",)))
    return Part("embedding and output head", choices, left_out=(either, either))


@cache
def positions() -> Part:
    """The table of learned positions, in models that have one."""
    rows = (s("n_ctx"), N)
    tables = tuple(Choice(of(learned_positions(row, D)), ("learned positions",)) for row in rows)
    return Part("learned positions", (Choice(ZERO), *tables))


@cache
def head_bias() -> Part:
    """The bias of the output head, in models that have one."""
    return Part("bias of the output head", (Choice(ZERO), Choice(V, ("bias of the output head",))))


def block() -> tuple[Part, ...]:
    """A dense layer."""
    weights, between = attention()
    return weights, feed_forward(), norms(), between


def cross_block() -> tuple[Part, ...]:
    """A layer of an encoder-decoder's decoder: attention twice, three norms."""
    return *(part.times(as_formula(2 * ONE)) for part in attention()), feed_forward(), norms(3)


@cache
def experts(copies: Formula, *, router_stays: bool = False) -> tuple[Part, ...]:
    """Routed experts, shared experts where there are any, and the router."""
    routed = feed_forward(M_E, "routed experts").times(copies)
    one = feed_forward(M_S, "shared experts")
    many = one.times(s("E_s"))
    gate = of(shared_expert_gate(D))
    shared = tuple(Choice(each.formula, (*each.assumptions, "shared experts")) for part in (many, one) for each in part.choices)
    gated_shared = tuple(Choice(as_formula(each.formula + gate), (*each.assumptions, "gate of the shared experts")) for each in shared)
    choices = (Choice(ZERO), *shared, *gated_shared)
    scores = of(router(D, s("E")))
    return (
        routed,
        Part("shared experts", choices),
        Part("router", (Choice(scores), Choice(as_formula(scores + s("E")), ("router bias",))), None if router_stays else (scores, scores)),
    )


def sparse_block(copies: Formula) -> tuple[Part, ...]:
    """A layer with a mixture of experts."""
    weights, between = attention()
    return weights, *experts(copies), norms(), between


def _outside() -> tuple[Part, ...]:
    return ends(), positions(), final_norm(), head_bias()


def _in_layers(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple(part.times(L) for part in parts)


@cache
def dense_total() -> Form:
    """A dense model."""
    return Form((*_in_layers(block()), *_outside()), given=WIDE)


@cache
def encoder_decoder_total() -> Form:
    """An encoder and a decoder of L layers each, the decoder's with cross-attention."""
    weights, between = attention()
    inner = (weights.times(3 * L), feed_forward().times(2 * L), norms(5).times(L), between.times(3 * L))
    return Form((*inner, *_outside()), given=WIDE, assumptions=("encoder and decoder of L layers each",))


@cache
def sparse_total(copies: Formula, *assumptions: str) -> Form:
    """A model with experts in every layer, all of them or those that a token uses."""
    return Form((*_in_layers(sparse_block(copies)), *_outside()), given=WIDE, assumptions=assumptions)


@cache
def mixed_total(copies: Formula) -> Form:
    """A model with L_D dense layers and L_M layers of experts."""
    weights, between = attention()
    inner = (feed_forward().times(s("L_D")), *(part.times(s("L_M")) for part in experts(copies)))
    return Form((weights.times(L), *inner, norms().times(L), between.times(L), *_outside()), given=WIDE)


def without_embedding(form: Form) -> Form:
    """A whole model without both ends of the vocabulary."""
    names = {"embedding and output head", "learned positions", "bias of the output head"}
    return replace(form, parts=tuple(part for part in form.parts if part.name not in names))


def embedding() -> tuple[Form, ...]:
    """The token embedding; with the output head; with positions."""
    table = of(token_embedding(V, D))
    types = Part("token types", (Choice(ZERO), Choice(as_formula(2 * D), ("two token types",))))
    norm = Part("norm of the embedding", (Choice(ZERO), Choice(of(layer_norm(D)), ("norm of the embedding",))))
    return (
        Form((fixed("token embedding", table),)),
        Form((Part("embedding", (Choice(as_formula(2 * table), ("untied", "with the output head")),)),)),
        Form((fixed("token embedding", table), Part("learned positions", positions().choices[1:]), types, norm)),
    )


def both_ends() -> tuple[Form, ...]:
    """Embedding and output head together."""
    return (Form((replace(ends(), left_out=None), positions(), head_bias())),)


def output_head() -> tuple[Form, ...]:
    """The output head: what it stores beyond the embedding, or its matrix."""
    own = of(head(V, D, s("c")))
    matrix = as_formula(_size(head(V, D, 2).tensors[0]))
    return (
        Form((fixed("output head", own),)),
        Form((Part("output head", (Choice(matrix), Choice(as_formula(matrix + V), ("bias of the output head",)))),)),
    )


def _size(tensor: Tensor) -> Formula:
    return as_formula(tensor.size)


def position_table() -> tuple[Form, ...]:
    """The table of learned positions."""
    return (Form((Part("learned positions", tuple(Choice(choice.formula) for choice in positions().choices[1:])),)),)


def lora() -> tuple[Form, ...]:
    """LoRA on one square matrix, on queries and values, on attention, on every linear layer."""
    r = s("r")
    full = _attention(NO_BIAS)

    def update(*tensors: Tensor) -> Formula:
        return as_formula(total(r * (tensor.shape[0] + tensor.shape[1]) for tensor in tensors))

    by_name = {tensor.name: tensor for tensor in full.tensors}
    attention_matrices = full.tensors
    options = (
        (attention_matrices, "LoRA on Q, K, V and O"),
        ((by_name["W_Q"], by_name["W_V"]), "LoRA on Q and V"),
        ((by_name["W_Q"],), "LoRA on one matrix"),
        ((*attention_matrices, *gated(D, M).tensors), "LoRA on every linear layer, gated FFN"),
        ((*attention_matrices, *two_matrix(D, M).tensors), "LoRA on every linear layer, two-matrix FFN"),
        (tuple(by_name[f"W_{letter}"] for letter in "QKV"), "LoRA on Q, K and V"),
        (gated(D, M).tensors, "LoRA on the feed-forward network, gated"),
        (two_matrix(D, M).tensors, "LoRA on the feed-forward network, two matrices"),
        (two_matrix(D, M).tensors[:1], "LoRA on one matrix of the feed-forward network"),
    )
    return tuple(Form((Part("LoRA", (Choice(update(*tensors), (said,)),)),), PER_LAYER) for tensors, said in options)
