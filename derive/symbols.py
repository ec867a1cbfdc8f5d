"""The vocabulary: every dimension of a Transformer, once.

The parser, the writers, the glossary and the config reader are driven by this table; a new symbol is one row.
Every symbol stands for a positive integer.
"""

from derive.records import dataclass
from derive.text import Text


@dataclass(frozen=True, slots=True)
class Symbol:
    """One dimension.

    A formula in `meaning` stands between backticks. `aliases` are whole words that other texts use for it, each
    unambiguous; letters that mean different things in different texts (`h`, `N`, `H`) are not aliases. `keys` are the
    config.json keys that hold it, in order of preference.
    """

    name: str
    latex: str
    meaning: Text
    unit: Text
    aliases: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()

    @property
    def other_names(self) -> tuple[str, ...]:
        """Aliases and config.json keys, each once."""
        return tuple(dict.fromkeys((*self.aliases, *self.keys)))


_SCALARS = Text("scalars", "维")
_HEADS = Text("heads", "头")
_LAYERS = Text("layers", "层")
_TOKENS = Text("tokens", "词元")
_EXPERTS = Text("experts", "专家")
_COPIES = Text("copies", "份")

VOCABULARY: tuple[Symbol, ...] = (
    Symbol(
        "d",
        "d",
        Text("hidden size: the width of the residual stream", "隐藏维度：残差流的宽度"),
        _SCALARS,
        ("d_model", "hidden_size", "n_embd", "d_embed"),
        ("hidden_size", "n_embd"),
    ),
    Symbol(
        "d_q",
        "d_q",
        Text("query width: all query heads together, `h d_h`", "查询总宽度：全部查询头的宽度之和 `h d_h`"),
        _SCALARS,
    ),
    Symbol(
        "d_kv",
        "d_{kv}",
        Text("key (or value) width: all key/value heads together, `h_kv d_h`", "键（或值）总宽度：全部键值头的宽度之和 `h_kv d_h`"),
        _SCALARS,
    ),
    Symbol(
        "h",
        "h",
        Text("query heads", "查询头数"),
        _HEADS,
        ("n_heads", "n_head", "num_heads", "num_attention_heads"),
        ("num_attention_heads", "n_head"),
    ),
    Symbol(
        "h_kv",
        "h_{kv}",
        Text("key/value heads", "键值头数"),
        _HEADS,
        ("n_kv_heads", "num_kv_heads", "num_key_value_heads"),
        ("num_key_value_heads",),
    ),
    Symbol(
        "d_h",
        "d_h",
        Text("head size", "每头维度"),
        _SCALARS,
        ("d_head", "head_dim", "head_size"),
        ("head_dim",),
    ),
    Symbol(
        "m",
        "m",
        Text("intermediate size of the feed-forward network", "前馈网络的中间维度"),
        _SCALARS,
        ("d_ff", "d_ffn", "intermediate_size", "n_inner", "ffn_dim"),
        ("intermediate_size", "n_inner"),
    ),
    Symbol(
        "m_e",
        "m_e",
        Text("intermediate size of one routed expert", "每个路由专家的中间维度"),
        _SCALARS,
        ("moe_intermediate_size", "d_expert"),
        ("moe_intermediate_size",),
    ),
    Symbol(
        "m_s",
        "m_s",
        Text("intermediate size of one shared expert", "每个共享专家的中间维度"),
        _SCALARS,
        ("shared_expert_intermediate_size",),
        ("shared_expert_intermediate_size",),
    ),
    Symbol(
        "V",
        "V",
        Text("vocabulary size: rows of the embedding matrix", "词表大小：嵌入矩阵的行数"),
        Text("entries", "条目"),
        ("vocab_size", "n_vocab"),
        ("vocab_size",),
    ),
    Symbol(
        "L",
        "L",
        Text("layers", "层数"),
        _LAYERS,
        ("n_layers", "n_layer", "num_layers", "num_hidden_layers"),
        ("num_hidden_layers", "n_layer"),
    ),
    Symbol(
        "L_D",
        "L_D",
        Text("layers with a dense feed-forward network", "前馈为稠密网络的层数"),
        _LAYERS,
        ("n_dense_layers",),
        ("first_k_dense_replace",),
    ),
    Symbol("L_M", "L_M", Text("layers with a mixture of experts", "前馈为混合专家的层数"), _LAYERS, ("n_moe_layers",)),
    Symbol("L_F", "L_F", Text("layers that attend to the whole context", "注意整个上下文的层数"), _LAYERS, ("n_full_layers",)),
    Symbol("L_S", "L_S", Text("layers that attend through a window", "只注意滑动窗口的层数"), _LAYERS, ("n_sliding_layers",)),
    Symbol("L_I", "L_I", Text("layers whose indexer selects tokens (sparse attention)", "由索引器选取词元的层数（稀疏注意力）"), _LAYERS),
    Symbol(
        "L_rec",
        r"L_{\mathrm{rec}}",
        Text("layers with a recurrence in the place of attention", "以递归代替注意力的层数"),
        _LAYERS,
        ("n_recurrent_layers",),
    ),
    Symbol(
        "L_conv",
        r"L_{\mathrm{conv}}",
        Text("layers with a short convolution in the place of attention", "以短卷积代替注意力的层数"),
        _LAYERS,
    ),
    Symbol("w", "w", Text("sliding window", "滑动窗口的长度"), _TOKENS, ("sliding_window", "window_size"), ("sliding_window",)),
    Symbol(
        "E",
        "E",
        Text("routed experts in a layer", "每层的路由专家数"),
        _EXPERTS,
        ("n_experts", "num_experts", "num_local_experts", "n_routed_experts"),
        ("num_local_experts", "num_experts", "n_routed_experts"),
    ),
    Symbol(
        "E_s",
        "E_s",
        Text("shared experts in a layer", "每层的共享专家数"),
        _EXPERTS,
        ("n_shared_experts",),
        ("n_shared_experts",),
    ),
    Symbol(
        "k",
        "k",
        Text("routed experts chosen for a token", "每个词元选中的路由专家数"),
        _EXPERTS,
        ("top_k", "num_experts_per_tok"),
        ("num_experts_per_tok",),
    ),
    Symbol(
        "c",
        "c",
        Text("stored copies of the embedding matrix: 1 tied, 2 not", "嵌入矩阵存储的份数：共享为 1，不共享为 2"),
        _COPIES,
    ),
    Symbol("n", "n", Text("context: tokens in the sequence", "上下文：序列中的词元数"), _TOKENS, ("seq_len", "context_length")),
    Symbol(
        "n_ctx",
        r"n_{\mathrm{ctx}}",
        Text("rows of the learned position table", "可学习位置表的行数"),
        Text("positions", "位置"),
        ("n_positions", "max_position_embeddings"),
        ("n_positions", "max_position_embeddings"),
    ),
    Symbol("B", "B", Text("batch: sequences processed together", "批大小：同时处理的序列数"), Text("sequences", "序列"), ("batch_size",)),
    Symbol("N_d", "N_d", Text("data-parallel replicas", "数据并行的副本数"), Text("devices", "设备")),
    Symbol("b", "b", Text("bytes of one stored element", "每个元素占用的字节数"), Text("bytes", "字节"), ("bytes_per_element",)),
    Symbol("r", "r", Text("rank of a LoRA update", "LoRA 更新的秩"), _SCALARS, ("lora_rank",)),
    Symbol(
        "r_q",
        "r_q",
        Text("rank of the query compression (latent attention)", "查询压缩的秩（潜在注意力）"),
        _SCALARS,
        ("q_lora_rank",),
        ("q_lora_rank",),
    ),
    Symbol(
        "r_kv",
        "r_{kv}",
        Text("rank of the shared key/value compression (latent attention)", "键值共同压缩的秩（潜在注意力）"),
        _SCALARS,
        ("kv_lora_rank",),
        ("kv_lora_rank",),
    ),
    Symbol(
        "d_n",
        "d_n",
        Text("head size of the query/key part without position (latent attention)", "查询/键不含位置部分的每头维度（潜在注意力）"),
        _SCALARS,
        ("qk_nope_head_dim",),
        ("qk_nope_head_dim",),
    ),
    Symbol(
        "d_r",
        "d_r",
        Text("head size of the rotary query/key part (latent attention)", "查询/键旋转位置部分的每头维度（潜在注意力）"),
        _SCALARS,
        ("qk_rope_head_dim",),
        ("qk_rope_head_dim",),
    ),
    Symbol(
        "d_v",
        "d_v",
        Text("head size of the value (latent attention)", "值的每头维度（潜在注意力）"),
        _SCALARS,
        ("v_head_dim",),
        ("v_head_dim",),
    ),
    Symbol(
        "d_emb",
        r"d_{\mathrm{emb}}",
        Text("width of the embedding where it is projected to the hidden size", "嵌入的宽度（再投影到隐藏维度）"),
        _SCALARS,
        ("word_embed_proj_dim",),
        ("word_embed_proj_dim",),
    ),
    Symbol(
        "h_I",
        "h_I",
        Text("query heads of the indexer (sparse attention)", "索引器的查询头数（稀疏注意力）"),
        _HEADS,
        ("index_n_heads",),
        ("index_n_heads",),
    ),
    Symbol(
        "d_I",
        "d_I",
        Text("head size of the indexer (sparse attention)", "索引器的每头维度（稀疏注意力）"),
        _SCALARS,
        ("index_head_dim",),
        ("index_head_dim",),
    ),
    Symbol(
        "k_I",
        "k_I",
        Text("tokens that the indexer selects for a query (sparse attention)", "索引器为每个查询选取的词元数（稀疏注意力）"),
        _TOKENS,
        ("index_topk",),
        ("index_topk",),
    ),
    Symbol(
        "d_rec",
        r"d_{\mathrm{rec}}",
        Text("inner width of a recurrent layer", "递归层的内部宽度"),
        _SCALARS,
        ("mamba_d_ssm", "lru_width"),
        ("mamba_d_ssm", "lru_width"),
    ),
    Symbol(
        "d_state",
        r"d_{\mathrm{state}}",
        Text("state size of a state space, for each of its channels", "状态空间每个通道的状态大小"),
        _SCALARS,
        ("state_size", "ssm_state_size", "mamba_d_state"),
        ("state_size", "ssm_state_size", "mamba_d_state"),
    ),
    Symbol(
        "d_conv",
        r"d_{\mathrm{conv}}",
        Text("tokens that a depthwise convolution looks at", "逐通道卷积所看的词元数"),
        _TOKENS,
        ("conv_kernel", "mamba_d_conv", "conv_L_cache", "conv1d_width", "linear_conv_kernel_dim"),
        ("conv_kernel", "mamba_d_conv", "conv_L_cache", "conv1d_width", "linear_conv_kernel_dim"),
    ),
    Symbol(
        "r_dt",
        r"r_{\mathrm{dt}}",
        Text("rank of the step size of a state space", "状态空间步长投影的秩"),
        _SCALARS,
        ("time_step_rank", "mamba_dt_rank"),
        ("time_step_rank", "mamba_dt_rank"),
    ),
    Symbol(
        "h_ssm",
        r"h_{\mathrm{ssm}}",
        Text("heads of a state space", "状态空间的头数"),
        _HEADS,
        ("mamba_n_heads", "mamba_num_heads"),
        ("mamba_n_heads", "mamba_num_heads"),
    ),
    Symbol(
        "g_ssm",
        r"g_{\mathrm{ssm}}",
        Text("groups of heads of a state space that share their input and output maps", "状态空间中共用输入输出映射的头组数"),
        Text("groups", "组"),
        ("mamba_n_groups", "mamba_ngroups"),
        ("n_groups", "mamba_n_groups"),
    ),
    Symbol(
        "h_lk",
        r"h_{lk}",
        Text("query and key heads of linear attention", "线性注意力的查询与键头数"),
        _HEADS,
        ("linear_num_key_heads",),
        ("linear_num_key_heads",),
    ),
    Symbol(
        "h_lv",
        r"h_{lv}",
        Text("value heads of linear attention", "线性注意力的值头数"),
        _HEADS,
        ("linear_num_value_heads",),
        ("linear_num_value_heads",),
    ),
    Symbol(
        "d_lk",
        r"d_{lk}",
        Text("size of a query or key head of linear attention", "线性注意力查询与键的每头维度"),
        _SCALARS,
        ("linear_key_head_dim",),
        ("linear_key_head_dim",),
    ),
    Symbol(
        "d_lv",
        r"d_{lv}",
        Text("size of a value head of linear attention", "线性注意力值的每头维度"),
        _SCALARS,
        ("linear_value_head_dim",),
        ("linear_value_head_dim",),
    ),
    Symbol(
        "n_shared_blocks",
        r"n_{\mathrm{shared\,blocks}}",
        Text("transformer blocks that several layers share", "多层共用的 Transformer 块数"),
        Text("blocks", "块"),
    ),
    Symbol(
        "n_updates",
        r"n_{\mathrm{updates}}",
        Text("low-rank updates stored beside shared blocks", "共用块旁存储的低秩更新数"),
        Text("updates", "个"),
    ),
    Symbol("d_shared_attn", r"d_{\mathrm{shared\,attn}}", Text("width that shared attention reads", "共用注意力的输入宽度"), _SCALARS),
    Symbol(
        "d_block", r"d_{\mathrm{block}}", Text("width of one diagonal block of the gates of an RG-LRU", "RG-LRU 门控的对角块宽度"), _SCALARS
    ),
    Symbol(
        "d_routed",
        r"d_{\mathrm{routed}}",
        Text("width that routed experts work at, where it is not the hidden size", "路由专家所在的宽度（不等于隐藏维度时）"),
        _SCALARS,
        ("moe_latent_size",),
        ("moe_latent_size",),
    ),
)

