"""What clients are told, in JSON."""

import json
from collections.abc import Sequence
from typing import Any, Final

from scorekeeper.log import codec
from scorekeeper.prompts import Prompt
from scorekeeper.replay.report import tell_finding
from scorekeeper.replay.session import Session
from scorekeeper.scoring import Finding
from scorekeeper.store import Answer, Line
from scorekeeper.tongue import ENGLISH, speaking

CREATED: Final = 201

# In the order in which the report has its members: sides stand in that of the seats.
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


def as_json(value: Any) -> bytes:
    """A plain value as JSON."""
    return _encode(value).encode("utf-8")


def recorded(session: Session, lines: Sequence[Line], found: Sequence[Finding]) -> Answer:
    """The answer to an append: where the stream ends, the new events as stored, new findings."""
    last = lines[-1]
    with speaking(ENGLISH):  # the answer is kept, and given again to whoever repeats the request
        findings = [tell_finding(session, finding) for finding in found]
    body = b'{"version":%d,"head":"%b","events":%b,"findings":%b}' % (
        last.seq, last.hash.encode(), events([one.line for one in lines]), as_json(findings),
    )  # fmt: skip
    return Answer(CREATED, body)


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
