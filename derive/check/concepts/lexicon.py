"""The words of labels, in English and Chinese: which object, which measure, for how much, and of which kind of model.

Each table is tried from its top; a word inside a longer phrase that stood above it is not read again.
"""

from __future__ import annotations

import re
from typing import TypeAlias

Table: TypeAlias = tuple[tuple[str, re.Pattern[str]], ...]


def _table(*rows: tuple[str, str]) -> Table:
    return tuple((name, re.compile(pattern)) for name, pattern in rows)


OTHER_MATTERS = re.compile(
    r"learning rate|loss\b|losses|accura|throughput|batch[ _-]?size|micro[ _-]?batch|latency|bandwidth|context (length|window|size)"
    r"|sequence length|(number|num|no\.?|count) of (layers|heads|tokens|experts|gpus)|(head|hidden|embedding|intermediate|vocab(ulary)?)"
    r"[ _-]?(dim(ension)?s?|size|width)\b|\bratio|fraction|percent|\bshare\b|proportion|intensity|\bmfu\b|utili[sz]ation|\btimes?\b|seconds?|\bhours?\b|\bdays?\b|\bprice|"
    r"\$|\bspeed|perplexity|temperature|\bgpus?\b ?(hours|needed|count)|flops? ?(/|per )s(ec|\b)|[tp]flops/s|warm-?up|dropout rate|\bsteps?\b|\bepochs?\b|savings?|reduction"
    r"|compression|学习率|损失|准确率|吞吐|批次?大小|批量大小|延迟|时延|带宽|上下文(长度|窗口)|序列长度|层数|头数|专家数|比例|占比|比值|比率|利用率|时间|耗时|小时|天数|价格"
    r"|速度|隐藏(层)?(维度|大小)|维度|词(汇)?表(大小|长度)|强度|困惑度|温度|节省|压缩"
)

