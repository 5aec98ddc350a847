"""``/rules`` and ``/rules/<game>``: every clause, every option, every event."""

import re
from functools import cache

import pytest
from flask.testing import FlaskClient

from scorekeeper.events.fields import parts_of
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.languages import catalogue_files as catalogues
from scorekeeper.play.rulebook import COMMON, ListOf
from tests.web.pages import Page, page_of

EACH_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)


@EACH_GAME
def test_every_clause_is_printed_with_its_status_under_its_anchor(
    client: FlaskClient, game: Game
) -> None:
    page = page_of(client.get(f"/rules/{game.id}"))
    ids = {attrs.get("id") for _, attrs in page.tags}
    for clause in game.book.clauses:
        assert clause.id in ids
        assert f"{clause.id} {' '.join(clause.text.split())} {clause.status}" in page.words


@EACH_GAME
def test_every_option_is_printed_with_its_values_and_one_default(
    client: FlaskClient, game: Game
) -> None:
    page = page_of(client.get(f"/rules/{game.id}"))
    ids = {attrs.get("id") for _, attrs in page.tags}
    for option in game.book.options:
        assert option.name in ids
        assert option.text in page.words
        for meaning in option.choices.values():
            assert " ".join(meaning.split()) in page.words
    defaults = [element for element in page.all("div") if element.get("class") == "default"]
    assert len(defaults) == len(game.book.options)


@EACH_GAME
def test_every_event_is_printed_with_its_fields(client: FlaskClient, game: Game) -> None:
    text = page_of(client.get(f"/rules/{game.id}")).words
    for event in game.events:
        assert event.TYPE in text
        for part in parts_of(event):
            assert part.doc in text


def test_the_statuses_are_explained(client: FlaskClient) -> None:
    for path in ("/rules", "/rules/riparto"):
        text = page_of(client.get(path)).words
        assert "source the text that the game comes from says so" in text
        assert "ruling nobody wrote it down, so this project decides" in text


def test_common_clauses_are_on_one_page(client: FlaskClient) -> None:
    page = page_of(client.get("/rules"))
    ids = {attrs.get("id") for _, attrs in page.tags}
    assert {clause.id for clause in COMMON} <= ids
    assert "session_opened" in page.words


def test_a_game_that_is_not_there(client: FlaskClient) -> None:
    answer = client.get("/rules/bridge")
    assert answer.status_code == 404
    assert "There is no game “bridge”." in page_of(answer).words


# --------------------------------------------------------------- options by their questions


def ids_of(game: Game) -> list[str]:
    """Return the ids of a game's options and values that are not words of a language."""
    names = [option.name for option in game.book.options]
    for option in game.book.options:
        for choice in option.choices:
            names += choice.values if isinstance(choice, ListOf) else [str(choice)]
    return [name for name in names if "_" in name and name.isidentifier()]


@cache
def citing(game_id: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return a pattern for the ids of a game in a text, or an option named by its id."""
    game = GAMES[game_id]
    ids, names = "|".join(ids_of(game)), "|".join(option.name for option in game.book.options)
    named = re.compile(rf"\bop[tz]ione? (?:{names})\b", re.IGNORECASE)
    return re.compile(rf"\b(?:{ids})\b"), named


def cited(game: Game, text: str) -> list[str]:
    """Return the ids in a text, or the options that it names by their ids."""
    ids, named = citing(game.id)
    return ids.findall(text) + named.findall(text)


@pytest.mark.parametrize("language", ["en", "it", "fr"])
@EACH_GAME
def test_no_page_with_options_calls_one_by_its_id(
    client: FlaskClient, game: Game, language: str
) -> None:
    for path in (f"/rules/{game.id}", f"/new?pick={game.id}"):
        html = client.get(path, headers={"Accept-Language": language}).text
        assert cited(game, Page.of(re.sub(r"(?s)<code>.*?</code>", "", html)).text) == []


@pytest.mark.parametrize("language", catalogues.TRANSLATED)
def test_no_sentence_of_any_page_or_game_calls_an_option_by_its_id(language: str) -> None:
    """Findings and refusals are in the catalogues, too: in English, and translated."""
    for message in catalogues.read_catalogue(language):
        text = f"{message.id} {message.string}"
        assert [clause for game in GAMES.values() for clause in cited(game, text)] == [], text
