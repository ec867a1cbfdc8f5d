"""What a document's own words say about its letters and sizes, in both languages; and what they do not say."""

from __future__ import annotations

import re
import time

import pytest

from derive.checker.glossary import (
    MEANINGS,
    OTHER,
    evidence,
    glossary,
    meaning_of_word,
    name_of,
    possible,
    statements,
)
from derive.checker.glossary.wordings.rows import rows
from derive.checker.glossary.wordings.wordings import AFTER_A_LETTER_OR_NUMBER, BESIDE_AN_EQUALS_SIGN, SAY_IT_ALONE
from derive.documents.document import Block, BlockKind, Document, Piece
from derive.documents.reading import document_of
from derive.symbols import BY_ALIAS, VOCABULARY

_MARKED = re.compile(r"\$([^$]+)\$|`([^`]+)`")


def pieces(text: str, start: int = 0) -> tuple[Piece, ...]:
    """`$…$` as mathematics, backticks as code, the rest as words."""
    found: list[Piece] = []
    at = 0
    for match in _MARKED.finditer(text):
        found.append(Piece("words", text[at : match.start()], range(start + at, start + match.start() + 1)))
        group = 1 if match[1] else 2
        kind = "math" if group == 1 else "code"
        found.append(Piece(kind, match[group], range(start + match.start(group), start + match.end(group) + 1)))
        at = match.end()
    return (*found, Piece("words", text[at:], range(start + at, start + len(text) + 1)))


def document(*texts: str, kind: BlockKind = "text") -> Document:
    """A document whose blocks are `texts`, a line each."""
    blocks, start = [], 0
    for text in texts:
        blocks.append(Block(kind, tuple(piece for piece in pieces(text, start) if piece.text)))
        start += len(text) + 1
    return Document("test", "\n".join(texts), tuple(blocks))


def code(text: str, language: str = "") -> Document:
    return Document("test", text, (Block("code", (Piece("code", text, range(len(text) + 1)),), language=language),))


def table(text: str, header: bool = True) -> Document:
    """Rows are lines, cells stand between bars."""
    found = tuple(tuple(pieces(cell.strip()) for cell in line.split("|")) for line in text.strip().split("\n"))
    return Document("test", text, (Block("table", rows=found, header=header),))


def letters(found: Document) -> str:
    return " ".join(f"{each.letter}={each.meaning}" for each in evidence(found))


def values(found: Document) -> str:
    return " ".join(f"{each.name}={each.value}" for each in statements(found).values)


