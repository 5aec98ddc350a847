"""``exports.columns``: columns are wide enough, and rows have enough lines, for their texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.exports.columns import (
    BLANK_WIDTH,
    EXTRA_WIDTH,
    MAX_WIDTH,
    MIN_WIDTH,
    count_lines,
    measure_columns,
    width_in_digits,
)


def test_width_is_that_of_the_longest_cell_within_bounds() -> None:
    rows: list[list[object]] = [
        ["a", "twelve chars", None],
        ["b" * 99, 7, "日本日本"],
        ["a line of its own, and long"],
    ]
    assert list(measure_columns([row for row in rows if len(row) > 1])) == [MAX_WIDTH, 15, 11]
    assert list(measure_columns([["a", ""]])) == [MIN_WIDTH, MIN_WIDTH]


@pytest.mark.parametrize("text", ["71 of 61: made; the bidder 2 × 1", "日本 2", "👨‍👩‍👧"])
def test_wide_letters_count_more_and_blanks_half(text: str) -> None:
    packed, blanks = text.replace(" ", ""), text.count(" ")
    assert width_in_digits(text) == width_in_digits(packed) + BLANK_WIDTH * blanks
    assert width_in_digits("日") == 2
    assert width_in_digits("Ww") == 2 * (1 + EXTRA_WIDTH)


@given(st.text("ab 日1", max_size=200), st.integers(2, 40))
def test_lines_are_enough_for_the_words(text: str, width: int) -> None:
    """Text is wrapped between words, and within words that are wider than a line."""
    lines = [0.0]
    for word in text.split():
        if lines[-1] and lines[-1] + BLANK_WIDTH + width_in_digits(word) > width:
            lines.append(0)
        lines[-1] += (BLANK_WIDTH if lines[-1] else 0) + width_in_digits(word)
        while lines[-1] > width:
            lines.append(lines[-1] - width)
            lines[-2] = width
    assert count_lines(text, width) >= (1 if width_in_digits(text) <= width else len(lines))
