"""The texts of Tarot are in its catalogues, and on the pages in the reader's language."""

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from flask import Flask
from markupsafe import escape

from scorekeeper.base.language import speaking
from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import get_language
from scorekeeper.report.explain import explain
from scorekeeper.session.session import Session
from tests.api.asking import created
from tests.conftest import SOAK
from tests.evenings import build_report
from tests.tools import test_language_catalogues as house
from tests.tools.test_language_catalogues import Listening, catalogue, list_texts
from tools.translating import spoken as speech

GAME = GAMES["tarot"]
TRANSLATED = catalogue.TRANSLATED  # all languages but English
LOGS = sorted((Path(__file__).parents[1] / "golden").glob("*/*.jsonl"))


@pytest.fixture(params=TRANSLATED)
def stored(request: pytest.FixtureRequest) -> Catalog:
    return catalogue.read_catalogue(request.param, GAME.catalogues)


def test_catalogues_are_complete_and_valid(stored: Catalog) -> None:
    house.test_the_catalogues_hold_all_texts_and_no_others(
        catalogue.catalogue_of_game(GAME), stored
    )
    house.test_every_text_is_translated_in_as_many_forms_as_it_has(stored)
    house.test_every_translation_has_the_facts_of_its_text(stored)
    house.test_every_translation_begins_and_ends_as_its_text_does(stored)


@pytest.mark.parametrize("language", TRANSLATED)
def test_compiled_catalogues_are_up_to_date(language: str) -> None:
    po, mo = (catalogue.catalogue_path(language, end, GAME.catalogues) for end in ("po", "mo"))
    assert po.read_bytes() == catalogue.format_po(
        catalogue.read_catalogue(language, GAME.catalogues)
    )
    assert mo.read_bytes() == catalogue.compile_mo(language, GAME.catalogues)


def test_texts_of_the_golden_logs_are_in_the_catalogues() -> None:
    listening = Listening()
    for path in LOGS:
        with path.open("rb") as stream, speaking(listening):
            session = Session.read(stream)
            build_report(session)
            explain(session)
    known = [catalogue.read_catalogue("it"), catalogue.read_catalogue("it", GAME.catalogues)]
    unknown = {
        (kind, text)
        for kind, text in listening.heard
        if text and not text.isdecimal() and not any(catalog.get(text, kind) for catalog in known)
    }
    typed = {(kind, text) for kind, text in unknown if kind == "reason"}  # by players
    assert unknown == typed


def test_catalogues_of_scorekeeper_do_not_have_texts_of_an_installed_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not SOAK:  # slow, and none of these texts is of an installed game
        monkeypatch.setattr(speech, "list_templates", lambda *args, **kwargs: ())
    ours = set(list_texts())
    assert (None, GAMES["knock"].summary) in ours
    assert (None, GAME.summary) not in ours


# ---------------------------------------------------------------------------------- the pages


@pytest.fixture(scope="module")
def app() -> Flask:
    return created()


@pytest.mark.parametrize("language", ["en", *TRANSLATED])
def test_the_rule_book_is_in_the_readers_language(app: Flask, language: str) -> None:
    reader = app.test_client(use_cookies=False)
    page = reader.get("/rules/tarot", headers={"Accept-Language": language}).text
    for clause in GAME.book.clauses:
        assert str(escape(get_language(language).say(clause.text))) in page