DEFINED = [
    # One letter, one verb
    ("where $h$ is the hidden size", "h=d"),
    ("where h is the hidden size", "h=d"),
    ("where a is the number of attention heads", "a=h"),
    ("let d denote the model dimension", "d=d"),
    ("Let $h_{kv}$ be the number of KV heads and $h_q$ the number of query heads.", "h_kv=h_kv h_q=h"),
    ("Suppose $n$ represents the sequence length", "n=n"),
    ("with $h$ denoting the hidden size", "h=d"),
    ("denote by $h$ the hidden size", "h=d"),
    ("we denote the hidden size by $h$ and the number of layers by $L$", "h=d L=L"),
    ("We define $V$ as the vocabulary size", "V=V"),
    ("$\\Psi$ is the number of model parameters", "Psi=P_total"),
    ("$n_{\\text{ctx}}$ is the context length", "n_ctx=n"),
    ("$d_{\\rm ff}$ is the feed-forward dimension", "d_ff=m"),
    ("B is the number of bytes per parameter", "B=b"),
    ("where $B$ is the batch size in tokens", "B=batch_tokens"),
    ("$r$ is the rank of the LoRA matrices", "r=r"),
    ("$E$ is the number of experts and $k$ the number of active experts per token.", "E=E k=k"),
    ("where $N$ is the number of parameters and $D$ is the number of tokens in the dataset", "N=P_total D=D_tokens"),
    ("where $N$ is the number of parameters and $D$ is the number of tokens", "N=P_total D=D_tokens"),
    ("where $T$ is the number of tokens", "T=n"),
    ("$n_{kv}$ is the number of key/value heads", "n_kv=h_kv"),
    ("where $t$ is the tensor parallel size, $p$ is the pipeline-parallel size", "t=tensor_parallel p=pipeline_parallel"),
    ("$P$ is the number of GPUs", "P=devices"),
    ("$m$ is the hidden dimension of the feed-forward network", "m=m"),
    ("$m_e$ is the intermediate size of each expert", "m_e=m_e"),
    ("$d_k$ is the dimension of the keys", "d_k=d_h"),
    ("$N$ is the number of non-embedding parameters", "N=P_non_embedding"),
    ("$N_a$ is the number of active parameters", "N_a=P_active"),
    ("C is the total training compute", "C=compute"),
    ("$G$ is the number of query heads per KV head", "G=g"),
    # Several letters
    ("where $b$, $s$, and $h$ are the batch size, sequence length, and hidden size, respectively", "b=B s=n h=d"),
    ("$L$ and $d$ denote the number of layers and the model dimension", "L=L d=d"),
    ("$s$ the sequence length, and $h$ the hidden size.", "s=n h=d"),
    ("where $b$ is the batch size, $s$ the sequence length, and $h$ the hidden size", "b=B s=n h=d"),
    # Beside the noun
    ("$L$ layers", "L=L"),
    ("For a model with N parameters trained on D tokens:", "N=P_total D=D_tokens"),
    ("A model consists of $l$ identical layers", "l=L"),
    ("an $l$-layer Transformer model with hidden size $h$", "l=L h=d"),
    ("a model with $L$ layers, hidden size $h$ and $a$ attention heads", "L=L h=d a=h"),
    ("For sequence length S, batch B, L layers, H heads:", "S=n B=B L=L H=h"),
    ("we use a vocabulary of size $V$ and an input of length $n$", "V=V n=n"),
    ("the model dimension is $d$", "d=d"),
    ("scale parameters $N$ and tokens $D$ together", "N=P_total D=D_tokens"),
    ("number of experts $E$, experts per token $k$", "E=E k=k"),
    ("micro-batch size $b$", "b=B"),
    ("model width, $d$, and depth of the model, $L$, differ", "d=d L=L"),
    # Brackets
    ("hidden size (d_model)", "d_model=d"),
    ("number of layers ($L$)", "L=L"),
    ("bytes per parameter ($b$)", "b=b"),
    ("`hidden_size` ($h$)", "h=d"),
    ("$d$ (hidden size)", "d=d"),
    ("(b = batch, s = sequence length, h = hidden)", "b=B s=n h=d"),
    ("16Ψ bytes (Ψ: number of parameters)", "Psi=P_total"),
    # Lists
    ("`d_model`: embedding dimension", "d_model=d"),
    ("$V$: vocabulary size", "V=V"),
    ("h — number of heads", "h=h"),
    ("h - number of heads", "h=h"),
    ("B=batch, T=seq_len", "B=B T=n"),
    ("`B = batch_size, V = vocab_size, L = num_layers, D = d_model, H = num_heads, D_ff = 4D`", "B=B V=V L=L D=d H=h"),
    ("H: number of query heads, K: number of KV heads, D: model dimension, F: FFN hidden dimension", "H=h K=h_kv D=d F=m"),
    ("Layers: $L$, heads: $a$", "L=L a=h"),
    # Bindings
    ("h = 32 (heads)", "h=h"),
    ("$h = 32$ (heads)", "h=h"),
    ("$d_{model}=512$, $h=8$ heads, $N=6$ layers", "h=h N=L"),
    ("$V=50257$ vocabulary size", "V=V"),
    ("Now let the sequence length be $s = 2048$.", "s=n"),
    # Something else
    ("where $W$ is the weight matrix and $\\eta$ is the learning rate", "W=other eta=other"),
    ("$A_{bm}$ is memory bandwidth", "A_bm=other"),
    ("where $F$ is the peak FLOPS of the GPU", "F=other"),
    ("$L$ is the loss", "L=other"),
    ("In this section h is the height of the image", "h=other"),
    ("$p$ is the number of pipeline bubbles", "p=other"),
    ("$p$ is the patch size", "p=other"),
    ("$c$ is a constant", "c=other"),
    # Chinese
    ("其中 h 为隐藏层维度，l 表示层数", "h=d l=L"),
    ("隐藏维度记为 d", "d=d"),
    ("设词表大小为 V", "V=V"),
    ("$n$ 个头", "n=h"),
    ("s：序列长度", "s=n"),
    ("b、s、h 分别为批大小、序列长度、隐藏维度", "b=B s=n h=d"),
    ("其中 $h$ 为 hidden size，$v$ 为 vocabulary size，$L$ 为 Transformer 层数", "h=d v=V L=L"),
    ("每个头的维度为 $d_h$，注意力头数为 $h$", "d_h=d_h h=h"),
    ("假设 batch 大小为 $B$, 序列长度为 $T$, embedding 维度为 $C$, 词表大小为 $V$", "B=B T=n C=d V=V"),
    ("对于参数量为 $N$ 的 Transformer 模型，训练 $D$ 个 token 的总计算量约为", "N=P_total D=D_tokens"),
    ("（Ψ 为参数量）", "Psi=P_total"),
    ("（s=序列长度, b=batch, h=hidden, a=num_heads）", "s=n b=B h=d a=h"),
    ("s = 序列长, b = micro-batch, h = 隐藏维, a = 注意力头数", "s=n b=B h=d a=h"),
    ("$p$ 为每个参数所占字节数", "p=b"),
    ("模型由 $L$ 层 Transformer 组成", "L=L"),
    ("FFN 的中间维度为 $d_{ff}$，键值头数为 $h_{kv}$", "d_ff=m h_kv=h_kv"),
    ("$E$ 个专家，每个词元激活的专家数为 $k$", "E=E k=k"),
    ("每个专家的中间维度为 $m_e$", "m_e=m_e"),
    ("张量并行度为 $t$", "t=tensor_parallel"),
    ("模型的参数量为 $P$", "P=P_total"),
    ("其中 $T$ 为温度，$L$ 为损失函数，$\\tau$ 为训练时间", "T=other L=other tau=other"),
]

