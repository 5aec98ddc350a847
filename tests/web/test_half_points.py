"""A game in half points: they are typed and shown as points; the log has whole halves.

Tests of ``base.parts``.
"""

import re

import pytest

from tests.api.asking import client_of
from tests.evenings import event
from tests.exports.samples import evening_of
from tests.exports.test_fact_columns import rows
from tests.games import half_points
from tests.web.tapping import Tapped

PLAYERS = "mara leo nina ugo"


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Tapped:
    half_points.install(monkeypatch)
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
    assert hand["taken"] == {"A": "61/2", "B": "39/2"}
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
