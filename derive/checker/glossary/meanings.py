"""What a letter can mean: the vocabulary's names, some more that texts need, and the usual readings of a bare letter."""

from __future__ import annotations

from derive.checker.glossary.words import meaning_of_word
from derive.symbols import BY_NAME

OTHER = "other"
"""The meaning of a letter that the document defines as something else: a loss, a matrix, a bandwidth, an index."""

FURTHER_MEANINGS: dict[str, str] = {
    "P_total": "parameters of the model",
    "P_active": "parameters active for one token",
    "P_non_embedding": "parameters of the model without embeddings",
    "D_tokens": "training tokens",
    "compute": "training FLOPs",
    "batch_tokens": "tokens in a batch",
    "g": "query heads per key/value head",
    "expansion": "ratio of the intermediate size to the hidden size",
    "tensor_parallel": "tensor-parallel degree",
    "pipeline_parallel": "pipeline-parallel degree",
    "expert_parallel": "expert-parallel degree",
    "sequence_parallel": "sequence- or context-parallel degree",
    "devices": "devices in all",
    OTHER: "something that is no size of a Transformer",
}
MEANINGS: dict[str, str] = {name: symbol.meaning.en for name, symbol in BY_NAME.items()} | FURTHER_MEANINGS

_POSSIBLE: dict[str, str] = {
    "a": "h",
    "A": "h",
    "b": "B b",
    "B": "B batch_tokens",
    "c": "c",
    "C": "compute d",
    "d": "d",
    "D": "d D_tokens d_h",
    "e": "d b E",
    "E": "E d",
    "ell": "L",
    "f": "m",
    "F": "m",
    "g": "g h_kv",
    "G": "g h_kv",
    "h": "d h",
    "H": "d h d_h",
    "k": "k h_kv",
    "K": "h_kv k",
    "l": "L",
    "L": "L n",
    "m": "m",
    "M": "P_total m",
    "n": "n L h",
    "N": "P_total L n h",
    "p": "P_total b pipeline_parallel",
    "P": "P_total",
    "q": "h",
    "r": "r",
    "R": "r",
    "s": "n",
    "S": "n",
    "t": "tensor_parallel n",
    "T": "n D_tokens",
    "v": "V",
    "V": "V",
    "w": "w",
    "W": "w P_total",
    "Z": "h",
    "phi": "P_total",
    "Phi": "P_total",
    "psi": "P_total",
    "Psi": "P_total",
    "theta": "P_total",
    "Theta": "P_total",
}
_POSSIBLE_SUBSCRIPTED: dict[str, str] = {"d_k": "d_h", "d_v": "d_h d_v", "d_kv": "d_kv d_h", "d_q": "d_q d_h", "n_ctx": "n_ctx n"}
_POSSIBLE_WORDS: dict[str, str] = {
    "tokens": "D_tokens n batch_tokens",
    "ntokens": "D_tokens n batch_tokens",
    "numtokens": "D_tokens n batch_tokens",
    "blocksize": "n other",
    "groupsize": "g other",
    "rank": "r other",
    "modelsize": "P_total d",
}


def possible(letter: str) -> tuple[str, ...]:
    """What `letter` can mean where the document does not say it, the most usual first; () for a letter that means nothing here."""
    known = _POSSIBLE.get(letter) or _POSSIBLE_SUBSCRIPTED.get(letter)
    if known:
        return tuple(known.split())
    meaning = meaning_of_word(letter)
    if meaning:
        return (meaning,)
    return tuple(_POSSIBLE_WORDS.get("".join(filter(str.isalnum, letter.lower())), "").split())
