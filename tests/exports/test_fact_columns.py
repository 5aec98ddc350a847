"""``exports.fact_columns``: the facts of hands in the table of results, read back and compared."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.exports import csv as tables
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.xlsx import workbook
from scorekeeper.languages.reader import Reader
from scorekeeper.report.hand_facts import facts_of
from tests.evenings import event
from tests.exports.taken import EVENINGS, ID, events_of, hand, riparto, taken

# A program reads these by their place: what is new comes behind them.
FIRST = (
    "match", "game", "hand", "dealer", "status", "level", "side", "players", "score", "taken",
    "total", "winner", "confirmed", "disputed", "reason",
)  # fmt: skip


def rows(evening: Evening) -> list[dict[str, str]]:
    """The results as a spreadsheet reads them."""
    text = tables.results(evening).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_what_is_read_back_is_what_the_game_tells(path: Path) -> None:
    evening = taken(events_of(path))
    names = evening.session.structure.players
    for row in rows(evening):
        if row["status"] == "penalty":
            continue
        match = evening.session.structure.matches[int(row["match"]) - 1]
        record = match.hands[int(row["hand"]) - 1]
        known = match.game.facts.of_side(facts_of(record), row["side"])
        for fact in match.game.facts.facts:
            assert row[fact.id] == as_read(known.get(fact.id), names)


def as_read(value: Any, names: Any) -> str:
    """A value as it stands in a cell."""
    if isinstance(value, tuple):
        return ", ".join(names.get(one, str(one)) for one in value)
    if isinstance(value, bool):
        return "1" if value else "0"
    return "" if value is None else names.get(value, str(value))


def test_columns_come_behind_those_that_were_there() -> None:
    evening = taken(riparto(2))
    columns = tables.result_columns(evening)
    assert columns[: len(FIRST)] == FIRST
    assert columns[-7:] == ("bidder", "bid", "raised", "took", "made", "over", "award")
    assert len(set(columns)) == len(columns)


def test_games_of_one_evening_share_the_columns_that_mean_the_same() -> None:
    seats = ["mara", "leo", "nina"]
    more = [
        event("match_started", game="briscola_regina", seats=seats),
        event("hand_started", dealer="mara"),
        event("bris_called", player="leo", suit="C"),
        event("points_counted", points={"mara": 50, "leo": 40, "nina": 30}),
    ]
    evening = taken([*riparto(1), *more])
    one, *_, other = rows(evening)
    assert (one["bid"], one["bris"]) == ("5", "")
    assert (other["game"], other["bid"], other["bris_points"]) == ("briscola_regina", "", "0")
    columns = tables.result_columns(evening)
    assert columns.count("taken") == 1


def test_every_row_says_of_which_evening_it_is() -> None:
    late = taken(riparto(1), "2026-11-20T23:30:00.000Z")
    assert {(row["date"], row["session"], row["title"]) for row in rows(late)} == {
        ("2026-11-20", ID, "Friday")
    }
    # The same evening, where the clocks are an hour ahead.
    in_rome = Evening.of(ID, late.session, Reader(zone="Europe/Rome"))
    assert {row["date"] for row in rows(in_rome)} == {"2026-11-21"}


def test_a_game_of_a_match_is_named_with_its_target() -> None:
    picchetto = next(path for path in EVENINGS if path.parent.name == "picchetto")
    found = {(row["game_of_match"], row["target"]) for row in rows(taken(events_of(picchetto)))}
    assert found == {("game", "150"), ("return", "150"), ("final", "221")}


@pytest.mark.parametrize(
    ("end", "target"), [({"target": 30}, "30"), ({"hands": 4}, ""), ("open", "")]
)  # fmt: skip
def test_a_target_is_what_totals_are_to_reach(end: Any, target: str) -> None:
    events = riparto(1)
    for one in events:
        if one["type"] == "match_started":
            one["data"]["options"] = {"match_end": end}
    assert {row["target"] for row in rows(taken(events))} == {target}


def test_a_hand_that_nobody_agreed_on_says_so() -> None:
    dispute = [
        event("hand_disputed", player="leo", reason="no"),
        event("dispute_settled", ruling="unresolved", text="nobody knows"),
    ]
    evening = taken([*riparto(1), *dispute, *hand(1)])
    assert [row["unresolved"] for row in rows(evening)] == ["1"] * 3 + ["0"] * 3


def test_a_penalty_has_no_facts() -> None:
    fine = event("penalty_given", side="leo", points=-1, reason="late")
    row = next(one for one in rows(taken([*riparto(1), fine])) if one["status"] == "penalty")
    assert (row["bidder"], row["unresolved"], row["date"]) == ("", "", "2026-11-21")


def test_a_penalty_between_two_games_is_of_none_that_was_begun() -> None:
    """The table, the workbook and the archive could not be made until the next hand was dealt."""
    (path,) = (one for one in EVENINGS if one.parent.name == "picchetto")
    events = events_of(path)
    deals = [place for place, one in enumerate(events) if one["type"] == "hand_started"]
    between = next(
        events[:place]
        for place in deals[1:]
        if taken(events[:place]).matches[0].sheet.games[-1]["winner"]
    )
    side = between[1]["data"]["seats"][0]
    evening = taken([*between, event("penalty_given", side=side, points=-3, reason="late")])
    *_before, row = (row for row in rows(evening) if row["status"] == "penalty")
    assert (row["score"], row["reason"], row["game_of_match"], row["target"]) == (
        "-3", "late", "", "",
    )  # fmt: skip
    assert workbook(evening)
