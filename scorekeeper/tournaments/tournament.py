"""A tournament's log replayed: entries are added one by one, each usable after those before it.

A tournament stores no second accounts: points follow from the logs of its tables.
"""

from typing import ClassVar, Final

from scorekeeper.games.game import group_by_type
from scorekeeper.log.replayed import ReplayedLog
from scorekeeper.tournaments.events import TOURNAMENT_EVENTS
from scorekeeper.tournaments.state import TournamentState

TYPES: Final = group_by_type(TOURNAMENT_EVENTS)


class Tournament(ReplayedLog[TournamentState]):
    """One tournament's stream as replayed so far."""

    TYPES: ClassVar = TYPES

    @classmethod
    def make_state(cls, before: TournamentState | None = None) -> TournamentState:  # noqa: ARG003
        """Return the state of a tournament without events; nothing outlasts a correction."""
        return TournamentState()
