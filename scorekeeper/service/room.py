"""How large a session may become: so much, and then what sets it right or ends it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from scorekeeper.base.errors import SessionFullError
from scorekeeper.events.common import NoteAdded, SessionClosed
from scorekeeper.events.corrections import CORRECTING
from scorekeeper.events.disputes import (
    CorrectionProposed,
    DisputeSettled,
    HandConfirmed,
    HandDisputed,
    ProposalDeclined,
    ProposalSigned,
)
from scorekeeper.log.face_down import is_salted

# What is still recorded in a session that is full: corrections and signatures, and its end.
STILL: Final = frozenset(
    one.TYPE
    for one in (*CORRECTING, HandConfirmed, HandDisputed, CorrectionProposed, ProposalSigned,
                ProposalDeclined, DisputeSettled, SessionClosed)
)  # fmt: skip
# What seats say beside the play: they may fill half of a session with it, so that play can go on.
BESIDE_PLAY: Final = frozenset({NoteAdded.TYPE, HandDisputed.TYPE, CorrectionProposed.TYPE})
HIDDEN_BLOCK_BYTES: Final = 4096  # lines that can lie face down count as multiples of this
SPARE: Final = 20  # one more event for each 20, of these only, and as many bytes


@dataclass(frozen=True, slots=True)
class Room:
    """How many ``events`` a session may have, and how many ``bytes`` as they are stored."""

    events: int
    bytes: int

    def refuse(self, events: int, size: int, new: Iterable[str], *, by_seat: bool = False) -> None:
        """Refuse events of these types if the session would exceed its capacity with them.

        What a seat says beside the play has half the capacity.
        Raises `SessionFullError`.
        """
        types = set(new)
        is_half_full = events > self.events // 2 or size > self.bytes // 2
        if by_seat and types & BESIDE_PLAY and is_half_full:
            raise SessionFullError(
                "seats fill at most half of a session with notes, disputes and proposals"
            )
        spare = 0 if types - STILL else SPARE
        if events > self.events + (spare and self.events // spare):
            raise SessionFullError(f"a session has at most {self.events} events")
        if size > self.bytes + (spare and self.bytes // spare):
            raise SessionFullError(f"a session has at most {self.bytes} bytes as it is stored")


def counted_size(line: bytes) -> int:
    """Return how many bytes a stored line counts for, with its end.

    What can lie face down counts in whole blocks: else a seat that fills the session would learn
    the length of what it cannot see.
    """
    size = len(line) + 1
    return -(-size // HIDDEN_BLOCK_BYTES) * HIDDEN_BLOCK_BYTES if is_salted(line) else size


UNBOUNDED: Final = Room(1 << 62, 1 << 62)
