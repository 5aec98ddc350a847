"""The catalogues: every text is in them, translated, with its facts, and compiled.

Tests of ``tools.translating.catalogue`` and ``tools.translating.spoken``.
"""

import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message

from scorekeeper.base.language import Language, speaking
from scorekeeper.languages.catalogues import OWN_CATALOGUES
from scorekeeper.report.explain import explain
from scorekeeper.session.session import Session
from tests.evenings import build_report
from tools.translating import catalogue
from tools.translating.spoken import list_templates, list_texts

FOLDER = OWN_CATALOGUES
CHECKOUT = Path(__file__).parents[2]
FOLDERS = (OWN_CATALOGUES, *CHECKOUT.glob("examples/*/*/translations"))
LOGS = sorted((Path(__file__).parents[1] / "golden").glob("*/*.jsonl"))
FACTS = re.compile(r"%\(\w+\)[sd]|%%|</?[a-z]+>")
# In French a narrow space stands before ; ? and !, a full one before : and » and after «; neither
# of them breaks. ![ begins a picture of the guide.
MISSET = re.compile("(?<!\u202f)[;?!](?!\\[)|(?<!\u00a0)[:»]|«(?!\u00a0)")
Entry = tuple[str | None, str]


@pytest.fixture(scope="module")
def texts() -> tuple[Entry, ...]:
    """The texts of our games, which take long to find."""
    return tuple(list_texts())


@pytest.fixture(scope="module")
def wanted(texts: tuple[Entry, ...]) -> Catalog:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogue, "list_texts", lambda: iter(texts))
        return catalogue.catalogue_of_all_texts()


@pytest.fixture(params=catalogue.TRANSLATED)
def stored(request: pytest.FixtureRequest) -> Catalog:
    return catalogue.read_catalogue(request.param)


def entries(stored: Catalog) -> Iterator[Message]:
    return (message for message in stored if message.id)


def forms(text: Any) -> list[str]:
    return list(text) if isinstance(text, tuple | list) else [text or ""]


def facts(text: str) -> tuple[set[str], list[str]]:
    """Return the placeholders of a text, and the marks around optional parts."""
    marks = FACTS.findall(text)
    try:
        marks += [f"{{{name}}}" for _, name, _, _ in string.Formatter().parse(text) if name]
    except ValueError:  # braces that are no fact, as in a line of a log
        marks.append(text.count("{") * "{")
    return set(marks), re.findall(r"[\[\]]", text)


def test_the_catalogues_hold_all_texts_and_no_others(wanted: Catalog, stored: Catalog) -> None:
    there = {(message.context, str(message.id)) for message in entries(stored)}
    needed = {(message.context, str(message.id)) for message in entries(wanted)}
    assert needed - there == set(), "run: make messages"
    assert there - needed == set(), "run: make messages"


def test_every_text_is_translated_in_as_many_forms_as_it_has(stored: Catalog) -> None:
    for message in entries(stored):
        assert not message.fuzzy, message.id
        assert len(forms(message.string)) == len(forms(message.id)), message.id
        assert all(forms(message.string)), message.id


def test_every_translation_has_the_facts_of_its_text(stored: Catalog) -> None:
    for message in entries(stored):
        allowed = [facts(text) for text in forms(message.id)]
        for text in forms(message.string):
            assert facts(text) in allowed, (message.id, text)


def test_every_translation_begins_and_ends_as_its_text_does(stored: Catalog) -> None:
    """A space at either end, or a final colon, joins the text to another."""
    for message in entries(stored):
        for text in forms(message.string):
            source = forms(message.id)[-1]
            assert text[0].isspace() == source[0].isspace(), message.id
            assert text[-1].isspace() == source[-1].isspace(), message.id
            assert text.endswith(":") == source.endswith(":"), message.id


def test_no_straight_apostrophe_stands_in_what_is_printed() -> None:
    for language in catalogue.TRANSLATED:
        for message in entries(catalogue.read_catalogue(language)):
            for text in forms(message.string):
                assert "'" not in text, text


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder_: folder_.parent.name)
def test_french_has_its_own_spaces_at_its_punctuation(folder: Path) -> None:
    for message in entries(catalogue.read_catalogue("fr", folder)):
        for text in forms(message.string):
            assert not MISSET.search(text), text


