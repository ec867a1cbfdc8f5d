"""VaultGemma: Gemma 2 without the norms after the halves of a block."""

from __future__ import annotations

from derive.architecture.model import Model
from derive.config import Config
from derive.families._decoder import Facts, attention_bias, decoder_of, dense_sizes
from derive.families._notes import notes
from derive.families._sizes import Sizes


def sizes(config: Config) -> dict[str, int]:
    """The sizes by symbol; layers 0, 2, … look through the window, and the head is tied unless said otherwise."""
    return dense_sizes(config, tied=True, explicit="VaultGemma", sliding=lambda layer: layer % 2 == 0)


def model(s: Sizes, config: Config) -> Model:
    """VaultGemma: grouped-query attention and a gated feed-forward network.

    Source   Sinha et al. 2025, arXiv:2510.15001, section 3.
    """
    return decoder_of("vaultgemma", s, Facts(bias=attention_bias(config)))


__all__ = ["model", "notes", "sizes"]
