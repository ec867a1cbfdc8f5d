"""What texts call the sizes of a Transformer, in English and Chinese, longest wording first.

A row is a pattern: slots parted by spaces, `a|b` one of several, `[a|b]` one of several or nothing, `~` a space inside of
one wording. Hyphens and slashes of the text are spaces; a wording in Chinese is matched character by character.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from derive.check.glossary.automaton import Automaton

Manner = Literal["full", "count", "short"]
"""full: "hidden size", says it alone; count: "layers", after a letter or a number; short: "vocab", only beside `=` or `:`."""

BY_LETTER: dict[str, dict[str, str]] = {
    "tokens": {"D_tokens": "D D_tokens n_tokens T_train", "n": "n T S s l n_ctx t"},
    "model size": {"P_total": "N P M phi Phi psi Psi theta W", "d": "d d_model"},
    "key size": {"d_h": "d_k d_v d_q d_qk", "d_kv": "d_kv"},
    "groups": {"h_kv": "g G n_g N_g n_groups h_kv"},
    "rank": {"r": "r R"},
    "amount of compute": {"compute": "C C_train"},
    "depth": {"L": "L l ell n n_l N n_layers n_layer"},
}
"""Wordings that mean different things: which, by the letter that they stand with."""

_SIZE = "size|sizes|dim|dims|dimension|dimensions|dimensionality|width|length"
_NUMBER = "number~of|numbers~of|num|#|#~of|no~of|count~of|total~of|total~number~of"
_HEADS = "head|heads"
_EACH = "per|for~each|of~each|of~one|of~a|of~an|in~each|of~the|of|of~every|each"
_FFN = "ffn|mlp|ff|ffw|feed~forward|feedforward|feed~forward~network|feedforward~network|feed~forward~layer|feedforward~layer|mlp~layer|ffn~layer"
_PARAMETERS = "parameters|params|weights"
_KV = "kv|k~v|key~value|k~and~v|key~and~value|key~or~value|key"
_IN_MODEL = "in~the~model|of~the~model|in~the~network|in~the~transformer|of~the~transformer|in~a~transformer|of~the~network|in~model"
_ZH_SIZE = "维度|维数|大小|尺寸|宽度|规模|size|dim|dimension|长度"
_ZH_COUNT = "数|数量|数目|个数|总数|总数量"
_ZH_FFN = "ffn|mlp|前馈|前馈层|前馈网络|前馈神经网络|全连接层|feed~forward|ffn~层"
_ZH_MIDDLE = "中间|中间层|隐藏|隐藏层|隐层|内部|升维|intermediate|hidden"
_ZH_TOKEN = "token|tokens|词元|令牌|标记"

_FULL: dict[str, tuple[str, ...]] = {
    "model size": ("model size", "size of the model", "parameter size", "模型 大小|规模|尺寸"),
    "d": (
        f"hidden|model|embedding|embeddings|embed|residual~stream|hidden~state|hidden~states|hidden~layer|hidden~representation|token~embedding|"
        f"word~embedding|embedding~vector|channel|model~hidden|transformer~hidden|hidden~embedding|hidden~unit|model~embedding {_SIZE}",
        f"{_SIZE} of [the|a|each] [transformer|input|token] hidden|hidden~state|hidden~states|hidden~layer|hidden~layers|embedding|embeddings|"
        "token~embeddings|token~embedding|residual~stream|hidden~representation|embedding~vector|embedding~vectors|hidden~vector",
        "dim|dimension|dimensionality|width of the model|transformer",
        f"{_NUMBER} channels|embedding~dimensions|hidden~dimensions",
        f"隐藏|隐层|隐藏层|隐含层|隐藏状态|隐状态|隐向量|隐藏向量|模型|模型隐藏|模型隐藏层|嵌入|嵌入向量|词嵌入|词向量|嵌入层|残差流|token~嵌入 [的] {_ZH_SIZE}",
        f"hidden|embedding|模型~hidden|model|token~embedding [的] {_ZH_SIZE}|维",
        "隐藏层 神经元 数|数量|个数",
    ),
    "d_h": (
        f"head|heads|attention~head|query~head|single~head|per~head [hidden|key|query|embedding] {_SIZE}",
        f"[hidden|key|query|embedding|key~query] {_SIZE} {_EACH} [the] [attention|individual|single|query] {_HEADS}",
        f"每个|单个|每一个|各|每|单 [注意力|查询|attention] 头|head|heads [的] [隐藏|向量] {_ZH_SIZE}",
        f"注意力头|头|head|attention~head [的] {_ZH_SIZE}",
    ),
    "d_kv": (
        f"total kv|key~value|key {_SIZE}",
        "kv|key~value width",
        f"{_SIZE} of [all|the] [all] kv|key~value {_HEADS}",
        "键值总宽度",
        "kv 总维度",
    ),
    "d_q": ("query width", "查询总宽度", "total query dimension|dim"),
    "key size": (f"{_KV}|query|key~query|query~key|keys~and~queries|value {_SIZE}", f"{_SIZE} of [the] keys|queries|values|key|query|value"),
    "h": (
        f"{_NUMBER} [total] [attention|query|q|self~attention|parallel|multi~head~attention|attn|transformer|total] {_HEADS} [per~layer|in~each~layer|in~a~layer]",
        "attention|query|q head count",
        f"number of [query|attention] heads in [the] [multi~head] attention [layer|layers|mechanism|block]",
        f"注意力|查询|多头注意力|多头|自注意力|attention|query|q|self~attention 头|head|heads [的] {_ZH_COUNT}",
        f"头|heads|head [的] {_ZH_COUNT}",
    ),
    "h_kv": (
        f"{_NUMBER} [distinct|shared] {_KV} [attention] {_HEADS} [per~layer]",
        f"{_KV} head count",
        f"{_NUMBER} query|kv|gqa|key~value|key~value~head groups",
        f"键值|kv|k~v|key~value|键|key [的] 头|head|heads [的] {_ZH_COUNT}",
        f"kv|query|查询 组 [的] {_ZH_COUNT}",
    ),
    "groups": (f"{_NUMBER} groups",),
    "g": (
        "number~of [query] heads|queries|query~heads per|in~each|in~a|sharing~each|for~each [kv|key~value|query] head|group|heads~group",
        "gqa group|ratio [size]",
        "queries|query~heads|heads per kv~head|key~value~head|group",
        "query group size",
        "每组 [的] 查询 头 数|数量",
        "每个 kv 头 对应 的 查询 头 数|数量",
    ),
    "m": (
        f"{_FFN} [hidden|intermediate|inner|hidden~layer|inner~layer|intermediate~layer] {_SIZE}",
        f"intermediate|inner|inner~layer [hidden|layer|mlp|ffn|feed~forward] {_SIZE}",
        f"[hidden|inner|intermediate|hidden~layer|inner~layer] {_SIZE} of|in [the|a] [dense|position~wise] {_FFN} [network|layer|layers|block|blocks|module]",
        f"hidden {_FFN} {_SIZE}",
        f"{_FFN} hidden",
        f"{_ZH_FFN} [的] {_ZH_MIDDLE} [层] [的] {_ZH_SIZE}",
        f"{_ZH_FFN} [的] {_ZH_SIZE}",
        f"中间|中间层|中间隐藏|intermediate [的] {_ZH_SIZE}",
        "升维 后 的 维度",
    ),
    "m_e": (
        f"expert|moe|per~expert|routed~expert [ffn|mlp] [hidden|intermediate|inner] {_SIZE}",
        f"[ffn|mlp] [hidden|inner|intermediate|ffn|hidden~layer] {_SIZE} {_EACH} [the] [single|individual|routed|moe] expert|experts",
        f"[每个|单个|路由|每] 专家|expert [的] [ffn] [{_ZH_MIDDLE}] [的] {_ZH_SIZE}",
    ),
    "m_s": (f"shared expert [hidden|intermediate] {_SIZE}", f"[hidden|intermediate] {_SIZE} {_EACH} shared expert|experts", f"共享 专家 [的] [{_ZH_MIDDLE}] [的] {_ZH_SIZE}"),
    "V": (
        "vocabulary|vocab|dictionary|token~vocabulary|tokenizer~vocabulary|vocabulary~token|padded~vocabulary|padded~vocab size|sizes|length|cardinality|count|dim|dimension",
        "size|cardinality of [the] [token|tokenizer|model] [s] vocabulary|vocab|dictionary",
        f"{_NUMBER} [vocabulary|vocab|distinct|unique|different] tokens|words|entries in [the|our|its] vocabulary|vocab|dictionary",
        f"{_NUMBER} vocabulary|vocab entries|tokens|words|items",
        f"词表|词汇表|词典|字典|单词表|词汇|vocab|vocabulary [的] 大小|规模|尺寸|长度|容量|size|{_ZH_COUNT}|维度",
        "词汇量",
        "词表 里|中 [的] token|词 数|数量",
    ),
    "L": (
        f"{_NUMBER} [transformer|decoder|hidden|stacked|model|network|identical|decoder~only|self~attention|attention|stacked~transformer|transformer~decoder] layers|layer [{_IN_MODEL}]",
        f"{_NUMBER} [transformer|decoder|stacked|identical|residual|stacked~transformer|transformer~decoder] blocks [{_IN_MODEL}]",
        "[total|transformer] layer count",
        "number of transformer|decoder layers|blocks in the decoder|stack",
        "model|network|transformer depth",
        "depth of the model|network|transformer",
        f"[transformer|模型|网络|神经网络|解码器|隐藏|decoder|block|总] [的] [总] 层 [的] {_ZH_COUNT}",
        f"transformer [的] block|块|层|layer [的] {_ZH_COUNT}",
        f"layer|layers|decoder~layer|transformer~layer|block 数|数量|个数",
        "解码器 块|层 [的] 数|数量",
        "模型|网络 深度",
    ),
    "depth": ("depth",),
    "L_D": (f"{_NUMBER} dense [ffn] layers", "稠密 层 数|数量"),
    "L_M": (f"{_NUMBER} moe|mixture~of~experts|sparse layers|blocks", "moe 层 数|数量"),
    "L_F": (f"{_NUMBER} full|global [attention] layers", "全局 注意力 层 数|数量"),
    "L_S": (f"{_NUMBER} sliding|sliding~window|local [attention] layers", "滑动 窗口 层 数|数量"),
    "w": ("[sliding|attention|local] [attention] window size|length", "size of the [sliding|attention] window", "[滑动|注意力] 窗口 [的] 大小|长度|尺寸"),
    "E": (
        f"{_NUMBER} [routed|total|local|moe|ffn|available] experts [per~layer|in~each~layer|in~the~layer|per~moe~layer|in~each~moe~layer|in~a~layer]",
        "total|routed experts",
        "[total] expert count",
        f"[每层] [的] [路由|总] 专家|expert|experts [的] {_ZH_COUNT}",
    ),
    "E_s": (f"{_NUMBER} shared experts [per~layer]", f"共享 专家|expert [的] {_ZH_COUNT}"),
    "k": (
        f"{_NUMBER} active|activated|selected|chosen|used [routed] experts [per~token|for~each~token|per~tok]",
        f"{_NUMBER} [routed] experts per|activated~per|active~per|selected~per|chosen~per|used~per|activated~for~each|selected~for~each|routed~to~per|for~each|chosen~for~each token|tok",
        f"{_NUMBER} experts [that] each|a|every token is routed to",
        f"每个|每 {_ZH_TOKEN} [所] 激活|选中|选择|使用|路由到|对应 的 [路由] 专家 [的] {_ZH_COUNT}",
        f"激活|选中|活跃|被激活|被选中|每次激活 [的] [路由] 专家|experts|expert [的] {_ZH_COUNT}",
    ),
    "n": (
        "[maximum|max|total|input|training|full|token|current] sequence|seq|context|ctx|input|prompt|input~sequence|token~sequence|context~window length|lengths|len",
        "length of [the|an|each] [input|token] sequence|context|prompt|sequences|input",
        "context|sequence|context~window|seq size",
        "[maximum] context window",
        f"{_NUMBER} [input|prompt|context|past] tokens in|per|of [the|a|each|one] [input] sequence|context|prompt|input|sample",
        f"{_NUMBER} prompt|input|context tokens",
        "tokens per sequence|sample",
        f"[最大|输入|训练|总|文本|token] 序列|上下文|上下文窗口|输入序列|输入|文本|句子|提示|提示词|prompt|seq|sequence|context [的] 长度|length|len",
        f"[输入] 序列 [的|中] [的] {_ZH_TOKEN} {_ZH_COUNT}",
        "上下文 窗口 [大小]",
    ),
    "n_ctx": ("[maximum|max] number of [learned] positions", "max|maximum position embeddings", "maximum number of position embeddings", "最大 位置 数"),
    "B": (
        "[global|training|inference|micro|mini|per~gpu|per~device|local|total] batch|microbatch|minibatch size|sizes [per~gpu|per~device]",
        "size of [the|a|each] [mini|micro|training] batch",
        f"{_NUMBER} sequences|samples|examples|prompts in|per [the|a|each] [mini|micro|training] batch",
        f"{_NUMBER} [concurrent|parallel|input] sequences",
        f"{_NUMBER} concurrent requests|users",
        f"[全局|训练|推理|微|小|micro|global|每卡|总] 批|批次|批量|批处理|batch [的] 大小|尺寸|规模|size",
    ),
    "batch_tokens": (
        "batch size in|measured~in|of tokens",
        f"{_NUMBER} tokens in|per [the|a|each] [global|training|mini] batch|step|training~step|iteration",
        "tokens per batch|step|training~step",
        f"每 [个] 批|批次|batch|步|step [的] {_ZH_TOKEN} {_ZH_COUNT}",
    ),
    "b": (
        "[number~of|#~of|storage|num] bytes|byte per|of~each|for~each|of~one|for~one|of~a|each|for~a [stored|model|single|kv|cached|weight|matrix] parameter|element|elem|value|weight|param|number|scalar|activation|entry|float",
        "[storage] size of [a|one|each|the|an] [single|stored|model|kv] [cache] element|data~type|dtype|datatype|value [in~bytes]",
        "precision in bytes",
        "element|dtype|data~type|datatype size|bytes [in~bytes]",
        "byte width",
        f"[每|每个|单个|一个|每一个] [模型] 参数|元素|权重|数值|数|值|数据 [所|需|需要|所需] [占|占用|存储] [用] [的] 字节 [数|大小|数量]",
        "精度|数据类型|数据精度|dtype [对应|所占|占用] [的] 字节 [数|大小|数量]",
        "每 参数|元素|个数 字节 [数]",
    ),
    "r": ("lora|adapter|adaptation|low~rank rank", "rank of [the] [lora|low~rank] adapter|adapters|update|decomposition|adaptation|matrices|lora", "lora [的] 秩", "低秩 [矩阵|分解|适配] [的] 秩"),
    "rank": ("[low] rank", "秩"),
    "r_q": ("query|q compression|latent|compressed dimension|dim|rank", "q lora rank", "查询 压缩 [后] [的] 维度|秩|维数"),
    "r_kv": (
        "kv|key~value|key~and~value compression|latent|compressed dimension|dim|rank|size",
        "[dimension|dim|rank] [of] [the] compressed kv [latent|vector] dimension|dim",
        "kv lora rank",
        "kv|键值 [联合] 压缩|潜在 [后|向量] [的] 维度|秩|维数",
    ),
    "d_n": ("nope head dim|dimension|size", "non rotary head dim|dimension"),
    "d_r": (
        "rope|rotary|decoupled [head] dim|dimension|size",
        "per head dimension of the decoupled queries and key|keys",
        "rope 维度",
        "旋转 位置 [编码] [部分] [的] [每头] 维度",
    ),
    "d_v": ("value head dim|dimension|size",),
    "N_d": ("data parallel|parallelism [size|degree|dimension|ways]", f"{_NUMBER} data~parallel|model replicas|ranks|workers|copies", "数据 并行 [的] 度|大小|数|规模|路数|size|维度"),
    "tensor_parallel": (
        "tensor|tensor~model|model parallel|parallelism [size|degree|dimension|ways]",
        "tp size|degree",
        f"{_NUMBER} tensor parallel ranks|gpus|devices",
        "张量|模型|tensor [模型] 并行 [的] 度|大小|数|规模|路数|size|维度",
        "tp 度|大小|并行度|size",
    ),
    "pipeline_parallel": (
        "pipeline [model] parallel|parallelism [size|degree|dimension|ways]",
        "pp size|degree",
        f"{_NUMBER} pipeline [parallel] stages|ranks",
        "流水线|流水 [线] 并行 [的] 度|大小|数|规模|size|级数",
        "pp 度|大小|并行度|size",
    ),
    "expert_parallel": ("expert parallel|parallelism [size|degree]", "ep size|degree", "专家 并行 度|大小|数"),
    "sequence_parallel": ("sequence|context parallel|parallelism [size|degree]", "cp size|degree", "序列|上下文 并行 度|大小|数"),
    "devices": (
        f"{_NUMBER} [available|total|data~center] gpus|devices|accelerators|chips|tpus|cards",
        f"gpu|显卡|卡|设备|加速卡|芯片 [的] {_ZH_COUNT}",
        "[total] gpu count",
    ),
    "P_total": (
        f"{_NUMBER} [model|trainable|total|learnable|neural~network|network|all|the~model~s|overall] {_PARAMETERS} [{_IN_MODEL}|in~the~llm|of~the~llm]",
        "[total|model|full] parameter|param count|counts|number",
        "[the] total [model|trainable] parameters|params",
        "total number of [trainable] parameters in [the|a] model|llm|network",
        "parameters|params of the model|network|llm",
        "number of parameters of [the|a] model|llm|network|transformer",
        "[模型|总|全部|所有|模型总|可训练|网络|模型的总|大模型|llm] [的] 参数 [的] 量|数|数量|总数|总量|个数|规模|总数量|数目",
        "总 参数 [量|数]",
        "模型 [的] [总] 参数 [总] 量|数",
    ),
    "P_non_embedding": (
        f"{_NUMBER} non embedding [model] {_PARAMETERS}",
        f"{_NUMBER} {_PARAMETERS} excluding [the|all] [vocabulary~and~positional|token|input] embedding|embeddings",
        f"{_NUMBER} [model] {_PARAMETERS} excluding [all] vocabulary and positional embeddings",
        "non embedding parameters|params|parameter~count",
        "非 嵌入|embedding [层] [的] 参数 量|数|数量",
    ),
    "P_active": (
        f"{_NUMBER} active|activated [model] {_PARAMETERS} [per~token|for~each~token]",
        "active|activated parameters|params|parameter~count [per~token]",
        f"{_NUMBER} parameters activated|active|used per|for~each token",
        "[每个|每] [token|词元] [的] 激活|活跃 [的] 参数 [量|数|数量]",
    ),
    "D_tokens": (
        f"{_NUMBER} [total] training|pretraining|pre~training|processed|train [data] tokens",
        f"{_NUMBER} [training|total|unique|all] tokens in|of [the|a] [training|pretraining|whole|entire] dataset|corpus|data|training~set|set|training~data",
        f"{_NUMBER} [training] tokens [that] [the~model] [is|was] processed|trained~on|seen|used~for~training|trained|consumed|sees [during~training|in~training|by~the~model]",
        f"{_NUMBER} tokens used for|in|during [the] [model] training",
        "dataset|data|corpus|training~set|training~data|training~dataset|data~set size [in~tokens|measured~in~tokens]",
        "size of [the] [training] dataset|corpus|training~data|training~set|data [in~tokens]",
        "[total] training tokens",
        "训练|预训练 [数据|语料|集|过程] [中|所用|使用|所使用] [的] [总] token|tokens|词元|令牌 [的] [总] 数|数量|量|总数|总量|个数",
        "训练 数据 [集] [的] 量|规模|大小|总量",
        "训练 数据 [集] 的 token 数",
        "数据 集 [的] 大小|规模|token~数|token~总数",
        "语料 [的] token|词元 数|总数|数量",
    ),
    "tokens": (f"{_NUMBER} [total|input|all] tokens", "total tokens", f"{_ZH_TOKEN} [的] [总] 数|数量|个数|总数|总量"),
    "compute": (
        "total|training|total~training compute [budget]",
        "compute|flop|flops budget",
        "[total] training flops|flop|cost|computation",
        f"{_NUMBER} [training|total] flops|flop|floating~point~operations [used~for|for|during|in|required~for] training",
        "training compute in flops|flop",
        "amount of compute",
        "[总|训练|训练总|训练所需|训练所需的|模型训练|所需|预训练] [的] 总 计算 量",
        "训练|训练所需|训练所需的|预训练 [的] [总] 计算|flops|浮点 [运算] 量|次数|数|计算量",
        "计算 预算",
    ),
    "amount of compute": ("compute", "total flops", f"{_NUMBER} flops|flop|floating~point~operations", "计算 量", "flops"),
    "expansion": (
        f"{_FFN}|expansion|ffn~expansion|mlp~expansion|feed~forward~expansion ratio|factor|multiplier|multiple",
        "ffn 扩展|扩张 [的] 倍数|比例|系数|因子",
        "扩展 倍数|比例|系数|因子",
    ),
}

_COUNT: dict[str, tuple[str, ...]] = {
    "h": ("[attention|query|q|self~attention|parallel|total|attn] heads", "个 [注意力|查询|attention] 头|head|heads", "[注意力|查询] 头"),
    "h_kv": (f"{_KV}|shared~key~value heads", "query|kv groups", "[个] 键值|kv|k~v 头|head|heads"),
    "L": (
        "[transformer|decoder|hidden|stacked|identical|decoder~only|model|self~attention|transformer~decoder] layers",
        "[transformer|decoder|identical|stacked|transformer~decoder] blocks",
        "[个] [transformer|解码器|decoder|隐藏|网络] 层",
        "[个] transformer|解码器|decoder block|blocks|块|层",
        "层 [transformer|decoder|解码器|网络]",
    ),
    "L_M": ("moe layers",),
    "L_D": ("dense layers",),
    "E": ("[routed|total] experts", "个 [路由] 专家|experts|expert"),
    "E_s": ("shared experts", "[个] 共享 专家"),
    "k": (
        "active|activated|selected|chosen [routed] experts [per~token]",
        "experts per|active~per|activated~per|selected~per|chosen~per token",
        "[个] 激活 专家",
    ),
    "d_h": ("dims|dimensions per [attention] head",),
    "P_total": (f"[model|total|trainable|learnable] {_PARAMETERS}", "个 参数"),
    "P_non_embedding": (f"non embedding {_PARAMETERS}",),
    "P_active": ("active|activated parameters|params",),
    "D_tokens": ("training tokens", "tokens of [training] data|text", "个 训练 token|tokens|词元"),
    "tokens": ("[input|total] tokens", "个 token|tokens|词元"),
    "B": ("[input|concurrent] sequences", "条|个 序列|样本"),
    "devices": ("gpus|devices|accelerators|chips|tpus", "张 卡|显卡|gpu", "个 gpu|gpus|设备", "卡"),
    "d": ("channels|embedding~dimensions|hidden~dimensions|hidden~units",),
    "other": ("microbatches|micro~batches|steps|iterations|epochs|stages|nodes|groups|samples|classes|bits|bytes", "步|轮|节点|类"),
}

_SHORT: dict[str, tuple[str, ...]] = {
    "B": ("batch|batches", "批|批次|批量"),
    "n": ("seq|sequence|context", "序列|上下文"),
    "V": ("vocab|vocabulary", "词表|词汇表"),
    "d": ("hidden|embedding|embed|channels|embeddings", "隐藏|隐藏层"),
    "m": ("intermediate|ffn|ff",),
    "L": ("layer",),
    "b": ("bytes",),
    "depth": ("深度",),
}

_OTHER_EN = """loss losses rate matrix matrices vector vectors tensor tensors bandwidth bandwidths time times temperature gradient gradients weight weights bias
    biases probability probabilities constant constants cost costs error errors throughput latency activation activations function functions state states
    index indices position positions score scores output outputs input inputs query queries key keys value values memory flops flop/s flops/s speed
    fraction ratio percentage overhead utilization efficiency coefficient exponent decay momentum distribution variance mean norm timestep
    step steps epoch epochs bits frequency angle capacity budget perplexity entropy mask logits logit set scale expert layer head token embedding
    embeddings sequence attention softmax derivative performance intensity energy power price volume"""
_OTHER_ZH = """损失 学习率 矩阵 权重 带宽 温度 概率 向量 时间 延迟 吞吐 吞吐量 激活值 梯度 算力 显存 内存 索引 位置 步数 缩放因子 系数 函数 常数 误差 偏置 方差
    均值 利用率 比例 输出 输入 峰值 频率 张量 层索引 编号 状态 动量 指数 困惑度 熵 掩码 次数 步长 下标 速度 性能 效率 精度 价格 强度 曲率"""
_GENERIC = set(f"{_SIZE}|len".split("|")) | {"number", "rank", "degree", "factor", "count"}


@dataclass(frozen=True, slots=True)
class Wording:
    """A wording of the tables: what it means and how it is used."""

    meaning: str
    manner: Manner


def match(words: Sequence[str], start: int, silent: Container[int] = ()) -> tuple[Wording, int] | None:
    """The longest wording that begins at `start`, and where it ends; words at `silent` places (hyphens) are passed over."""
    return wordings().longest(words, start, silent)


def meant(wording: Wording, letter: str) -> str | None:
    """What the wording says about `letter`: some mean different things with different letters."""
    choices = BY_LETTER.get(wording.meaning)
    if choices is None:
        return wording.meaning
    return next((meaning for meaning, letters in choices.items() if letter in letters.split()), None)


def is_other(words: list[str]) -> bool:
    """Whether words that no wording matches name something that is no size of a Transformer: "the weight matrix", "学习率"."""
    if not words:
        return False
    text = "".join(words)
    if not text.isascii():
        return any(text.endswith(noun) for noun in _others()[1])
    if words[0] in {"number", "total", "num"} and "of" in words[:3] and len(words) > 2:
        return True
    head = next((at for at, word in enumerate(words) if word in _PREPOSITIONS), len(words))
    noun = words[head - 1] if head else ""
    return noun in _others()[0] or (noun in _GENERIC and head > 1)


_PREPOSITIONS = {"of", "for", "in", "at", "on", "per", "from", "to", "that", "which", "used", "between", "with", "after", "by", "over"}


@cache
def _others() -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(_OTHER_EN.split()), frozenset(_OTHER_ZH.split())


@cache
def wordings() -> Automaton[Wording]:
    """All rows; where two match the same words, `full` comes before `count` before `short`, then the row that stands first."""
    rows = [
        (row, Wording(meaning, manner))
        for manner, table in _TABLES
        for meaning, rows_of_meaning in table.items()
        for row in rows_of_meaning
    ]
    return Automaton(rows)


_TABLES: tuple[tuple[Manner, dict[str, tuple[str, ...]]], ...] = (("full", _FULL), ("count", _COUNT), ("short", _SHORT))
