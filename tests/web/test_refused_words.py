"""Why something cannot be recorded: each message that a tap can meet has its words."""

import pytest

from scorekeeper.counts import refuse_count
from scorekeeper.errors import Unusable, expected
from scorekeeper.kinds import Whole
from scorekeeper.web.wording.refused import SAID, in_words
from tests.api.asking import client_of


def words_of(error: Unusable) -> str:
    with client_of().application.test_request_context():
        return in_words(error)


@pytest.mark.parametrize(
    ("given", "total", "told"),
    [
        ({"A": 101}, 100, "That makes 101 already, and there are only 100 in all."),
        ({}, 100, "The count is not whole yet."),
        ({"A": 60}, None, "The count is not whole yet."),
    ],
)
def test_a_count(given: dict[str, int], total: int | None, told: str) -> None:
    with pytest.raises(Unusable) as refused:
        refuse_count("data.points", given, ("A", "B"), total)
    assert words_of(refused.value) == told


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (Whole(0, 15), "A number from 0 to 15 goes here, not 16."),
        (Whole(0), "A number goes here, not 16."),
        (Whole(), "A number goes here, not 16."),
    ],
)
def test_a_number(kind: Whole, told: str) -> None:
    assert words_of(Unusable(expected(kind.expected, 16))) == told
    assert words_of(Unusable(expected(kind.expected, "16"))) == told


def test_what_no_tap_can_meet_keeps_its_own_words() -> None:
    assert words_of(Unusable("no such thing")) == "no such thing"
    assert not any(pattern.fullmatch("no such thing") for pattern, _ in SAID)
