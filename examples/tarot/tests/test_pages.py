"""Whole hands of French Tarot on the pages, by taps on the forms that they offer."""

import json

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from scorekeeper.base.language import speaking
from scorekeeper.events.sentences import noun_of
from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import LANGUAGES, get_language
from tests.api.asking import Table, client_of
from tests.evenings import event
from tests.web import test_entry_walk as walk
from tests.web.looking import forms, look
from tests.web.test_dispute_page import DESK, dispute, done, entry_form, preview_of

PLAYERS = "mara leo nina ugo zoe"


@pytest.fixture(scope="module")
def walking() -> FlaskClient:
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


def test_hands_by_tapping_end_without_a_fault(walking: FlaskClient) -> None:
    walk.tap_hands(walking, "tarot", "tricks", "mara leo nina ugo")


def opened(walking: FlaskClient, players: int) -> Table:
    """Return a table with a hand that Leo plays as a garde."""
    table = Table.open(walking, PLAYERS)
    table.do(
        event("match_started", game="tarot", seats=PLAYERS.split()[:players]),
        event("hand_started", dealer="mara"),
        event("contract_taken", player="leo", contract="garde"),
    )
    return table


@pytest.mark.parametrize("players", [3, 4, 5])
def test_form_of_totals_asks_for_a_partner_only_at_five(walking: FlaskClient, players: int) -> None:
    page = look(opened(walking, players), "?level=totals").text
    assert ("Partner, or the taker alone" in page) == (players == 5)


@pytest.fixture
def disputed(walking: FlaskClient) -> Table:
    """Return a table with a hand that Leo disputes, played with Zoe, with 41 1/2 points."""
    table = opened(walking, 5)
    table.do(
        event("partner_named", player="zoe"),
        event("bouts_counted", bouts=2, petit="none"),
        event("points_counted", points={"bidder": 83}),
    )
    dispute(table)
    return table


def scores(table: Table) -> dict[str, int]:
    hand_scores: dict[str, int] = table.report()["matches"][0]["hands"][0]["scores"]
    return hand_scores


def test_half_points_are_shown_and_can_be_corrected_at_the_desk(disputed: Table) -> None:
    assert "41.5" in look(disputed, f"{DESK}/e/7").text
    assert scores(disputed) == {"mara": -52, "leo": 104, "nina": -52, "ugo": -52, "zoe": 52}
    form = {**entry_form(disputed, 7), "f.points.bidder": "40.5", "f.points.defenders": "50.5"}
    proposal = forms(preview_of(disputed, form))["propose"]
    (correction,) = json.loads(proposal["corrections"])
    assert correction["data"]["data"]["points"] == {"bidder": 81, "defenders": 101}
    done(disputed, "propose", "leo", **{**proposal, "reason": "as we remember it"})
    for player in PLAYERS.split():
        done(disputed, "sign", player)
    assert scores(disputed) == {"mara": 52, "leo": -104, "nina": 52, "ugo": 52, "zoe": -52}


@pytest.mark.parametrize("language", LANGUAGES)
def test_desk_has_the_words_of_the_game(disputed: Table, language: str) -> None:
    own = [kind for kind in GAMES["tarot"].events if kind.__module__.startswith("scorekeeper_")]
    with speaking(get_language(language)):
        words = {noun_of(kind) for kind in own}
    page = look(disputed, f"{DESK}/e/7", prefs=f"lang={language}").text
    assert [word for word in words if f">{escape(word)}<" not in page] == []
