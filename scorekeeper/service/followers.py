"""The clubs that count an evening, which its host may see and stop."""

from typing import NamedTuple

from scorekeeper.base.errors import UnknownClubError, UnknownSessionError
from scorekeeper.service.clubs import Clubs
from scorekeeper.store import Position
from scorekeeper.store.keyring import is_club, is_key_id


class FollowingClub(NamedTuple):
    """A club that reads an evening, with the keys by which it was entered.

    ``keys`` are ids; there is none for an evening that was entered without a key. ``stop`` is the
    position up to which the club reads, or None as long as it follows the evening.
    """

    id: str
    name: str
    keys: tuple[str, ...]
    stop: Position | None


def following_clubs(clubs: Clubs, session_id: str) -> list[FollowingClub]:
    """Return the clubs that count a session or follow it, ordered by name.

    Raises `UnknownSessionError` if there is no such session.
    """
    clubs.store.position(session_id)
    keys: dict[str, list[str]] = {}
    for follower in clubs.store.followers(session_id):
        if is_club(follower.club):
            keys.setdefault(follower.club, []).append(follower.key)
    following = []
    for club_id, ids in keys.items():
        try:
            opens, name = clubs.with_state(
                club_id,
                lambda state: (state.shows_evening(session_id), state.opened and state.opened.name),
            )
        except UnknownSessionError:  # also of a club that was deleted meanwhile
            continue
        stop = clubs.stop_of(club_id, session_id)
        if opens or stop is None:
            own_keys = tuple(filter(is_key_id, ids))
            following.append(FollowingClub(club_id, name or "", own_keys, stop))
    return sorted(following, key=lambda club: (club.name.casefold(), club.id))


def stop_club(clubs: Clubs, session_id: str, club_id: str) -> None:
    """Stop a club from reading new events of a session.

    Raises `UnknownClubError` if the club does not count or follow the session.
    """
    if club_id not in {club.id for club in following_clubs(clubs, session_id)}:
        raise UnknownClubError(club_id)
    clubs.store.stop_following(session_id, club_id)
