"""Which clubs count an evening, as its host may know and stop."""

from typing import NamedTuple

from scorekeeper.base.errors import UnknownClubError
from scorekeeper.service.clubs import Clubs
from scorekeeper.store import Position


class FollowingClub(NamedTuple):
    """A club that reads an evening: by which keys it was entered, and up to where it is read.

    ``keys`` are ids; none is there for an evening that was entered without a key, as by the host.
    ``stop`` is None as long as the club follows the evening.
    """

    id: str
    name: str
    keys: tuple[str, ...]
    stop: Position | None


def following_clubs(clubs: Clubs, session_id: str) -> list[FollowingClub]:
    """Return the clubs that count a session or follow it, ordered by name.

    Raises `UnknownSessionError`.
    """
    clubs.store.position(session_id)
    keys: dict[str, list[str]] = {}
    for one in clubs.store.followers(session_id):
        keys.setdefault(one.club, []).append(one.key)
    found = []
    for club_id, ids in keys.items():
        try:
            opens, name = clubs.with_state(
                club_id,
                lambda state: (state.shows_evening(session_id), state.opened and state.opened.name),
            )
        except UnknownClubError:
            continue
        stop = clubs.stop_of(club_id, session_id)
        if opens or stop is None:
            found.append(FollowingClub(club_id, name or "", tuple(filter(None, ids)), stop))
    return sorted(found, key=lambda one: (one.name.casefold(), one.id))


def stop_club(clubs: Clubs, session_id: str, club_id: str) -> None:
    """Let a club read a session no further than now.

    Raises `UnknownClubError` if it is not listed.
    """
    if club_id not in {one.id for one in following_clubs(clubs, session_id)}:
        raise UnknownClubError(club_id)
    clubs.store.stop_following(session_id, club_id)
