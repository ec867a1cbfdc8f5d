"""Tables of what models cost, side by side: shares of components, FLOPs, cache, memory, adapters, and estimates by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from derive.book import words
from derive.book.sizes import resolved
from derive.book.voice import Voice, alike, digits, in_units, short
from derive.costs import over, whole
from derive.costs.cache import cache_elements, cache_per_token
from derive.costs.flops import prefill_flops, training_flops
from derive.costs.lora import lora_parameters
from derive.costs.memory import SCHEMES, Sharing, training_scheme, training_state
from derive.counting import Count, count, count_model
from derive.dtypes import DTYPES, dtype
from derive.figures import usage
from derive.formula.numbers import decimal, rounded, significant
from derive.formula.parse import parse
from derive.reading import ReadModel, read_model
from derive.text import Text


class Costs(Voice):
    """Rows are models or kinds of cost, columns what is asked of them."""

    __slots__ = ()

    def by_name(self) -> dict[str, Callable[..., str]]:
        """The functions under the names that templates call them by."""
        return {
            "sizes": self.sizes,
            "shares": self.shares,
            "layer_shares": self.layer_shares,
            "widths": self.widths,
            "embedding_shares": self.embedding_shares,
            "estimates": self.estimates,
            "flops": self.flops,
            "rule_of_six": self.rule_of_six,
            "cache": self.cache,
            "cache_over": self.cache_over,
            "weights": self.weights,
            "formats": self.formats,
            "schemes": self.schemes,
            "training": self.training,
            "sharded": self.sharded,
            "activations": self.activations,
            "adapters": self.adapters,
        }

    # Parameters

    def sizes(self, symbols: str, *models: str) -> str:
        """The sizes of models by symbol."""
        names = symbols.split()
        rows = [
            [each.model, *(digits(each.symbols[name]) if name in each.symbols else "–" for name in names)] for each in map(count, models)
        ]
        heading = (words.MODEL, *(alike(self._inline(parse(name))) for name in names))
        return self._table(heading, rows, range(1, len(heading)))

    def shares(self, *models: str) -> str:
        """The shares of the kinds of components in models."""
        counted = [count(model) for model in models]
        groups = [group for group in words.GROUPS if any(_group(each, words.GROUPS[group]) for each in counted)]
        rows = [
            [each.model, digits(each.total), *(self._share_in_table(_group(each, words.GROUPS[group]), each.total) for group in groups)]
            for each in counted
        ]
        heading = (words.MODEL, words.PARAMETERS, *(words.GROUP_NAMES[group] for group in groups))
        return self._table(heading, rows, range(1, len(heading)))

    def layer_shares(self, *models: str) -> str:
        """The shares of attention, feed-forward and norms inside the layers alone."""
        inside = ("attention", "feed-forward", "norms")
        rows = []
        for each in map(count, models):
            parts = [_group(each, (name,)) for name in inside]
            rows.append([each.model, *(self._share_in_table(part, sum(parts)) for part in parts)])
        return self._table((words.MODEL, *(words.GROUP_NAMES[group] for group in inside)), rows, (1, 2, 3))

    def widths(self, *models: str) -> str:
        """The feed-forward widths of models beside their hidden sizes."""
        rows = []
        for each in map(count, models):
            d, m = each.symbols["d"], each.symbols["m"]
            matrices = _group(each, ("feed-forward",)) // (each.symbols["L"] * d * m)
            rows.append([each.model, digits(d), digits(m), digits(matrices), decimal(Fraction(m, d), 4)])
        heading = (
            words.MODEL,
            *(alike(self._inline(parse(name))) for name in ("d", "m")),
            words.MATRICES,
            alike(self._inline(parse("m/d"))),
        )
        return self._table(heading, rows, (1, 2, 3, 4))

    def embedding_shares(self, *models: str) -> str:
        """The token embedding of models, and its share of the whole."""
        rows = []
        for each in map(count, models):
            size = _group(each, ("token embedding",))
            rows.append([each.model, digits(each.symbols["V"]), digits(each.symbols["d"]), digits(size), self._percent(size, each.total)])
        heading = (words.MODEL, *(alike(self._inline(parse(name))) for name in ("V", "d", "V*d")), words.SHARE)
        return self._table(heading, rows, (1, 2, 3, 4))

    def estimates(self, formulas: Sequence[str], *models: str) -> str:
        """Hand formulas beside the exact count: what they come to, and how far off that is."""
        rows = []
        for each in map(count, models):
            cells = []
            for text in formulas:
                number = Fraction(resolved(parse(text)).evaluate(each.symbols))
                cells += [in_units(number, self.language, zeros=True), self._change(number - each.total, each.total)]
            rows.append([each.model, digits(each.total), *cells])
        columns = [column for text in formulas for column in (alike(self._inline(parse(text))), words.OFF)]
        return self._table((words.MODEL, words.EXACT, *columns), rows, range(1, 2 + len(columns)))

    # Compute

    def flops(self, n: int, *models: str) -> str:
        """FLOPs of the forward pass per token at a context of n tokens, by kind, beside twice the parameters."""
        names = ("linear_per_token", "attention_per_token", "logits_per_token", "forward_per_token")
        rows = []
        for model in models:
            found, total = usage(model, context=n)["flops"], count(model).total
            rows.append([model, *(_giga(found[name]) for name in names), _giga(2 * total)])
        heading = (words.MODEL, *(words.FIGURES[name] for name in names), alike(self._inline(parse("2P"))))
        return self._table(heading, rows, range(1, len(heading)))

    def rule_of_six(self, n: int, model: str) -> str:
        """Six times the parameters, for each count that people take, beside the exact training FLOPs per token."""
        found = usage(model, context=n)["flops"]
        exact = found["train_per_token"]
        causal = Fraction(whole(training_flops(prefill_flops(read_model(model).numbers, n, causal=True))), n)
        rows = [[self._sentence(words.RULES["train_per_token"]), _giga(exact), "–"]]
        rows.append([self._sentence(words.RULES["causal"]), _giga(causal), self._change(causal - exact, exact)])
        for name, meaning in words.RULES.items():
            if name in found and name.startswith("rule"):
                rows.append([self._sentence(meaning), _giga(found[name]), self._change(found[name] - exact, exact)])
        return self._table((words.COUNT, words.GFLOPS, words.OFF), rows, (1, 2))

    # Memory

    def cache(self, n: int, *models: str) -> str:
        """Elements of one token, bytes at 16 bits, and the cache of n tokens."""
        rows = []
        for read in map(read_model, models):
            per_token = whole(over(read.numbers, cache_per_token))
            held = 2 * whole(over(read.numbers, lambda component: cache_elements(component, n)))
            rows.append([read.name, self._kind(read), digits(per_token), digits(2 * per_token), _gibi(held)])
        tokens = Text(f"{digits(n)} tokens [GiB]", f"{digits(n)} 个词元 [GiB]")
        return self._table((words.MODEL, words.ATTENTION, words.PER_TOKEN, words.BYTES_PER_TOKEN, tokens), rows, (2, 3, 4))

    def cache_over(self, contexts: Sequence[int], *models: str) -> str:
        """The cache in GiB at several contexts, 16 bits an element."""
        rows = []
        for n in contexts:
            held = (2 * whole(over(read_model(model).numbers, lambda component: cache_elements(component, n))) for model in models)  # noqa: B023
            rows.append([digits(n), *map(_gibi, held)])
        return self._table((words.CONTEXT, *map(alike, models)), rows, range(len(models) + 1))

    def weights(self, formats: str, *models: str) -> str:
        """Weights in GB (10^9 bytes) in several number formats."""
        names = formats.split()
        rows = []
        for each in map(count, models):
            rows.append([each.model, digits(each.total), *(_gigabytes(dtype(name).size(each.total)) for name in names)])
        heading = (words.MODEL, words.PARAMETERS, *(alike(f"{name} [GB]") for name in names))
        return self._table(heading, rows, range(1, len(heading)))

    def formats(self) -> str:
        """Number formats, and the bytes of an element with its share of the block's scale."""
        rows = [[each.name, short(each.bytes), short(each.bytes * 8)] for each in DTYPES.values()]
        return self._table((words.FORMAT, words.BYTES, words.BITS), rows, (1, 2))

    def schemes(self) -> str:
        """Training schemes: bytes of a parameter, part by part."""
        rows = [
            [
                self._sentence(words.SCHEMES[each.name]),
                digits(each.weights),
                digits(each.gradient_bytes),
                digits(each.optimizer_bytes),
                digits(each.bytes_per_parameter),
            ]
            for each in SCHEMES.values()
        ]
        return self._table((words.SCHEME, words.WEIGHTS, words.GRADIENTS, words.OPTIMIZER, words.TOGETHER), rows, (1, 2, 3, 4))

    def training(self, scheme: str, *models: str) -> str:
        """The training state of models on one device, in GB."""
        names = ("training_weights", "gradients", "optimizer", "training_state")
        rows = []
        for model in models:
            found = usage(model, train=scheme)["memory"]
            rows.append([model, *(_gigabytes(found[name]) for name in names)])
        heading = (words.MODEL, words.WEIGHTS, words.GRADIENTS, words.OPTIMIZER, words.TOGETHER)
        return self._table([word + alike(" [GB]") if at else word for at, word in enumerate(heading)], rows, (1, 2, 3, 4))

    def sharded(self, model: str, replicas: int) -> str:
        """The training state on one of several data-parallel devices, by stage of ZeRO, in GB."""
        rows = []
        for stage in range(4):
            state = training_state(count(model).total, training_scheme("mixed"), Sharing(zero=stage, data=replicas))
            rows.append([digits(stage), *map(_gigabytes, (state.weights, state.gradients, state.optimizer, state.total))])
        heading = (words.STAGE, *(word + alike(" [GB]") for word in (words.WEIGHTS, words.GRADIENTS, words.OPTIMIZER, words.TOGETHER)))
        return self._table(heading, rows, range(5))

    def activations(self, n: int, batch: int, *models: str) -> str:
        """What training keeps of the forward pass, in GB, by how much is recomputed."""
        names = ("activations", "activations_fused", "activations_selective", "activations_full")
        rows = []
        for model in models:
            found = usage(model, context=n, batch=batch, train="mixed")["memory"]
            rows.append([model, *(_gigabytes(found[name]) for name in names)])
        return self._table((words.MODEL, *(words.FIGURES[name] for name in names)), rows, (1, 2, 3, 4))

    # Adapters

    def adapters(self, ranks: Sequence[int], targets: str, *models: str) -> str:
        """Trainable parameters of LoRA at several ranks, and their share of the model."""
        rows = []
        for read in map(read_model, models):
            stored = count_model(read).total
            for r in ranks:
                trainable = whole(lora_parameters(read.numbers, r, targets.split(",")))
                rows.append([read.name, digits(r), digits(trainable), self._percent(trainable, stored)])
        return self._table((words.MODEL, alike(self._inline(parse("r"))), words.TRAINABLE, words.SHARE), rows, (1, 2, 3))

    def _kind(self, read: ReadModel) -> str:
        """How a model's attention keeps keys and values."""
        sizes = read.sizes
        if "r_kv" in sizes:
            kind = words.LATENT
        elif sizes.get("h_kv") == sizes.get("h"):
            kind = words.MULTI_HEAD
        elif sizes.get("h_kv") == 1:
            kind = words.MULTI_QUERY
        else:
            kind = words.GROUPED
        return self._sentence(kind + words.WINDOWED if "w" in sizes else kind)


def _group(counted: Count, names: Sequence[str]) -> int:
    return sum(part.parameters for part in counted.components if part.name in names)


def _giga(value: Any) -> str:
    text = rounded(Fraction(value, 10**9), 2)
    return text if value >= 10**13 else text.replace(",", "")


def _gigabytes(value: Any) -> str:
    return significant(Fraction(value, 10**9), 4).replace(",", "")


def _gibi(value: Any) -> str:
    return significant(Fraction(value, 2**30), 3)
