"""The figures of a club as views: they are JSON, add up, and name their places.

Tests of ``clubs.members``, ``clubs.money_views`` and ``clubs.season_views``, too.
"""

import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from scorekeeper.base.views import to_json_values
from scorekeeper.clubs.closed import compare_closed_season
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.ledger import compute_ledgers, view_ledgers
from scorekeeper.clubs.members import view_member
from scorekeeper.clubs.records import view_records
from scorekeeper.clubs.season import sort_by_day
from scorekeeper.clubs.standings import view_standings
from scorekeeper.session.session import Session
from tests.clubs.founding import attended, evening, match, of_november
from tests.evenings import golden_evenings

NAMES = {"mara": "Mara", "leo": "Leo"}


@pytest.fixture(scope="module")
def season() -> list[AttendedEvening]:
    """Some of the golden evenings, all their players members."""

    def played(path: Path) -> PlayedEvening:
        with path.open("rb") as stream:
            return PlayedEvening.of(path.parent.name, Session.read(stream))

    return sort_by_day(attended(map(played, golden_evenings()[2:5])), ZoneInfo("UTC"))


def hand_at(season: list[AttendedEvening], place: Any) -> Any:
    """The hand that a place names."""
    evening = next(
        evening_.evening for evening_ in season if evening_.evening.session_id == place["session"]
    )
    played = next(
        played_match for played_match in evening.matches if played_match.number == place["match"]
    )
    return next(hand for hand in played.hands if hand.number == place["hand"])


def test_a_members_figures_open_where_they_came_from(season: list[AttendedEvening]) -> None:
    result = to_json_values(view_member("mara", season, NAMES))
    assert json.loads(json.dumps(result)) == result
    assert result["name"] == "Mara"
    assert result["hands"] == sum(game["hands"] for game in result["games"]) > 10
    for game in result["games"]:
        assert sum(form["points"] for form in game["form"]) == game["points"]
        for what in ("best", "worst"):
            hand = hand_at(season, game[what])
            assert (hand.undoubled_score("mara"), hand.seq) == (
                game[what]["points"],
                game[what]["event"],
            )
        if game["parts"]:
            assert sum(part["hands"] for part in game["parts"].values()) == game["hands"]
    assert result["hands"] <= max(met["hands"] for met in result["met"]) * len(result["met"])


def test_every_record_opens(season: list[AttendedEvening]) -> None:
    result = to_json_values(view_records(season, NAMES))
    assert json.loads(json.dumps(result)) == result
    for game in result["games"]:
        for record in game["records"]:
            if record["what"] == "highest_hand":
                scores = hand_at(season, record["place"]).scores
                assert record["figure"] == max(scores.values())
    assert {record["what"] for record in result["club"]} == {
        "most_evenings",
        "most_won",
        "most_hands",
    }


def test_money_has_the_names_of_guests() -> None:
    path = next(path for path in golden_evenings() if path.parent.name == "riparto")
    with (path.parents[1] / "briscola_chiamata" / "for-money.jsonl").open("rb") as stream:
        evening_played = PlayedEvening.of("money", Session.read(stream))
    [ledger] = view_ledgers(compute_ledgers(attended([evening_played], "zoe")), NAMES)
    euros = to_json_values(ledger)
    assert json.loads(json.dumps(euros)) == euros
    assert sum(balance["amount"] for balance in euros["balances"]) == 0
    assert euros["balances"][0]["name"] == "Leo"
    [guest] = [balance for balance in euros["balances"] if balance["guest"]]
    assert guest["name"] == evening_played.names["zoe"]
    [played] = euros["evenings"][0]["matches"]
    for side in played["sides"]:
        assert sum(due["amounts"][side] for due in played["made_of"]) == played["balances"][side]


def test_closed_season_has_its_final_table_and_later_changes() -> None:
    then, now = (
        attended([evening("06", match(1, *totals))._replace(head=head)])
        for totals, head in (((2, 1), "a"), ((1, 2), "b"))
    )
    closed = compare_closed_season(of_november(), then, now, ZoneInfo("UTC"))
    values = to_json_values(view_standings(closed.final, {"ada": "Ada"}, closed))
    assert [row["member"] for row in values["rows"]] == ["ada", "bea"]
    later = values["after_the_close"]
    assert later["changed"] == ["evening06"]
    assert later["moved"][0] == {"member": "ada", "name": "Ada", "left": False, "guest": False,
                                 "figure": 2, "place": 1, "figure_now": 1,
                                 "place_now": 2}  # fmt: skip
