"""The last log head that a phone has seen.

Each head covers all entries before it, so a remembered head shows whether the log was cut or
rewritten since.
"""

import re
from dataclasses import dataclass
from typing import Final

from flask import Response, g, request, url_for

from scorekeeper.http.extensions import service
from scorekeeper.store import Position
from scorekeeper.web.phone.links import absolute_url
from scorekeeper.web.phone.remembered import COOKIE_SECONDS, session_cookie_name, set_cookie

REMEMBERED: Final = re.compile(r"([1-9][0-9]{0,15})\.([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Testimony:
    """A remembered version and head, and whether the log still contains them."""

    version: int
    head: str
    holds: bool


def own_testimony(session_id: str) -> Testimony | None:
    """Compare the log head in this phone's cookie with the log; None without a valid cookie."""
    match = REMEMBERED.fullmatch(request.cookies.get(session_cookie_name("seen", session_id), ""))
    return check_testimony(session_id, *match.groups()) if match else None


def check_testimony(session_id: str, version: str, head: str) -> Testimony | None:
    """Compare a version and head with the log; None if they are malformed.

    A viewer who reads the log through a club, up to a position, learns nothing of later events:
    None also for these.
    """
    head = re.sub(r"\s", "", head).lower()
    if not REMEMBERED.fullmatch(f"{version.strip()}.{head}"):
        return None
    number, end = int(version), g.get("read_until")
    if end is not None and number > end.version:
        return None
    return Testimony(number, head, service().has_head(session_id, number, head))


def remember_head(answer: Response) -> Response:
    """Store the end of the log in a cookie after a page was shown.

    A stored head that the log no longer contains stays, so that the change remains visible.
    """
    session = (request.view_args or {}).get("session_id")
    if session is None or request.method != "GET" or answer.status_code != 200:
        return answer
    mine = own_testimony(session)
    if mine is None or mine.holds:
        end = g.get("read_until") or service().end(session)
        value = f"{end.version}.{end.head}"
        set_cookie(
            answer,
            session_cookie_name("seen", session),
            value,
            COOKIE_SECONDS,
            path=f"/t/{session}",
        )
    return answer


def witness_url(session_id: str, end: Position) -> str:
    """Return the address at which another phone compares this version and head with the log."""
    return absolute_url(
        url_for("auditing.page", session_id=session_id, version=end.version, head=end.head)
    )
