"""Prompts of First, Second and Third: declarations, answers, and what is shown for them.

Elder's declaration is answered before anything else; the winner shows what he declared, and then
the rest of what he has. A category that was passed over can still be begun until the play, and
what was won in one before be shown: a table may say them in another order.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final, NamedTuple

from scorekeeper.events.event import Event
from scorekeeper.games.picchetto.declarations import cards_of_sum
from scorekeeper.games.picchetto.events import (
    ANSWERS,
    CATEGORIES,
    Answered,
    PointDeclared,
    PointShown,
    SequenceDeclared,
    SequenceShown,
    SetDeclared,
    SetShown,
)
from scorekeeper.games.picchetto.rules import POINT_SUMS
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.games.picchetto.witness.bits import (
    RUNS,
    SETS,
    BitWays,
    apart,
    bits,
    cards_of,
    exact_points,
    points,
    worth,
)
from scorekeeper.games.picchetto.witness.known import (
    Possible,
    floor_of_point,
    value_of,
    ways_of,
)
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.prompts import LEVELS, Level, Prompt, offer
from scorekeeper.play.prompts.play import MOST_SHOWN

POINTS_OF_A_COUNT: Final = 12  # of them, points of one number of cards
COUNTS: Final = (5, 4, 6, 3, 7, 8)  # of cards in a point, the likeliest first


def pending(deal: PicchettoDeal) -> RecordedEvent | None:
    """Elder's declaration that is still to be answered: nothing was shown, said or played since."""
    begun = _begun(deal)
    if deal.tricks.numbered or deal.rest or not begun:
        return None
    category = begun[-1]
    if _is_shown(deal, category) or deal.answer(category):
        return None
    return deal.declared(deal.elder, category)


def answers(deal: PicchettoDeal, declared: Event, possible: Possible) -> Iterator[Prompt]:
    """Younger's answer to what elder has just declared."""
    category: str = getattr(declared, "category", "")
    yield from offer(
        Answered(deal.younger, category, answer)
        for answer in ANSWERS
        if possible.can_answer(declared, answer)
    )


def sayings(deal: PicchettoDeal, possible: Possible) -> Iterator[Prompt]:
    """What can be declared or shown next, before the play."""
    if deal.tricks.numbered or deal.rest:
        return
    begun = _begun(deal)
    at = CATEGORIES.index(begun[-1]) + 1 if begun else 0
    due = list(_to_show(deal, possible, begun[-1])) if begun else []
    first = bool(begun) and not _is_shown(deal, begun[-1])
    yield from due if first else ()
    to_come = [category for category in CATEGORIES[at:] if category not in begun]
    for place, category in enumerate(to_come):
        yield from _to_begin(deal, possible, category, cards=place == 0)
    yield from () if first else due


def passed_over(deal: PicchettoDeal, possible: Possible) -> Iterator[Prompt]:
    """What can still be said, before the play, in other categories than the one begun last."""
    begun = _begun(deal)
    if not begun or deal.tricks.numbered or deal.rest:
        return
    for category in CATEGORIES[: CATEGORIES.index(begun[-1])]:
        if category not in begun:
            yield from _to_begin(deal, possible, category, cards=False)
    for category in begun[:-1]:
        yield from _to_show(deal, possible, category)


def _begun(deal: PicchettoDeal) -> list[str]:
    """The categories in which something was said, in the order in which they were begun."""
    said = sorted(
        (*deal.declarations, *deal.answers, *deal.showings),
        key=lambda one: deal.places[one.seq],
    )
    return list(dict.fromkeys(one.event.category for one in said))


def _is_shown(deal: PicchettoDeal, category: str) -> bool:
    """Whether anybody has shown anything in a category."""
    return any(deal.shown_by(player, category) for player in deal.table.players)


def _to_begin(
    deal: PicchettoDeal, possible: Possible, category: str, *, cards: bool
) -> Iterator[Prompt]:
    """The first thing said in a category: elder declares, or somebody shows what wins it."""
    yield from offer(DECLARABLE[category](deal.elder, possible), ("cards",))
    items = list(_items(deal, category))
    for who, player in enumerate(deal.table.players):
        shown = _shown(possible, who, player, category, items)
        levels: tuple[Level, ...] = LEVELS if who else ("totals", "tricks")
        yield from offer((event for event, _ in shown), levels)
        yield from _with_cards(possible, who, shown) if who and cards else ()


# ----------------------------------------------------------------------------- to declare


def _points(player: str, possible: Possible) -> Iterator[Event]:
    for count in COUNTS:
        low, high = POINT_SUMS[count]
        values = range(high, low - 1, -1)
        best = next((v for v in values if possible.can_hold(0, points(count, v))), 0)
        yield from (PointDeclared(player, "point", value) for value in values if value <= best)


def _sequences(player: str, possible: Possible) -> Iterator[Event]:
    for (length, high), ways in RUNS.items():
        if possible.can_hold(0, ways):
            yield SequenceDeclared(player, "sequence", length, high)


def _sets(player: str, possible: Possible) -> Iterator[Event]:
    for (count, rank), ways in SETS.items():
        if possible.can_hold(0, ways):
            yield SetDeclared(player, "set", count, rank)


DECLARABLE: Final = {"point": _points, "sequence": _sequences, "set": _sets}

