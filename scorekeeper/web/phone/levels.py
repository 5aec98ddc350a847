"""How finely a phone records a table: a cookie for each session keeps it.

The links and codes that a phone hands out name its level, and a phone that comes by one starts
there.
"""

from flask import request
from werkzeug.wrappers import Response

from scorekeeper.http.access import own_key
from scorekeeper.play.prompts import LEVELS, Level
from scorekeeper.store.keyring import is_club
from scorekeeper.web.phone.remembered import A_YEAR, cookie_of, keep


def level_named(said: str | None) -> Level | None:
    """The level of this name, if it is one."""
    return next((one for one in LEVELS if one == said), None)


def kept_level(session_id: str) -> Level | None:
    """The level that was chosen on this phone, if any."""
    return level_named(request.cookies.get(cookie_of("level", session_id)))


def keep_level(answer: Response, session_id: str, level: Level) -> None:
    """Let this phone record a session so finely."""
    keep(answer, cookie_of("level", session_id), level, A_YEAR, path=f"/t/{session_id}")


def requested_level() -> Level | None:
    """The level that a link or a form names, if any."""
    return level_named(request.values.get("level"))


def start_level(answer: Response, session_id: str) -> None:
    """Let a phone that comes to a table start as finely as its link names.

    To be called before it holds the key: one that is there already may have a level of its own.
    """
    level = requested_level()
    if level is not None and not is_club(session_id) and own_key(session_id) is None:
        keep_level(answer, session_id, level)
