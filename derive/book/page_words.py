"""The words of pages that are made from the chapters, and of navigation."""

from __future__ import annotations

from derive.symbols import Symbol
from derive.text import Text

OTHER_NAMES = Text("other names", "其他名称")
PLACES = Text("where", "出处")
CONTENTS, LIST_OF_SYMBOLS = Text("Contents", "目录"), Text("List of symbols", "符号表")
INDEX_OF_FORMULAS, REFERENCES = Text("Index of formulas", "公式索引"), Text("References", "参考文献")
_NONE = Text("–", "–")
LETTERS: tuple[Symbol, ...] = (
    Symbol("P", "P", Text("parameters of a model", "模型的参数量"), Text("parameters", "参数")),
    Symbol("C", "C", Text("operations of a whole training", "整个训练的运算量"), Text("FLOPs", "次浮点运算")),
    Symbol("D", "D", Text("tokens that a model is trained on", "训练用的词元数"), Text("tokens", "词元")),
    Symbol("d_in", "", Text("width of what a matrix takes", "矩阵的输入宽度"), Text("scalars", "维")),
    Symbol("d_out", "", Text("width of what a matrix gives", "矩阵的输出宽度"), Text("scalars", "维")),
    Symbol("W", "", Text("weight matrix; its subscript says which", "权重矩阵，下标说明是哪一个"), _NONE),
    Symbol("γ", "", Text("scale of a norm", "归一化的缩放"), _NONE),
    Symbol("β", "", Text("shift of LayerNorm; an exponent in a fitted loss", "LayerNorm 的平移；在拟合的损失中是指数"), _NONE),
    Symbol("α", "", Text("an exponent in a fitted loss", "拟合的损失中的指数"), _NONE),
)
"""Letters of chapters that are no sizes of a model."""
ABOUT_SYMBOLS = Text(
    "The symbols that the chapters use, and what configurations and other texts call them. Quantities are written with a letter for "
    "their unit and a name below: `P` for parameters, `F` for floating-point operations, `N` for elements, `M` and `A` for bytes.",
    "各章用到的符号，以及它们在配置文件与其他文献中的名称。"
    "各个量的主字母表示所计的是什么，下标是名字： `P` 是参数， `F` 是浮点运算， `N` 是元素， `M` 与 `A` 是字节。",
)
ABOUT_FORMULAS = Text(
    "The quantities that the chapters derive. Unless a chapter says otherwise, a block has grouped-query attention, a gated network, "
    "RMSNorm and no biases; where `d_q` does not occur, the queries are as wide as the hidden state.",
    "各章推导出的量。除非另有说明，所说的层用分组查询注意力、门控前馈网络、RMSNorm，无偏置；式中没有 `d_q` 时，查询与隐藏状态同宽。",
)

NEXT, PREVIOUS, SEARCH = Text("Next", "下一章"), Text("Previous", "上一章"), Text("Search headings", "搜索标题")
OTHER_LANGUAGE = Text("中文", "English")
"""The name of the other language, as its readers read it."""
SKIP = Text("Skip to the text", "跳到正文")
PERMALINK = Text("Link to this section", "本节链接")
NOTHING_FOUND = Text("No heading has all these words", "没有含有这些词的标题")
PAGES = Text("Previous and next", "上一章与下一章")
THEME = Text("Light or dark", "浅色或深色")
TABLE, FORMULA, PICTURE, CODE = Text("Table", "表格"), Text("Formula", "公式"), Text("Picture", "图"), Text("Code", "代码")
"""The names of boxes that scroll, for those who do not see them."""
