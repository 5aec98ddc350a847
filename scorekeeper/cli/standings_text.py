"""The standings of a tournament as text for a terminal."""

from collections.abc import Iterator, Mapping
from typing import Final

from scorekeeper.cli.sheet_text import align_right, fit_columns, strip_controls, terminal_width
from scorekeeper.tournaments.standings_views import (
    EntrantRoundView,
    StandingRowView,
    TournamentStandingsView,
)

MAX_NAME_COLUMNS: Final = 24
MARKS: Final = {"bye": "b", "missed": "m", "assigned": "r", "open": ""}
RULES: Final = {
    "score": "score", "difference": "difference", "scored": "scored", "conceded": "conceded",
    "wins": "tables won", "hands_won": "hands won", "contracts_made": "contracts made",
    "best_hand": "best hand", "best_round": "best round", "countback": "places",
    "head_to_head": "against one another", "opponents": "points of opponents", "lot": "lot",
}  # fmt: skip


def standings_lines(table: TournamentStandingsView) -> Iterator[str]:
    """Yield the lines of the standings: each entrant with the points of every round."""
    yield f"{strip_controls(table.tournament)}: {strip_controls(table.name)}"
    if not table.after_round:
        yield "no round has been published"
    if not table.rows:
        yield "nobody has entered"
        return
    names = {row.entrant: strip_controls(row.name) for row in table.rows}
    size = max(8, min(MAX_NAME_COLUMNS, max(map(terminal_width, names.values()))))
    numbers = sorted({played.round for row in table.rows for played in row.rounds})
    heads = "".join(f"{number:>7}" for number in numbers)
    yield f"     {fit_columns('entrant', size)}  points{heads}"
    for row in table.rows:
        yield _row_line(row, names, size, numbers)
    yield from _note_lines(table, names)


def _row_line(row: StandingRowView, names: Mapping[str, str], size: int, numbers: list[int]) -> str:
    """Return the line of an entrant."""
    of_round = {played.round: played for played in row.rounds}
    cells = "".join(align_right(_round_cell(of_round.get(number)), 7) for number in numbers)
    place = f"{row.place}{'=' if row.shared else '.'}"
    remarks = [_describe_decision(row, names)] if row.decision else []
    remarks += ["provisional"] if row.provisional else []
    if row.withdrawn_from is not None:
        remarks.append(f"withdrew from round {row.withdrawn_from}")
    remark = f"  {'; '.join(remarks)}" if remarks else ""
    points = align_right(str(row.points), 6)
    return (
        f"{align_right(place, 4)} {fit_columns(names[row.entrant], size)}  {points}{cells}{remark}"
    )


def _round_cell(played: EntrantRoundView | None) -> str:
    """Return the points of a round with a mark; in brackets if they do not count."""
    if played is None:
        return ""
    if played.points is None:
        return "·"
    text = f"{MARKS.get(played.kind, '')}{played.points}"
    return text if played.counted else f"({text})"


def _describe_decision(row: StandingRowView, names: Mapping[str, str]) -> str:
    """Return what put an entrant before the next one, such as “before Ada: hands won 6 to 5”."""
    decision = row.decision
    if decision is None:
        return ""
    other = names.get(decision.before, decision.before)
    if decision.rule == "lot":
        return f"before {other}: lot"
    figures = f"{_figure(decision.own)} to {_figure(decision.theirs)}"
    return f"before {other}: {RULES[decision.rule]} {figures}"


def _figure(figure: object) -> str:
    """Return the figure of a tie-break in words."""
    return "-".join(map(str, figure)) if isinstance(figure, list) else str(figure)


def _note_lines(table: TournamentStandingsView, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines below the standings: marks, points given, finals, teams, the close."""
    kinds = {played.kind for row in table.rows for played in row.rounds}
    marks = {"bye": "b sat out", "missed": "m missed", "assigned": "r ruled by the director"}
    if notes := [words for kind, words in marks.items() if kind in kinds]:
        yield ", ".join(notes)
    for row in table.rows:
        for given in row.adjustments:
            where = f" in round {given.round}" if given.round else ""
            yield f"{names[row.entrant]}{where}: {given.points}, {strip_controls(given.reason)}"
    for number, final in enumerate(table.qualifiers, start=1):
        head = "advance" if len(table.qualifiers) == 1 else f"final {number}"
        yield f"{head}: {', '.join(names[entrant] for entrant in final)}"
    for team in table.teams:
        members = ", ".join(names[entrant] for entrant in team.entrants)
        yield f"{team.place:>3}. {strip_controls(team.group)}  {team.points}  {members}"
    if table.changed:
        yield f"changed after the close: {', '.join(table.changed)}"
