"""The score sheet as text for a terminal."""

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from scorekeeper.base.parts import ExactPoints, format_points, format_signed
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.languages.money import format_amount
from scorekeeper.report.evening_sums import sum_evening
from scorekeeper.report.narration import describe_raw_event, format_ranges
from scorekeeper.report.option_words import list_changed_options
from scorekeeper.report.settlement import get_counted_unit
from scorekeeper.report.settlement_words import describe_stake, list_evening_notes
from scorekeeper.report.sheet import (
    GameHead,
    HandRow,
    PenaltyRow,
    Sheet,
    SheetStep,
    SumRow,
    make_sheets,
)
from scorekeeper.report.views import FindingView, MatchView, ReportView
from scorekeeper.session.session import Session

LINE_COLUMNS: Final = 88
MAX_NAME_COLUMNS: Final = 16
NOTHING: Final = "·"


def sheet_lines(session: Session, report: ReportView) -> Iterator[str]:
    """Yield the whole report: a table for each match, then money, findings and corrections."""
    about = report.session
    place = f", {about.place}" if about.place else ""
    yield f"{strip_controls(about.title)}{strip_controls(place)}"
    head = f", head {about.head}" if about.head else ""
    closed = ", closed" if about.closed else ""
    yield f"{about.events} events{head}{closed}"
    for match_sheet, match in zip(make_sheets(report, session), report.matches, strict=True):
        yield ""
        yield from match_table(match_sheet, game_of_match(match))
    yield from sum_lines(session, report)
    yield from money_lines(session, report)
    yield from finding_lines(report.findings, several=len(report.matches) > 1)
    yield from correction_lines(session, report)


def sum_lines(session: Session, report: ReportView) -> Iterator[str]:
    """Yield the sums of the matches that are added up, and who pays whom for them in points."""
    names = {player: strip_controls(name) for player, name in session.structure.players.items()}
    for added in sum_evening(session, report):
        yield ""
        yield f"{added.name}, matches {format_ranges(added.matches)} added up ({added.counts})"
        for row in added.players:
            name = fit_columns(names[row.player], MAX_NAME_COLUMNS)
            total = format_points(row.total)
            yield f"{row.rank:>4}  {name}  {total:>6}  {row.matches} played, {row.won} won"
        for payment in added.payments:
            yield f"{names[payment.payer]} pays {names[payment.to]} {format_points(payment.amount)}"
        if added.provisional:
            yield "It may still change."


def money_lines(session: Session, report: ReportView) -> Iterator[str]:
    """Yield the payments of matches played for money, by currency."""
    names = session.structure.players
    for purse in report.money or ():
        yield ""
        for number in purse.matches:
            match = session.structure.matches[number - 1]
            if match.stake is not None:
                stake = describe_stake(match.stake, get_counted_unit(match), format_amount).say()
                yield f"Match {number}. {stake}"
        for payment in purse.payments:
            payer, to = strip_controls(names[payment.payer]), strip_controls(names[payment.to])
            yield f"{payer} pays {to} {format_amount(payment.amount, purse.currency)}"
        if not purse.payments:
            yield "Nobody owes anybody anything."
        yield from (note.say() for note in list_evening_notes(purse, report))


def game_of_match(match: MatchView) -> Game:
    """Return the game of a reported match, in the version of its rules."""
    game = GAMES.version(match.game, match.rules)
    assert game is not None  # noqa: S101  # otherwise there would be no report
    return game


# ------------------------------------------------------------------------------------ tables


def match_table(sheet: Sheet, game: Game) -> Iterator[str]:
    """Yield a match: hands as rows, sides as columns, with running totals."""
    status = "finished" if sheet.status == "finished" else "open"
    yield f"Match {sheet.match}: {game.name} ({status})"
    changed = list_changed_options(game, sheet.options)
    if changed:
        yield from textwrap.wrap("played with " + ", ".join(changed), LINE_COLUMNS)
    names = [strip_controls(name) for name in sheet.columns.values()]
    widths = [max(11, min(terminal_width(name), MAX_NAME_COLUMNS)) for name in names]
    dealers = max(
        [len("penalty"), *(min(terminal_width(row.dealer), MAX_NAME_COLUMNS) for row in sheet.rows)]
    )
    yield _table_line(["Hand", fit_columns("Dealer", dealers)], names, widths)
    for row in sheet.grid():
        match row:
            case GameHead(part):
                yield f"      {part.name} to {part.target}"
            case SumRow():
                start = ["    ", fit_columns(_sum_label(row, sheet), dealers)]
                figure = _with_sign if row.what == "settled" else format_points
                cells = [figure(row.figures[side]) for side in sheet.columns]
                yield _table_line(start, cells, widths)
                yield from textwrap.wrap(row.text, LINE_COLUMNS)
            case _:
                cells = [_points_cell(row, side, sheet) for side in sheet.columns]
                line = _table_line(_step_start(row, dealers), cells, widths)
                yield (line + _remarks(row)).rstrip()
    if sheet.status == "finished":
        yield _winners_line(sheet)


def _sum_label(row: SumRow, sheet: Sheet) -> str:
    """Return the label of a row of sums: of a game, of the totals by their unit, or settled."""
    if row.what != "totals":
        return row.what
    return "total" if sheet.counts == "points" else sheet.counts


