"""English as a player or a developer reads it, everywhere: some phrases never stand."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.web.translating import catalogue

CHECKOUT = Path(__file__).parents[1]
FOLDERS = ("scorekeeper", "templates", "docs", "examples", "migrations", "benchmarks")
ENDINGS = {".py", ".html", ".js", ".md", ".toml", ".yaml", ".css"}
ALONE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "Makefile",
         "gunicorn.conf.py", "wsgi.py", "compose.yaml")  # fmt: skip
OTHER_LANGUAGES = re.compile(r"\.(it|fr)\.md$")

# What stands for what nobody would say: from each phrase to what to write instead.
NEVER = {
    r"(?-i:Ways in)|\b(the )?ways in[,.;:]": "Get started",
    r"\btake it away\b": "Download",
    r"\bto be mended\b|\bmend it\b": "to be fixed",
    r"\bscore keeps standing\b": "the score stands for now",
    r"\bcan never have been recorded\b": "something impossible",
    r"\bwhat scores (the|a) hand\b": "its result",
    r"\bleft behind without\b": "never finished",
    r"\b(comes?|came) to nothing\b": "is abandoned",
    r"\b(written|write|propose it) anew\b": "rewritten, propose it again",
    r"\b(form|log|chain|link|stream|copy) (is|was|are|be) (not )?whole\b": "intact, incomplete",
    r"\bthe hand that taps\b": "which hand do you tap with",
    r"\bis (not )?felt\b": "vibrates",
    r"\bhow fine\b": "the level of detail",
    r"\bis left me\b": "I have no … left",
    r"\bin as few (payments )?as there can be\b": "with the fewest",
    r"\b(shown|signed|counts?|can) no more\b(?! than)": "no longer",
    r"\bwho came late\b": "latecomers",
    r"\bnothing was cut off\b": "the end was not cut",
    r"\band otherwise, \b": "with a different result",
    r"\bon record, this would\b": "to check this, record",
    r"\bby the record\b": "according to the record",
    r"\bends by it\b": "any open match ends",
    r"\bshown this once\b": "shown only once",
    r"\bleads nowhere\b": "does not exist",
    r"\bwhat the table wrote\b": "the score on paper",
    r"\bwho records\b": "the writer, the recorder",
    r"\bwhat is unusable\b": "something impossible",
    r"\bso many\b": "a given number of, this many",
    r"(?-i:\b(for|to) who [a-z]+s\b)(?!.* in )": "for whoever, for those who",
    r"\bof which nothing can be seen\b": "invisible",
}

# Those that begin with a word, in one: to look for each of them in all texts takes long.
BY_WORD = [one for one in NEVER if one.startswith(r"\b")]
AFTER = "|".join(one.removeprefix(r"\b") for one in BY_WORD)
ANY = re.compile(rf"\b(?=[a-z])(?:{AFTER})", re.IGNORECASE)


def sources() -> Iterator[tuple[str, str]]:
    """Each line that somebody reads, with where it stands."""
    paths = [CHECKOUT / name for name in ALONE]
    for folder in FOLDERS:
        paths += sorted(one for one in (CHECKOUT / folder).rglob("*") if one.suffix in ENDINGS)
    for path in paths:
        if OTHER_LANGUAGES.search(path.name) or path.name.startswith("axe"):
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            yield f"{path.relative_to(CHECKOUT)}:{number}", line
    for message in catalogue.read("it"):
        for text in message.id if isinstance(message.id, tuple) else (message.id,):
            yield "a message", str(text)


@pytest.fixture(scope="module")
def read() -> str:
    """All of it, with the place of a line before it."""
    return "\n".join(f"{place}: {line.strip()}" for place, line in sources())


@pytest.fixture(scope="module")
def any_is_said(read: str) -> bool:
    """Whether one of those that begin with a word stands anywhere."""
    return ANY.search(read) is not None


@pytest.mark.parametrize(("phrase", "better"), NEVER.items(), ids=list(NEVER.values()))
def test_nobody_would_say_so(read: str, any_is_said: bool, phrase: str, better: str) -> None:
    said = re.compile(phrase, re.IGNORECASE)
    is_said = any_is_said or phrase not in BY_WORD
    places = [one.start() for one in said.finditer(read)] if is_said else []
    found = [read[read.rfind("\n", 0, at) + 1 : read.find("\n", at)] for at in places]
    assert found == [], f"say rather: {better}"


@pytest.mark.parametrize(
    "line",
    [
        "Ways in", "It comes to nothing.", "How fine the record is", "It is shown this once.",
        "for who holds a key", "in so many seconds", "The log is whole.", "By the record: 3",
    ],
)  # fmt: skip
def test_a_phrase_is_found(line: str) -> None:
    found = [phrase for phrase in NEVER if re.search(phrase, line, re.IGNORECASE)]
    assert found
    assert bool(ANY.search(line)) is any(phrase in BY_WORD for phrase in found)


@pytest.mark.parametrize("line", ["for who in (0, 1):", "no more than 3", "The whole log is read"])
def test_other_words_are_not(line: str) -> None:
    assert not any(re.search(phrase, line, re.IGNORECASE) for phrase in NEVER)
