"""What a reader should know about a count, beside the count."""

from __future__ import annotations

from derive.config import Config

ROTARY = "Rotary positions have no parameters; a stored inv_freq is a buffer and is not counted."
COUNTED_CORRECTION = "The routing correction is counted: the implementation stores it as a parameter (without a gradient)."
PREDICTION = "layers for multi-token prediction are not part of the model and are not counted."
SCALES = "quantization_config: the scales stored beside quantised weights are not parameters."


def notes(config: Config) -> tuple[str, ...]:
    """The notes of a family with rotary positions and nothing else to say."""
    return (ROTARY, *uncounted_prediction(config, "num_nextn_predict_layers"), *quantised(config))


def quantised(config: Config) -> tuple[str, ...]:
    """That scales are not counted, where the weights are quantised."""
    return (SCALES,) if config.has("quantization_config") else ()


def unknown_choice(config: Config) -> tuple[str, ...]:
    """That the active counts are those of all experts, where it is not said how many are chosen."""
    unknown = "num_experts_per_tok is null: what is active is counted with all experts."
    return () if config.has("num_experts_per_tok") else (unknown,)


def uncounted_prediction(config: Config, *keys: str) -> tuple[str, ...]:
    """That layers which predict further tokens are left out, where the configuration names how many there are."""
    for key in keys:
        extra = config.number(key, default=0, least=0)
        if extra:
            return (f"{key}={extra}: {PREDICTION}",)
    return ()