def _step_start(step: SheetStep, dealers: int) -> list[str]:
    """Return the first two cells of a step; ``dealers`` is the width of the second one."""
    if isinstance(step, PenaltyRow):
        return ["    ", fit_columns("penalty", dealers)]
    return [f"{step.hand:>4}", fit_columns(strip_controls(step.dealer), dealers)]


def _table_line(start: Sequence[str], cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return a row of a table: its start, and a right-aligned cell for each side."""
    columns = [
        align_right(fit_columns(cell, size), size) for cell, size in zip(cells, widths, strict=True)
    ]
    return "  ".join([*start, *columns]).rstrip()


def _points_cell(step: SheetStep, side: str, match: Sheet) -> str:
    """Return the cell of a side in a row: points and total; `*` marks the winner."""
    cell = step.cells[side]
    if cell.points is None:
        return NOTHING if isinstance(step, HandRow) else ""
    won = "*" if isinstance(step, HandRow) and step.winner == side else ""
    if match.counts == "hands":
        return f"{won}{format_points(cell.points)}"
    return f"{won}{_with_sign(cell.points)} {format_points(cell.total or 0):>5}"


def _with_sign(points: ExactPoints) -> str:
    """Return points with their sign; a dot for zero."""
    return format_signed(points) if points else NOTHING


def _remarks(row: SheetStep) -> str:
    """Return the remarks behind a row: its state and signers, or the reason of a penalty."""
    if isinstance(row, PenaltyRow):
        return f"  {strip_controls(row.reason)}"
    remarks = [] if row.status == "complete" else [row.status]
    remarks += [strip_controls("signed by " + ", ".join(row.signed))] if row.signed else []
    remarks += ["disputed"] if row.disputed else []
    return "  " + "; ".join(remarks) if remarks else ""


def _winners_line(match: Sheet) -> str:
    """Return a sentence with the winners of a finished match."""
    if not match.winners:
        return "Undecided." if match.played else "No result: no hand was completed."
    names = " and ".join(match.columns[side] for side in match.winners)
    return f"Shared by {names}." if len(match.winners) > 1 else f"Won by {names}."


# ---------------------------------------------------------------------------------- findings


def finding_lines(findings: Sequence[FindingView], *, several: bool) -> Iterator[str]:
    """Yield the findings in words; equal findings on several hands are one paragraph.

    ``several`` is whether there are several matches.
    """
    grouped: dict[tuple[str, str, str], list[FindingView]] = {}
    for finding in findings:
        key = (finding.severity, finding.message, finding.rule)
        grouped.setdefault(key, []).append(finding)
    for severity in ("error", "warning", "info"):
        for (grade, message, rule), group in grouped.items():
            if grade == severity:
                yield ""
                places = ", ".join(
                    dict.fromkeys(_hand_place(item, several=several) for item in group)
                )
                events = sorted({seq for item in group for seq in item.events})
                proof = f"; events {format_ranges(events)}" if events else ""
                text = f"{severity.upper()}, {places}: {message} ({rule}{proof})"
                yield from textwrap.wrap(strip_controls(text), LINE_COLUMNS, subsequent_indent="  ")


def _hand_place(finding: FindingView, *, several: bool) -> str:
    """Return the hand of a finding in words; with the match if there are several."""
    if finding.hand is None:
        return "the log"
    return f"hand {finding.match}.{finding.hand}" if several else f"hand {finding.hand}"


def correction_lines(session: Session, report: ReportView) -> Iterator[str]:
    """Yield the corrections, each with the event before and after it."""
    for correction in report.corrections:
        corrected = correction.names
        place = corrected if correction.before else correction.seq
        before, after = (
            event and describe_raw_event(session, place, event)
            for event in (correction.before, correction.after)
        )
        words = {
            "event_struck": f"event {corrected} struck: {before}",
            "event_replaced": f"event {corrected} replaced: {before}; now: {after}",
            "event_inserted": f"after event {corrected} comes: {after}",
        }[correction.type]
        void = "" if correction.stands else " (struck again)"
        yield ""
        text = f"CORRECTION {correction.seq}{void}, {words} ({correction.reason})"
        yield from textwrap.wrap(strip_controls(text), LINE_COLUMNS, subsequent_indent="  ")


# -------------------------------------------------------------------------- text in columns


def strip_controls(text: str) -> str:
    """Remove control characters, also those of bidirectional text, which affect a terminal."""
    return "".join(char for char in text if unicodedata.category(char) not in ("Cf", "Cc"))


def terminal_width(text: str) -> int:
    """Return the number of terminal columns of a text."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def fit_columns(text: str, size: int) -> str:
    """Truncate a text to ``size`` columns, or pad it with spaces."""
    if terminal_width(text) > size:
        while terminal_width(text) > size - 1:
            text = text[:-1]
        text += "…"
    return text + " " * (size - terminal_width(text))


def align_right(text: str, size: int) -> str:
    """Align a text to the right of ``size`` columns."""
    stripped = text.rstrip()
    return " " * (size - terminal_width(stripped)) + stripped
