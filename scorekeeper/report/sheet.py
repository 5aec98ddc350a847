"""The score sheet: a report laid out as players know it, hands as rows and sides as columns."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.games.game import Game


@dataclass(frozen=True, slots=True)
class Cell:
    """What a side made in a hand, and its running total; None where nothing was scored."""

    points: int | None
    total: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """One hand: its number, who dealt, how it stands, a cell for each side, and who signed."""

    hand: int
    dealer: str
    status: str
    level: str
    cells: Mapping[str, Cell]
    winner: str | None
    signed: tuple[str, ...]
    disputed: bool
    game: int | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """One match: its columns (sides with the names of their players), rows and totals.

    ``winners`` of a match that is over are none where no hand of it counted. ``counts`` says what
    the totals of the match are: ``points``, ``hands`` won or ``games`` won. ``penalties`` are the
    points that no hand made, by side.
    """

    match: int
    game: str
    columns: Mapping[str, str]
    rows: tuple[Row, ...]
    totals: Mapping[str, int]
    status: str
    winners: tuple[str, ...]
    options: Mapping[str, Any]
    penalties: Mapping[str, int]
    games: tuple[Mapping[str, Any], ...] = ()
    counts: str = "points"


def sheets(report: Mapping[str, Any]) -> list[Sheet]:
    """The sheets of a session's report, one for each match."""
    names = {player["id"]: player["name"] for player in report["session"]["players"]}
    return [sheet(match, names) for match in report["matches"]]


def sheet(match: Mapping[str, Any], names: Mapping[str, str]) -> Sheet:
    """The sheet of a match of a report, with the names of its players."""
    columns = {
        side: " & ".join(names[player] for player in players)
        for side, players in match["sides"].items()
    }
    rows = tuple(_rows(match, names))
    made = {side: sum(row.cells[side].points or 0 for row in rows) for side in columns}
    counts = _counts(match, made)
    penalties = {s: match["totals"][s] - made[s] for s in columns} if counts == "points" else {}
    return Sheet(
        match=match["match"],
        game=match["game"],
        columns=columns,
        rows=rows,
        totals=match["totals"],
        status=match["status"],
        winners=sides_that_won(match),
        options=match["options"],
        penalties={side: points for side, points in penalties.items() if points},
        games=tuple(match.get("games", ())),
        counts=counts,
    )


def sides_that_won(match: Mapping[str, Any]) -> tuple[str, ...]:
    """The sides that won a match of a report; none where it ended before a hand of it counted."""
    played = any(hand["status"] == "complete" for hand in match["hands"])
    return tuple(match["winners"]) if played else ()


def _counts(match: Mapping[str, Any], made: Mapping[str, int]) -> str:
    """What the totals of a match count; ``made`` are the points that its hands made."""
    if "games" in match:
        return "games"
    winners = [hand["winner"] for hand in match["hands"]]
    won = {side: winners.count(side) for side in match["sides"]}
    return "hands" if match["totals"] == won != made else "points"


def _rows(match: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[Row]:
    in_game: dict[int, dict[str, int]] = {}  # where games are won, each begins at nothing
    for hand in match["hands"]:
        totals = hand["totals"]
        if "game" in hand:
            totals = in_game.setdefault(hand["game"], dict.fromkeys(match["sides"], 0))
            for side, points in hand["scores"].items():
                totals[side] += points
        scored = hand["status"] == "complete"
        cells = {
            side: Cell(points if scored else None, totals[side] if scored else None)
            for side, points in hand["scores"].items()
        }
        yield Row(
            hand=hand["hand"],
            dealer=names[hand["dealer"]],
            status=hand["status"],
            level=hand["level"],
            cells=cells,
            winner=hand["winner"],
            signed=tuple(names[player] for player in hand["confirmed"]),
            disputed=hand["disputed"],
            game=hand.get("game"),
        )


def changed_options(match: Sheet, game: Game) -> list[str]:
    """The options of a match that differ from their defaults, each with its value."""
    return [
        f"{name} {option_value(value)}" for name, value in game.book.changed(match.options).items()
    ]


def option_value(value: Any) -> str:
    """The value of an option as it is written.

    >>> option_value({"target": 21}), option_value(True), option_value([])
    ('target 21', 'true', 'none')
    """
    if isinstance(value, dict):
        return " ".join(f"{key} {one}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
