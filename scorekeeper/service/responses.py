"""What clients are told, in JSON."""

import json
from collections.abc import Sequence
from typing import Any, Final

from scorekeeper.base.language import ENGLISH, speaking
from scorekeeper.log import codec
from scorekeeper.log.face_down import mask_lines
from scorekeeper.log.writing import as_json
from scorekeeper.play.prompts import Prompt
from scorekeeper.play.scoring import Finding
from scorekeeper.report.report import report_finding
from scorekeeper.session.session import Session
from scorekeeper.store import Answer, Repeated, StoredLine

CREATED: Final = 201


def recorded(session: Session, lines: Sequence[StoredLine], found: Sequence[Finding]) -> Answer:
    """The answer to an append: where the stream ends, the new events as stored, new findings.

    What lies face down is masked.
    """
    last = lines[-1]
    stored = mask_lines([one.line for one in lines], lines[0].seq - 1, session.hidden)
    body = b'{"version":%d,"head":"%b","events":%b,"findings":%b}' % (
        last.seq, last.hash.encode(), events(list(stored)), findings_told(session, found),
    )  # fmt: skip
    return Answer(CREATED, body)


def findings_told(session: Session, found: Sequence[Finding]) -> bytes:
    """Findings in English: the answer is kept, and given again to whoever repeats the request."""
    if not found:
        return b"[]"
    with speaking(ENGLISH):
        return as_json([report_finding(session, finding) for finding in found])


def club_recorded(lines: Sequence[StoredLine]) -> Answer:
    """The answer to an append to a club: the same, but that a club has no findings."""
    last = lines[-1]
    body = b'{"version":%d,"head":"%b","events":%b}' % (
        last.seq, last.hash.encode(), events([one.line for one in lines]),
    )  # fmt: skip
    return Answer(CREATED, body)


def fits(repeated: Repeated, lines: Sequence[StoredLine]) -> bool:
    """Whether a kept answer is one that ``recorded`` gave of these lines, at its version."""
    last = lines[repeated.version - 1]
    try:
        told = json.loads(repeated.answer.body)
        count = len(told["events"])
        there = [json.loads(one.line) for one in lines[repeated.version - count : last.seq]]
        return (
            repeated.answer.status == CREATED
            and told.keys() | {"findings"} == {"version", "head", "events", "findings"}
            and (told["version"], told["head"]) == (last.seq, last.hash)
            and 0 < count <= last.seq
            and all(
                one in (event, {**event, "data": None})  # or face down
                for one, event in zip(told["events"], there, strict=True)
            )
            and all(isinstance(one["code"], str) for one in told.get("findings", ()))
        )
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return False


def events(lines: Sequence[bytes]) -> bytes:
    """Stored lines as a JSON list: their own bytes."""
    return b"[" + b",".join(lines) + b"]"


def prompt(one: Prompt) -> dict[str, Any]:
    """A prompt: each of its choices is the whole data of the event."""
    told: dict[str, Any] = {
        "type": one.type,
        "player": one.player,
        "levels": list(one.levels),
        "choices": [codec.encode(choice) for choice in one.choices],
    }
    if one.counts is not None:
        told["counts"] = {
            "field": one.counts.field,
            "sides": list(one.counts.sides),
            "totals": list(one.counts.totals),
            "least": dict(one.counts.least),
            "most": dict(one.counts.most),
        }
    return told
