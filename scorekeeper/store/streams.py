"""The lines of a stream: made from events, read from a sealed log, checked as stored."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from typing import Any, Final, NamedTuple

from scorekeeper.base.errors import KeyReusedError, NotALogError, UnusableError, expected
from scorekeeper.log.chain import START, link, seal
from scorekeeper.log.reading import Verdict, verify
from scorekeeper.store.contract import (
    LONGEST_KEY,
    Answer,
    New,
    Position,
    Repeated,
    Request,
    StoredLine,
)

BEGINNING: Final = Position(0, START)
_KEY = re.compile(rf"[\x20-\x7e]{{1,{LONGEST_KEY}}}")


class Done(NamedTuple):
    """A request as stored."""

    digest: bytes
    version: int
    status: int
    answer: bytes


# ------------------------------------------------------------------------------------- making


def sealed(after: Position, events: Iterable[New], at: str, by: str) -> list[StoredLine]:
    """The lines of these events, where they come next.

    Raises `UnusableError` if there are none.
    """
    lines: list[StoredLine] = []
    seq, head = after
    for kind, data in events:
        seq += 1
        made = seal(head, seq, kind, data, at, by)
        head = made.hash
        lines.append(StoredLine(made.line, seq, kind, at, by, head))
    if not lines:
        raise UnusableError("no event to record", field="events")
    return lines


def end(lines: Sequence[StoredLine]) -> Position:
    """Where a stream ends that ends with these lines."""
    return Position(lines[-1].seq, lines[-1].hash)


def refuse_unfit(after: Position, lines: Sequence[StoredLine], request: Request | None) -> None:
    """ValueError where lines are not the next ones.

    Raises `UnusableError` if a request cannot be kept.
    """
    seq, head = after
    for one in lines:
        seq += 1
        unsealed = one.line.replace(b'"hash":"%b",' % one.hash.encode(), b"")
        if one.seq != seq or one.hash != link(head, unsealed):
            raise ValueError(f"the line of event {one.seq} was not sealed to be event {seq}")
        head = one.hash
    if not lines:
        raise ValueError("no line to put on record")
    if request is not None:
        refuse_key(request.key)


def is_key(text: str) -> bool:
    """Whether this can be an idempotency key, kept as it is."""
    return _KEY.fullmatch(text) is not None


def refuse_key(key: str) -> None:
    """Unusable where an idempotency key cannot be kept as it is."""
    if not is_key(key):
        what = f"1 to {LONGEST_KEY} printable ASCII characters"
        raise UnusableError(expected(what, key), field="Idempotency-Key")


def done(request: Request, version: int) -> Done:
    """What is stored of a request, and of the version that it made."""
    return Done(request.digest, version, request.answer.status, request.answer.body)


def repeated(done: Done, digest: bytes) -> Repeated:
    """What is told to a request that came before.

    Raises `KeyReusedError` if it has another body.
    """
    if done.digest != digest:
        raise KeyReusedError
    return Repeated(done.version, Answer(done.status, done.answer))


# ------------------------------------------------------------------------------------ reading


def read_sealed(lines: Iterable[bytes]) -> list[StoredLine]:
    """The lines of a sealed log file.

    Raises `UnusableError` with the line at fault, where it is not intact.
    """
    whole = list(lines)
    try:
        verdict = verify(BytesIO(b"".join(whole)))
    except NotALogError as error:
        raise UnusableError(str(error), line=1) from None
    if not verdict.ok:
        raise UnusableError(verdict.reason, line=verdict.first_bad_line)
    return [line_of(one.removesuffix(b"\n")) for one in whole]


def line_of(line: bytes) -> StoredLine:
    """A canonical line with the columns that belong to it."""
    event: Mapping[str, Any] = json.loads(line)
    return StoredLine(line, *(event[name] for name in StoredLine._fields[1:]))


# ----------------------------------------------------------------------------------- checking


def checked(lines: list[StoredLine], answered: int = 0) -> Verdict:
    """The verdict on a stream as stored: bytes, chain, columns, and its end.

    ``answered`` is the highest version that a stored answer tells of: a chain alone cannot show
    that its tail was cut.
    """
    whole = BytesIO(b"".join(_bytes(one.line) + b"\n" for one in lines))
    try:
        verdict = verify(whole, count=max(len(lines), answered, 1))
    except NotALogError as error:
        return Verdict(ok=False, events=0, head=START, first_bad_line=1, reason=str(error))
    for before, one in enumerate(lines[: verdict.events]):
        if line_of(one.line) != one:
            head = lines[before - 1].hash if before else START
            reason = "the columns beside the event do not say what it says"
            return Verdict(False, before, head, before + 1, reason)  # noqa: FBT003
    return verdict


def _bytes(stored: object) -> bytes:
    """What stands where bytes should: SQLite would keep a text there, too."""
    return stored if isinstance(stored, bytes) else b""
