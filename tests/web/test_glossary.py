"""The glossary, ``docs/glossary.md``: our catalogues have one translation for each term.

Games of other packages have their own words. One that brings a ``glossary.md`` is held to that.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Message

from scorekeeper.languages import catalogue_files as catalogue
from scorekeeper.languages.catalogues import OWN_CATALOGUES

CHECKOUT = Path(__file__).parents[2]
GLOSSARY = (CHECKOUT / "docs" / "glossary.md").read_text("utf-8")
# The glossaries of packages, and the folder of the catalogues that each is for.
FOREIGN = [
    (path, next(path.parent.glob("*/translations")))
    for path in sorted(CHECKOUT.glob("examples/*/glossary.md"))
]
COLUMN = {"it": 1, "fr": 2}
FACTS = re.compile(r"%\(\w+\)[sd]|\{\w+\}|<[^>]*>|&\w+;")
# English that is none of the terms it is spelled as.
IDIOMS = re.compile(
    r"chang\w+ hands|hands? out|at hand|(?:on|from) that side|on the table|ranks? (?:all|the suits)"
    r"|follows? from|can follow|Play goes"
)

# Messages, by how they begin, whose translation does without the word of a term.
WITHOUT: Mapping[str, tuple[str, ...]] = {
    "account": ("No account",),  # to log in with
    "hands": ("Collapse all", "Expand all"),
    "entry": ("Entry",),
    "fingerprint": ("Only a noted fingerprint",),
    "bid": (
        "A program: 2 units from 70, 3 from 80; alone", "Next the ripartitore may raise",
        "Raise the bid", "The ripartitore raises", "who passed may bid", "the player who bid it",
    ),
    "bids": ("Eldest is the seat",),
    "rank": ("A set must be of tens",),
    "match": ("Game of the match", "Two players: the dealer"),
    "game": (
        "Game", "Return game", "Game and Return Game", "A game is four hands", "How many hands are",
    ),
}  # fmt: skip


def rows(text: str) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Return the rows of the tables in a text, without their heads, as words by column."""
    for line in text.splitlines():
        cells = [cell.strip().lower() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] not in ("english", "italian", "---"):
            yield tuple(tuple(word.strip() for word in cell.split(",")) for cell in cells)


TERMS, NEVER = (tuple(rows(part)) for part in GLOSSARY.split("## Never"))


@cache
def any_of(words: Collection[str]) -> re.Pattern[str]:
    """Return a pattern for one of the words, whole."""
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)


Rows = Sequence[tuple[tuple[str, ...], ...]]


def words_by_term(language: str, listed: Rows = TERMS) -> dict[str, frozenset[str]]:
    """From each English term to the words for it, the longest terms first."""
    terms: dict[str, set[str]] = {}
    for row in listed:
        for term in row[0]:
            terms.setdefault(term, set()).update(row[COLUMN[language]])
    return {term: frozenset(terms[term]) for term in sorted(terms, key=len, reverse=True)}


def lacking(english: str, translation: str, terms: Mapping[str, frozenset[str]]) -> list[str]:
    """Return the terms in a text without a matching word in its translation."""
    left, missing = IDIOMS.sub(" ", FACTS.sub(" ", english)), []
    for term, words in terms.items():
        left, times = any_of((term,)).subn(" ", left)
        without = english.startswith(WITHOUT.get(term, ()))
        if times and not without and not any_of(words).search(translation):
            missing.append(term)
    return missing


def translations(language: str, folder: Path = OWN_CATALOGUES) -> Iterator[tuple[str, str]]:
    """Every text with its translation, of several forms the last."""
    for message in catalogue.read_catalogue(language, folder):
        if message.id:
            yield last(message, "id"), last(message, "string")


def last(message: Message, part: str) -> str:
    forms = getattr(message, part)
    return str(forms if isinstance(forms, str) else forms[-1])


@pytest.mark.parametrize("language", catalogue.TRANSLATED)
def test_each_term_has_one_translation(language: str) -> None:
    terms = words_by_term(language)
    assert wrong_in(terms, language) == {}, "docs/glossary.md lists the words for these terms"


@pytest.mark.parametrize(("path", "folder"), FOREIGN, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("language", catalogue.TRANSLATED)
def test_package_with_a_glossary_keeps_to_its_own(language: str, path: Path, folder: Path) -> None:
    terms = tuple(rows(path.read_text("utf-8")))
    assert wrong_in(words_by_term(language, terms), language, folder) == {}, f"{path} lists these"
    texts = [english for english, _ in translations(language, folder)]
    assert [row[0] for row in terms if not any(map(any_of(row[0]).search, texts))] == []


def wrong_in(
    terms: Mapping[str, frozenset[str]], language: str, folder: Path = OWN_CATALOGUES
) -> dict[str, tuple[str, list[str]]]:
    """Return the texts whose translations lack words, each with its translation and the terms."""
    return {
        english: (translation, missing)
        for english, translation in translations(language, folder)
        if (missing := lacking(english, translation, terms))
    }


@pytest.mark.parametrize("language", catalogue.TRANSLATED)
def test_forbidden_words_do_not_occur(language: str) -> None:
    place = 2 * (COLUMN[language] - 1)
    words = frozenset(word for row in NEVER for word in row[place] if word)
    assert [
        translation
        for _, translation in translations(language)
        if any_of(words).search(translation)
    ] == []


def test_every_term_is_met_and_every_exception_needed() -> None:
    """The glossary lists only words of the pages, and only exceptions that are needed."""
    texts = [FACTS.sub(" ", english) for english, _ in translations("it")]
    unheard = [row[0] for row in TERMS if not any(any_of(row[0]).search(text) for text in texts)]
    assert unheard == []
    begun = [start for starts in WITHOUT.values() for start in starts]
    assert [start for start in begun if not any(text.startswith(start) for text in texts)] == []


@pytest.mark.parametrize(
    ("english", "translation", "missing"),
    [
        ("Two tricks", "Due prese", []),
        ("Two tricks", "Due mani", ["tricks"]),
        ("Two {tricks}", "Due {tricks}", []),
        ("A match of tricksters", "Un incontro", []),
        ("He must follow suit", "Deve rispondere al seme", []),
        ("He must follow suit", "Deve rispondere", ["follow suit"]),
        ("The lead changed hands", "L’uscita è passata", []),
        ("Entry", "Inserire", []),
    ],
)
def test_a_word_is_looked_for_whole(english: str, translation: str, missing: list[str]) -> None:
    assert lacking(english, translation, words_by_term("it")) == missing
