"""What the pages of a club share: who looks, what he may, and how something is recorded."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, TypeVar
from urllib.parse import urlencode

from flask import request
from flask_babel import get_locale

from scorekeeper.clubs.books import Books
from scorekeeper.clubs.roll import Roll
from scorekeeper.clubs.season_words import decimal
from scorekeeper.http.access import ANY, holder_in_club
from scorekeeper.http.extensions import clubs
from scorekeeper.service import Holder, NewEvent
from scorekeeper.service.club_rights import KeyOf, nothing_shown, refuse_role
from scorekeeper.store import Role
from scorekeeper.web.frame.form_keys import form_digest
from scorekeeper.web.opening.for_club import add_to
from scorekeeper.web.phone.own_seat import own_seat

T = TypeVar("T")
AT_ONCE: Final = 50  # lines of a long list on one page


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who looks at a page of a club: what his key is for, and which member he is.

    ``me`` is empty where this phone is nobody's; ``currency`` where the club keeps no money.
    """

    club_id: str
    holder: Holder
    me: str
    name: str
    place: str
    currency: str

    @property
    def hosts(self) -> bool:
        """Whether he may do everything."""
        return self.holder.role == "host"

    @property
    def records(self) -> bool:
        """Whether he may open tables for the club, enter evenings and record payments."""
        return self.holder.role in ("host", "seat")

    @property
    def money(self) -> bool:
        """Whether the club keeps money, or some was played for at its evenings."""
        return bool(self.currency) or clubs().see(self.club_id, for_money, "for money")


def for_money(books: Books) -> bool:
    """Whether a match of a club had a stake."""
    every = (match for one in books.evenings.values() for match in one.matches)
    return any(match.money is not None for match in every)


def visitor_of(club_id: str, *roles: Role) -> Visitor:
    """Who asks, with a key for one of these roles or any.

    Raises `UnknownClubError`, `MissingKeyError` or `ForbiddenError`.
    """
    holder = holder_in_club(club_id)
    refuse_role(holder, *(roles or ANY))
    seat = own_seat(club_id) if holder.role == "host" else holder.key
    player = (seat.player if seat else None) or holder.player or ""

    def visitor(roll: Roll) -> Visitor:
        me, opened = roll.now(player), roll.opened
        return Visitor(
            club_id, holder, me if me in roll.members else "", opened.name if opened else "",
            (opened and opened.place) or "", (opened and opened.currency) or "",
        )  # fmt: skip

    return clubs().roll(club_id, visitor)


class ListPart(NamedTuple, Generic[T]):
    """What a page shows of a long list, the newest first, and the addresses of the parts beside it.

    These are empty where there is nothing more.
    """

    shown: Sequence[T]
    newer: str
    older: str


def part_of(every: Sequence[T], anchor: str = "") -> ListPart[T]:
    """The part of a list that the query asks for by how many lines it skips, else the first."""
    skipped = request.args.get("skip", 0, type=int)
    first = skipped if 0 <= skipped < len(every) else 0
    after = first + AT_ONCE
    newer = _skipping(max(first - AT_ONCE, 0), anchor) if first else ""
    older = _skipping(after, anchor) if after < len(every) else ""
    return ListPart(every[first:after], newer, older)


def _skipping(lines: int, anchor: str) -> str:
    """This page, at another part of its list."""
    asked = {name: said for name, said in request.args.items() if name != "done"}
    return f"{request.script_root}{request.path}?{urlencode({**asked, 'skip': lines})}{anchor}"


def see(club_id: str, make: Callable[[Books], T]) -> T:
    """What is made of a club as it stands."""
    return clubs().see(club_id, make)


def record_in_club(visitor: Visitor, *events: NewEvent, shown: KeyOf = nothing_shown) -> None:
    """Put events on record after whatever others record meanwhile.

    Raises `UnusableError` or `ForbiddenError`.

    A form with a key of its own is recorded once, however often it is sent.
    """
    record_meant(visitor, lambda: events, shown)


def record_meant(
    visitor: Visitor, meant: Callable[[], Iterable[NewEvent]], shown: KeyOf = nothing_shown
) -> None:
    """The same of what follows from the club as it stands at that moment."""
    add_to(visitor.club_id, visitor.holder, meant, shown, form_digest())


def written(shown: str) -> str:
    """A figure of a table in the reader's language."""
    return decimal(shown, str(get_locale() or "en"))


def figure(value: float) -> str:
    """A figure as JSON has it in the reader's language, to two decimals at most."""
    return written(str(value) if isinstance(value, int) else f"{value:.2f}".rstrip("0").rstrip("."))
