"""CSV tables (RFC 4180): the results of hands, every line of every score, and payments.

Penalties have rows of their own, at their place, so that the points add up to the totals. A text
that a spreadsheet could take for a formula is prefixed with an apostrophe, so only the log is
lossless. The names of columns and the values of closed lists are for programs and the same in
every language; sentences are in the reader's language.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final

from scorekeeper.base.parts import ExactPoints, as_cell
from scorekeeper.exports import fact_columns
from scorekeeper.exports.evening import Evening, MatchInExport
from scorekeeper.exports.fact_columns import FactCell
from scorekeeper.exports.filenames import strip_bidi
from scorekeeper.games.game import Game
from scorekeeper.languages.money import to_major_units
from scorekeeper.languages.reader import PROGRAM, Reader
from scorekeeper.report.explain import PENALTIES
from scorekeeper.report.settlement import get_counted_unit, settle_matches
from scorekeeper.report.sheet import HandRow, PenaltyRow, Sheet, SheetStep
from scorekeeper.report.views import MatchView, PaymentView, ReportView
from scorekeeper.session.matches import MatchRecord

CsvCell = str | int | Decimal | None
Coded = CsvCell | FactCell  # a cell that is shown as a code to programs and in words to people

CACHED_TEXTS: Final = 4096  # most texts are repeated
BOM: Final = "\ufeff"  # by which spreadsheets recognize UTF-8
LINES: Final = ("match", "game", "hand", "side", "players", "points", "rule", "text", "events")
PAYMENTS: Final = (
    "settles", "match", "game", "counts", "currency", "from", "from_name", "to", "to_name",
    "amount", "provisional", "date", "session", "title",
)  # fmt: skip
# The beginnings of formulas, also in full width: at the start of a cell, after blanks and invisible
# characters too, or after a character that some spreadsheets take for the end of a cell.
FORMULA: Final = re.compile(
    r"(^(?=[\s\0\u00ad\u180e\u200b-\u200f\u2060-\u206f\ufeff]*[=+\-@\t\r\n\0＝＋－＠])"  # noqa: RUF001
    r"|[,;|\t\r\n](?=[=+\-@\t\r\n\0＝＋－＠]))"  # noqa: RUF001
)


def results_csv(evening: Evening) -> bytes:
    """Return a CSV table with a row for each side of each hand: points, and the total after it.

    A penalty has a row for each side that it changed, with the status `penalty` and its reason.
    """
    return write_csv(result_columns(evening), result_rows(evening), evening.reader)


def result_columns(evening: Evening) -> tuple[str, ...]:
    """Return the columns of the results: the common ones, and the facts of the games played."""
    return fact_columns.columns_with_facts(games_played(evening))


def games_played(evening: Evening) -> list[Game]:
    """Return the games of the matches of a session."""
    return [match.game for match in evening.session.structure.matches]


def result_rows(evening: Evening) -> Sequence[tuple[Coded, ...]]:
    """Return the rows of the results, with a cell for each of `result_columns`; cached."""
    return evening.cached(_result_rows)


def _result_rows(evening: Evening) -> list[tuple[Coded, ...]]:
    """Return the rows of the results with a cell for each column; None for a missing one."""
    columns = result_columns(evening)
    return [tuple(map(row.get, columns)) for row in _result_cells(evening)]


def _result_cells(evening: Evening) -> Iterator[dict[str, Coded]]:
    """Yield the rows of the results, each as a mapping from the columns that it has."""
    names, about = player_names(evening.report), make_session_cells(evening)
    for match, played in zip(evening.report.matches, evening.matches, strict=True):
        record = evening.session.structure.matches[match.match - 1]
        facts = [dict(fact_columns.fact_cells_by_side(hand, record.names)) for hand in record.hands]
        totals: dict[str, ExactPoints] = dict.fromkeys(match.sides, 0)
        for step in played.sheet.steps:
            _update_totals(totals, match, played.sheet, step)
            for side, members in match.sides.items():
                if isinstance(step, HandRow) or step.cells[side].points is not None:
                    yield {
                        "match": match.match, "game": match.game, "side": side,
                        "players": join_names(members, names), "total": as_cell(totals[side]),
                        **about, **_make_target_cells(record, played.sheet, step),
                        **_make_step_cells(played, match, step, side),
                        **(facts[step.hand - 1][side] if isinstance(step, HandRow) else {}),
                    }  # fmt: skip


def make_session_cells(evening: Evening) -> dict[str, CsvCell]:
    """Return the cells that identify the session of a row."""
    return {
        "date": evening.day.isoformat() if evening.day else None,
        "session": evening.id,
        "title": evening.about.title,
    }


def _make_target_cells(match: MatchRecord, sheet: Sheet, step: SheetStep) -> dict[str, CsvCell]:
    """Return the cells with the target of a match, or of the game in it that a step belongs to.

    The target is None if the match ends after a number of hands.
    """
    game = sheet.game_of(step)
    if game:
        return {"game_of_match": game.name, "target": game.target}
    goal = match.game.goal(match.options)
    return {"target": goal.figure if goal and goal.counts != "hands" else None}


def make_hand_cells(played: MatchInExport, row: HandRow) -> dict[str, CsvCell]:
    """Return the cells about a hand that do not depend on a side."""
    return {
        "hand": row.hand, "dealer": row.dealer, "status": row.status, "level": row.level,
        "winner": row.winner, "confirmed": ", ".join(row.signed), "disputed": int(row.disputed),
        "unresolved": int(row.hand in played.unresolved),
    }  # fmt: skip


def _update_totals(
    totals: dict[str, ExactPoints], match: MatchView, sheet: Sheet, step: SheetStep
) -> None:
    """Update the totals of a match to those after a step."""
    if sheet.counts == "points":
        cells = step.cells.items()
        totals.update({side: cell.total for side, cell in cells if cell.total is not None})
    elif isinstance(step, HandRow):
        totals.update(match.hands[step.hand - 1].totals)


def _make_step_cells(
    played: MatchInExport, match: MatchView, step: SheetStep, side: str
) -> dict[str, CsvCell]:
    """Return the cells of a side in a hand or a penalty, without facts."""
    if isinstance(step, PenaltyRow):
        points = step.cells[side].points
        score = None if points is None else as_cell(points)
        return {"hand": step.hand or None, "status": "penalty", "score": score,
                "reason": step.reason}  # fmt: skip
    hand = match.hands[step.hand - 1]
    points = (hand.taken or {}).get(side)
    taken = None if points is None else as_cell(points)
    return {**make_hand_cells(played, step), "score": as_cell(hand.scores[side]), "taken": taken}


def lines_csv(evening: Evening) -> bytes:
    """Return a CSV table with a row for each score line: points, clause, reason and events."""
    return write_csv(LINES, line_rows(evening), evening.reader)


def line_rows(evening: Evening) -> Iterator[tuple[CsvCell, ...]]:
    """Yield the rows of the lines; a penalty has a line for each side that it changed."""
    names = player_names(evening.report)
    for match, played in zip(evening.report.matches, evening.matches, strict=True):
        for step in played.sheet.steps:
            for side, line in _lines_of_step(match, step):
                players = join_names(match.sides[side], names)
                yield (match.match, match.game, step.hand or None, side, players, *line)


def _lines_of_step(match: MatchView, step: SheetStep) -> Iterator[tuple[str, tuple[CsvCell, ...]]]:
    """Yield the side of each line of a step, with its points, clause, reason and events."""
    if isinstance(step, PenaltyRow):
        for side, cell in step.cells.items():
            if cell.points is not None:
                yield side, (as_cell(cell.points), PENALTIES, step.reason, str(step.seq))
        return
    for line in match.hands[step.hand - 1].lines:
        events = " ".join(map(str, line.events))
        yield line.side, (as_cell(line.points), line.rule, line.text, events)


def payments_csv(evening: Evening) -> bytes:
    """Return a CSV table with a row for each payment, by match and then for the evening.

    The payments of the evening replace those of its matches in a currency: they are fewer. Money is
    in units of its currency; for other amounts, `counts` names the unit.
    """
    return write_csv(PAYMENTS, payment_rows(evening), evening.reader)


def payment_rows(evening: Evening) -> Iterator[tuple[CsvCell, ...]]:
    """Yield a row for each payment, with a cell for each of `PAYMENTS`."""
    for row in _payment_cells(evening):
        yield tuple(row.get(column) for column in PAYMENTS)


def _payment_cells(evening: Evening) -> Iterator[dict[str, CsvCell]]:
    """Yield each payment as a mapping from the columns that it has."""
    settled, about = settle_matches(evening.session, evening.report), make_session_cells(evening)
    for settlement, match in zip(settled, evening.session.structure.matches, strict=True):
        of_match = {**about, "settles": "match", "match": match.number, "game": match.game.id,
                    "counts": get_counted_unit(match),
                    "provisional": int(bool(settlement.doubts))}  # fmt: skip
        currency = match.stake.currency if match.stake else ""
        for payment in settlement.payments:
            yield {**of_match, **_paid_cells(evening, payment, currency)}
    for purse in evening.report.money or ():
        of_purse = {**about, "settles": "evening", "provisional": int(purse.provisional)}
        for payment in purse.payments:
            yield {**of_purse, **_paid_cells(evening, payment, purse.currency)}


def _paid_cells(evening: Evening, payment: PaymentView, currency: str) -> dict[str, CsvCell]:
    """Return the players and the amount of a payment, in units of a currency or in points."""
    names = evening.session.structure.players
    paid: dict[str, CsvCell] = {
        "from": payment.payer, "from_name": names[payment.payer], "to": payment.to,
        "to_name": names[payment.to], "amount": as_cell(payment.amount),
    }  # fmt: skip
    if currency:
        paid |= {"counts": "money", "currency": currency}
        paid["amount"] = to_major_units(payment.amount, currency)
    return paid


def player_names(report: ReportView) -> dict[str, str]:
    """Return the names of the players by id."""
    return {player.id: player.name for player in report.session.players}


def join_names(players: Iterable[str], names: Mapping[str, str]) -> str:
    """Return the names of players, separated by commas."""
    return ", ".join(names[player] for player in players)


def write_csv(
    head: tuple[str, ...], rows: Iterable[tuple[Coded, ...]], reader: Reader = PROGRAM
) -> bytes:
    """Return a table as CSV, with the cell separator and the decimal sign of the reader."""
    text = io.StringIO(BOM, newline="")
    text.seek(0, io.SEEK_END)
    writer = csv.writer(text, delimiter=reader.separator)
    writer.writerow(head)
    writer.writerows([escape_formula(cell, reader) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8")


def escape_formula(cell: Coded, reader: Reader = PROGRAM) -> CsvCell:
    """Return a cell that no spreadsheet reads as a formula."""
    if isinstance(cell, FactCell):
        cell = cell.code
    if isinstance(cell, str):
        return _escape_formula(cell)
    return reader.format_number(cell) if isinstance(cell, Decimal) else cell


@lru_cache(CACHED_TEXTS)
def _escape_formula(text: str) -> str:
    """Return a text with an apostrophe before what a spreadsheet could take for a formula."""
    return FORMULA.sub(r"\1'", strip_bidi(text))
