"""Tables of what models cost, side by side: FLOPs, cache, memory, adapters."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from derive.book import words
from derive.book.voice import Voice, alike, digits, figures, short, ungrouped
from derive.costs import whole
from derive.costs.flops import prefill_flops, training_flops
from derive.costs.lora import lora_parameters
from derive.costs.memory import SCHEMES, Sharing, training_scheme, training_state
from derive.counting import count, count_model
from derive.dtypes import DTYPES, dtype
from derive.errors import ChapterError, ConfigError
from derive.figures import Request, model_usage
from derive.formula.numbers import rounded
from derive.formula.parse import parse
from derive.formula.tree import Name
from derive.reading import ReadModel, read_model
from derive.text import Text


class Costs(Voice):
    """Rows are models or kinds of cost, columns what is asked of them."""

    __slots__ = ()

    # Compute

    def flops(self, n: int, *models: str) -> str:
        """FLOPs of the forward pass per token at a context of n tokens, by kind, beside twice the parameters."""
        names = ("linear_per_token", "attention_per_token", "logits_per_token", "forward_per_token")
        rows = []
        for read in map(read_model, models):
            found = _figures(read, "flops", names, context=n)
            rows.append([read.name, *map(_giga, (*found, 2 * count_model(read).total))])
        heading = (words.MODEL, *(words.FIGURES[name] for name in names), alike(self._inline(parse("2P"))))
        return self._table(heading, rows, range(1, len(heading)))

    def rule_of_six(self, n: int, model: str) -> str:
        """Six times the parameters, for each count that people take, beside the exact training FLOPs per token at a context of n."""
        read = read_model(model)
        rules = [name for name in words.RULES if name.startswith("rule")]
        exact, *values = _figures(read, "flops", ("train_per_token", *rules), context=n)
        causal = Fraction(whole(training_flops(prefill_flops(read.numbers, n, causal=True))), n)
        rows = [[self._sentence(words.RULES["train_per_token"]), _giga(exact), "–"]]
        rows.append([self._sentence(words.RULES["causal"]), _giga(causal), self._change(causal - exact, exact)])
        for name, value in zip(rules, values, strict=True):
            rows.append([self._sentence(words.RULES[name]), _giga(value), self._change(value - exact, exact)])
        return self._table((words.COUNT, words.GFLOPS, words.OFF), rows, (1, 2))

    # Memory

    def cache(self, n: int, *models: str) -> str:
        """What is kept of tokens: elements of one, bytes at 16 bits, and all of a context of n; windows and constant states counted."""
        rows = []
        for read in map(read_model, models):
            per_token, per_token_bytes, held = _figures(read, "kv_cache", ("elements_per_token", "bytes_per_token", "bytes"), context=n)
            rows.append([read.name, self._kind(read), digits(per_token), digits(per_token_bytes), _gibi(held)])
        tokens = Text(f"{digits(n)} tokens [GiB]", f"{digits(n)} 个词元 [GiB]")
        return self._table((words.MODEL, words.ATTENTION, words.PER_TOKEN, words.BYTES_PER_TOKEN, tokens), rows, (2, 3, 4))

    def cache_over(self, contexts: Sequence[int], *models: str) -> str:
        """The cache in GiB at several contexts (a list of tokens, `(2048, 8192)`), 16 bits an element."""
        reads = [read_model(model) for model in models]
        rows = [[digits(n), *(_gibi(*_figures(read, "kv_cache", ("bytes",), context=n)) for read in reads)] for n in contexts if reads]
        return self._table((words.CONTEXT, *map(alike, models)), rows, range(len(models) + 1))

    def weights(self, formats: str, *models: str) -> str:
        """Weights in GB (10^9 bytes) in several number formats, `"fp32 bf16"`; `formats()` shows all."""
        names = [dtype(name).name for name in formats.split()]
        if not names:
            raise ChapterError(f"weights: no number formats; known: {', '.join(DTYPES)}")
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
        """The training state of models on one device, in GB, under a scheme: `fp32`, `mixed`, `mixed-fp32-gradients`,
        `mixed-both-gradients`, `adam-8bit`, `sgd` or `sgd-momentum`.
        """
        names = ("training_weights", "gradients", "optimizer", "training_state")
        rows = [[read.name, *map(_gigabytes, _figures(read, "memory", names, train=scheme))] for read in map(read_model, models)]
        heading = (words.MODEL, words.WEIGHTS, words.GRADIENTS, words.OPTIMIZER, words.TOGETHER)
        return self._table([word + alike(" [GB]") if at else word for at, word in enumerate(heading)], rows, (1, 2, 3, 4))

    def sharded(self, model: str, replicas: int) -> str:
        """The training state on one of several data-parallel devices, by stage of ZeRO, in GB."""
        if replicas < 2:
            raise ChapterError("sharded: two replicas or more, since one shares with none")
        rows = []
        for stage in range(4):
            state = training_state(count(model).total, training_scheme("mixed"), Sharing(zero=stage, data=replicas))
            rows.append([digits(stage), *map(_gigabytes, (state.weights, state.gradients, state.optimizer, state.total))])
        heading = (words.STAGE, *(word + alike(" [GB]") for word in (words.WEIGHTS, words.GRADIENTS, words.OPTIMIZER, words.TOGETHER)))
        return self._table(heading, rows, range(5))

    def activations(self, n: int, batch: int, *models: str) -> str:
        """What training keeps of the forward pass over batches of n tokens, in GB, by how much is recomputed."""
        names = ("activations", "activations_fused", "activations_selective", "activations_full")
        rows = []
        for read in map(read_model, models):
            found = _figures(read, "memory", names, context=n, batch=batch, train="mixed")
            rows.append([read.name, *map(_gigabytes, found)])
        return self._table((words.MODEL, *(words.FIGURES[name] for name in names)), rows, (1, 2, 3, 4))

    # Adapters

    def adapters(self, ranks: Sequence[int], targets: str, *models: str) -> str:
        """Trainable parameters of LoRA at several ranks (a list, `(8, 16)`) and their share of the model. `targets`, separated by commas,
        are projections (`"q,v"`) or groups: `attention`, `recurrent`, `feed-forward`, `experts`, `linear`, `all-linear`.
        """
        chosen = [target.strip() for target in targets.split(",")]
        rows = []
        for read in map(read_model, models):
            stored = count_model(read).total
            for r in ranks:
                trainable = whole(lora_parameters(read.numbers, r, chosen))
                rows.append([read.name, digits(r), digits(trainable), self._percent(trainable, stored)])
        return self._table((words.MODEL, alike(self._inline(Name("r"))), words.TRAINABLE, words.SHARE), rows, (1, 2, 3))

    def _kind(self, read: ReadModel) -> str:
        """How a model's attention keeps keys and values, if it has any, and whether layers keep states."""
        sizes, contexts = read.sizes, [component.context for _, component in read.numbers.components if component.context]
        if not any(context.cache for context in contexts):
            kind = words.NO_ATTENTION
        elif "r_kv" in sizes:
            kind = words.LATENT
        elif sizes["h_kv"] == sizes["h"]:
            kind = words.MULTI_HEAD
        else:
            kind = words.MULTI_QUERY if sizes["h_kv"] == 1 else words.GROUPED
        if "w" in sizes:
            kind += words.WINDOWED
        return self._sentence(kind + words.STATES if any(context.state for context in contexts) else kind)


def _figures(read: ReadModel, section: str, names: Sequence[str], **asked: Any) -> list[Any]:
    """Figures of what a model costs; `ConfigError` says why one of them is not counted."""
    sections = {each.name: each for each in model_usage(read, Request(**asked)).sections}
    found = {figure.name: figure for figure in sections[section].figures}
    for figure in found.values():
        if isinstance(figure.value, str):
            raise ConfigError(f"{read.name}: {figure.name.replace('_', ' ')}: {figure.value}: {figure.counts}")
    return [found[name].value for name in names]


def _giga(value: Any) -> str:
    return ungrouped(rounded(Fraction(value, 10**9), 2))


def _gigabytes(value: Any) -> str:
    return figures(Fraction(value, 10**9), 4)


def _gibi(value: Any) -> str:
    return figures(Fraction(value, 2**30), 3)
