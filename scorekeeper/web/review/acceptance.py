"""How a player accepts a hand: the last complete one by his word, an earlier one at its place."""

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
    """What a form records for a player who accepts a hand; ``fixed`` is its data in JSON."""

    player: str
    type: str
    fixed: str


def acceptance(session: Session, hand: HandRecord, player: str) -> Acceptance | None:
    """How a player of a hand accepts it; None where he has, or where it is too late or early."""
    match = hand.match
    waits = hand.awaited is not None and hand.awaited.status == "complete"
    if (
        session.structure.closed is not None
        or player not in match.seats
        or not (waits or match.complete(hand))
        or match.after_end(hand)
        or has_signed(session, hand, player)
    ):
        return None
    word = {"player": player}
    if hand is session.structure.match.last_to_confirm():
        return Acceptance(player, HandConfirmed.TYPE, json.dumps(word))
    data = {
        "after": hand.entries[-1].seq, "type": HandConfirmed.TYPE, "data": word,
        "reason": ACCEPTED_LATER,
    }  # fmt: skip
    return Acceptance(player, EventInserted.TYPE, json.dumps(data))


def has_signed(session: Session, hand: HandRecord, player: str) -> bool:
    """Whether a player has signed a hand as it now stands."""
    said, inserted = session.structure.said, session.corrections.inserted
    return any(
        said.stands(one, hand, inserted)
        for one in said.signatures.get(hand.started.seq, ())
        if one.player == player
    )
