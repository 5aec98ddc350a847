"""How large a session may become: so much, and then what sets it right or ends it."""

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

# What is still recorded in a session that is full: corrections and signatures, and its end.
STILL: Final = frozenset(
    one.TYPE
    for one in (*CORRECTING, HandConfirmed, HandDisputed, CorrectionProposed, ProposalSigned,
                ProposalDeclined, DisputeSettled, SessionClosed)
)  # fmt: skip
HIDDEN_BLOCK_BYTES: Final = 4096  # lines that can lie face down count as multiples of this
SPARE: Final = 20  # one more event for each 20, of these only, and as many bytes
HOST_PART: Final = 8  # of all, and of what is spare, an eighth is left to the host
SEAT_PART: Final = 4  # times what is still free: what one seat may have added


class Amount(NamedTuple):
    """A part of a log: events, and the bytes that they count for."""

    events: int = 0
    bytes: int = 0


class Usage:
    """What each author added to a log."""

    def __init__(self) -> None:
        self._by: dict[str, Amount] = {}

    def add(self, author: str, events: int, size: int) -> None:
        """Count more of an author, or less."""
        before = self._by.get(author, Amount())
        self._by[author] = Amount(before.events + events, before.bytes + size)

    def of(self, author: str) -> Amount:
        """Return what an author added."""
        return self._by.get(author, Amount())

    def share_of(self, author: str, hidden: int = 0) -> "SeatShare":
        """Return the share of a seat that added ``hidden`` events without its name, too."""
        own = self.of(author)
        others = [amount for author, amount in self._by.items() if author != KEEPER]
        return SeatShare(
            Amount(own.events + hidden, own.bytes + hidden * HIDDEN_BLOCK_BYTES),
            Amount(sum(one.events for one in others), sum(one.bytes for one in others)),
        )


class SeatShare(NamedTuple):
    """What one seat, or member, added to a log, and what all of them did."""

    own: Amount
    all_seats: Amount


@dataclass(frozen=True, slots=True)
class Room:
    """How many ``events`` a session may have, and how many ``bytes`` as they are stored."""

    events: int
    bytes: int

    def refuse(
        self, events: int, size: int, new: Iterable[str], seat: SeatShare | None = None
    ) -> None:
        """Refuse events of these types if the session would exceed its capacity with them.

        A ``seat`` that records them has added at most four times what is still free: at most four
        fifths, so that the others can go on. All seats together leave a part to the host.
        Raises `SessionFullError`.
        """
        spare = 0 if set(new) - STILL else SPARE
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
            if own_used > SEAT_PART * (most + more - used):
                raise SessionFullError("a seat fills at most four fifths of what others leave")
            if seats_used > most - most // HOST_PART or used > most + more - more // HOST_PART:
                raise SessionFullError("seats leave a part of a session to its host")


def counted_size(line: bytes) -> int:
    """Return how many bytes a stored line counts for, with its end.

    What can lie face down counts in whole blocks: else a seat that fills the session would learn
    the length of what it cannot see.
    """
    size = len(line) + 1
    return -(-size // HIDDEN_BLOCK_BYTES) * HIDDEN_BLOCK_BYTES if is_salted(line) else size


UNBOUNDED: Final = Room(1 << 62, 1 << 62)
