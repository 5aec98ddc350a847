"""The summary of a hand on the page of a table, and the player whose turn it is.

Tests of ``web.entry.history``.
"""

import pytest
from flask.testing import FlaskClient

from tests.api.asking import client_of
from tests.evenings import Raw, event
from tests.players.common import GAMES
from tests.web.pages import Page
from tests.web.tapping import Tapped
from tests.web.test_entry_walk import PLAYERS


@pytest.fixture(scope="module")
def visited() -> FlaskClient:
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


def dealt(visited: FlaskClient, game: str, *events: Raw) -> Tapped:
    """Return a table at which a hand has begun, dealt by the last seat."""
    seats = PLAYERS[game].split()
    start = event("match_started", game=game, seats=seats)
    dealer = event("hand_started", dealer=seats[-1])
    return Tapped.open(visited, PLAYERS[game], start, dealer, *events)


def shown(player: str, category: str, **more: object) -> Raw:
    return event("shown", player=player, category=category, **more)


@pytest.mark.parametrize("game", GAMES)
def test_the_totals_say_what_they_count(visited: FlaskClient, game: str) -> None:
    words = dealt(visited, game).page().words
    assert ("0 games won" in words) == (game == "picchetto")
    assert "hands won" not in words


def test_points_of_a_game_stand_beside_the_games_that_were_won(visited: FlaskClient) -> None:
    count = event("points_counted", points={"mara": 151, "leo": 20})
    table = dealt(visited, "picchetto", event("points_counted", points={"mara": 28, "leo": 14}))
    assert "Mara 28 / 150 of 150 points in this game +28 in the last hand 0 games won" in (
        table.page().words
    )
    table.record(event("hand_started", dealer="mara"), count, as_played=True)
    words = table.page().words
    assert "Mara 179 / 150" in words
    assert "1 game won" in words


def test_highest_bid_of_an_auction_is_shown_with_its_bidder(visited: FlaskClient) -> None:
    bids = [event("bid_made", player=who, bid=bid)
            for who, bid in (("mara", "3"), ("leo", "K"))]  # fmt: skip
    table = dealt(visited, "briscola_chiamata", *bids)
    assert "Leo bids K" in table.page().words
    table.record(event("card_called", player="leo", card="KC"), as_played=True)
    words = table.page().words
    assert "Leo’s contract: K" in words
    assert "Leo bids" not in words


def test_a_raise_is_the_contract(visited: FlaskClient) -> None:
    bids = (
        event("bid_made", player="mara", points=4),
        event("bid_raised", player="mara", points=6),
    )
    table = dealt(visited, "riparto", bids[0])
    assert "Mara declares 4" in table.page().words
    table.record(bids[1], as_played=True)
    assert "Mara’s contract: 6" in table.page().words


def test_a_hierarchy_is_drawn_and_read_out(visited: FlaskClient) -> None:
    bid = event("bid_made", player="mara", points=4)
    order = event("hierarchy_declared", player="mara", suits=["D", "H", "S", "C"])
    page = dealt(visited, "riparto", bid, order).page()
    assert "Mara declared the hierarchy diamonds, hearts, spades, clubs" in page.words
    drawn = [
        drawing["class"]
        for drawing in page.all("svg")
        if drawing.get("class", "").startswith("french-")
    ]
    assert drawn[:4] == ["french-D", "french-H", "french-S", "french-C"]


def test_repique_is_announced_from_its_first_proof(visited: FlaskClient) -> None:
    sequence = shown("mara", "sequence", length=8, high="A")
    table = dealt(visited, "picchetto", shown("mara", "point", count=8), sequence)
    assert "Repique" not in table.page().words
    table.record(shown("mara", "set", count=4, rank="A"))
    assert "Repique: Mara" in table.page().words
    table.record(event("repique_called", player="mara"))
    assert "Repique: Mara" in table.page().words


def test_player_sees_their_turn_in_large_type(visited: FlaskClient) -> None:
    table = dealt(visited, "briscola_regina", event("card_played", player="mara", card="AS"))
    table.level = "cards"
    assert "Your turn" in table.page(who="leo").words
    assert "It is Leo’s turn" in table.page(who="nina").words
    assert table.forms(who="leo")[0].type == "card_played"
    assert table.forms(who="nina")[0].type == "card_played"


@pytest.mark.parametrize("game", ["briscola_chiamata", "knock"])
def test_dealer_and_next_player_are_marked_beside_the_scores(
    visited: FlaskClient, game: str
) -> None:
    table, seats = dealt(visited, game), PLAYERS[game].split()
    table.level = "cards"
    bid = [event("bid_made", player="leo", bid="K"), event("card_called", player="leo", card="KC")]
    table.record(
        *(bid if game != "knock" else []),
        event("card_played", player=seats[0], card="7C"),
        as_played=True,
    )
    html = table.get().text.partition('<ul class="totals')[2].partition("</ul>")[0]
    scores = Page.of(html).all("li")
    marked = {mark: [n for n, score in enumerate(scores) if mark in score["class"].split()]
              for mark in ("deals", "acts")}  # fmt: skip
    sides = len(seats) // 2 if game == "knock" else len(seats)
    assert marked["deals"] == [(len(seats) - 1) % sides]
    assert marked["acts"] == [1]
    assert [n for n, score in enumerate(scores) if "aria-current" in score] == [1]
