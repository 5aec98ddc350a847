"""Prompts of the play card by card."""

from collections.abc import Iterator

from scorekeeper.cards.tricks import Play
from scorekeeper.events.playing import CardPlayed
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.games.picchetto.witness.bits import BIT, bits, cards_of, higher, suit_of
from scorekeeper.games.picchetto.witness.known import Possible, lacking, spent
from scorekeeper.games.picchetto.witness.lie import with_
from scorekeeper.games.picchetto.witness.search import STEPS_FOR_A_CHOICE, found
from scorekeeper.play.prompts import Prompt, offer
from scorekeeper.play.prompts.following import unrecorded_plays
from scorekeeper.play.prompts.play import to_play


def offer_cards(deal: PicchettoDeal, possible: Possible) -> Iterator[Prompt]:
    """A card to the trick, of those that the player can still hold."""
    player = to_play(deal)
    if player is None or deal.rest is not None:
        return
    playable = cards_of(_playable(deal, possible, player))
    yield from offer((CardPlayed(player, card) for card in playable), ("cards",))


def _playable(deal: PicchettoDeal, possible: Possible, player: str) -> int:
    """The cards that a player can have now; holdings that fit show several at once."""
    who, lie = deal.place_of(player), possible.lie
    played = bits(play.card for play in deal.plays)
    shown_void = spent(deal, player)
    unseen = lie.may[who] & ~lie.must[1 - who] & ~played & ~shown_void
    hidden = len(unrecorded_plays(deal)[player])

    def legal(hand: int) -> int:
        """The cards that may be played of these twelve."""
        loose = hidden - (hand & shown_void & ~played).bit_count()
        return _legal(deal, lead, hand & unseen, loose)

    lead = deal.tricks.open.plays[0] if deal.tricks.open else None
    playable = 0
    for hands in possible.found:
        playable |= legal(hands[who])
    for card in cards_of(unseen):
        bit = BIT[card]
        if bit & playable:
            continue
        beside = lacking(deal, lead, Play(0, player, card)) & ~played if lead else 0
        # What is lacking now may have been held, and have gone to a trick without its cards.
        for lacks in (beside, 0) if beside and hidden else (beside,):
            wanted = with_((0, 0), who, unseen & ~playable)
            then = found(lie.having(who, bit).lacking(who, lacks), wanted, STEPS_FOR_A_CHOICE)
            playable |= legal(then[who]) if then else 0
    return playable


def _legal(deal: PicchettoDeal, lead: Play | None, hand: int, loose: int) -> int:
    """Return what may be played of these cards (P8); ``loose`` of them may have been played."""
    if lead is None:
        return hand
    following = hand & suit_of(lead.card)
    beating = following & higher(lead.card) if deal.table.options["must_beat"] else 0
    due = (one for one in (beating, following) if one.bit_count() > max(loose, 0))
    return next(due, hand)