BY_NAME: dict[str, Symbol] = {symbol.name: symbol for symbol in VOCABULARY}
BY_ALIAS: dict[str, Symbol] = {alias: symbol for symbol in VOCABULARY for alias in symbol.aliases}

# The order in which the field writes the factors of a term, where nothing else decides it.
_WRITTEN_ORDER = (
    "B n N_d L L_D L_M L_F L_S L_I L_rec L_conv w E E_s k k_I c V n_ctx r r_q r_kv r_dt d d_emb h h_kv h_I h_ssm h_lk h_lv g_ssm "
    "n_shared_blocks n_updates d_q d_kv d_h d_n d_r d_v d_I d_lk d_lv d_rec d_state d_conv d_block d_shared_attn d_routed m m_e m_s b"
)
FACTOR_RANK: dict[str, int] = {name: rank for rank, name in enumerate(_WRITTEN_ORDER.split())}


def meant_by(word: str) -> str | None:
    """The vocabulary's name for `word`, a name or an alias of a symbol; None where it is neither."""
    if word in BY_NAME:
        return word
    symbol = BY_ALIAS.get(word)
    return symbol.name if symbol else None


_INITIALS = frozenset("AEFMNP")
"""What the names of quantities begin with, each before an underscore."""


def is_spelled_like_a_quantity(name: str) -> bool:
    """Whether a name can be that of a quantity, whatever its case; asked before the quantities are worked out to look it up."""
    return name[1:2] == "_" and name[0].upper() in _INITIALS
