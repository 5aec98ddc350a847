"""The record of a hand of Briscola Regina: the Bris, the trump, the tricks and cards."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from scorekeeper.base.cached import cached_property
from scorekeeper.base.errors import Cause, UnusableError, expected
from scorekeeper.cards.packs import Card
from scorekeeper.cards.tricks import Play, Trick
from scorekeeper.events.playing import CardPlayed, CardsShown
from scorekeeper.families.briscola import ALL_POINTS, POINTS, strengths
from scorekeeper.games.briscola_regina.events import BrisCalled, FiguresShown, HandsExchanged
from scorekeeper.games.briscola_regina.rules import BRIS_RANKS, KINGS, TRICKS, figures_of
from scorekeeper.play.deal import Deal, card_points
from scorekeeper.play.folding import FOLD as COMMON_FOLD
from scorekeeper.play.folding import Fold, Refusals
from scorekeeper.play.folding import card_played as fold_card
from scorekeeper.play.folding import cards_shown as fold_shown
from scorekeeper.play.table import Table


class HeldCards(NamedTuple):
    """Cards in a player's holding, with the state of the record at the event."""

    seq: int
    player: str
    cards: tuple[Card, ...]
    played: int  # cards played before
    exchanged: int  # exchanges of hands of their side before
    trick: int  # the number of the trick that was being played, or came next


class BrisFigures(NamedTuple):
    """Four kings or four knights that a player showed, with the holding."""

    kind: str
    held: HeldCards


class Exchange(NamedTuple):
    """An exchange of hands between partners, with the state of the record at the event."""

    seq: int
    side: str
    played: int  # cards played before
    begun: int  # tricks on record before, the open one too
    open: Trick | None  # the trick that was open then


class TricksTaken(NamedTuple):
    """The points of the recorded tricks by side, and the cards that are in none of them."""

    points: Mapping[str, int]  # of the cards on record
    unseen: Mapping[str, int]  # how many of their cards are not on record
    hidden: list[int]  # points of all cards that are not, the lowest first


class Reach(NamedTuple):
    """The fewest and the most card points that a side can have according to the record."""

    low: int
    high: int


