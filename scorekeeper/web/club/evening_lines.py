"""The evenings of a club as its pages list them: the day, who won, and where they open."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple
from zoneinfo import ZoneInfo

from flask_babel import format_date

from scorekeeper.clubs.books import Books
from scorekeeper.clubs.figures import Attended
from scorekeeper.clubs.season import day_of, in_order
from scorekeeper.games import GAMES


class EveningLine(NamedTuple):
    """An evening in a list; ``day`` as ISO has it, empty where no time is known.

    ``won`` are, match by match, the game and the names of who won it; ``open`` is whether a match
    of it may still change. ``corrected`` is the day of its last correction, empty where that is
    the day on which it ended. ``followed`` is whether the club reads what is recorded from now on.
    """

    session_id: str
    day: str
    title: str
    names: tuple[str, ...]
    won: tuple[tuple[str, tuple[str, ...]], ...]
    open: bool
    corrected: str
    followed: bool = True


def line_of(
    one: Attended, names: dict[str, str], zone: ZoneInfo, *, followed: bool = True
) -> EveningLine:
    """An evening as it is listed."""
    evening, called = one.evening, names_at(one, names)
    played = [match for match in evening.matches if match.hands]
    corrected = day_of(evening.corrected, zone)
    return EveningLine(
        evening.session_id, day_of(evening.began, zone), evening.title, tuple(called.values()),
        tuple(
            (game_name(match.game),
             tuple(called[player] for side in match.winners for player in match.sides[side]))
            for match in played
        ),
        any(match.open for match in played),
        corrected if corrected != day_of(evening.ended, zone) else "",
        followed,
    )  # fmt: skip


def names_at(one: Attended, names: dict[str, str]) -> dict[str, str]:
    """What each player of an evening is called: a member as today, a guest as he was then."""
    return {
        player: names.get(one.whose.get(player) or "", name)
        for player, name in one.evening.names.items()
    }


def evening_lines(books: Books) -> list[EveningLine]:
    """The evenings of a club, the last one first."""
    names, there = books.names, in_order(books.attended())
    return [
        line_of(one, names, books.zone, followed=one.evening.session_id not in books.stopped)
        for one in reversed(there)
    ]


def titles(books: Books) -> dict[str, tuple[str, str]]:
    """The day and the title of each evening, by its id; also of those of a closed season alone."""
    every = (*books.then.values(), *books.evenings.values())
    return {one.session_id: (day_of(one.began, books.zone), one.title) for one in every}


def by_month(lines: Iterable[EveningLine]) -> dict[str, list[EveningLine]]:
    """The evenings by month, which is empty for those of which no day is known."""
    found: dict[str, list[EveningLine]] = {}
    for one in lines:
        found.setdefault(one.day[:7], []).append(one)
    return found


def game_name(game: str) -> str:
    """What a game is called, also one that is not installed."""
    return GAMES[game].name if game in GAMES else game


def day(iso: str) -> str:
    """A day of ISO as the reader writes it; empty for none."""
    return str(format_date(date.fromisoformat(iso), "d MMM y")) if iso else ""


def month(iso: str) -> str:
    """A month of ISO as the reader writes it; empty for none."""
    return str(format_date(date.fromisoformat(f"{iso}-01"), "LLLL y")) if iso else ""
