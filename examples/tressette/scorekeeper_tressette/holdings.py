"""The cards that each player can hold in a hand of Tressette, by the play and declarations."""

from collections.abc import Collection, Iterator
from itertools import product

from scorekeeper.authoring import UNRECORDED, Card, Holdings, unseen_holdings
from scorekeeper_tressette.events import SameRankDeclared
from scorekeeper_tressette.rules import PACK, of_a_kind
from scorekeeper_tressette.state import TressetteDeal


class AlternativeHoldings(Holdings):
    """Holdings of which one of several cases is true: a card is possible if one case allows it."""

    def __init__(self, cases: Collection[Holdings]) -> None:
        first, *_ = cases
        super().__init__(first.rooms, first.cards)
        self.cases = cases

    def can_hold(self, holder: str, card: Card) -> bool:
        """Return whether a holder can have this card."""
        return any(case.can_hold(holder, card) for case in self.cases)

    def can_have(
        self, holder: str, cards: Collection[Card], lacking: Collection[Card] = ()
    ) -> bool:
        """Return whether a holder can have all these cards, and none of those ``lacking``."""
        return any(case.can_have(holder, cards, lacking) for case in self.cases)


def holdings(deal: TressetteDeal) -> Holdings:
    """Return the unseen cards and their possible holders."""
    cases = list(_cases(deal))
    return cases[0] if len(cases) == 1 else AlternativeHoldings(cases)


def _cases(deal: TressetteDeal) -> Iterator[Holdings]:
    """Yield a case for each suit that players can lack who declared three of a rank (T7).

    There is one case unless a declaration does not name the suit.
    """
    of_a_rank = [item for item in deal.scored if isinstance(item.event, SameRankDeclared)]
    events = [item.event for item in of_a_rank if isinstance(item.event, SameRankDeclared)]
    without_suit = [
        item.event
        for item in of_a_rank
        if isinstance(item.event, SameRankDeclared) and not deal.cards_of(item)
    ]
    for suits in product(PACK.suits, repeat=len(without_suit)):
        known = unseen_holdings(deal)
        for event in events:
            known.exclude(event.player, lacked(event))
        for event, suit in zip(without_suit, suits, strict=True):
            known.require_among((event.player, UNRECORDED), of_a_kind(event.rank, suit))
        yield known


def lacked(event: SameRankDeclared) -> list[Card]:
    """Return the card that a player declared to lack, if any."""
    return [Card.parse(f"{event.rank}{event.suit}")] if event.suit else []
