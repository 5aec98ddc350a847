"""One order of players: that of the seats, starting with the viewer's, in every hand.

Tests of ``web.frame.ring`` and ``web.forms.scene``.
"""

import re
from itertools import product
from typing import Final

import pytest
from flask.testing import FlaskClient

from tests.conftest import SOAK
from tests.evenings import event
from tests.players.common import GAMES
from tests.thinned import thinned_rows
from tests.web.tapping import Tapped
from tests.web.test_entry_walk import PLAYERS
from tests.web.test_table import visited

__all__ = ["visited"]

ROW: Final = re.compile(r'<div class="chips seats.*?</div>', re.DOTALL)
NAMED: Final = re.compile(r"value='\{&#34;player&#34;:&#34;(\w+)|value='\{\"player\":\"(\w+)|"
                          r"value=\"\{&#34;player&#34;:&#34;(\w+)")  # fmt: skip


def seated(visited: FlaskClient, game: str) -> tuple[Tapped, list[str]]:
    seats = PLAYERS[game].split()
    start = event("match_started", game=game, seats=seats)
    return Tapped.open(visited, PLAYERS[game], start), seats


def rows_of_seats(html: str) -> list[list[str]]:
    """Return the players of each row of seats, in its order."""
    rows = [["".join(names) for names in NAMED.findall(row)] for row in ROW.findall(html)]
    return [row for row in rows if len(row) > 1]


def in_order(row: list[str], seats: list[str], first: str) -> bool:
    """Return whether a row has the order of the seats, starting with this one."""
    at = seats.index(first)
    turned = seats[at:] + seats[:at]
    return row == [name for name in turned if name in row]


@pytest.mark.parametrize("game", GAMES)
def test_seats_keep_their_order_whoever_deals(visited: FlaskClient, game: str) -> None:
    table, seats = seated(visited, game)
    rows_seen = 0
    for dealer in seats if SOAK else seats[:2]:
        table.record(event("hand_started", dealer=dealer))
        for level in ("totals", "tricks", "cards"):
            table.level = level
            for who in (seats[0], seats[1]):
                rows = rows_of_seats(table.get(who=who).text)
                rows_seen += len(rows)
                assert all(in_order(row, seats, who) for row in rows), (dealer, level, rows)
        table.record(event("hand_abandoned", reason="misdeal"), as_played=True)
    assert rows_seen > len(seats)


@pytest.mark.parametrize(
    ("game", "view"), thinned_rows(product(GAMES, ["entry", "watch", "flat"]), 2)
)
def test_scores_begin_with_whose_phone_it_is(visited: FlaskClient, game: str, view: str) -> None:
    table, seats = seated(visited, game)
    table.record(event("hand_started", dealer=seats[0]))
    for who in seats:
        html = table.get(f"?view={view}", who=who).text
        if view == "flat":
            near = re.findall(r"seat-1 near.*?<bdi[^>]*>(\w+)", html, re.DOTALL)
            assert near == [who.capitalize()]
        scores = re.search(r'<ul class="totals.*?</ul>', html, re.DOTALL)
        assert scores is not None
        first = re.findall(r"<bdi[^>]*>(.*?)</bdi>", scores[0])[0]
        assert who.capitalize() in first.split(" &amp; ")
