"""The events of a hand of Tressette."""

from dataclasses import dataclass
from typing import ClassVar, Final

from scorekeeper.authoring import PLAY, PLAYER, Event, OneOf, Together, Whole, part
from scorekeeper_tressette.rules import DECLARED_RANKS, PACK

SUIT: Final = OneOf(tuple(map(str, PACK.suits)), words="suit")


@dataclass(frozen=True, slots=True)
class NapoletanaDeclared(Event):
    """A player declares three, two and ace of one suit (T7)."""

    TYPE: ClassVar = "napoletana_declared"
    TITLE: ClassVar = "Napoletana declared"
    NOUN: ClassVar = "A napoletana"
    SAYS: ClassVar = ("{player} declared a napoletana in {suit}",)
    player: str = part(PLAYER, "who declares")
    suit: str = part(SUIT, "its suit")


@dataclass(frozen=True, slots=True)
class SameRankDeclared(Event):
    """A player declares three or four of the threes, the twos or the aces (T7)."""

    TYPE: ClassVar = "same_rank_declared"
    TITLE: ClassVar = "Same rank declared"
    NOUN: ClassVar = "Three or four of a rank"
    TOGETHER: ClassVar = Together("Which?", "{count} × {rank}")
    SAYS: ClassVar = ("{player} declared {count} {rank}s[, without {suit}]",)
    player: str = part(PLAYER, "who declares")
    count: int = part(Whole(3, 4), "how many", label="How many", asks="How many?")
    rank: str = part(OneOf(DECLARED_RANKS, words="ranks"), "their rank")
    suit: str | None = part(SUIT, "of three, the suit that they lack", optional=True)


EVENTS: Final[tuple[type[Event], ...]] = (NapoletanaDeclared, SameRankDeclared, *PLAY)
