"""The recorded tricks of a hand, and the strongest card of a trick.

Nothing here judges. A trick may be recorded with all its cards, with some, or with nothing but
its winner. :class:`Tricks` stores every entry with its trick and its seq.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.cards.packs import Card, Suit


@dataclass(slots=True, eq=False)
class Play:
    """A card played to a trick.

    Not frozen, because one is created for every card, and that would take four times as long.
    """

    seq: int
    player: str
    card: Card


@dataclass(slots=True, eq=False)
class NamedWinner:
    """A recorded statement that a player won a trick."""

    seq: int
    player: str


class Trick:
    """One trick: its number in the hand, its cards in the order of recording, its named winners."""

    __slots__ = ("named_winners", "number", "plays", "trump")

    def __init__(self, number: int) -> None:
        """Begin the trick with this number in the hand, without any entry."""
        self.number = number
        self.plays: list[Play] = []
        self.named_winners: tuple[NamedWinner, ...] = ()
        self.trump: str | None = None  # in games where it can change: the one when it was complete

    @property
    def led(self) -> Play | None:
        """The play that shows which suit was led: of the first card with a suit; None without one.

        The Fool has none, so that the card after it may be of any suit.
        """
        return next((play for play in self.plays if play.card.suit is not None), None)

    @property
    def led_suit(self) -> Suit | None:
        """The suit that was led; None while it is not known."""
        led = self.led
        return None if led is None else led.card.suit

    def events(self) -> tuple[int, ...]:
        """Return the seqs of all entries about this trick."""
        winners = (winner.seq for winner in self.named_winners)
        return (*(play.seq for play in self.plays), *winners)

    def card_of(self, player: str) -> Play | None:
        """Return the card of ``player``, or None if it is not recorded."""
        for play in self.plays:
            if play.player == player:
                return play
        return None


class NumberedTricks(NamedTuple):
    """The recorded tricks in order of number: up to the last trick of a hand, and beyond it."""

    within: Sequence[Trick]
    beyond: Sequence[Trick]


class Tricks:
    """The recorded tricks of one hand of ``total`` tricks among ``players`` players.

    >>> tricks = Tricks(players=2, total=12)
    >>> tricks.name_winner(7, "leo")
    >>> tricks.play(Play(8, "leo", Card.parse("AS")))
    >>> tricks.play(Play(9, "mara", Card.parse("KS"))).number
    2
    >>> tricks.name_winner(10, "leo")
    >>> [(trick.number, len(trick.plays), len(trick.named_winners)) for trick in tricks]
    [(1, 0, 1), (2, 2, 1)]
    """

    __slots__ = ("_just_filled", "_next", "_sorted", "numbered", "open", "players", "total")

    def __init__(self, players: int, total: int) -> None:
        """Begin without any trick."""
        self.players = players
        self.total = total
        self.numbered: dict[int, Trick] = {}
        self.open: Trick | None = None  # with some of its cards, and no named winner
        self._just_filled: Trick | None = None  # with all its cards, and no entry since
        self._next = 1
        self._sorted: NumberedTricks | None = None  # None until it is computed again

    def __iter__(self) -> Iterator[Trick]:
        """Return the recorded tricks up to the last of the hand, in order of number."""
        return iter(self._in_order().within)

    def beyond(self) -> Sequence[Trick]:
        """Return the recorded tricks whose numbers are above ``total``, in order of number."""
        return self._in_order().beyond

    def _in_order(self) -> "NumberedTricks":
        """Return the tricks by number, split after trick ``total``; cached until one is added."""
        if self._sorted is None:
            tricks = [self.numbered[number] for number in sorted(self.numbered)]
            within = [trick for trick in tricks if trick.number <= self.total]
            self._sorted = NumberedTricks(within, tricks[len(within) :])
        return self._sorted

    @property
    def due(self) -> int:
        """The number of the trick to which the next card belongs."""
        return self.open.number if self.open else self._next

    def is_full(self, trick: Trick) -> bool:
        """Return whether all cards of ``trick`` are recorded."""
        return len(trick.plays) == self.players

    def play(self, play: Play) -> Trick | None:
        """Add a card to the open trick, or begin the next; return the trick if it is now full.

        Otherwise return None.
        """
        trick = self.open
        if trick is None:
            trick = self.open = self._begin_trick(self._next)
            self._just_filled = None
        trick.plays.append(play)
        if len(trick.plays) < self.players:
            return None
        self.open = None
        self._just_filled = trick
        return trick

    def name_winner(self, seq: int, player: str, number: int | None = None) -> None:
        """Record that ``player`` won a trick, which closes it if it is open.

        Without ``number`` it is the trick that was filled by the entry before, else the open
        trick, else the next.
        """
        if number is not None:
            trick = self.numbered.get(number) or self._begin_trick(number)
        else:
            trick = self._just_filled or self.open or self._begin_trick(self._next)
        trick.named_winners += (NamedWinner(seq, player),)
        if trick is self.open:
            self.open = None
        self._just_filled = None

    def _begin_trick(self, number: int) -> Trick:
        """Add an empty trick of this number; set ``_next`` to the first number without one."""
        trick = self.numbered[number] = Trick(number)
        self._sorted = None
        while self._next in self.numbered:
            self._next += 1
        return trick


def strongest(plays: Sequence[Play], strength: Mapping[Card, int]) -> Play:
    """Return the play that wins a trick: the one of the strongest card, of equal ones the last.

    ``strength`` lacks the cards that cannot win. If it lacks all of them, the first play wins.
    """
    best, best_strength = plays[0], 0
    for play in plays:
        card_strength = strength.get(play.card, -1)
        if card_strength >= best_strength:
            best, best_strength = play, card_strength
    return best
