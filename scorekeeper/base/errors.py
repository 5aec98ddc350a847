"""The exceptions of the project, one small tree.

    ScorekeeperError
    ├── UnusableError            an event or log that can never be recorded; names its field
    │   └── NotInstalledError    a match of a game, or of rules of it, that is not installed here
    ├── IrregularError           events that break a rule, and were not marked as played so
    ├── NoQuorumError            a correction that too few of the players have signed
    ├── ConfirmedHandError       a change, by no correction, of a hand that all sides confirmed
    ├── MissingKeyError          the request has no key to the session
    │   └── InvalidKeyError      the key of the request opens nothing, or nothing any more
    ├── ForbiddenError           the key of the request does not allow this
    ├── CrossSiteError           a request that a page of another site caused
    ├── RateLimitError           more requests than are allowed in some time
    ├── SessionFullError         a session that has as many events, or bytes, as one may have
    ├── NotALogError             a file that is no sealed log, where one was expected
    ├── TooLargeError            more than this reader accepts
    ├── UnknownSessionError      no session has this id
    │   ├── UnknownClubError     no club has this id
    │   ├── UnknownTournamentError  no tournament has this id
    │   └── DeletedStreamError   the operator deleted this session, club or tournament
    ├── UnknownKeyError          the session has no key with this id
    ├── SeatTakenError           a seat that another phone has taken
    ├── LastKeyError             the only key that is left to a session's host
    ├── StaleVersionError        the session is at another version than the writer expected
    ├── KeyReusedError           an idempotency key that was used with another body
    ├── UnusableBackupError      a file that cannot be restored, or not without losing events
    ├── StorageUnavailableError  the database cannot be read or written just now
    ├── NoStreamCapacityError    the server sends as many live updates as it may
    ├── BusyError                too many threads wait or compute for long, or one waited too long
    ├── OverBudgetError          a computation that takes more time or memory than one may
    └── NotReadyError            the service cannot work as it is configured; ``reasons`` say why

``code`` is for programs and never changes; the message is for people.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self


class ScorekeeperError(Exception):
    """Base of all errors by which this project refuses something; its text is the reason."""

    code: ClassVar[str] = "error"


class Cause(str):
    """The reason why something is unusable: an English sentence, and data for other wordings.

    A translation is found by ``why``, a code that never changes, and filled with ``facts``.

    >>> cause = Cause("expected at most 15 in all, got 16", "too_many_in_all", got=16)
    >>> cause.why, cause.facts
    ('too_many_in_all', {'got': 16})
    """

    __slots__ = ("facts", "why")
    why: str
    facts: Mapping[str, object]

    def __reduce__(self) -> tuple[object, ...]:
        return _cause, (str(self), self.why, dict(self.facts))

    def __new__(cls, words: str, why: str, **facts: object) -> Self:
        cause = super().__new__(cls, words)
        cause.why, cause.facts = why, facts
        return cause


def why_of(error: BaseException) -> str:
    """Return the code of an error's cause; empty if its reason has none."""
    reason = error.args[0] if error.args else ""
    return reason.why if isinstance(reason, Cause) else ""


def _cause(words: str, why: str, facts: Mapping[str, object]) -> Cause:
    """Return a cause that was pickled in another process."""
    return Cause(words, why, **facts)