@pytest.mark.parametrize("name", ["players", "tournaments"])
def test_the_french_guide_has_them_too(name: str) -> None:
    guide = (CHECKOUT / "docs" / f"{name}.fr.md").read_text("utf-8")
    assert [guide[mark.start() - 20 : mark.end()] for mark in MISSET.finditer(guide)] == []


@pytest.mark.parametrize("language", catalogue.TRANSLATED)
def test_compiled_files_match_their_sources(language: str, wanted: Catalog) -> None:
    po, mo = (catalogue.catalogue_path(language, ending) for ending in ("po", "mo"))
    assert po.read_bytes() == catalogue.format_po(catalogue.read_catalogue(language)), (
        "run: make messages"
    )
    assert mo.read_bytes() == catalogue.compile_mo(language), "run: make translations"


# ------------------------------------------------------------------------ what the games say


class Listening(Language):
    """A language that notes every text."""

    def __init__(self) -> None:
        self.heard: set[Entry] = set()

    def say(self, text: str) -> str:
        self.heard.add((None, text))
        return text

    def word(self, kind: str, word: str) -> str:
        self.heard.add((kind, word))
        return word


def test_texts_of_golden_logs_are_in_the_catalogues(texts: tuple[Entry, ...]) -> None:
    listening = Listening()
    for path in LOGS:
        with path.open("rb") as stream, speaking(listening):
            session = Session.read(stream)
            build_report(session)
            explain(session)
    assert len(listening.heard) > 300
    known = set(texts)
    figures = {(kind, word) for kind, word in listening.heard if word.isdecimal()}
    made_up = {
        message for message in listening.heard - known if message[0] == "reason"
    }  # by players
    made_up |= {("value", "wink"), ("value", "pull ear")}  # gestures of a table's own
    assert listening.heard - known - figures - made_up == set()


@pytest.mark.parametrize(
    ("source", "messages"),
    [
        ('Text("a {b}")', ["a {b}"]),
        ('Text("a" if x["no"] else "b")', ["a", "b"]),
        ('T = {"no": "a", 2: "b"}\nText(T[one])', ["a", "b"]),
        ('T: Final = ("a"\n "b")\nText(T)', ["ab"]),
        (
            '"""No {way}."""\ndef f(given):\n    Text(given)\nf("a {b}", f"no {way}", "no")',
            ["a {b}"],
        ),
        ('tongue().say(T)\nT = "a"', ["a"]),
        ("say(made())", []),
        ('other("a {b}")', []),
        ('HandAbandoned("nobody {bid}")', [("reason", "nobody {bid}")]),
        ('Candidate(one, two, "twice")\nCandidate("a", "b")', [("reason", "twice")]),
        ('Damaged(1, "cut")\n_note("cut {off}")', [("damage", "cut {off}")]),
        ('_note("")', []),
    ],
)
def test_templates_of_a_module_are_found(source: str, messages: list[str | Entry]) -> None:
    assert list(list_templates(source)) == [
        (None, message) if isinstance(message, str) else message for message in messages
    ]


# ---------------------------------------------------------------------------- bringing up to date


def test_update_keeps_known_texts_removes_unused_and_lists_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "OWN_CATALOGUES", tmp_path)
    before, wanted = Catalog(locale="fr"), Catalog()
    before.add("a trick", "une levée")
    before.add("a trick", "un tour", context="magic")
    before.add("gone", "parti")
    path = catalogue.catalogue_path("fr")
    path.parent.mkdir(parents=True)
    path.write_bytes(catalogue.format_po(before))
    wanted.add("a trick")
    wanted.add("a trick", context="magic")
    wanted.add(("%(num)d hand", "%(num)d hands"))
    after = catalogue.updated_catalogue("fr", wanted)
    assert {(entry.context, str(entry.id)): entry.string for entry in entries(after)} == {
        (None, "a trick"): "une levée",
        ("magic", "a trick"): "un tour",
        (None, "('%(num)d hand', '%(num)d hands')"): ("", ""),
    }
    assert catalogue.list_untranslated(after) == ["('%(num)d hand', '%(num)d hands')"]
    assert catalogue.format_po(after).startswith(b'msgid ""\nmsgstr ""\n"Language: fr\\n"')
