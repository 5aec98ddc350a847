"""The events of a hand of French Tarot."""

from dataclasses import dataclass
from typing import ClassVar, Final

from scorekeeper.authoring import (
    CARD,
    PLAYER,
    Card,
    Display,
    Event,
    OneOf,
    RestClaimed,
    Whole,
    counted_in,
    part,
    play_events,
)
from scorekeeper_tarot.rules import CONTRACTS

CONTRACT: Final = OneOf(tuple(CONTRACTS), words="")  # the same in all languages
HalvesCounted: Final = counted_in(2)
PETITS: Final = ("none", "taker", "defence")
PETIT_LAST: Final = "Petit in the last trick"


@dataclass(frozen=True, slots=True)
class ContractTaken(Event):
    """A player takes, by the highest bid (F3)."""

    TYPE: ClassVar = "contract_taken"
    TITLE: ClassVar = "Contract"
    DISPLAY: ClassVar = Display.LOGGED  # beside the contract of the deal
    SAYS: ClassVar = ("{player} takes: {contract}",)
    player: str = part(PLAYER, "who declares")
    contract: str = part(CONTRACT, "Contract")

    @property
    def bid(self) -> str:
        return self.contract


@dataclass(frozen=True, slots=True)
class KingCalled(Event):
    """The taker calls a king (F3)."""

    TYPE: ClassVar = "king_called"
    TITLE: ClassVar = "Called king"
    SAYS: ClassVar = ("Called: {card}",)
    card: Card = part(CARD, "the card")


@dataclass(frozen=True, slots=True)
class PartnerNamed(Event):
    """The partner, or the taker who plays alone (F3)."""

    TYPE: ClassVar = "partner_named"
    TITLE: ClassVar = "Partner, or the taker alone"
    SAYS: ClassVar = ("Partner: {player}",)
    player: str = part(PLAYER, "who declares")


@dataclass(frozen=True, slots=True)
class HandfulShown(Event):
    """A player shows a handful of trumps (F7)."""

    TYPE: ClassVar = "handful_shown"
    TITLE: ClassVar = "Handful"
    SAYS: ClassVar = ("{player} shows {trumps} trumps",)
    player: str = part(PLAYER, "who declares")
    trumps: int = part(Whole(8, 18), "Handful", label="Handful")


@dataclass(frozen=True, slots=True)
class SlamAnnounced(Event):
    """The taker announces a slam (F8)."""

    TYPE: ClassVar = "slam_announced"
    TITLE: ClassVar = "Slam"
    SAYS: ClassVar = ("{player} announces a slam",)
    player: str = part(PLAYER, "who declares")


@dataclass(frozen=True, slots=True)
class BoutsCounted(Event):
    """The bouts of the taker, and the petit in the last trick (F2, F6)."""

    TYPE: ClassVar = "bouts_counted"
    TITLE: ClassVar = "Bouts of the taker"
    SAYS: ClassVar = ("Bouts: {bouts}; petit: {petit}",)
    bouts: int = part(Whole(0, 3), TITLE, label=TITLE, asks=TITLE)
    petit: str = part(OneOf(PETITS), PETIT_LAST, label=PETIT_LAST, asks=PETIT_LAST)


EVENTS: Final[tuple[type[Event], ...]] = (
    ContractTaken, KingCalled, PartnerNamed, HandfulShown, SlamAnnounced, BoutsCounted,
    *(event for event in play_events(2) if event is not RestClaimed),
)  # fmt: skip
