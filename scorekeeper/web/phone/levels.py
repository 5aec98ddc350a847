"""How finely a phone records a table: a cookie for each session keeps it."""

from flask import request
from werkzeug.wrappers import Response

from scorekeeper.prompts import LEVELS, Level
from scorekeeper.web.phone.remembered import A_YEAR, keep


def level_cookie(session: str) -> str:
    """The name of the cookie for a session."""
    return f"level-{session[:32]}"


def level_named(said: str | None) -> Level | None:
    """The level of this name, if it is one."""
    return next((one for one in LEVELS if one == said), None)


def kept_level(session: str) -> Level | None:
    """The level that was chosen on this phone, if any."""
    return level_named(request.cookies.get(level_cookie(session)))


def keep_level(answer: Response, session: str, level: Level) -> None:
    """Let this phone record a session so finely."""
    keep(answer, level_cookie(session), level, A_YEAR, path=f"/t/{session}")
