"""What comes next in a hand of Briscola Chiamata."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from scorekeeper.cards.packs import Card
from scorekeeper.events.common import OutcomeRecorded, PointsCounted
from scorekeeper.families.briscola import ALL_POINTS
from scorekeeper.families.called_card import prompts as calling
from scorekeeper.families.called_card.events import PartnerRevealed
from scorekeeper.families.called_card.takings import takings
from scorekeeper.games.briscola_chiamata.events import BidMade
from scorekeeper.games.briscola_chiamata.rules import HIGHEST_NUMBER, LOWEST_NUMBER, LOWEST_RANK
from scorekeeper.games.briscola_chiamata.state import ChiamataDeal
from scorekeeper.play.prompts import Ask, Prompt
from scorekeeper.play.prompts.holdings import Holdings
from scorekeeper.play.prompts.play import cards_to_play, settled

NUMBERS: Final = range(LOWEST_NUMBER, HIGHEST_NUMBER + 1)
TOTALS: Final = (
    Ask((BidMade,)),
    Ask((PartnerRevealed,)),
    Ask((PointsCounted, OutcomeRecorded)),
)


def prompts(deal: ChiamataDeal) -> Iterator[Prompt]:
    """What can be recorded next of a hand, the likeliest first."""
    if settled(deal):
        return
    held = calling.if_possible(holdings(deal, deal.called))
    yield from calling.bids(deal, BidMade, ladder(deal))
    if deal.bid is not None:
        yield from calling.calls(deal, callable_cards(deal), holdings)
        if deal.call is not None:
            yield from cards_to_play(deal, held)
        yield from calling.tricks(deal)
        yield from calling.partner_to_reveal(deal, held)
        yield from results(deal)
        yield from calling.called_to_show(deal, held)
        yield from calling.rest(deal, held)
    yield from calling.more_bids(deal, BidMade, ladder(deal))


def ladder(deal: ChiamataDeal) -> tuple[Any, ...]:
    """The bids, the lowest first (C2)."""
    return (*deal.table.pack.ranks, *NUMBERS)


# --------------------------------------------------------------------------------- the call


def callable_cards(deal: ChiamataDeal) -> list[Card]:
    """The cards of the rank that was bid; where he may choose, all, the lowest first (C4)."""
    pack = deal.table.pack
    ranks = [deal.rank_bid] if deal.rank_bid else list(reversed(pack.ranks))
    return sorted(
        [card for card in pack.cards if card.rank in ranks], key=lambda card: ranks.index(card.rank)
    )


def holdings(deal: ChiamataDeal, called: Card | None) -> Holdings:
    """Who can hold what, where this card is called.

    A bidder who could choose, and did not call the 2, has all the trumps below the one called,
    and not that one (C4).
    """
    held = calling.unseen(deal)
    for shown in deal.shown:
        held.has(shown.player, shown.cards)
    if called is None or deal.bidder is None:
        return held
    calling.keep_word(deal, held, called)
    if deal.rank_bid is None and called.rank != LOWEST_RANK:
        suit = deal.table.pack.suit_of(called.suit) if called.suit else ()
        held.has(deal.bidder, suit[suit.index(called) + 1 :])
        held.lacks(deal.bidder, [called])
    return held


# ------------------------------------------------------------------------------- the result


def results(deal: ChiamataDeal) -> Iterator[Prompt]:
    """The count, or the outcome; a count of all the tricks to one party too (C9)."""
    for prompt in calling.results(deal, takings(deal)):
        swept = tuple(sweeps(deal)) if prompt.counts else ()
        yield replace(prompt, choices=(*prompt.choices, *swept))


def sweeps(deal: ChiamataDeal) -> Iterator[PointsCounted]:
    """The counts in which one party has all the tricks, as far as the record allows them."""
    tricks = deal.tricks_at_least()
    for side in tricks:
        none = dict.fromkeys(tricks, 0)
        if tricks == {**none, side: tricks[side]}:
            yield PointsCounted({**none, side: ALL_POINTS}, {**none, side: deal.tricks.total})
