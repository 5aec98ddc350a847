"""What the record proves of the cards that a player held, after the exchange and before it.

Cards never pass from one player to the other. So whatever one of them played, drew, threw away
or showed, the other never held; and the twelve cards that a player plays are his holding.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final, NamedTuple

from scorekeeper.cards.packs import Card
from scorekeeper.events.event import Event
from scorekeeper.games.picchetto.declarations import Worth
from scorekeeper.games.picchetto.events import (
    PointDeclared,
    PointShown,
    SequenceDeclared,
    SequenceShown,
    SetDeclared,
    SetShown,
)
from scorekeeper.games.picchetto.rules import (
    CARD_VALUE,
    PACK,
    SEQUENCE_POINTS,
    SET_POINTS,
    SET_RANKS,
)
from scorekeeper.games.picchetto.state import RANK, PicchettoDeal, cached_on_deal

HELD: Final = 12  # cards, before the exchange and after it
SUITS: Final = tuple(PACK.suit_of(suit) for suit in PACK.suits)  # each strongest first
RANKS: Final = {
    rank: tuple(card for card in PACK.cards if card.rank == rank) for rank in PACK.ranks
}


class SeenCard(NamedTuple):
    """A card seen with a player, as an entry says: still held after his exchange, or before it."""

    seq: int
    player: str
    card: Card
    held: bool


def seen_cards(deal: PicchettoDeal) -> Iterator[SeenCard]:
    """Every card that was seen with a player; what was shown for a declaration is left out.

    So is a card that was played twice, which proves nothing.
    """
    twice = {play.card for play in deal.again}
    for trick in deal.tricks:
        for play in trick.plays:
            if play.card not in twice:
                yield SeenCard(play.seq, play.player, play.card, held=True)
    for player in deal.table.players:
        exchange = deal.exchange(player)
        if exchange is not None:
            seq, event = exchange
            yield from (SeenCard(seq, player, card, held=False) for card in event.discarded or ())
            yield from (SeenCard(seq, player, card, held=True) for card in event.drawn or ())
    for shown in deal.shown:
        held = not deal.before_exchange(shown.player, shown.seq)
        yield from (SeenCard(shown.seq, shown.player, card, held) for card in shown.cards)


class Holding(NamedTuple):
    """What a player held after the exchange: for sure, and what he cannot have held; with proof."""

    sure: dict[Card, int]
    out: dict[Card, int]

    @property
    def free(self) -> int:
        """How many of his twelve cards are not known."""
        return HELD - len(self.sure)

    def may(self, cards: Iterable[Card]) -> bool:
        """Whether he may have held all these cards, each named once."""
        free = self.free
        for card in cards:
            if card not in self.sure:
                free -= 1
                if free < 0 or card in self.out:
                    return False
        return True

    @property
    def whole(self) -> tuple[int, ...]:
        """The entries that prove the cards which he held."""
        return tuple(sorted(set(self.sure.values())))

    @property
    def elsewhere(self) -> "Holding":
        """What is known of it by the cards that were elsewhere alone."""
        return Holding({}, self.out)

    def proof(self, cards: Iterable[Card]) -> tuple[int, ...]:
        """The entries that show where these cards were, and which he held in their place."""
        if not self.free:
            return self.whole
        return tuple(sorted({*self.whole, *self.where(cards)}))

    def where(self, cards: Iterable[Card]) -> tuple[int, ...]:
        """The entries that show which of these cards were elsewhere."""
        return tuple(sorted({self.out[card] for card in cards if card in self.out}))

    def with_shown(self, seq: int, cards: Iterable[Card], *, own: bool) -> "Holding":
        """The same, and these cards, shown by the player himself or by his opponent."""
        known = self.sure if own else self.out
        more = {card: seq for card in cards if card not in self.sure and card not in self.out}
        if own and len(more) > self.free:
            return self
        return (
            Holding({**known, **more}, self.out) if own else Holding(self.sure, {**known, **more})
        )


def holding(deal: PicchettoDeal, player: str) -> Holding:
    """What the record proves of a player's holding after the exchange (see :func:`seen`)."""
    return holdings(deal)[player]


@cached_on_deal
def holdings(deal: PicchettoDeal) -> dict[str, Holding]:
    """What the record proves of the holding of each player."""
    all_seen = list(seen_cards(deal))
    return {player: _holding(deal, player, all_seen) for player in deal.table.players}


def _holding(deal: PicchettoDeal, player: str, all_seen: list[SeenCard]) -> Holding:
    """The holding of a player, by what was seen.

    A card on which the record contradicts itself proves nothing, nor does a holding of more
    than twelve.
    """
    sure: dict[Card, int] = {}
    out: dict[Card, int] = {}
    for one in all_seen:
        if one.player != player:
            out.setdefault(one.card, one.seq)
        elif one.held:
            sure.setdefault(one.card, one.seq)
    exchange = deal.exchange(player)
    for card in (exchange.event.discarded or ()) if exchange else ():
        out.setdefault(card, exchange.seq if exchange else 0)
    disputed = sure.keys() & out.keys()
    for card in disputed:
        del sure[card], out[card]
    return Holding(sure, out) if len(sure) <= HELD else Holding({}, {})


class Examined(NamedTuple):
    """What the cards say to all that was declared and shown, and what is known after it.

    ``refuted`` has what proves, by seq, that something is not so; what may be so is left out.
    """

    refuted: dict[int, tuple[int, ...]]
    holdings: dict[str, Holding]


