"""The results of a session's matches, each in one line."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorekeeper.base.parts import ExactPoints
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.forms.scene import AND


class SideOutcome(NamedTuple):
    """A side of a match: the names of its players, its total, and whether it won."""

    names: Sequence[str]
    total: ExactPoints
    won: bool

    @property
    def name(self) -> str:
        """The names in one."""
        return AND.join(self.names)

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.names)


class MatchOutcome(NamedTuple):
    """The result of a match: the totals of its sides, and whether it is finished."""

    number: int
    game: str
    finished: bool
    sides: Sequence[SideOutcome]


def list_outcomes(session: Session) -> list[MatchOutcome]:
    """Return the results of the matches of a session that have one."""
    return [_outcome(match, session.structure.players) for match in _with_results(session)]


def last_with_result(session: Session) -> MatchRecord | None:
    """Return the last match of a session that has a result, if there is one."""
    return next(reversed(_with_results(session)), None)


def _with_results(session: Session) -> list[MatchRecord]:
    """Return the matches with a complete hand; without one a match has no result."""
    return [match for match in session.structure.matches if match.last_complete()]


def _outcome(match: MatchRecord, names: Mapping[str, str]) -> MatchOutcome:
    totals, winners = match.standing().totals, match.list_winners()
    sides = [
        SideOutcome([names[player] for player in members], totals[side], side in winners)
        for side, members in match.sides.items()
    ]
    return MatchOutcome(match.number, match.game.local_name, match.over, tuple(sides))
