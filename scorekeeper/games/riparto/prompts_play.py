"""What can be recorded next of the play of a hand of Riparto, and of its count."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice, product
from operator import add
from typing import Final

from scorekeeper.cards import Card
from scorekeeper.events import CardPlayed, CardsShown, OutcomeRecorded, PointsCounted, TrickTaken
from scorekeeper.games.riparto.rules import LAST_THREE, PACK, TRICKS
from scorekeeper.games.riparto.state import RipartoDeal
from scorekeeper.hands import Noted, Shown
from scorekeeper.prompts import LEVELS, Counts, Level, Prompt
from scorekeeper.prompts.holdings import Holdings
from scorekeeper.prompts.play import (
    MOST_COUNTS,
    all_cards_so_far,
    no_cards_so_far,
    to_play,
    tricks_to_take,
)

MOST_SHOWN: Final = 130  # cards that somebody may show

# Where cards lie that nobody holds; no player has such an id.
LEFT_OVER: Final = "left over"  # with three players (R1)
GONE: Final = "gone"  # played to tricks of which they are not on record

# ------------------------------------------------------------------------------ the holdings


def unseen(deal: RipartoDeal) -> Holdings:
    """The cards that are not on record as played, and who can have them."""
    cards = [card for card in PACK.cards if card not in deal.first]
    holdings = Holdings(_rooms(deal), cards)
    for player, suit in _voids(deal):
        holdings.lacks(player, _of_suit(cards, suit))
    for held in deal.held():
        keep = {held.player, GONE} if _may_be_gone(deal, held) else {held.player}
        for other in holdings.rooms.keys() - keep:
            holdings.lacks(other, held.cards)
    return holdings


def _rooms(deal: RipartoDeal) -> dict[str, int]:
    """How many cards each player still holds, and how many lie elsewhere."""
    players = deal.table.players
    rooms = dict.fromkeys(players, TRICKS)
    gone = 0
    for trick in deal.tricks:
        for player in players:
            played = trick.card_of(player) is not None
            rooms[player] -= played or trick is not deal.tricks.open
            gone += not played and trick is not deal.tricks.open
    elsewhere = {LEFT_OVER: len(PACK.cards) - TRICKS * len(players), GONE: gone}
    return rooms | {place: room for place, room in elsewhere.items() if room}


def _voids(deal: RipartoDeal) -> set[tuple[str, str | None]]:
    """Who did not follow which suit, and has not played it since, as only a revoke would."""
    voids: set[tuple[str, str | None]] = set()
    for trick in deal.tricks:
        for play in trick.plays:
            voids.discard((play.player, play.card.suit))
            if play.card.suit is not trick.plays[0].card.suit:
                voids.add((play.player, trick.plays[0].card.suit))
    return voids


def _may_be_gone(deal: RipartoDeal, held: Shown) -> bool:
    """Whether a card that a player held may have gone to a trick since, unrecorded."""
    return any(
        trick.number >= held.trick and trick.card_of(held.player) is None
        for trick in deal.tricks
        if trick is not deal.tricks.open
    )


def _of_suit(cards: Iterable[Card], suit: str | None) -> list[Card]:
    return [card for card in cards if card.suit is suit]


# ---------------------------------------------------------------------- the tricks (R7 to R9)


def card_to_play(deal: RipartoDeal, ripartitore: str, holdings: Holdings) -> Iterator[Prompt]:
    """A card to the trick, of those that the player can hold, the suit led first (R7).

    Where the record contradicts itself, any card that is not on record.
    """
    by_winners = deal.tricks.numbered and not deal.plays
    player = to_play(deal, ripartitore)
    if player is None or by_winners or deal.rest is not None:
        return
    led = deal.tricks.open.plays[0].card.suit if deal.tricks.open else None
    following = _of_suit(holdings.cards, led)
    other = [card for card in holdings.cards if card.suit is not led]
    cards = [card for card in following if holdings.can_hold(player, card)]
    cards += [card for card in other if holdings.can_give(player, card, following)]
    plays = tuple(CardPlayed(player, card) for card in cards or holdings.cards)
    if plays:
        yield Prompt(plays, ("cards",))


def winner_to_say(deal: RipartoDeal) -> Iterator[Prompt]:
    """Who took the trick, where not all tricks on record are there by their cards."""
    number = deal.tricks.due
    if no_cards_so_far(deal):
        yield from tricks_to_take(deal)
    elif not all_cards_so_far(deal) and deal.rest is None and number <= TRICKS:
        choices = tuple(TrickTaken(player, number) for player in _takers(deal, number))
        yield Prompt(choices, ("tricks",))


def cards_to_show(deal: RipartoDeal, ripartitore: str, holdings: Holdings) -> Iterator[Prompt]:
    """A card that somebody shows, once cards are being played; of whose turn it is first."""
    first = to_play(deal, ripartitore)
    if first is None or not deal.plays or deal.rest is not None:
        return
    shown = {(one.player, card) for one in deal.shown for card in one.cards}
    showings = (
        CardsShown(player, (card,))
        for player, card in product(deal.table.turns[first], holdings.cards)
        if (player, card) not in shown and holdings.can_hold(player, card)
    )
    if choices := tuple(islice(showings, MOST_SHOWN)):
        yield Prompt(choices, ("cards",))


# -------------------------------------------------------------- the points (R10, R11), the outcome


def _takers(deal: RipartoDeal, number: int) -> Collection[str]:
    """Who can take a trick, or did: its winner; else all but those whose card is beaten."""
    winner = deal.winners().get(number)
    if winner is not None:
        return (winner,)
    trick = deal.tricks.numbered.get(number)
    if trick is None:
        return deal.table.players
    best = deal.winner(trick).player
    return [one for one in deal.table.players if one == best or trick.card_of(one) is None]


def _possible(deal: RipartoDeal) -> Collection[tuple[int, ...]]:
    """The points, in the order of the sides, that the tricks can still come to."""
    possible = {(0,) * len(deal.table.sides)}
    for numbers in (*product(range(1, LAST_THREE[0])), LAST_THREE):
        more = _worth(deal, numbers)
        possible = {tuple(map(add, points, worth)) for points in possible for worth in more}
    return possible


def _worth(deal: RipartoDeal, numbers: tuple[int, ...]) -> Collection[tuple[int, ...]]:
    """What some tricks can be worth, in the order of the sides, whoever takes them."""
    ways = product(*[_takers(deal, number) for number in numbers])
    taken = (deal.points_of(dict(zip(numbers, way, strict=True))) for way in ways)
    return {tuple(points.values()) for points in taken}


def how_it_went(deal: RipartoDeal, declaration: Noted) -> Iterator[Prompt]:
    """The count, or the outcome, which scores the hand where the contract was made.

    After an outcome only a count that agrees with it is left, at whatever level: where the
    contract was lost there is a prompt for fewer points than declared, and one for more.
    """
    ripartitore = deal.counted_sides().index(declaration.event.player)
    declared = declaration.event.points
    possible = sorted(_possible(deal), key=lambda points: _surprise(points, ripartitore, declared))
    made = [points for points in possible if points[ripartitore] == declared]
    if not deal.outcomes:
        yield _counts(deal, possible, ("totals",))
        outcomes = [OutcomeRecorded(made=True)] if made else []
        outcomes += [OutcomeRecorded(made=False)] if len(made) < len(possible) else []
        yield Prompt(tuple(outcomes), ("totals",))
        return
    fewer = [points for points in possible if points[ripartitore] < declared]
    more = [points for points in possible if points[ripartitore] > declared]
    for counts in (fewer, more):
        if counts:
            yield _counts(deal, counts, LEVELS)


def _surprise(points: tuple[int, ...], ripartitore: int, declared: int) -> tuple[int, int]:
    """How far points are from what was declared, and from equal shares."""
    return abs(points[ripartitore] - declared), max(points) - min(points)


def _counts(
    deal: RipartoDeal, counts: Sequence[tuple[int, ...]], levels: tuple[Level, ...]
) -> Prompt:
    """A count of these, of which only the first are listed where they are many."""
    sides = deal.counted_sides()
    choices = tuple(
        PointsCounted(dict(zip(sides, points, strict=True))) for points in counts[:MOST_COUNTS]
    )
    if len(counts) <= MOST_COUNTS:
        return Prompt(choices, levels)
    least, most = (
        dict(zip(sides, map(limit, zip(*counts, strict=True)), strict=True)) for limit in (min, max)
    )
    return Prompt(choices, levels, Counts("points", sides, deal.totals(), least, most))