SILENT = [
    "the model is a function of d",
    "a is the best",
    "We add a head to each layer.",
    "I think that d is important",
    "tensors of shape [B, T, D]",
    "$[B, T, D]$ and $x \\in \\mathbb{R}^{n \\times d}$ is the hidden state",
    "Option A: hidden size",
    "Plan B: more layers",
    "(a) hidden size (b) number of layers",
    "Figure 3: layers of the model",
    "see section L for details",
    "The number of layers per stage is $p$",
    "number of parameters in the attention layer: $N$",
    "the number of attention parameters $P$",
    "layers $l$ and $l+1$",
    "for each layer $l$, head $h$",
    "$h$ is large compared to the number of heads",
    "$h$ and $d$ are equal",
    "$h$ depends on the hidden size",
    "$h$ is not the hidden size",
    "$h$ is proportional to the hidden size",
    "$d_h$ is the hidden size divided by the number of heads",
    "d_h = hidden size / heads",
    "C = 6 × number of parameters × tokens",
    "the hidden size is $4d$",
    "the head dimension is $d/h$",
    "attention heads a and b attend to",
    "a bias of $d$ parameters",
    "each token chooses $k$ experts",
    "330 M weights and 9.8 B parameters",
    "第 $l$ 层第 $h$ 个头",
    "每层参数量 $P$",
    "注意力的参数量为 $P$",
    "参数量为 $P_{\\text{attn}}$",
    "$d$ 个参数",
    "h 为隐藏维度的一半",
    "我们给出一个 d 维的例子",
]

