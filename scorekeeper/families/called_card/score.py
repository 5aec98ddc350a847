"""What a hand with a called card comes to, and who pays."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from scorekeeper.families.briscola import ALL_POINTS
from scorekeeper.families.called_card.carichi import CARICHI, Bid, said
from scorekeeper.families.called_card.course import Doubling
from scorekeeper.families.called_card.rules import unit_of
from scorekeeper.families.called_card.state import (
    BIDDER,
    DEFENDERS,
    CallingDeal,
    Partner,
    who_took_all,
)
from scorekeeper.play.deal import RecordedEvent, events_of
from scorekeeper.play.scoring import Basis, Result, ScoreLine, Text, add_up


class Reckoning(NamedTuple):
    """What a contract came to: made or lost, the points where they are known, and what says so."""

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


def reckon(deal: CallingDeal) -> Reckoning | None:
    """What the contract came to by the finest record that says it; None where none does.

    The outcome as said scores only where no count was recorded.
    """
    bid, partner = deal.bid, deal.partner
    if bid is None or partner is None:
        return None
    need, taken = deal.target(bid.event.bid), deal.taken()
    if taken is not None:
        return Reckoning(bid, partner, need, taken.points[BIDDER] >= need, *taken)
    if deal.outcomes and not deal.counts:
        said = deal.outcomes[-1]
        made_as_said = bool(said.event.made)
        return Reckoning(bid, partner, need, made_as_said, None, Basis.OUTCOME, (said.seq,))
    return None


def score(
    deal: CallingDeal, lines: Callable[[Any, Reckoning], tuple[ScoreLine, ...]], doubles: str
) -> Result:
    """What a hand comes to, with a game's own lines; nothing where everybody passed.

    Of a hand that a doubling waited for it is doubled under the clause ``doubles``. One that
    nobody won or lost was drawn.
    """
    came_to = reckon(deal)
    if deal.auction.all_passed or came_to is None:
        return Result(abandoned=deal.auction.all_passed, marks=deal.passes)
    own = lines(deal, came_to)
    drawn = not any(line.points for line in own)
    return Result(
        complete=True,
        basis=came_to.basis,
        lines=own if drawn else doubled(deal, own, doubles),
        taken=came_to.points,
        marks=Doubling("draw", own[0].events) if drawn else None,
    )


class ContractShares(NamedTuple):
    """What the bidder, his partner and each defender get of a contract that was made, in units."""

    bidder: int
    partner: int
    defender: int


# By what is on record of how the contract went, and by the part that a player has in it.
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


# In how many units a bid is paid, and where the bids begin and end that are paid alike.
BAND: Final = {
    "flat": "1 unit, whatever was bid",
    "lowest": "1 unit below {end}",
    "between": "{unit} units from {begin} to {end}",
    "highest": "{unit} units from {begin} on",
}


def band(bid: Bid, bands: Sequence[int]) -> Text:
    """In how many units a bid is paid, and for which bids that is so.

    >>> [str(band(bid, [70, 80])) for bid in ("J", 69, 79, 80)]
    ['1 unit below 70', '1 unit below 70', '2 units from 70 to 79', '3 units from 80 on']
    >>> str(band(100, []))
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


def pay(
    deal: CallingDeal, came_to: Reckoning, shares: ContractShares, rule: str, usual: tuple[int, ...]
) -> Iterator[ScoreLine]:
    """What each player gets or pays, by his share: the bidder first, then his partner.

    The lines say in how many units the bid is paid where the bands are not the ``usual`` ones.
    """
    bid, bands = came_to.bid.event.bid, deal.table.options["bands"]
    unit = unit_of(bid, deal.table.options)
    sign = 1 if came_to.made else -1
    how = "made" if came_to.made else "lost"
    took = 0
    if came_to.points is not None:
        how, took = f"{how} as counted", came_to.points[BIDDER]
    events = contract_events(deal, came_to)
    went = Text(HOW[how], took=took, need=came_to.need, bid=said(bid))
    if tuple(bands) != usual and bid != CARICHI:
        went = Text("{how}; {who}", how=went, who=band(bid, bands))
    texts: dict[str, Text] = {}  # by role
    for player, role, share in _parts(deal, came_to, shares):
        if role not in texts:
            who = Text(WHO[role], share=abs(share), unit=unit)
            texts[role] = Text("{how}; {who}", how=went, who=who)
        yield ScoreLine(player, sign * share * unit, rule, texts[role], events)


