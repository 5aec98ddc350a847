"""``exports.fact_columns``: the facts of hands in the table of results, read back and compared."""

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.cards.packs import ALL_CARDS
from scorekeeper.events.fields import CARD, Flag, Kind, Many, OneOf, PlayerId, Whole
from scorekeeper.exports import csv as tables
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.xlsx import make_workbook
from scorekeeper.languages.reader import Reader
from scorekeeper.play.facts import HandFact, HandFacts
from scorekeeper.report.hand_facts import get_facts
from tests.evenings import event
from tests.exports.samples import EVENINGS, ID, evening_of, events_of, hand, riparto

# Programs read these columns by position, so new columns come after them.
FIRST = (
    "match", "game", "hand", "dealer", "status", "level", "side", "players", "score", "taken",
    "total", "winner", "confirmed", "disputed", "reason",
)  # fmt: skip


def rows(evening: Evening) -> list[dict[str, str]]:
    """Return the results as a spreadsheet reads them."""
    text = tables.results_csv(evening).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_cells_are_the_facts_of_the_game(path: Path) -> None:
    evening = evening_of(events_of(path))
    names = evening.session.structure.players
    for row in rows(evening):
        if row["status"] == "penalty":
            continue
        match = evening.session.structure.matches[int(row["match"]) - 1]
        record = match.hands[int(row["hand"]) - 1]
        known = match.game.facts.of_side(get_facts(record), row["side"])
        for fact in match.game.facts.facts:
            assert row[fact.id] == as_read(known.get(fact.id), names)


def as_read(value: Any, names: Any) -> str:
    """Return a value as it is written in a cell."""
    if isinstance(value, tuple):
        return ", ".join(names.get(item, str(item)) for item in value)
    if isinstance(value, bool):
        return "1" if value else "0"
    return "" if value is None else names.get(value, str(value))


@pytest.mark.parametrize(
    ("kind", "value", "cell"),
    [
        (Many(OneOf(("double", "redouble"))), ["double", "redouble"], "double, redouble"),
        (Many(Whole(0, 9)), (3, 4), "3, 4"),
        (Many(Flag()), [True, False], "1, 0"),
        (Many(PlayerId()), ["mara", "leo"], "Mara, Leo"),
        (Many(PlayerId()), [], ""),
        (Many(CARD), [ALL_CARDS["AS"], ALL_CARDS["10H"]], "AS, 10H"),
        (Many(Many(CARD)), [[ALL_CARDS["AS"], ALL_CARDS["KS"]], []], "AS, KS, "),
        (CARD, ALL_CARDS["AS"], "AS"),
    ],
)
def test_fact_of_any_kind_is_plain_text(
    kind: Kind, value: Any, cell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = evening_of(riparto(1))
    match = evening.session.structure.matches[0]
    fact = HandFact("bid", "Bid", kind, lambda deal: value)
    game = replace(match.game, facts=HandFacts((fact,)))
    for record in (match, *match.hands):
        monkeypatch.setattr(record, "game", game)
    assert {row["bid"] for row in rows(evening)} == {cell}


def test_fact_columns_come_after_the_common_columns() -> None:
    evening = evening_of(riparto(2))
    columns = tables.result_columns(evening)
    assert columns[: len(FIRST)] == FIRST
    assert columns[-7:] == ("bidder", "bid", "raised", "took", "made", "over", "award")
    assert len(set(columns)) == len(columns)


def test_games_share_columns_of_equal_facts() -> None:
    seats = ["mara", "leo", "nina"]
    more = [
        event("match_started", game="briscola_regina", seats=seats),
        event("hand_started", dealer="mara"),
        event("bris_called", player="leo", suit="C"),
        event("points_counted", points={"mara": 50, "leo": 40, "nina": 30}),
    ]
    evening = evening_of([*riparto(1), *more])
    one, *_, other = rows(evening)
    assert (one["bid"], one["bris"]) == ("5", "")
    assert (other["game"], other["bid"], other["bris_points"]) == ("briscola_regina", "", "0")
    columns = tables.result_columns(evening)
    assert columns.count("taken") == 1


def test_every_row_identifies_its_session() -> None:
    late = evening_of(riparto(1), "2026-11-20T23:30:00.000Z")
    assert {(row["date"], row["session"], row["title"]) for row in rows(late)} == {
        ("2026-11-20", ID, "Friday")
    }
    # The same evening, where the clocks are an hour ahead.
    in_rome = Evening.of(ID, late.session, Reader(zone="Europe/Rome"))
    assert {row["date"] for row in rows(in_rome)} == {"2026-11-21"}


def test_rows_name_the_game_of_a_match_and_its_target() -> None:
    picchetto = next(path for path in EVENINGS if path.parent.name == "picchetto")
    terms = {
        (row["game_of_match"], row["target"]) for row in rows(evening_of(events_of(picchetto)))
    }
    assert terms == {("game", "150"), ("return", "150"), ("final", "221")}


@pytest.mark.parametrize(
    ("end", "target"), [({"target": 30}, "30"), ({"hands": 4}, ""), ("open", "")]
)  # fmt: skip
def test_target_is_the_total_that_ends_the_match(end: Any, target: str) -> None:
    events = riparto(1)
    for raw in events:
        if raw["type"] == "match_started":
            raw["data"]["options"] = {"match_end": end}
    assert {row["target"] for row in rows(evening_of(events))} == {target}


def test_hand_without_agreement_is_unresolved() -> None:
    dispute = [
        event("hand_disputed", player="leo", reason="no"),
        event("dispute_settled", ruling="unresolved", text="nobody knows"),
    ]
    evening = evening_of([*riparto(1), *dispute, *hand(1)])
    assert [row["unresolved"] for row in rows(evening)] == ["1"] * 3 + ["0"] * 3


def test_a_penalty_has_no_facts() -> None:
    fine = event("penalty_given", side="leo", points=-1, reason="late")
    row = next(row for row in rows(evening_of([*riparto(1), fine])) if row["status"] == "penalty")
    assert (row["bidder"], row["unresolved"], row["date"]) == ("", "", "2026-11-21")


def test_penalty_between_two_games_belongs_to_neither() -> None:
    """Exports used to fail until the next hand was dealt."""
    (path,) = (path for path in EVENINGS if path.parent.name == "picchetto")
    events = events_of(path)
    deals = [place for place, raw in enumerate(events) if raw["type"] == "hand_started"]
    between = next(
        events[:place]
        for place in deals[1:]
        if evening_of(events[:place]).matches[0].sheet.games[-1].winner
    )
    side = between[1]["data"]["seats"][0]
    evening = evening_of([*between, event("penalty_given", side=side, points=-3, reason="late")])
    *_before, row = (row for row in rows(evening) if row["status"] == "penalty")
    assert (row["score"], row["reason"], row["game_of_match"], row["target"]) == (
        "-3", "late", "", "",
    )  # fmt: skip
    assert make_workbook(evening)
