"""A new table for a club: its members can be tapped, and the session counts from the start."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from scorekeeper.clubs.identities import identify_players
from scorekeeper.clubs.season import sort_by_day
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.values import KeptHouseRules
from scorekeeper.http.access import holder_in_club, shown_keys
from scorekeeper.http.extensions import clubs
from scorekeeper.log import canonical
from scorekeeper.service import AppendRequest, Holder, NewEvent, Recorded
from scorekeeper.service.club_logs import build_entering_events
from scorekeeper.service.club_rights import KeyOf, no_key_shown, refuse_role
from scorekeeper.store import Opened
from scorekeeper.web.frame.form_keys import form_digest, record_after_others
from scorekeeper.web.frame.ring import starting_with
from scorekeeper.web.phone.remembered import Remembered
from scorekeeper.web.phone.viewer import own_seat

CHIPS: Final = 24  # members to tap, latest players first; all names can be typed


class ForClub(NamedTuple):
    """The club that a table is opened for.

    `last` has the game and players of its last evening, `holder` is the person who opens the table.
    """

    id: str
    holder: Holder
    name: str
    last: Remembered
    members: tuple[str, ...]
    houses: tuple[KeptHouseRules, ...]

    @property
    def hosted(self) -> bool:
        """Whether a host of the club opens the table."""
        return self.holder.role == "host"


def for_club(club_id: str) -> ForClub | None:
    """Return the club that a form names, with the players to offer; None for an empty id.

    Raises `UnknownClubError`, `MissingKeyError` or `ForbiddenError`.
    """
    if not club_id:
        return None
    holder = holder_in_club(club_id)
    refuse_role(holder, "host", "seat")
    seat = own_seat(club_id) if holder.role == "host" else holder.key
    me = (seat and seat.player) or ""
    return clubs().see(club_id, lambda snapshot: _from_snapshot(snapshot, holder, me, club_id))


def _from_snapshot(snapshot: ClubSnapshot, holder: Holder, me: str, club_id: str) -> ForClub:
    """Return the club for the form of a table, with the players of its last evenings first.

    The player `me` is the first in order of play.
    """
    present = [member for member in snapshot.state.members.values() if not member.left]
    people = {member.id: member.name for member in present}
    played, game, last = dict[str, None](), "", tuple[str, ...]()
    for attended in reversed(sort_by_day(snapshot.list_attended(), snapshot.zone)):
        seated = (attended.member_of.get(player) for player in attended.evening.names)
        seats = [player for player in seated if player in people]
        if not played:
            last = starting_with(seats, snapshot.state.get_current_id(me))
            game = next((match.game for match in reversed(attended.evening.matches)), "")
        played |= dict.fromkeys(seats)
    members = (member.name for member in present if not member.guest)
    guests = (member.name for member in present if member.guest)
    names = [*sorted(members, key=str.casefold), *sorted(guests, key=str.casefold)]
    first = [people[player] for player in (*last, *played)]
    return ForClub(
        club_id, holder, snapshot.name,
        Remembered(game, tuple(people[player] for player in last),
                   tuple(dict.fromkeys((*first, *names)))[:CHIPS]),
        tuple(names),
        tuple(snapshot.state.house_rules.values()),
    )  # fmt: skip


def count_for_club(club: ForClub, new: Opened, players: Mapping[str, str]) -> None:
    """Enter the session of a new table in the club, matching players to members by name."""
    secret = next(new_key.secret for new_key in new.keys if new_key.key.role == "host")

    def entered() -> Iterable[NewEvent]:
        identities = clubs().see(
            club.id, lambda snapshot: identify_players(snapshot, players, join=False)
        )
        return build_entering_events(new.id, identities)

    append_to_club(club.id, club.holder, entered, shown_keys([secret]), form_digest())


def append_to_club(
    club_id: str,
    holder: Holder,
    build_events: Callable[[], Iterable[NewEvent]],
    look: KeyOf = no_key_shown,
    sent: bytes = b"",
) -> Recorded:
    """Append events to a club's log after its latest entry, again if others append meanwhile.

    `build_events` returns the events. `look` finds the client's key to an evening. `sent` is the
    digest of a form with a key, which is recorded only once. Raises `UnusableError`,
    `ForbiddenError`, or `StaleVersionError` if others keep recording.
    """

    def record(version: int) -> Recorded:
        events = tuple(
            NewEvent(event.type, canonical.normalize(event.data)) for event in build_events()
        )
        append = AppendRequest(version, events, key=sent.hex() or None, digest=sent)
        return clubs().record(club_id, append, holder, look)

    return record_after_others(club_id, record)