@cached_on_deal
def examined(deal: PicchettoDeal) -> Examined:
    """Everything declared and shown, one after another beside the cards known by then.

    The cards shown for a declaration are known from then on, unless it was refuted.
    """
    held = {player: holding(deal, player) for player in deal.table.players}
    refuted: dict[int, tuple[int, ...]] = {}
    said = (*deal.declarations, *deal.showings)
    for seq, event in sorted(said, key=lambda one: deal.places[one.seq]):
        proof = refutation(held[event.player], event)
        if proof is not None:
            refuted[seq] = proof
        elif cards := getattr(event, "cards", None):
            for player, known in held.items():
                held[player] = known.with_shown(seq, cards, own=player == event.player)
    return Examined(refuted, held)


# ------------------------------------------------------------------- the best of each category


def best(category: str, held: Holding, *, at_most: bool) -> Worth:
    """The best that a player held in a category, as far as is known: at most, or at least."""
    if not at_most:
        held = Holding(dict.fromkeys(held.sure, 0), dict.fromkeys(PACK.cards, 0))
    return BEST[category](held)


def _best_point(held: Holding) -> Worth:
    return max((_sum(held, suit), 0) for suit in SUITS)


def _sum(held: Holding, suit: tuple[Card, ...]) -> int:
    """The highest sum that he may have had in a suit; its cards are strongest first."""
    sure = [card for card in suit if card in held.sure]
    more = [card for card in suit if card not in held.sure and card not in held.out]
    return sum(CARD_VALUE[card.rank] for card in (*sure, *more[: held.free]))


def _length(held: Holding, suit: tuple[Card, ...]) -> int:
    sure = sum(card in held.sure for card in suit)
    more = sum(card not in held.sure and card not in held.out for card in suit)
    return sure + min(more, held.free)


def _best_sequence(held: Holding) -> Worth:
    return next((worth for worth, run in BEST_RUNS if held.may(run)), (0, 0))


def _best_set(held: Holding) -> Worth:
    sets = (
        (count, RANK[rank])
        for count in SET_POINTS
        for rank in SET_RANKS
        if _length(held, RANKS[rank]) >= count
    )
    return max(sets, default=(0, 0))


# Every run of every suit, the best first.
BEST_RUNS: Final[tuple[tuple[Worth, tuple[Card, ...]], ...]] = tuple(
    ((length, RANK[suit[top].rank]), suit[top : top + length])
    for length in sorted(SEQUENCE_POINTS, reverse=True)
    for top in range(len(PACK.ranks) - length + 1)
    for suit in SUITS
)

BEST: Final = {"point": _best_point, "sequence": _best_sequence, "set": _best_set}


def runs_of(length: int, high: str) -> list[tuple[Card, ...]]:
    """The runs of that length under that top card, one in each suit; none where it is too low."""
    top = PACK.ranks.index(high)
    runs = [suit[top : top + length] for suit in SUITS]
    return [run for run in runs if len(run) == length]


# ---------------------------------------------------------------------- what a holding allows


def refutation(held: Holding, event: Event) -> tuple[int, ...] | None:
    """What proves that a player cannot have held what he declared or showed, None where he may."""
    cards = getattr(event, "cards", None) or ()
    if not is_itself(event):
        return ()
    if not held.may(cards):
        return held.where(cards)[:1] or held.whole
    if allows(held, event):
        return None
    concerned = _concerned(event)
    return held.proof(concerned) if allows(held.elsewhere, event) else held.where(concerned)


def allows(held: Holding, event: Event) -> bool:
    """Whether a player may have held what he declared or showed."""
    match event:
        case PointDeclared():
            return _best_point(held) >= (event.value, 0)
        case PointShown():
            return any(_length(held, suit) >= event.count for suit in SUITS)
        case SequenceDeclared() | SequenceShown():
            return any(held.may(run) for run in runs_of(event.length, event.high))
        case SetDeclared() | SetShown():
            return _length(held, RANKS[event.rank]) >= event.count
    raise TypeError(event)


def allows_together(held: Holding, shown: list[SequenceShown]) -> bool:
    """Whether a player may have held all these sequences, no card in two of them."""
    if len(shown) > HELD // min(SEQUENCE_POINTS):
        return False
    for runs in product(*(_runs_shown(event) for event in shown)):
        cards = [card for run in runs for card in run]
        if len(set(cards)) == len(cards) and held.may(cards):
            return True
    return False


def _runs_shown(event: SequenceShown) -> list[tuple[Card, ...]]:
    """The runs that a sequence shown can have been: one, where its cards are on record."""
    if event.cards is not None and is_itself(event):
        return [event.cards]
    return runs_of(event.length, event.high)


def _concerned(event: Event) -> tuple[Card, ...]:
    """The cards on which it depends whether what was declared or shown is true."""
    match event:
        case SequenceDeclared() | SequenceShown():
            return tuple(card for run in runs_of(event.length, event.high) for card in run)
        case SetDeclared() | SetShown():
            return RANKS[event.rank]
    return PACK.cards


def is_itself(event: Event) -> bool:
    """Whether the cards with which something was shown are what it was said to be."""
    cards = getattr(event, "cards", None)
    if cards is None:
        return True
    match event:
        case PointShown():
            return len(cards) == event.count and len({card.suit for card in cards}) == 1
        case SequenceShown():
            return set(cards) in [set(run) for run in runs_of(event.length, event.high)]
        case SetShown():
            return len(cards) == event.count and {card.rank for card in cards} == {event.rank}
    return True
