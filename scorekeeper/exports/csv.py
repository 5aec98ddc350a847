"""Tables for a spreadsheet (RFC 4180): the results of hands, every line of every score, payments.

Penalties have rows of their own where they were given, so that the points add up to the totals.
A text that a spreadsheet could take for a formula is written with an apostrophe before it; so
what is lossless is the log. Numbers stay numbers. The names of columns and the values of a closed
list are for programs, and the same in every language; sentences are in the reader's.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from scorekeeper.exports import fact_columns
from scorekeeper.exports.evening import Evening, Played
from scorekeeper.exports.fact_columns import FactCell
from scorekeeper.exports.filenames import unturned
from scorekeeper.games.game import Game
from scorekeeper.languages.money import to_major_units
from scorekeeper.languages.reader import PROGRAM, Reader
from scorekeeper.report.explain import PENALTIES
from scorekeeper.report.payments import Payment
from scorekeeper.report.settlement import purses, settlements
from scorekeeper.report.sheet import HandRow, PenaltyRow, Sheet
from scorekeeper.session.matches import MatchRecord

CsvCell = str | int | Decimal | None
Coded = CsvCell | FactCell  # a cell of a table which some read in words, and programs in codes

KEPT: Final = 4096  # texts that were looked at, which mostly come again
BOM: Final = "\ufeff"  # by which spreadsheets know that it is UTF-8
LINES: Final = ("match", "game", "hand", "side", "players", "points", "rule", "text", "events")
PAYMENTS: Final = (
    "settles", "match", "game", "counts", "currency", "from", "from_name", "to", "to_name",
    "amount", "provisional", "date", "session", "title",
)  # fmt: skip
# What a formula begins with, in full width, too: at the beginning of a cell, or after what some
# spreadsheets take for the end of one.
FORMULA: Final = re.compile(r"(^|[,;|\t\r\n])(?=[=+\-@\t\r\n\0＝＋－＠])")  # noqa: RUF001


def results(evening: Evening) -> bytes:
    """One row for each side of each hand: what it scored in it, and the totals after it.

    A penalty has one for each side that it changed: of the status ``penalty``, with its reason.
    """
    return written(result_columns(evening), result_rows(evening), evening.reader)


def result_columns(evening: Evening) -> tuple[str, ...]:
    """The columns of the results: those of every table, and the facts of the games played."""
    return fact_columns.columns(games_of(evening))


def games_of(evening: Evening) -> list[Game]:
    """The games of the matches of an evening."""
    return [match.game for match in evening.session.structure.matches]


def result_rows(evening: Evening) -> Sequence[tuple[Coded, ...]]:
    """The rows of the results."""
    return evening.once(_result_rows)


def _result_rows(evening: Evening) -> list[tuple[Coded, ...]]:
    columns = result_columns(evening)
    return [tuple(map(row.get, columns)) for row in _results(evening)]


def _results(evening: Evening) -> Iterator[dict[str, Coded]]:
    """The rows of the results, each by its columns; what has no say in a row is not in it."""
    names, about = names_of(evening.report), _about(evening)
    for match, played in zip(evening.report["matches"], evening.matches, strict=True):
        record = evening.session.structure.matches[match["match"] - 1]
        told = [dict(fact_columns.cells(hand, record.names)) for hand in record.hands]
        totals = dict.fromkeys(match["sides"], 0)
        for step in played.sheet.steps:
            _go_on(totals, match, played.sheet, step)
            for side, members in match["sides"].items():
                if isinstance(step, HandRow) or step.cells[side].points is not None:
                    yield {
                        "match": match["match"], "game": match["game"], "hand": step.hand or None,
                        "side": side, "players": listed(members, names), "total": totals[side],
                        **about, **_of_game(record, played.sheet, step),
                        **_of_step(match, step, side),
                        **(_of_hand(played, step, told, side) if isinstance(step, HandRow) else {}),
                    }  # fmt: skip


def _about(evening: Evening) -> dict[str, CsvCell]:
    """Of which evening a row is."""
    began = evening.began and evening.reader.to_local_time(evening.began)
    when = began.date().isoformat() if began else None
    return {"date": when, "session": evening.id, "title": evening.about["title"]}


def _of_game(match: MatchRecord, sheet: Sheet, step: HandRow | PenaltyRow) -> dict[str, CsvCell]:
    """What is played to: the target of a match, or of one of its games by its name."""
    game = sheet.game_of(step)
    if game:
        return {"game_of_match": game["name"], "target": game["target"]}
    goal = match.game.goal(match.options)
    return {"target": goal.figure if goal and goal.counts != "hands" else None}


def _of_hand(
    played: Played, row: HandRow, told: Sequence[Mapping[str, Mapping[str, FactCell]]], side: str
) -> dict[str, Coded]:
    """The facts of a hand, and whether the table could not agree on it."""
    known = told[row.hand - 1][side]
    unresolved = int(row.hand in played.unresolved)
    return {"unresolved": unresolved, **known}


def _go_on(
    totals: dict[str, int], match: Mapping[str, Any], sheet: Sheet, step: HandRow | PenaltyRow
) -> None:
    """Bring the totals of a match to those after a step."""
    if sheet.counts == "points":
        cells = step.cells.items()
        totals.update({side: cell.total for side, cell in cells if cell.total is not None})
    elif isinstance(step, HandRow):
        totals.update(match["hands"][step.hand - 1]["totals"])


def _of_step(match: Mapping[str, Any], step: HandRow | PenaltyRow, side: str) -> dict[str, CsvCell]:
    """What only the row of a hand has, or only that of a penalty."""
    if isinstance(step, PenaltyRow):
        return {"status": "penalty", "score": step.cells[side].points, "reason": step.reason}
    hand = match["hands"][step.hand - 1]
    return {
        "dealer": step.dealer, "status": step.status, "level": step.level,
        "score": hand["scores"][side], "taken": (hand["taken"] or {}).get(side),
        "winner": step.winner, "confirmed": ", ".join(step.signed), "disputed": int(step.disputed),
    }  # fmt: skip


def lines(evening: Evening) -> bytes:
    """One row for each line of each score: the points, the clause, why, and the events."""
    return written(LINES, line_rows(evening), evening.reader)


def line_rows(evening: Evening) -> Iterator[tuple[CsvCell, ...]]:
    """The rows of the lines; a penalty is a line, too, for each side that it changed."""
    names = names_of(evening.report)
    for match, played in zip(evening.report["matches"], evening.matches, strict=True):
        for step in played.sheet.steps:
            for side, *line in _lines_of(match, step):
                players = listed(match["sides"][side], names)
                yield (match["match"], match["game"], step.hand or None, side, players, *line)


def _lines_of(match: Mapping[str, Any], step: HandRow | PenaltyRow) -> Iterator[tuple[Any, ...]]:
    """Side, points, clause, why and the events of each line of a step."""
    if isinstance(step, PenaltyRow):
        for side, cell in step.cells.items():
            if cell.points is not None:
                yield side, cell.points, PENALTIES, step.reason, str(step.seq)
        return
    for line in match["hands"][step.hand - 1]["lines"]:
        events = " ".join(map(str, line["events"]))
        yield line["side"], line["points"], line["rule"], line["text"], events


def payments(evening: Evening) -> bytes:
    """One row for each payment: who pays whom how much, match by match, then for the evening.

    The payments of an evening stand for those of its matches in that currency: they are fewer, and
    only one of the two is paid. Money is in units of its currency; else ``counts`` says of what.
    """
    return written(PAYMENTS, payment_rows(evening), evening.reader)


def payment_rows(evening: Evening) -> Iterator[tuple[CsvCell, ...]]:
    """The rows of the payments."""
    for row in _payments(evening):
        yield tuple(row.get(column) for column in PAYMENTS)


def _payments(evening: Evening) -> Iterator[dict[str, CsvCell]]:
    found, about = settlements(evening.session, evening.report), _about(evening)
    for one in found:
        game = evening.session.structure.matches[one.match - 1].game.id
        of_match = {**about, "settles": "match", "match": one.match, "game": game,
                    "provisional": int(bool(one.doubts))}  # fmt: skip
        currency = one.stake.currency if one.stake else ""
        for payment in one.payments:
            yield {**of_match, "counts": one.counts, **_paid(evening, payment, currency)}
    for purse in purses(found):
        of_purse = {**about, "settles": "evening", "provisional": int(purse.provisional)}
        for payment in purse.payments:
            yield {**of_purse, **_paid(evening, payment, purse.currency)}


def _paid(evening: Evening, payment: Payment, currency: str) -> dict[str, CsvCell]:
    """Who pays whom, and how much: in units of a currency, or else points."""
    names = evening.session.structure.players
    paid: dict[str, CsvCell] = {
        "from": payment.payer, "from_name": names[payment.payer], "to": payment.to,
        "to_name": names[payment.to], "amount": payment.amount,
    }  # fmt: skip
    if currency:
        paid |= {"counts": "money", "currency": currency}
        paid["amount"] = to_major_units(payment.amount, currency)
    return paid


def names_of(report: Mapping[str, Any]) -> dict[str, str]:
    """The names of the players by id."""
    return {player["id"]: player["name"] for player in report["session"]["players"]}


def listed(players: Iterable[str], names: Mapping[str, str]) -> str:
    """The names of some players."""
    return ", ".join(names[player] for player in players)


def written(
    head: tuple[str, ...], rows: Iterable[tuple[Coded, ...]], reader: Reader = PROGRAM
) -> bytes:
    """A table as a file, parted and with decimals as who reads it asked for."""
    text = io.StringIO(BOM, newline="")
    text.seek(0, io.SEEK_END)
    writer = csv.writer(text, delimiter=reader.separator)
    writer.writerow(head)
    writer.writerows([harmless(cell, reader) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8")


def harmless(cell: Coded, reader: Reader = PROGRAM) -> CsvCell:
    """A cell that no spreadsheet takes for a formula, unless it is a number."""
    if isinstance(cell, FactCell):
        cell = cell.code
    if isinstance(cell, str):
        return _harmless(cell)
    return reader.format_number(cell) if isinstance(cell, Decimal) else cell


@lru_cache(KEPT)
def _harmless(text: str) -> str:
    return FORMULA.sub(r"\1'", unturned(text))
