"""Who sat at the last tables of this phone: a cookie keeps their names, for the next table."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlencode

from flask import current_app, request
from werkzeug.wrappers import Response

COOKIE: Final = "players"
A_YEAR: Final = 365 * 24 * 3600  # seconds
MOST: Final = 16  # names
MOST_FIELDS: Final = 100  # of a cookie
LONGEST: Final = 3000  # characters of a cookie; browsers keep about 4096 bytes of one


@dataclass(frozen=True, slots=True)
class Remembered:
    """The game and the seats of the last table, and whoever sat at one, the latest first."""

    game: str = ""
    seats: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = [("game", self.game)]
        said += [("seat", name) for name in self.seats]
        return urlencode(said + [("name", name) for name in self.names])

    def after(self, game: str, seats: list[str]) -> "Remembered":
        """The same after one more table; whoever was there longest ago is forgotten first."""
        names = tuple(dict.fromkeys([*seats, *self.names]))[:MOST]
        found = Remembered(game, tuple(seats), names)
        while len(str(found)) > LONGEST and found.names:
            found = Remembered(game, found.seats, found.names[:-1])
        return found if len(str(found)) <= LONGEST else Remembered(game)


def remembered() -> Remembered:
    """What this phone remembers."""
    by_name: dict[str, list[str]] = {}
    for name, value in fields_of(COOKIE):
        by_name.setdefault(name, []).append(value)
    game = by_name.get("game", [""])[0]
    return Remembered(game, tuple(by_name.get("seat", ())), tuple(by_name.get("name", ())))


def remember(answer: Response, what: Remembered) -> None:
    """Let this phone remember."""
    keep(answer, COOKIE, str(what), A_YEAR)


def cookie_of(what: str, session_id: str) -> str:
    """The cookie that holds something of one session."""
    return f"{what}-{session_id[:32]}"


def fields_of(cookie: str) -> list[tuple[str, str]]:
    """The fields of a cookie that came; none where it has more than we ever wrote."""
    said = request.cookies.get(cookie, "")
    return parse_qsl(said) if said.count("&") < MOST_FIELDS else []


def keep(answer: Response, name: str, value: str, age: int, path: str = "/") -> None:
    """Set a cookie that no script reads, and that other sites' pages do not send."""
    answer.set_cookie(
        name, value, max_age=age, httponly=True, samesite="Lax", path=path,
        secure=current_app.config["SESSION_COOKIE_SECURE"],
    )  # fmt: skip
