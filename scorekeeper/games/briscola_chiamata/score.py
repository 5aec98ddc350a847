"""What a hand of Briscola Chiamata scores."""

from scorekeeper.families.called_card import score as calling
from scorekeeper.families.called_card.score import Reckoning, contract_events, doubled, pay
from scorekeeper.families.called_card.state import BIDDER, who_took_all
from scorekeeper.games.briscola_chiamata.rules import (
    ALONE,
    HALF_THE_POINTS,
    UNITS,
    WITH_PARTNER,
)
from scorekeeper.games.briscola_chiamata.state import ChiamataDeal
from scorekeeper.play.deal import events_of
from scorekeeper.play.scoring import Basis, Result, ScoreLine, Text


def score(deal: ChiamataDeal) -> Result:
    """The payments of a hand (C8), and those of a sweep (C9); nothing when all passed (C3)."""
    return calling.score(
        deal, lambda deal, came_to: _draw(deal, came_to) or _payments(deal, came_to)
    )


def _draw(deal: ChiamataDeal, came_to: Reckoning) -> tuple[ScoreLine, ...]:
    """One line without points where 60 to 60 is a draw on a bid of a rank (C7)."""
    bid, points = came_to.bid.event, came_to.points
    if deal.table.options["sixty"] != "draw" or isinstance(bid.bid, int):
        return ()
    if points is None or points[BIDDER] != HALF_THE_POINTS:
        return ()
    text = Text("{half} points each: nobody scores", half=HALF_THE_POINTS)
    return (ScoreLine(bid.player, 0, "C7", text, contract_events(deal, came_to)),)


def _payments(deal: ChiamataDeal, came_to: Reckoning) -> tuple[ScoreLine, ...]:
    shares = ALONE if came_to.alone else WITH_PARTNER
    lines = tuple(pay(deal, came_to, shares, UNITS, "C8"))
    swept = sweep(deal, came_to)
    if swept is None:
        return lines
    text = Text("All the tricks to one party: the payment doubles")
    return (*lines, *doubled(lines, "C9", text, swept))


def sweep(deal: ChiamataDeal, came_to: Reckoning) -> tuple[int, ...] | None:
    """What proves that one party took all the tricks, where that doubles the payments (C9).

    It is the tricks on record, or where not all are, those of the count.
    """
    tricks, proof, count = deal.tricks_made(), events_of(deal.won), deal.count()
    if tricks is None and came_to.basis is Basis.COUNT and count is not None:
        tricks, proof = dict(count.tricks or {}), (count.seq,)
    party = who_took_all(deal, tricks)
    either = deal.table.options["sweep"] == "either"
    return proof if party == BIDDER or (party is not None and either) else None
