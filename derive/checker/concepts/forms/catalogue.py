"""From a concept to the forms that it can have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from derive.checker.concepts.concept import Concept
from derive.checker.concepts.forms import compute, memory, parameters
from derive.checker.concepts.forms.form import ONE, Form, Frame, fixed
from derive.checker.concepts.forms.parameters import PER_LAYER, WIDE, L
from derive.formula.tree import Formula
from derive.quantities import DEFAULT_VARIANT, Variant, quantities
from derive.quantities.quantity import s


@cache
def forms_of(concept: Concept, *, experts: bool = True) -> tuple[Form, ...]:
    """Every form that a formula of this concept can have, the usual first; without `experts` those of dense models, if it can be dense."""
    if not experts and concept.measure == "parameters" and concept.object in _DENSE:
        return _in_layers(concept, _DENSE[concept.object]())
    if concept.object == "quantity":
        return _of_quantity(concept.own)
    if concept.measure in ("flops", "macs"):
        return _compute(concept)
    if concept.object in _MEMORY:
        return _MEMORY[concept.object](concept)
    return _in_layers(concept, _PARAMETERS[concept.object](concept)) if concept.object in _PARAMETERS else ()


_VARIANTS = (
    (DEFAULT_VARIANT, ()),
    (Variant(ffn="two-matrix"), (parameters.TWO,)),
    (Variant(ffn="two-matrix", norm="layer"), (parameters.TWO, parameters.LAYER)),
    (Variant(ffn="two-matrix", norm="layer", bias=True), (parameters.TWO, parameters.LAYER, "biases")),
    (Variant(ffn="two-matrix", norm="layer", bias=True, positions=True), (parameters.TWO, parameters.LAYER, "biases", "learned positions")),
)


def _of_quantity(name: str) -> tuple[Form, ...]:
    """A quantity of the engine that has no parts here, for each usual kind of block."""
    forms: dict[Formula, Form] = {}
    for variant, said in _VARIANTS:
        found = quantities(variant)[name]
        given = frozenset(f"{symbol} = {value.text}" for symbol, value in found.given.items())
        forms.setdefault(found.general, Form((fixed(name, found.general),), given=given, assumptions=said))
    return tuple(forms.values())


def _compute(concept: Concept) -> tuple[Form, ...]:
    passes = next((each for each in ("training", "backward", "forward") if each in concept.per), "")
    macs = concept.measure == "macs"
    if concept.object == "model":
        return compute.of_model(passes, concept.per, macs=macs)
    return compute.of_part(concept.object, passes, concept.per, macs=macs)


def _dense_models() -> tuple[Form, Form]:
    return parameters.dense_total(), parameters.encoder_decoder_total()


def _models(concept: Concept) -> tuple[Form, ...]:
    dense, twice = _dense_models()
    return dense, parameters.sparse_total(s("E")), parameters.mixed_total(s("E")), twice


def _active(concept: Concept) -> tuple[Form, ...]:
    return parameters.sparse_total(s("k")), parameters.mixed_total(s("k"))


def _without_embedding(forms: tuple[Form, ...]) -> tuple[Form, ...]:
    return tuple(map(parameters.without_embedding, forms))


def _dense_blocks() -> tuple[Form, Form]:
    cross = Form(parameters.cross_block(), given=WIDE, assumptions=("self- and cross-attention",))
    return Form(parameters.block(), given=WIDE), cross


def _blocks(concept: Concept) -> tuple[Form, ...]:
    dense, cross = _dense_blocks()
    return dense, Form(parameters.sparse_block(s("E")), given=WIDE), cross


def _active_block(concept: Concept) -> tuple[Form, ...]:
    return (Form(parameters.sparse_block(s("k")), given=WIDE),)


def _of(letters: str) -> Callable[[Concept], tuple[Form, ...]]:
    return lambda concept: (Form(parameters.projections(letters.upper())),)


_PARAMETERS: dict[str, Callable[[Concept], tuple[Form, ...]]] = {
    "model": _models,
    "active model": _active,
    "non-embedding": lambda concept: _without_embedding(_models(concept)),
    "block": _blocks,
    "active block": _active_block,
    "attention": lambda concept: (Form(parameters.attention()), *_latent()),
    "attention head": lambda concept: (parameters.attention_head(),),
    "qkvo": _of("qkvo"),
    "qkv": _of("qkv"),
    "kv": _of("kv"),
    "q": _of("q"),
    "k": _of("k"),
    "v": _of("v"),
    "o": _of("o"),
    "ffn": lambda concept: (Form((parameters.feed_forward(),)),),
    "up": lambda concept: (Form((parameters.matrix_of_feed_forward("up"),)),),
    "down": lambda concept: (Form((parameters.matrix_of_feed_forward("down"),)),),
    "norm": lambda concept: (parameters.one_norm(),),
    "norms": lambda concept: parameters.all_norms(),
    "final norm": lambda concept: (parameters.one_norm(),),
    "embedding": lambda concept: parameters.embedding(),
    "ends": lambda concept: parameters.both_ends(),
    "head": lambda concept: parameters.output_head(),
    "positions": lambda concept: parameters.position_table(),
    "router": lambda concept: (Form(tuple(replace(part, left_out=None) for part in parameters.experts(ONE) if part.name == "router")),),
    "expert": lambda concept: (Form((parameters.feed_forward(parameters.M_E, "expert"),)),),
    "shared": lambda concept: (Form((parameters.feed_forward(parameters.M_S, "shared expert"),)),),
    "experts": lambda concept: (Form((parameters.feed_forward(parameters.M_E, "experts"),), (Frame(s("E")),)),),
    "active experts": lambda concept: (Form((parameters.feed_forward(parameters.M_E, "experts"),), (Frame(s("k")),)),),
    "moe": lambda concept: (Form(parameters.experts(s("E"))),),
    "active moe": lambda concept: (Form(parameters.experts(s("k"))),),
    "lora": lambda concept: parameters.lora(),
}
_DENSE: dict[str, Callable[[], tuple[Form, ...]]] = {
    "model": _dense_models,
    "non-embedding": lambda: _without_embedding(_dense_models()),
    "block": _dense_blocks,
}
"""What is laid out for a formula that speaks of no experts."""
_IN_LAYERS = frozenset(
    (
        *"block attention qkvo qkv kv q k v o ffn up down router expert shared experts moe norm".split(),
        *("active block", "active experts", "active moe", "attention head"),
    )
)


def _in_layers(concept: Concept, forms: tuple[Form, ...]) -> tuple[Form, ...]:
    """In one layer, or in all of them, unless the label says which."""
    if concept.object not in _IN_LAYERS or "layer" in concept.per:
        return forms
    layers = (Frame(L),) if "model" in concept.per else PER_LAYER
    return tuple(replace(form, frames=tuple(frame.times(other) for other in layers for frame in form.frames)) for form in forms)


def _latent() -> tuple[Form, ...]:
    return (Form((fixed("latent attention", quantities()["P_mla"].general),), assumptions=("latent attention",)),)


_MEMORY: dict[str, Callable[[Concept], tuple[Form, ...]]] = {
    "cache": lambda concept: memory.cache(concept.measure, concept.per),
    "scores": lambda concept: memory.score_matrix(concept.measure, concept.per),
    "weights": lambda concept: memory.weights(concept.measure),
    "gradients": lambda concept: memory.gradients(),
    "optimizer": lambda concept: memory.optimizer(),
    "state": lambda concept: memory.training_state(eight_bit="8 bit" in concept.hints),
    "activations": lambda concept: memory.activations(concept.per),
    "attention activations": lambda concept: memory.activations_of("attention", concept.per),
    "ffn activations": lambda concept: memory.activations_of("ffn", concept.per),
}
