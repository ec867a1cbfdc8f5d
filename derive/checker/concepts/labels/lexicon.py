"""The words of labels, in English and Chinese: which object, which measure, for how much, and of which kind of model.

Each table is tried from its top; in the table of objects, a word inside a longer phrase that stood above it is not read again.
Texts come in lower case, underscores as spaces. A row is a name and the patterns for it, compiled when first looked for: most labels
are letters, and ask for none of these words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

Table: TypeAlias = tuple[tuple[str, str], ...]


def _table(*rows: tuple[str, ...]) -> Table:
    return tuple((name, "|".join(patterns)) for name, *patterns in rows)


_OTHER_MATTERS = (
    r"learning rate|loss\b|losses|accura|throughput|(batch|micro[ -]?batch)[ -]?size|latency|bandwidth|perplexity|temperature",
    r"(context|sequence)[ -]?(length|window|size)|(number|num|no\.?|count|#) ?(of )?(layers|heads|tokens|experts|gpus)",
    r"(head|hidden|embedding|intermediate|vocab(ulary)?)[ -]?(dim(ension)?s?|size|width)\b",
    r"\bratio|fraction|percent|\bshare\b|proportion|intensity|\bmfu\b|utili[sz]ation|savings?|reduction|compression",
    r"\btimes?\b|seconds?|\bhours?\b|\bdays?\b|\bprice|\$|\bspeed|flops? ?(/|per )s(ec|\b)|[tp]flops/s|\bgpus? ?(hours|needed|count)",
    r"warm-?up|dropout rate|\bsteps?\b|\bepochs?\b",
    r"学习率|损失|准确率|吞吐|批次?大小|批量大小|延迟|时延|带宽|困惑度|温度|上下文(长度|窗口)|序列长度|层数|头数|专家数",
    r"隐藏(层)?(维度|大小)|维度|词(汇)?表(大小|长度)|比例|占比|比值|比率|利用率|强度|节省|压缩|时间|耗时|小时|天数|价格|速度",
)
OTHER_MATTERS = _table(("other", *_OTHER_MATTERS))
"""What is none of our quantities, whatever else the label says."""

OBJECTS = _table(
    (
        "cache",
        r"(kv|k/v|key[ /-]?values?)[ -]?cach(e|ed|ing)|\bkv ?(mem(ory)?|size|bytes|storage)|mem(ory)? ?kv\b|\bcache\b",
        r"((kv|键值对?) ?)?缓存|kv ?显存",
    ),
    ("lora", r"\blora\b|low[ -]rank|adapters?\b|低秩"),
    ("optimizer", r"optimi[sz]er[ -]?(states?)?|\badamw? states?|\bopt\b", r"优化器(状态)?"),
    ("gradients", r"gradients?|\bgrads?\b|梯度"),
    (
        "state",
        r"training[ -](memory|states?)|model states?|static memory",
        r"静态(显存|内存)|训练(总)?(所需)?的?(显存|内存)|模型状态|训练状态",
    ),
    (
        "non-embedding",
        r"non[ -]?embed(ding)?|(excluding|without|excl\.?|w/o|no) (the )?(token )?(embeddings?|vocab)",
        r"非嵌入|不(含|计|算|包括|包含)(词)?(嵌入|embedding)",
    ),
    ("final norm", r"final[ -]?(layer ?norm|rms ?norm|norm|ln)|\bln ?f\b", r"(最终|最后|末尾)的?(一个)?层?(归一化|layernorm|rmsnorm|norm)"),
    ("positions", r"position(al|s)?([ -]?(embed(ding)?s?|encodings?|table))?|\bpos([ -]?emb(ed)?)?\b|\bwpe\b", r"位置(嵌入|编码|向量|表)?"),
    ("shared", r"shared[ -]?experts?|共享专家"),
    ("experts", r"(all|routed|total|every)[ -]?(the )?experts|experts\b", r"(所有|全部|路由)的?专家"),
    ("expert", r"((one|each|per|single|an)[ -]?)?experts?\b", r"(单个|每个|一个)?专家(网络)?"),
    ("router", r"router|\bgating( network)?|\bgate network|routing", r"路由器?|门控网络"),
    ("moe", r"\bmoe\b|mixture[ -]of[ -]experts|混合专家"),
    (
        "norms",
        r"layer[ -]?norms|rms[ -]?norms|\bnorms|two (layer|rms)[ -]?norms?|layer normali[sz]ations",
        r"两个(层)?(归一化|layernorm|rmsnorm)",
    ),
    ("norm", r"layer[ -]?norm(ali[sz]ation)?|rms[ -]?norm|\bln[12]?\b|\bnorm(ali[sz]ation)?\b", r"层?归一化层?"),
    ("attention head", r"(per|each|one|single|/)[ -]?(attention )?head\b|attention head\b", r"(每|单|一)个?(注意力)?头"),
    ("qkvo", r"\bqkvo\b|\bq, ?k, ?v,? ?(and |& )?o\b|q/k/v/o|attention proj(ection)?s|\b(4|four) projections"),
    ("qkv", r"\bw?qkv\b([ -]?proj(ection)?s?)?|\bq, ?k,? ?(and |& )?v\b|q/k/v|query,? ?key,? ?(and )?value", r"qkv ?(投影|矩阵)"),
    (
        "kv",
        r"\bkv[ -]?proj(ection)?s?|\bk(eys?)? ?(and|&|/|\+) ?v(alues?)? ?proj(ection)?s?",
        r"kv ?投影|\bk ?(和|与|、) ?v ?的?(投影|矩阵)",
    ),
    ("q", r"\b(q|query)[ -]?proj(ection)?|\bw ?q\b|\bquery (weight|matri)", r"(\bq|查询) ?(投影|矩阵)"),
    ("k", r"\b(k|key)[ -]?proj(ection)?|\bw ?k\b|\bkey (weight|matri)", r"(\bk|键) ?(投影|矩阵)"),
    ("v", r"\b(v|value)[ -]?proj(ection)?|\bw ?v\b|\bvalue (weight|matri)", r"(\bv|值) ?(投影|矩阵)"),
    ("o", r"\b(o|out|output|attention output)[ -]?proj(ection)?|\bw ?o\b", r"(输出|\bo) ?(投影|矩阵)"),
    (
        "scores",
        r"\bqk\^?t\b|q ?k\^\{?(t|\\top)\}?|attention (scores?|logits|maps?|matri(x|ces))|\bscores?\b",
        r"\bav\b|(attention|scores?|softmax\S*) ?[*×·x] ?v\b",
        r"注意力(分数|得分|矩阵)",
    ),
    ("attention scores", r"(dot[ -]product|softmax|core)[ -]attention|attention (dot[ -]products?|core|mechanism)", r"注意力(计算|核心)"),
    ("attention", r"(self[ -])?attention|\battn\b|\batt\b|\b(mha|gqa|mqa|msa|sa)\b", r"(自)?注意力"),
    ("up", r"\b(up|fc1|first|w ?1)[ -]?(proj(ection)?|linear|layer|matrix)|\bfc1\b", r"升维|上投影"),
    ("down", r"\b(down|fc2|second|w ?2)[ -]?(proj(ection)?|linear|matrix)|\bfc2\b", r"降维|下投影"),
    ("ffn", r"\bmlps?\b|\bffns?\b|\bffw?\b|feed[ -]?forward|swiglu|geglu|\bglu\b", r"前馈(网络|层|神经网络)?|前向网络"),
    (
        "ends",
        r"embed(ding)?s? ?(and|\+|&|/) ?(the )?(output|unembed|lm|head|logits)[\w ]*|\bvocab(ulary)?\b",
        r"词表|嵌入层?(和|与|及|、|\+)输出(头|层)",
    ),
    ("head", r"lm[ -]?head|un-?embed(ding)?s?|output (head|embeddings?|layer|matrix)|logits?|\bhead\b", r"输出头|输出(嵌入|层)|解嵌入"),
    (
        "embedding",
        r"((token|word|input)[ -]?)?embed(ding)?s?( (layer|table|matrix))?|\bwte\b|\bemb\b",
        r"(词|输入|token)?嵌入(层|矩阵|表)?|词向量",
    ),
    ("activations", r"activations?( memory| values?)?\b|\bact(s|ivation)? mem(ory)?", r"(中间)?激活(值|内存|显存)?"),
    ("kv", r"\bkv\b|\bk ?(and|&|\+|/) ?v\b"),
    ("block", r"((transformer|decoder|encoder)[ -]?)?(blocks?|layers?)\b", r"(transformer|解码器|编码器)?(单|每|一)?个?(层|块)"),
    ("model", r"\b(total|tot|model|whole|overall|entire|all|dense|full)\b|transformer", r"总|全部|整个|模型|合计"),
)

MEASURES = _table(
    ("macs", r"\bmacs?\b|multiply[ -]?(add|accumulate)s?|乘加"),
    (
        "flops",
        r"[tgp]?flops?\b|floating[ -]point|\bcompute\b|computation(al)?( cost)?|operations\b",
        r"计算量|运算量|浮点运算|计算(开销|成本)",
    ),
    ("bytes", r"\bbytes?\b|\bmem(ory)?\b|footprint|vram|storage|\b[kmgt]i?b\b", r"显存|内存|字节|存储"),
    ("elements", r"\belements\b|\bnumel\b|\bentries\b|元素"),
    ("parameters", r"\bparam(eter)?s?\b|\bnum ?params?\b|\bweights?\b|参数|权重"),
)

PASSES = _table(
    ("training", r"\btrain(ing)?\b|fwd ?\+ ?bwd|forward (and|\+) backward|训练"),
    ("backward", r"\bbackward|\bbwd\b|反向"),
    ("forward", r"\bforward|\bfwd\b|\binference\b|\bprefill|\bdecod(e|ing)\b", r"前向(?!网络)|推理|预填充"),
)

PER = _table(
    ("token", r"(per|each|/|a|one|single)[ -]?(token|tok\b|position)", r"(每|单)(个|一)?(一)?个? ?(token|词元|标记)|/ ?词元"),
    (
        "layer",
        r"(per|each|/|a|one|single|every)[ -]?((transformer|decoder|encoder) )?(layer|block)",
        r"(单|每|一)(个|一)? ?(transformer ?|decoder ?|解码器|编码器)?(层|块)|/ ?层",
    ),
    ("sequence", r"(per|each|/|one)[ -]?(sequence|sample|request|prompt)", r"每(个|条)?(序列|样本|请求)"),
    ("batch", r"(per|each|/)[ -]?(batch|step)", r"每个?(批次|批)"),
    ("model", r"(all|across|total over|over)[ -]?(the )?(l |\w+ )?layers", r"(所有|全部)的?层"),
)

HINTS = _table(
    ("LayerNorm", r"layer[ -]?norm|\bln[12]?\b|层归一化"),
    ("RMSNorm", r"rms[ -]?norm"),
    ("gated FFN", r"swiglu|geglu|\bglu\b|gated|three matrices", r"门控(ffn|前馈|mlp)|三个矩阵"),
    ("two-matrix FFN", r"two[ -]matri|\b(gelu|relu)\b (mlp|ffn)", r"两个矩阵"),
    ("untied", r"\buntied\b|not tied|不共享"),
    ("tied", r"(?<!not )\btied\b|weight tying", r"(?<!不)共享(权重|嵌入)|绑定"),
    ("multi-head attention", r"\bmha\b|multi[ -]head|多头注意力"),
    ("multi-query attention", r"\bmqa\b|multi[ -]query|多查询"),
    ("grouped-query attention", r"\bgqa\b|grouped?[ -]query|分组查询"),
    ("no bias", r"(no|without|w/o|ignoring|excluding) bias", r"无偏置|不含偏置|忽略偏置"),
    ("biases", r"with bias|including bias|(?<!不)含偏置"),
    ("elements", r"\belements\b|元素"),
    ("causal", r"\bcausal\b|因果"),
)
"""What a label says of the kind of model, in the words of the assumptions."""

WIDTHS = _table(
    ("16 bit", r"\b(fp16|bf16|float16|bfloat16|half)\b|\b(2|two)[ -]?bytes?\b|16[ -]?bits?\b", r"半精度|2 ?字节|16 ?位"),
    ("32 bit", r"\b(fp32|float32|single precision)\b|\b(4|four)[ -]?bytes?\b|32[ -]?bits?\b", r"单精度|4 ?字节|32 ?位"),
    ("8 bit", r"\b(int8|fp8|q8)\b|\b(1|one)[ -]byte\b|\b8[ -]?bits?\b", r"1 ?字节|8 ?位"),
    ("4 bit", r"\b(int4|fp4|q4|nf4)\b|\b4[ -]?bits?\b", r"\b4 ?位"),
)

LETTERS: dict[str, str] = {
    **dict.fromkeys("PNθΘφΦΨ", "parameters"),
    **dict.fromkeys("CF", "flops"),
    "M": "bytes",
    **dict.fromkeys("An#", ""),
}
"""What a letter with a subscript counts; of `n` and `#` the subscript must say it."""


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern of a row; a Latin word ends where a Chinese one begins."""
    return re.compile(pattern, re.ASCII)


def named(table: Table, text: str) -> Iterator[str]:
    """The rows that occur in the text."""
    return (name for name, pattern in table if compiled(pattern).search(text))


def first(table: Table, text: str) -> str:
    """The first row that occurs in the text; "" for none."""
    return next(named(table, text), "")


def every(table: Table, text: str) -> tuple[str, ...]:
    """All rows that occur, each phrase read once."""
    found = []
    for name, pattern in table:
        text, count = compiled(pattern).subn(" ; ", text)
        if count:
            found.append(name)
    return tuple(dict.fromkeys(found))
