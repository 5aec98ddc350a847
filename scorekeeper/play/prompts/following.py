"""Prompts of games in which suit is followed: who can hold what, and the play.

They are for games in which every player holds one card for each trick, and learn what players lack
from how they followed. Nobody is ever offered what would be a revoke by what is on record.
"""

from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.events.playing import CardPlayed, CardsShown
from scorekeeper.play.deal import Deal
from scorekeeper.play.prompts import Prompt, offer
from scorekeeper.play.prompts.holdings import Holdings
from scorekeeper.play.prompts.play import MOST_SHOWN, to_play

# Where cards lie that nobody holds; no player has such an id.
LEFT_OVER: Final = "left over"  # not dealt
GONE: Final = "gone from "  # before a player: played to tricks that are recorded by their winner


def unseen(deal: Deal) -> Holdings:
    """The cards that are not on record as played, and who can have them."""
    cards = [card for card in deal.table.pack.cards if card not in deal.first]
    holdings = Holdings(_rooms(deal), cards)
    for player, suit in voids(deal):
        holdings.lacks(player, of_suit(cards, suit))
    for held in deal.held():
        holdings.among(holders_of(deal, held.player, held.trick), held.cards)
    return holdings


def _rooms(deal: Deal) -> dict[str, int]:
    """How many cards each player still holds, and how many lie elsewhere."""
    players, size = deal.table.players, deal.tricks.total
    elsewhere = {LEFT_OVER: len(deal.table.pack.cards) - size * len(players)}
    return {**rooms_left(deal), **{place: room for place, room in elsewhere.items() if room}}


def rooms_left(deal: Deal) -> dict[str, int]:
    """Return how many cards each player still holds, and how many of each are ``GONE``."""
    hidden = unrecorded_plays(deal)
    rooms = {player: deal.tricks.total - len(hidden[player]) for player in deal.table.players}
    for trick in deal.tricks:
        for play in trick.plays:
            rooms[play.player] -= 1
    gone = {f"{GONE}{player}": len(tricks) for player, tricks in hidden.items() if tricks}
    return {**rooms, **gone}


def unrecorded_plays(deal: Deal) -> dict[str, list[int]]:
    """Return the tricks to which each player played a card that is not on record, by number."""
    closed = [trick for trick in deal.tricks if trick is not deal.tricks.open]
    return {
        player: [trick.number for trick in closed if trick.card_of(player) is None]
        for player in deal.table.players
    }


def voids(deal: Deal) -> set[tuple[str, str | None]]:
    """Who did not follow which suit, and has not played it since, as only a revoke would."""
    found: set[tuple[str, str | None]] = set()
    for trick in deal.tricks:
        for play in trick.plays:
            found.discard((play.player, play.card.suit))
            if play.card.suit is not trick.plays[0].card.suit:
                found.add((play.player, trick.plays[0].card.suit))
    return found


def holders_of(deal: Deal, player: str, since: int = 1) -> tuple[str, ...]:
    """Return where the cards may be that a player held when trick ``since`` came next.

    They are ``GONE`` if the player has played them to tricks that are recorded by their winner.
    """
    gone = any(number >= since for number in unrecorded_plays(deal)[player])
    return (player, f"{GONE}{player}") if gone else (player,)


def player_of(holder: str) -> str:
    """Return the player who holds the cards there, or held them."""
    return holder.removeprefix(GONE)


def of_suit(cards: Iterable[Card], suit: str | None) -> list[Card]:
    """Those of the cards that are of a suit."""
    return [card for card in cards if card.suit is suit]


def card_to_play(deal: Deal, holdings: Holdings) -> Iterator[Prompt]:
    """A card to the trick, of those that the player can hold, the suit led first.

    Where the record contradicts itself, any card that is not on record.
    """
    player = to_play(deal)
    if player is None or deal.rest is not None:
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