def _parts(
    deal: CallingDeal, came_to: Reckoning, shares: ContractShares
) -> Iterator[tuple[str, str, int]]:
    """Each player with his part in the hand and his share."""
    bidder, partner = came_to.bid.player, came_to.partner.player
    yield bidder, "alone" if came_to.alone else "bidder", shares.bidder
    if not came_to.alone:
        yield partner, "partner", shares.partner
    for player in deal.table.players:
        if player not in (bidder, partner):
            yield player, "defender", shares.defender


# What a sweep adds, by the option sweep_pay and by what was taken.
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
    """All the tricks, or all the points, to one party; ``what`` says which to whom."""

    what: str
    events: tuple[int, ...]


def sweep(deal: CallingDeal, came_to: Reckoning) -> Sweep | None:
    """What one party took all of, where that changes the payment.

    It is taken from the tricks on record, or where not all are, from those of the count; a sweep
    of points from the points.
    """
    options = deal.table.options
    if options["sweep_test"] == "points":
        points = came_to.points or {}
        party = next((side for side, taken in points.items() if taken == ALL_POINTS), None)
        what, proof = party or "", came_to.events
    else:
        tricks = deal.tricks_made()
        count = deal.count() if tricks is None and came_to.basis is Basis.COUNT else None
        party, what = who_took_all(deal, count.tricks if count else tricks), "tricks"
        proof = (count.seq,) if count else events_of(deal.won) if party else ()
    counts = party == BIDDER or (party is not None and options["sweep"] == "either")
    return Sweep(what, proof) if counts else None


def with_sweep(
    deal: CallingDeal, came_to: Reckoning, lines: tuple[ScoreLine, ...], rule: str
) -> tuple[ScoreLine, ...]:
    """The payments of a hand, and what a sweep adds to each of them."""
    swept = sweep(deal, came_to)
    pay = deal.table.options["sweep_pay"]
    if swept is None or pay == "none":
        return lines
    unit = unit_of(came_to.bid.event.bid, deal.table.options)
    how, units = next(iter(pay.items())) if isinstance(pay, dict) else (pay, unit)
    more = units - unit if how == "set" else units
    added = []
    for line in lines if more else ():
        share = line.points // unit
        text = Text(SWEPT[how, swept.what], points=ALL_POINTS, share=abs(share), units=units,
                    unit=unit)  # fmt: skip
        added.append(ScoreLine(line.side, share * more, rule, text, swept.events))
    return (*lines, *added)


# What doubles a hand, by the kind of the one before it.
DOUBLED: Final = {
    "weak_hand": "A weak hand was thrown in before: the payment doubles",
    "all_passed": "Everybody passed before: the payment doubles",
    "draw": "A hand was drawn before: the payment doubles",
}


def doubled(deal: CallingDeal, lines: tuple[ScoreLine, ...], rule: str) -> tuple[ScoreLine, ...]:
    """The payments of a hand, and what each doubling that waited for it adds to them."""
    waits = deal.waits.doublings
    if not waits:
        return lines
    sums = add_up(lines, dict.fromkeys(line.side for line in lines))
    added = [
        ScoreLine(side, points * 2**place, rule, Text(DOUBLED[one.kind]), one.events)
        for place, one in enumerate(waits)
        for side, points in sums.items()
    ]
    return (*lines, *added)


def contract_events(deal: CallingDeal, came_to: Reckoning) -> tuple[int, ...]:
    """The seqs of the bid, of the call, of what shows the partner, and of what it came to."""
    call = (deal.call.seq,) if deal.call is not None else ()
    seqs = (came_to.bid.seq, *call, *came_to.partner.events, *came_to.events)
    return tuple(dict.fromkeys(seqs))
