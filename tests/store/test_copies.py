"""``store.copies``: values of a copied database that do not have the type of their column."""

from typing import Any

import pytest
from sqlalchemy import Column, Integer, LargeBinary, String

from scorekeeper.store.copies import explain_wrong_value
from scorekeeper.store.tables import TIME_CHARACTERS

NUMBER: Column[Any] = Column("version", Integer, nullable=False)
DIGEST: Column[Any] = Column("digest", LargeBinary, nullable=False)
NAME: Column[Any] = Column("name", String(5), nullable=False)
MAYBE: Column[Any] = Column("revoked", String(TIME_CHARACTERS), nullable=True)


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        (NUMBER, 7, None),
        (NUMBER, "7", "a whole number"),
        (NUMBER, 7.5, "a whole number"),
        (NUMBER, None, "a whole number"),
        (DIGEST, b"x", None),
        (DIGEST, "x", "bytes"),
        (DIGEST, None, "bytes"),
        (NAME, "Mara", None),
        (NAME, None, "a text"),
        (NAME, "Marina", "at most 5 printable characters"),
        (NAME, "M\n", "at most 5 printable characters"),
        (MAYBE, None, None),
        (MAYBE, "2026-11-20T20:00:00.000Z", None),
        (MAYBE, "2026-11-20T20:00:00.000", "a time"),
    ],
)
def test_value_of_the_wrong_type_is_described(
    column: Column[Any], value: object, expected: str | None
) -> None:
    problem = explain_wrong_value(column, value)
    if expected is None:
        assert problem is None
    else:
        assert problem is not None
        assert f"expected {expected}" in problem
