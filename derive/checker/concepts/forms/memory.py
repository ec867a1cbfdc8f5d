"""What memory can be: the key/value cache, weights, gradients, optimizer and training state, activations."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from derive.algebra.arrange import simplified
from derive.checker.concepts.forms.form import ONE, Form, Frame, fixed, product_of
from derive.checker.concepts.forms.parameters import L, N, dense_total
from derive.checker.concepts.matching.monomials import TOTALS
from derive.costs.memory import SCHEMES
from derive.formula.tree import Name, Number, as_formula, total
from derive.quantities import Listed, quantities, quantity
from derive.quantities.quantity import s

ELEMENTS = "elements"
_B, _SIZE = s("B"), s("b")
_WIDTHS = (
    (Number(2), "16 bit"),
    (Number(1), "8 bit"),
    (Number(4), "32 bit"),
    (Number(Fraction(1, 2)), "4 bit"),
)


def _sizes(measure: str) -> tuple[Frame, ...]:
    """Bytes of an element, or elements."""
    in_bytes = (Frame(_SIZE), *(Frame(number, (name,)) for number, name in _WIDTHS))
    if measure == "elements":
        return (Frame(),)
    if measure == "bytes":
        return in_bytes
    return (Frame(_SIZE), Frame(ONE, (ELEMENTS,)), *in_bytes[1:])


def _cached_tokens(per: frozenset[str]) -> tuple[Frame, ...]:
    if "token" in per:
        return (Frame(),)
    one, many = Frame(ONE, ("batch 1",)), Frame(_B)
    of_one_token = () if per & {"sequence", "batch"} else (Frame(), Frame(_B))
    return (*product_of((Frame(N),), (many, one)), *of_one_token)


def cache(measure: str, per: frozenset[str]) -> tuple[Form, ...]:
    """The key/value cache: keys and values, or latent attention's compressed ones; K or V alone is not it."""
    layers = (Frame(ONE),) if "layer" in per else (Frame(L),) if "model" in per else (Frame(L), Frame(ONE, ("one layer",)))
    frames = product_of(layers, _cached_tokens(per), _sizes(measure))
    plain, latent = quantity("N_kv").general / L, quantity("N_kv_mla").general / L
    window = quantity("N_kv_window").general
    whole = product_of((Frame(), Frame(_B)), _sizes(measure))
    return (
        Form((fixed("keys and values", simplified(plain)),), frames),
        Form((fixed("latent cache", simplified(latent)),), frames, assumptions=("latent attention",)),
        Form((fixed("keys and values", window),), whole, assumptions=("sliding window",)),
    )


def weights(measure: str) -> tuple[Form, ...]:
    """Bytes of the weights, from the parameters under whatever name."""
    sizes = _sizes(measure or "bytes")
    return (*(Form((fixed("parameters", Name(name)),), sizes) for name in TOTALS), replace(dense_total(), frames=sizes))


def gradients() -> tuple[Form, ...]:
    """Bytes of the gradients."""
    return _schemes({"gradients in 16 bit": 2, "gradients in 32 bit": 4, "gradients in both precisions": 6, ELEMENTS: 1})


def optimizer() -> tuple[Form, ...]:
    """Bytes of the optimizer's state, by scheme."""
    found = {scheme.optimizer_bytes: " + ".join(f"{size} {name}" for name, size in scheme.optimizer) for scheme in SCHEMES.values()}
    known = {said: size for size, said in found.items() if size}
    return _schemes({**known, "4 first moment + 4 second moment": 8, "2 first moment + 2 second moment": 4, "two moments, in elements": 2})


