"""What FLOP counts can be: products with the weights, attention between tokens, logits; a multiply-add is 2."""

from __future__ import annotations

from fractions import Fraction

from derive.architecture.feed_forward import gated, two_matrix
from derive.checker.concepts.forms.form import ONE, ZERO, Choice, Form, Frame, Part, fixed, product_of
from derive.checker.concepts.forms.parameters import GATED, M_E, TWO, WIDE, D, L, M, N, attention_weights, of
from derive.checker.concepts.matching.monomials import TOTALS
from derive.formula.tree import Formula, Name, Number, as_formula
from derive.quantities import quantity
from derive.quantities.quantity import s

TRAINING, FORWARD, BACKWARD, RECOMPUTED = "training = 3 × forward", "forward pass", "backward = 2 × forward", "activations recomputed"
LOOKED_UP = "the lookup counted as a product"
_PASSES = {
    "forward": (Frame(),),
    "backward": (Frame(Number(2), (BACKWARD,)),),
    "training": (Frame(Number(3), (TRAINING,)), Frame(Number(4), (TRAINING, RECOMPUTED))),
    "": (Frame(ONE, (FORWARD,)), Frame(Number(3), (TRAINING,)), Frame(Number(4), (TRAINING, RECOMPUTED)), Frame(Number(2), (BACKWARD,))),
}
_TOKENS = {
    "token": (Frame(),),
    "sequence": (Frame(N),),
    "batch": (Frame(as_formula(s("B") * N)),),
    "": (Frame(), Frame(N), Frame(as_formula(s("B") * N)), Frame(s("B")), Frame(Name("D_tokens"))),
}


def frames(passes: str, per: frozenset[str], *, macs: bool = False, layers: bool = True) -> tuple[Frame, ...]:
    """Forward, backward or training; for a token or many; in a layer or in all."""
    tokens = next((_TOKENS[each] for each in ("token", "sequence", "batch") if each in per), _TOKENS[""])
    in_layers = (Frame(),) if not layers or "layer" in per else (Frame(L),) if "model" in per else (Frame(), Frame(L))
    half = (Frame(Number(Fraction(1, 2))),) if macs else (Frame(),)
    return product_of(half, _PASSES[passes], tokens, in_layers)


def _twice(formula: Formula) -> Formula:
    return as_formula(2 * formula)


def products(name: str, weights: Formula) -> Part:
    """The products of a token with weights."""
    return fixed(name, _twice(weights))


def scores(products_of_pair: int = 2) -> Part:
    """Scores and weighted sums of a token against all n, or against those that it sees; 1 for one of the two."""
    full = 2 * products_of_pair * N * s("d_q")
    return Part(
        "attention scores and values",
        (
            Choice(as_formula(full), ("no causal discount",)),
            Choice(as_formula(full / 2), ("causal, n/2 tokens seen",)),
            Choice(as_formula(products_of_pair * (N + 1) * s("d_q")), ("causal, (n + 1)/2 tokens seen",)),
        ),
        left_out=(as_formula(full), as_formula(full)),
    )


def _feed_forward(width: Formula = M, copies: Formula = ONE, name: str = "feed-forward") -> Part:
    choices = (Choice(_twice(of(two_matrix(D, width))), (TWO,)), Choice(_twice(of(gated(D, width))), (GATED,)))
    return Part(name, choices).times(copies)


def logits(*, alone: bool = False) -> Part:
    """The product with the output matrix; beside the rest of a model also as some count it."""
    each = quantity("F_logits").general
    others = (
        Choice(as_formula(2 * each), (LOOKED_UP,)),
        Choice(as_formula(Fraction(3, 4) * each), (RECOMPUTED, "logits not recomputed")),
    )
    return Part("logits", (Choice(each), *(() if alone else others)), None if alone else (each, each))


def _router() -> Part:
    each = _twice(quantity("P_router").general)
    return Part("router", (Choice(each),), (each, each))


def _experts() -> tuple[Part, ...]:
    shared = _feed_forward(s("m_s"), s("E_s"), "shared experts")
    choices = (Choice(each.formula, (*each.assumptions, "shared experts")) for each in shared.choices)
    return _feed_forward(M_E, s("k"), "routed experts"), Part("shared experts", (Choice(ZERO), *choices)), _router()


def block() -> tuple[Part, ...]:
    """A dense layer."""
    return products("attention projections", attention_weights()), _feed_forward(), scores()


def sparse_block() -> tuple[Part, ...]:
    """A layer with a mixture of experts."""
    return products("attention projections", attention_weights()), *_experts(), scores()


def parts_of(thing: str) -> tuple[tuple[Part, ...], ...]:
    """What a part of a layer computes for a token; one entry for each way to take it."""
    letters = {"qkv": "QKV", "kv": "KV", "q": "Q", "k": "K", "v": "V", "o": "O"}
    if thing in letters:
        return ((products(f"projections {letters[thing]}", attention_weights(*letters[thing])),),)
    alone = _without_dropping
    known: dict[str, tuple[tuple[Part, ...], ...]] = {
        "attention": (
            (products("attention projections", attention_weights()), alone(scores())),
            (products("attention projections", attention_weights()),),
            (alone(scores()),),
        ),
        "scores": ((alone(scores(1)),), (alone(scores()),)),
        "qkvo": ((products("attention projections", attention_weights()),),),
        "attention scores": ((alone(scores()),), (alone(scores(1)),)),
        "ffn": ((_feed_forward(),),),
        "up": ((products("up-projection", as_formula(D * M)),),),
        "down": ((products("down-projection", as_formula(D * M)),),),
        "expert": ((_feed_forward(M_E, name="expert"),),),
        "moe": (_experts(),),
        "router": ((alone(_router()),),),
        "head": ((logits(alone=True),),),
        "ends": ((logits(alone=True),),),
        "block": (block(), sparse_block()),
    }
    return known.get(thing, ())


def _without_dropping(part: Part) -> Part:
    return Part(part.name, part.choices)


def of_part(thing: str, passes: str, per: frozenset[str], *, macs: bool) -> tuple[Form, ...]:
    """The forms of a part of a layer, of a layer, or of the logits."""
    given = WIDE if thing == "block" else frozenset[str]()
    where = frames(passes, per, macs=macs, layers=thing not in ("head", "ends"))
    return tuple(Form(parts, where, given) for parts in parts_of(thing))


def of_model(passes: str, per: frozenset[str], *, macs: bool) -> tuple[Form, ...]:
    """The forms of a whole model: from its parts, and from its parameters by the rule of thumb."""
    where = frames(passes, per, macs=macs, layers=False)
    dense = tuple(part.times(L) for part in block())
    sparse = tuple(part.times(L) for part in sparse_block())
    return (Form((*dense, logits()), where, WIDE), Form((*sparse, logits()), where, WIDE), *_rules(where))


def _rules(where: tuple[Frame, ...]) -> tuple[Form, ...]:
    """Two FLOPs a parameter, whatever the parameters are called; attention between tokens beside it."""
    return tuple(Form((fixed("parameters", _twice(Name(name))), scores().times(L)), where, WIDE) for name in TOTALS)
