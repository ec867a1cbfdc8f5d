"""The words of tables and captions, which no chapter's prose holds."""

from __future__ import annotations

from derive.text import Text

COMPONENTS: dict[str, Text] = {
    "attention": Text("attention", "注意力"),
    "latent attention": Text("latent attention", "潜在注意力"),
    "feed-forward": Text("feed-forward", "前馈网络"),
    "routed experts": Text("routed experts", "路由专家"),
    "shared experts": Text("shared experts", "共享专家"),
    "router": Text("router", "路由器"),
    "norms": Text("norms", "归一化"),
    "final norm": Text("final norm", "最终归一化"),
    "token embedding": Text("token embedding", "词嵌入"),
    "learned positions": Text("learned positions", "位置表"),
    "output head": Text("output head", "输出头"),
    "embedding and head": Text("embedding and head", "词嵌入与输出头"),
    "gated attention": Text("gated attention", "门控注意力"),
    "attention gate": Text("attention gate", "注意力门控"),
    "indexer": Text("indexer", "索引器"),
    "state space": Text("state space", "状态空间"),
    "gated delta net": Text("gated delta net", "门控 delta 网络"),
    "delta attention": Text("delta attention", "delta 注意力"),
    "lightning attention": Text("lightning attention", "lightning 注意力"),
    "matrix memory": Text("matrix memory", "矩阵记忆"),
    "recurrent block": Text("recurrent block", "循环块"),
    "short convolution": Text("short convolution", "短卷积"),
    "time mixing": Text("time mixing", "时间混合"),
    "channel mixing": Text("channel mixing", "通道混合"),
    "shared-expert gate": Text("shared-expert gate", "共享专家的门控"),
    "latent projections": Text("latent projections", "潜在投影"),
    "routing correction": Text("routing correction", "路由修正项"),
    "embedding norm": Text("embedding norm", "词嵌入归一化"),
    "norm before attention": Text("norm before attention", "注意力前的归一化"),
    "norms beside each other": Text("norms beside each other", "并列的归一化"),
    "input projection": Text("input projection", "输入投影"),
    "output projection": Text("output projection", "输出投影"),
    "projection": Text("projection", "投影"),
    "projection behind the shared block": Text("projection behind the shared block", "共用块之后的投影"),
    "low-rank updates": Text("low-rank updates", "低秩更新"),
    "multi-token prediction": Text("multi-token prediction", "多词元预测"),
    "other modality": Text("other modality", "其他模态"),
    "buffers": Text("buffers", "缓冲张量"),
    "other": Text("other", "其他"),
}
"""The components of models by the engine's names for them."""


def component(name: str) -> Text:
    """The word for a component; one that only a traced form has is called as the form calls it."""
    return COMPONENTS.get(name, Text(name, name))


CONVENTIONS: dict[str, Text] = {
    "total": Text("stored parameters", "总参数（存储）"),
    "total_with_buffers": Text("stored parameters and routing correction", "总参数加路由修正项"),
    "active": Text("active, both ends of the vocabulary included", "激活参数（含词嵌入与输出头）"),
    "active_without_input_embedding": Text("active without the input lookup", "激活参数（不含输入查表）"),
    "active_non_embedding": Text("active without embedding and head", "激活参数（不含词嵌入与输出头）"),
    "non_embedding": Text("stored, without embedding and head", "总参数（不含词嵌入与输出头）"),
    "linear": Text("linear parameters", "线性参数"),
}

SYMBOL, MEANING = Text("symbol", "符号"), Text("meaning", "含义")
TENSOR, SHAPE, ELEMENTS = Text("tensor", "张量"), Text("shape", "形状"), Text("elements", "元素数")
COMPONENT, FORMULA = Text("component", "部件"), Text("formula", "公式")
PARAMETERS, SHARE, ACTIVE = Text("parameters", "参数量"), Text("share", "占比"), Text("active", "激活")
STORED, ACTIVE_PARAMETERS, ACTIVE_SHARE = Text("total", "总参数"), Text("active", "激活参数"), Text("active share", "激活占比")
OF_EXACT = Text("of the exact count", "与精确计数之比")
MODEL, EXACT, CONVENTION = Text("model", "模型"), Text("exact count", "精确计数"), Text("convention", "口径")
TOTAL = Text("total", "合计")