class ReginaDeal(Deal):
    """The record of one hand of Briscola Regina."""

    TOTALS = (ALL_POINTS,)

    def __init__(self, table: Table) -> None:
        """Create the empty record of a hand; the number of tricks depends on the players (B4)."""
        super().__init__(table, TRICKS[len(table.players)])
        self.calls: list[HeldCards] = []  # every Bris called, with its king and knight
        self.showings: list[HeldCards] = []
        self.figures: list[BrisFigures] = []  # every four kings or knights shown
        self.exchanges: list[Exchange] = []
        self.exchanges_of: dict[str, list[Exchange]] = {side: [] for side in table.sides}

    # ---------------------------------------------------------------------------- the Bris

    @property
    def trump(self) -> str | None:
        """The current trump: the suit of the first Bris, or of the latest (B6).

        None without a Bris.
        """
        if not self.calls:
            return None
        changes = self.table.options["trump_changes"]
        return suit_of_bris(self.first_calls()[-1] if changes else self.calls[0])

    def trumps(self) -> tuple[str, ...]:
        """Return the current trump; empty without a Bris."""
        return (self.trump,) if self.trump else ()

    def bris_cards(self, suit: str) -> tuple[Card, ...]:
        """Return the king and the knight (queen) of a suit (B5)."""
        ranks = BRIS_RANKS[self.table.options["pack"]]
        return tuple(Card.parse(f"{rank}{suit}") for rank in ranks)

    def four_of_kind(self, kind: str) -> tuple[Card, ...]:
        """Return all four kings or knights (queens); ``kind`` is ``kings`` or ``knights`` (B7)."""
        king, knight = BRIS_RANKS[self.table.options["pack"]]
        rank = king if kind == KINGS else knight
        return tuple(Card.parse(f"{rank}{suit}") for suit in self.table.pack.suits)

    @property
    def first_figures(self) -> dict[str, HeldCards]:
        """The first showing of four cards of each kind, ``kings`` or ``knights`` (B7)."""
        shown: dict[str, HeldCards] = {}
        for kind, held in self.figures:
            shown.setdefault(kind, held)
        return shown

    def first_calls(self) -> list[HeldCards]:
        """Return the valid Bris: the first on each suit (B5)."""
        calls: dict[str, HeldCards] = {}
        for call in self.calls:
            calls.setdefault(suit_of_bris(call), call)
        return list(calls.values())

    def holding_now(self, seq: int, player: str, cards: tuple[Card, ...]) -> HeldCards:
        """Return cards that a player holds, with the present place in the record.

        ``seq`` is that of the event that shows them.
        """
        exchanged = len(self.exchanges_of[self.table.side_of[player]])
        return HeldCards(seq, player, cards, len(self.plays), exchanged, self.tricks.due)

    def contradicting_play(self, held: HeldCards, card: Card) -> Play | None:
        """Return a play that proves that the player cannot have held a card; None without one.

        A player played it before, or another player plays it later. If the record has it played
        twice, one right play is enough: nobody knows which of them is wrong.
        """
        if card not in self.first:
            return None
        plays = [(place, play) for place, play in enumerate(self.plays) if play.card is card]
        if any(self._may_play(held, place, play) for place, play in plays):
            return None
        return plays[0][1]

    def _may_play(self, held: HeldCards, place: int, play: Play) -> bool:
        """Return whether a play can be the play of a card that the player held.

        It is the play number ``place`` of the hand, which must be later, and their own, or their
        partner's after an exchange of hands (B8).
        """
        return place >= held.played and self.may_pass(held, play.player, place)

    def may_pass(self, held: HeldCards, player: str, place: int) -> bool:
        """Return whether a held card can have gone to ``player`` before play ``place`` (B8).

        It can if it is the same player, or if the partners swapped hands in between.
        """
        if player == held.player:
            return True
        if not self.may_swap(held.player, player):
            return False
        exchanges = self.exchanges_of[self.table.side_of[player]]
        following = held.exchanged  # the place of the first one after
        return following < len(exchanges) and exchanges[following].played <= place

    def may_swap(self, player: str, other: str) -> bool:
        """Return whether the two are partners who may swap hands (B8)."""
        side_of = self.table.side_of
        return self.table.options["hand_exchange"] == "swap" and side_of[player] == side_of[other]

    # ------------------------------------------------------------------------- the tricks

    def strength(self, trick: Trick) -> Mapping[Card, int]:
        """Return the strength of each card that can win this trick.

        A complete trick has the trump of its time, the open one the current trump (B6).
        """
        trump = self.trump if trick is self.tricks.open else trick.trump
        return strengths(trick.plays[0].card.suit or "", trump, self.table.options["pack"])

    def points_made(self) -> dict[str, int] | None:
        """Return the card points by side; None unless all are on record (B9)."""
        if self.again:
            return None
        points = card_points(self, POINTS, ALL_POINTS, self.table.players)
        return None if points is None else self.table.by_side(points)

    def points_of_tricks(self, tricks: int) -> range:
        """Return the possible card points of a side with this many tricks (B9).

        Without a trick it has none; else it may have any number of all points.
        """
        return range(ALL_POINTS + 1 if tricks else 1)

    def points_at_least(self) -> dict[str, int]:
        """Return the card points that each side has for certain, by the tricks on record."""
        return {side: reach.low for side, reach in self.reach().items()}

    @cached_property
    def in_tricks(self) -> TricksTaken:
        """The card points of the recorded tricks by side, and the cards that are not on record."""
        points = dict.fromkeys(self.table.sides, 0)
        unseen = dict.fromkeys(self.table.sides, 0)
        hidden = set(self.table.pack.cards)
        for won in self.won:
            side = self.table.side_of[won.player]
            cards = [play.card for play in won.trick.plays] if won.trick else []
            points[side] += sum(POINTS[card] for card in cards)
            unseen[side] += self.tricks.players - len(cards)
            hidden.difference_update(cards)
        return TricksTaken(points, unseen, sorted([POINTS[card] for card in hidden]))

    def reach(self) -> dict[str, Reach]:
        """Return the least and most card points that each side can have by the recorded tricks.

        Until the winners of all tricks are known, the most is all points. Then the cards not seen
        fell in the tricks that are not on record with all their cards: a number to each side. It
        is empty if a card is on record twice.
        """
        if self.again:
            return {}
        points, unseen, hidden = self.in_tricks
        if not self.all_tricks:
            return {side: Reach(least, ALL_POINTS) for side, least in points.items()}
        return {
            side: Reach(
                points[side] + sum(hidden[: unseen[side]]),
                points[side] + sum(hidden[len(hidden) - unseen[side] :]),
            )
            for side in points
        }


