"""A hand of Briscola Chiamata as recorded."""

from typing import Any, Final

from scorekeeper.base.errors import Unusable, expected
from scorekeeper.families.briscola import PACKS
from scorekeeper.families.called_card.auction import PASS
from scorekeeper.families.called_card.state import FOLD as CALLING_FOLD
from scorekeeper.families.called_card.state import CallingDeal
from scorekeeper.games.briscola_chiamata.events import BidMade
from scorekeeper.games.briscola_chiamata.rules import LOWEST_RANK, POINTS_NEEDED, TRICKS
from scorekeeper.play.deal import Fold, Refusals, note_in
from scorekeeper.play.table import Table


class ChiamataDeal(CallingDeal):
    """What is on record of one hand of Briscola Chiamata."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, TRICKS)

    def worth(self, bid: Any) -> int:
        """The ranks from the strongest to the weakest, and above them the numbers (C2)."""
        ranks = PACKS[self.table.options["pack"]].ranks
        return bid if isinstance(bid, int) else ranks.index(bid)

    def target(self, bid: Any) -> int:
        """61 on a bid of a rank, else the points bid (C7)."""
        return bid if isinstance(bid, int) else POINTS_NEEDED

    @property
    def rank_bid(self) -> str | None:
        """The rank that the bidder must call; None where he may choose (C4)."""
        bid = self.bid.event.bid if self.bid else LOWEST_RANK
        return None if isinstance(bid, int) or bid == LOWEST_RANK else str(bid)


def refuse_bid(deal: ChiamataDeal, event: BidMade) -> None:
    """Refuse a bid of a rank that the pack does not have (C2)."""
    pack = deal.table.pack
    if isinstance(event.bid, str) and event.bid not in (PASS, *pack.ranks):
        ranks = ", ".join(pack.ranks)
        raise Unusable(
            expected(f"a rank of the {pack.name} pack ({ranks})", event.bid), field="data.bid"
        )


REFUSE: Final[Refusals] = {BidMade: refuse_bid}


FOLD: Final[Fold] = {**CALLING_FOLD, BidMade: note_in("bids")}
