"""Prompts that several games share: a card, the winner of a trick, the rest, the count."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice
from operator import or_
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.events.playing import CardPlayed, RestClaimed, TrickTaken, counted_in
from scorekeeper.play.deal import Deal
from scorekeeper.play.prompts import Counts, Level, Prompt, offer
from scorekeeper.play.prompts.holdings import Holdings

MAX_LISTED_COUNTS: Final = 130  # choices of a count
MAX_LISTED_SHOWN: Final = 130  # choices of shown cards

# The cards that a player cannot hold if they play this card by the rules; none in games where any
# card may be played to any trick.
Lacking = Callable[[str, Card], Collection[Card]]


def result_is_settled(deal: Deal) -> bool:
    """Return whether no more events are due: the result is known, or a card is recorded twice."""
    return deal.result.complete or deal.result.abandoned or bool(deal.again)


def to_play(deal: Deal) -> str | None:
    """Return the player whose turn it is to play a card; None if unknown or the play is over."""
    trick = deal.tricks.open
    if trick is not None:
        turns = deal.table.turns[trick.plays[0].player]
        return next(player for player in turns if trick.card_of(player) is None)
    number = deal.tricks.due
    if number > deal.tricks.total:
        return None
    return deal.first_leader if number == 1 else last_winner(deal)


def last_winner(deal: Deal) -> str | None:
    """Return the winner of the trick before the next one; None if unknown."""
    before = [won.player for won in deal.won if won.number == deal.tricks.due - 1]
    return before[0] if before else None


def all_cards_so_far(deal: Deal) -> bool:
    """Return whether the record has all cards of every trick except the open one.

    It is false after a claim of the rest.
    """
    if deal.rest is not None:
        return False
    return all(
        trick is deal.tricks.open or deal.tricks.is_full(trick)
        for trick in deal.tricks.numbered.values()
    )


def no_cards_so_far(deal: Deal) -> bool:
    """Return whether the record has only the winners of tricks, no cards."""
    return deal.rest is None and not deal.plays


def offer_cards(
    deal: Deal, holdings: Holdings, lacking: Lacking = lambda player, card: ()
) -> Iterator[Prompt]:
    """Offer the cards that the player whose turn it is can still hold and play.

    ``lacking`` returns the cards that the player cannot hold, if they play a card by the rules.
    Nothing is offered after a claim of the rest.
    """
    player = to_play(deal)
    if player is None or deal.rest is not None:
        return
    cards = (
        card for card in holdings.cards if holdings.can_give(player, card, lacking(player, card))
    )
    yield from offer((CardPlayed(player, card) for card in cards), ("cards",))


def offer_winner(deal: Deal) -> Iterator[Prompt]:
    """Offer the winner of the trick that is being played or comes next.

    If cards are on record the event has the number of the trick; without the number it could
    mean the trick before.
    """
    number = deal.tricks.due
    if deal.rest is not None or number > deal.tricks.total:
        return
    named = number if deal.plays else None
    choices = (TrickTaken(player, named) for player in may_take(deal, number))
    yield from offer(choices, ("tricks",))


def may_take(deal: Deal, number: int) -> Collection[str]:
    """Return the players who can still win a trick: its winner if that is known, else all others.

    Others are the players whose card is not recorded and the player whose card wins so far.
    """
    winner = next((won.player for won in deal.won if won.number == number), None)
    if winner is not None:
        return (winner,)
    trick = deal.tricks.numbered.get(number)
    if trick is None:
        return deal.table.players
    winning = None  # if it is unknown which card wins, or no card of the trick can
    if deal.decided(trick):
        best = deal.winner(trick)
        winning = best.player if best.card in deal.strength(trick) else None
    return [
        player
        for player in deal.table.players
        if player == winning or trick.card_of(player) is None
    ]


def offer_rest(deal: Deal, able: Callable[[str], bool] = lambda player: True) -> Iterator[Prompt]:
    """Offer a claim of the rest between two tricks, for each player who is ``able`` to."""
    if deal.rest is None and deal.tricks.open is None and deal.tricks.due <= deal.tricks.total:
        leader = last_winner(deal)
        players = sorted(deal.table.players, key=lambda player: player != leader)
        claims = (RestClaimed(player) for player in players if able(player))
        yield from offer(claims, ("tricks", "cards"))


def offer_counts(
    deal: Deal, possible: Mapping[str, Sequence[int]], levels: tuple[Level, ...]
) -> Iterator[Prompt]:
    """Offer the counts of points that add up to a fixed total.

    ``possible`` has the points that each side can have. Nothing is offered if a side can have
    none. At most ``MAX_LISTED_COUNTS`` counts are listed, the most even ones first.
    """
    if not all(possible.values()):
        return
    least = {side: min(points) for side, points in possible.items()}
    most = {side: max(points) for side, points in possible.items()}
    counts = Counts("points", deal.counted_sides(), deal.totals(), least, most)
    listing = islice(list_counts(counts, possible), MAX_LISTED_COUNTS)
    declared = counted_in(deal.COUNTED_IN)
    yield from offer((declared(points) for points in listing), levels, counts)


def list_counts(counts: Counts, possible: Mapping[str, Sequence[int]]) -> Iterator[dict[str, int]]:
    """Yield the points by side of each count whose sum is one of the totals of ``counts``.

    The totals come in their order; of each, counts with nearly equal shares come first. Yields
    nothing if there are no totals. ``possible`` has the points that a side can have.
    """
    for total in counts.totals:
        share = total // len(counts.sides)
        rows = [sorted(possible[side], key=lambda n: abs(n - share)) for side in counts.sides]
        sums = [1]  # possible sums of the last 0, 1, 2 … rows, as bit sets
        for row in reversed(rows):
            sums.append(reduce(or_, [sums[-1] << number for number in row], 0))
        for numbers in _combinations(total, rows, sums):
            yield dict(zip(counts.sides, numbers, strict=True))


def _combinations(
    total: int, rows: Sequence[Sequence[int]], sums: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """Yield each choice of one number per row that adds up to the total.

    ``sums`` has the possible sums of the last 0, 1, 2 … rows, each as a bit set.
    """
    first, *others = rows
    if not others:
        if total in first:
            yield (total,)
        return
    for number in first:
        if number <= total and sums[len(others)] >> (total - number) & 1:
            for rest in _combinations(total - number, others, sums):
                yield (number, *rest)
