"""Baichuan and Baichuan 2: LLaMA blocks with a fused q, k and v projection; rotary positions in 7B, ALiBi in 13B."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, decoder_of, dense_sizes
from derive.families._sizes import Sizes, multi_head_only


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; attention is multi-head."""
    multi_head_only(config)
    return dense_sizes(config, all_heads=True)


def model(s: Sizes, config: Config) -> Model:
    """Baichuan: multi-head attention and a gated feed-forward network, no biases.

    Source   Yang et al. 2023 (Baichuan 2), arXiv:2309.10305, section 2.
    """
    return decoder_of("baichuan", s, Facts())


def notes(config: Config) -> tuple[str, ...]:
    """What has no parameters."""
    return ("Neither rotary positions (7B) nor ALiBi (13B) have parameters; the normalised head of Baichuan 2 is an ordinary matrix.",)
