"""Log files: reading a sealed log or one written by hand, and verifying a sealed one.

A *sealed* log is byte for byte what a store wrote: canonical lines, each with all six fields,
chained by their hashes. A log *by hand* has only ``type`` and ``data`` on a line.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, BinaryIO, Final

from scorekeeper.base.errors import (
    Cause,
    NotALogError,
    TooLargeError,
    UnusableError,
    expected,
    printable,
)
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.events.fields import PLAYER_ID
from scorekeeper.log import canonical
from scorekeeper.log.chain import SEALED_FIELDS, START, compute_hash
from scorekeeper.play.scoring import Finding, Text, Word

MAX_LINE_BYTES: Final = 1 << 20  # bytes; the longest that any event needs is a tenth of it
MAX_FILE_BYTES: Final = 64 << 20  # when scoring; a verification reads files of any size
MAX_SEARCH_BYTES: Final = 64 << 20  # for a line with a hash, if the first lines have none

# The cause for an event that is masked because its cards lie face down: its hash cannot be checked.
FACE_DOWN: Final = Cause(
    "it lay face down when the log was taken: take it again once the hand is over", "face_down"
)

_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_BY = re.compile(PLAYER_ID)
_HASH_IN_LINE = re.compile(rb'"hash"\s*:')
_SEALED_START: Final = b'{"at":"'
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class RawEvent:
    """An event of a log line whose data is not decoded yet."""

    line: int
    seq: int
    type: str
    data: Any
    at: str = ""
    by: str = ""
    hash: str = ""

    @classmethod
    def stored(cls, line: bytes) -> "RawEvent":
        """Return the event of a line from a store."""
        event = canonical.decode(line)
        return cls(line=event["seq"], **event)


@dataclass(frozen=True, slots=True)
class Verdict(DeclaredView):
    """The verdict on a sealed log."""

    ok: bool = declare("true if the log is intact")
    events: int = declare("the number of intact events", minimum=0)
    head: str = declare("the hash of the last intact event; empty if there is none")
    first_bad_line: int | None = declare("the number of the first damaged line", default=None)
    reason: str = declare("the problem in words; empty if there is none", default="")


def split_lines(
    stream: BinaryIO, largest: int | None = MAX_FILE_BYTES
) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file with their numbers from 1, each with its line feed.

    Raises `TooLargeError` if a line or the file is too long.
    """
    size = 0
    for number in range(1, 1 << 62):
        line = stream.readline(MAX_LINE_BYTES + 1)
        size += len(line)
        if len(line) > MAX_LINE_BYTES:
            raise TooLargeError(f"line {number}: longer than {MAX_LINE_BYTES} bytes")
        if largest is not None and size > largest:
            raise TooLargeError(f"larger than {largest >> 20} MiB")
        if not line:
            return
        yield number, line


# ----------------------------------------------------------------------------------- sealed


class DamagedLogError(Exception):  # raised and caught within this package
    """A line that is not what a store would have written after the line before it."""


def read_envelope(line: bytes) -> JsonObject:
    """Return the six fields of a sealed line.

    Raises `UnusableError` if the line has others, lacks one, or a field has a wrong form.
    """
    value = canonical.decode(line)
    if type(value) is not dict:
        raise UnusableError(expected("an object", value, "no_object"))
    for name in SEALED_FIELDS:
        if name not in value:
            raise UnusableError(Cause("missing in a sealed log", "missing_in_sealed"), field=name)
    for name in value:
        if name not in SEALED_FIELDS:
            known = ", ".join(SEALED_FIELDS)
            cause = expected(f"one of {known}", name, "unknown_field", known=known)
            raise UnusableError(cause, field=printable(name))
    _refuse_envelope(value)
    return value


def _refuse_envelope(value: JsonObject) -> None:
    """Raise `UnusableError` if a field of a sealed line has the wrong type or form."""
    if type(value["seq"]) is not int or value["seq"] < 1:
        raise UnusableError(
            expected("a whole number from 1 on", value["seq"], "no_number"), field="seq"
        )
    if type(value["type"]) is not str:
        raise UnusableError(expected("a text", value["type"], "no_text"), field="type")
    if value["data"] is None:
        raise UnusableError(FACE_DOWN, field="data")
    if type(value["data"]) is not dict:
        raise UnusableError(expected("an object", value["data"], "no_object"), field="data")
    if type(value["hash"]) is not str:
        raise UnusableError(expected("a text", value["hash"], "no_text"), field="hash")
    if type(value["at"]) is not str:
        raise UnusableError(expected("a text", value["at"], "no_text"), field="at")
    if type(value["by"]) is not str or not is_author(value["by"][:64]):
        cause = expected("a player's id, keeper or import", value["by"], "unknown_author")
        raise UnusableError(cause, field="by")


