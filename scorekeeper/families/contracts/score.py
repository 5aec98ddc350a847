"""The result of a contract, and the shares of the players in what it pays."""

from collections.abc import Iterator
from typing import NamedTuple

from scorekeeper.families.contracts.state import BIDDER, ContractDeal, Partner
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.scoring import Basis


class ContractResult(NamedTuple):
    """The result of a contract: made or lost, the points if they are known, and the proof."""

    bid: RecordedEvent
    partner: Partner
    need: int
    made: bool
    points: dict[str, int] | None
    basis: Basis
    events: tuple[int, ...]

    @property
    def alone(self) -> bool:
        """Whether the bidder played alone."""
        return self.partner.player == self.bid.player


def evaluate_contract(deal: ContractDeal) -> ContractResult | None:
    """Return the result of the contract by the finest record that has it; None if none has.

    A recorded outcome scores only if no count is on record.
    """
    bid, partner, need = deal.bid, deal.partner, deal.need
    if bid is None or partner is None or need is None:
        return None
    taken = deal.taken()
    if taken is not None:
        return ContractResult(bid, partner, need, taken.points[BIDDER] >= need, *taken)
    if deal.outcomes and not deal.counts:
        last = deal.outcomes[-1]
        is_made = bool(last.event.made)
        return ContractResult(bid, partner, need, is_made, None, Basis.OUTCOME, (last.seq,))
    return None


def contract_events(deal: ContractDeal, contract: ContractResult) -> tuple[int, ...]:
    """Return the seqs that prove the bid, the call, the partner and the result."""
    call = (deal.call.seq,) if deal.call is not None else ()
    seqs = (contract.bid.seq, *call, *contract.partner.events, *contract.events)
    return tuple(dict.fromkeys(seqs))


class ContractShares(NamedTuple):
    """The units that each role gets if the contract is made: a bidder ``alone``, or with a partner.

    Those who would get units if it is made pay them if it is lost. The defaults are for games in
    which the bidder is always alone.
    """

    alone: int
    bidder: int = 0
    partner: int = 0
    defender: int = -1


def share_out(
    deal: ContractDeal, contract: ContractResult, shares: ContractShares
) -> Iterator[tuple[str, str, int]]:
    """Yield each player with a role and their units: the bidder, the partner, the defenders.

    The roles are ``bidder`` or ``alone``, ``partner``, and ``defender``. Units are above 0 if the
    player gets them when the contract is made.
    """
    bidder, partner = contract.bid.player, contract.partner.player
    yield (bidder, "alone", shares.alone) if contract.alone else (bidder, "bidder", shares.bidder)
    if not contract.alone:
        yield partner, "partner", shares.partner
    for player in deal.table.players:
        if player not in (bidder, partner):
            yield player, "defender", shares.defender
