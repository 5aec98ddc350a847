"""The capacity of a log; a full one still accepts corrections, signatures and its end."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from scorekeeper.base.errors import SessionFullError
from scorekeeper.events.common import SessionClosed
from scorekeeper.events.corrections import CORRECTING
from scorekeeper.events.disputes import (
    CorrectionProposed,
    DisputeSettled,
    HandConfirmed,
    HandDisputed,
    ProposalDeclined,
    ProposalSigned,
)
from scorekeeper.log.face_down import KEEPER, is_salted
from scorekeeper.tournaments.events import RoundClosed, TournamentClosed

# A full session still accepts these: corrections, signatures, and its end.
ALLOWED_WHEN_FULL: Final = frozenset(
    event.TYPE
    for event in (*CORRECTING, HandConfirmed, HandDisputed, CorrectionProposed, ProposalSigned,
                ProposalDeclined, DisputeSettled, SessionClosed, RoundClosed, TournamentClosed)
)  # fmt: skip
HIDDEN_BLOCK_BYTES: Final = 4096  # lines that can lie face down count as multiples of this
SPARE_DIVISOR: Final = 20  # these may exceed the capacity by a twentieth
HOST_SHARE_DIVISOR: Final = 8  # an eighth of the capacity, and of the spare, is the host's
MAX_SEAT_MULTIPLE: Final = 4  # of the free capacity: the most that one seat may have added


class Amount(NamedTuple):
    """A part of a log: events, and the bytes that they count for."""

    events: int = 0
    bytes: int = 0


class Usage:
    """The events and bytes that each author added to a log."""

    def __init__(self) -> None:
        self._by: dict[str, Amount] = {}

    def add(self, author: str, events: int, size: int) -> None:
        """Add to the count of an author; negative amounts take back."""
        before = self._by.get(author, Amount())
        self._by[author] = Amount(before.events + events, before.bytes + size)

    def of(self, author: str) -> Amount:
        """Return the events and bytes that an author added."""
        return self._by.get(author, Amount())

    def share_of(self, author: str, hidden: int = 0) -> "SeatShare":
        """Return the share of an author with a seat, and that of all seats.

        ``hidden`` is the number of the seat's events that the log does not ascribe to it.
        """
        own = self.of(author)
        others = [amount for author, amount in self._by.items() if author != KEEPER]
        return SeatShare(
            Amount(own.events + hidden, own.bytes + hidden * HIDDEN_BLOCK_BYTES),
            Amount(sum(each.events for each in others), sum(each.bytes for each in others)),
        )


class SeatShare(NamedTuple):
    """The amounts that one seat or member added to a log, and all of them together."""

    own: Amount
    all_seats: Amount


@dataclass(frozen=True, slots=True)
class LogCapacity:
    """The most ``events`` of a session, and the most ``bytes`` as they are stored."""

    events: int
    bytes: int

    def refuse(
        self, events: int, size: int, new: Iterable[str], seat: SeatShare | None = None
    ) -> None:
        """Raise `SessionFullError` if a log with new events exceeds its capacity.

        ``events`` and ``size`` are those of the log with them, ``new`` their types. A ``seat`` that
        records them has added at most four times what is still free: at most four fifths, so that
        the others can go on. All seats together leave a part to the host.
        """
        spare = 0 if set(new) - ALLOWED_WHEN_FULL else SPARE_DIVISOR
        own, all_seats = seat or SeatShare(Amount(), Amount())
        for used, most, own_used, seats_used, unit in (
            (events, self.events, own.events, all_seats.events, "events"),
            (size, self.bytes, own.bytes, all_seats.bytes, "bytes as it is stored"),
        ):
            more = most // spare if spare else 0
            if used > most + more:
                raise SessionFullError(f"a session has at most {most} {unit}")
            if seat is None:
                continue
            if own_used > MAX_SEAT_MULTIPLE * (most + more - used):
                raise SessionFullError("a seat fills at most four fifths of what others leave")
            if (
                seats_used > most - most // HOST_SHARE_DIVISOR
                or used > most + more - more // HOST_SHARE_DIVISOR
            ):
                raise SessionFullError(
                    "only the host can add more: the seats have used their part of the session"
                )


def counted_size(line: bytes) -> int:
    """Return the counted bytes of a stored line, with its line end.

    A line that can lie face down counts in whole blocks: otherwise a seat that fills the session
    would learn the length of hidden data.
    """
    size = len(line) + 1
    return -(-size // HIDDEN_BLOCK_BYTES) * HIDDEN_BLOCK_BYTES if is_salted(line) else size


UNBOUNDED: Final = LogCapacity(1 << 62, 1 << 62)
