"""The standings of a stage: its rounds added up, and the places.

They follow from the tournament's log and from the results of its tables. A scoreboard keeps the
points of tables, so that one more hand computes one table anew.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.tournaments.finals import has_finals, split_into_finals
from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.points import (
    RoundPoints,
    TablePoints,
    find_last_place_points,
    list_table_rows,
    score_table,
)
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.stage_rules import KNOCKOUT
from scorekeeper.tournaments.stages import AVERAGE, Stage
from scorekeeper.tournaments.ties import Decision, Ranked, StageFigures, rank_entrants
from scorekeeper.tournaments.values import PointAdjustment, TournamentRound

ZERO = Fraction(0)


class StandingRow(NamedTuple):
    """An entrant's line: the points of each round, and what made the place.

    ``counted`` are the numbers of the rounds that are added. ``carried`` are points of earlier
    stages. ``decision`` is the tie-break by which the entrant stands before the next one.
    """

    entrant: str
    place: int
    shared: bool
    points: Fraction
    rounds: tuple[RoundPoints, ...]
    counted: frozenset[int]
    carried: Fraction
    adjustments: tuple[PointAdjustment, ...]
    decision: Decision | None

    @property
    def provisional(self) -> bool:
        """Whether the points may still change without a correction."""
        return any(row.provisional for row in self.rounds)


class StageStandings(NamedTuple):
    """The standings of a stage, after its last published round or an earlier one."""

    stage: int
    after_round: int
    rows: tuple[StandingRow, ...]


@dataclass
class ScoredTable:
    """The points of a table, with all that they were computed from."""

    sources: tuple[object, ...]
    points: TablePoints | None


@dataclass
class Scoreboard:
    """The standings of one tournament, kept up to date."""

    tables: dict[tuple[int, int], ScoredTable] = field(default_factory=dict)

    def compute(
        self, record: TournamentRecord, results: Mapping[str, PlayedTable],
        stage: int | None = None, after_round: int | None = None,
    ) -> StageStandings:  # fmt: skip
        """Return the standings of a stage, by default of the last one that has begun.

        ``results`` are those of the sessions by id; a table without one has no points yet. With
        `after_round` later rounds do not count.
        """
        rounds = [drawn for drawn in record.rounds.values() if drawn.published]
        number = stage or max((drawn.stage for drawn in rounds), default=1)
        scored = {drawn.number: self._score_round(record, drawn, results) for drawn in rounds}
        return compute_standings(record, scored, number, after_round)

    def _score_round(
        self, record: TournamentRecord, drawn: TournamentRound, results: Mapping[str, PlayedTable]
    ) -> list[TablePoints]:
        """Return the points of the tables of a round that have any."""
        tables = (
            self._score_table(record, drawn, number, results)
            for number in range(1, len(drawn.tables) + 1)
        )
        return [table for table in tables if table is not None]

    def _score_table(
        self, record: TournamentRecord, drawn: TournamentRound, number: int,
        results: Mapping[str, PlayedTable],
    ) -> TablePoints | None:  # fmt: skip
        """Return the points of a table, computed again if one of their sources changed."""
        session = (drawn.sessions or {}).get(number)
        played = None if session is None else results.get(session.session)
        entrants = (record.entrants[entrant] for entrant in drawn.tables[number - 1])
        sources = (drawn, played, record.stages[drawn.stage - 1], *entrants)
        known = self.tables.get((drawn.number, number))
        if known is None or not _are_same(known.sources, sources):
            points = score_table(record, drawn, number, played)
            known = self.tables[drawn.number, number] = ScoredTable(sources, points)
        return known.points


def _are_same(before: Sequence[object], now: Sequence[object]) -> bool:
    """Return whether two lists hold the same objects."""
    return len(before) == len(now) and all(
        one is other for one, other in zip(before, now, strict=True)
    )


def compute_standings(
    record: TournamentRecord, scored: Mapping[int, Sequence[TablePoints]], number: int,
    after_round: int | None = None,
) -> StageStandings:  # fmt: skip
    """Return the standings of a stage from the points of the tables of its published rounds."""
    stage = record.stages[number - 1]
    rounds = [
        record.rounds[played]
        for played in sorted(scored)
        if record.rounds[played].stage == number and played <= (after_round or played)
    ]
    members = _list_members(record, number, rounds)
    of_rounds = _compute_rounds(record, stage, rounds, scored, members)
    carried = _compute_carried(record, scored, number, stage)
    adjusted = _list_adjustments(record, number, {drawn.number for drawn in rounds})
    rows_of = {entrant: _fill_byes(stage, of_rounds[entrant]) for entrant in members}
    counted = {entrant: _list_counted(stage, rows_of[entrant]) for entrant in members}
    points = {
        entrant: sum(
            (row.points for row in rows_of[entrant]
             if row.points is not None and row.round in counted[entrant]), ZERO,
        )
        + carried.get(entrant, ZERO)
        + sum((adjustment.points for adjustment in adjusted.get(entrant, ())), ZERO)
        for entrant in members
    }  # fmt: skip
    tables = [table for drawn in rounds for table in scored[drawn.number]]
    figures = StageFigures(points, rows_of, tables, record.lots)
    ranked_parts = (
        rank_entrants(part, stage.tie_rules, figures)
        for final in _list_finals(record, scored, number, members)
        for part in _list_by_progress(record, stage, final, rows_of)
    )
    ranked_entrants = list[Ranked]()
    for part in ranked_parts:
        before = len(ranked_entrants)
        ranked_entrants += [ranked._replace(place=ranked.place + before) for ranked in part]
    rows = (
        _make_row(ranked, points, rows_of, counted, carried, adjusted) for ranked in ranked_entrants
    )
    last = rounds[-1].number if rounds else 0
    return StageStandings(number, last, tuple(rows))


def _list_finals(
    record: TournamentRecord, scored: Mapping[int, Sequence[TablePoints]], number: int,
    members: Sequence[str],
) -> list[list[str]]:  # fmt: skip
    """Return the members of a stage by final, the first places first; all if it has one field."""
    if not has_finals(record, number):
        return [list(members)]
    drawn = [record.rounds[played] for played in sorted(scored)
             if record.rounds[played].stage == number]  # fmt: skip
    order = [row.entrant for row in compute_standings(record, scored, number - 1).rows]
    finals = split_into_finals(record, number, order, drawn[0] if drawn else None)
    listed = [[entrant for entrant in members if entrant in final] for final in finals]
    known = {entrant for final in finals for entrant in final}
    return [*listed, [entrant for entrant in members if entrant not in known]]


def _list_by_progress(
    record: TournamentRecord, stage: Stage, members: Sequence[str],
    rows_of: Mapping[str, Sequence[RoundPoints]],
) -> list[list[str]]:  # fmt: skip
    """Return the entrants of a knock-out by how far they came; all together in other stages.

    First are those who are still in, by the lives that they have left. Then come the others, the
    last to lose first; of those who lost in one round, the winner of the match for the third place.
    An entrant who withdraws loses the first round without them.
    """
    if stage.draw != KNOCKOUT:
        return [list(members)]
    lost: dict[str, list[int]] = {entrant: [] for entrant in members}
    won: dict[str, list[int]] = {entrant: [] for entrant in members}
    for winner, loser, number in list_decided(rows_of):
        if winner in won and loser in lost:
            won[winner].append(number)
            lost[loser].append(number)
    lives = stage.lives or 1
    parts: dict[tuple[int, int, int], list[str]] = {}
    for entrant in members:
        losses = sorted(lost[entrant])
        gone = record.entrants[entrant].withdrawn_from
        if gone is not None:
            losses += [gone] * (lives - len(losses))
        if len(losses) < lives:
            progress = 1, lives - len(losses), 0
        else:
            out = losses[lives - 1]
            progress = 0, out, sum(number > out for number in won[entrant])
        parts.setdefault(progress, []).append(entrant)
    return [parts[progress] for progress in sorted(parts, reverse=True)]


def list_decided(
    rows_of: Mapping[str, Sequence[RoundPoints]],
) -> Iterator[tuple[str, str, int]]:
    """Yield the winner, the loser and the round of each table of two that is decided."""
    tables: dict[tuple[int, int], list[tuple[Fraction, str]]] = {}
    for entrant, rows in rows_of.items():
        for row in rows:
            if row.points is not None and row.table is not None and row.kind != "open":
                tables.setdefault((row.round, row.table), []).append((row.points, entrant))
    for (number, _table), pair in tables.items():
        if len(pair) == 2 and pair[0][0] != pair[1][0]:
            (_, loser), (_, winner) = sorted(pair)
            yield winner, loser, number


def _make_row(
    ranked: Ranked, points: Mapping[str, Fraction],
    rows_of: Mapping[str, tuple[RoundPoints, ...]], counted: Mapping[str, frozenset[int]],
    carried: Mapping[str, Fraction], adjusted: Mapping[str, tuple[PointAdjustment, ...]],
) -> StandingRow:  # fmt: skip
    """Return the line of an entrant."""
    entrant = ranked.entrant
    return StandingRow(
        entrant, ranked.place, ranked.shared, points[entrant], rows_of[entrant], counted[entrant],
        carried.get(entrant, ZERO), adjusted.get(entrant, ()), ranked.decision,
    )  # fmt: skip


def _list_members(
    record: TournamentRecord, number: int, rounds: Sequence[TournamentRound]
) -> list[str]:
    """Return the entrants of a stage: all drawn in it, and before the first round all."""
    drawn = {entrant for played in rounds for entrant in (*played.list_seated(), *played.byes)}
    if not drawn and number == 1:
        return list(record.entrants)
    moved = {entrant for played in rounds for seats in played.seating.values()
             for entrant in seats.values()}  # fmt: skip
    return [entrant for entrant in record.entrants if entrant in drawn | moved]


def _compute_rounds(
    record: TournamentRecord, stage: Stage, rounds: Sequence[TournamentRound],
    scored: Mapping[int, Sequence[TablePoints]], members: Sequence[str],
) -> dict[str, list[RoundPoints]]:  # fmt: skip
    """Return the points of each entrant in each round of a stage that concerns the entrant."""
    rows: dict[str, list[RoundPoints]] = {entrant: [] for entrant in members}
    for drawn in rounds:
        tables = scored[drawn.number]
        at_tables = dict(list_table_rows(drawn, tables))
        missed = stage.missed
        if missed is None:
            missed = find_last_place_points(stage.rule, drawn, tables)
        seated = set(drawn.list_seated())
        for entrant in members:
            row = at_tables.get(entrant)
            if entrant in drawn.assigned:
                assigned = drawn.assigned[entrant]
                row = RoundPoints(drawn.number, "assigned", assigned.points,
                                  drawn.find_table(entrant), note=assigned.reason)  # fmt: skip
            elif row is None and entrant in drawn.byes:
                row = RoundPoints(drawn.number, "bye", _bye_points(stage))
            elif row is None and entrant in seated:
                row = RoundPoints(drawn.number, "open", None, drawn.find_table(entrant),
                                  provisional=True)  # fmt: skip
            elif row is None and stage.draw != KNOCKOUT and _missed(record, entrant, drawn):
                row = RoundPoints(drawn.number, "missed", missed)
            if row is not None:
                rows[entrant].append(row)
    return rows


def _missed(record: TournamentRecord, entrant: str, drawn: TournamentRound) -> bool:
    """Return whether an entrant who is nowhere in a round has missed it, and not withdrawn."""
    withdrawn_from = record.entrants[entrant].withdrawn_from
    return withdrawn_from is None or drawn.number < withdrawn_from


def _bye_points(stage: Stage) -> Fraction | None:
    """Return the points of a bye; None for the average."""
    if stage.bye in (None, AVERAGE):
        return None
    return stage.bye if isinstance(stage.bye, Fraction) else ZERO


def _fill_byes(stage: Stage, rows: Sequence[RoundPoints]) -> tuple[RoundPoints, ...]:
    """Return the rounds of an entrant with the average of the played ones in place of byes."""
    own = [row.points for row in rows
           if row.points is not None and row.kind in ("table", "assigned")]  # fmt: skip
    average = sum(own, ZERO) / len(own) if own else ZERO
    going_on = any(row.provisional for row in rows)
    return tuple(
        row._replace(points=average, provisional=going_on)
        if row.kind == "bye" and row.points is None
        else row
        for row in rows
    )


def _list_counted(stage: Stage, rows: Sequence[RoundPoints]) -> frozenset[int]:
    """Return the numbers of the rounds that count: the best, or all."""
    best_first = sorted((row for row in rows if row.points is not None),
                        key=lambda row: (-(row.points or ZERO), row.round))  # fmt: skip
    return frozenset(row.round for row in best_first[: stage.best or len(best_first)])


def _list_adjustments(
    record: TournamentRecord, number: int, rounds: set[int]
) -> dict[str, tuple[PointAdjustment, ...]]:
    """Return the adjustments of a stage by entrant.

    One without a round belongs to the stage of the last round that was drawn before it.
    """
    adjusted: dict[str, tuple[PointAdjustment, ...]] = {}
    for adjustment in record.adjustments:
        if adjustment.round is not None:
            concerns = adjustment.round in rounds
        else:
            before = [drawn.stage for drawn in record.rounds.values() if drawn.seq < adjustment.seq]
            concerns = max(before, default=1) == number
        if concerns:
            mine = adjusted.get(adjustment.entrant, ())
            adjusted[adjustment.entrant] = (*mine, adjustment)
    return adjusted


def _compute_carried(
    record: TournamentRecord, scored: Mapping[int, Sequence[TablePoints]], number: int,
    stage: Stage,
) -> dict[str, Fraction]:  # fmt: skip
    """Return the points that each entrant brings from the stage before."""
    if number == 1 or stage.carry in (None, "none"):
        return {}
    share = Fraction(1, 2) if stage.carry == "half" else Fraction(1)
    before = compute_standings(record, scored, number - 1)
    return {row.entrant: row.points * share for row in before.rows}
