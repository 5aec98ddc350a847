"""Functions shared by the pages of a tournament: the visitor, their rights, and recording."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from scorekeeper.base.errors import UnusableError
from scorekeeper.http.access import holder_in_tournament
from scorekeeper.http.extensions import tournaments
from scorekeeper.log import canonical
from scorekeeper.service import Holder, NewEvent, Recorded
from scorekeeper.service.folded_tournament import TournamentSnapshot
from scorekeeper.service.tournament_rights import (
    ASSISTANT,
    DIRECTOR,
    ROLES,
    refuse_tournament_role,
    tournament_role,
)
from scorekeeper.streams.requests import StreamAppend, UnderLock
from scorekeeper.tournaments.state import TournamentState
from scorekeeper.web.frame.form_keys import form_digest, record_after_others, recorded_before

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TournamentVisitor:
    """The viewer of a tournament's page: the role of their key, and which player they are.

    ``role`` is one of `ROLES`. ``player`` and ``entrant`` are empty unless the phone is an
    entrant's player's; a substitute's entrant is the one for whom they play.
    """

    tournament_id: str
    holder: Holder
    role: str
    name: str
    place: str
    player: str
    entrant: str

    @property
    def directs(self) -> bool:
        """Whether the visitor is a director."""
        return self.role == DIRECTOR

    @property
    def assists(self) -> bool:
        """Whether the visitor answers calls, records paper and keeps the clock."""
        return self.role in (DIRECTOR, ASSISTANT)


def tournament_visitor(tournament_id: str, *roles: str) -> TournamentVisitor:
    """Return the visitor, who needs a key with one of these roles, by default any.

    Raises `UnknownTournamentError`, `MissingKeyError` or `ForbiddenError`.
    """
    holder = holder_in_tournament(tournament_id)
    refuse_tournament_role(holder, *(roles or ROLES))
    role = tournament_role(holder.role, holder.player)

    def visitor(state: TournamentState) -> TournamentVisitor:
        opening = state.opening
        player = "" if role == ASSISTANT else holder.player or ""
        return TournamentVisitor(
            tournament_id, holder, role, opening.name, opening.place or "", player,
            next((entrant.id for known, _, entrant in state.list_players() if known == player), ""),
        )  # fmt: skip

    return tournaments().with_state(tournament_id, visitor)


def see_tournament(tournament_id: str, make: UnderLock[TournamentSnapshot, T]) -> T:
    """Return the result of ``make`` for a tournament with the results of its tables."""
    return tournaments().see(tournament_id, make)


def record_in_tournament(visitor: TournamentVisitor, *events: NewEvent) -> Recorded:
    """Record events of a form after the latest entry of the tournament; see `append_form`."""
    return record_built(visitor, lambda: events)


def record_built(
    visitor: TournamentVisitor, build_events: Callable[[], Iterable[NewEvent]]
) -> Recorded:
    """Record the events that ``build_events`` returns for the latest state of the tournament."""

    def ask(version: int) -> StreamAppend:
        events = (NewEvent(kind, canonical.normalize(data)) for kind, data in build_events())
        return StreamAppend(version, tuple(events))

    return append_form(visitor, ask)


def append_form(
    visitor: TournamentVisitor, ask: Callable[[int], StreamAppend], after: int | None = None,
    file: bytes = b"",
) -> Recorded:  # fmt: skip
    """Record what ``ask`` returns for a version, once for each form that has a key.

    It follows version ``after`` if that is given; raises `StaleVersionError` if that is not the
    latest. Otherwise it follows the latest entry, though others record meanwhile. ``file`` is what
    was sent with the form. Raises
    `UnusableError` or `ForbiddenError`.
    """
    digest = form_digest(file)

    def record(version: int) -> Recorded:
        try:
            asked = ask(version)
        except UnusableError:  # perhaps because the same form was recorded meanwhile
            if not recorded_before(visitor.tournament_id, file):
                raise
            asked = StreamAppend(version)  # gets the answer to that form
        asked = replace(asked, key=digest.hex() or None, digest=digest)
        return tournaments().record(visitor.tournament_id, asked, visitor.holder)

    if after is not None:
        return record(after)
    return record_after_others(visitor.tournament_id, record)
