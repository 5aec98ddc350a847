"""Who may record what in a club: a host anything, a member what he himself hosts, pays or gets."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from scorekeeper.base.errors import Cause, ForbiddenError, UnusableError
from scorekeeper.clubs.club import TYPES
from scorekeeper.clubs.events import EveningEntered, PaymentMade
from scorekeeper.clubs.state import ClubState
from scorekeeper.events.corrections import EventInserted, EventReplaced
from scorekeeper.events.event import Event
from scorekeeper.log import codec
from scorekeeper.service.permissions import Holder
from scorekeeper.store import Key, Role

# How a member's key is told to others; in the store it is that of a seat.
MEMBER: Final = "member"
ROLES: Final = ("host", MEMBER, "view")
ROLE_OF: Final[Mapping[str, Role]] = {"host": "host", MEMBER: "seat", "view": "view"}


class ShownKey(NamedTuple):
    """A key to an evening that was shown: its role, and the key, or None for the keeper."""

    role: Role
    key: Key | None = None


# By the id of a session, the key to it that was shown; None where none was.
KeyOf = Callable[[str], ShownKey | None]


def nothing_shown(session_id: str) -> None:
    """Show no key to any evening."""
    return


def role_told(role: Role) -> str:
    """What a role is called in a club."""
    return MEMBER if role == "seat" else role


def refuse_role(holder: Holder, *roles: Role) -> None:
    """Forbidden where the holder has none of these roles in the club."""
    if holder.role not in roles:
        needed = " or ".join(role_told(one) for one in roles)
        raise ForbiddenError(
            f"this needs a key for {needed}, and yours is for {role_told(holder.role)}"
        )


def refuse_event(holder: Holder, state: ClubState, event: Event, shown: KeyOf) -> None:
    """Forbidden where this holder may not record this event in the club as it stands."""
    refuse_role(holder, "host", "seat")
    for entering in entered_by(event):
        refuse_unshown(holder, state, entering, shown)
    if holder.role == "host":
        return
    own = state.get_current_id(holder.player or "")
    member = state.members.get(own)
    if member is None or member.left:
        raise ForbiddenError("who has left the club records nothing in it any more")
    if isinstance(event, PaymentMade):
        if own not in (state.get_current_id(event.payer), state.get_current_id(event.to)):
            raise ForbiddenError(
                "a member records what he paid or got himself; all else needs the host"
            )
    elif not isinstance(event, EveningEntered):
        raise ForbiddenError(f"{event.TYPE} needs the host's key")


def put_in(event: Event) -> Event:
    """Return the event that goes on record: itself, or what a correction puts in.

    Raises `UnusableError`.
    """
    if isinstance(event, EventInserted | EventReplaced):
        return codec.decode(event.type, event.data, TYPES)
    return event


def entered_by(event: Event) -> Iterator[EveningEntered]:
    """The evenings that an event enters, by itself or as a correction.

    Raises `UnusableError`.
    """
    found = put_in(event)
    if isinstance(found, EveningEntered):
        yield found


def refuse_unshown(holder: Holder, state: ClubState, event: EveningEntered, shown: KeyOf) -> None:
    """UnusableError where no key to an evening was shown, of its host where a member enters it.

    Whoever looks at the club can read the evening from then on, for as long as the key opens it.
    One that was entered before was shown then.
    """
    known = event.session in state.ever_entered
    found = shown(event.session)
    role = found and found.role
    if role is None and not (known and holder.role == "host"):
        words = "a key to that evening is needed, such as the one in its link"
        raise UnusableError(Cause(words, "evening_not_shown"), field="data.session")
    if holder.role != "host" and role != "host":
        words = "a member enters an evening that he hosts: the key of its host is needed"
        raise UnusableError(Cause(words, "evening_not_hosted"), field="data.session")
