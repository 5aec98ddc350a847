"""Who can hold what in a hand of Tressette, by the play and by what was declared."""

from collections.abc import Collection, Iterator
from itertools import product

from scorekeeper.cards.packs import Card
from scorekeeper.play.prompts.following import GONE, unseen
from scorekeeper.play.prompts.holdings import Holdings
from scorekeeper_tressette.events import SameRankDeclared
from scorekeeper_tressette.rules import PACK, of_a_kind
from scorekeeper_tressette.state import TressetteDeal


class Either(Holdings):
    """What can be where one of several things is so."""

    def __init__(self, cases: Collection[Holdings]) -> None:
        first, *_ = cases
        super().__init__(first.rooms, first.cards)
        self.cases = cases

    def can_hold(self, holder: str, card: Card) -> bool:
        """Whether a holder can have this card, the others lying somehow."""
        return any(case.can_hold(holder, card) for case in self.cases)

    def can_have(
        self, holder: str, cards: Collection[Card], lacking: Collection[Card] = ()
    ) -> bool:
        """Whether a holder can have all these cards, and beside them none of those ``lacking``."""
        return any(case.can_have(holder, cards, lacking) for case in self.cases)


def holdings(deal: TressetteDeal) -> Holdings:
    """The cards that nobody has seen, and who can have them."""
    cases = list(_cases(deal))
    return cases[0] if len(cases) == 1 else Either(cases)


def _cases(deal: TressetteDeal) -> Iterator[Holdings]:
    """One for each suit that who declared three of a rank without saying so may lack (T7)."""
    said = [one.event for one in deal.scored if isinstance(one.event, SameRankDeclared)]
    unsaid = [
        one.event
        for one in deal.scored
        if isinstance(one.event, SameRankDeclared) and not deal.cards_of(one)
    ]
    for suits in product(PACK.suits, repeat=len(unsaid)):
        known = unseen(deal)
        for event in said:
            known.lacks(event.player, lacked(event))
        for event, suit in zip(unsaid, suits, strict=True):
            known.among((event.player, GONE), of_a_kind(event.rank, suit))
        yield known


def lacked(event: SameRankDeclared) -> list[Card]:
    """The card that somebody said to lack, if he did."""
    return [Card.parse(f"{event.rank}{event.suit}")] if event.suit else []
