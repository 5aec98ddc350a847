"""A club's log replayed: entries are added one by one, each usable after those before it.

A club stores no second accounts: the result of an evening follows from the evening's own log.
"""

from typing import ClassVar, Final

from scorekeeper.clubs.events import CLUB_EVENTS, SeasonClosed
from scorekeeper.clubs.season_rules import refuse_other_currency
from scorekeeper.clubs.state import ClubState
from scorekeeper.games.game import group_by_type
from scorekeeper.log.replayed import ReplayedLog

TYPES: Final = group_by_type(CLUB_EVENTS)


class Club(ReplayedLog[ClubState]):
    """One club's stream as replayed so far.

    The final table of a season is that of the moment of its close.
    """

    TYPES: ClassVar = TYPES
    MOMENTS: ClassVar = frozenset({SeasonClosed.TYPE})

    @classmethod
    def make_state(cls, before: ClubState | None = None) -> ClubState:
        """Return the state of a club without events; seasons closed before stay as they were."""
        return ClubState(closed=dict(before.closed) if before else {})

    @staticmethod
    def refuse_correction(before: ClubState, after: ClubState) -> None:
        """Raise `UnusableError` if a correction gives payments that stand another currency."""
        currencies = [state.opened and state.opened.currency for state in (before, after)]
        standing = {payment.seq for payment in before.payments}
        if currencies[0] != currencies[1] and any(paid.seq in standing for paid in after.payments):
            refuse_other_currency(str(currencies[0]))