OTHER = "other"
GROUPS: dict[str, tuple[str, ...]] = {
    "attention": ("attention", "latent attention", "gated attention", "attention gate", "indexer"),
    "recurrent": (
        "state space", "gated delta net", "delta attention", "lightning attention", "matrix memory", "recurrent block",
        "short convolution", "time mixing",
    ),
    "feed-forward": ("feed-forward", "channel mixing"),
    "experts": ("routed experts", "shared experts", "router", "shared-expert gate", "latent projections", "routing correction"),
    "norms": ("norms", "final norm", "embedding norm", "norm before attention", "norms beside each other"),
    "ends": ("token embedding", "output head", "embedding and head", "input projection", "output projection"),
    "positions": ("learned positions",),
    OTHER: (),
}  # fmt: skip
"""Components by kind; what is of none of them is `OTHER`."""
GROUP_NAMES: dict[str, Text] = {
    "attention": COMPONENTS["attention"],
    "recurrent": Text("state space, linear attention", "状态空间与线性注意力"),
    "feed-forward": COMPONENTS["feed-forward"],
    "experts": Text("experts, router", "专家与路由器"),
    "norms": COMPONENTS["norms"],
    "ends": Text("embedding, head", "词嵌入与输出头"),
    "positions": Text("positions", "位置表"),
    OTHER: COMPONENTS["other"],
}


def group(name: str) -> str:
    """The kind of a component."""
    return next((each for each, names in GROUPS.items() if name in names), OTHER)


FIGURES: dict[str, Text] = {
    "linear_per_token": Text("linear layers", "线性层"),
    "attention_per_token": Text("attention", "注意力"),
    "logits_per_token": Text("logits", "输出得分"),
    "forward_per_token": Text("forward pass", "前向合计"),
    "activations": Text("all kept", "全部保留"),
    "activations_fused": Text("fused attention", "融合注意力"),
    "activations_selective": Text("core recomputed", "重算核心"),
    "activations_full": Text("all recomputed", "全部重算"),
}
RULES: dict[str, Text] = {
    "train_per_token": Text("three forward passes, each token attending to all `n`", "三次前向，每个词元与全部 `n` 个词元计算注意力"),
    "causal": Text("the same, causal pairs only", "同上，只算因果掩码内的部分"),
    "rule_6N_total": Text("`6P`, all stored parameters", "`6P`，总参数（存储）"),
    "rule_6N_active": Text("`6P`, active, both ends of the vocabulary included", "`6P`，激活参数（含词嵌入与输出头）"),
    "rule_6N_active_no_lookup": Text("`6P`, active without the input lookup", "`6P`，激活参数（不含输入查表）"),
    "rule_6N_active_no_embedding": Text("`6P`, active without embedding and head", "`6P`，激活参数（不含词嵌入与输出头）"),
    "rule_6N_no_embedding": Text("`6P`, stored, without embedding and head", "`6P`，总参数（不含词嵌入与输出头）"),
}
SCHEMES: dict[str, Text] = {
    "fp32": Text("Adam, everything in fp32", "Adam，全部 fp32"),
    "mixed": Text("Adam, mixed precision", "Adam，混合精度"),
    "mixed-fp32-gradients": Text("Adam, mixed precision, fp32 gradients", "Adam，混合精度，fp32 梯度"),
    "mixed-both-gradients": Text("Adam, mixed precision, both gradients kept", "Adam，混合精度，两种梯度都保留"),
    "adam-8bit": Text("Adam in 8 bits, fp32 master weights", "8 比特 Adam，fp32 主权重"),
    "sgd": Text("SGD in fp32", "SGD，fp32"),
    "sgd-momentum": Text("SGD with momentum in fp32", "带动量的 SGD，fp32"),
}

