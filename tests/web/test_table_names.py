"""Two players with the same name can be distinguished wherever one of them is tapped."""

from itertools import product
from typing import Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.play.prompts import LEVELS
from tests.evenings import by_hand, event
from tests.players.common import GAMES
from tests.thinned import thinned_rows
from tests.web.pages import Page
from tests.web.tapping import Forms, Tapped
from tests.web.test_entry_walk import PLAYERS
from tests.web.test_table import visited

__all__ = ["visited"]

LONG: Final = "Massimiliano della Rovere degli Arcimboldi di Serralunga"
ALIKE: Final = {
    "twice": ["Anna", "Leo", "Anna", "Leo", "Nina"],
    "in other letters": ["Anna", "ANNA ", "anna", "Nina", "Leo"],
    "long": [f"{LONG} A", f"{LONG} B", f"{LONG} C", "Nina", "Leo"],
    "of one letter": ["🂡" * 60, "🂡" * 59, "🂡", "A", "a"],
}


def opened(visited: FlaskClient, game: str, names: list[str]) -> Tapped:
    """Return a table with these players, at which a hand has begun."""
    seats = PLAYERS[game].split()
    there = [{"id": seat, "name": name} for seat, name in zip(seats, names, strict=False)]
    log = by_hand([event("session_opened", title="Friday", players=there)])
    answer = visited.post(
        "/api/sessions/import", data=log, content_type="application/x-ndjson"
    )  # only an old log has names that look alike
    assert answer.status_code == 201, answer.text
    table = Tapped(visited, answer.get_json())
    start = event("match_started", game=game, seats=seats)
    table.record(start, event("hand_started", dealer=seats[-1]))
    return table


WHO: Final = ('{"player":', '{"side":', '{"dealer":')  # values that name somebody


class Labelled(Forms):
    """The forms of a page, with the labels of players by form, field and value.

    A label begins with the legend before it, which may name the player of a row.
    """

    def __init__(self, html: str) -> None:
        self.words: dict[tuple[int, str], dict[str, str]] = {}
        self._open: list[tuple[tuple[int, str], str]] = []
        self._legend = ""
        self._in_legend = False
        super().__init__(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        attributes = dict(attrs)
        value = attributes.get("value") or ""
        if tag == "legend":
            self._legend, self._in_legend = "", True
        if (
            tag in ("button", "input")
            and value.startswith(WHO)
            and attributes.get("type") != "hidden"
        ):
            self._open = [((len(self.forms), str(attributes["name"])), value)]

    def handle_data(self, data: str) -> None:
        if self._in_legend:
            self._legend += data
        for place, value in self._open:
            group = self.words.setdefault(place, {})
            group[value] = group.get(value, f"{self._legend} ") + data

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        if tag == "legend":
            self._in_legend = False
        if tag in ("button", "label"):
            self._open = []


def same(html: str) -> list[str]:
    """Return the labels that occur on two buttons of one group."""
    doubled = []
    for group in Labelled(html).words.values():
        words = [" ".join(name.split()).casefold() for name in group.values()]
        doubled += [word for word in words if words.count(word) > 1]
    return doubled


@pytest.mark.parametrize(("game", "alike"), thinned_rows(product(GAMES, ALIKE), 3))
def test_no_two_buttons_of_a_group_say_the_same(
    visited: FlaskClient, game: str, alike: str
) -> None:
    table = opened(visited, game, ALIKE[alike])
    for level in LEVELS:
        table.level = level
        for view in ("entry", "flat"):
            html = table.get(f"?view={view}").text
            assert Labelled(html).words
            assert same(html) == []


def test_scores_of_sides_with_equal_names_are_distinguishable(visited: FlaskClient) -> None:
    table = opened(visited, "knock", ALIKE["twice"])
    table.record(event("points_counted", points={"A": 62}))
    words = table.page().words
    assert "Anna (1) & Anna (3)" in words
    assert "Leo (2) & Leo (4)" in words
    assert "Anna (1) deals" in words


def test_unique_name_has_no_number(visited: FlaskClient) -> None:
    words = opened(visited, "riparto", ["Anna", "Leo", "Nina", "Annalisa"]).page().words
    assert "Anna (" not in words
    assert "Annalisa deals" in words


def test_the_log_and_what_others_hear_say_which_of_the_two(visited: FlaskClient) -> None:
    table = opened(visited, "knock", ALIKE["twice"])
    table.record(event("trick_taken", player="nina"), who="nina")
    words = table.page(who="nina").words
    assert "Anna (3) took the trick" in words
    stale = table.form("trick_taken")
    table.record(event("trick_taken", player="mara"), who="nina")
    answer = table.post(stale, [("with", '{"player":"leo"}')])
    assert "Anna (3): Anna (1) took the trick" in " ".join(answer.text.split())


def test_seats_of_a_code_have_different_names(visited: FlaskClient) -> None:
    table = opened(visited, "knock", ALIKE["twice"])
    code = visited.application.extensions["service"].store.new_code(table.id, 900)
    words = Page.of(visited.get(f"/code?code={code}").text).words
    assert "Anna (1) Leo (2) Anna (3) Leo (4)" in words
