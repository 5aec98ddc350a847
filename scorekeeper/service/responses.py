"""The answers to clients, in JSON."""

import json
from collections.abc import Sequence
from typing import Final

from scorekeeper.base.language import ENGLISH, speaking
from scorekeeper.base.views import to_json_values
from scorekeeper.log import codec
from scorekeeper.log.face_down import mask_lines
from scorekeeper.log.writing import as_json
from scorekeeper.play.prompts import Prompt
from scorekeeper.play.scoring import Finding
from scorekeeper.report.prompt_views import PromptView
from scorekeeper.report.report import view_finding
from scorekeeper.session.session import Session
from scorekeeper.store import Answer, Repeated, StoredLine

CREATED: Final = 201


def append_answer(
    session: Session, lines: Sequence[StoredLine], new_findings: Sequence[Finding]
) -> Answer:
    """Return the answer to an append: the position, the stored events and the new findings.

    Events that lie face down are masked.
    """
    last = lines[-1]
    stored = mask_lines(
        [stored_line.line for stored_line in lines], lines[0].seq - 1, session.hidden
    )
    body = b'{"version":%d,"head":"%b","events":%b,"findings":%b}' % (
        last.seq, last.hash.encode(), events(list(stored)), findings_json(session, new_findings),
    )  # fmt: skip
    return Answer(CREATED, body)


def findings_json(session: Session, findings: Sequence[Finding]) -> bytes:
    """Return findings as a JSON list, in English: the answer is sent to each repetition."""
    if not findings:
        return b"[]"
    with speaking(ENGLISH):
        return as_json([to_json_values(view_finding(session, finding)) for finding in findings])


# Members of a stored answer that are not read from the log.
BESIDE_THE_EVENTS: Final = frozenset({"findings", "left_open", "left_closed"})


def club_append_answer(lines: Sequence[StoredLine], more: bytes = b"") -> Answer:
    """Return the answer to an append to a club or tournament, which has no findings.

    ``more`` are further members of its JSON, with a comma before each.
    """
    last = lines[-1]
    body = b'{"version":%d,"head":"%b","events":%b%b}' % (
        last.seq, last.hash.encode(), events([stored_line.line for stored_line in lines]), more,
    )  # fmt: skip
    return Answer(CREATED, body)


def matches_log(repeated: Repeated, all_lines: Sequence[StoredLine]) -> bool:
    """Return whether a stored answer to an append agrees with the log.

    ``all_lines`` are those of the log from its first one, at least up to the version of the answer.
    A malformed answer does not agree.
    """
    last = all_lines[repeated.version - 1]
    try:
        answer = json.loads(repeated.answer.body)
        count = len(answer["events"])
        stored = [json.loads(part.line) for part in all_lines[repeated.version - count : last.seq]]
        return (
            repeated.answer.status == CREATED
            and answer.keys() - BESIDE_THE_EVENTS == {"version", "head", "events"}
            and (answer["version"], answer["head"]) == (last.seq, last.hash)
            and 0 < count <= last.seq
            and all(
                answered in (event, {**event, "data": None})  # or face down
                for answered, event in zip(answer["events"], stored, strict=True)
            )
            and all(isinstance(each["code"], str) for each in answer.get("findings", ()))
            and all(
                type(table) is int
                for name in ("left_open", "left_closed")
                for table in answer.get(name, ())
            )
        )
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return False


def events(lines: Sequence[bytes]) -> bytes:
    """Return stored lines as a JSON list, each byte for byte."""
    return b"[" + b",".join(lines) + b"]"


def view_prompt(prompt: Prompt) -> PromptView:
    """Return a prompt for clients; each choice is the complete data of an event."""
    return PromptView(
        type=prompt.type,
        player=prompt.player,
        levels=prompt.levels,
        choices=[codec.encode(choice) for choice in prompt.choices],
        counts=prompt.counts,
    )
