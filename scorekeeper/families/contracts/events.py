"""The event that tells who plays with the bidder."""

from dataclasses import dataclass
from typing import ClassVar

from scorekeeper.events.event import Event
from scorekeeper.events.fields import PLAYER, part


@dataclass(frozen=True, slots=True)
class PartnerRevealed(Event):
    """Who the bidder's partner is, as said at the table."""

    TYPE: ClassVar = "partner_revealed"
    TITLE: ClassVar = "Who is the partner?"
    NOUN: ClassVar = "The partner"
    SAYS: ClassVar = (
        "The partner is {player}",
        "The partner is recorded, and stays hidden for now",
    )
    SAYS_OF_BIDDER: ClassVar = {"player": "{player} plays alone"}
    HIDDEN: ClassVar = ("player",)
    AUTHOR_HIDDEN: ClassVar = True  # the author usually is the partner
    player: str = part(PLAYER, "the partner; the bidder if they are alone")
