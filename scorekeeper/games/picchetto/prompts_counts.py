"""Prompts of calls and counts: pique and repique, carte rouge, the tricks, the points."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final

from scorekeeper.events.event import Event
from scorekeeper.events.playing import PointsCounted
from scorekeeper.games.picchetto.declarations import (
    CLAUSE,
    count_cards,
    declaration_lines,
    events_marked,
)
from scorekeeper.games.picchetto.events import (
    CATEGORIES,
    Answered,
    CarteRougeDeclared,
    DealForfeited,
    PiqueCalled,
    RepiqueCalled,
    TricksCounted,
    WhiteDeclared,
)
from scorekeeper.games.picchetto.marking import MarksOnRecord
from scorekeeper.games.picchetto.marks import (
    PIQUE,
    REPIQUE,
    TRICK,
    WHITE,
    changes_possible,
    leads_lost,
    majority_mark,
)
from scorekeeper.games.picchetto.rules import (
    BONUS_POINTS,
    LEAD_POINTS,
    TRICK_POINTS,
    TRICKS,
    deals_of,
)
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.play.prompts import LEVELS, Counts, Level, Prompt, offer
from scorekeeper.play.prompts.play import MAX_LISTED_COUNTS

MOST_MARKED: Final = 174  # points that a player can mark in a hand, with White
CALLS: Final = {REPIQUE: RepiqueCalled, PIQUE: PiqueCalled}
MARKED_IN_ORDER: Final = (WHITE, *(CLAUSE[category] for category in CATEGORIES), TRICK)  # P12
# Points that elder and younger often mark by declarations, for hands without any on record.
OFTEN_DECLARED: Final = ((5, 0), (8, 0), (0, 5), (5, 3), (3, 5), (0, 0), (0, 8), (4, 3), (20, 0))


def offer_calls(
    deal: PicchettoDeal, marks: MarksOnRecord, *, immediately: bool
) -> Iterator[Prompt]:
    """Offer the call of a repique or pique that is not called yet.

    ``immediately`` offers it only directly after the mark that earned it, otherwise only later.
    """
    if marks.tally.bonus is None or marks.bonus_seq is None:
        return
    rule, index = marks.tally.bonus
    call, player = CALLS[rule], deal.table.players[index]
    is_last = deal.entries[-1].seq == marks.bonus_seq
    if not deal.called(call, player) and is_last == immediately:
        yield from offer([call(player)])


def without_false_calls(
    deal: PicchettoDeal, marks: MarksOnRecord, prompts: Iterable[Prompt]
) -> Iterator[Prompt]:
    """Yield the prompts without choices that would make a repique or pique already called false.

    These are marks of the opponent that count before the mark that earned it. Players may declare
    in another order than that in which points count (P12), but an opponent who did not object to a
    call has nothing to declare that counts before it.
    """
    rule, index = marks.tally.bonus or (None, 0)
    if rule is None or not deal.called(CALLS[rule], deal.table.players[index]):
        yield from prompts
        return
    other = deal.table.players[1 - index]
    for prompt in prompts:
        choices = (event for event in prompt.choices if not _marks_before(event, other, marks))
        yield from offer(choices, prompt.levels, prompt.counts)


def _marks_before(event: Event, player: str, marks: MarksOnRecord) -> bool:
    """Return whether an event marks for a player, before the mark that earned the bonus (P12)."""
    if getattr(event, "player", None) != player:
        return False
    match event:
        case WhiteDeclared():
            rule = WHITE
        case Answered(answer="good" | "equal"):
            return False
        case _:
            rule = CLAUSE.get(getattr(event, "category", ""), TRICK)
    return MARKED_IN_ORDER.index(rule) < MARKED_IN_ORDER.index(marks.bonus_rule)


def offer_settling_call(deal: PicchettoDeal) -> Iterator[Prompt]:
    """Offer the call of a pique that counted tricks make in some orders only (P14)."""
    orders = deal.result.marks.orders
    for index, player in enumerate(deal.table.players) if orders else ():
        bonus = (PIQUE, index)
        unsettled = orders.some_give(bonus) and not orders.all_give(bonus)
        if unsettled and not deal.called(PiqueCalled, player):
            yield from offer([PiqueCalled(player)])


def offer_cartes_rouges(deal: PicchettoDeal) -> Iterator[Prompt]:
    """Offer carte rouge to players who marked for twelve cards (P12).

    Where all these cards are on record, they have to be twelve different ones.
    """
    if deal.table.options["carte_rouge"] == "off" or deal.tricks.numbered or deal.rest:
        return
    declared = {rouge.player for rouge in deal.cartes_rouges}
    for player in deal.table.players:
        marked = events_marked(deal, player)
        if player in declared or sum(map(count_cards, marked)) < TRICKS:
            continue
        shown = [getattr(event, "cards", None) for event in marked]
        every = len({card for cards in shown for card in cards or ()}) == TRICKS
        if every or not all(shown):
            levels: tuple[Level, ...] = LEVELS if every else ("totals", "tricks")
            yield from offer([CarteRougeDeclared(player)], levels, needed=False)


def offer_forfeits(deal: PicchettoDeal) -> Iterator[Prompt]:
    """Offer that a player reckons nothing in this hand, in matches whose laws have it (P12)."""
    match = deal.table.options["match"]
    if not deal.forfeits and (deals_of(deal.table.options) or match == "cent"):
        yield from offer((DealForfeited(player) for player in deal.table.players), needed=False)


# ---------------------------------------------------------------------------------- counts


def offer_trick_counts(deal: PicchettoDeal) -> Iterator[Prompt]:
    """Offer counts of the tricks with the player of the last one, if they suffice for a score."""
    if deal.counts_every_card:
        yield from offer(_counts_of_tricks(deal), ("totals", "tricks"))


def _counts_of_tricks(deal: PicchettoDeal) -> Iterator[TricksCounted]:
    """Yield the counts that agree with the tricks on record, the most even first."""
    least = deal.tricks_at_least()
    first = least[deal.elder]
    left = TRICKS - sum(least.values())
    for more in sorted(range(left + 1), key=lambda n: (abs(first + n - 7), -n)):
        tricks = {deal.elder: first + more, deal.younger: TRICKS - first - more}
        for player in _possible_last_takers(deal, tricks, least):
            yield from _with_lead_changes(deal, TricksCounted(tricks, player))


def _with_lead_changes(deal: PicchettoDeal, count: TricksCounted) -> Iterator[TricksCounted]:
    """Yield a count with each number of lead changes that is possible, where leading marks (P9)."""
    if not deal.terms.leads:
        yield count
        return
    tricks = (count.tricks[deal.elder], count.tricks[deal.younger])
    known = tuple(deal.known_winners())
    for changes in changes_possible(tricks, deal.index_of(str(count.last)), known):
        yield replace(count, lead_changes=changes)


def _possible_last_takers(
    deal: PicchettoDeal, tricks: Mapping[str, int], least: Mapping[str, int]
) -> Iterator[str]:
    """Yield the players who can have taken the last trick, by a count and the tricks on record."""
    known = [won.player for won in deal.won if won.number == TRICKS]
    for player in deal.table.players:
        if (player in known) if known else tricks[player] > least[player]:
            yield player


def offer_counts(deal: PicchettoDeal, marks: MarksOnRecord) -> Iterator[Prompt]:
    """Offer counts of points, from the marks on record up to the most that a hand can have.

    Likely ones are listed. A player who reckons nothing has at least 0.
    """
    players = deal.table.players
    least = dict(zip(players, marks.tally.marked, strict=True))
    tricks = deal.tricks_at_least() if deal.counts_every_card else {}
    least = {
        player: max(least[player], tricks.get(player, 0)) if deal.reckons(player) else 0
        for player in players
    }
    most = dict.fromkeys(players, MOST_MARKED)
    likely = dict.fromkeys(
        (elders, youngers)
        for elders, youngers in _likely_points(deal, marks)
        if least[players[0]] <= elders <= MOST_MARKED
        and least[players[1]] <= youngers <= MOST_MARKED
    )
    choices = (
        PointsCounted(dict(zip(players, points, strict=True)))
        for points in islice(likely, MAX_LISTED_COUNTS)
    )
    yield from offer(choices, ("totals",), Counts("points", players, (), least, most))


def _likely_points(deal: PicchettoDeal, marks: MarksOnRecord) -> Iterator[tuple[int, int]]:
    """Yield likely points of elder and younger: the marks on record, with the tricks to come."""
    declared = [0, 0]
    for line in declaration_lines(deal):
        declared[deal.index_of(line.side)] += int(line.points)
    if marks.tally.bonus is not None:
        rule, index = marks.tally.bonus
        declared[index] += BONUS_POINTS[rule]
    counts, terms = list(_counts_of_tricks(deal)), deal.terms
    for more in OFTEN_DECLARED if not any(declared) else ((0, 0),):
        for count in counts:
            tricks = [count.tricks[player] for player in deal.table.players]
            last = deal.index_of(str(count.last))
            lost = leads_lost(count.lead_changes or 0)
            marked = [
                declared[index] + more[index] + tricks[index] * TRICK_POINTS for index in (0, 1)
            ]
            marked = [marked[index] + lost[index] * LEAD_POINTS for index in (0, 1)]
            marked[last] += terms.last_trick - TRICK_POINTS
            most = majority_mark(tricks, terms)
            if most is not None:
                marked[most[0]] += most[2]
            yield marked[0], marked[1]
