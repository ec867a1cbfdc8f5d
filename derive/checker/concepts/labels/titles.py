"""What a concept is called, in English and Chinese."""

from __future__ import annotations

from derive.checker.concepts.concept import Concept
from derive.text import Text

OBJECTS: dict[str, Text] = {
    "model": Text("model", "模型"),
    "active model": Text("active", "激活"),
    "non-embedding": Text("non-embedding", "非嵌入"),
    "block": Text("block", "一层"),
    "active block": Text("active block", "一层激活"),
    "attention": Text("attention", "注意力"),
    "attention head": Text("attention head", "单个注意力头"),
    "qkvo": Text("attention projection", "注意力投影"),
    "attention activations": Text("attention activation", "注意力激活值"),
    "ffn activations": Text("feed-forward activation", "前馈激活值"),
    "qkv": Text("QKV projection", "QKV 投影"),
    "kv": Text("key and value projection", "键值投影"),
    "q": Text("query projection", "查询投影"),
    "k": Text("key projection", "键投影"),
    "v": Text("value projection", "值投影"),
    "o": Text("output projection", "输出投影"),
    "scores": Text("attention score", "注意力得分"),
    "attention scores": Text("attention score and value", "注意力得分与加权求和"),
    "ffn": Text("feed-forward", "前馈网络"),
    "up": Text("up-projection", "升维投影"),
    "down": Text("down-projection", "降维投影"),
    "norm": Text("norm", "归一化"),
    "norms": Text("norms'", "归一化合计"),
    "final norm": Text("final norm", "最终归一化"),
    "embedding": Text("embedding", "词嵌入"),
    "ends": Text("embedding and output head", "词嵌入与输出头"),
    "head": Text("output head", "输出头"),
    "positions": Text("learned position", "位置表"),
    "router": Text("router", "路由器"),
    "expert": Text("expert", "专家"),
    "experts": Text("experts'", "全部专家"),
    "active experts": Text("active experts'", "激活专家"),
    "shared": Text("shared expert", "共享专家"),
    "moe": Text("mixture-of-experts", "混合专家"),
    "active moe": Text("active mixture-of-experts", "混合专家激活"),
    "cache": Text("key/value cache", "键值缓存"),
    "lora": Text("LoRA", "LoRA"),
    "optimizer": Text("optimizer state", "优化器状态"),
    "gradients": Text("gradient", "梯度"),
    "weights": Text("weight", "权重"),
    "state": Text("training state", "训练状态"),
    "activations": Text("activation", "激活值"),
}
_MEASURES: dict[str, Text] = {
    "parameters": Text("parameters", "参数量"),
    "flops": Text("FLOPs", "计算量"),
    "macs": Text("multiply-adds", "乘加次数"),
    "bytes": Text("memory", "显存"),
    "elements": Text("elements", "元素数"),
    "": Text("size", "大小"),
}
_PER: dict[str, Text] = {
    "forward": Text("forward", "前向"),
    "backward": Text("backward", "反向"),
    "training": Text("training", "训练"),
    "token": Text("per token", "每词元"),
    "layer": Text("per layer", "每层"),
    "sequence": Text("per sequence", "每序列"),
    "batch": Text("per batch", "每批"),
    "model": Text("in all layers", "全部层"),
}


def titled(thing: str, measure: str, per: frozenset[str] = frozenset(), *, sure: bool = False) -> Concept:
    """The concept of an object and what is counted of it, with its name and title."""
    about, counted = OBJECTS[thing], _MEASURES[measure]
    said = [name for each, name in _PER.items() if each in per]
    english = " ".join((about.en, counted.en, *(each.en for each in said)))
    chinese = "".join((*(each.zh for each in said), about.zh, counted.zh))
    return Concept(english, Text(english, chinese), thing, measure, per, sure=sure)
