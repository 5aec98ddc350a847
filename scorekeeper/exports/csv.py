"""Tables for a spreadsheet (RFC 4180): the results of hands, and every line of every score.

A text that a spreadsheet could take for a formula is written with an apostrophe before it; so
what is lossless is the log. Numbers stay numbers.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

Cell = str | int | None

BOM: Final = "\ufeff"  # by which spreadsheets know that it is UTF-8
RESULTS: Final = (
    "match", "game", "hand", "dealer", "status", "level", "side", "players", "score", "taken",
    "total", "winner", "confirmed", "disputed",
)  # fmt: skip
LINES: Final = ("match", "game", "hand", "side", "players", "points", "rule", "text", "events")
# What a formula begins with, in full width, too: at the beginning of a cell, or after what some
# spreadsheets take for the end of one.
FORMULA: Final = re.compile(r"(^|[,;|\t\r\n])(?=[=+\-@\t\r\n\0＝＋－＠])")  # noqa: RUF001


def results(report: Mapping[str, Any]) -> bytes:
    """One row for each side of each hand: what it scored in it, and the totals after it."""
    return written(RESULTS, result_rows(report))


def result_rows(report: Mapping[str, Any]) -> Iterator[tuple[Cell, ...]]:
    """The rows of the results."""
    names = names_of(report)
    for match in report["matches"]:
        for hand in match["hands"]:
            for side, members in match["sides"].items():
                yield (
                    match["match"], match["game"], hand["hand"], names[hand["dealer"]],
                    hand["status"], hand["level"], side, listed(members, names),
                    hand["scores"][side], (hand["taken"] or {}).get(side), hand["totals"][side],
                    hand["winner"], listed(hand["confirmed"], names), int(hand["disputed"]),
                )  # fmt: skip


def lines(report: Mapping[str, Any]) -> bytes:
    """One row for each line of each score: the points, the clause, why, and the events."""
    return written(LINES, line_rows(report))


def line_rows(report: Mapping[str, Any]) -> Iterator[tuple[Cell, ...]]:
    """The rows of the lines."""
    names = names_of(report)
    for match in report["matches"]:
        for hand in match["hands"]:
            for line in hand["lines"]:
                yield (
                    match["match"], match["game"], hand["hand"], line["side"],
                    listed(match["sides"][line["side"]], names), line["points"], line["rule"],
                    line["text"], " ".join(map(str, line["events"])),
                )  # fmt: skip


def names_of(report: Mapping[str, Any]) -> dict[str, str]:
    """The names of the players by id."""
    return {player["id"]: player["name"] for player in report["session"]["players"]}


def listed(players: Iterable[str], names: Mapping[str, str]) -> str:
    """The names of some players."""
    return ", ".join(names[player] for player in players)


def written(head: tuple[str, ...], rows: Iterable[tuple[Cell, ...]]) -> bytes:
    """A table as a file."""
    text = io.StringIO(BOM, newline="")
    text.seek(0, io.SEEK_END)
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([harmless(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8")


def harmless(cell: Cell) -> Cell:
    """A cell that no spreadsheet takes for a formula, unless it is a number."""
    return FORMULA.sub(r"\1'", cell) if isinstance(cell, str) else cell
