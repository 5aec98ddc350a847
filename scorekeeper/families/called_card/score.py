"""What a hand with a called card comes to, and who pays."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from scorekeeper.families.called_card.state import BIDDER, CallingDeal, Partner
from scorekeeper.play.deal import Noted
from scorekeeper.play.scoring import Basis, Result, ScoreLine, Text, Word


class Reckoning(NamedTuple):
    """What a contract came to: made or lost, the points where they are known, and what says so."""

    bid: Noted
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


def score(deal: CallingDeal, lines: Callable[[Any, Reckoning], tuple[ScoreLine, ...]]) -> Result:
    """What a hand comes to, with a game's own lines; nothing where everybody passed."""
    came_to = reckon(deal)
    if deal.auction.all_passed or came_to is None:
        return Result(abandoned=deal.auction.all_passed)
    own = lines(deal, came_to)
    return Result(complete=True, basis=came_to.basis, lines=own, taken=came_to.points)


class Shares(NamedTuple):
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


def units_of(bid: str | int, units: Mapping[int, int]) -> int:
    """The units that a bid is paid in, by a table of points bid up to and including a number.

    A bid that is no number of points is paid like the lowest.

    >>> [units_of(bid, {70: 1, 120: 2}) for bid in ("J", 70, 71, 120)]
    [1, 1, 2, 2]
    """
    points = bid if isinstance(bid, int) else 0
    return next(unit for upto, unit in units.items() if points <= upto)


def pay(
    deal: CallingDeal, came_to: Reckoning, shares: Shares, units: Mapping[int, int], rule: str
) -> Iterator[ScoreLine]:
    """What each player gets or pays, by his share: the bidder first, then his partner."""
    unit = units_of(came_to.bid.event.bid, units)
    sign = 1 if came_to.made else -1
    how = "made" if came_to.made else "lost"
    took = 0
    if came_to.points is not None:
        how, took = f"{how} as counted", came_to.points[BIDDER]
    events = contract_events(deal, came_to)
    went = Text(HOW[how], took=took, need=came_to.need, bid=Word("rank", came_to.bid.event.bid))
    for player, role, share in _parts(deal, came_to, shares):
        text = Text("{how}; {who}", how=went, who=Text(WHO[role], share=abs(share), unit=unit))
        yield ScoreLine(player, sign * share * unit, rule, text, events)


def _parts(deal: CallingDeal, came_to: Reckoning, shares: Shares) -> Iterator[tuple[str, str, int]]:
    """Each player with his part in the hand and his share."""
    bidder, partner = came_to.bid.player, came_to.partner.player
    yield bidder, "alone" if came_to.alone else "bidder", shares.bidder
    if not came_to.alone:
        yield partner, "partner", shares.partner
    for player in deal.table.players:
        if player not in (bidder, partner):
            yield player, "defender", shares.defender


def doubled(
    lines: Iterable[ScoreLine], rule: str, text: Text, events: tuple[int, ...]
) -> Iterator[ScoreLine]:
    """The same payments once more."""
    for line in lines:
        yield replace(line, rule=rule, text=text, events=events)


def contract_events(deal: CallingDeal, came_to: Reckoning) -> tuple[int, ...]:
    """The seqs of the bid, of the call, of what shows the partner, and of what it came to."""
    call = (deal.call.seq,) if deal.call is not None else ()
    seqs = (came_to.bid.seq, *call, *came_to.partner.events, *came_to.events)
    return tuple(dict.fromkeys(seqs))
