"""Prompts of the play card by card."""

from collections.abc import Iterator

from scorekeeper.cards.tricks import Play
from scorekeeper.events.playing import CardPlayed
from scorekeeper.games.picchetto.possible_holdings.bits import (
    BIT,
    bits,
    cards_of,
    higher_cards,
    suit_bits,
)
from scorekeeper.games.picchetto.possible_holdings.constraints import replace_in_pair
from scorekeeper.games.picchetto.possible_holdings.from_record import (
    PossibleHoldings,
    cards_not_held,
    void_cards,
)
from scorekeeper.games.picchetto.possible_holdings.search import (
    MAX_STEPS_FOR_A_CHOICE,
    find_holdings,
)
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.play.prompts import Prompt, offer
from scorekeeper.play.prompts.following import unrecorded_plays
from scorekeeper.play.prompts.play import to_play


def offer_cards(deal: PicchettoDeal, possible: PossibleHoldings) -> Iterator[Prompt]:
    """Offer the cards that the next player can still hold and may play."""
    player = to_play(deal)
    if player is None or deal.rest is not None:
        return
    playable = cards_of(_playable(deal, possible, player))
    yield from offer((CardPlayed(player, card) for card in playable), ("cards",))


def _playable(deal: PicchettoDeal, possible: PossibleHoldings, player: str) -> int:
    """Return the cards that a player can hold now and may play, as bits.

    Each holding that fits shows several of them at once, so few searches are needed.
    """
    index, constraints = deal.index_of(player), possible.constraints
    played = bits(play.card for play in deal.plays)
    shown_void = void_cards(deal, player)
    unseen = constraints.may[index] & ~constraints.must[1 - index] & ~played & ~shown_void
    hidden = len(unrecorded_plays(deal)[player])

    def legal(holding: int) -> int:
        """Return the cards of a holding that may be played now."""
        loose = hidden - (holding & shown_void & ~played).bit_count()
        return _legal_cards(deal, lead, holding & unseen, loose)

    lead = deal.tricks.open.plays[0] if deal.tricks.open else None
    playable = 0
    for holdings in possible.known:
        playable |= legal(holdings[index])
    for card in cards_of(unseen):
        bit = BIT[card]
        if bit & playable:
            continue
        lacking = cards_not_held(deal, lead, Play(0, player, card)) & ~played if lead else 0
        # A card that is lacking now may have been played to a trick whose cards are not on record.
        for excluded in (lacking, 0) if lacking and hidden else (lacking,):
            wanted = replace_in_pair((0, 0), index, unseen & ~playable)
            required = constraints.require(index, bit).exclude(index, excluded)
            example = find_holdings(required, wanted, MAX_STEPS_FOR_A_CHOICE)
            playable |= legal(example[index]) if example else 0
    return playable


def _legal_cards(deal: PicchettoDeal, lead: Play | None, holding: int, loose: int) -> int:
    """Return, as bits, the cards of a holding that may be played on the lead (P8).

    Of the holding, ``loose`` cards may have been played to tricks without their cards.
    """
    if lead is None:
        return holding
    following = holding & suit_bits(lead.card)
    beating = following & higher_cards(lead.card) if deal.table.options["must_beat"] else 0
    due = (cards for cards in (beating, following) if cards.bit_count() > max(loose, 0))
    return next(due, holding)
