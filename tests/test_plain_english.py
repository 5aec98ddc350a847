"""The English of docstrings, comments and names: signs of unclear sentences are counted.

A sign is a phrase or a name at which a reader stops: a person without a noun, a program that tells
or says something, an error as the tail of a sentence. A good sentence may contain one, so each
folder has a maximum per 1,000 lines, and a low count alone does not make a sentence clear.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

CHECKOUT: Final = Path(__file__).parents[1]
FOLDERS: Final = ("scorekeeper", "tests", "benchmarks", "tools", "examples")
MAX_SIGNS_PER_1000_LINES: Final = 2.0
FOR_TOOLS: Final = re.compile(r"noqa|type: ignore|fmt:")  # comments that no person reads

# Words after which "who" has no noun. After a noun it is good English: "the player who leads".
BEFORE_WHO: Final = (
    "after|all|and|anybody|are|as|beside|but|by|everybody|for|from|he|if|is|nobody|of|one|or"
    "|somebody|than|that|those|to|was|were|what|where|with"
)
VERBS_OF_WHO: Final = (
    "are|asks?|comes?|follows?|gives?|had|has|holds?|is|knows?|leads?|left|listens?|looks?|may|opens?"
    "|play(?:s|ed)?|reads?|records?|runs?|sends?|takes?|tells?|tried|tries|waits?|was|watch(?:es)?"
    "|were|writes?"
)
VERBS_OF_WHAT: Final = (
    "a|all|an|can|cannot|comes|each|every|has|is|it|its|lies|may|no|nobody|one|somebody|stands|the"
    "|they|was|who"
)

PHRASES: Final = {
    "a person without a noun": re.compile(
        r"\bwhoever\b"
        rf"|(?:^|[.,:;(\"“] ?|\b(?:{BEFORE_WHO}) )whom? (?:\w+ ){{0,2}}?(?:{VERBS_OF_WHO})\b",
        re.MULTILINE,
    ),
    "of whom, to whom": re.compile(r"\b(?:after|beside|by|for|from|of|to|with) whom\b"),
    "he instead of they": re.compile(r"\b(?:he|him|his|himself)\b"),
    "an error as a tail": re.compile(
        r"; [A-Z][A-Za-z]+(?: or [A-Z][A-Za-z]+)?\.(?:\s|$)", re.MULTILINE
    ),
    "a program that tells or says": re.compile(r"\b(?:said|tell(?:s|ing)|told)\b"),
    "What as a subject": re.compile(rf"(?:^|[.:;] )What (?:{VERBS_OF_WHAT})\b", re.MULTILINE),
    "a figure of speech": re.compile(
        r"\b(?:as far as anybody|at that moment|comes? to|gives? way|goes before|in vain|is up to"
        r"|its way|lets? go|of its own accord|stands once|to and fro)\b"
    ),
}
NAMES: Final = re.compile(
    r"(?:^|_)(?:aside|asked|breath|countings?|everybody|gone|hasty|heard|here|lie|meant|nobody|noted"
    r"|once|roll|said|seen|somebody|soon|tell(?:s|ing)|then|things?|told|ways?|wish(?:es)?)(?:_|$)"
)


class Sign(NamedTuple):
    """A place at which a reader may stop."""

    line: int
    kind: str
    text: str


def signs(source: str) -> Iterator[Sign]:
    """Yield the signs in the docstrings, comments and defined names of a module."""
    tree = ast.parse(source)
    for line, text in (*docstrings(tree), *comments(source)):
        for kind, phrase in PHRASES.items():
            for match in phrase.finditer(text):
                yield Sign(line, kind, text[max(0, match.start() - 30) : match.end() + 30])
    for line, name in defined_names(tree):
        if NAMES.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()):
            yield Sign(line, "name", name)


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the docstring of the module, of its classes and functions."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in ast.walk(tree):
        if isinstance(node, documented) and (docstring := ast.get_docstring(node)):
            yield getattr(node, "lineno", 1), docstring


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each comment for people."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not FOR_TOOLS.search(token.string):
            yield token.start[0], token.string.lstrip("# ")


def defined_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each class, function and annotated variable."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield node.lineno, name
            case ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield node.lineno, name


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_has_few_signs(folder: str) -> None:
    lines, places = 0, []
    for path in sorted((CHECKOUT / folder).rglob("*.py")):
        source = path.read_text("utf-8")
        lines += source.count("\n")
        places += [
            f"{path.relative_to(CHECKOUT)}:{sign.line}: {sign.kind}: {sign.text!r}"
            for sign in signs(source)
        ]
    assert lines > 0
    rate = 1000 * len(places) / lines
    assert rate <= MAX_SIGNS_PER_1000_LINES, "\n".join([f"{rate:.1f} per 1,000 lines", *places])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("a person without a noun", "Refuse whoever is late."),
        ("a person without a noun", "The key of those who watch"),
        ("a person without a noun", "who is asked, answers"),
        ("of whom, to whom", "The seat to whom the card goes"),
        ("he instead of they", "The player shows his cards."),
        ("an error as a tail", "Read a log; Unusable."),
        ("an error as a tail", "Take a seat; SeatTaken or Closed."),
        ("a program that tells or says", "The answer tells the version."),
        ("What as a subject", "What is held in memory."),
        ("What as a subject", "The cache. What comes next is dropped."),
        ("a figure of speech", "The sum that the lines come to."),
    ],
)
def test_a_sign_is_found_in_docstrings_and_comments(kind: str, text: str) -> None:
    docstring = f'def read():\n    """{text}"""\n'
    comment = f"size = 1  # {text}\n"
    assert [sign.kind for sign in signs(docstring)] == [kind]
    assert [sign.kind for sign in signs(comment)] == [kind]


@pytest.mark.parametrize(
    "source",
    ["class Wish: ...", "def append_once(): ...", "async def told(): ...", "BREATH: int = 5",
     "class NotedHead: ..."],
)  # fmt: skip
def test_a_sign_is_found_in_names(source: str) -> None:
    assert [sign.kind for sign in signs(source)] == ["name"]


@pytest.mark.parametrize(
    "source",
    [
        '"""Return the player who leads the next trick."""',
        '"""Raises `UnusableError` if the log is damaged."""',
        '"""Return what the host may record."""',
        "size = 1  # noqa: E501; Wrong.",
        "RETRY_AFTER_SECONDS: int = 5",
        "class WonTrick: ...",
        'text = "He said: whoever leads"',
    ],
)
def test_plain_english_has_no_sign(source: str) -> None:
    assert list(signs(source)) == []
