"""The card points that each party can have taken, by the tricks on record."""

from collections.abc import Collection, Sequence
from functools import reduce
from operator import or_

from scorekeeper.cards.packs import Card
from scorekeeper.families.briscola import ALL_POINTS, POINTS
from scorekeeper.families.called_card.state import CallingDeal
from scorekeeper.families.contracts.state import BIDDER, DEFENDERS
from scorekeeper.play.counts import sums_of


def possible_takings(
    deal: CallingDeal, beside: int = 0, away: Collection[Card] = ()
) -> dict[str, Sequence[int]]:
    """Return the card points that each party can have, for any partner if none is known.

    ``beside`` is the number of cards that go with the last trick in addition to those played to
    it; ``away`` are those of them that are on record.
    """
    known = (deal.partner.player,) if deal.partner else ()
    partners = deal.table.players if deal.partner_face_down else known or (None,)
    parties = {frozenset((deal.bidder, partner)) for partner in partners}
    together = reduce(or_, (_possible_sums(deal, party, beside, away) for party in parties))
    bidder = [points for points in range(ALL_POINTS + 1) if together >> points & 1]
    return {BIDDER: bidder, DEFENDERS: [ALL_POINTS - points for points in bidder]}


def _possible_sums(
    deal: CallingDeal, party: Collection[str | None], beside: int, away: Collection[Card]
) -> int:
    """Return the card points that the players of ``party`` can have together, as a bit set of sums.

    ``beside`` and ``away`` are as in :func:`possible_takings`.
    """
    won = {trick.number: trick for trick in deal.won}
    seen, unseen = 0, 0  # the party's points on record, and the number of its unknown cards
    loose = []  # the sizes of the tricks whose party is unknown
    hidden = set(deal.table.pack.cards)
    for number in range(1, deal.tricks.total + 1):
        last = number == deal.tricks.total
        size = deal.tricks.players + (beside if last else 0)
        if number not in won:
            loose.append(size)
            continue
        trick = won[number].trick
        cards = [play.card for play in trick.plays] if trick else []
        cards += away if last else ()
        hidden.difference_update(cards)
        if won[number].player in party:
            seen += sum([POINTS[card] for card in cards])
            unseen += size - len(cards)
    sums = sums_of([POINTS[card] for card in hidden])
    together = 0
    for quantity in _quantities(unseen, loose):
        together |= sums[quantity]
    return together << seen


def _quantities(least: int, loose: Sequence[int]) -> set[int]:
    """Return the possible numbers of a party's cards: ``least``, and any of the ``loose`` ones."""
    numbers = {least}
    for size in loose:
        numbers |= {number + size for number in numbers}
    return numbers
