"""The cards that a player provably held, or provably did not hold.

Cards never pass from one player to the other. So a player never held what the opponent played,
drew, threw away or showed; and the twelve cards that a player plays are their holding.
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
SUITS: Final = tuple(PACK.cards_of_suit(suit) for suit in PACK.suits)  # each strongest first
RANKS: Final = {
    rank: tuple(card for card in PACK.cards if card.rank == rank) for rank in PACK.ranks
}


class LocatedCard(NamedTuple):
    """A card that an entry proves with a player: ``held`` after the exchange, or only before it."""

    seq: int
    player: str
    card: Card
    held: bool


def located_cards(deal: PicchettoDeal) -> Iterator[LocatedCard]:
    """Yield every card that an entry proves with a player.

    Cards shown for a declaration are left out, because it may be false, and so are cards that
    were played twice.
    """
    twice = {play.card for play in deal.again}
    for trick in deal.tricks:
        for play in trick.plays:
            if play.card not in twice:
                yield LocatedCard(play.seq, play.player, play.card, held=True)
    for player in deal.table.players:
        exchange = deal.exchange(player)
        if exchange is not None:
            seq, event = exchange
            yield from (
                LocatedCard(seq, player, card, held=False) for card in event.discarded or ()
            )
            yield from (LocatedCard(seq, player, card, held=True) for card in event.drawn or ())
    for shown in deal.shown:
        held = not deal.before_exchange(shown.player, shown.seq)
        yield from (LocatedCard(shown.seq, shown.player, card, held) for card in shown.cards)


class Holding(NamedTuple):
    """The known part of a player's holding after the exchange.

    ``sure`` are cards that the player certainly held, ``out`` cards that they certainly did not
    hold, each with the seq of the entry that proves it.
    """

    sure: dict[Card, int]
    out: dict[Card, int]

    @property
    def free(self) -> int:
        """The number of the twelve cards that are not known."""
        return HELD - len(self.sure)

    def may_include(self, cards: Iterable[Card]) -> bool:
        """Return whether the player may have held all these cards, which are different ones."""
        free = self.free
        for card in cards:
            if card not in self.sure:
                free -= 1
                if free < 0 or card in self.out:
                    return False
        return True

    @property
    def proof_of_held(self) -> tuple[int, ...]:
        """The seqs of the entries that prove which cards the player held."""
        return tuple(sorted(set(self.sure.values())))

    @property
    def exclusions_only(self) -> "Holding":
        """This holding without the cards that the player certainly held."""
        return Holding({}, self.out)

    def proof(self, cards: Iterable[Card]) -> tuple[int, ...]:
        """Return the seqs that prove which of these cards the player did not hold.

        A card was elsewhere, or all twelve cards of the player are known.
        """
        if not self.free:
            return self.proof_of_held
        return tuple(sorted({*self.proof_of_held, *self.proof_of_elsewhere(cards)}))

    def proof_of_elsewhere(self, cards: Iterable[Card]) -> tuple[int, ...]:
        """Return the seqs that prove that some of these cards were elsewhere."""
        return tuple(sorted({self.out[card] for card in cards if card in self.out}))

    def with_shown(self, seq: int, cards: Iterable[Card], *, own: bool) -> "Holding":
        """Return this holding after cards were shown in the entry ``seq``.

        If ``own``, the player of the holding showed them and is sure to hold them, unless they are
        too many; otherwise the opponent showed them, so they are out.
        """
        known = self.sure if own else self.out
        more = {card: seq for card in cards if card not in self.sure and card not in self.out}
        if own and len(more) > self.free:
            return self
        return (
            Holding({**known, **more}, self.out) if own else Holding(self.sure, {**known, **more})
        )


def holding(deal: PicchettoDeal, player: str) -> Holding:
    """Return the known part of a player's holding after the exchange."""
    return holdings(deal)[player]


@cached_on_deal
def holdings(deal: PicchettoDeal) -> dict[str, Holding]:
    """Return the known part of the holding of each player."""
    located = list(located_cards(deal))
    return {player: _holding(deal, player, located) for player in deal.table.players}


def _holding(deal: PicchettoDeal, player: str, located: list[LocatedCard]) -> Holding:
    """Return the known part of a player's holding, by the cards located so far.

    A card on which the record contradicts itself proves nothing, nor does a holding of more
    than twelve.
    """
    sure: dict[Card, int] = {}
    out: dict[Card, int] = {}
    for proof in located:
        if proof.player != player:
            out.setdefault(proof.card, proof.seq)
        elif proof.held:
            sure.setdefault(proof.card, proof.seq)
    exchange = deal.exchange(player)
    for card in (exchange.event.discarded or ()) if exchange else ():
        out.setdefault(card, exchange.seq if exchange else 0)
    disputed = sure.keys() & out.keys()
    for card in disputed:
        del sure[card], out[card]
    return Holding(sure, out) if len(sure) <= HELD else Holding({}, {})


class ExaminedStatements(NamedTuple):
    """The declarations and showings compared with the cards, and the holdings known after them.

    ``refuted`` has the entries that refute a declaration or showing, by the seq of the latter.
    """

    refuted: dict[int, tuple[int, ...]]
    holdings: dict[str, Holding]


