"""What can go wrong, each kind under its own name; only the command line catches them."""


class DeriveError(Exception):
    """The root of every error that `derive` raises on purpose."""


class FormulaError(DeriveError):
    """A formula could not be read, or names something unknown.

    `text` is the formula as given, `column` the place in it, counted from 1.
    """

    def __init__(self, message: str, text: str, column: int | None = None) -> None:
        self.text = text
        self.column = column
        place = f", column {column}" if column else ""
        super().__init__(f"{message} (in '{_short(text)}'{place})")


class DocumentError(DeriveError):
    """A document could not be read: no text, not its format, or beyond the bounds; the message names the file and the place."""


class ConfigError(DeriveError):
    """A model configuration is missing, malformed, contradictory or of an unknown family."""


class CheckpointError(DeriveError):
    """A checkpoint cannot be read from its header: truncated, contradictory, hostile, incomplete, or of a refused format."""


class StepError(DeriveError):
    """A step of a derivation does not hold; the message names the step and the residual."""


class UndecidedError(DeriveError):
    """The exact normal form does not reach this formula: not rational, or beyond the bounds."""


class ChapterError(DeriveError):
    """A chapter could not be rendered; the message names the chapter and the place."""


def _short(text: str, most: int = 72) -> str:
    """The text on one line, cut where it would fill the screen."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
