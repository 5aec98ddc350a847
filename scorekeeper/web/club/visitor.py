"""Functions shared by the pages of a club: the visitor, their rights, and recording."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, TypeVar
from urllib.parse import urlencode

from flask import request
from flask_babel import get_locale

from scorekeeper.clubs.season_words import format_decimal
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.state import ClubState
from scorekeeper.http.access import ANY, holder_in_club
from scorekeeper.http.extensions import clubs
from scorekeeper.service import Holder, NewEvent
from scorekeeper.service.club_rights import KeyOf, no_key_shown, refuse_role
from scorekeeper.store import Role
from scorekeeper.streams.requests import UnderLock
from scorekeeper.web.frame.form_keys import form_digest
from scorekeeper.web.opening.for_club import append_to_club
from scorekeeper.web.phone.viewer import own_seat

T = TypeVar("T")
LINES_PER_PAGE: Final = 50  # of a long list


@dataclass(frozen=True, slots=True)
class Visitor:
    """The viewer of a club's page: the role of their key, and which member they are.

    ``me`` is empty if this phone is not a member's; ``currency`` is empty if the club keeps no
    money.
    """

    club_id: str
    holder: Holder
    me: str
    name: str
    place: str
    currency: str

    @property
    def hosts(self) -> bool:
        """Whether the visitor is a host of the club."""
        return self.holder.role == "host"

    @property
    def records(self) -> bool:
        """Whether the visitor may open tables, enter evenings and record payments."""
        return self.holder.role in ("host", "seat")

    @property
    def money(self) -> bool:
        """Whether the club keeps money, or any of its matches had a stake."""
        return bool(self.currency) or clubs().see(self.club_id, has_stakes, "for money")


def has_stakes(snapshot: ClubSnapshot) -> bool:
    """Return whether any match of a club's evenings was for money."""
    matches = (match for evening in snapshot.evenings.values() for match in evening.matches)
    return any(match.money is not None for match in matches)


def visitor_of(club_id: str, *roles: Role) -> Visitor:
    """Return the visitor, who needs a key with one of these roles, by default any.

    Raises `UnknownClubError`, `MissingKeyError` or `ForbiddenError`.
    """
    holder = holder_in_club(club_id)
    refuse_role(holder, *(roles or ANY))
    seat = own_seat(club_id) if holder.role == "host" else holder.key
    player = (seat.player if seat else None) or holder.player or ""

    def visitor(state: ClubState) -> Visitor:
        me, opened = state.get_current_id(player), state.opened
        return Visitor(
            club_id, holder, me if me in state.members else "", opened.name if opened else "",
            (opened and opened.place) or "", (opened and opened.currency) or "",
        )  # fmt: skip

    return clubs().with_state(club_id, visitor)


class ListPart(NamedTuple, Generic[T]):
    """The part of a long list on a page, the newest first, with the addresses of the next parts.

    An address is empty if there is no such part.
    """

    shown: Sequence[T]
    newer: str
    older: str


def page_of_list(items: Sequence[T], anchor: str = "") -> ListPart[T]:
    """Return the part of a list that begins after the lines that the query's `skip` counts.

    `anchor` is added to the addresses of the other parts.
    """
    skipped = request.args.get("skip", 0, type=int)
    first = skipped if 0 <= skipped < len(items) else 0
    after = first + LINES_PER_PAGE
    newer = _address_skipping(max(first - LINES_PER_PAGE, 0), anchor) if first else ""
    older = _address_skipping(after, anchor) if after < len(items) else ""
    return ListPart(items[first:after], newer, older)


def _address_skipping(lines: int, anchor: str) -> str:
    """Return the address of this page at the part of its list after so many lines."""
    query = {name: value for name, value in request.args.items() if name != "done"}
    return f"{request.script_root}{request.path}?{urlencode({**query, 'skip': lines})}{anchor}"


def see_club(club_id: str, make: UnderLock[ClubSnapshot, T]) -> T:
    """Return the result of `make` for a club in its present state."""
    return clubs().see(club_id, make)


def record_in_club(visitor: Visitor, *events: NewEvent, shown: KeyOf = no_key_shown) -> None:
    """Record events in the club after its latest entry, though others record meanwhile.

    Raises `UnusableError` or `ForbiddenError`. A form with a key is recorded once, however often it
    is sent.
    """
    record_computed(visitor, lambda: events, shown)


def record_computed(
    visitor: Visitor, build_events: Callable[[], Iterable[NewEvent]], shown: KeyOf = no_key_shown
) -> None:
    """Record the events that ``build_events`` returns for the latest state of the club."""
    append_to_club(visitor.club_id, visitor.holder, build_events, shown, form_digest())


def localize_figure(shown: str) -> str:
    """Return a figure, written with a decimal point and a hyphen, in the reader's language."""
    return format_decimal(shown, str(get_locale() or "en"))


def format_number(value: float) -> str:
    """Return a number in the reader's language, with at most two decimals."""
    return localize_figure(
        str(value) if isinstance(value, int) else f"{value:.2f}".rstrip("0").rstrip(".")
    )
