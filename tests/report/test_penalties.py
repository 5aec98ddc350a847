"""Penalties in the sequence of a match; with them every column of its sheet adds up."""

import io
from pathlib import Path

from scorekeeper.base.parts import ExactPoints
from scorekeeper.report.penalties import place_penalties
from scorekeeper.report.report import view_report
from scorekeeper.report.sheet import HandRow, PenaltyRow, Sheet, make_sheets
from scorekeeper.session.session import Session
from tests.evenings import Evening, play_hand, riparto
from tests.thinned import EACH_LOG


def placed(evening: Evening) -> list[tuple[int, bool, dict[str, ExactPoints]]]:
    (match,) = evening.session.structure.matches
    return [
        (penalty.hand, penalty.after, dict(penalty.points)) for penalty in place_penalties(match)
    ]


def test_a_penalty_stands_where_it_was_given() -> None:
    evening = riparto()
    evening.say("penalty_given", side="mara", points=-1, reason="early")
    play_hand(evening, "mara")
    evening.say("penalty_given", side="leo", points=4, reason="after the first hand")
    evening.say("hand_started", dealer="leo")
    evening.say("penalty_given", side="leo", points=-2, reason="in the second")
    evening.say("bid_made", player="nina", points=5)
    evening.say("points_counted", points={"nina": 5, "leo": 10, "mara": 0})
    assert placed(evening) == [
        (0, False, {"mara": -1}),
        (1, True, {"leo": 4}),
        (2, False, {"leo": -2}),
    ]
    (score_sheet,) = make_sheets(evening.view, evening.session)
    assert [(step.hand, isinstance(step, PenaltyRow)) for step in score_sheet.steps] == [
        (0, True), (1, False), (1, True), (2, True), (2, False),
    ]  # fmt: skip
    assert [step.cells["leo"].total for step in score_sheet.steps] == [None, 0, 4, 2, 2]
    assert [step.cells["mara"].total for step in score_sheet.steps] == [-1, 4, None, None, 4]


def test_a_correction_of_a_penalty_moves_with_it() -> None:
    evening = riparto()
    penalty = evening.say("penalty_given", side="mara", points=-1, reason="early")
    play_hand(evening, "mara")
    evening.replace(penalty, "penalty_given", side="leo", points=-3, reason="it was Leo")
    late = evening.say("penalty_given", side="nina", points=2, reason="")
    assert placed(evening) == [(0, False, {"leo": -3}), (1, True, {"nina": 2})]
    evening.strike(late)
    assert placed(evening) == [(0, False, {"leo": -3})]


def test_what_a_penalty_of_nothing_changes_is_nothing() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("penalty_given", side="nina", points=0, reason="a warning")
    assert placed(evening) == [(1, True, {})]


def test_a_penalty_after_a_game_was_won_counts_in_the_next() -> None:
    path = Path(__file__).parents[1] / "golden" / "picchetto" / "penalties.jsonl"
    session = Session.read(io.BytesIO(path.read_bytes()))
    (match,) = session.structure.matches
    values = [
        (penalty.hand, penalty.after, penalty.game, dict(penalty.points))
        for penalty in place_penalties(match)
    ]
    assert values == [
        (0, False, 1, {"mara": -10}),
        (1, True, 1, {"mara": 20}),
        (2, True, 2, {"leo": -5}),
        (4, False, 2, {"leo": 3}),
    ]


@EACH_LOG
def test_every_column_adds_up(path: Path) -> None:
    """The points of hands and penalties make the totals, and the scores of the games."""
    session = Session.read(io.BytesIO(path.read_bytes()))
    for sheet in make_sheets(view_report(session), session):
        for game, steps in sheet.parts:
            sums = {s: sum(made_in(step, s, sheet) for step in steps) for s in sheet.columns}
            assert sums == (game.scores if game else sheet.totals)
            for side in sheet.columns:
                runs(steps, side, sheet)


def made_in(step: HandRow | PenaltyRow, side: str, sheet: Sheet) -> ExactPoints:
    """Return what a step adds to the column of a side."""
    if sheet.counts == "hands":
        return int(isinstance(step, HandRow) and step.winner == side)
    return step.cells[side].points or 0


def runs(steps: list[HandRow | PenaltyRow], side: str, sheet: Sheet) -> None:
    """Each total is what the column makes down to it."""
    so_far: ExactPoints = 0
    for step in steps:
        so_far += made_in(step, side, sheet)
        assert step.cells[side].total in (None, so_far)
