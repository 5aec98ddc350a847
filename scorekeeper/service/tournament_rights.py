"""Rights in a tournament: directors record all, assistants and entrants little."""

from collections.abc import Mapping
from typing import Final

from scorekeeper.base.errors import ForbiddenError, UnusableError, expected
from scorekeeper.events.event import Event
from scorekeeper.log.face_down import KEEPER
from scorekeeper.store import KeyRequest, Role
from scorekeeper.streams.holder import Holder
from scorekeeper.tournaments.events import (
    CallAnswered,
    ClockStopped,
    DirectorCalled,
    ResultRecorded,
    RoundStarted,
    TimeAdded,
)
from scorekeeper.tournaments.record import TournamentRecord

DIRECTOR: Final = "director"
ASSISTANT: Final = "assistant"
ENTRANT: Final = "entrant"
VIEW: Final = "view"
ROLES: Final = (DIRECTOR, ASSISTANT, ENTRANT, VIEW)
# The store calls a director the host. It calls entrants and assistants seats: that of an entrant is
# of a player, and that of an assistant of the keeper, which no player can be called.
STORED_ROLE_OF: Final[Mapping[str, Role]] = {
    DIRECTOR: "host", ASSISTANT: "seat", ENTRANT: "seat", VIEW: "view",
}  # fmt: skip
ASSISTANT_EVENTS: Final = (
    DirectorCalled, CallAnswered, ResultRecorded, RoundStarted, TimeAdded, ClockStopped,
)  # fmt: skip


def tournament_role(role: Role, player: str | None) -> str:
    """Return the name of a role in a tournament, by the role and the player of its key."""
    if role == "seat":
        return ASSISTANT if player == KEEPER else ENTRANT
    return DIRECTOR if role == "host" else VIEW


def request_key(role: str, player: str | None, expires: str | None = None) -> KeyRequest:
    """Return the request for a key of a role; an entrant's is that of a player.

    Raises `UnusableError` if the player is missing, or the role has none.
    """
    if (role == ENTRANT) != (player is not None):
        words = "a key for an entrant names the player, and no other does"
        raise UnusableError(words, field="player")
    return KeyRequest(STORED_ROLE_OF[role], KEEPER if role == ASSISTANT else player, expires)


def sees_draws(holder: Holder) -> bool:
    """Return whether a holder sees draws that are not published."""
    return tournament_role(holder.role, holder.player) in (DIRECTOR, ASSISTANT)


def refuse_tournament_role(holder: Holder, *roles: str) -> None:
    """Raise `ForbiddenError` if the holder has none of these roles in the tournament."""
    own = tournament_role(holder.role, holder.player)
    if own not in roles:
        raise ForbiddenError(f"this needs a key for {' or '.join(roles)}, and yours is for {own}")


def refuse_tournament_event(holder: Holder, record: TournamentRecord, event: Event) -> None:
    """Raise `ForbiddenError` if the holder may not record an event in the present tournament.

    An entrant only calls the director, to the table at which they sit in the latest round.
    """
    refuse_tournament_role(holder, DIRECTOR, ASSISTANT, ENTRANT)
    role = tournament_role(holder.role, holder.player)
    if role == DIRECTOR or (role == ASSISTANT and isinstance(event, ASSISTANT_EVENTS)):
        return
    if role == ENTRANT and isinstance(event, DirectorCalled):
        present = record.find_present_table(holder.player or "")
        if present == (event.round, event.table) and event.caller == holder.player:
            return
        raise ForbiddenError("you can call the director only to the table at which you sit now")
    raise ForbiddenError(f"{event.TYPE} needs the director's key")


def refuse_unknown_player(record: TournamentRecord, player: str) -> None:
    """Raise `UnusableError` unless a key can be for this player: of an entrant, or the keeper."""
    if player != KEEPER and player not in {known for known, _, _ in record.list_players()}:
        raise UnusableError(
            expected("a player of this tournament", player, "no_such_player"), field="player"
        )
