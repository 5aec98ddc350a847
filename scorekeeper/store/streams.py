"""The lines of a stream: sealing new events, reading a sealed log, checking stored lines."""

import json
import re
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Final, NamedTuple

from scorekeeper.base.errors import KeyReusedError, NotALogError, UnusableError, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.log.chain import START, compute_hash, seal
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
    """A stored request with its answer; ``digest`` is the SHA-256 of the request's body."""

    digest: bytes
    version: int
    status: int
    answer: bytes


# ------------------------------------------------------------------------------------- making


def sealed(after: Position, events: Iterable[New], at: str, by: str) -> list[StoredLine]:
    """Return the sealed lines of the events that follow ``after``.

    Raises `UnusableError` if there are no events.
    """
    lines: list[StoredLine] = []
    seq, head = after
    for kind, data in events:
        seq += 1
        sealed_event = seal(head, seq, kind, data, at, by)
        head = sealed_event.hash
        lines.append(StoredLine(sealed_event.line, seq, kind, at, by, head))
    if not lines:
        raise UnusableError("no event to record", field="events")
    return lines


def find_end(lines: Sequence[StoredLine]) -> Position:
    """Return the position of the last of these lines; there must be one."""
    return Position(lines[-1].seq, lines[-1].hash)


def refuse_unfit(after: Position, lines: Sequence[StoredLine], request: Request | None) -> None:
    """Raise an error if lines or a request cannot be stored.

    Raises `ValueError` if the lines were not sealed to follow ``after``, and `UnusableError` if the
    idempotency key of the request is malformed.
    """
    seq, head = after
    for line in lines:
        seq += 1
        unsealed = line.line.replace(b'"hash":"%b",' % line.hash.encode(), b"")
        if line.seq != seq or line.hash != compute_hash(head, unsealed):
            raise ValueError(f"the line of event {line.seq} was not sealed to be event {seq}")
        head = line.hash
    if not lines:
        raise ValueError("there is no line to append")
    if request is not None:
        refuse_key(request.key)


def is_key(text: str) -> bool:
    """Return whether a text has the form of an idempotency key."""
    return _KEY.fullmatch(text) is not None


def refuse_key(key: str) -> None:
    """Raise `UnusableError` if an idempotency key is malformed."""
    if not is_key(key):
        what = f"1 to {LONGEST_KEY} printable ASCII characters"
        raise UnusableError(expected(what, key), field="Idempotency-Key")


def make_done(request: Request, version: int) -> Done:
    """Return a request as it is stored, with the version that it made."""
    return Done(request.digest, version, request.answer.status, request.answer.body)


def answer_repeated(done: Done, digest: bytes) -> Repeated:
    """Return the stored answer to a repeated request whose body has this digest.

    Raises `KeyReusedError` if the first request had another body.
    """
    if done.digest != digest:
        raise KeyReusedError
    return Repeated(done.version, Answer(done.status, done.answer))


# ------------------------------------------------------------------------------------ reading


def read_sealed(lines: Iterable[bytes]) -> list[StoredLine]:
    """Return the lines of a sealed log file, which come with their line feeds.

    Raises `UnusableError` with the line at fault if the file is not intact.
    """
    log = list(lines)
    try:
        verdict = verify(BytesIO(b"".join(log)))
    except NotALogError as error:
        raise UnusableError(str(error), line=1) from None
    if not verdict.ok:
        raise UnusableError(verdict.reason, line=verdict.first_bad_line)
    return [parse_line(line.removesuffix(b"\n")) for line in log]


def parse_line(line: bytes) -> StoredLine:
    """Return a canonical line with the values of its database columns."""
    event: JsonObject = json.loads(line)
    return StoredLine(line, *(event[name] for name in StoredLine._fields[1:]))


# ----------------------------------------------------------------------------------- checking


def check_lines(lines: Sequence[StoredLine], answered: int = 0) -> Verdict:
    """Return the verdict on a stored stream: its bytes, hash chain, columns and length.

    ``answered`` is the highest version in a stored answer: a hash chain alone cannot show that
    its tail was cut.
    """
    log = BytesIO(b"".join(_bytes(stored.line) + b"\n" for stored in lines))
    try:
        verdict = verify(log, count=max(len(lines), answered, 1))
    except NotALogError as error:
        return Verdict(ok=False, events=0, head=START, first_bad_line=1, reason=str(error))
    for before, stored in enumerate(lines[: verdict.events]):
        if parse_line(stored.line) != stored:
            head = lines[before - 1].hash if before else START
            reason = "the columns beside the event differ from it"
            return Verdict(False, before, head, before + 1, reason)  # noqa: FBT003
    return verdict


def _bytes(stored: object) -> bytes:
    """Return a column's value if it is bytes, else empty bytes: SQLite may hold any type."""
    return stored if isinstance(stored, bytes) else b""
