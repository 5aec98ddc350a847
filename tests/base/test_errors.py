from typing import Any

import pytest

from scorekeeper.base.errors import (
    NotALogError,
    ScorekeeperError,
    TooLargeError,
    UnusableError,
    expected,
)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (UnusableError("no such card"), "no such card"),
        (UnusableError("no such card", field="data.card"), "field data.card: no such card"),
        (UnusableError("not JSON", line=3), "line 3: not JSON"),
        (UnusableError("why", field="data", line=3), "line 3, field data: why"),
    ],
)
def test_error_names_line_and_field(error: UnusableError, text: str) -> None:
    assert str(error) == text


def test_every_error_has_its_own_code() -> None:
    codes = [error.code for error in (ScorekeeperError, UnusableError, NotALogError, TooLargeError)]
    assert codes == ["error", "unusable", "not_a_sealed_log", "too_large"]
    assert all(
        issubclass(error, ScorekeeperError)
        for error in (UnusableError, NotALogError, TooLargeError)
    )


@pytest.mark.parametrize(
    ("came", "shown"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (7, "7"),
        (-3, "-3"),
        (10**40, "a very large number"),
        ("leo", '"leo"'),
        ("", '""'),
        ("Zoë", '"Zoë"'),
        ({}, "an empty object"),
        ({"a": 1}, "an object"),
        ([], "an empty list"),
        ([1], "a list"),
        ((), "an empty list"),
        ("x" * 100, '"' + "x" * 56 + '…"'),
    ],
)
def test_refused_value_is_shown_like_json(came: Any, shown: str) -> None:
    assert expected("a card", came) == f"expected a card, got {shown}"


@pytest.mark.parametrize(
    ("came", "shown"),
    [
        ("\x1b[2J", r'"\x1b[2J"'),
        ("a\nb\r", r'"a\nb\r"'),
        ("\ud800", r'"\ud800"'),
        ("\u202egnp", r'"\u202egnp"'),
        ("\x00", r'"\x00"'),
    ],
)
def test_control_characters_are_escaped_in_messages(came: str, shown: str) -> None:
    assert expected("a card", came) == f"expected a card, got {shown}"