STATED = [
    ("hidden size of 4096", "d=4096"),
    ("hidden size: 4,096, vocabulary 50,257", "d=4096"),
    ("The hidden size is 4096.", "d=4096"),
    ("32 layers", "L=32"),
    ("a 12-layer model", "L=12"),
    ("with 32 attention heads of size 128", "h=32 d_h=128"),
    ("context length of 2048", "n=2048"),
    ("sequence length n = 2048", "n=2048"),
    ("batch size 1", "B=1"),
    ("vocabulary size of 32K and 4096-dimensional embeddings", "V=32000 d=4096"),
    ("32k context length", "n=32768"),
    ("a vocabulary of 50,257 tokens", "V=50257"),
    ("GPT-3 has 96 layers, a hidden size of 12288, 96 heads", "L=96 d=12288 h=96"),
    ("GQA with 8 KV heads and 64 query heads", "h_kv=8 h=64"),
    ("(64 heads, head dim 128)", "h=64 d_h=128"),
    ("8 experts", "E=8"),
    ("n_layer=12, n_head=12, n_embd=768", "L=12 h=12 d=768"),
    ("$d_{\\text{model}}=4096,\\quad n_{\\text{layers}}=32$", "d=4096 L=32"),
    ("$d_{model}=512$, $h=8$ heads, $N=6$ layers", "d=512 h=8 L=6"),
    ("hidden size $h$ = 4096", "d=4096"),
    ("d=4096（隐藏维度），L=32（层数）", "d=4096 L=32"),
    ("词表大小为 32000", "V=32000"),
    ("层数 L=32", "L=32"),
    ("隐藏维度 $d=4096$，层数 $L=32$，词表 $V=32000$", "d=4096 L=32 V=32000"),
    ("模型有 32 层，隐藏维度 4096，32 个注意力头，词表大小 32000", "L=32 d=4096 h=32 V=32000"),
    ("对于 Llama-3-70B（80层，64头，FP16）", "L=80 h=64"),
    ("$V=50{,}257$ is the vocabulary size", "V=50257"),
]

NOT_STATED = [
    "the first 12 layers",
    "12 layer norms",
    "a 2-layer MLP",
    "2 layers",
    "2 × 32 layers",
    "12 layers × 768",
    "7B parameters",
    "hidden size of 4096 bytes",
    "batch size of 4M tokens",
    "hidden size 4d",
    "2.5 layers",
    "activates 2 experts",
    "hidden size of about 4096",
    "layers: 84,934,656",
    "前 3 层",
    "第 12 层",
]


@pytest.mark.parametrize(("text", "expected"), DEFINED)
def test_what_words_say_about_letters(text, expected):
    assert letters(document(text)) == expected


@pytest.mark.parametrize("text", SILENT)
def test_words_that_say_nothing_about_letters(text):
    assert letters(document(text)) == ""


@pytest.mark.parametrize(("text", "expected"), STATED)
def test_sizes_in_words(text, expected):
    assert values(document(text)) == expected


@pytest.mark.parametrize("text", NOT_STATED)
def test_numbers_that_are_no_sizes(text):
    assert values(document(text)) == ""


def test_the_words_and_the_place_are_told():
    found = evidence(document("One line.", "Here $h$ is the hidden size."))
    assert [(each.why, each.offset) for each in found] == [("h is the hidden size", 16)]


def test_a_table_of_notation():
    found = table(
        """Symbol | Meaning | Value
        $b$ | micro-batch size: number of sequences in one step | 1
        $d$ | hidden dimension (model dimension, embedding dimension) | 4096
        $d_k$ | per-head dimension ($d / a$) | 128
        $h_{kv}$ | number of key/value heads (for GQA/MQA) | 8
        $L$ | number of decoder layers | 32
        $\\eta$ | learning rate | 3
        $W$ | weight matrix | """
    )
    assert letters(found) == "b=B d=d d_k=d_h h_kv=h_kv L=L eta=other W=other"
    assert values(found) == "B=1 d=4096 d_h=128 h_kv=8 L=32"


def test_a_table_of_notation_with_the_meaning_first():
    assert letters(table("含义 | 符号\n隐藏维度 | $d$\n词表大小 | $V$\n层数 | $L$")) == "d=d V=V L=L"


