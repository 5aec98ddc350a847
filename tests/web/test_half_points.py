"""A game whose counts are in half points: they are typed and shown as points, and stored whole.

Tests of ``base.parts``.
"""

import re
from dataclasses import replace

import pytest

from scorekeeper.events.fields import COUNT, Each, Whole
from scorekeeper.events.playing import PLAY, play_events
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.games.knock import GAME as KNOCK
from scorekeeper.games.knock.state import KnockDeal
from scorekeeper.play.facts import SIDE, HandFacts
from tests.api.asking import client_of
from tests.evenings import event
from tests.exports.samples import evening_of
from tests.exports.test_fact_columns import rows
from tests.web.tapping import Tapped

PLAYERS = "mara leo nina ugo"


class HalvesDeal(KnockDeal):
    """A hand of Knock whose 100 units are halves of a point."""

    COUNTED_IN = 2


def in_halves() -> Game:
    """Return Knock with counts in half points."""
    halves = Each(SIDE, Whole(0, parts=2))
    taken, *others = KNOCK.facts.facts
    assert taken.kind == Each(SIDE, COUNT)
    return replace(
        KNOCK,
        events=(*play_events(2), *(kind for kind in KNOCK.events if kind not in PLAY)),
        start=HalvesDeal,
        facts=HandFacts((replace(taken, kind=halves), *others), KNOCK.facts.sentences),
    )


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Tapped:
    monkeypatch.setitem(GAMES._versions, "knock", (in_halves(),))
    begun = event("match_started", game="knock", seats=PLAYERS.split())
    table = Tapped.open(client_of(), PLAYERS, begun, event("hand_started", dealer="ugo"))
    table.level = "totals"
    return table


@pytest.mark.parametrize(
    ("typed", "language", "shown"),
    [("30.5", "en", "30.5"), ("30,5", "it", "30,5"), ("30½", "fr", "30,5")],
)
def test_half_points_are_typed_and_shown(
    table: Tapped, typed: str, language: str, shown: str
) -> None:
    numbers = {control.name: control.high / 2 for control in table.form("totals").texts()}
    assert numbers == {"0.n2:points.A": 50, "0.n2:points.B": 50}
    answer = table.tap("totals", ("0.n2:points.A", typed))
    assert answer.status_code == 303, answer.text
    assert table.events()[-1]["data"] == {"points": {"A": 61}}
    (hand,) = table.report()["matches"][0]["hands"]
    assert hand["taken"] == {"A": 61, "B": 39}
    page = table.get("/h/1-1", **{"Accept-Language": language}).text
    assert f"<b>{shown}</b>" in page  # of what each side took
    assert f"{shown}" in re.sub("<[^>]*>", " ", page)
    log = table.get("/log", **{"Accept-Language": language}).text
    assert shown in log


def test_what_is_no_half_point_is_refused_in_points(table: Tapped) -> None:
    assert "steps of 1/2" in table.tap("totals", ("0.n2:points.A", "30.3")).text
    assert "only 50 in all" in table.tap("totals", ("0.n2:points.A", "50.5")).text
    table.record(event("points_counted", points={"A": 61, "B": 40}), as_played=True)
    (finding,) = table.report()["findings"]
    assert finding["message"] == "The points counted make 50.5, but a hand has 50"


def test_half_points_are_decimals_in_tables(table: Tapped) -> None:
    table.record(event("points_counted", points={"A": 61}))
    log = [{"type": entry["type"], "data": entry["data"]} for entry in table.events()]
    assert [row["taken"] for row in rows(evening_of(log))] == ["30.5", "19.5"]
