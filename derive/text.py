"""Words that a reader sees, in each language of the book."""

from derive.records import dataclass

LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Text:
    """One phrase in English and in Chinese."""

    en: str
    zh: str

    def in_(self, language: str) -> str:
        """The phrase in `language`, one of `LANGUAGES`."""
        return self.zh if language == "zh" else self.en

    def __add__(self, other: "Text") -> "Text":
        return Text(self.en + other.en, self.zh + other.zh)


def printable(text: str) -> str:
    """The text without control characters, whatever it quotes."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def is_chinese(letter: str) -> bool:
    """Whether a letter is one of the usual Chinese ones."""
    return "\u4e00" <= letter <= "\u9fff"


def grouped(number: int | None) -> str:
    """A whole number with its digits in groups; a dash where there is none."""
    return "–" if number is None else f"{number:,}"