def training_state(*, eight_bit: bool) -> tuple[Form, ...]:
    """Bytes of weights, gradients and optimizer together, by scheme; weights and gradients in `eight_bit` only where the label says so."""
    found: dict[int, str] = {}
    for scheme in SCHEMES.values():
        size = scheme.bytes_per_parameter
        found[size] = f"{found[size]}, or {scheme.spelled}" if size in found else scheme.spelled
    extra = {
        12: "2 weights + 2 gradients + 4 first moment + 4 second moment",
        6: "2 weights + 4 gradients",
        4: "weights, gradients and two moments, in elements",
        **({14: "1 weights + 1 gradients + 4 master weights + 4 first moment + 4 second moment"} if eight_bit else {}),
    }
    for size, said in extra.items():
        found[size] = f"{found[size]}, or {said}" if size in found else said
    return (*_schemes({said: size for size, said in found.items()}), *_sharded())


def _sharded() -> tuple[Form, ...]:
    """The state on one of N_d devices, by ZeRO's stages."""
    found = []
    for stage in (1, 2, 3):
        listed = quantities()[f"M_zero{stage}"]
        if not isinstance(listed, Listed):
            raise TypeError(f"{listed.name} lists no terms")
        whole = as_formula(total(term for _, term in listed.terms))
        for name in TOTALS:
            parts = (fixed("training state", whole.substitute({"P_total": Name(name)})),)
            found.append(Form(parts, assumptions=(f"ZeRO stage {stage}", "2 weights + 2 gradients + 12 optimizer")))
    return tuple(found)


def score_matrix(measure: str, per: frozenset[str]) -> tuple[Form, ...]:
    """The n × n scores of every head, kept or computed at once."""
    layers = (Frame(),) if "layer" in per else (Frame(), Frame(L))
    return (Form((fixed("scores", as_formula(s("h") * N * N)),), product_of(layers, (Frame(), Frame(_B)), _sizes(measure))),)


def _schemes(sizes: dict[str, int]) -> tuple[Form, ...]:
    frames = tuple(Frame(Number(size), (said,)) for said, size in sizes.items())
    return (*(Form((fixed("parameters", Name(name)),), frames) for name in TOTALS), replace(dense_total(), frames=frames))


_ACTIVATIONS = {
    "A_layer": "two matrices, dropout",
    "A_layer_no_dropout": "no dropout",
    "A_layer_gated": "gated FFN, no dropout",
    "A_layer_fused": "gated FFN, no dropout, fused attention",
    "A_layer_selective": "core of attention recomputed",
    "A_layer_full": "everything recomputed",
}


def _activation_frames(per: frozenset[str]) -> tuple[Frame, ...]:
    layers = (Frame(),) if "layer" in per else (Frame(L),) if "model" in per else (Frame(), Frame(L))
    return product_of(layers, (Frame(), Frame(_B**-1, ("batch 1",))))


def activations(per: frozenset[str]) -> tuple[Form, ...]:
    """Activations that training keeps, of a layer or of all."""
    known = quantities()
    every = []
    for name, said in _ACTIVATIONS.items():
        found = known[name]
        given = frozenset(f"{symbol} = {value.text}" for symbol, value in found.given.items())
        every.append(Form((fixed("activations of a layer", found.general),), _activation_frames(per), given, (said,)))
    return tuple(every)


def activations_of(thing: str, per: frozenset[str]) -> tuple[Form, ...]:
    """The activations of attention or of the feed-forward network, the latter also with the inputs of the norms."""
    every = []
    for name in ("A_layer", "A_layer_no_dropout", "A_layer_gated"):
        found = quantities()[name]
        if not isinstance(found, Listed):
            raise TypeError(f"{name} lists no tensors")
        sizes = [size for _, size in found.terms]
        place = next(at for at, (kept, _) in enumerate(found.terms) if kept.en == "input of the feed-forward network")
        options = (sizes[:place],) if thing == "attention" else (sizes[place:-1], sizes[place:])
        given = frozenset(f"{symbol} = {value.text}" for symbol, value in found.given.items())
        for option in options:
            formula = as_formula(total(option))
            every.append(Form((fixed(f"activations of {thing}", formula),), _activation_frames(per), given, (_ACTIVATIONS[name],)))
    return tuple(every)
