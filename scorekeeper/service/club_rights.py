"""Rights in a club: a host records all events, a member their own evenings and payments."""

from collections.abc import Callable, Container, Iterator, Mapping
from typing import Final, NamedTuple

from scorekeeper.base.errors import Cause, ForbiddenError, UnusableError
from scorekeeper.clubs.club import TYPES
from scorekeeper.clubs.events import (
    EveningEntered,
    MemberJoined,
    PaymentMade,
    TournamentEntered,
)
from scorekeeper.clubs.state import ClubState
from scorekeeper.clubs.values import EnteredTournament
from scorekeeper.events.corrections import EventInserted, EventReplaced
from scorekeeper.events.event import Event
from scorekeeper.log import codec
from scorekeeper.store import Key, Role
from scorekeeper.streams.holder import Holder

# The role of a member's key in the API; the store calls it a seat.
MEMBER: Final = "member"
ROLES: Final = ("host", MEMBER, "view")
ROLE_OF: Final[Mapping[str, Role]] = {"host": "host", MEMBER: "seat", "view": "view"}


class ShownKey(NamedTuple):
    """A key to an evening that the client has: its role, and the key, or None for the operator."""

    role: Role
    key: Key | None = None


Entering = EveningEntered | TournamentEntered

# From the id of a session or tournament to the client's key to it, or None.
KeyOf = Callable[[str], ShownKey | None]


def no_key_shown(session_id: str) -> None:
    """Return None: a `KeyOf` for a client that has no key to any evening."""
    return


def club_role(role: Role) -> str:
    """Return the name of a role in a club: a seat is called member."""
    return MEMBER if role == "seat" else role


def refuse_role(holder: Holder, *roles: Role) -> None:
    """Raise `ForbiddenError` if the holder has none of these roles in the club."""
    if holder.role not in roles:
        needed = " or ".join(club_role(needed_role) for needed_role in roles)
        raise ForbiddenError(
            f"this needs a key for {needed}, and yours is for {club_role(holder.role)}"
        )


def refuse_event(
    holder: Holder,
    state: ClubState,
    event: Event,
    shown: KeyOf,
    entering: Container[str | None] = (),
) -> None:
    """Raise an error if the holder may not record an event in the present club.

    `ForbiddenError` by the holder's role, and `UnusableError` if a key to an evening is missing;
    ``shown`` returns the client's keys. A member may add a new guest who is among ``entering``: the
    members and guests of an evening that the same request enters.
    """
    refuse_role(holder, "host", "seat")
    for entered in entered_by(event):
        refuse_unshown(holder, state, entered, shown)
    if holder.role == "host":
        return
    own = state.get_current_id(holder.player or "")
    member = state.members.get(own)
    if member is None or member.left or member.guest:
        raise ForbiddenError("a member who has left the club may not record in it")
    if isinstance(event, PaymentMade):
        if own not in (state.get_current_id(event.payer), state.get_current_id(event.to)):
            raise ForbiddenError(
                "a member records only their own payments; all others need the host"
            )
    elif not (
        isinstance(event, EveningEntered | TournamentEntered)
        or _is_new_guest(state, event, entering)
    ):
        raise ForbiddenError(f"{event.TYPE} needs the host's key")


def _is_new_guest(state: ClubState, event: Event, entering: Container[str | None]) -> bool:
    """Return whether an event adds a new guest whom an evening of the same request names."""
    return (
        isinstance(event, MemberJoined)
        and bool(event.guest)
        and event.id not in state.members
        and event.id not in state.merged
        and event.id in entering
    )


def decode_inserted(event: Event) -> Event:
    """Return the event that a correction inserts, decoded; any other event as it is.

    Raises `UnusableError` if the inserted event cannot be decoded.
    """
    if isinstance(event, EventInserted | EventReplaced):
        return codec.decode(event.type, event.data, TYPES)
    return event


def entered_by(event: Event) -> Iterator[Entering]:
    """Yield the event that enters an evening or a tournament, if ``event`` is or inserts one.

    Raises `UnusableError` if an inserted event cannot be decoded.
    """
    inserted = decode_inserted(event)
    if isinstance(inserted, EveningEntered | TournamentEntered):
        yield inserted


def get_entered_id(event: Entering) -> str:
    """Return the id of the session or tournament that an event enters."""
    return event.session if isinstance(event, EveningEntered) else event.tournament


def list_entered_people(event: Entering) -> Iterator[str | None]:
    """Yield the members and guests whom an event names, and None for players without account."""
    if isinstance(event, EveningEntered):
        yield from event.players.values()
    else:
        entered = EnteredTournament(event.tournament, event.entrants, 0)
        yield from (member for _, _, member in entered.list_people())


def refuse_unshown(holder: Holder, state: ClubState, event: Entering, shown: KeyOf) -> None:
    """Raise `UnusableError` if the client has no key to the evening or tournament that it enters.

    A member needs the key of the evening's host, or of the tournament's director. Viewers of the
    club can read the evening for as long as that key opens it. The host of the club may enter an
    evening again without a key.
    """
    known = get_entered_id(event) in state.ever_entered
    key = shown(get_entered_id(event))
    role = key and key.role
    if isinstance(event, TournamentEntered):
        _refuse_unshown_tournament(holder, role, known=known)
        return
    if role is None and not (known and holder.role == "host"):
        words = "a key to that evening is needed, such as the one in its link"
        raise UnusableError(Cause(words, "evening_not_shown"), field="data.session")
    if holder.role != "host" and role != "host":
        words = "a member can enter only evenings that they host, with the key of the host"
        raise UnusableError(Cause(words, "evening_not_hosted"), field="data.session")


def _refuse_unshown_tournament(holder: Holder, role: Role | None, *, known: bool) -> None:
    """Raise `UnusableError` unless a key with this role lets the holder enter a tournament."""
    if role is None and not (known and holder.role == "host"):
        words = "a key to that tournament is needed, such as the one in its link"
        raise UnusableError(Cause(words, "tournament_not_shown"), field="data.tournament")
    if holder.role != "host" and role != "host":
        words = "a member can enter only tournaments that they direct, with the director's key"
        raise UnusableError(Cause(words, "tournament_not_directed"), field="data.tournament")
