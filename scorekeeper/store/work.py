"""A connection to a database within a transaction, and what is written by it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from sqlalchemy import Executable

from scorekeeper.base.errors import StorageUnavailable
from scorekeeper.store.contract import Key

Values = Mapping[str, Any]


class Work(Protocol):
    """A connection that runs prepared statements."""

    def rows(self, statement: Executable, /, **values: Any) -> list[Any]:
        """All rows of a result."""
        ...

    def change(self, statement: Executable, /, **values: Any) -> int:
        """How many rows were changed."""
        ...

    def fill(self, statement: Executable, rows: Iterable[Values], /) -> None:
        """Insert rows; StorageUnavailable where the database did not take each of them."""
        ...

    def hit(self, **values: Any) -> None:
        """Count one more act in the table of limits."""
        ...

    def lock(self, name: str) -> None:
        """Wait until no other transaction holds this lock, and hold it."""
        ...


def refuse_swallowed(taken: int, rows: Sequence[Values]) -> None:
    """StorageUnavailable where fewer rows were inserted than came, whatever kept them out."""
    if taken != len(rows):
        raise StorageUnavailable(f"the database took {taken} of {len(rows)} rows")


def key_values(key: Key, digest: bytes) -> Values:
    """A row of the table of keys."""
    return {**{name: getattr(key, name) for name in Key.__slots__}, "digest": digest}
