"""Matches of one game with the same scoring options are added up, whoever sat in them.

Tests of ``report.evening_sums``, and of the sums in ``exports.chat`` and ``cli.sheet_text``.
"""

from io import BytesIO
from typing import Any, Final

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

from scorekeeper.cli.sheet_text import sheet_lines
from scorekeeper.exports.chat import chat_text, summarize_evening
from scorekeeper.exports.pdf import score_sheet
from scorekeeper.exports.picture import draw_picture
from scorekeeper.exports.xlsx import make_workbook
from scorekeeper.report.evening_sums import EveningSum, list_summed_matches, sum_evening
from tests.evenings import GOLDEN, Evening, Raw, event, opening
from tests.exports.samples import evening_of, events_of
from tests.samples import SAMPLES

ALL: Final = ("mara", "leo", "nina", "ugo")
ENDED: Final = event("match_ended")
STAKE: Final = {"currency": "EUR", "point": 10, "match": 0}


def match(seats: str = "mara leo nina", stake: Raw | None = None, **options: Any) -> Raw:
    data: Raw = {"game": "riparto", "seats": seats.split(), "options": options}
    return event("match_started", **data, **({} if stake is None else {"stake": stake}))


def hand(winner: str, other: str, dealer: str) -> list[Raw]:
    """Return a hand that gives the winner five points."""
    return [
        event("hand_started", dealer=dealer),
        event("bid_made", player=winner, points=5),
        event("points_counted", points={winner: 5, other: 10, dealer: 0}),
    ]


CHANGING: Final = (
    opening(*ALL),
    match(), *hand("mara", "leo", "nina"), ENDED,
    match("ugo leo nina"), *hand("leo", "ugo", "nina"), *hand("leo", "nina", "ugo"), ENDED,
    match("ugo leo mara"), *hand("mara", "ugo", "leo"), event("match_ended", undecided=True),
)  # fmt: skip


def sums_of(*events: Raw) -> list[EveningSum]:
    evening = Evening(*events)
    return sum_evening(evening.session, evening.view)


def standing(added: EveningSum) -> list[tuple[int, str, int, int, int]]:
    return [tuple(row) for row in added.players]  # type: ignore[misc]


def test_matches_of_changing_players_are_added_up_by_player() -> None:
    [added] = sums_of(*CHANGING)
    assert (added.matches, added.counts, added.provisional) == ([1, 2, 3], "points", False)
    assert standing(added) == [
        (1, "mara", 2, 1, 10), (1, "leo", 3, 1, 10), (3, "nina", 2, 0, 0), (3, "ugo", 2, 0, 0),
    ]  # fmt: skip
    # Five points more than two others: +10, -5, -5 in a hand.
    balances: dict[str, int] = {}
    for payment in added.payments:
        balances[payment.payer] = balances.get(payment.payer, 0) - payment.amount
        balances[payment.to] = balances.get(payment.to, 0) + payment.amount
    assert balances == {"mara": 20, "leo": 10, "nina": -15, "ugo": -15}
    assert len(added.payments) == 3


def test_one_match_alone_is_no_sum() -> None:
    assert sums_of(*CHANGING[:6]) == []


def test_other_scoring_options_and_other_games_are_never_added() -> None:
    other = (match(last_three="sweep"), *hand("leo", "nina", "mara"), ENDED)
    assert [added.matches for added in sums_of(*CHANGING, *other)] == [[1, 2, 3]]
    regina = (
        event("match_started", game="briscola_regina", seats=["mara", "leo"]),
        event("hand_started", dealer="mara"),
        event("points_counted", points={"mara": 70, "leo": 50}), ENDED,
    )  # fmt: skip
    sums = sums_of(*CHANGING, *regina, *regina)
    assert [(added.game, added.matches) for added in sums] == [
        ("riparto", [1, 2, 3]), ("briscola_regina", [4, 5]),
    ]  # fmt: skip


def test_options_that_do_not_score_do_not_part_matches() -> None:
    later = (match(match_end={"hands": 1}), *hand("leo", "nina", "mara"))
    assert [added.matches for added in sums_of(*CHANGING, *later)] == [[1, 2, 3, 4]]