# -------------------------------------------------------------------------------- to show


class Item(NamedTuple):
    """Something to show, and the ways in which it can be so.

    With ``cards`` what it is listed with: the cards shown, and the ways in which it is so then.
    """

    said: Mapping[str, Any]
    ways: BitWays
    cards: Sequence[tuple[int, BitWays]]


ShownEvent = PointShown | SequenceShown | SetShown
ShownWays = tuple[ShownEvent, Sequence[tuple[int, BitWays]]]

SHOWN: Final[Mapping[str, Callable[..., ShownEvent]]] = {
    "point": PointShown,
    "sequence": SequenceShown,
    "set": SetShown,
}


def _items(deal: PicchettoDeal, category: str) -> Iterator[Item]:
    """Whatever can be shown in a category."""
    if category == "point":
        for count in COUNTS:
            ways = points(count, 0)
            yield Item({"count": count}, ways, _alone(ways[:POINTS_OF_A_COUNT]))
    elif category == "sequence":
        for (length, high), ways in RUNS.items():
            yield Item({"length": length, "high": high}, ways, _alone(ways))
    else:
        for (count, rank), ways in SETS.items():
            yield Item({"count": count, "rank": rank}, ways, _alone(ways))


def _alone(ways: BitWays) -> list[tuple[int, BitWays]]:
    return [(way, (way,)) for way in ways]


def _to_show(deal: PicchettoDeal, possible: Possible, category: str) -> Iterator[Prompt]:
    """What is still to be shown in a category that was begun."""
    for player in _showing(deal, category):
        who = deal.place_of(player)
        items = TO_SHOW[category](deal, player)
        shown = _shown(possible, who, player, category, items)
        yield from offer(event for event, _ in shown)
        yield from _with_cards(possible, who, shown)


def _showing(deal: PicchettoDeal, category: str) -> list[str]:
    """Who shows: the winner, and after an equal point both."""
    answer = deal.answer(category)
    if answer is None:
        return [player for player in deal.table.players if deal.shown_by(player, category)][:1]
    if answer.event.answer == "equal":
        return list(deal.table.players) if category == "point" else []
    return [deal.elder if answer.event.answer == "good" else deal.younger]


def _point_to_show(deal: PicchettoDeal, player: str) -> Iterator[Item]:
    if deal.shown_by(player, "point"):
        return
    declared, answer = deal.declared(deal.elder, "point"), deal.answer("point")
    if declared is None or answer is None:
        return
    value, count = declared.event.value, cards_of_sum(declared.event.value)
    if answer.event.answer != "not_good" and count is not None:
        exact = _alone(exact_points(count, value))
        yield Item({"count": count}, points(count, value), exact)
        return
    least = floor_of_point(deal, player)
    for more in sorted(COUNTS):
        ways = points(more, least)
        yield Item({"count": more}, ways, _alone(ways[: 2 * POINTS_OF_A_COUNT]))


def _sequences_to_show(deal: PicchettoDeal, player: str) -> Iterator[Item]:
    shown = [event for _, event in deal.shown_by(player, "sequence")]
    before = [(bits(one.cards),) if one.cards else ways_of(one) for one in shown]
    for (length, high), ways in RUNS.items():
        if _may_follow(deal, player, "sequence", worth(length, high)):
            cards = [(way, _beside(way, before)) for way in ways]
            every = tuple(one for _, beside in cards for one in beside)
            yield Item({"length": length, "high": high}, every, cards)


def _beside(run: int, before: Sequence[BitWays]) -> BitWays:
    """A run with those shown before, which it neither overlaps nor goes on from."""
    found: BitWays = (run,)
    for ways in before:
        found = tuple(one | way for one in found for way in ways if apart(way, one))
    return found


def _sets_to_show(deal: PicchettoDeal, player: str) -> Iterator[Item]:
    ranks = {event.rank for _, event in deal.shown_by(player, "set")}
    for (count, rank), ways in SETS.items():
        if rank not in ranks and _may_follow(deal, player, "set", worth(count, rank)):
            yield Item({"count": count, "rank": rank}, ways, _alone(ways))


def _may_follow(deal: PicchettoDeal, player: str, category: str, value: int) -> bool:
    """Whether a sequence or set of that worth comes next: the best first, as it was said."""
    shown = [value_of(event) for _, event in deal.shown_by(player, category)]
    if shown:
        return value <= shown[-1]
    declared = deal.declared(deal.elder, category)
    said = value_of(declared.event) if declared else 0
    return value == said if player == deal.elder else value > said


TO_SHOW: Final = {"point": _point_to_show, "sequence": _sequences_to_show, "set": _sets_to_show}


def _shown(
    possible: Possible, who: int, player: str, category: str, items: Iterable[Item]
) -> list[ShownWays]:
    """What a player can show of these, with the ways to list with their cards."""
    return [
        (SHOWN[category](player, category, **item.said), item.cards)
        for item in items
        if item.ways and possible.can_hold(who, item.ways)
    ]


def _with_cards(possible: Possible, who: int, shown: list[ShownWays]) -> Iterator[Prompt]:
    choices = (
        replace(event, cards=cards_of(way))
        for event, listed in shown
        for way, ways in listed
        if ways and possible.can_hold(who, ways)
    )
    yield from offer(islice(choices, MOST_SHOWN), ("cards",))
