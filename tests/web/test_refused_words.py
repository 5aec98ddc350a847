"""Why something cannot be recorded: each message that a tap can meet has its words."""

import ast
from pathlib import Path

import pytest

import scorekeeper
from scorekeeper.base.errors import Unusable
from scorekeeper.games import GAMES
from scorekeeper.log.codec import decode
from scorekeeper.play.counts import refuse_count
from scorekeeper.web.wording.refused import SAID, in_words
from tests.api.asking import client_of

PACKAGE = Path(scorekeeper.__file__).parent


def words_of(error: Unusable) -> str:
    with client_of().application.test_request_context():
        return in_words(error)


@pytest.mark.parametrize(
    ("given", "total", "told"),
    [
        ({"A": 101}, 100, "That makes 101 already, and there are only 100 in all."),
        ({}, 100, "The count is not complete yet."),
        ({"A": 60}, None, "The count is not complete yet."),
    ],
)
def test_a_count(given: dict[str, int], total: int | None, told: str) -> None:
    with pytest.raises(Unusable) as refused:
        refuse_count("data.points", given, ("A", "B"), total)
    assert words_of(refused.value) == told


@pytest.mark.parametrize("count", [9, "9", -1])
def test_a_number(count: object) -> None:
    with pytest.raises(Unusable) as refused:
        decode("cards_exchanged", {"player": "mara", "count": count}, GAMES["picchetto"].by_type)
    assert words_of(refused.value) == f"A number from 0 to 8 goes here, not {count}."


def test_a_number_without_an_end() -> None:
    with pytest.raises(Unusable) as refused:
        decode("penalty_given", {"side": "mara", "points": "ten", "reason": "slow"})
    assert words_of(refused.value) == "A number goes here, not ten."


def test_what_is_missing() -> None:
    with pytest.raises(Unusable) as refused:
        decode("penalty_given", {"side": "mara", "points": 1})
    assert words_of(refused.value) == "Something is still to be chosen."


def test_each_reason_has_its_words() -> None:
    """And no words stand for a reason that nothing gives."""
    given = {
        call.args[1].value
        for path in PACKAGE.rglob("*.py")
        if "club" not in str(path.relative_to(PACKAGE))  # clubs have no pages yet
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "Cause"
        if isinstance(call.args[1], ast.Constant)
    }
    assert given | {"no_number", "out_of_range"} == set(SAID)


def test_what_no_tap_can_meet_keeps_its_own_words() -> None:
    assert words_of(Unusable("no such thing")) == "no such thing"