@lru_cache(maxsize=1000)  # a log has few authors; asked with short texts only
def is_author(text: str) -> bool:
    """Return whether a text has the form of an author: a player's id, keeper or import."""
    return _BY.fullmatch(text) is not None


def is_time(text: str) -> bool:
    """Return whether a text is a time in the form of a log: UTC, with milliseconds."""
    if not _AT.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def refuse_damage(line: bytes, value: JsonObject, previous: str) -> None:
    """Raise `DamagedLogError` if a line is not canonical, or does not continue the chain.

    ``value`` is the decoded line, ``previous`` the hash of the line before it.
    """
    if not line.endswith(b"\n"):
        raise DamagedLogError("the line does not end in a line feed")
    if not is_time(value["at"]):
        time = expected("a time such as 2026-11-21T20:14:03.250Z", value["at"])
        raise DamagedLogError(f"field at: {time}")
    head = canonical.encode({"at": value["at"], "by": value["by"], "data": value["data"]})[:-1]
    tail = canonical.encode({"seq": value["seq"], "type": value["type"]})[1:]
    whole = head + b',"hash":"' + value["hash"].encode("utf-8", "replace") + b'",' + tail
    if line[:-1] != whole or canonical.normalize_line(line, value) != value:
        raise DamagedLogError("the line is not in canonical form")
    if compute_hash(previous, head + b"," + tail) != value["hash"]:
        raise DamagedLogError("the hash does not fit the event and the hash before it")


def verify(stream: BinaryIO, head: str | None = None, count: int | None = None) -> Verdict:
    """Verify that a sealed log is intact, and ends where it should; return the verdict.

    ``head`` and ``count`` are the last hash and the number of events as remembered by the caller: a
    chain alone cannot show that its end was cut. Reads a file of any size in little memory. Raises
    `NotALogError` if the file is no sealed log.
    """
    previous, events, at_head, searched = START, 0, 0, 0
    bad: tuple[int, str] | None = None
    sealed = False
    pieces = iter(
        lambda: stream.readline(MAX_LINE_BYTES + 1), b""
    )  # lines, as far as they are good
    for number, line in enumerate(pieces, start=1):
        sealed = sealed or _looks_sealed(number, line)
        if bad is None:
            try:
                previous = _verify_line(line, previous, events + 1)
                events += 1
                at_head = events if previous == head else at_head
            except (DamagedLogError, UnusableError) as error:
                bad = number, str(error)
        if bad and sealed:
            return Verdict(ok=False, events=events, head=previous,
                           first_bad_line=bad[0], reason=bad[1])  # fmt: skip
        if bad and (searched := searched + len(line)) > MAX_SEARCH_BYTES:
            break
    if not sealed and (bad or (head is None and count is None)):
        raise NotALogError(
            "not a sealed log: no line has a hash" if bad else "not a sealed log: it is empty"
        )
    return _check_end(Verdict(ok=True, events=events, head=previous),
                                 head, count, at_head)  # fmt: skip


def _check_end(whole: Verdict, head: str | None, count: int | None, at_head: int) -> Verdict:
    """Return the verdict on an intact chain.

    ``at_head`` is the number of events at the remembered head; 0 if no event has it.
    """
    if count is not None and whole.events != count:
        line = min(whole.events, count) + 1
        reason = f"{whole.events} events, and there were {count}"
    elif head is not None and head != whole.head:
        line = at_head + 1 if at_head else whole.events + (count is None)
        reason = "the last hash is not the one that was remembered"
    else:
        return whole
    return replace(whole, ok=False, first_bad_line=max(line, 1), reason=reason)


def _verify_line(line: bytes, previous: str, seq: int) -> str:
    """Return the hash of a sealed line that continues the chain with this seq.

    Raises `DamagedLogError` or `UnusableError` if it does not.
    """
    if len(line) > MAX_LINE_BYTES:
        raise DamagedLogError(f"the line is longer than {MAX_LINE_BYTES} bytes")
    value = read_envelope(line)
    if value["seq"] != seq:
        raise DamagedLogError(f"seq {value['seq']} where {seq} is due")
    refuse_damage(line, value, previous)
    return str(value["hash"])


def _looks_sealed(number: int, line: bytes) -> bool:
    """Return whether a line has a hash, or is the first and begins as a sealed one."""
    start = line[: len(_SEALED_START)]
    begins = number == 1 and start == _SEALED_START[: len(start)]
    return begins or _HASH_IN_LINE.search(line) is not None


# ----------------------------------------------------------------------------------- scoring


