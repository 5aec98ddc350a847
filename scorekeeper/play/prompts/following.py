"""Prompts of games in which players follow suit: the possible holdings, and the play.

They are for games in which every player holds one card for each trick. The cards that players
followed with show which suits they lack. No prompt offers a revoke according to the record so far.
"""

from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.cards.tricks import Trick
from scorekeeper.events.playing import CardPlayed, CardsShown
from scorekeeper.play.deal import Deal
from scorekeeper.play.duties import Duties, plays_with_those_before
from scorekeeper.play.prompts import Prompt, offer
from scorekeeper.play.prompts.holdings import Holdings
from scorekeeper.play.prompts.play import MAX_LISTED_SHOWN, to_play

# Holders that are not players; no player has such an id.
LEFT_OVER: Final = "left over"  # cards that were not dealt
UNRECORDED: Final = "gone from "  # prefix of a player: cards played to tricks without their cards


def unseen_holdings(deal: Deal) -> Holdings:
    """Return the cards not on record as played, and for each of them who can still have it.

    A player cannot have a suit that they did not follow, and has the cards that they showed. A card
    without a suit may be played to any trick, and shows nothing.
    """
    cards = [card for card in deal.table.pack.cards if card not in deal.first]
    holdings = Holdings(_unseen_per_holder(deal), cards)
    for player, suit in voids(deal):
        holdings.exclude(player, of_suit(cards, suit))
    for player, lacked in _shown_lacks(deal):
        holdings.exclude(player, lacked)
    for held in deal.held():
        holdings.require_among(holders_of(deal, held.player, held.trick), held.cards)
    return holdings


def _unseen_per_holder(deal: Deal) -> dict[str, int]:
    """Return the number of unseen cards by holder, with ``UNRECORDED`` and ``LEFT_OVER``."""
    players, size = deal.table.players, deal.tricks.total
    elsewhere = {LEFT_OVER: len(deal.table.pack.cards) - size * len(players)}
    return {**unseen_per_player(deal), **{place: room for place, room in elsewhere.items() if room}}


def unseen_per_player(deal: Deal) -> dict[str, int]:
    """Return the number of unseen cards that each player still holds.

    The key ``UNRECORDED`` + player has the number of cards that the player played to tricks of
    which only the winner is on record; it is left out if that is 0.
    """
    hidden = unrecorded_plays(deal)
    rooms = {player: deal.tricks.total - len(hidden[player]) for player in deal.table.players}
    for trick in deal.tricks:
        for play in trick.plays:
            rooms[play.player] -= 1
    gone = {f"{UNRECORDED}{player}": len(tricks) for player, tricks in hidden.items() if tricks}
    return {**rooms, **gone}


def unrecorded_plays(deal: Deal) -> dict[str, list[int]]:
    """Return the numbers of the tricks to which each player's card is not on record."""
    closed = [trick for trick in deal.tricks if trick is not deal.tricks.open]
    return {
        player: [trick.number for trick in closed if trick.card_of(player) is None]
        for player in deal.table.players
    }


def voids(deal: Deal) -> set[tuple[str, str | None]]:
    """Return pairs of a player and a suit that the player did not follow and never played later.

    A player who plays such a suit later has revoked, so the play proves no void.
    """
    void: set[tuple[str, str | None]] = set()
    for trick in deal.tricks:
        led = trick.led_suit
        for play in trick.plays:
            void.discard((play.player, play.card.suit))
            if play.card.suit not in {None, led}:
                void.add((play.player, led))
    return void


def _shown_lacks(deal: Deal) -> Iterator[tuple[str, Iterable[Card]]]:
    """Yield the cards that players lack who did all their duties (`Deal.duties`).

    A play against a duty shows nothing: its player played such a card later.
    """
    duties = deal.duties
    for trick in deal.tricks if duties else ():
        for play, before in plays_with_those_before(trick.plays):
            lacked = duties.lacked(before, play.card) if duties else ()
            own = deal.plays_by[play.player]
            later = {other.card for other in own[own.index(play) + 1 :]} if lacked else set()
            if not later.intersection(lacked):
                yield play.player, lacked


def holders_of(deal: Deal, player: str, since: int = 1) -> tuple[str, ...]:
    """Return who can have cards now that ``player`` held before trick ``since``.

    It is the player and, if the player has since played to tricks that are recorded by their
    winner only, also the holder ``UNRECORDED`` + player.
    """
    may_be_gone = any(number >= since for number in unrecorded_plays(deal)[player])
    return (player, f"{UNRECORDED}{player}") if may_be_gone else (player,)


def player_of(holder: str) -> str:
    """Return the player of a holder: of a player's id, or of ``UNRECORDED`` + id."""
    return holder.removeprefix(UNRECORDED)


def of_suit(cards: Iterable[Card], suit: str | None) -> list[Card]:
    """Return the cards of a suit."""
    return [card for card in cards if card.suit is suit]


def offer_card(deal: Deal, holdings: Holdings) -> Iterator[Prompt]:
    """Offer the cards that the player whose turn it is can hold and play, the suit led first.

    If the record contradicts itself, offer every card that is not on record.
    """
    player = to_play(deal)
    if player is None or deal.rest is not None:
        return
    led = deal.tricks.open.led_suit if deal.tricks.open else None
    following = of_suit(holdings.cards, led) if led else []
    if deal.duties and deal.tricks.open:
        yield from _offer_dutiful_card(deal.duties, deal.tricks.open, holdings, player)
        return
    free = [card for card in holdings.cards if card.suit in {None, led}]  # by the suit led
    other = [card for card in holdings.cards if card.suit not in {None, led}]
    cards = [card for card in free if holdings.can_hold(player, card)]
    cards += [card for card in other if holdings.can_give(player, card, following)]
    yield from offer((CardPlayed(player, card) for card in cards or holdings.cards), ("cards",))


def _offer_dutiful_card(
    duties: Duties, trick: Trick, holdings: Holdings, player: str
) -> Iterator[Prompt]:
    """Offer the cards that a player can hold and play by their duties, the suit led first."""
    cards = [
        card
        for card in holdings.cards
        if holdings.can_give(player, card, duties.lacked(trick.plays, card))
    ]
    cards.sort(key=lambda card: card.suit not in {None, trick.led_suit})
    yield from offer((CardPlayed(player, card) for card in cards or holdings.cards), ("cards",))


def offer_shown_cards(deal: Deal, holdings: Holdings) -> Iterator[Prompt]:
    """Offer a card that a player shows, after the first card was played.

    Each player can show each unseen card that they can hold and have not shown, the player in turn
    first; at most ``MAX_LISTED_SHOWN`` choices are listed.
    """
    first = to_play(deal)
    if first is None or not deal.plays or deal.rest is not None:
        return
    shown = {(showing.player, card) for showing in deal.shown for card in showing.cards}
    showings = (
        CardsShown(player, (card,))
        for player, card in product(deal.table.turns[first], holdings.cards)
        if (player, card) not in shown and holdings.can_hold(player, card)
    )
    yield from offer(islice(showings, MAX_LISTED_SHOWN), ("cards",))
