"""Prompts of games in which suit is followed: who can hold what, and the play.

They are for games in which every player holds one card for each trick, and learn what players lack
from how they followed. Nobody is ever offered what would be a revoke by what is on record.
"""

from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.events.playing import CardPlayed, CardsShown
from scorekeeper.play.deal import Deal, Shown
from scorekeeper.play.prompts import Prompt, offer
from scorekeeper.play.prompts.holdings import Holdings
from scorekeeper.play.prompts.play import MOST_SHOWN, to_play

# Where cards lie that nobody holds; no player has such an id.
LEFT_OVER: Final = "left over"  # not dealt
GONE: Final = "gone"  # played to tricks of which they are not on record


def unseen(deal: Deal) -> Holdings:
    """The cards that are not on record as played, and who can have them."""
    cards = [card for card in deal.table.pack.cards if card not in deal.first]
    holdings = Holdings(_rooms(deal), cards)
    for player, suit in voids(deal):
        holdings.lacks(player, of_suit(cards, suit))
    for held in deal.held():
        holders = (held.player, GONE) if _may_be_gone(deal, held) else (held.player,)
        holdings.among(holders, held.cards)
    return holdings


def _rooms(deal: Deal) -> dict[str, int]:
    """How many cards each player still holds, and how many lie elsewhere."""
    players, size = deal.table.players, deal.tricks.total
    rooms = dict.fromkeys(players, size)
    gone = 0
    for trick in deal.tricks:
        for player in players:
            played = trick.card_of(player) is not None
            rooms[player] -= played or trick is not deal.tricks.open
            gone += not played and trick is not deal.tricks.open
    elsewhere = {LEFT_OVER: len(deal.table.pack.cards) - size * len(players), GONE: gone}
    return rooms | {place: room for place, room in elsewhere.items() if room}


def voids(deal: Deal) -> set[tuple[str, str | None]]:
    """Who did not follow which suit, and has not played it since, as only a revoke would."""
    found: set[tuple[str, str | None]] = set()
    for trick in deal.tricks:
        for play in trick.plays:
            found.discard((play.player, play.card.suit))
            if play.card.suit is not trick.plays[0].card.suit:
                found.add((play.player, trick.plays[0].card.suit))
    return found


def _may_be_gone(deal: Deal, held: Shown) -> bool:
    """Whether a card that a player held may have gone to a trick since, unrecorded."""
    return any(
        trick.number >= held.trick and trick.card_of(held.player) is None
        for trick in deal.tricks
        if trick is not deal.tricks.open
    )


def of_suit(cards: Iterable[Card], suit: str | None) -> list[Card]:
    """Those of the cards that are of a suit."""
    return [card for card in cards if card.suit is suit]


def card_to_play(deal: Deal, holdings: Holdings) -> Iterator[Prompt]:
    """A card to the trick, of those that the player can hold, the suit led first.

    Where the record contradicts itself, any card that is not on record.
    """
    by_winners = deal.tricks.numbered and not deal.plays
    player = to_play(deal)
    if player is None or by_winners or deal.rest is not None:
        return
    led = deal.tricks.open.plays[0].card.suit if deal.tricks.open else None
    following = of_suit(holdings.cards, led)
    other = [card for card in holdings.cards if card.suit is not led]
    cards = [card for card in following if holdings.can_hold(player, card)]
    cards += [card for card in other if holdings.can_give(player, card, following)]
    yield from offer((CardPlayed(player, card) for card in cards or holdings.cards), ("cards",))


def cards_to_show(deal: Deal, holdings: Holdings) -> Iterator[Prompt]:
    """A card that somebody shows, once cards are being played; of whose turn it is first."""
    first = to_play(deal)
    if first is None or not deal.plays or deal.rest is not None:
        return
    shown = {(one.player, card) for one in deal.shown for card in one.cards}
    showings = (
        CardsShown(player, (card,))
        for player, card in product(deal.table.turns[first], holdings.cards)
        if (player, card) not in shown and holdings.can_hold(player, card)
    )
    yield from offer(islice(showings, MOST_SHOWN), ("cards",))