@dataclass
class LogFile:
    """A log file that is being read: its events one by one, and the damage found so far."""

    stream: BinaryIO
    largest: int | None = MAX_FILE_BYTES
    sealed: bool = False
    damage: list[Finding] = field(default_factory=list)
    head: str = START
    _seq: int = 0

    def __iter__(self) -> Iterator[RawEvent]:
        """Yield the events in the order of the file.

        Raises `UnusableError` with its line if a line has no event.
        """
        first = True
        for number, line in split_lines(self.stream, self.largest):
            if not line.strip():
                self._note_blank(number)
                continue
            try:
                if first:
                    line = self._read_first(number, line)  # noqa: PLW2901  # without a byte order mark
                yield (
                    self._read_sealed(number, line)
                    if self.sealed
                    else self._read_by_hand(number, line, first=first)
                )
            except UnusableError as error:
                error.line = error.line or number
                raise
            first = False
        if first:
            words = "no event in it: a log begins with session_opened"
            raise UnusableError(Cause(words, "empty_log"), line=1)

    def _read_first(self, number: int, line: bytes) -> bytes:
        """Note whether the log is sealed, by its first event; return the line without its mark.

        A byte order mark or a blank line before a sealed log is noted as damage.
        """
        bare = line.removeprefix(_BOM)
        value = canonical.decode(bare)
        self.sealed = type(value) is dict and "hash" in value
        if self.sealed and bare != line:
            self._note("a byte order mark comes before it", "chain_broken", 1)
        if self.sealed and number > 1:
            self._note("a blank line comes before it", "chain_broken", 1)
        return bare

    def _note_blank(self, number: int) -> None:
        """Note the damage if a blank line stands in a sealed log."""
        if self.sealed:
            self._note("a blank line comes after it", "chain_broken", self._seq, number)

    def _note(self, damage: str, code: str, seq: int, line: int | None = None) -> None:
        """Add a finding that the event with this seq is damaged."""
        word = Word("damage", damage)
        text = Text("Event {seq}: {damage}", seq=seq, damage=word)
        if line is not None:
            text = Text("Event {seq}: {damage} (line {line})", seq=seq, damage=word, line=line)
        self._add(code, seq, text)

    def _add(self, code: str, seq: int, text: Text) -> None:
        """Add a finding, unless the last one has the same code and event."""
        rule = {"seq_gap": "L1", "chain_broken": "L2"}[code]
        last = self.damage[-1] if self.damage else None
        if last is None or (last.code, last.events) != (code, (seq,)):
            self.damage.append(Finding(code, rule, text, (seq,)))

    def _read_sealed(self, number: int, line: bytes) -> RawEvent:
        """Return the event of a sealed line; a gap or a broken chain is noted as damage.

        Raises `UnusableError` if the line has no event.
        """
        value = read_envelope(line)
        seq = value["seq"]
        if seq != self._seq + 1:
            due = "Event {seq}: event {due} is due here (line {line})"
            self._add("seq_gap", seq, Text(due, seq=seq, due=self._seq + 1, line=number))
        try:
            refuse_damage(line, value, self.head)
        except DamagedLogError as error:
            self._note(str(error), "chain_broken", seq, number)
        self.head, self._seq = value["hash"], seq
        data = canonical.normalize_line(line, value["data"])
        return RawEvent(number, seq, value["type"], data, value["at"], value["by"], value["hash"])

    def _read_by_hand(self, number: int, line: bytes, *, first: bool) -> RawEvent:
        """Return the event of a line written by hand, with the next seq.

        Raises `UnusableError` if the line has no event, or has other fields than type and data.
        """
        value = canonical.decode(line)
        if type(value) is not dict:
            raise UnusableError(expected('an object with "type" and "data"', value, "no_event"))
        if not first and "hash" in value:
            words = "this line has a hash, but the lines before have none"
            raise UnusableError(Cause(words, "sealed_too_late"), field="hash")
        for name in value:
            if name not in ("type", "data"):
                words = (
                    'unknown field; a line by hand has "type" and "data", and a sealed one all of '
                    + ", ".join(SEALED_FIELDS)
                )
                cause = Cause(words, "unknown_field", known="type, data")
                raise UnusableError(cause, field=printable(name))
        if type(value.get("type")) is not str:
            cause = expected("the type of an event", value.get("type"), "no_type")
            raise UnusableError(cause, field="type")
        self._seq += 1
        data = canonical.normalize_line(line, value.get("data", {}))
        return RawEvent(number, self._seq, value["type"], data)


def collect_events(log: Iterable[RawEvent], events: list[RawEvent]) -> Iterator[RawEvent]:
    """Yield the events of a log, and also append them to a list."""
    for raw in log:
        events.append(raw)
        yield raw
