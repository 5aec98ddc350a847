"""The destination of a key or a code: a table or a club, with the places that can be taken."""

from collections.abc import Mapping
from typing import NamedTuple

from flask import url_for

from scorekeeper.base.errors import UnknownSessionError
from scorekeeper.clubs.state import ClubState
from scorekeeper.http.extensions import clubs, service
from scorekeeper.session.session import Session
from scorekeeper.store import KeyRequest, NewKey
from scorekeeper.store.keyring import is_club, is_session
from scorekeeper.web.wording.naming import distinct_names


class Destination(NamedTuple):
    """A table or a club that a key or code leads to, with the names of players or members by id."""

    id: str
    title: str
    names: Mapping[str, str]

    @property
    def club(self) -> bool:
        """Whether this is a club, not a table."""
        return is_club(self.id)

    @property
    def address(self) -> str:
        """The address of the first page of the table or club."""
        return first_page_url(self.id)


def find_destination(stream_id: str) -> Destination:
    """Return the table or club with this id.

    Raises `UnknownSessionError` or `UnknownClubError`; also for a tournament, which has no pages.
    """
    if is_club(stream_id):
        return clubs().with_state(stream_id, lambda state: _club(stream_id, state))
    if not is_session(stream_id):
        raise UnknownSessionError(stream_id)
    return service().see(stream_id, lambda session: _table(stream_id, session))


def _club(club_id: str, state: ClubState) -> Destination:
    """Return a club with its present members, sorted by name."""
    members = {
        member.id: member.name
        for member in state.members.values()
        if not (member.left or member.guest)
    }
    names = dict(sorted(members.items(), key=lambda item: item[1].casefold()))
    return Destination(club_id, state.opened.name if state.opened else "", names)


def _table(session_id: str, session: Session) -> Destination:
    """Return a table with the displayed names of its players."""
    opened, players = session.structure.opened, session.structure.players
    return Destination(session_id, opened.title if opened else "", distinct_names(players))


def first_page_url(stream_id: str) -> str:
    """Return the address of the first page of a table or a club.

    Raises `UnknownSessionError` for a tournament, which has no pages.
    """
    if is_club(stream_id):
        return url_for("club.page", club_id=stream_id)
    if not is_session(stream_id):
        raise UnknownSessionError(stream_id)
    return url_for("table.page", session_id=stream_id)


def create_view_key(stream_id: str) -> NewKey:
    """Create a key for viewing a table or a club, and return it with its secret."""
    keeper = clubs() if is_club(stream_id) else service()
    return keeper.add_key(stream_id, KeyRequest("view"))
