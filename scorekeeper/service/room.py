"""How large a session may become: so much, and then what sets it right or ends it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

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

# What is still recorded in a session that is full: corrections and signatures, and its end.
STILL: Final = frozenset(
    one.TYPE
    for one in (*CORRECTING, HandConfirmed, HandDisputed, CorrectionProposed, ProposalSigned,
                ProposalDeclined, DisputeSettled, SessionClosed)
)  # fmt: skip
SPARE: Final = 20  # one more event for each 20, of these only, and as many bytes


@dataclass(frozen=True, slots=True)
class Room:
    """How many ``events`` a session may have, and how many ``bytes`` as they are stored."""

    events: int
    bytes: int

    def refuse(self, events: int, size: int, new: Iterable[str]) -> None:
        """Refuse events of these types if the session would exceed its capacity with them.

        Raises `SessionFullError`.
        """
        spare = 0 if set(new) - STILL else SPARE
        if events > self.events + (spare and self.events // spare):
            raise SessionFullError(f"a session has at most {self.events} events")
        if size > self.bytes + (spare and self.bytes // spare):
            raise SessionFullError(f"a session has at most {self.bytes} bytes as it is stored")


UNBOUNDED: Final = Room(1 << 62, 1 << 62)
