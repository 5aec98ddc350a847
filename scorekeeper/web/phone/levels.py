"""The level of detail at which a phone records a table; kept in a cookie for each session.

The links and codes that a phone hands out name its level, and a phone that opens one starts there.
"""

from flask import request
from werkzeug.wrappers import Response

from scorekeeper.http.access import own_key
from scorekeeper.play.prompts import LEVELS, Level
from scorekeeper.store.keyring import is_session
from scorekeeper.web.phone.remembered import COOKIE_SECONDS, session_cookie_name, set_cookie


def level_named(name: str | None) -> Level | None:
    """Return the level with this name; None if there is none."""
    return next((level for level in LEVELS if level == name), None)


def kept_level(session_id: str) -> Level | None:
    """Return the level of detail that this phone chose for a session; None if it chose none."""
    return level_named(request.cookies.get(session_cookie_name("level", session_id)))


def keep_level(answer: Response, session_id: str, level: Level) -> None:
    """Set the cookie with the level at which this phone records a session."""
    set_cookie(
        answer,
        session_cookie_name("level", session_id),
        level,
        COOKIE_SECONDS,
        path=f"/t/{session_id}",
    )


def requested_level() -> Level | None:
    """Return the level that a link or a form names, if any."""
    return level_named(request.values.get("level"))


def set_level_from_link(answer: Response, session_id: str) -> None:
    """Set the phone's level to that of the link it joins by.

    A phone that already holds a key to the session keeps its level; clubs have none.
    """
    level = requested_level()
    if level is not None and is_session(session_id) and own_key(session_id) is None:
        keep_level(answer, session_id, level)
