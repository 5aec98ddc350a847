"""The sheet of a match: a row for each hand, and the totals that run on from row to row.

Tests of ``report.sheet`` and ``report.option_words``.
"""

import io
from itertools import count, pairwise

from scorekeeper.base.parts import ExactPoints
from scorekeeper.games import GAMES
from scorekeeper.play.rulebook import Number, Option
from scorekeeper.report.option_words import summarize_value
from scorekeeper.report.report import view_report
from scorekeeper.report.sheet import HandRow, Sheet, SumRow, make_sheets, rank_sides
from scorekeeper.session.session import Session
from tests.evenings import GOLDEN, Evening, event, golden_logs, opening, riparto


def sheet(evening: Evening) -> Sheet:
    return make_sheets(evening.view, evening.session)[-1]


def cells(score_sheet: Sheet, side: str) -> list[tuple[ExactPoints | None, ExactPoints | None]]:
    return [(row.cells[side].points, row.cells[side].total) for row in score_sheet.rows]


def test_totals_run_on_and_a_hand_without_a_score_has_none() -> None:
    evening = riparto()
    for bid in (5, 6):
        evening.say("hand_started", dealer="mara")
        evening.say("bid_made", player="leo", points=bid)
        evening.say("points_counted", points={"leo": bid, "nina": 15 - bid, "mara": 0})
    evening.say("hand_started", dealer="leo")
    evening.say("penalty_given", side="nina", points=-2, reason="late")
    score_sheet = sheet(evening)
    assert cells(score_sheet, "leo") == [(5, 5), (6, 11), (None, None)]
    assert score_sheet.counts == "points"
    assert [step.cells["nina"].points for step in score_sheet.steps] == [0, 0, -2, None]
    assert [row.dealer for row in score_sheet.rows] == ["Mara", "Mara", "Leo"]


def test_where_games_are_won_each_begins_at_nothing() -> None:
    for path in golden_logs():
        if path.parent.name != "picchetto":
            continue
        session = Session.read(io.BytesIO(path.read_bytes()))
        for score_sheet in make_sheets(view_report(session), session):
            if not score_sheet.games:
                continue
            assert score_sheet.counts == "games"
            for (game, steps), number in zip(score_sheet.parts, count(1), strict=False):
                assert game in (None, *score_sheet.games)
                assert {step.game for step in steps} == {number}


def test_grid_has_each_game_between_its_head_and_its_sum_and_then_the_totals() -> None:
    path = GOLDEN / "picchetto" / "evening.jsonl"
    session = Session.read(io.BytesIO(path.read_bytes()))
    for score_sheet in make_sheets(view_report(session), session):
        rows = list(score_sheet.grid())
        assert [row for row in rows if row.kind in ("hand", "penalty")] == list(score_sheet.steps)
        heads = [place for place, row in enumerate(rows) if row.kind == "head"]
        for place, after in pairwise([*heads, len(rows)]):
            within = rows[place + 1 : after]
            sums = [row for row in within if isinstance(row, SumRow) and row.game]
            assert [row.game for row in sums] == [rows[place].game]
        *_rest, last = (row for row in rows if isinstance(row, SumRow) and not row.game)
        assert last.what == ("settled" if score_sheet.reckoning else "totals")
        one_hand = list(score_sheet.grid({1}))
        assert {row.hand for row in one_hand if isinstance(row, HandRow)} == {1}


def test_sides_with_equal_totals_share_a_rank() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="leo", points=5)
    evening.say("points_counted", points={"leo": 5, "nina": 10, "mara": 0})
    match = evening.view.matches[0]
    ranked = rank_sides(match, dict(zip(match.sides, "abc", strict=True)))
    assert [(side.rank, side.total) for side in ranked] == [(1, 5), (2, 0), (2, 0)]
    assert ranked[0].name == "b"


def test_two_players_are_one_column() -> None:
    seats = ["mara", "leo", "nina", "ugo"]
    evening = Evening(opening(*seats), event("match_started", game="knock", seats=seats))
    assert list(sheet(evening).columns.values()) == ["Mara & Nina", "Leo & Ugo"]


def test_only_numbers_and_lists_stand_in_the_sentence_of_a_number() -> None:
    """A past error was "the last must bid none", in Italian "l’ultimo deve offrire nessuno"."""
    for option in (option for game in GAMES.values() for option in game.book.options):
        for value in (choice for choice in option.choices if isinstance(choice, str)):
            template, _value = option.in_brief(value)
            result = template.partition("{n}")[0]
            assert result == template or result.endswith(": "), (option.name, value)


def test_summaries_belong_to_existing_values() -> None:
    for option in (option for game in GAMES.values() for option in game.book.options):
        numbers = {choice.key for choice in option.choices if isinstance(choice, Number)}
        for value in option.brief.keys() - numbers - {...}:
            a_value = list(value) if isinstance(value, tuple) else value
            assert option.accepts(a_value), (option.name, value)


def test_value_without_a_summary_is_described() -> None:
    option = Option("last", "X1", "Who gets the rest?", {"nobody": "nobody", 4: "four"})
    assert summarize_value(option, "last_trick") == "last trick"
    assert summarize_value(option, {"target": 21}) == "target 21"
    assert summarize_value(option, 4) == "4"
