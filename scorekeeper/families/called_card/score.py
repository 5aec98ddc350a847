"""The result of a hand with a called card, and the payments."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from scorekeeper.families.briscola import ALL_POINTS
from scorekeeper.families.called_card.carichi import CARICHI, Bid, bid_words
from scorekeeper.families.called_card.course import Doubling
from scorekeeper.families.called_card.rules import unit_of
from scorekeeper.families.called_card.state import CallingDeal
from scorekeeper.families.contracts.score import (
    ContractResult,
    ContractShares,
    contract_events,
    evaluate_contract,
    share_out,
)
from scorekeeper.families.contracts.state import BIDDER, DEFENDERS
from scorekeeper.play.deal import events_of
from scorekeeper.play.scoring import Basis, Result, ScoreLine, Text, add_up


def score(
    deal: CallingDeal, lines: Callable[[Any, ContractResult], tuple[ScoreLine, ...]], doubles: str
) -> Result:
    """Return the result of a hand; ``lines`` returns the game's own score lines of a contract.

    Waiting doublings apply under the clause ``doubles``. A hand in which no line has points is
    drawn. A hand in which all passed is abandoned. Without a contract and its result on record the
    hand is not complete.
    """
    contract = evaluate_contract(deal)
    if deal.auction.all_passed or contract is None:
        return Result(abandoned=deal.auction.all_passed, marks=deal.passes)
    own = lines(deal, contract)
    drawn = not any(line.points for line in own)
    return Result(
        complete=True,
        basis=contract.basis,
        lines=own if drawn else add_doubling_lines(deal, own, doubles),
        taken=contract.points,
        marks=Doubling("draw", own[0].events) if drawn else None,
    )


# The texts of a payment: by the recorded result of the contract, and by the player's role.
HOW: Final = {
    "made": "The bid of {bid} was made",
    "lost": "The bid of {bid} was lost",
    "made as counted": "{took} points of {need} needed: made",
    "lost as counted": "{took} points of {need} needed: lost",
}
WHO: Final = {
    "bidder": "the bidder, {share} × {unit}",
    "alone": "the bidder alone, {share} × {unit}",
    "partner": "the partner, {share} × {unit}",
    "defender": "a defender, {share} × {unit}",
}


# The texts for the units of a bid, with the range of the bids that are paid alike.
BAND: Final = {
    "flat": "1 unit, whatever was bid",
    "lowest": "1 unit below {end}",
    "between": "{unit} units from {begin} to {end}",
    "highest": "{unit} units from {begin} on",
}


def band_text(bid: Bid, bands: Sequence[int]) -> Text:
    """Return a text with the units of a bid, and the range of the bids that are paid alike.

    >>> [str(band_text(bid, [70, 80])) for bid in ("J", 69, 79, 80)]
    ['1 unit below 70', '1 unit below 70', '2 units from 70 to 79', '3 units from 80 on']
    >>> str(band_text(100, []))
    '1 unit, whatever was bid'
    """
    unit = unit_of(bid, {"bands": bands})
    if not bands:
        return Text(BAND["flat"])
    if unit == 1:
        return Text(BAND["lowest"], end=bands[0])
    if unit > len(bands):
        return Text(BAND["highest"], unit=unit, begin=bands[-1])
    return Text(BAND["between"], unit=unit, begin=bands[unit - 2], end=bands[unit - 1] - 1)


def payment_lines(
    deal: CallingDeal,
    contract: ContractResult,
    shares: ContractShares,
    rule: str,
    usual: tuple[int, ...],
) -> Iterator[ScoreLine]:
    """Yield a line with the payment of each player: the bidder, the partner, the defenders.

    ``shares`` are their units if the contract is made; if it is lost they pay them. The texts name
    the units of the bid if the bands are not the ``usual`` ones.
    """
    bid, bands = contract.bid.event.bid, deal.table.options["bands"]
    unit = unit_of(bid, deal.table.options)
    sign = 1 if contract.made else -1
    how = "made" if contract.made else "lost"
    took = 0
    if contract.points is not None:
        how, took = f"{how} as counted", contract.points[BIDDER]
    events = contract_events(deal, contract)
    went = Text(HOW[how], took=took, need=contract.need, bid=bid_words(bid))
    if tuple(bands) != usual and bid != CARICHI:
        went = Text("{how}; {who}", how=went, who=band_text(bid, bands))
    texts: dict[str, Text] = {}  # by role
    for player, role, share in share_out(deal, contract, shares):
        if role not in texts:
            who = Text(WHO[role], share=abs(share), unit=unit)
            texts[role] = Text("{how}; {who}", how=went, who=who)
        yield ScoreLine(player, sign * share * unit, rule, texts[role], events)


# The texts of a sweep, by the option sweep_pay and by what was taken.
SWEPT: Final = {
    ("double", "tricks"): "All the tricks to one party: the payment doubles",
    ("double", BIDDER): "All {points} points to the bidder's party: the payment doubles",
    ("double", DEFENDERS): "All {points} points to the defenders: the payment doubles",
    ("add", "tricks"): "All the tricks to one party: {share} × {units} more",
    ("add", BIDDER): "All {points} points to the bidder's party: {share} × {units} more",
    ("add", DEFENDERS): "All {points} points to the defenders: {share} × {units} more",
    ("set", "tricks"): "All the tricks to one party: {share} × {units} in place of "
    "{share} × {unit}",
    ("set", BIDDER): "All {points} points to the bidder's party: {share} × {units} in place of "
    "{share} × {unit}",
    ("set", DEFENDERS): "All {points} points to the defenders: {share} × {units} in place of "
    "{share} × {unit}",
}  # fmt: skip


class Sweep(NamedTuple):
    """All tricks or points to one party; ``what`` is ``tricks`` or the party with all points."""

    what: str
    events: tuple[int, ...]


def find_sweep(deal: CallingDeal, contract: ContractResult) -> Sweep | None:
    """Return the sweep of the hand; None without one, or if the option ``sweep`` leaves it unpaid.

    A sweep of tricks is read from the tricks on record, or from the count if not all are there.
    """
    options = deal.table.options
    if options["sweep_test"] == "points":
        points = contract.points or {}
        party = next((side for side, taken in points.items() if taken == ALL_POINTS), None)
        what, proof = party or "", contract.events
    else:
        tricks = deal.tricks_made()
        count = deal.count() if tricks is None and contract.basis is Basis.COUNT else None
        party, what = deal.party_with_all_tricks(count.tricks if count else tricks), "tricks"
        proof = (count.seq,) if count else events_of(deal.won) if party else ()
    counts = party == BIDDER or (party is not None and options["sweep"] == "either")
    return Sweep(what, proof) if counts else None


def add_sweep_lines(
    deal: CallingDeal, contract: ContractResult, lines: tuple[ScoreLine, ...], rule: str
) -> tuple[ScoreLine, ...]:
    """Return the payments of a hand, followed by the lines that a sweep adds.

    There are none without a sweep, or if the option ``sweep_pay`` adds nothing. ``rule`` is the
    clause of the added lines.
    """
    swept = find_sweep(deal, contract)
    pay = deal.table.options["sweep_pay"]
    if swept is None or pay == "none":
        return lines
    unit = unit_of(contract.bid.event.bid, deal.table.options)
    how, units = next(iter(pay.items())) if isinstance(pay, dict) else (pay, unit)
    more = units - unit if how == "set" else units
    added = []
    for line in lines if more else ():
        share = line.points // unit
        text = Text(SWEPT[how, swept.what], points=ALL_POINTS, share=abs(share), units=units,
                    unit=unit)  # fmt: skip
        added.append(ScoreLine(line.side, share * more, rule, text, swept.events))
    return (*lines, *added)


# The texts of a doubling, by the kind of the hand before.
DOUBLED: Final = {
    "weak_hand": "A weak hand was thrown in before: the payment doubles",
    "all_passed": "Everybody passed before: the payment doubles",
    "draw": "A hand was drawn before: the payment doubles",
}


def add_doubling_lines(
    deal: CallingDeal, lines: tuple[ScoreLine, ...], rule: str
) -> tuple[ScoreLine, ...]:
    """Return the payments of a hand, followed by the lines that each waiting doubling adds.

    Each doubling adds as much as all lines before it. ``rule`` is the clause of the added lines.
    """
    waits = deal.waits.doublings
    if not waits:
        return lines
    sums = add_up(lines, dict.fromkeys(line.side for line in lines))
    added = [
        ScoreLine(side, points * 2**place, rule, Text(DOUBLED[doubling.kind]), doubling.events)
        for place, doubling in enumerate(waits)
        for side, points in sums.items()
    ]
    return (*lines, *added)
