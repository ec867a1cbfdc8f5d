"""derive: the arithmetic of Transformer language models, from tensors to proved closed forms and exact counts.

The symbols of the vocabulary (`derive.d`, `derive.d_kv`) and the named quantities (`derive.P_total`) are attributes, too.
Everything is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from derive.architecture.attention import (
        ALL_BIAS,
        NO_BIAS,
        AttentionBias,
        QueryKeyNorm,
        grouped_query_attention,
        multi_head_attention,
        multi_query_attention,
    )
    from derive.architecture.component import Component
    from derive.architecture.context import linear_attention_state, recurrent_state, softmax_attention, state_space_state
    from derive.architecture.convolution import short_convolution
    from derive.architecture.delta_net import delta_attention, gated_delta_net
    from derive.architecture.embeddings import embedding_and_head, head, learned_positions, token_embedding
    from derive.architecture.experts import routed_experts, router, shared_expert_gate, shared_experts
    from derive.architecture.feed_forward import gated, two_matrix
    from derive.architecture.gated_attention import attention_gate, gated_query_attention
    from derive.architecture.gated_recurrence import channel_mixing, recurrent_block, time_mixing
    from derive.architecture.latent_attention import latent_attention
    from derive.architecture.lightning_attention import lightning_attention
    from derive.architecture.matrix_memory import matrix_memory
    from derive.architecture.model import Model, decoder, layers
    from derive.architecture.norms import layer_norm, rms_norm
    from derive.architecture.state_space import selective_state_space, state_space_duality
    from derive.architecture.tensor import Tensor
    from derive.calculus.answer import Answer
    from derive.calculus.answers import (
        allocation_answer,
        change_answer,
        crossover_answer,
        leading_answer,
        limit_answer,
        rate_answer,
        solve_answer,
        token_answer,
        trade_answer,
    )
    from derive.checker.checking import check
    from derive.checker.finding import Checked, Finding
    from derive.checkpoints.counted import CheckpointCount
    from derive.checkpoints.counting import count_checkpoint
    from derive.costs import over
    from derive.costs.memory import Sharing
    from derive.costs.parameters import active_parameters, linear_parameters, parameters
    from derive.costs.routing import expected_experts, loads, mixed, top_k
    from derive.counting import Count, count
    from derive.derivation import Derivation, Step, derivation_of, given
    from derive.errors import ChapterError, CheckpointError, ConfigError, DeriveError, FormulaError, StepError, UndecidedError
    from derive.figures import Usage, usage
    from derive.formula.parse import parse
    from derive.formula.read import read
    from derive.formula.statement import Side, Statement
    from derive.formula.tree import Formula
    from derive.quantities import Quantity, Variant, quantity
    from derive.showing import Shown, show

_HOMES = {
    "derive.architecture.attention": (
        "ALL_BIAS NO_BIAS AttentionBias QueryKeyNorm grouped_query_attention multi_head_attention multi_query_attention"
    ),
    "derive.architecture.component": "Component",
    "derive.architecture.convolution": "short_convolution",
    "derive.architecture.delta_net": "delta_attention gated_delta_net",
    "derive.architecture.embeddings": "embedding_and_head head learned_positions token_embedding",
    "derive.architecture.experts": "routed_experts router shared_expert_gate shared_experts",
    "derive.architecture.feed_forward": "gated two_matrix",
    "derive.architecture.gated_attention": "attention_gate gated_query_attention",
    "derive.architecture.gated_recurrence": "channel_mixing recurrent_block time_mixing",
    "derive.architecture.latent_attention": "latent_attention",
    "derive.architecture.lightning_attention": "lightning_attention",
    "derive.architecture.matrix_memory": "matrix_memory",
    "derive.architecture.model": "Model decoder layers",
    "derive.architecture.norms": "layer_norm rms_norm",
    "derive.architecture.state_space": "selective_state_space state_space_duality",
    "derive.architecture.tensor": "Tensor",
    "derive.calculus.answer": "Answer",
    "derive.calculus.answers": (
        "allocation_answer change_answer crossover_answer leading_answer limit_answer rate_answer solve_answer token_answer trade_answer"
    ),
    "derive.costs": "over",
    "derive.costs.memory": "Sharing",
    "derive.costs.routing": "expected_experts loads mixed top_k",
    "derive.architecture.context": "linear_attention_state recurrent_state softmax_attention state_space_state",
    "derive.costs.parameters": "active_parameters linear_parameters parameters",
    "derive.counting": "Count count",
    "derive.derivation": "Derivation Step derivation_of given",
    "derive.errors": "ChapterError CheckpointError ConfigError DeriveError FormulaError StepError UndecidedError",
    "derive.formula.parse": "parse",
    "derive.checker.checking": "check",
    "derive.checker.finding": "Checked Finding",
    "derive.checkpoints.counted": "CheckpointCount",
    "derive.checkpoints.counting": "count_checkpoint",
    "derive.formula.read": "read",
    "derive.formula.statement": "Side Statement",
    "derive.formula.tree": "Formula",
    "derive.quantities": "Quantity Variant quantity",
    "derive.showing": "Shown show",
    "derive.figures": "Usage usage",
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "ALL_BIAS", "Answer", "AttentionBias", "ChapterError", "Checked", "CheckpointCount", "CheckpointError", "Component",
    "ConfigError", "Count", "Derivation", "DeriveError", "Finding", "Formula", "FormulaError", "Model", "NO_BIAS", "Quantity",
    "QueryKeyNorm", "Sharing", "Shown", "Side", "Statement", "Step", "StepError", "Tensor", "UndecidedError", "Usage",
    "Variant", "active_parameters", "allocation_answer", "attention_gate", "change_answer", "channel_mixing", "check", "count",
    "count_checkpoint", "crossover_answer", "decoder", "delta_attention", "derivation_of", "embedding_and_head",
    "expected_experts", "gated", "gated_delta_net", "gated_query_attention", "given", "grouped_query_attention", "head",
    "latent_attention", "layer_norm", "layers", "leading_answer", "learned_positions", "lightning_attention", "limit_answer",
    "linear_attention_state", "linear_parameters", "loads", "matrix_memory", "mixed", "multi_head_attention",
    "multi_query_attention", "over", "parameters", "parse", "quantity", "rate_answer", "read", "recurrent_block",
    "recurrent_state", "rms_norm", "routed_experts", "router", "selective_state_space", "shared_expert_gate", "shared_experts",
    "short_convolution", "show", "softmax_attention", "solve_answer", "state_space_duality", "state_space_state", "time_mixing",
    "token_answer", "token_embedding", "top_k", "trade_answer", "two_matrix", "usage",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """A public name, imported now; else a symbol of the vocabulary or a named quantity."""
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    if name == "__version__":
        from importlib.metadata import version

        return version("derive")
    from derive.symbols import BY_NAME

    if name in BY_NAME:
        from derive.formula.tree import Name

        return Name(name)
    if name[:1].isupper() and name[1:2] == "_":
        from derive.quantities import quantities

        known = quantities()
        if name in known:
            return known[name]
    raise AttributeError(f"module 'derive' has no attribute {name!r}")


def __dir__() -> list[str]:
    from derive.quantities import quantities
    from derive.symbols import BY_NAME

    return sorted({*globals(), *__all__, *BY_NAME, *quantities()})
