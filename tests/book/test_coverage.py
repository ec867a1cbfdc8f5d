"""Every item of the inventory is taught in both languages: templates say which passage teaches it, `<# items: A1 A2 #>`."""

import re

import pytest

from derive.book.rendering import templates_folder
from derive.book.sources import SUFFIX

INVENTORY = tuple(f"{part}{number}" for part, last in (("A", 34), ("B", 51), ("C", 19)) for number in range(1, last + 1))


def taught(language):
    texts = (path.read_text(encoding="utf-8") for path in (templates_folder() / language).glob(f"*{SUFFIX}"))
    return {item for text in texts for items in re.findall(r"<#-?\s*items:(.*?)-?#>", text, flags=re.DOTALL) for item in items.split()}


def test_the_inventory():
    assert len(INVENTORY) == 104


@pytest.mark.parametrize("language", ["en", "zh"])
def test_only_items_that_there_are(language):
    assert taught(language) <= set(INVENTORY)


def test_both_languages_teach_the_same():
    assert taught("en") == taught("zh")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_item_is_taught(language):
    missing = [item for item in INVENTORY if item not in taught(language)]
    assert not missing, f"not taught in {language}: {' '.join(missing)}"
