"""The destination of a key or a code: a table, a club or a tournament, and who can come in."""

from collections.abc import Mapping
from typing import NamedTuple

from flask import url_for

from scorekeeper.clubs.state import ClubState
from scorekeeper.http.extensions import clubs, service, tournaments
from scorekeeper.session.session import Session
from scorekeeper.store import KeyRequest, NewKey
from scorekeeper.store.keyring import StreamKind, is_club, is_tournament, kind_of
from scorekeeper.tournaments.state import TournamentState
from scorekeeper.web.wording.naming import distinct_names


class Destination(NamedTuple):
    """What a key or code leads to, with the names of its players or members by id."""

    id: str
    title: str
    names: Mapping[str, str]

    @property
    def club(self) -> bool:
        """Whether this is a club, not a table."""
        return is_club(self.id)

    @property
    def tournament(self) -> bool:
        """Whether this is a tournament."""
        return is_tournament(self.id)

    @property
    def address(self) -> str:
        """The address of the first page of the table, club or tournament."""
        return first_page_url(self.id)


def find_destination(stream_id: str) -> Destination:
    """Return the table, club or tournament with this id.

    Raises `UnknownSessionError`, `UnknownClubError` or `UnknownTournamentError`.
    """
    kind = kind_of(stream_id)
    if kind == StreamKind.CLUB:
        return clubs().with_state(stream_id, lambda state: _club(stream_id, state))
    if kind == StreamKind.TOURNAMENT:
        return tournaments().with_state(stream_id, lambda state: _tournament(stream_id, state))
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


def _tournament(tournament_id: str, state: TournamentState) -> Destination:
    """Return a tournament with the players of its entrants."""
    names = {player: name for player, name, _ in state.list_players()}
    return Destination(tournament_id, state.opening.name, names)


def first_page_url(stream_id: str) -> str:
    """Return the address of the first page of a table, a club or a tournament."""
    kind = kind_of(stream_id)
    if kind == StreamKind.CLUB:
        return url_for("club.page", club_id=stream_id)
    if kind == StreamKind.TOURNAMENT:
        return url_for("tournament.page", tournament_id=stream_id)
    return url_for("table.page", session_id=stream_id)


def create_view_key(stream_id: str) -> NewKey:
    """Create a key for viewing a table, a club or a tournament; return it with its secret."""
    kind, view = kind_of(stream_id), KeyRequest("view")
    if kind == StreamKind.CLUB:
        return clubs().add_key(stream_id, view)
    if kind == StreamKind.TOURNAMENT:
        return tournaments().add_key(stream_id, view)
    return service().add_key(stream_id, view)
