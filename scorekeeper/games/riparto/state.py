"""A hand of Riparto as recorded: who became ripartitore, what he declared, who took what."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from scorekeeper.cards import Card
from scorekeeper.games.riparto.events import (
    BidMade,
    BidRaised,
    HierarchyDeclared,
    SetDistributed,
)
from scorekeeper.games.riparto.rules import (
    DEAL_POINTS,
    DEAL_POINTS_WITHOUT_LAST_THREE,
    LAST_THREE_POINTS,
    LAST_TRICK_POINTS,
    PACK,
    TRICK_POINTS,
    TRICKS,
)
from scorekeeper.hands import FOLD as COMMON_FOLD
from scorekeeper.hands import Deal, Fold, Noted, Table, Won, note_in
from scorekeeper.tricks import Trick

NO_HIERARCHY: Final[tuple[str, ...]] = ()


class RipartoDeal(Deal):
    """What is on record of one hand of Riparto."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, TRICKS)
        self.bids: list[Noted] = []
        self.sets: list[Noted] = []
        self.raises: list[Noted] = []
        self.hierarchies: list[Noted] = []

    # ----------------------------------------------------------------------- the contract

    @property
    def first_bids(self) -> list[Noted]:
        """The bids that have effect: the first of each player (R2)."""
        bids: dict[str, Noted] = {}
        for bid in self.bids:
            bids.setdefault(bid.event.player, bid)
        return list(bids.values())

    @property
    def bid(self) -> Noted | None:
        """The highest bid, whose player is the ripartitore (R3)."""
        bids = self.first_bids
        if not bids:
            return None
        highest = max(bid.event.points for bid in bids)
        tied = [bid for bid in bids if bid.event.points == highest]
        return tied[0] if self.table.options["bid_tie"] == "first" else tied[-1]

    @property
    def raised(self) -> Noted | None:
        """The raise that has effect: the ripartitore's first that raises (R5)."""
        bid = self.bid
        if bid is None:
            return None
        return next(
            (
                one
                for one in self.raises
                if one.event.player == bid.event.player and one.event.points > bid.event.points
            ),
            None,
        )

    @property
    def declared(self) -> Noted | None:
        """The hierarchy that has effect: the ripartitore's first (R6)."""
        bid = self.bid
        whose = bid.event.player if bid else None
        return next((one for one in self.hierarchies if one.event.player == whose), None)

    @property
    def hierarchy(self) -> tuple[str, ...]:
        """The four suits, strongest first; empty where there are no trumps (R8)."""
        declared = self.declared
        return declared.event.suits if declared else NO_HIERARCHY

    # ------------------------------------------------------------------------- the tricks

    def forget(self) -> None:
        super().forget()
        self._strength = strengths(self.hierarchy, self.table.options["double_trump"])

    def strength(self, trick: Trick) -> Mapping[Card, int]:
        return self._strength[trick.plays[0].card.suit or ""]

    def totals(self) -> tuple[int, ...]:
        if self.table.options["last_three"] == "sweep":
            return (DEAL_POINTS_WITHOUT_LAST_THREE, DEAL_POINTS)
        return (DEAL_POINTS,)

    def points_made(self) -> dict[str, int] | None:
        return self.points_at_least() if self.all_tricks else None

    def points_at_least(self) -> dict[str, int]:
        """A point a trick, one more for the last, five for the last three (R10, R11)."""
        points = dict.fromkeys(self.table.sides, 0)
        for won in self.won:
            points[won.player] += TRICK_POINTS
            if won.number == TRICKS:
                points[won.player] += LAST_TRICK_POINTS
        winner = self.last_three_winner()
        if winner is not None:
            points[winner] += LAST_THREE_POINTS
        return points

    def last_three_winner(self) -> str | None:
        """Who gets the five points; None where nobody does, or it is not on record (R11)."""
        last = [won for won in self.won if won.number > TRICKS - 3]
        if len(last) < 3:
            return None
        return LAST_THREE[self.table.options["last_three"]](last)

    def contract_made(self) -> bool | None:
        bid = self.bid
        points = self.points_made()
        if points is None:
            count = self.count()
            points = dict(count.points) if count else None
        if bid is None or points is None:
            return None
        return bool(points[bid.event.player] == (self.raised or bid).event.points)


def _majority(last: list[Won]) -> str:
    players = [won.player for won in last]
    return max(reversed(players), key=players.count)


def _sweep(last: list[Won]) -> str | None:
    return last[0].player if len({won.player for won in last}) == 1 else None


def _last_trick(last: list[Won]) -> str:
    return last[-1].player


LAST_THREE: Final = {"majority": _majority, "sweep": _sweep, "last_trick": _last_trick}

RANK: Final = {card: len(PACK.ranks) - PACK.ranks.index(card.rank) for card in PACK.cards}


@cache
def strengths(hierarchy: tuple[str, ...], double_trump: str) -> Mapping[str, Mapping[Card, int]]:
    """How strong each card is, by the suit led (R8, R9).

    Cards of the suit led can win, and those of suits at least two places above it.
    """
    return {led: _strength(led, hierarchy, double_trump) for led in PACK.suits}


def _strength(led: str, hierarchy: tuple[str, ...], double_trump: str) -> dict[Card, int]:
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
    BidMade: note_in("bids"),
    SetDistributed: note_in("sets"),
    BidRaised: note_in("raises"),
    HierarchyDeclared: note_in("hierarchies"),
}