def suit_of_bris(call: HeldCards) -> str:
    """Return the suit of a Bris."""
    return call.cards[0].suit or ""


def refuse_bris(deal: ReginaDeal, event: BrisCalled) -> None:
    """Raise `UnusableError` if the pack does not have the suit of the Bris."""
    suits = deal.table.pack.suits
    if event.suit not in suits:
        what, choices = f"a suit of the pack: {' or '.join(suits)}", ", ".join(suits)
        cause = expected(what, event.suit, "no_such_choice", choices=choices)
        raise UnusableError(cause, field="data.suit")


def refuse_figures(deal: ReginaDeal, event: FiguresShown) -> None:
    """Raise `UnusableError` if the options give no points to four kings or knights (B7)."""
    if not figures_of(deal.table.options):
        words = "four kings or knights are worth nothing of their own at this table"
        raise UnusableError(Cause(words, "no_figures"), field="data.figures")


REFUSE: Final[Refusals] = {BrisCalled: refuse_bris, FiguresShown: refuse_figures}


# ------------------------------------------------------------------------------------- fold


def card_played(deal: ReginaDeal, seq: int, event: CardPlayed) -> None:
    """Record a card; a trick that it fills is decided by the current trump (B6)."""
    full = fold_card(deal, seq, event)
    if full is not None:
        full.trump = deal.trump


def bris_called(deal: ReginaDeal, seq: int, event: BrisCalled) -> None:
    """Record a Bris, and that the caller holds its two cards."""
    deal.calls.append(deal.holding_now(seq, event.player, deal.bris_cards(event.suit)))


def figures_shown(deal: ReginaDeal, seq: int, event: FiguresShown) -> None:
    """Record four kings or knights, and that the player holds them."""
    held = deal.holding_now(seq, event.player, deal.four_of_kind(event.figures))
    deal.figures.append(BrisFigures(event.figures, held))
    deal.showings.append(held)


def hands_exchanged(deal: ReginaDeal, seq: int, event: HandsExchanged) -> None:
    """Record an exchange of hands, and at which point of the play."""
    tricks = deal.tricks
    exchange = Exchange(seq, event.side, len(deal.plays), len(tricks.numbered), tricks.open)
    deal.exchanges.append(exchange)
    deal.exchanges_of[event.side].append(exchange)


def cards_shown(deal: ReginaDeal, seq: int, event: CardsShown) -> None:
    """Record cards that a player held, and at which point of the play."""
    fold_shown(deal, seq, event)
    deal.showings.append(deal.holding_now(seq, event.player, event.cards))


FOLD: Final[Fold] = {
    **COMMON_FOLD,
    CardPlayed: card_played,
    CardsShown: cards_shown,
    BrisCalled: bris_called,
    FiguresShown: figures_shown,
    HandsExchanged: hands_exchanged,
}