def test_a_table_of_hyperparameters():
    found = table("Hyperparameter | Value\nHidden size | 4096\nLayers | 32\n`num_kv_heads` | 8\nVocabulary size ($V$) | 32,000")
    assert (letters(found), values(found)) == ("V=V", "d=4096 L=32 h_kv=8 V=32000")


def test_a_table_with_one_model():
    found = table("Model | Parameters | Layers $l$ | Hidden size $h$ | Heads $a$\nGPT-3 | 175B | 96 | 12288 | 96")
    assert (letters(found), values(found)) == ("l=L h=d a=h", "L=96 d=12288 h=96")


def test_tables_of_several_models_and_of_counts_give_no_values():
    assert values(table("Model | Layers | Hidden size\nA | 12 | 768\nB | 24 | 1024")) == ""
    assert values(table("Component | Parameters\nVocabulary size | 38597\nLayers | 900")) == ""


def test_python():
    found = code(
        "n_embd = 768\nn_layer: int = 12\nvocab_size = 50257  # GPT-2\nH = 4096  # hidden size\n"
        "x = 3  # batch\nd = cfg.hidden_size\ndef f(h, layers):\n    return layers(h)\n    '''\n    s: sequence length\n    '''",
        "python",
    )
    assert letters(found) == "H=d d=d s=n"
    assert values(found) == "d=768 L=12 V=50257 d=4096"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ('{\n  "hidden_size": 4096,\n  "num_hidden_layers": 32,\n  "vocab_size": 32000\n}', "json"),
        ("hidden_size: 4096\nn_layers: 32\nvocab_size: 32_000\nlr: 3\n", "yaml"),
    ],
)
def test_configurations(text, language):
    assert (letters(code(text, language)), values(code(text, language))) == ("", "d=4096 L=32 V=32000")


def test_plain_text_in_a_fence():
    assert letters(code("bytes = s · b · h · (34 + 5 · a · s / h)\ns = 序列长, b = batch, h = 隐藏维\n", "text")) == "s=n b=B h=d"
    assert letters(code("y = f(x)\nreturn layers(h)\nfor h in range(n_heads):\n    pass", "python")) == ""


def test_through_the_readers():
    text = "# Sizes\n\nLet $h$ be the hidden size.\n\n- $V$: vocabulary size\n- `L`: **number of layers**\n\n| 符号 | 含义 |\n|--|--|\n| $a$ | 注意力头数 |\n"
    found = document_of(text)
    assert letters(found) == "h=d V=V L=L a=h"
    assert [found.place(each.offset)[0] for each in evidence(found)] == [3, 5, 6, 10]
    assert (
        letters(document_of("where $d_{\\rm model}$ is the hidden size and \\(n\\) is the context length", format="tex")) == "d_model=d n=n"
    )


@pytest.mark.parametrize(
    ("latex", "name"),
    [
        ("d_{\\text{model}}", "d_model"),
        ("n_{\\rm layers}", "n_layers"),
        ("\\mathrm{FLOPs}", "FLOPs"),
        ("N_h", "N_h"),
        ("\\phi", "phi"),
        ("Ψ", "Psi"),
        ("\\ell", "ell"),
        ("d_\\text{model}", "d_model"),
        ("hidden\\_size", "hidden_size"),
        ("\\text{参数量}", "参数量"),
        ("P_{\\text{总}}", "P_总"),
        ("|V|", "V"),
        ("d_{h_{kv}}", "d_h_kv"),
        ("Ld", None),
        ("4d", None),
        ("d/h", None),
        ("d^2", None),
        ("\\mathbf{W}", None),
        ("", None),
        ("x" * 100, None),
    ],
)
def test_names_in_latex(latex, name):
    assert name_of(latex) == name


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        ("hidden_size", "d"),
        ("Hidden Size", "d"),
        ("num layers", "L"),
        ("n_layers", "L"),
        ("seq", "n"),
        ("seq_len", "n"),
        ("batch", "B"),
        ("vocab", "V"),
        ("heads", "h"),
        ("N_h", "h"),
        ("kv_heads", "h_kv"),
        ("n_{kv}", "h_kv"),
        ("head_dim", "d_h"),
        ("dff", "m"),
        ("ffn_dim", "m"),
        ("intermediate", "m"),
        ("bytes", "b"),
        ("d_kv", "d_kv"),
        ("N_params", "P_total"),
        ("层数", "L"),
        ("隐藏维度", "d"),
        ("参数量", "P_total"),
        ("词表大小", "V"),
        ("序列长度", "n"),
        ("批大小", "B"),
        ("h", None),
        ("NH", None),
        ("banana", None),
        ("tokens", None),
    ],
)
def test_words_that_name_a_size(word, meaning):
    assert meaning_of_word(word) == meaning