OBJECTS = _table(
    ("cache", r"(kv|k/v|key[ /_-]?values?)[ _-]?cach(e|ed|ing)|kv ?缓存|键值(对)?缓存|缓存|\bkv ?(mem(ory)?|size|bytes|storage)|mem(ory)? ?kv\b|\bkv显存|\bcache\b"),
    ("lora", r"\blora\b|low[ -]rank|adapters?\b|低秩"),
    ("optimizer", r"optimi[sz]er[ _-]?(states?)?|\badamw? states?|优化器(状态)?|\bopt\b"),
    ("gradients", r"gradients?|\bgrads?\b|梯度"),
    ("state", r"training[ _-](memory|states?)|model states?|static memory|静态(显存|内存)|训练(总)?(所需)?(的)?(显存|内存)|模型状态|训练状态"),
    ("non-embedding", r"non[ _-]?embed(ding)?|(excluding|without|excl\.?|w/o|no) (the )?(token )?(embeddings?|vocab)|非嵌入|不(含|计|算|包括|包含)(词)?(嵌入|embedding)"),
    ("final norm", r"final[ _-]?(layer ?norm|rms ?norm|norm|ln)|\bln_?f\b|(最终|最后|末尾)(的)?(一个)?(层)?(归一化|layernorm|rmsnorm|norm)"),
    ("positions", r"position(al|s)?([ _-]?(embed(ding)?s?|encodings?|table))?|\bpos(_|[ -])?emb(ed)?\b|\bpos\b|\bwpe\b|位置(嵌入|编码|向量|表)?"),
    ("shared", r"shared[ _-]?experts?|共享专家"),
    ("experts", r"(all|routed|total|every)[ _-]?(the )?experts|experts\b|(所有|全部|路由)(的)?专家"),
    ("expert", r"(one|each|per|single|an)[ _-]?experts?|experts?\b|(单个|每个|一个)?专家(网络)?"),
    ("router", r"router|\bgating( network)?|\bgate network|routing|路由器?|门控网络"),
    ("moe", r"\bmoe\b|mixture[ -]of[ -]experts|混合专家"),
    ("norms", r"(layer[ -]?norms|rms[ -]?norms|\bnorms|two (layer|rms)[ -]?norms?|layer normali[sz]ations|两个(层)?(归一化|layernorm|rmsnorm))"),
    ("norm", r"layer[ _-]?norm(ali[sz]ation)?|rms[ _-]?norm|\bln[12]?\b|\bnorm(ali[sz]ation)?\b|(层)?归一化(层)?"),
    ("attention head", r"(per|each|one|single|/)[ _-]?(attention )?head\b|attention head\b|(每|单|一)个?(注意力)?头"),
    ("qkvo", r"\bqkvo\b|\bq, ?k, ?v,? ?(and |& )?o\b|q/k/v/o|attention proj(ection)?s|\b(4|four) proj(ection)s"),
    ("qkv", r"\bqkv([ _-]?proj(ection)?s?)?|\bq, ?k,? ?(and |& )?v\b|q/k/v|query,? ?key,? ?(and )?value|\bwqkv\b|qkv ?(投影|矩阵)"),
    ("kv", r"\bkv[ _-]?proj(ection)?s?|\bk(eys?)? ?(and|&|/|\+) ?v(alues?)? ?(proj(ection)?s?)|kv ?投影|\bk ?(和|与|、) ?v ?(的)?(投影|矩阵)"),
    ("q", r"\b(q|query)[ _-]?proj(ection)?|\bw_?q\b|\bquery (weight|matri)|\b(q|查询) ?(投影|矩阵)"),
    ("k", r"\b(k|key)[ _-]?proj(ection)?|\bw_?k\b|\bkey (weight|matri)|\b(k|键) ?(投影|矩阵)"),
    ("v", r"\b(v|value)[ _-]?proj(ection)?|\bw_?v\b|\bvalue (weight|matri)|\b(v|值) ?(投影|矩阵)"),
    ("o", r"\b(o|out|output|attention output)[ _-]?proj(ection)?|\bw_?o\b|(输出|o) ?(投影|矩阵)"),
    ("scores", r"\bqk\^?t\b|attention (scores?|logits|maps?|matri(x|ces))|q ?k\^\{?(t|\\top)\}?|注意力(分数|得分|矩阵)|\bscores?\b"),
    ("attention scores", r"(dot[ -]product|softmax|core)[ -]attention|attention (dot[ -]products?|core|mechanism)|注意力(计算|核心|部分的点积)"),
    ("attention", r"(self[ -])?attention|\battn\b|\batt\b|\b(mha|gqa|mqa|msa|sa)\b|注意力|自注意力"),
    ("up", r"\b(up|fc1|first|w_?1)[ _-]?(proj(ection)?|linear|layer|matrix)|\bfc1\b|升维|上投影"),
    ("down", r"\b(down|fc2|second|w_?2)[ _-]?(proj(ection)?|linear|matrix)|\bfc2\b|降维|下投影"),
    ("ffn", r"\bmlps?\b|\bffns?\b|\bffw?\b|\bff\b|feed[ -]?forward|swiglu|geglu|\bglu\b|前馈(网络|层|神经网络)?|前向网络"),
    ("ends", r"embed(ding)?s? ?(and|\+|&|/) ?(the )?(output|unembed|lm|head|logits)[\w ]*|\bvocab(ulary)?\b|词表|嵌入(层)?(和|与|及|、|\+)输出(头|层)"),
    ("head", r"lm[ _-]?head|un-?embed(ding)?s?|output (head|embeddings?|layer|matrix)|logits?|\bhead\b|输出头|输出(嵌入|层)|解嵌入"),
    ("embedding", r"(token|word|input|vocab(ulary)?)?[ _-]?embed(ding)?s?( (layer|table|matrix))?|\bwte\b|\bemb\b|(词|输入|token)?嵌入(层|矩阵|表)?|词向量"),
    ("activations", r"activations?( memory| values?)?\b|\bact(s|ivation)?[ _]mem(ory)?|激活(值|内存|显存|函数值)?|中间激活"),
    ("kv", r"\bkv\b|\bk ?(and|&|\+|/) ?v\b"),
    ("block", r"((transformer|decoder|encoder)[ _-]?)?(blocks?|layers?)\b|(transformer|解码器|编码器)?(单|每|一)?(个)?(层|块)"),
    ("model", r"\btotal\b|\bmodel\b|whole|overall|entire|\ball\b|\bdense\b|\btot\b|\bfull\b|transformer|总|全部|整个|模型|合计"),
)

