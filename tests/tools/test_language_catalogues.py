"""The catalogues: every text is in them, translated, with its facts, and compiled.

Tests of ``tools.translating.catalogue``, ``tools.translating.spoken``, ``promises.catalogues``,
``promises.texts`` and ``languages.catalogue_files``.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message

from scorekeeper.base.language import Language, speaking
from scorekeeper.languages.catalogue_files import (
    TRANSLATED,
    catalogue_path,
    compile_mo,
    format_po,
    list_untranslated,
    read_catalogue,
    updated_catalogue,
)
from scorekeeper.languages.catalogues import OWN_CATALOGUES
from scorekeeper.promises.catalogues import find_translation_errors, list_forms
from scorekeeper.promises.texts import list_templates
from scorekeeper.report.explain import explain
from scorekeeper.session.session import Session
from tests.evenings import build_report
from tools.translating import catalogue
from tools.translating.spoken import list_texts

FOLDER = OWN_CATALOGUES
CHECKOUT = Path(__file__).parents[2]
FOLDERS = (OWN_CATALOGUES, *CHECKOUT.glob("examples/*/*/translations"))
LOGS = sorted((Path(__file__).parents[1] / "golden").glob("*/*.jsonl"))
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


@pytest.fixture(params=TRANSLATED)
def stored(request: pytest.FixtureRequest) -> Catalog:
    return read_catalogue(request.param)


def entries(stored: Catalog) -> Iterator[Message]:
    return (message for message in stored if message.id)


def test_the_catalogues_hold_all_texts_and_no_others(wanted: Catalog, stored: Catalog) -> None:
    there = {(message.context, str(message.id)) for message in entries(stored)}
    needed = {(message.context, str(message.id)) for message in entries(wanted)}
    assert needed - there == set(), "run: make messages"
    assert there - needed == set(), "run: make messages"


def test_every_text_is_translated_with_its_facts_and_ends(stored: Catalog) -> None:
    assert list(find_translation_errors(stored)) == []


@pytest.mark.parametrize(
    ("text", "translation"),
    [
        ("a trick", ""),
        ("{n} tricks", "levées"),
        ("<b>a</b> trick", "une levée"),
        ("a trick", "une levée "),
        ("a trick:", "une levée"),
        (("%(n)d trick", "%(n)d tricks"), ("%(n)d levée", "")),
    ],
)
def test_wrong_translation_is_named(text: Any, translation: Any) -> None:
    catalog = Catalog()
    catalog.add("a hand", "une donne")
    assert list(find_translation_errors(catalog)) == []
    catalog.add(text, translation)
    assert len(list(find_translation_errors(catalog))) == 1


def test_no_straight_apostrophe_stands_in_what_is_printed() -> None:
    for language in TRANSLATED:
        for message in entries(read_catalogue(language)):
            for text in list_forms(message.string):
                assert "'" not in text, text


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder_: folder_.parent.name)
def test_french_has_its_own_spaces_at_its_punctuation(folder: Path) -> None:
    for message in entries(read_catalogue("fr", folder)):
        for text in list_forms(message.string):
            assert not MISSET.search(text), text


@pytest.mark.parametrize("name", ["players", "tournaments"])
def test_the_french_guide_has_them_too(name: str) -> None:
    guide = (CHECKOUT / "docs" / f"{name}.fr.md").read_text("utf-8")
    assert [guide[mark.start() - 20 : mark.end()] for mark in MISSET.finditer(guide)] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_compiled_files_match_their_sources(language: str, wanted: Catalog) -> None:
    po, mo = (catalogue_path(language, ending) for ending in ("po", "mo"))
    assert po.read_bytes() == format_po(read_catalogue(language)), "run: make messages"
    assert mo.read_bytes() == compile_mo(language), "run: make translations"


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
    monkeypatch.setattr("scorekeeper.languages.catalogue_files.OWN_CATALOGUES", tmp_path)
    before, wanted = Catalog(locale="fr"), Catalog()
    before.add("a trick", "une levée")
    before.add("a trick", "un tour", context="magic")
    before.add("gone", "parti")
    path = catalogue_path("fr")
    path.parent.mkdir(parents=True)
    path.write_bytes(format_po(before))
    wanted.add("a trick")
    wanted.add("a trick", context="magic")
    wanted.add(("%(num)d hand", "%(num)d hands"))
    after = updated_catalogue("fr", wanted)
    assert {(entry.context, str(entry.id)): entry.string for entry in entries(after)} == {
        (None, "a trick"): "une levée",
        ("magic", "a trick"): "un tour",
        (None, "('%(num)d hand', '%(num)d hands')"): ("", ""),
    }
    assert list_untranslated(after) == ["('%(num)d hand', '%(num)d hands')"]
    assert format_po(after).startswith(b'msgid ""\nmsgstr ""\n"Language: fr\\n"')


def test_a_package_in_a_folder_keeps_the_languages_that_it_has(tmp_path: Path) -> None:
    package = tmp_path / "tarot"
    copytree(CHECKOUT / "examples/tarot", package)
    (there,) = package.glob("*/translations")
    rmtree(there / "it")
    command = [sys.executable, "-m", "tools.translating.catalogue", str(package)]
    subprocess.run(command, check=True, cwd=CHECKOUT, env={**os.environ, "PYTHONPATH": ""})
    assert [path.name for path in there.iterdir() if path.is_dir()] == ["fr"]
    assert read_catalogue("fr", there)


def test_a_name_of_no_game_is_refused_in_words() -> None:
    with pytest.raises(SystemExit, match="No installed game has the id nothere"):
        catalogue.main(["nothere"])