def test_match_without_a_complete_hand_is_left_out() -> None:
    ghost = (match(), event("hand_started", dealer="leo"), ENDED)
    assert [added.matches for added in sums_of(*CHANGING, *ghost)] == [[1, 2, 3]]
    assert sums_of(*CHANGING[:6], *ghost) == []


def test_open_match_makes_the_sum_provisional() -> None:
    [added] = sums_of(*CHANGING[:-1])
    assert (added.matches, added.provisional) == ([1, 2, 3], True)


def test_matches_for_money_are_added_but_paid_in_money() -> None:
    paid = (match(stake=STAKE), *hand("leo", "nina", "mara"), ENDED)
    [added] = sums_of(*CHANGING, *paid)
    assert (added.matches, added.paid) == ([1, 2, 3, 4], [1, 2, 3])
    assert added.payments == sums_of(*CHANGING)[0].payments
    assert list_summed_matches([added]) == {1, 2, 3}


@pytest.mark.parametrize("game", SAMPLES)
def test_every_game_adds_up_two_equal_matches(game: str) -> None:
    """The golden evening's first match is played twice; the second one ends as it stands."""
    opened, *events = events_of(GOLDEN / game / "evening.jsonl")
    started = [place for place, raw in enumerate(events) if raw["type"] == "match_started"]
    hands = [place for place, raw in enumerate(events) if raw["type"] == "hand_started"]
    once = [raw for raw in events[started[0] : hands[2]] if "after" not in raw["data"]]
    once[0]["data"].pop("stake", None)
    joined = [raw for raw in events if raw["type"] == "player_joined"]
    once = [raw for raw in once if raw not in joined]
    evening = Evening(opened, *joined, *once, *once)
    first, second = evening.view.matches
    [added] = sum_evening(evening.session, evening.view)
    assert added.matches == [1, 2]
    for row in added.players:
        side = next(side for side, members in first.sides.items() if row.player in members)
        assert row.total == first.totals[side] + second.totals[side]
        assert row.matches == 2


# ---------------------------------------------------------------------------------- where shown


def test_chat_has_one_standing_and_one_list_of_payments() -> None:
    evening = evening_of(list(CHANGING))
    lines = chat_text(evening).decode().splitlines()
    at = lines.index("Riparto, matches 1–3:")
    assert lines[at + 1 : at + 5] == ["1. Mara: 10", "1. Leo: 10", "3. Nina: 0", "3. Ugo: 0"]
    assert lines.count("Who pays whom:") == 1
    assert lines.index("Who pays whom:") > at
    assert len([line for line in lines if " pays " in line and "whom" not in line]) == 3
    assert draw_picture(evening) != draw_picture(evening_of(list(CHANGING[:6])))


def test_sum_of_very_many_players_is_left_out_of_the_chat() -> None:
    ids = [f"p{n}" for n in range(36)]
    events = [opening(*ids)]
    for first in range(0, 36, 3):
        seats = ids[first : first + 3]
        events += [match(" ".join(seats)), *hand(*seats), ENDED]
    content = summarize_evening(evening_of(events))
    assert content.sums == []
    assert all(shown.payments for shown in content.matches)


def test_sheet_workbook_and_command_line_have_the_sum() -> None:
    evening = evening_of(list(CHANGING))
    words = "\n".join(sheet_lines(evening.session, evening.report))
    assert "Riparto, matches 1–3 added up (points)" in words
    assert "   1  Mara" in words
    assert words.count(" pays ") == 3
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(score_sheet(evening))).pages)
    text = "".join(text.split())
    assert "Riparto,matches1–3" in text
    assert "Mara10,Leo10,Nina0,Ugo0" in text
    book = load_workbook(BytesIO(make_workbook(evening)))
    rows = list(book["Who pays whom"].iter_rows(values_only=True))
    assert len(rows) == 2
    assert "Riparto, matches 1–3" in [str(cell) for cell in rows[1]]
