"""The club that holds a tournament: its members to tap, and the way to enter the tournament there.

A director sees them only with a key of their own to the club.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from scorekeeper.base.errors import UnknownClubError
from scorekeeper.clubs.state import ClubState
from scorekeeper.clubs.values import Member
from scorekeeper.http.access import own_key
from scorekeeper.http.extensions import clubs
from scorekeeper.store.keyring import is_club
from scorekeeper.tournaments.record import TournamentRecord


class HoldingClub(NamedTuple):
    """The club that holds a tournament, for a phone that has a key to it.

    ``free`` are the members who have not entered, and then the guests. ``records`` is whether the
    phone may enter the tournament in the club, and ``counts`` whether it counts there already.
    """

    id: str
    name: str
    free: Sequence[Member]
    records: bool
    counts: bool


def find_club(tournament_id: str, record: TournamentRecord) -> HoldingClub | None:
    """Return the club that holds a tournament; None without a key of this phone to it."""
    club_id = record.opening.club or ""
    key = own_key(club_id) if is_club(club_id) else None
    if key is None:
        return None
    entered = {player for player, _, _ in record.list_players()} | record.entrants.keys()

    def see(state: ClubState) -> HoldingClub:
        free = [member for member in state.members.values()
                if not member.left and member.id not in entered]  # fmt: skip
        free.sort(key=lambda member: (member.guest, member.name.casefold()))
        name = state.opened.name if state.opened else ""
        counts = tournament_id in state.tournaments
        records = key.role == "host" or (key.role == "seat" and not counts)
        return HoldingClub(club_id, name, free, records, counts)

    with suppress(UnknownClubError):
        return clubs().with_state(club_id, see)
    return None
