"""The felt of a table page: its seats in order, what they show, and what a tap on one records.

Tests of ``web.entry.felt``.
"""

import re
from typing import Final

import pytest
from flask.testing import FlaskClient

from tests.api.asking import client_of
from tests.evenings import Raw, event
from tests.web.pages import Page
from tests.web.tapping import Form, Tapped
from tests.web.test_entry_walk import PLAYERS

SEAT: Final = re.compile(r'class="zone (.*?)".*?class="who">.*?<bdi[^>]*>(.*?)</bdi>', re.DOTALL)
SIX: Final = "mara leo nina ugo zoe ada"
CONTRACT: Final = (
    event("bid_made", player="leo", bid="K"), event("card_called", player="leo", card="KC"),
)  # fmt: skip


@pytest.fixture(scope="module")
def visited() -> FlaskClient:
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


def dealt(visited: FlaskClient, game: str, *events: Raw, players: str = "") -> Tapped:
    """Return a table at which the last seat has dealt a hand."""
    players = players or PLAYERS[game]
    start = event("match_started", game=game, seats=players.split())
    dealer = event("hand_started", dealer=players.split()[-1])
    return Tapped.open(visited, players, start, dealer, *events)


def felt(table: Tapped, query: str = "", who: str | None = None) -> str:
    """Return the HTML of the felt, without the fields that differ at each visit; else empty."""
    html = table.get(query, who).text
    found = re.search(r'<(form|section) class="felt.*?</\1>', html, re.DOTALL)
    return re.sub(r"<input[^>]*>", "", found[0]) if found else ""


def seats(table: Tapped, query: str = "", who: str | None = None) -> dict[str, str]:
    """Return the classes of each seat by the words on it."""
    page = Page.of(felt(table, query, who))
    zones = [one for one in (*page.all("button"), *page.all("div"))
             if "zone" in one.get("class", "").split()]  # fmt: skip
    found = SEAT.findall(felt(table, query, who))
    assert len(found) == len(zones)
    return {name: classes for classes, name in found}


def named(table: Tapped, step: str) -> list[Form]:
    return [form for form in table.forms() if form.step == step]


@pytest.mark.parametrize("game", ["riparto", "knock"])
def test_trick_is_recorded_by_a_tap_on_a_seat_of_the_felt_alone(
    visited: FlaskClient, game: str
) -> None:
    table = dealt(visited, game)
    if game == "riparto":
        suits = event("hierarchy_declared", player="mara", suits=["S", "H", "D", "C"])
        table.record(event("bid_made", player="mara", points=5), suits)
    [form] = named(table, "trick_taken")
    assert "felt" in form.classes
    assert [one.says["player"] for one in form.buttons()] == PLAYERS[game].split()
    table.post(form, [(form.buttons()[1].name, form.buttons()[1].value)])
    assert table.events()[-1]["data"] == {"player": PLAYERS[game].split()[1]}


def test_seats_begin_with_the_viewer_and_show_who_leads_and_deals(visited: FlaskClient) -> None:
    table = dealt(visited, "briscola_chiamata", *CONTRACT)
    before = seats(table, who="leo")
    assert list(before) == ["Leo", "Nina", "Ugo", "Ada", "Mara"]
    assert [name for name in before if "leads" in before[name].split()] == ["Mara"]
    assert [name for name in before if "deals" in before[name].split()] == ["Ada"]
    table.record(event("trick_taken", player="ugo"))
    after = seats(table, who="leo")
    assert [name for name in after if "leads" in after[name].split()] == ["Ugo"]


def test_dealer_who_sits_out_is_named(visited: FlaskClient) -> None:
    table = dealt(visited, "briscola_chiamata", *CONTRACT, players=SIX)
    assert "Ada deals and sits out" in table.page().words
    assert [name for name, classes in seats(table).items() if "out" in classes.split()] == ["Ada"]
    [form] = named(table, "trick_taken")
    assert "ada" not in [one.says["player"] for one in form.buttons()]
    five = dealt(visited, "briscola_chiamata", *CONTRACT)
    assert "sits out" not in five.page().words


def test_question_for_the_partner_is_folded_while_tricks_are_recorded(visited: FlaskClient) -> None:
    table = dealt(visited, "briscola_chiamata", *CONTRACT)
    [form] = named(table, "partner_revealed")
    assert all(button.folded for button in form.buttons())
    table.record(*[event("trick_taken", player="leo")] * 8)
    [form] = named(table, "partner_revealed")
    assert not any(button.folded for button in form.buttons())


@pytest.mark.parametrize("view", ["", "?view=watch", "?view=flat"])
def test_felt_of_a_hidden_partner_is_that_of_any_other(visited: FlaskClient, view: str) -> None:
    texts = set()
    for partner in ("mara", "nina", "leo"):
        table = dealt(visited, "briscola_chiamata", *CONTRACT)
        table.record(event("partner_revealed", player=partner), event("trick_taken", player="ugo"))
        texts |= {felt(table, view, "ada").replace(table.id, "")}
    assert len(texts) == 1
    assert "Ugo" in texts.pop()


def test_cards_of_the_trick_lie_before_those_who_played_them(visited: FlaskClient) -> None:
    table = dealt(visited, "briscola_regina", event("card_played", player="mara", card="AS"))
    shown = felt(table, "?view=watch", "view")
    assert shown.count('class="laid"') == 1
    assert "Ace of swords" in shown or "ace of swords" in shown
    table.record(*(event("trick_taken", player="leo"),) * 2, as_played=True)
    assert 'class="laid"' not in felt(table, "?view=watch", "view")


def test_viewer_gets_the_view_to_watch_first(visited: FlaskClient) -> None:
    table = dealt(visited, "knock")
    assert 'data-view="watch"' in table.get(who="view").text
    assert 'data-view="entry"' in table.get("?view=entry", who="view").text
    assert 'data-view="entry"' in table.get(who="leo").text


@pytest.mark.parametrize("level", ["totals", "cards"])
def test_form_of_totals_and_grid_of_cards_have_the_room_of_the_felt(
    visited: FlaskClient, level: str
) -> None:
    table = dealt(visited, "knock")
    assert felt(table, "?level=tricks")
    assert not felt(table, f"?level={level}")


def test_scores_stand_on_the_seats_of_a_phone_that_lies_on_the_table(visited: FlaskClient) -> None:
    table = dealt(visited, "knock", event("points_counted", points={"A": 60, "B": 40}))
    figures = re.findall(r'class="figure">(.*?)<', felt(table, "?view=flat"))
    assert figures[0] == figures[2]
    assert figures[1] == figures[3] != figures[0]
    assert 'class="figure"' not in felt(table)