@cached_on_deal
def examine_statements(deal: PicchettoDeal) -> ExaminedStatements:
    """Compare each declaration and showing, in recorded order, with the cards known by then.

    The cards of a showing are known from then on, unless it is refuted.
    """
    held = {player: holding(deal, player) for player in deal.table.players}
    refuted: dict[int, tuple[int, ...]] = {}
    statements = (*deal.declarations, *deal.showings)
    for seq, event in sorted(statements, key=lambda recorded: deal.places[recorded.seq]):
        proof = refutation(held[event.player], event)
        if proof is not None:
            refuted[seq] = proof
        elif cards := getattr(event, "cards", None):
            for player, known in held.items():
                held[player] = known.with_shown(seq, cards, own=player == event.player)
    return ExaminedStatements(refuted, held)


# ------------------------------------------------------------------- the best of each category


def best_worth(category: str, held: Holding, *, at_most: bool) -> Worth:
    """Return the best worth that a player can have held in a category.

    ``at_most``: with all cards that are possible; otherwise with the certain ones only.
    """
    if not at_most:
        held = Holding(dict.fromkeys(held.sure, 0), dict.fromkeys(PACK.cards, 0))
    return BEST[category](held)


def _best_point(held: Holding) -> Worth:
    """Return the worth of the best point that the player may have held."""
    return max((_highest_sum(held, suit), 0) for suit in SUITS)


def _highest_sum(held: Holding, suit: tuple[Card, ...]) -> int:
    """Return the highest sum that the player may have held in a suit, given strongest first."""
    sure = [card for card in suit if card in held.sure]
    more = [card for card in suit if card not in held.sure and card not in held.out]
    return sum(CARD_VALUE[card.rank] for card in (*sure, *more[: held.free]))


def _count_possible(held: Holding, suit: tuple[Card, ...]) -> int:
    """Return how many of these cards the player may have held."""
    sure = sum(card in held.sure for card in suit)
    more = sum(card not in held.sure and card not in held.out for card in suit)
    return sure + min(more, held.free)


def _best_sequence(held: Holding) -> Worth:
    """Return the worth of the best sequence that the player may have held; (0, 0) without one."""
    return next((worth for worth, run in BEST_RUNS if held.may_include(run)), (0, 0))


def _best_set(held: Holding) -> Worth:
    """Return the worth of the best set that the player may have held; (0, 0) without one."""
    sets = (
        (count, RANK[rank])
        for count in SET_POINTS
        for rank in SET_RANKS
        if _count_possible(held, RANKS[rank]) >= count
    )
    return max(sets, default=(0, 0))


# Every possible sequence of every suit with its worth, the best first.
BEST_RUNS: Final[tuple[tuple[Worth, tuple[Card, ...]], ...]] = tuple(
    ((length, RANK[suit[top].rank]), suit[top : top + length])
    for length in sorted(SEQUENCE_POINTS, reverse=True)
    for top in range(len(PACK.ranks) - length + 1)
    for suit in SUITS
)

BEST: Final = {"point": _best_point, "sequence": _best_sequence, "set": _best_set}


def runs_of(length: int, high: str) -> list[tuple[Card, ...]]:
    """Return the runs of ``length`` cards down from the rank ``high``, one in each suit.

    It is empty if there are not enough lower ranks.
    """
    top = PACK.ranks.index(high)
    runs = [suit[top : top + length] for suit in SUITS]
    return [run for run in runs if len(run) == length]


# ---------------------------------------------------------------------- what a holding allows


def refutation(held: Holding, event: Event) -> tuple[int, ...] | None:
    """Return the seqs that refute a declaration or showing; None if it may be true.

    It is () if the statement contradicts its own cards.
    """
    cards = getattr(event, "cards", None) or ()
    if not cards_match(event):
        return ()
    if not held.may_include(cards):
        return held.proof_of_elsewhere(cards)[:1] or held.proof_of_held
    if allows(held, event):
        return None
    concerned = _cards_concerned(event)
    return (
        held.proof(concerned)
        if allows(held.exclusions_only, event)
        else held.proof_of_elsewhere(concerned)
    )


def allows(held: Holding, event: Event) -> bool:
    """Return whether a holding can make a declaration or showing true.

    Raises `TypeError` for any other event.
    """
    match event:
        case PointDeclared():
            return _best_point(held) >= (event.value, 0)
        case PointShown():
            return any(_count_possible(held, suit) >= event.count for suit in SUITS)
        case SequenceDeclared() | SequenceShown():
            return any(held.may_include(run) for run in runs_of(event.length, event.high))
        case SetDeclared() | SetShown():
            return _count_possible(held, RANKS[event.rank]) >= event.count
    raise TypeError(event)


def allows_together(held: Holding, shown: list[SequenceShown]) -> bool:
    """Return whether a player may have held all these sequences, with no card in two of them."""
    if len(shown) > HELD // min(SEQUENCE_POINTS):
        return False
    for runs in product(*(_runs_shown(event) for event in shown)):
        cards = [card for run in runs for card in run]
        if len(set(cards)) == len(cards) and held.may_include(cards):
            return True
    return False


def _runs_shown(event: SequenceShown) -> list[tuple[Card, ...]]:
    """Return the possible cards of a sequence shown: one run if its cards are on record."""
    if event.cards is not None and cards_match(event):
        return [event.cards]
    return runs_of(event.length, event.high)


def _cards_concerned(event: Event) -> tuple[Card, ...]:
    """Return the cards that decide whether a declaration or showing is true."""
    match event:
        case SequenceDeclared() | SequenceShown():
            return tuple(card for run in runs_of(event.length, event.high) for card in run)
        case SetDeclared() | SetShown():
            return RANKS[event.rank]
    return PACK.cards


def cards_match(event: Event) -> bool:
    """Return whether the cards of a showing match its other fields; True without cards."""
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