OFF, COUNT, GFLOPS = Text("off by", "偏差"), Text("count", "口径"), Text("GFLOPs per token", "每词元 GFLOPs")
ATTENTION, CONTEXT = Text("attention", "注意力"), Text("context", "上下文")
PER_TOKEN, BYTES_PER_TOKEN = Text("elements per token", "每词元元素数"), Text("bytes per token", "每词元字节数")
FORMAT, BYTES, BITS = Text("format", "格式"), Text("bytes per element", "每元素字节"), Text("bits per element", "每元素比特")
SCHEME, WEIGHTS, GRADIENTS = Text("scheme", "方案"), Text("weights", "权重"), Text("gradients", "梯度")
OPTIMIZER, TOGETHER = Text("optimizer", "优化器"), Text("together", "合计")
TRAINABLE = Text("trainable parameters", "可训练参数")
LATENT, MULTI_HEAD = Text("latent", "潜在"), Text("multi-head", "多头")
MULTI_QUERY, GROUPED, WINDOWED = Text("multi-query", "多查询"), Text("grouped", "分组"), Text(", windows", "，含窗口")
NO_ATTENTION, STATES = Text("none", "无"), Text(", states", "，含状态")
EXPERT, SCORE, CHOSEN, WEIGHT = Text("expert", "专家"), Text("score", "得分"), Text("chosen", "选中"), Text("weight", "权重")
YES, TOKEN, EXPERTS = Text("yes", "是"), Text("token", "词元"), Text("experts", "专家")
TOKENS, ASSIGNMENTS = Text("tokens", "词元数"), Text("assignments", "分配数")
EXPECTED = Text("experts expected in use", "预期用到的专家数")
PRINTED, RIGHT, VALUE = Text("as printed", "常见写法"), Text("right", "正确"), Text("value", "数值")
EMPTY = Text("", "")
ONE_MORE, ADDS = Text("one more token", "多一个词元"), Text("amount", "数量")
WITH_BIAS, UNIT = Text("with output bias", "有输出偏置时"), Text("unit", "单位")
IN_ENGLISH, IN_CHINESE, IN_FULL = Text("in English", "英文"), Text("in Chinese", "中文"), Text("in full", "完整写法")
MATRICES = Text("matrices", "矩阵数")
OVERTAKING = Text("context at which attention costs as much as the linear layers", "注意力与线性层运算量相等的上下文")
STAGE = Text("ZeRO stage", "ZeRO 阶段")
TIMES_FEWER = Text("times fewer", "压缩比")
KEPT, BYTES_ALONE, GIGABYTES = Text("kept", "保存"), Text("bytes", "字节"), Text("GB", "GB")
STATE: dict[str, Text] = {
    "weights": WEIGHTS,
    "gradients": GRADIENTS,
    "fp32 gradients": Text("fp32 gradients", "fp32 梯度"),
    "master weights": Text("master weights", "主权重"),
    "first moment": Text("first moment", "一阶矩"),
    "second moment": Text("second moment", "二阶矩"),
    "momentum": Text("momentum", "动量"),
}
FIT = Text("fit", "拟合")
PER_PARAMETER = Text("tokens for each parameter", "每个参数的词元数")
HUNDRED_MILLION = Text("yi", "亿")
FIT_PHRASES: dict[str, Text] = {
    " et al.": Text(" et al.", " 等"),
    ", arXiv": Text(", arXiv", "，arXiv"),
    ", approach 3": Text(", approach 3", "，方法三"),
    " (the same data, fitted again)": Text(" (the same data, fitted again)", "（同样的数据，重新拟合）"),
}
