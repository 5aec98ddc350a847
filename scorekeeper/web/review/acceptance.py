"""The form with which a player accepts a hand: a confirmation, or later a correction."""

import json
from dataclasses import dataclass
from typing import Final

from scorekeeper.events.corrections import EventInserted
from scorekeeper.events.disputes import HandConfirmed
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session

ACCEPTED_LATER: Final = "accepted later"


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The event with which a player accepts a hand; ``fixed`` is its data as JSON."""

    player: str
    type: str
    fixed: str


def find_acceptance(session: Session, hand: HandRecord, player: str) -> Acceptance | None:
    """Return the event with which a player can accept a hand; None if they have, or cannot.

    The last complete hand takes a confirmation. An earlier one takes a correction that inserts the
    confirmation into it.
    """
    match = hand.match
    awaited = hand.awaited is not None and hand.ended_face_down
    if (
        session.structure.closed is not None
        or player not in match.seats
        or not (awaited or match.is_complete(hand))
        or match.is_after_end(hand)
        or has_signed(session, hand, player)
    ):
        return None
    confirmation = {"player": player}
    if hand is session.structure.match.last_to_confirm():
        return Acceptance(player, HandConfirmed.TYPE, json.dumps(confirmation))
    data = {
        "after": hand.entries[-1].seq, "type": HandConfirmed.TYPE, "data": confirmation,
        "reason": ACCEPTED_LATER,
    }  # fmt: skip
    return Acceptance(player, EventInserted.TYPE, json.dumps(data))


def has_signed(session: Session, hand: HandRecord, player: str) -> bool:
    """Return whether a player has confirmed a hand as it now stands."""
    disputes, inserted = session.structure.disputes, session.corrections.inserted
    return any(
        disputes.signature_holds(signature, hand, inserted)
        for signature in disputes.signatures.get(hand.started.seq, ())
        if signature.player == player
    )
