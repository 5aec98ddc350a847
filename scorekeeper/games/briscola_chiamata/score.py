"""The score of a hand of Briscola Chiamata."""

from scorekeeper.families.called_card import score as calling
from scorekeeper.families.called_card.score import add_sweep_lines, payment_lines
from scorekeeper.families.contracts.score import ContractResult, contract_events
from scorekeeper.families.contracts.state import BIDDER
from scorekeeper.games.briscola_chiamata.rules import HALF_THE_POINTS, SHARES, USUAL_BANDS
from scorekeeper.games.briscola_chiamata.state import ChiamataDeal
from scorekeeper.play.scoring import Result, ScoreLine, Text


def score(deal: ChiamataDeal) -> Result:
    """Return the payments of a hand (C8) and of a sweep (C9); none if all passed (C3)."""
    return calling.score(
        deal,
        lambda deal, contract: _draw_line(deal, contract) or _payment_lines(deal, contract),
        "C3",
    )


def _draw_line(deal: ChiamataDeal, contract: ContractResult) -> tuple[ScoreLine, ...]:
    """Return a line without points if 60 to 60 is a draw on a bid of a rank (C7).

    It is empty if the hand is not drawn.
    """
    bid, points = contract.bid.event, contract.points
    if deal.table.options["sixty"] != "draw" or isinstance(bid.bid, int) or deal.solo:
        return ()
    if points is None or points[BIDDER] != HALF_THE_POINTS:
        return ()
    text = Text("{half} points each: nobody scores", half=HALF_THE_POINTS)
    return (ScoreLine(bid.player, 0, "C7", text, contract_events(deal, contract)),)


def _payment_lines(deal: ChiamataDeal, contract: ContractResult) -> tuple[ScoreLine, ...]:
    """Return the lines of a contract's payment (C8), with those of a sweep (C9)."""
    paid = tuple(payment_lines(deal, contract, SHARES, "C8", USUAL_BANDS))
    return add_sweep_lines(deal, contract, paid, "C9")
