"""The standings of a tournament as declared values: from them follows their JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scorekeeper.base.parts import ExactPoints, encode_exact
from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.tournaments.advancing import list_qualifiers, list_teams
from scorekeeper.tournaments.points import RoundPoints
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.standings import StageStandings, StandingRow
from scorekeeper.tournaments.ties import Decision, TieFigure

EXACT = 'a whole number, or a fraction such as "7/2"'


@dataclass(frozen=True, slots=True)
class EntrantRoundView(DeclaredView):
    """The points of an entrant in a round."""

    round: int = declare("the number of the round", minimum=1)
    kind: str = declare(
        "how they came about", values=("table", "bye", "missed", "assigned", "open")
    )
    points: Any = declare(f"the points, {EXACT}; null if nothing is on record")
    counted: bool = declare("false if only the best rounds count, and it is none of them")
    table: int | None = declare("the number of the table")
    place: int | None = declare("the place at the table")
    score: ExactPoints | None = declare("the score at the table")
    hands: int | None = declare("how many hands of it count")
    provisional: bool = declare("true if the points may still change")
    paper: bool = declare("true if the result is from paper")
    note: str | None = declare("the reason of an assigned result")


@dataclass(frozen=True, slots=True)
class TieDecisionView(DeclaredView):
    """The tie-break by which an entrant stands before the next one."""

    rule: str = declare("the rule")
    before: str = declare("the id of the next entrant")
    own: Any = declare("the entrant's figure")
    theirs: Any = declare("the figure of the next one")


@dataclass(frozen=True, slots=True)
class DirectorPointsView(DeclaredView):
    """Points that the director gave or took."""

    round: int | None = declare("the number of the round")
    points: Any = declare(f"the points, {EXACT}")
    reason: str = declare("the reason")


@dataclass(frozen=True, slots=True)
class StandingRowView(DeclaredView):
    """An entrant's line of the standings."""

    place: int = declare("the place", minimum=1)
    shared: bool = declare("true if others have the same place")
    entrant: str = declare("the id of the entrant")
    name: str = declare("the name of the entrant")
    group: str | None = declare("the club, village or team")
    points: Any = declare(f"the points, {EXACT}")
    carried: Any = declare(f"the points of earlier stages, {EXACT}")
    rounds: Sequence[EntrantRoundView] = declare("the rounds")
    adjustments: Sequence[DirectorPointsView] = declare("the points that the director gave or took")
    decision: TieDecisionView | None = declare("what put the entrant before the next one")
    provisional: bool = declare("true if the points may still change")
    withdrawn_from: int | None = declare("the first round without the entrant")


@dataclass(frozen=True, slots=True)
class TeamRowView(DeclaredView):
    """A group's line of the table of teams."""

    place: int = declare("the place", minimum=1)
    group: str = declare("the group")
    points: Any = declare(f"the points of its best entrants, {EXACT}")
    entrants: Sequence[str] = declare("the ids of these entrants")


@dataclass(frozen=True, slots=True)
class TournamentStandingsView(DeclaredView):
    """The standings of a stage."""

    tournament: str = declare("the name of the tournament")
    stage: int = declare("the number of the stage", minimum=1)
    name: str = declare("the name of the stage")
    after_round: int = declare("the last round that counts; 0 before the first", minimum=0)
    rows: Sequence[StandingRowView] = declare("the entrants, the first place first")
    qualifiers: Sequence[Sequence[str]] = declare("the ids of the entrants of each final")
    teams: Sequence[TeamRowView] = declare("the groups; empty unless asked for")
    closed: bool = declare("true if the tournament is closed")
    changed: Sequence[str] = declare("the ids of sessions that changed after the close")
    protests_until: str | None = declare("after the close, until when protests are heard")


def view_tournament_standings(
    record: TournamentRecord, standings: StageStandings, *, team: int = 0,
    changed: Sequence[str] = (),
) -> TournamentStandingsView:  # fmt: skip
    """Return the standings of a stage as a view; with `team` the best so many of each group."""
    teams = list_teams(record, standings, team) if team else []
    points = [of_team for _group, of_team, _entrants in teams]
    return TournamentStandingsView(
        record.opening.name, standings.stage, record.stages[standings.stage - 1].name,
        standings.after_round, [_view_row(record, row) for row in standings.rows],
        list(list_qualifiers(record, standings)),
        [TeamRowView(1 + sum(other > of_team for other in points), group, encode_exact(of_team),
                     entrants) for group, of_team, entrants in teams],
        record.heads is not None, changed, record.protests_until,
    )  # fmt: skip


def _view_row(record: TournamentRecord, row: StandingRow) -> StandingRowView:
    """Return an entrant's line."""
    entrant = record.entrants[row.entrant]
    return StandingRowView(
        row.place, row.shared, entrant.id, entrant.name, entrant.group, encode_exact(row.points),
        encode_exact(row.carried),
        [_view_round(played, counted=played.round in row.counted) for played in row.rounds],
        [DirectorPointsView(given.round, encode_exact(given.points), given.reason)
         for given in row.adjustments],
        None if row.decision is None else _view_decision(row.decision),
        row.provisional, entrant.withdrawn_from,
    )  # fmt: skip


def _view_round(played: RoundPoints, *, counted: bool) -> EntrantRoundView:
    """Return the points of an entrant in a round."""
    score = played.score
    return EntrantRoundView(
        played.round, played.kind,
        None if played.points is None else encode_exact(played.points), counted, played.table,
        played.place, None if score is None else score.score,
        None if score is None else score.hands, played.provisional, played.paper,
        played.note or None,
    )  # fmt: skip


def _view_decision(decision: Decision) -> TieDecisionView:
    """Return a tie-break."""
    return TieDecisionView(
        decision.rule, decision.other, _view_figure(decision.own), _view_figure(decision.theirs)
    )


def _view_figure(figure: TieFigure) -> Any:
    """Return the figure of a tie-break for JSON."""
    return encode_exact(figure) if isinstance(figure, Fraction) else list(figure)
