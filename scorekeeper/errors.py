"""The errors of the project, one small tree.

    ScorekeeperError
    ├── Unusable        an event or a log that can never be recorded; says what was
    │                   expected and what came, and in a file the line and the field
    ├── NotALog         a file that is no sealed log, where one was asked for
    ├── TooLarge        more than this reader accepts
    ├── UnknownSession  no session has this id
    ├── StaleVersion    the session is at another version than the writer knew
    ├── KeyReused       an idempotency key that came with another body before
    ├── UnusableBackup  a file that cannot be restored, or not without dropping events
    └── StorageUnavailable  the database cannot be read or written just now

``code`` is for programs and never changes; the message is for people.
"""

from typing import ClassVar


class ScorekeeperError(Exception):
    """Whatever this project refuses to do, and why."""

    code: ClassVar[str] = "error"


class Unusable(ScorekeeperError):
    """An event, or a log that holds one, that can never be recorded.

    ``field`` is the path of the field at fault, such as ``data.points.mara``, or empty;
    ``line`` is the line of a file, from 1, where it is known.
    """

    code = "unusable"

    def __init__(self, reason: str, *, field: str = "", line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.field = field
        self.line = line

    def __str__(self) -> str:
        place = [f"line {self.line}"] if self.line is not None else []
        if self.field:
            place.append(f"field {self.field}")
        return ": ".join([", ".join(place), self.reason] if place else [self.reason])


class NotALog(ScorekeeperError):
    """A file that is no sealed log at all, such as one written by hand."""

    code = "not_a_sealed_log"


class TooLarge(ScorekeeperError):
    """A file, or a line of it, that is larger than this reader accepts."""

    code = "too_large"


class UnknownSession(ScorekeeperError):
    """No session has this id."""

    code = "unknown_session"

    def __init__(self, session: str) -> None:
        super().__init__(f'there is no session "{printable(session)}"')


class StaleVersion(ScorekeeperError):
    """The session is not at the version that the writer expected.

    ``version`` and ``head`` are those that it is at.
    """

    code = "stale_version"

    def __init__(self, expected: int, version: int, head: str) -> None:
        super().__init__(f"the session is at version {version}, not {expected}")
        self.version = version
        self.head = head


class KeyReused(ScorekeeperError):
    """An idempotency key that was used in this session before, with another body."""

    code = "idempotency_key_reused"

    def __init__(self) -> None:
        super().__init__("this idempotency key was used before, with another body")


class UnusableBackup(ScorekeeperError):
    """A file that cannot be restored.

    It is damaged, or no backup at all, or has not the events which the database holds.
    """

    code = "unusable_backup"


class StorageUnavailable(ScorekeeperError):
    """The database cannot be read or written just now.

    ``unknown``: whether what was to be written may have been written all the same. To repeat
    it with the same idempotency key is right in either case, and does nothing twice.
    """

    code = "storage_unavailable"

    def __init__(self, reason: str, *, unknown: bool = False) -> None:
        super().__init__(reason)
        self.unknown = unknown


def expected(what: str, came: object) -> str:
    """Say what was expected and what came, in one short sentence.

    >>> expected("a whole number from 0 to 15", "four")
    'expected a whole number from 0 to 15, got "four"'
    """
    return f"expected {what}, got {_shown(came)}"


def printable(text: str) -> str:
    """The beginning of a text as a message can hold it: what upsets a terminal is written out."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:60])


def _shown(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        text = str(value) if abs(value) < 10**30 else "a very large number"
    elif isinstance(value, str):
        text = f'"{printable(value)}"'
    elif isinstance(value, dict):
        text = "an object" if value else "an empty object"
    elif isinstance(value, list | tuple):
        text = "a list" if value else "an empty list"
    else:
        text = str(value)
    return text if len(text) <= 60 else text[:57] + "…" + text[-1]
