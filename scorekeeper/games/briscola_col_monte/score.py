"""The score of a hand of Briscola col Monte."""

from scorekeeper.families.called_card import score as calling
from scorekeeper.families.called_card.score import add_sweep_lines, payment_lines
from scorekeeper.families.contracts.score import ContractResult, ContractShares
from scorekeeper.games.briscola_col_monte.rules import (
    PAYMENT,
    PLAYERS,
    SHARES,
    THREE_ONE,
    USUAL_BANDS,
)
from scorekeeper.games.briscola_col_monte.state import MonteDeal
from scorekeeper.play.scoring import Result, ScoreLine


def score(deal: MonteDeal) -> Result:
    """Return the payments of a hand (M9, M10), twice for all points (M8); none if all passed."""
    return calling.score(deal, _payment_lines, "M2")


def _payment_lines(deal: MonteDeal, contract: ContractResult) -> tuple[ScoreLine, ...]:
    """Return the lines of a contract's payment, with those of a sweep (M8 to M10)."""
    rule = PAYMENT[len(deal.table.players)]
    paid = tuple(payment_lines(deal, contract, _shares(deal), rule, USUAL_BANDS))
    return add_sweep_lines(deal, contract, paid, "M8")


def _shares(deal: MonteDeal) -> ContractShares:
    """Return the units of each role in a made contract, by the number of players (M9, M10)."""
    players = len(deal.table.players)
    three_one = deal.table.options["six_split"] == "three_one"
    return THREE_ONE if three_one and players == PLAYERS else SHARES[players]