def test_every_alias_of_the_vocabulary_is_known():
    assert {alias: meaning_of_word(alias) for alias in BY_ALIAS} == {alias: symbol.name for alias, symbol in BY_ALIAS.items()}
    assert all(meaning_of_word(key) == symbol.name for symbol in VOCABULARY for key in symbol.keys)


def test_what_is_possible_is_a_meaning():
    known = [*"aAbBcCdDeEfFgGhHkKlLmMnNpPqrRsStTvVwW", "phi", "Phi", "Psi", "ell", "d_k", "d_kv", "n_ctx", "N_h", "tokens", "group_size"]
    assert all(possible(letter) and set(possible(letter)) <= set(MEANINGS) for letter in known)
    assert (possible("h"), possible("T"), possible("x"), possible("P_attn")) == (("d", "h"), ("n", "D_tokens"), (), ())


def test_every_wording_has_a_meaning():
    by_letter = {"model size", "key size", "groups", "rank", "depth", "tokens", "amount of compute"}
    for shown in (SAY_IT_ALONE, AFTER_A_LETTER_OR_NUMBER, BESIDE_AN_EQUALS_SIGN):
        assert {meaning for meaning, _ in rows(shown)} <= set(MEANINGS) | by_letter


@pytest.mark.parametrize("symbol", VOCABULARY, ids=lambda symbol: symbol.name)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_notation_of_our_own_book_is_understood(symbol, language):
    """A row of our tables of notation says what the vocabulary says, or nothing; never anything else."""
    found = evidence(table(f"Symbol | Meaning\n${symbol.latex}$ | {symbol.meaning.in_(language)}"))
    assert {each.meaning for each in found} <= {symbol.name}


def test_a_glossary():
    found = document(
        "Here $h$ is the hidden size and $L$ is the loss.", "Below, $h$ is the number of heads. Now $h$ is the number of heads."
    )
    known = glossary(found, ["h", "L", "d_model", "n", "x", "a"], {"n": "num_layers"})
    assert known.meanings == {"h": ("h", "d"), "L": (OTHER,), "d_model": ("d",), "n": ("L",), "x": (), "a": ("h",)}
    assert known.why["h"] == "h is the number of heads"
    assert [letter for letter in known.meanings if len(known.meanings[letter]) == 1] == ["L", "d_model", "n", "a"]


def test_a_meaning_that_another_letter_has_comes_last():
    assert glossary(document(""), ["h", "d", "N"]).meanings["h"] == ("h", "d")
    assert glossary(document(""), ["h", "a"]).meanings["h"] == ("d", "h")


@pytest.mark.parametrize(
    "text",
    [
        "h is the hidden size " * 500_000,
        "number of " * 1_000_000,
        "的层数" * 3_000_000,
        "h, " * 3_000_000,
        "(" * 10_000_000,
        "1" * 10_000_000,
        "h is " + "the " * 2_500_000,
        "_" * 10_000_000,
    ],
    ids=["defined", "number-of", "chinese", "names", "brackets", "digits", "the", "underscores"],
)
def test_long_lines_are_answered_at_once(text):
    whole = range(len(text) + 1)
    documents = [
        Document("test", text, (Block("text", (Piece("words", text, whole),)),)),
        Document("test", text, (Block("display", (Piece("math", text, whole),)),)),
        Document("test", text, (Block("code", (Piece("code", text, whole),)),)),
    ]
    for found in documents:
        start = time.perf_counter()
        statements(found)
        assert time.perf_counter() - start < 2