class UnusableError(ScorekeeperError):
    """An event, or a log that holds one, that can never be recorded.

    ``field`` is the path of the field at fault, such as ``data.points.mara``, or empty; ``line`` is
    the line of a file, from 1, if it is known. ``culprit`` is the seq of the event at fault, if it
    is not the last one.
    """

    code = "unusable"

    def __init__(
        self, reason: str, *, field: str = "", line: int | None = None, culprit: int | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.field = field
        self.line = line
        self.culprit = culprit

    def __str__(self) -> str:
        place = [f"line {self.line}"] if self.line is not None else []
        if self.field:
            place.append(f"field {self.field}")
        return ": ".join([", ".join(place), self.reason] if place else [self.reason])


class NotInstalledError(UnusableError):
    """A match of a game, or of a version of its rules, that is not installed here, or fails.

    Its reason is a :class:`Cause` with the id of the ``game``.
    """


class IrregularError(ScorekeeperError):
    """Events that are possible at a table but break a rule; the client asks, and then repeats them.

    ``findings`` are views of those that they would add; they are declared above this package.
    """

    code = "irregular"

    def __init__(self, findings: Sequence[Any]) -> None:
        super().__init__("; ".join(f"{finding.message} ({finding.rule})" for finding in findings))
        self.findings = list(findings)


class NoQuorumError(ScorekeeperError):
    """A ruling by a correction that too few players signed, or by another one than they signed."""

    code = "no_quorum"


class ConfirmedHandError(ScorekeeperError):
    """A change, other than a correction, of a hand that every side has confirmed.

    ``match`` and ``hand`` are the numbers of that hand.
    """

    code = "confirmed"

    def __init__(self, match: int, hand: int) -> None:
        words = (
            f"every side has confirmed hand {hand} of match {match}, and this would change it: "
            "dispute the hand and propose a correction, or let the host correct it"
        )
        super().__init__(Cause(words, "confirmed", match=match, hand=hand))
        self.match = match
        self.hand = hand


class MissingKeyError(ScorekeeperError):
    """The request has no key to the session."""

    code = "no_key"


class InvalidKeyError(MissingKeyError):
    """The key of the request opens nothing: it is revoked, expired, or never existed."""


class ForbiddenError(ScorekeeperError):
    """The key of the request does not allow this."""

    code = "forbidden"


class CrossSiteError(ScorekeeperError):
    """A request that a page of another site made a browser send."""

    code = "cross_site"


class RateLimitError(ScorekeeperError):
    """More requests than are allowed; the next one is allowed after ``seconds``."""

    code = "too_often"

    def __init__(self, reason: str, seconds: int) -> None:
        super().__init__(reason)
        self.seconds = seconds


class SessionFullError(ScorekeeperError):
    """A session with the largest allowed number of events or bytes."""

    code = "session_full"


class NotALogError(ScorekeeperError):
    """A file that is no sealed log, such as one written by hand."""

    code = "not_a_sealed_log"


class TooLargeError(ScorekeeperError):
    """A file, or a line of it, that is larger than this reader accepts."""

    code = "too_large"


class UnknownSessionError(ScorekeeperError):
    """No session has this id."""

    code = "unknown_session"

    def __init__(self, session_id: str) -> None:
        super().__init__(f'there is no session "{printable(session_id)}"')


class UnknownClubError(UnknownSessionError):
    """No club has this id."""

    code = "unknown_club"

    def __init__(self, club_id: str) -> None:
        ScorekeeperError.__init__(self, f'there is no club "{printable(club_id)}"')


class UnknownTournamentError(UnknownSessionError):
    """No tournament has this id."""

    code = "unknown_tournament"

    def __init__(self, tournament_id: str) -> None:
        ScorekeeperError.__init__(self, f'there is no tournament "{printable(tournament_id)}"')


class DeletedStreamError(UnknownSessionError):
    """The operator deleted the stream with this id. ``at`` is the time, as in a log."""

    code = "deleted"

    def __init__(self, stream_id: str, at: str) -> None:
        ScorekeeperError.__init__(
            self, f"{printable(stream_id)} was deleted by the operator on {at[:10]}"
        )
        self.at = at


class UnknownKeyError(ScorekeeperError):
    """The session has no key with this id."""

    code = "unknown_key"

    def __init__(self, key_id: str) -> None:
        super().__init__(f'the session has no key "{printable(key_id)}"')


class SeatTakenError(ScorekeeperError):
    """Another phone has taken this seat."""

    code = "seat_taken"


class LastKeyError(ScorekeeperError):
    """The last key of a session's host, which cannot be revoked."""

    code = "last_key"


class StaleVersionError(ScorekeeperError):
    """The session is not at the version that the writer expected.

    ``version`` and ``head`` are its present ones.
    """

    code = "stale_version"

    def __init__(self, expected: int, version: int, head: str) -> None:
        super().__init__(f"the session is at version {version}, not {expected}")
        self.version = version
        self.head = head


class StaleTableError(StaleVersionError):
    """A session that was to be changed together with its tournament has gone on meanwhile."""


class KeyReusedError(ScorekeeperError):
    """An idempotency key that was used in this session before with another body."""

    code = "idempotency_key_reused"

    def __init__(self) -> None:
        super().__init__("this idempotency key was used before, with another body")


class UnusableBackupError(ScorekeeperError):
    """A file that cannot be restored.

    It is damaged, is no backup, or lacks events that the database has.
    """

    code = "unusable_backup"

    def __init__(self, reason: str) -> None:
        super().__init__("".join(c if c.isprintable() else " " for c in reason))


class StorageUnavailableError(ScorekeeperError):
    """The database cannot be read or written at present.

    ``unknown`` is whether the data may have been written all the same. The client can safely repeat
    the request with the same idempotency key in either case.
    """

    code = "storage_unavailable"

    def __init__(self, reason: str, *, unknown: bool = False) -> None:
        super().__init__(reason)
        self.unknown = unknown


class NoStreamCapacityError(ScorekeeperError):
    """All threads for live updates are in use."""

    code = "no_room"


class BusyError(ScorekeeperError):
    """Too many threads wait for long work, or this one waited for too long.

    The client may try again after ``seconds``. The error also ends work that nobody waits for any
    more, and reads during the restoring of a backup.
    """

    code = "busy"
    seconds = 3


class OverBudgetError(ScorekeeperError):
    """A computation that takes more time or memory than one answer may."""

    code = "over_budget"


class NotReadyError(ScorekeeperError):
    """The service cannot work as configured, or not at present; ``reasons`` lists the causes."""

    code = "not_ready"

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = list(reasons)


def expected(what: str, came: object, why: str = "expected", **facts: object) -> Cause:
    """Return the cause "expected ``what``, got ``came``", with the refused value as a fact ``got``.

    ``what`` is an English phrase, ``why`` the code of the cause, ``facts`` are its other facts.

    >>> cause = expected("a whole number from 0 to 15", "four", "out_of_range", low=0, high=15)
    >>> print(cause)
    expected a whole number from 0 to 15, got "four"
    >>> cause.facts
    {'low': 0, 'high': 15, 'got': '"four"'}
    """
    return Cause(f"expected {what}, got {shown(came)}", why, **{**facts, "got": shown(came)})


def printable(text: str) -> str:
    """Return the first 60 characters of a text, with unprintable ones escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:60])


def shown(value: object) -> str:
    """Return a JSON value as a message shows it, in at most 60 characters."""
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
