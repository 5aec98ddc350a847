"""Rounds drawn by hand: lines of numbers or names, or the JSON of a draw."""

import json

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.tournaments.typed_draws import MAX_CHARACTERS, MAX_LINES, parse_typed_round
from tests.tournaments.hall import drawn, opening, registrations, tournament

TWO = (("e1", "e3", "e5"), ("e2", "e4", "e6"))
ALL = {f"e{number}" for number in range(1, 8)}
SEVEN = [opening(), *registrations(7)]
ROUNDS = [{"tables": [[1, 2, 3], [4, 5, 6]], "byes": [7]}, {"tables": [[1, 3, 5], [2, 4, 6]]}]


@pytest.mark.parametrize(
    "text",
    [
        "1 3 5\n2 4 6",
        "\n 1, 3,5 \r\n\r\n2;4;6\n",
        "e1, E3,e5\nTable 2: E2\tE4\tE6",
        "1: 1 3 5\n2: 2, e4, 6",
        json.dumps({"entrants": 7, "rounds": ROUNDS[1:]}),
    ],
)
def test_a_line_is_a_table_and_the_others_sit_out(text: str) -> None:
    assert parse_typed_round(text, tournament(*SEVEN).state, 1, ALL) == (TWO, ("e7",))


def test_those_who_do_not_go_on_to_the_stage_do_not_sit_out() -> None:
    typed = parse_typed_round("1 3 5", tournament(*SEVEN).state, 1, {"e1", "e2", "e3", "e5"})
    assert typed.byes == ("e2",)


def test_a_draw_of_several_rounds_is_that_of_the_stage() -> None:
    whole = json.dumps({"entrants": 7, "rounds": ROUNDS})
    state = tournament(*SEVEN, drawn(1, (1, 2, 3, 4, 5))).state
    assert parse_typed_round(whole, state, 1, ALL).tables[0] == ("e1", "e2", "e3")
    assert parse_typed_round(whole, state, 2, ALL).tables == TWO
    with pytest.raises(UnusableError, match="the draw has 2 rounds"):
        parse_typed_round(whole, tournament(*SEVEN, drawn(1, (1, 2, 3, 4, 5)),
                                            drawn(2, (1, 2, 3, 4, 5))).state, 3, ALL)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("1 3 5\n2 4 9", 2, "a number from 1 to 6, got 9"),
        ("1 3 0", 1, "got 0"),
        ("e1, zoe, e3", 1, "no entrant is called zoe"),
        ("Ada Bea", 1, "is called Ada Bea"),
        (" \n", None, "no table"),
        ("\n" * (MAX_LINES + 1), None, "lines"),
        ("1 " * MAX_CHARACTERS, None, "characters"),
        ("{", None, "not JSON"),
        ("[" * 5000, 1, "is called"),
        ('{"a":' * 5000, None, ""),
        ("{}", None, "a whole number from 1"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, line: int | None, words: str) -> None:
    state = tournament(opening(), *registrations(6)).state
    with pytest.raises(UnusableError) as refused:
        parse_typed_round(text, state, 1, ALL)
    assert refused.value.line == line
    assert words in refused.value.reason