MEASURES = _table(
    ("macs", r"\bmacs?\b|multiply[ -]?(add|accumulate)s?|乘加"),
    ("flops", r"[tgp]?flops?\b|floating[ -]point|\bcompute\b|computation(al)?( cost)?|计算量|运算量|浮点运算|计算(开销|成本)|operations\b"),
    ("bytes", r"\bbytes?\b|\bmem(ory)?\b|footprint|vram|storage|\b[kmgt]i?b\b|显存|内存|字节|存储"),
    ("elements", r"\belements\b|\bnumel\b|\bentries\b|元素"),
    ("parameters", r"\bparam(eter)?s?\b|\bnum_?params?\b|\bweights?\b|参数|权重"),
)

PASSES = _table(
    ("training", r"\btrain(ing)?\b|训练|fwd ?\+ ?bwd|forward (and|\+) backward"),
    ("backward", r"\bbackward|\bbwd\b|反向"),
    ("forward", r"\bforward|\bfwd\b|\binference\b|\bprefill|\bdecod(e|ing)\b|前向|推理|预填充"),
)

PER = _table(
    ("token", r"(per|each|/|a|one|single)[ _-]?(token|tok\b|position)|每(个|一)?(一)?个? ?(token|词元|标记)|单(个)? ?(token|词元)|/ ?(token|词元)"),
    ("layer", r"(per|each|/|a|one|single|every)[ _-]?(transformer |decoder |encoder )?(layer|block)|(单|每|一)(个|一)?(transformer ?)?(层|块)|/ ?层"),
    ("sequence", r"(per|each|/|one)[ _-]?(sequence|sample|request|prompt)|每(个|条)?(序列|样本|请求)"),
    ("batch", r"(per|each|/)[ _-]?(batch|step)|每(个)?(批次|批)"),
    ("model", r"(all|across|total over|over)[ _-]?(the )?(l |\w+ )?layers|(所有|全部)(的)?层"),
)

HINTS = _table(
    ("LayerNorm", r"layer[ _-]?norm|\bln[12]?\b|层归一化"),
    ("RMSNorm", r"rms[ _-]?norm"),
    ("gated FFN", r"swiglu|geglu|\bglu\b|gated|门控(ffn|前馈|mlp)|three matrices|三个矩阵"),
    ("two-matrix FFN", r"two[ -]matri|\b(gelu|relu)\b (mlp|ffn)|两个矩阵"),
    ("tied", r"\btied\b|weight tying|共享(权重|嵌入)|绑定"),
    ("untied", r"\buntied\b|not tied|不共享"),
    ("multi-head attention", r"\bmha\b|multi[ -]head|多头注意力"),
    ("multi-query attention", r"\bmqa\b|multi[ -]query|多查询"),
    ("grouped-query attention", r"\bgqa\b|grouped?[ -]query|分组查询"),
    ("no bias", r"(no|without|w/o|ignoring|excluding) bias|无偏置|不含偏置|忽略偏置"),
    ("biases", r"with bias|including bias|含偏置"),
    ("elements", r"\belements\b|元素"),
)

WIDTHS = _table(
    ("16 bit", r"\b(fp16|bf16|float16|bfloat16|half)\b|\b(2|two)[ -]?bytes?\b|16[ -]?bits?\b|半精度|2 ?字节|16 ?位"),
    ("32 bit", r"\b(fp32|float32|single precision)\b|\b(4|four)[ -]?bytes?\b|32[ -]?bits?\b|单精度|4 ?字节|32 ?位"),
    ("8 bit", r"\b(int8|fp8|q8)\b|\b(1|one)[ -]byte\b|8[ -]?bits?\b|1 ?字节|8 ?位"),
    ("4 bit", r"\b(int4|fp4|q4|nf4)\b|4[ -]?bits?\b|4 ?位"),
)

LETTERS: dict[str, str] = {
    "P": "parameters", "N": "parameters", "θ": "parameters", "Θ": "parameters", "φ": "parameters", "Φ": "parameters", "Ψ": "parameters",
    "C": "flops", "F": "flops", "M": "bytes", "A": "",
}  # fmt: skip
"""What a letter with a subscript counts."""


def first(table: Table, text: str) -> str:
    """The first row that occurs in the text; "" for none."""
    return next((name for name, pattern in table if pattern.search(text)), "")


def every(table: Table, text: str) -> tuple[tuple[str, ...], str]:
    """All rows that occur, each phrase read once, and what is left of the text."""
    found = []
    for name, pattern in table:
        text, count = pattern.subn(" ; ", text)
        if count:
            found.append(name)
    return tuple(found), text
