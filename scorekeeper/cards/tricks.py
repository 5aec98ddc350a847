"""The tricks of a hand as they are recorded, and how the strongest card is found.

Nothing here judges. A trick may be on record with all its cards, with some, or with no more
than its winner; :class:`Tricks` keeps what was said, in which place, and under which seq.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.cards.packs import Card, Suit


@dataclass(slots=True, eq=False)
class Play:
    """One card played to a trick.

    Not frozen, for one is made of every card: that would take four times as long.
    """

    seq: int
    player: str
    card: Card


@dataclass(slots=True, eq=False)
class NamedWinner:
    """Who won a trick, as somebody said it at the table."""

    seq: int
    player: str


class Trick:
    """One trick: its number in the hand, the cards in the order of recording, what was said."""

    __slots__ = ("number", "plays", "said", "trump")

    def __init__(self, number: int) -> None:
        self.number = number
        self.plays: list[Play] = []
        self.said: tuple[NamedWinner, ...] = ()
        self.trump: str | None = None  # in games where it can change: in force when complete

    @property
    def led_suit(self) -> Suit | None:
        """The suit led: of the first card that has one."""
        for play in self.plays:
            if play.card.suit is not None:
                return play.card.suit
        return None

    def events(self) -> tuple[int, ...]:
        """The seqs of what is on record of it."""
        return (*(play.seq for play in self.plays), *(said.seq for said in self.said))

    def card_of(self, player: str) -> Play | None:
        """What ``player`` played to it, where that is on record."""
        for play in self.plays:
            if play.player == player:
                return play
        return None


class Sorted(NamedTuple):
    """The tricks on record in order of number: those that the hand has room for, and others."""

    within: Sequence[Trick]
    beyond: Sequence[Trick]


class Tricks:
    """The tricks on record of one hand of ``total`` tricks among ``players`` players.

    >>> tricks = Tricks(players=2, total=12)
    >>> tricks.taken(7, "leo")
    >>> tricks.play(Play(8, "leo", Card.parse("AS")))
    >>> tricks.play(Play(9, "mara", Card.parse("KS"))).number
    2
    >>> tricks.taken(10, "leo")
    >>> [(trick.number, len(trick.plays), len(trick.said)) for trick in tricks]
    [(1, 0, 1), (2, 2, 1)]
    """

    __slots__ = ("_claimable", "_next", "_sorted", "numbered", "open", "players", "total")

    def __init__(self, players: int, total: int) -> None:
        self.players = players
        self.total = total
        self.numbered: dict[int, Trick] = {}
        self.open: Trick | None = None  # with some of its cards, and no winner said
        self._claimable: Trick | None = None  # all its cards, and no card or claim since
        self._next = 1
        self._sorted: Sorted | None = None  # where it is to be found anew

    def __iter__(self) -> Iterator[Trick]:
        """The tricks on record that the hand has room for, in order of number."""
        return iter(self._in_order().within)

    def beyond(self) -> Sequence[Trick]:
        """The tricks on record beyond the hand's number."""
        return self._in_order().beyond

    def _in_order(self) -> "Sorted":
        if self._sorted is None:
            tricks = [self.numbered[one] for one in sorted(self.numbered)]
            within = [trick for trick in tricks if trick.number <= self.total]
            self._sorted = Sorted(within, tricks[len(within) :])
        return self._sorted

    @property
    def due(self) -> int:
        """The number of the trick that the next card goes to."""
        return self.open.number if self.open else self._next

    def full(self, trick: Trick) -> bool:
        """Whether all the cards of ``trick`` are on record."""
        return len(trick.plays) == self.players

    def play(self, play: Play) -> Trick | None:
        """Record a card to the open trick, or to the next. The trick, where it is now full."""
        trick = self.open
        if trick is None:
            trick = self.open = self._add(self._next)
            self._claimable = None
        trick.plays.append(play)
        if len(trick.plays) < self.players:
            return None
        self.open = None
        self._claimable = trick
        return trick

    def taken(self, seq: int, player: str, number: int | None = None) -> None:
        """Record who took a trick: the one of that number, or the one that is meant."""
        if number is not None:
            trick = self.numbered.get(number) or self._add(number)
        else:
            trick = self._claimable or self.open or self._add(self._next)
        trick.said += (NamedWinner(seq, player),)
        if trick is self.open:
            self.open = None
        self._claimable = None

    def _add(self, number: int) -> Trick:
        trick = self.numbered[number] = Trick(number)
        self._sorted = None
        while self._next in self.numbered:
            self._next += 1
        return trick


def strongest(plays: Sequence[Play], strength: Mapping[Card, int]) -> Play:
    """The play that wins: of the strongest, the last. Cards that cannot win have no strength."""
    best, power = plays[0], 0
    for play in plays:
        this = strength.get(play.card, -1)
        if this >= power:
            best, power = play, this
    return best
