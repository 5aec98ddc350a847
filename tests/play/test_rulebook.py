"""Rule books: clauses by their ids, and options with the values that they may have."""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.play.rulebook import (
    COMMON,
    Choice,
    Clause,
    ListOf,
    Number,
    Numbers,
    Option,
    RuleBook,
)

BOOK = RuleBook(
    (Clause("X1", "One.", "source"), Clause("X2", "Two.", "ruling")),
    (
        Option("size", "X1", "How large?", {"small": "so", "large": "or so"}),
        Option("end", "X1", "When?", {"open": "never", Number("target"): "at so many"}),
        Option("more", "X2", "More?", {False: "no", True: "yes"},
               default=lambda options: options["size"] == "large"),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("choice", "accepts", "refuses"),
    [
        (Number("target"), [{"target": 1}, {"target": 1_000_000}],
         [{"target": 0}, {"target": "1"}, {"target": True}, {"hands": 1}, 1,
          {"target": 1, "hands": 1}, None]),
        (Number("hands", low=4, high=12, step=4), [{"hands": 4}, {"hands": 12}],
         [{"hands": 2}, {"hands": 6}, {"hands": 16}]),
        (Number("wins", only=(2, 3)), [{"wins": 2}], [{"wins": 1}, {"wins": 4}]),
        (Number(None, low=4, step=4), [4, 8], [{"hands": 4}, 5, 4.0]),
        (Numbers(low=2, high=5, least=1, most=3, rising=True), [[2], [5], [2, 4, 5]],
         [[], [1], [6], [2, 2], [5, 2], [2, 3, 4, 5], [True], [2.0], 2]),
        (Numbers(low=1, high=3, keys=("a", "b"), least=2, most=2), [{"a": 1, "b": 3}],
         [{"a": 0, "b": 3}, {"a": 1, "b": 4}, {"a": 1}, {"a": 1, "b": 2, "c": 3}, [1, 3]]),
        (ListOf(("one", "two")), [[], ["two"], ("one", "two")],
         [["three"], ["one", "one"], "one", [1]]),
        (True, [True], [1, "true", False]),
        (4, [4], [4.0, "4", True]),
        ("open", ["open"], ["shut", None]),
    ],
)  # fmt: skip
def test_option_accepts_only_sensible_values(
    choice: Choice, accepts: list[Any], refuses: list[Any]
) -> None:
    option = Option("it", "X1", "What?", {choice: "so"})
    assert [value for value in accepts if not option.accepts(value)] == []
    assert [value for value in refuses if option.accepts(value)] == []


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (Number("target"), '{"target": N}'),
        (Number("wins", only=(2, 3)), '{"wins": 2|3}'),
        (Number(None, step=4), "a multiple of 4"),
        (ListOf(("one", "two")), "a list of some of these: one, two"),
        (True, "true"),
    ],
)
def test_expected_values_have_texts(choice: Choice, words: str) -> None:
    assert Option("it", "X1", "What?", {"no": "", choice: ""}).expected == f"no or {words}"


def test_missing_options_have_defaults() -> None:
    assert BOOK.settle(None) == {"size": "small", "end": "open", "more": False}
    assert BOOK.settle({"size": "large"})["more"] is True
    assert BOOK.settle({"size": "large", "more": False})["more"] is False
    assert BOOK.settle({"end": {"target": 5}})["end"] == {"target": 5}


@pytest.mark.parametrize(
    ("options", "field", "words"),
    [
        ({"colour": "red"}, "data.options.colour", "end, more, size"),
        ({"end": {"target": 0}}, "data.options.end", 'open or {"target": N}'),
        ({"size": None}, "data.options.size", "small or large"),
    ],
)
def test_unknown_option_or_value_is_refused_with_its_field(
    options: dict[str, Any], field: str, words: str
) -> None:
    with pytest.raises(UnusableError) as refused:
        BOOK.settle(options)
    assert refused.value.field == field
    assert words in str(refused.value)


def test_a_clause_is_found_by_its_id() -> None:
    assert BOOK.clause("X2").text == "Two."
    with pytest.raises(KeyError, match="X3"):
        BOOK.clause("X3")


def test_the_common_clauses_have_ids_of_their_own() -> None:
    assert len({clause.id for clause in COMMON}) == len(COMMON)
    assert {clause.status for clause in COMMON} <= {"source", "found", "ruling"}
