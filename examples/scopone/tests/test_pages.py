"""Whole hands of Scopone on the pages, by taps on the forms that they offer."""

import json

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from scorekeeper.base.language import speaking
from scorekeeper.events.playing import PLAY
from scorekeeper.events.sentences import noun_of
from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import LANGUAGES, get_language
from tests.api.asking import Table, client_of
from tests.evenings import Raw, event
from tests.web import test_entry_walk as walk
from tests.web.looking import forms, look
from tests.web.test_dispute_page import DESK, dispute, done, entry_form, preview_of

PLAYERS = "mara leo nina ugo"


@pytest.fixture(scope="module")
def walking() -> FlaskClient:
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


def test_hands_by_tapping_end_without_a_fault(walking: FlaskClient) -> None:
    walk.tap_hands(walking, "scopone", "tricks", "mara leo nina ugo")


def opened(walking: FlaskClient) -> Table:
    """Return a table with a hand that Ugo dealt."""
    table = Table.open(walking, PLAYERS)
    table.do(
        event("match_started", game="scopone", seats=PLAYERS.split()),
        event("hand_started", dealer="ugo"),
    )
    return table


def test_the_page_asks_what_a_card_takes_only_where_there_is_a_choice(walking: FlaskClient) -> None:
    table = opened(walking)
    cards = {"mara": "3S", "leo": "2S", "nina": "6S", "ugo": "AS"}
    for player, card in cards.items():
        table.do(event("card_played", player=player, card=card))
        assert 'data-step="cards_taken"' not in look(table, "?level=cards").text
    table.do(event("card_played", player="mara", card="7C"))  # takes 6 and ace
    assert 'data-step="cards_taken"' not in look(table, "?level=cards").text
    table.do(
        event("card_played", player="leo", card="4C"),
        event("card_played", player="nina", card="AC"),
    )
    table.do(event("card_played", player="ugo", card="5C"))  # takes 3 and 2, or 4 and ace
    page = look(table, "?level=cards").text
    assert 'data-step="cards_taken"' in page
    assert 'data-step="card_played"' not in page
    for card in ("3S", "2S", "4C", "AC"):
        assert f"{{&#34;cards&#34;:[&#34;{card}&#34;]}}" in page
    answer = table.append(event("cards_taken", player="ugo", cards=["3S", "AC"]))
    assert answer.get_json()["findings"][0]["rule"] == "S2"


@pytest.mark.parametrize("level", ["tricks", "cards"])
def test_the_table_shows_the_scope_of_a_side(walking: FlaskClient, level: str) -> None:
    table = opened(walking)
    table.do(event("card_played", player="mara", card="3S"))
    table.do(event("card_played", player="leo", card="3C"))  # takes it
    page = look(table, f"?level={level}").text
    assert page.count("Leo makes a scopa") >= 1
    assert 'class="tally"' not in page  # there are no tricks to count


# ---------------------------------------------------------------------------- the dispute desk


@pytest.fixture
def disputed(walking: FlaskClient) -> Table:
    """Return a table with a hand that Leo disputes, in which Leo made a scopa."""
    table = opened(walking)
    table.do(event("scopa_made", player="leo"), event("points_counted", points={"A": 2, "B": 3}))
    dispute(table)
    return table


def lines(table: Table) -> list[tuple[str, int, str]]:
    """Return the lines of the hand."""
    hand = table.report()["matches"][0]["hands"][0]
    return [(line["side"], line["points"], line["rule"]) for line in hand["lines"]]


def correct(table: Table, form: dict[str, str], signers: str = PLAYERS) -> Raw:
    """Propose the correction in a form of the desk, let players sign it, and return it."""
    proposal = forms(preview_of(table, form))["propose"]
    done(table, "propose", "leo", **{**proposal, "reason": "as we remember it"})
    for player in signers.split():
        done(table, "sign", player)
    (correction,) = json.loads(proposal["corrections"])
    return dict(correction["data"])


def test_count_can_be_replaced_at_the_desk(disputed: Table) -> None:
    assert lines(disputed) == [("B", 1, "S3"), ("A", 2, "S7"), ("B", 2, "S7")]
    correction = correct(disputed, {**entry_form(disputed, 5), "f.points.B": "4"}, "mara leo")
    assert correction["data"] == {"points": {"A": 2, "B": 4}}
    assert lines(disputed) == [("B", 1, "S3"), ("A", 2, "S7"), ("B", 3, "S7")]


def test_missing_scopa_can_be_inserted_at_the_desk(disputed: Table) -> None:
    form = entry_form(disputed, 4, insert="scopa_made")
    assert correct(disputed, {**form, "f.player": "mara"})["type"] == "scopa_made"
    assert sorted(lines(disputed)) == [
        ("A", 1, "S3"), ("A", 1, "S7"), ("B", 1, "S3"), ("B", 2, "S7"),
    ]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_desk_has_the_words_of_the_game(disputed: Table, language: str) -> None:
    with speaking(get_language(language)):
        words = {noun_of(kind) for kind in GAMES["scopone"].events if kind not in PLAY}
    page = look(disputed, f"{DESK}/e/4", prefs=f"lang={language}").text
    assert [word for word in words if f">{escape(word)}<" not in page] == []
