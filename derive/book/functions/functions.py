"""What a chapter's template may ask for: every formula, number and table of the book.

A template holds prose only. Each function returns Markdown in the chapter's language and the output's dialect of LaTeX;
whatever claims an equality is proved first.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from derive.book.functions.arithmetic import Arithmetic
from derive.book.functions.calling import Function
from derive.book.functions.cost_tables import Costs
from derive.book.functions.definitions import Definitions
from derive.book.functions.displays import Displays
from derive.book.functions.links import Links
from derive.book.functions.mistakes import Mistakes
from derive.book.functions.parameter_tables import ParameterTables
from derive.book.functions.quantity_tables import QuantityTables
from derive.book.functions.routing_tables import Routing
from derive.book.functions.scaling import Scaling
from derive.book.functions.sentences import Sentences
from derive.book.naming import Naming
from derive.book.writing import Dialect

_SUBJECTS = (Sentences, Displays, QuantityTables, Arithmetic, Definitions, Scaling, ParameterTables, Costs, Routing, Mistakes)


@dataclass(frozen=True, slots=True)
class Functions:
    """The functions, bound to a language and a dialect of LaTeX; each subject has a module of its own."""

    language: str
    dialect: Dialect
    naming: Naming = field(default_factory=Naming)

    def by_name(self) -> dict[str, Function]:
        """The functions under the names that templates call them by, each checking how it is called."""
        voices = [Links(self.language, self.dialect, self.naming), *(subject(self.language, self.dialect) for subject in _SUBJECTS)]
        return {name: Function(name, function) for voice in voices for name, function in voice.by_name().items()}
