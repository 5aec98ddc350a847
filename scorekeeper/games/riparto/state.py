"""The record of a hand of Riparto: the ripartitore, the declaration, the tricks and points."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from scorekeeper.base.cached import cached_property
from scorekeeper.cards.packs import Card
from scorekeeper.cards.tricks import Trick
from scorekeeper.games.riparto.events import (
    BidMade,
    BidRaised,
    HierarchyDeclared,
    SetDistributed,
)
from scorekeeper.games.riparto.rules import (
    DEAL_POINTS,
    DEAL_POINTS_WITHOUT_LAST_THREE,
    LAST_THREE,
    LAST_THREE_POINTS,
    LAST_TRICK_POINTS,
    PACK,
    TRICK_POINTS,
    TRICKS,
)
from scorekeeper.play.deal import Contract, Deal, RecordedEvent, ShownCards
from scorekeeper.play.folding import FOLD as COMMON_FOLD
from scorekeeper.play.folding import Fold, append_to
from scorekeeper.play.table import Table

NO_HIERARCHY: Final[tuple[str, ...]] = ()


class RipartoDeal(Deal):
    """The record of one hand of Riparto."""

    def __init__(self, table: Table) -> None:
        """Create the empty record of a hand."""
        super().__init__(table, TRICKS)
        self.bids: list[RecordedEvent] = []
        self.sets: list[RecordedEvent] = []
        self.raises: list[RecordedEvent] = []
        self.hierarchies: list[RecordedEvent] = []

    # ----------------------------------------------------------------------- the contract

    @cached_property
    def first_bids(self) -> list[RecordedEvent]:
        """The valid bids: the first of each player (R2)."""
        bids: dict[str, RecordedEvent] = {}
        for bid in self.bids:
            bids.setdefault(bid.player, bid)
        return list(bids.values())

    @cached_property
    def bid(self) -> RecordedEvent | None:
        """The highest bid, whose player is the ripartitore; None without one (R3).

        The option ``bid_tie`` decides between equal bids.
        """
        bids = self.first_bids
        if not bids:
            return None
        highest = max(bid.event.points for bid in bids)
        tied = [bid for bid in bids if bid.event.points == highest]
        return tied[0] if self.table.options["bid_tie"] == "first" else tied[-1]

    @cached_property
    def raised(self) -> RecordedEvent | None:
        """The valid raise: the ripartitore's first one that is higher than the bid (R5).

        None without one.
        """
        bid = self.bid
        if bid is None:
            return None
        player, points = bid.player, bid.event.points
        own = (raised for raised in self.raises if raised.player == player)
        return next((raised for raised in own if raised.event.points > points), None)

    @property
    def bidding(self) -> bool:
        """Whether a bid is missing and the record has no event that comes after the bids."""
        after = self.sets or self.raises or self.hierarchies or self.tricks.numbered
        return not after and len(self.first_bids) < len(self.table.players)

    @property
    def declaration(self) -> RecordedEvent | None:
        """The event with the figure that the ripartitore needs: the raise, else the bid (R5).

        None without a bid.
        """
        return self.raised or self.bid

    @property
    def contract(self) -> Contract | None:
        """The declaration of the ripartitore; it is ``open`` while bids are missing.

        None without a bid.
        """
        last = self.declaration
        return last and Contract(last.player, last.event.points, self.bidding, declared=True)

    @cached_property
    def ranking(self) -> RecordedEvent | None:
        """The valid hierarchy: the ripartitore's first; None without one (R6).

        Without a bid on record any player may be the ripartitore, so the first of all is valid.
        """
        bid = self.bid
        own = (ranking for ranking in self.hierarchies if not bid or ranking.player == bid.player)
        return next(own, None)

    @cached_property
    def hierarchy(self) -> tuple[str, ...]:
        """The four suits, strongest first; empty if there are no trumps (R8)."""
        return self.ranking.event.suits if self.ranking else NO_HIERARCHY

    def trumps(self) -> tuple[str, ...]:
        """Return the hierarchy (R8)."""
        return self.hierarchy

    # ------------------------------------------------------------------------ the holdings

    @cached_property
    def gifts(self) -> list[tuple[RecordedEvent, ShownCards]]:
        """The recorded cards that each player got of an insieme (R4).

        The players hold them before the first lead, wherever the insieme is recorded.
        """
        return [
            (insieme, ShownCards(insieme.seq, player, cards, after=0))
            for insieme in self.sets
            for player, cards in cards_of(insieme).items()
        ]

    def held(self) -> Sequence[ShownCards]:
        """Return the recorded holdings: cards that were shown, or came with an insieme."""
        return [*(got for _, got in self.gifts), *self.shown]

    # -------------------------------------------------------------------------- the tricks

    @property
    def first_leader(self) -> str | None:
        """The ripartitore; None without a bid (R7)."""
        return self.bid.player if self.bid else None

    @property
    def proof_of_first_leader(self) -> tuple[int, ...]:
        """The seq of the bid whose player leads as the ripartitore (R7)."""
        return (self.bid.seq,) if self.bid else ()

    @cached_property
    def _strengths_by_suit_led(self) -> Mapping[str, Mapping[Card, int]]:
        """The strength of each card that can win a trick, by the suit led (R8, R9)."""
        return strengths(self.hierarchy, self.table.options["double_trump"])

    def strength(self, trick: Trick) -> Mapping[Card, int]:
        """Return the strength of each card that can win this trick (R8, R9)."""
        return self._strengths_by_suit_led[trick.plays[0].card.suit or ""]

    # -------------------------------------------------------------------------- the points

    def totals(self) -> tuple[int, ...]:
        """Return the possible sums of points: 15, and under the option ``sweep`` 10 (R11)."""
        if self.table.options["last_three"] == "sweep":
            return (DEAL_POINTS_WITHOUT_LAST_THREE, DEAL_POINTS)
        return (DEAL_POINTS,)

    def points_made(self) -> dict[str, int] | None:
        """Return the points of each side; None unless the winner of every trick is known."""
        return self.points_at_least() if self.all_tricks else None

    def points_at_least(self) -> dict[str, int]:
        """Return the points of each side for the tricks on record."""
        return self.points_of(self.winners())

    def points_of_tricks(self, tricks: int) -> range:
        """Return the possible points: 1 per trick, and up to all for the last ones (R10, R11)."""
        more = LAST_TRICK_POINTS + LAST_THREE_POINTS if tricks else 0
        return range(tricks * TRICK_POINTS, tricks * TRICK_POINTS + more + 1)

    def winners(self) -> dict[int, str]:
        """Return the winner of each recorded trick, by its number."""
        return {won.number: won.player for won in self.won}

    def points_of(self, winners: Mapping[int, str]) -> dict[str, int]:
        """Return the points of each side if ``winners`` took these tricks, by number (R10, R11).

        There is 1 point for each trick, 1 more for the last, and 5 for the last three.
        """
        points = dict.fromkeys(self.table.sides, 0)
        for player in winners.values():
            points[player] += TRICK_POINTS
        if TRICKS in winners:
            points[winners[TRICKS]] += LAST_TRICK_POINTS
        best = FIND_WINNER_OF_LAST_THREE[self.table.options["last_three"]](winners)
        if best is not None:
            points[best] += LAST_THREE_POINTS
        return points

    def contract_made(self) -> bool | None:
        """Return whether the ripartitore took exactly the declared points; None if not known yet.

        Tricks on record that exclude the figure decide it early.
        """
        declaration = self.declaration
        if declaration is None:
            return None
        player, declared = declaration.player, declaration.event.points
        taken = self.taken()
        if taken is not None:
            return bool(taken.points[player] == declared)
        return None if self._can_still_make(player, declared) else False

    def _can_still_make(self, player: str, declared: int) -> bool:
        """Return whether the declared points are still within a player's reach."""
        to_come = dict.fromkeys(range(1, TRICKS + 1), player)
        most = self.points_of(to_come | self.winners())
        return bool(self.points_at_least()[player] <= declared <= most[player])


