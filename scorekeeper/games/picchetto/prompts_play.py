"""Prompts of the play card by card."""

from collections.abc import Iterator

from scorekeeper.cards.tricks import Play
from scorekeeper.events.playing import CardPlayed
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.games.picchetto.witness.bits import BIT, bits, cards_of, higher, suit_of
from scorekeeper.games.picchetto.witness.known import Possible, lacking
from scorekeeper.games.picchetto.witness.lie import with_
from scorekeeper.games.picchetto.witness.search import STEPS_FOR_A_CHOICE, found
from scorekeeper.play.prompts import Prompt, offer
from scorekeeper.play.prompts.play import all_cards_so_far, to_play


def cards_to_play(deal: PicchettoDeal, possible: Possible) -> Iterator[Prompt]:
    """A card to the trick, of those that the player can still hold."""
    player = to_play(deal)
    if player is None or not all_cards_so_far(deal):
        return
    playable = cards_of(_playable(deal, possible, player))
    yield from offer((CardPlayed(player, card) for card in playable), ("cards",))


def _playable(deal: PicchettoDeal, possible: Possible, player: str) -> int:
    """The cards that a player can have now; holdings that fit show several at once."""
    who, lie = deal.place_of(player), possible.lie
    played = bits(play.card for play in deal.plays)
    unseen = lie.may[who] & ~lie.must[1 - who] & ~played
    lead = deal.tricks.open.plays[0] if deal.tricks.open else None
    playable = 0
    for hands in possible.found:
        playable |= _legal(deal, lead, hands[who] & unseen)
    for card in cards_of(unseen):
        bit = BIT[card]
        if bit & playable:
            continue
        beside = lacking(deal, lead, Play(0, player, card)) & ~played if lead else 0
        wanted = with_((0, 0), who, unseen & ~playable)
        then = found(lie.having(who, bit).lacking(who, beside), wanted, STEPS_FOR_A_CHOICE)
        playable |= _legal(deal, lead, then[who] & unseen) if then else 0
    return playable


def _legal(deal: PicchettoDeal, lead: Play | None, hand: int) -> int:
    """What may be played of these cards (P8)."""
    if lead is None:
        return hand
    following = hand & suit_of(lead.card)
    if deal.table.options["must_beat"]:
        following = following & higher(lead.card) or following
    return following or hand
