"""A new table for a club: its members to tap into seats; the evening is entered as it opens."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from scorekeeper.clubs.books import Books
from scorekeeper.clubs.roll import KeptHouse
from scorekeeper.clubs.season import in_order
from scorekeeper.clubs.who_is_who import who_is_who
from scorekeeper.http.access import holder_in_club, shown
from scorekeeper.http.extensions import clubs
from scorekeeper.log import canonical
from scorekeeper.service import AppendRequest, Holder, NewEvent, Recorded
from scorekeeper.service.club_logs import entering
from scorekeeper.service.club_rights import KeyOf, nothing_shown, refuse_role
from scorekeeper.store import Opened
from scorekeeper.web.frame.form_keys import form_digest, record_after_others
from scorekeeper.web.frame.ring import turned
from scorekeeper.web.phone.own_seat import own_seat
from scorekeeper.web.phone.remembered import Remembered

CHIPS: Final = 24  # members to tap, those who played last; the names of all can be typed


class ForClub(NamedTuple):
    """The club for which a table is opened, by whom, who played last, who is in it, and how."""

    id: str
    holder: Holder
    name: str
    last: Remembered
    members: tuple[str, ...]
    houses: tuple[KeptHouse, ...]

    @property
    def hosted(self) -> bool:
        """Whether it is opened by a host of the club."""
        return self.holder.role == "host"


def for_club(club_id: str) -> ForClub | None:
    """The club of a form, None where it names none.

    Raises `UnknownClubError`, `MissingKeyError` or `ForbiddenError`.
    """
    if not club_id:
        return None
    holder = holder_in_club(club_id)
    refuse_role(holder, "host", "seat")
    seat = own_seat(club_id) if holder.role == "host" else holder.key
    me = (seat and seat.player) or ""
    return clubs().see(club_id, lambda books: _of(books, holder, me, club_id))


def _of(books: Books, holder: Holder, me: str, club_id: str) -> ForClub:
    there = {one.id: one.name for one in books.roll.members.values() if not one.left}
    played, game, last = dict[str, None](), "", tuple[str, ...]()
    for attended in reversed(in_order(books.attended())):
        seated = (attended.whose.get(player) for player in attended.evening.names)
        seats = [one for one in seated if one in there]
        if not played:
            last = turned(seats, books.roll.now(me))
            game = next((match.game for match in reversed(attended.evening.matches)), "")
        played |= dict.fromkeys(seats)
    names = sorted(there.values(), key=str.casefold)
    first = [there[one] for one in (*last, *played)]
    return ForClub(
        club_id, holder, books.name,
        Remembered(game, tuple(there[one] for one in last),
                   tuple(dict.fromkeys((*first, *names)))[:CHIPS]),
        tuple(names),
        tuple(books.roll.houses.values()),
    )  # fmt: skip


def enter(club: ForClub, new: Opened, players: Mapping[str, str]) -> None:
    """Let the evening of a new table count, each player by his name; others are guests."""
    secret = next(one.secret for one in new.keys if one.key.role == "host")

    def entered() -> Iterable[NewEvent]:
        who = clubs().see(club.id, lambda books: who_is_who(books, players, join=False))
        return entering(new.id, who)

    add_to(club.id, club.holder, entered, shown([secret]), form_digest())


def add_to(
    club_id: str,
    holder: Holder,
    meant: Callable[[], Iterable[NewEvent]],
    look: KeyOf = nothing_shown,
    sent: bytes = b"",
) -> Recorded:
    """Record what is ``meant`` in a club as it stands, whatever others record meanwhile.

    With ``sent``, the digest of a form with a key of its own, once however often it comes.
    Unusable, ForbiddenError.

    Raises `StaleVersionError` if others record all the time.
    """

    def record(version: int) -> Recorded:
        said = tuple(NewEvent(one.type, canonical.normalized(one.data)) for one in meant())
        asked = AppendRequest(version, said, key=sent.hex() or None, digest=sent)
        return clubs().record(club_id, asked, holder, look)

    return record_after_others(club_id, record)
