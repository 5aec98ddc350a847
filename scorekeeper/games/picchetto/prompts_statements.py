"""Prompts of First, Second and Third: declarations, answers, and what is shown for them.

Elder's declaration is answered before anything else. Then the winner shows what they declared, and
their other sequences or sets. Until the play, players can still begin a category that was passed
over, and show for an earlier one: not every table keeps the order of P4 to P6.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

from scorekeeper.base.json_object import JsonObject
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
from scorekeeper.games.picchetto.possible_holdings.bits import (
    RUNS,
    SETS,
    Alternatives,
    are_separate,
    bits,
    cards_of,
    encode_worth,
    exact_point_alternatives,
    point_alternatives,
)
from scorekeeper.games.picchetto.possible_holdings.from_record import (
    PossibleHoldings,
    alternatives_of,
    encoded_worth,
    least_sum_of_point,
)
from scorekeeper.games.picchetto.rules import POINT_SUMS
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.prompts import LEVELS, Level, Prompt, offer
from scorekeeper.play.prompts.play import MAX_LISTED_SHOWN

MAX_POINTS_LISTED: Final = 12  # points listed with their cards, for each number of cards
COUNTS: Final = (5, 4, 6, 3, 7, 8)  # of cards in a point, the likeliest first


def unanswered_declaration(deal: PicchettoDeal) -> RecordedEvent | None:
    """Return elder's declaration if it waits for an answer, else None.

    It waits if nothing was shown or played since.
    """
    begun = _begun_categories(deal)
    if deal.tricks.numbered or deal.rest or not begun:
        return None
    category = begun[-1]
    if _is_shown(deal, category) or deal.answer(category):
        return None
    return deal.declared(deal.elder, category)


def offer_answers(
    deal: PicchettoDeal, declared: Event, possible: PossibleHoldings
) -> Iterator[Prompt]:
    """Offer younger's possible answers to elder's last declaration."""
    category: str = getattr(declared, "category", "")
    yield from offer(
        Answered(deal.younger, category, answer)
        for answer in ANSWERS
        if possible.can_answer(declared, answer)
    )


def offer_statements(deal: PicchettoDeal, possible: PossibleHoldings) -> Iterator[Prompt]:
    """Offer what can be declared or shown next, before the play.

    What is due in the last category comes first, until something is shown in it.
    """
    if deal.tricks.numbered or deal.rest:
        return
    begun = _begun_categories(deal)
    at = CATEGORIES.index(begun[-1]) + 1 if begun else 0
    due = list(_offer_to_show(deal, possible, begun[-1])) if begun else []
    first = bool(begun) and not _is_shown(deal, begun[-1])
    yield from due if first else ()
    to_come = [category for category in CATEGORIES[at:] if category not in begun]
    for place, category in enumerate(to_come):
        yield from _offer_to_begin(deal, possible, category, cards=place == 0)
    yield from () if first else due


def offer_passed_over(deal: PicchettoDeal, possible: PossibleHoldings) -> Iterator[Prompt]:
    """Offer declarations and showings in the categories before the one that was begun last."""
    begun = _begun_categories(deal)
    if not begun or deal.tricks.numbered or deal.rest:
        return
    for category in CATEGORIES[: CATEGORIES.index(begun[-1])]:
        if category not in begun:
            yield from _offer_to_begin(deal, possible, category, cards=False)
    for category in begun[:-1]:
        yield from _offer_to_show(deal, possible, category)


def _begun_categories(deal: PicchettoDeal) -> list[str]:
    """Return the categories with a declaration, answer or showing, in the order of the first."""
    statements = sorted(
        (*deal.declarations, *deal.answers, *deal.showings),
        key=lambda recorded: deal.places[recorded.seq],
    )
    return list(dict.fromkeys(recorded.event.category for recorded in statements))


def _is_shown(deal: PicchettoDeal, category: str) -> bool:
    """Return whether a player has shown anything in a category."""
    return any(deal.shown_by(player, category) for player in deal.table.players)


def _offer_to_begin(
    deal: PicchettoDeal, possible: PossibleHoldings, category: str, *, cards: bool
) -> Iterator[Prompt]:
    """Offer the first event of a category: elder's declaration, or a showing of either player.

    ``cards``: younger's showings are also offered with their cards.
    """
    yield from offer(DECLARABLE[category](deal.elder, possible), ("cards",))
    items = list(_showables(deal, category))
    for index, player in enumerate(deal.table.players):
        shown = _possible_showings(possible, index, player, category, items)
        levels: tuple[Level, ...] = LEVELS if index else ("totals", "tricks")
        yield from offer((event for event, _ in shown), levels)
        yield from _offer_with_cards(possible, index, shown) if index and cards else ()


# ----------------------------------------------------------------------------- to declare


def _declare_points(player: str, possible: PossibleHoldings) -> Iterator[Event]:
    """Yield declarations of all sums up to the highest that elder can hold.

    They are grouped by the number of cards, the likeliest number first.
    """
    for count in COUNTS:
        low, high = POINT_SUMS[count]
        values = range(high, low - 1, -1)
        best = next((v for v in values if possible.can_hold(0, point_alternatives(count, v))), 0)
        yield from (PointDeclared(player, "point", value) for value in values if value <= best)


def _declare_sequences(player: str, possible: PossibleHoldings) -> Iterator[Event]:
    """Yield the sequences that elder can hold."""
    for (length, high), alternatives in RUNS.items():
        if possible.can_hold(0, alternatives):
            yield SequenceDeclared(player, "sequence", length, high)


def _declare_sets(player: str, possible: PossibleHoldings) -> Iterator[Event]:
    """Yield the sets that elder can hold."""
    for (count, rank), alternatives in SETS.items():
        if possible.can_hold(0, alternatives):
            yield SetDeclared(player, "set", count, rank)


DECLARABLE: Final = {"point": _declare_points, "sequence": _declare_sequences, "set": _declare_sets}

# -------------------------------------------------------------------------------- to show


class Showable(NamedTuple):
    """A point, sequence or set that a player could show, by the ``fields`` of its event.

    ``alternatives`` are the groups of cards that make it. ``listed`` are the cards with which it
    is offered, each with the groups that the player then has to hold.
    """

    fields: JsonObject
    alternatives: Alternatives
    listed: Sequence[tuple[int, Alternatives]]


ShownEvent = PointShown | SequenceShown | SetShown
ShownAlternatives = tuple[ShownEvent, Sequence[tuple[int, Alternatives]]]

SHOWN: Final[Mapping[str, Callable[..., ShownEvent]]] = {
    "point": PointShown,
    "sequence": SequenceShown,
    "set": SetShown,
}


def _showables(deal: PicchettoDeal, category: str) -> Iterator[Showable]:
    """Yield all that a player could show first in a category, whatever the cards are."""
    if category == "point":
        for count in COUNTS:
            alternatives = point_alternatives(count, 0)
            listed = _listed_alone(alternatives[:MAX_POINTS_LISTED])
            yield Showable({"count": count}, alternatives, listed)
    elif category == "sequence":
        for (length, high), alternatives in RUNS.items():
            listed = _listed_alone(alternatives)
            yield Showable({"length": length, "high": high}, alternatives, listed)
    else:
        for (count, rank), alternatives in SETS.items():
            listed = _listed_alone(alternatives)
            yield Showable({"count": count, "rank": rank}, alternatives, listed)


def _listed_alone(alternatives: Alternatives) -> list[tuple[int, Alternatives]]:
    """Return each group of cards with itself as the only group that the player has to hold."""
    return [(alternative, (alternative,)) for alternative in alternatives]


def _offer_to_show(
    deal: PicchettoDeal, possible: PossibleHoldings, category: str
) -> Iterator[Prompt]:
    """Offer what is still to be shown in a category that was begun."""
    for player in _players_to_show(deal, category):
        index = deal.index_of(player)
        items = TO_SHOW[category](deal, player)
        shown = _possible_showings(possible, index, player, category, items)
        yield from offer(event for event, _ in shown)
        yield from _offer_with_cards(possible, index, shown)


def _players_to_show(deal: PicchettoDeal, category: str) -> list[str]:
    """Return the players who show: the winner, and after an equal point both.

    Without an answer it is the player who has shown something.
    """
    answer = deal.answer(category)
    if answer is None:
        return [player for player in deal.table.players if deal.shown_by(player, category)][:1]
    if answer.event.answer == "equal":
        return list(deal.table.players) if category == "point" else []
    return [deal.elder if answer.event.answer == "good" else deal.younger]


def _point_to_show(deal: PicchettoDeal, player: str) -> Iterator[Showable]:
    """Yield the points that a player could show after the answer; nothing if one is shown.

    The declaration and the answer limit the sum.
    """
    if deal.shown_by(player, "point"):
        return
    declared, answer = deal.declared(deal.elder, "point"), deal.answer("point")
    if declared is None or answer is None:
        return
    value, count = declared.event.value, cards_of_sum(declared.event.value)
    if answer.event.answer != "not_good" and count is not None:
        exact = _listed_alone(exact_point_alternatives(count, value))
        yield Showable({"count": count}, point_alternatives(count, value), exact)
        return
    least = least_sum_of_point(deal, player)
    for more in sorted(COUNTS):
        alternatives = point_alternatives(more, least)
        listed = _listed_alone(alternatives[: 2 * MAX_POINTS_LISTED])
        yield Showable({"count": more}, alternatives, listed)


def _sequences_to_show(deal: PicchettoDeal, player: str) -> Iterator[Showable]:
    """Yield the sequences that a player could show next, beside those shown before."""
    shown = [event for _, event in deal.shown_by(player, "sequence")]
    before = [(bits(event.cards),) if event.cards else alternatives_of(event) for event in shown]
    for (length, high), runs in RUNS.items():
        if _may_follow(deal, player, "sequence", encode_worth(length, high)):
            listed = [(run, _with_earlier_runs(run, before)) for run in runs]
            every = tuple(group for _, groups in listed for group in groups)
            yield Showable({"length": length, "high": high}, every, listed)


def _with_earlier_runs(run: int, before: Sequence[Alternatives]) -> Alternatives:
    """Return the groups of a sequence with those shown before, from which it is separate.

    ``before`` has the alternatives of each sequence that was shown. A group is cards as bits.
    """
    groups: Alternatives = (run,)
    for alternatives in before:
        groups = tuple(
            group | alternative
            for group in groups
            for alternative in alternatives
            if are_separate(alternative, group)
        )
    return groups


def _sets_to_show(deal: PicchettoDeal, player: str) -> Iterator[Showable]:
    """Yield the sets that a player could show next."""
    ranks = {event.rank for _, event in deal.shown_by(player, "set")}
    for (count, rank), alternatives in SETS.items():
        if rank not in ranks and _may_follow(deal, player, "set", encode_worth(count, rank)):
            listed = _listed_alone(alternatives)
            yield Showable({"count": count, "rank": rank}, alternatives, listed)


def _may_follow(deal: PicchettoDeal, player: str, category: str, value: int) -> bool:
    """Return whether a sequence or set of that worth can be shown next.

    Players show their best first: elder what they declared, younger something better.
    """
    shown = [encoded_worth(event) for _, event in deal.shown_by(player, category)]
    if shown:
        return value <= shown[-1]
    declared = deal.declared(deal.elder, category)
    worth = encoded_worth(declared.event) if declared else 0
    return value == worth if player == deal.elder else value > worth


TO_SHOW: Final = {"point": _point_to_show, "sequence": _sequences_to_show, "set": _sets_to_show}


def _possible_showings(
    possible: PossibleHoldings, index: int, player: str, category: str, items: Iterable[Showable]
) -> list[ShownAlternatives]:
    """Return the events of the items that a player can show.

    Each comes with the cards with which it is offered (``Showable.listed``).
    """
    return [
        (SHOWN[category](player, category, **item.fields), item.listed)
        for item in items
        if item.alternatives and possible.can_hold(index, item.alternatives)
    ]


def _offer_with_cards(
    possible: PossibleHoldings, index: int, shown: list[ShownAlternatives]
) -> Iterator[Prompt]:
    """Offer the showings with their cards, at most `MAX_LISTED_SHOWN` of them."""
    choices = (
        replace(event, cards=cards_of(alternative))
        for event, listed in shown
        for alternative, alternatives in listed
        if alternatives and possible.can_hold(index, alternatives)
    )
    yield from offer(islice(choices, MAX_LISTED_SHOWN), ("cards",))
