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
}

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
MODEL, EXACT, CONVENTION = Text("model", "模型"), Text("exact count", "精确计数"), Text("convention", "口径")
TOTAL = Text("total", "合计")
UNIT, OTHER_NAMES = Text("unit", "单位"), Text("other names", "其他名称")
QUANTITY, PLACES = Text("quantity", "量"), Text("where", "出处")
LIST_OF_SYMBOLS, INDEX_OF_FORMULAS = Text("List of symbols", "符号表"), Text("Index of formulas", "公式索引")
REFERENCES, CONTENTS = Text("References", "参考文献"), Text("Contents", "目录")
CHAPTER, APPENDIX = Text("chapter", "章"), Text("appendix", "附录")
NEXT, PREVIOUS, SEARCH = Text("Next", "下一章"), Text("Previous", "上一章"), Text("Search headings", "搜索标题")
OTHER_LANGUAGE = Text("中文", "English")
"""The name of the other language, as its readers read it."""
SKIP = Text("Skip to the text", "跳到正文")
NUMBERS_ON_PAGE = Text("page", "页")
