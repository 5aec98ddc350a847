"""Prompts that several games share: a card to the trick, who took it, the rest, the count."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice
from operator import or_
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.events.playing import CardPlayed, PointsCounted, RestClaimed, TrickTaken
from scorekeeper.play.deal import Deal
from scorekeeper.play.prompts import Counts, Level, Prompt, offer
from scorekeeper.play.prompts.holdings import Holdings

MOST_COUNTS: Final = 130  # choices of a count that are listed
MOST_SHOWN: Final = 130  # choices of cards that somebody shows

# What a player shows not to hold beside a card that he plays now; nothing, where any card may be
# played to any trick.
Lacking = Callable[[str, Card], Collection[Card]]


def settled(deal: Deal) -> bool:
    """Whether nothing more is due: it is known what the hand comes to, or the cards disagree."""
    return deal.result.complete or deal.result.abandoned or bool(deal.again)


def to_play(deal: Deal) -> str | None:
    """Whose turn it is to play a card; None where the play is over, or that is not known."""
    trick = deal.tricks.open
    if trick is not None:
        turns = deal.table.turns[trick.plays[0].player]
        return next(player for player in turns if trick.card_of(player) is None)
    number = deal.tricks.due
    if number > deal.tricks.total:
        return None
    return deal.first_leader if number == 1 else last_winner(deal)


def last_winner(deal: Deal) -> str | None:
    """Who won the trick before the one that comes next, if that is known."""
    before = [won.player for won in deal.won if won.number == deal.tricks.due - 1]
    return before[0] if before else None


def all_cards_so_far(deal: Deal) -> bool:
    """Whether every trick on record is there by its cards, but for the open one."""
    if deal.rest is not None:
        return False
    return all(
        trick is deal.tricks.open or deal.tricks.is_full(trick)
        for trick in deal.tricks.numbered.values()
    )


def no_cards_so_far(deal: Deal) -> bool:
    """Whether the tricks on record are there by their winners alone."""
    return deal.rest is None and not deal.plays


def cards_to_play(
    deal: Deal, holdings: Holdings, lacking: Lacking = lambda player, card: ()
) -> Iterator[Prompt]:
    """Offer a card to the trick, of those that the player whose turn it is can still hold."""
    player = to_play(deal)
    if player is None or deal.rest is not None:
        return
    cards = (
        card for card in holdings.cards if holdings.can_give(player, card, lacking(player, card))
    )
    yield from offer((CardPlayed(player, card) for card in cards), ("cards",))


def winner_to_say(deal: Deal) -> Iterator[Prompt]:
    """Offer who took the trick that is being played or comes next.

    Where cards are on record the trick has its number: without it the trick before might be meant.
    """
    number = deal.tricks.due
    if deal.rest is not None or number > deal.tricks.total:
        return
    named = number if deal.plays else None
    choices = (TrickTaken(player, named) for player in may_take(deal, number))
    yield from offer(choices, ("tricks",))


def may_take(deal: Deal, number: int) -> Collection[str]:
    """Return the winner of a trick, else every player whose card does not lose it."""
    winner = next((won.player for won in deal.won if won.number == number), None)
    if winner is not None:
        return (winner,)
    trick = deal.tricks.numbered.get(number)
    if trick is None:
        return deal.table.players
    winning = None  # as long as it is unknown which card wins, or none that lies there can
    if deal.decided(trick):
        best = deal.winner(trick)
        winning = best.player if best.card in deal.strength(trick) else None
    return [one for one in deal.table.players if one == winning or trick.card_of(one) is None]


def rest_to_claim(
    deal: Deal, able: Callable[[str], bool] = lambda player: True
) -> Iterator[Prompt]:
    """Who takes all the rest, of those who are able to, between two tricks."""
    if deal.rest is None and deal.tricks.open is None and deal.tricks.due <= deal.tricks.total:
        leader = last_winner(deal)
        players = sorted(deal.table.players, key=lambda player: player != leader)
        claims = (RestClaimed(player) for player in players if able(player))
        yield from offer(claims, ("tricks", "cards"))


def points_to_count(
    deal: Deal, possible: Mapping[str, Sequence[int]], levels: tuple[Level, ...]
) -> Iterator[Prompt]:
    """The count of points by side, each one of those possible, that makes the total."""
    if not all(possible.values()):
        return
    least = {side: min(points) for side, points in possible.items()}
    most = {side: max(points) for side, points in possible.items()}
    counts = Counts("points", deal.counted_sides(), deal.totals(), least, most)
    listing = islice(listed(counts, possible), MOST_COUNTS)
    yield from offer((PointsCounted(points) for points in listing), levels, counts)


def listed(counts: Counts, possible: Mapping[str, Sequence[int]]) -> Iterator[dict[str, int]]:
    """The counts themselves, those first in which nobody is far from his share."""
    for total in counts.totals:
        share = total // len(counts.sides)
        rows = [sorted(possible[side], key=lambda n: abs(n - share)) for side in counts.sides]
        sums = [1]  # of the last rows together, none to all: a bit for each
        for row in reversed(rows):
            sums.append(reduce(or_, [sums[-1] << number for number in row], 0))
        for numbers in _that_make(total, rows, sums):
            yield dict(zip(counts.sides, numbers, strict=True))


def _that_make(
    total: int, rows: Sequence[Sequence[int]], sums: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """The numbers, one of each row, that make a total."""
    first, *others = rows
    if not others:
        if total in first:
            yield (total,)
        return
    for number in first:
        if number <= total and sums[len(others)] >> (total - number) & 1:
            for rest in _that_make(total - number, others, sums):
                yield (number, *rest)
