"""Prompts of what is called and counted: pique and repique, the tricks, the points."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final

from scorekeeper.events.event import Event
from scorekeeper.events.playing import PointsCounted
from scorekeeper.games.picchetto.declarations import CLAUSE, declared_lines, marked_with, size_of
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
from scorekeeper.games.picchetto.marks import (
    PIQUE,
    REPIQUE,
    TRICK,
    WHITE,
    changes_possible,
    for_most,
    leads_lost,
)
from scorekeeper.games.picchetto.rules import (
    BONUS_POINTS,
    LEAD_POINTS,
    TRICK_POINTS,
    TRICKS,
    deals_of,
)
from scorekeeper.games.picchetto.score import Made
from scorekeeper.games.picchetto.state import PicchettoDeal
from scorekeeper.play.prompts import LEVELS, Counts, Level, Prompt, offer
from scorekeeper.play.prompts.play import MOST_COUNTS

MOST_MARKED: Final = 174  # by a player in a hand, with White
CALLS: Final = {REPIQUE: RepiqueCalled, PIQUE: PiqueCalled}
MARKED_IN_ORDER: Final = (WHITE, *(CLAUSE[category] for category in CATEGORIES), TRICK)  # P12
# What is often marked by declarations, elder's first, where none are on record.
OFTEN_DECLARED: Final = ((5, 0), (8, 0), (0, 5), (5, 3), (3, 5), (0, 0), (0, 8), (4, 3), (20, 0))


def calls(deal: PicchettoDeal, now: Made, *, at_once: bool) -> Iterator[Prompt]:
    """The call of what has fallen due, ``at_once`` after the mark that did it, or later."""
    if now.tally.bonus is None or now.due is None:
        return
    rule, who = now.tally.bonus
    call, player = CALLS[rule], deal.table.players[who]
    last = deal.entries[-1].seq == now.due
    if not deal.called(call, player) and last == at_once:
        yield from offer([call(player)])


def leaving_the_call(deal: PicchettoDeal, now: Made, found: Iterable[Prompt]) -> Iterator[Prompt]:
    """Of these prompts what leaves a call true: no mark of the other's before the one that made it.

    A table may say things in another order than that in which they count (P12), but who heard a
    repique and said nothing has nothing to say that comes before it.
    """
    rule, who = now.tally.bonus or (None, 0)
    if rule is None or not deal.called(CALLS[rule], deal.table.players[who]):
        yield from found
        return
    other = deal.table.players[1 - who]
    for prompt in found:
        choices = (one for one in prompt.choices if not _marks_before(one, other, now))
        yield from offer(choices, prompt.levels, prompt.counts)


def _marks_before(event: Event, player: str, now: Made) -> bool:
    """Whether something said marks for a player, and counts before what made a call fall due."""
    if getattr(event, "player", None) != player:
        return False
    match event:
        case WhiteDeclared():
            rule = WHITE
        case Answered(answer="good" | "equal"):
            return False
        case _:
            rule = CLAUSE.get(getattr(event, "category", ""), TRICK)
    return MARKED_IN_ORDER.index(rule) < MARKED_IN_ORDER.index(now.rule)


def call_to_settle(deal: PicchettoDeal) -> Iterator[Prompt]:
    """The call of a pique that counted tricks make in some orders only (P14)."""
    orders = deal.result.marks.orders
    for who, player in enumerate(deal.table.players) if orders else ():
        bonus = (PIQUE, who)
        unsettled = orders.give(bonus) and not orders.always_give(bonus)
        if unsettled and not deal.called(PiqueCalled, player):
            yield from offer([PiqueCalled(player)])


def rouges(deal: PicchettoDeal) -> Iterator[Prompt]:
    """Carte rouge by who marked for twelve cards, all of them different where they are shown."""
    if deal.table.options["carte_rouge"] == "off" or deal.tricks.numbered or deal.rest:
        return
    declared = {one.player for one in deal.rouges}
    for player in deal.table.players:
        marked = marked_with(deal, player)
        if player in declared or sum(map(size_of, marked)) < TRICKS:
            continue
        shown = [getattr(one, "cards", None) for one in marked]
        every = len({card for cards in shown for card in cards or ()}) == TRICKS
        if every or not all(shown):
            levels: tuple[Level, ...] = LEVELS if every else ("totals", "tricks")
            yield from offer([CarteRougeDeclared(player)], levels, needed=False)


def forfeits(deal: PicchettoDeal) -> Iterator[Prompt]:
    """Who reckons nothing in this hand, in the matches whose laws know that (P12)."""
    match = deal.table.options["match"]
    if not deal.forfeits and (deals_of(deal.table.options) or match == "cent"):
        yield from offer((DealForfeited(one) for one in deal.table.players), needed=False)


# ---------------------------------------------------------------------------------- counts


def tricks_to_count(deal: PicchettoDeal) -> Iterator[Prompt]:
    """How many tricks each took, and who took the last; where that is enough to score them."""
    if deal.counts_every_card:
        yield from offer(_counts_of_tricks(deal), ("totals", "tricks"))


def _counts_of_tricks(deal: PicchettoDeal) -> Iterator[TricksCounted]:
    """The counts that the tricks on record leave, the most even first."""
    least = deal.tricks_at_least()
    first = least[deal.elder]
    left = TRICKS - sum(least.values())
    for more in sorted(range(left + 1), key=lambda n: (abs(first + n - 7), -n)):
        tricks = {deal.elder: first + more, deal.younger: TRICKS - first - more}
        for player in _last(deal, tricks, least):
            yield from _with_changes(deal, TricksCounted(tricks, player))


def _with_changes(deal: PicchettoDeal, count: TricksCounted) -> Iterator[TricksCounted]:
    """A count with each number of times that the lead can have changed hands, where that marks."""
    if not deal.terms.leads:
        yield count
        return
    tricks = (count.tricks[deal.elder], count.tricks[deal.younger])
    known = tuple(deal.known_winners())
    for changes in changes_possible(tricks, deal.place_of(str(count.last)), known):
        yield replace(count, lead_changes=changes)


def _last(
    deal: PicchettoDeal, tricks: Mapping[str, int], least: Mapping[str, int]
) -> Iterator[str]:
    """Who can have taken the last trick, where a given number are counted."""
    known = [won.player for won in deal.won if won.number == TRICKS]
    for player in deal.table.players:
        if (player in known) if known else tricks[player] > least[player]:
            yield player


def offer_counts(deal: PicchettoDeal, now: Made) -> Iterator[Prompt]:
    """What each player marked: any figures from what is on record up to the most of a hand."""
    players = deal.table.players
    least = dict(zip(players, now.tally.marked, strict=True))
    tricks = deal.tricks_at_least() if deal.counts_every_card else {}
    least = {
        player: max(least[player], tricks.get(player, 0)) if deal.reckons(player) else 0
        for player in players
    }
    most = dict.fromkeys(players, MOST_MARKED)
    likely = dict.fromkeys(
        (one, other)
        for one, other in _likely(deal, now)
        if least[players[0]] <= one <= MOST_MARKED and least[players[1]] <= other <= MOST_MARKED
    )
    choices = (
        PointsCounted(dict(zip(players, points, strict=True)))
        for points in islice(likely, MOST_COUNTS)
    )
    yield from offer(choices, ("totals",), Counts("points", players, (), least, most))


def _likely(deal: PicchettoDeal, now: Made) -> Iterator[tuple[int, int]]:
    """What the tricks that are left can make of the marks on record."""
    declared = [0, 0]
    for line in declared_lines(deal):
        declared[deal.place_of(line.side)] += line.points
    if now.tally.bonus is not None:
        rule, who = now.tally.bonus
        declared[who] += BONUS_POINTS[rule]
    counts, terms = list(_counts_of_tricks(deal)), deal.terms
    for more in OFTEN_DECLARED if not any(declared) else ((0, 0),):
        for count in counts:
            tricks = [count.tricks[player] for player in deal.table.players]
            last = deal.place_of(str(count.last))
            lost = leads_lost(count.lead_changes or 0)
            marked = [declared[who] + more[who] + tricks[who] * TRICK_POINTS for who in (0, 1)]
            marked = [marked[who] + lost[who] * LEAD_POINTS for who in (0, 1)]
            marked[last] += terms.last_trick - TRICK_POINTS
            most = for_most(tricks, terms)
            if most is not None:
                marked[most[0]] += most[2]
            yield marked[0], marked[1]
