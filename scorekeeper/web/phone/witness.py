"""What a phone remembers of a log: where it ended when its pages were seen last.

Each head holds all that came before it, so one that is remembered shows whether the log was cut
or rewritten since.
"""

import re
from dataclasses import dataclass
from typing import Final

from flask import Response, g, request, url_for

from scorekeeper.http.extensions import service
from scorekeeper.store import Position
from scorekeeper.web.phone.links import outside
from scorekeeper.web.phone.remembered import A_YEAR, cookie_of, keep

REMEMBERED: Final = re.compile(r"([1-9][0-9]{0,15})\.([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Testimony:
    """A version and head that somebody remembers, and whether the log still has them."""

    version: int
    head: str
    holds: bool


def own_testimony(session_id: str) -> Testimony | None:
    """What this phone saw last, if it has been here before."""
    found = REMEMBERED.fullmatch(request.cookies.get(cookie_of("seen", session_id), ""))
    return testimony(session_id, *found.groups()) if found else None


def testimony(session_id: str, version: str, head: str) -> Testimony | None:
    """Whether the log contains a version and head; None where they are no such thing."""
    head = re.sub(r"\s", "", head).lower()
    if not REMEMBERED.fullmatch(f"{version.strip()}.{head}"):
        return None
    number = int(version)
    return Testimony(number, head, service().store.hash_at(session_id, number) == head)


def remember(answer: Response) -> Response:
    """Let this phone remember where the log ends; what it saw otherwise is not forgotten."""
    session = (request.view_args or {}).get("session_id")
    if session is None or request.method != "GET" or answer.status_code != 200:
        return answer
    mine = own_testimony(session)
    if mine is None or mine.holds:
        end = g.get("read_until") or service().store.position(session)
        said = f"{end.version}.{end.head}"
        keep(answer, cookie_of("seen", session), said, A_YEAR, path=f"/t/{session}")
    return answer


def witness_url(session_id: str, end: Position) -> str:
    """The address that tells another phone what was seen, and asks whether it is still so."""
    return outside(
        url_for("auditing.page", session_id=session_id, version=end.version, head=end.head)
    )
