"""The names of players at the last tables of this phone, kept in a cookie for the next table."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlencode

from flask import current_app, request
from werkzeug.wrappers import Response

COOKIE: Final = "players"
COOKIE_SECONDS: Final = 365 * 24 * 3600
MAX_NAMES: Final = 16
MAX_COOKIE_FIELDS: Final = 100
MAX_COOKIE_CHARACTERS: Final = 3000  # browsers keep about 4096 bytes of a cookie


@dataclass(frozen=True, slots=True)
class Remembered:
    """The game and the seats of the last table, and earlier players, the latest first."""

    game: str = ""
    seats: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        fields = [("game", self.game)]
        fields += [("seat", name) for name in self.seats]
        return urlencode(fields + [("name", name) for name in self.names])

    def after(self, game: str, seats: list[str]) -> "Remembered":
        """Return the memory with one more table.

        Names beyond `MAX_NAMES`, or too long for the cookie, are dropped, the oldest first.
        """
        names = tuple(dict.fromkeys([*seats, *self.names]))[:MAX_NAMES]
        memory = Remembered(game, tuple(seats), names)
        while len(str(memory)) > MAX_COOKIE_CHARACTERS and memory.names:
            memory = Remembered(game, memory.seats, memory.names[:-1])
        return memory if len(str(memory)) <= MAX_COOKIE_CHARACTERS else Remembered(game)


def read_remembered() -> Remembered:
    """Return the game, seats and names in this phone's cookie; empty if there is none."""
    by_name: dict[str, list[str]] = {}
    for name, value in read_cookie_fields(COOKIE):
        by_name.setdefault(name, []).append(value)
    game = by_name.get("game", [""])[0]
    return Remembered(game, tuple(by_name.get("seat", ())), tuple(by_name.get("name", ())))


def store_remembered(answer: Response, what: Remembered) -> None:
    """Set the cookie with the game, seats and names for the next table."""
    set_cookie(answer, COOKIE, str(what), COOKIE_SECONDS)


def session_cookie_name(what: str, session_id: str) -> str:
    """Return the name of the cookie that stores `what` for one session."""
    return f"{what}-{session_id[:32]}"


def read_cookie_fields(cookie: str) -> list[tuple[str, str]]:
    """Return the name and value of each field of a cookie.

    It is empty if the cookie is missing or has more fields than this program writes.
    """
    value = request.cookies.get(cookie, "")
    return parse_qsl(value) if value.count("&") < MAX_COOKIE_FIELDS else []


def set_cookie(answer: Response, name: str, value: str, age: int, path: str = "/") -> None:
    """Set a cookie for `age` seconds that scripts cannot read and that other sites do not send."""
    answer.set_cookie(
        name, value, max_age=age, httponly=True, samesite="Lax", path=path,
        secure=current_app.config["SESSION_COOKIE_SECURE"],
    )  # fmt: skip