def cards_of(distributed: RecordedEvent) -> dict[str, tuple[Card, ...]]:
    """Return the recorded cards of an insieme by the player who got them."""
    event = distributed.event
    got: dict[str, tuple[Card, ...]] = {
        player: (card,) for player, card in (event.given or {}).items()
    }
    if event.kept is not None:
        got[event.player] = (event.kept, *got.get(event.player, ()))
    return got


# These functions return the player who gets the points for the last three tricks (R11), from
# the winners of the recorded tricks by number; None if nobody gets them or that is not known yet.


def _find_winner_of_majority(winners: Mapping[int, str]) -> str | None:
    """Return the winner of two of the last three tricks; of the last one if each has one.

    None if not known yet.
    """
    last_winners = [winners[number] for number in LAST_THREE if number in winners]
    most = next((player for player in last_winners if last_winners.count(player) > 1), None)
    if most is not None:
        return most
    return winners[TRICKS] if len(last_winners) == len(LAST_THREE) else None


def _find_winner_of_all_three(winners: Mapping[int, str]) -> str | None:
    """Return the winner of all of the last three tricks; None without one."""
    last_winners = {winners.get(number) for number in LAST_THREE}
    return last_winners.pop() if len(last_winners) == 1 else None


def _find_winner_of_last_trick(winners: Mapping[int, str]) -> str | None:
    """Return the winner of the last trick; None if not known."""
    return winners.get(TRICKS)


FIND_WINNER_OF_LAST_THREE: Final = {
    "majority": _find_winner_of_majority,
    "sweep": _find_winner_of_all_three,
    "last_trick": _find_winner_of_last_trick,
}

RANK: Final = PACK.height


@cache
def strengths(hierarchy: tuple[str, ...], double_trump: str) -> Mapping[str, Mapping[Card, int]]:
    """Return the strength of each card that can win, by the suit led (R8, R9).

    Cards of the suit led can win, and cards of suits at least two places above it.
    """
    return {led: _strength(led, hierarchy, double_trump) for led in PACK.suits}


def _strength(led: str, hierarchy: tuple[str, ...], double_trump: str) -> dict[Card, int]:
    """Return the strength of each card that can win a trick with this suit led (R8, R9).

    The option ``double_trump`` decides between two suits that trump it.
    """
    strength = {card: RANK[card] for card in PACK.cards if card.suit == led}
    trumping = hierarchy[: max(0, hierarchy.index(led) - 1)] if hierarchy else ()
    for card in PACK.cards:
        if card.suit in trumping:
            above = len(trumping) - trumping.index(card.suit)  # 2 for the 1st of two, else 1
            if double_trump == "hierarchy":
                strength[card] = 100 * above + RANK[card]
            else:
                strength[card] = 100 + 2 * RANK[card] + above
    return strength


FOLD: Final[Fold] = {
    **COMMON_FOLD,
    BidMade: append_to("bids"),
    SetDistributed: append_to("sets"),
    BidRaised: append_to("raises"),
    HierarchyDeclared: append_to("hierarchies"),
}
