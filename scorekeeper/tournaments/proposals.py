"""The next round of a tournament, drawn by the rules of its stage: a proposal that changes nothing.

Entrants get numbers by lot, which depends on the seed of the stage's first round; in a knock-out
the seeded ones come first.
"""

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.tournaments.draws.apart import (
    as_tables,
    keep_apart,
    list_blocks,
    list_group_tables,
)
from scorekeeper.tournaments.draws.balanced import BALANCED, draw_balanced
from scorekeeper.tournaments.draws.berger import ALL_PLAY_ALL, draw_all_play_all
from scorekeeper.tournaments.draws.changes import add_entrant, leave_idle, move_one, remove_entrant
from scorekeeper.tournaments.draws.choices import rotate_first_dealers
from scorekeeper.tournaments.draws.draw import (
    PARTNER_PLACES,
    PARTNERS,
    Draw,
    DrawnRound,
    EntrantPair,
    count_meetings,
)
from scorekeeper.tournaments.draws.knockout import (
    draw_first_round,
    draw_lives_round,
    draw_next_round,
    follow_bracket,
    list_in_bracket_order,
)
from scorekeeper.tournaments.draws.mitchell import MITCHELL, draw_mitchell
from scorekeeper.tournaments.draws.partners import draw_partners
from scorekeeper.tournaments.draws.ranked import Contenders, draw_random, draw_ranked
from scorekeeper.tournaments.draws.search import search_rounds
from scorekeeper.tournaments.draws.sizes import list_table_plans
from scorekeeper.tournaments.events import MAX_ENTRANTS
from scorekeeper.tournaments.finals import has_finals, split_into_finals
from scorekeeper.tournaments.parts import DrawGenerator
from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.stage_rules import KNOCKOUT, RANKED, list_stage_sizes, require_game
from scorekeeper.tournaments.stages import Stage
from scorekeeper.tournaments.standings import Scoreboard, StageStandings
from scorekeeper.tournaments.table_rules import AT_TWO
from scorekeeper.tournaments.values import TournamentRound

VERSION: Final = 1
RANDOM: Final = "random"
WHOLE_DRAWS: Final = (BALANCED, PARTNERS, MITCHELL, ALL_PLAY_ALL)  # all rounds in one draw
NEVER, NOT_NEXT = "never", "not_next"
FIRST_ROUND, ALWAYS = "first_round", "always"


class ProposedRound(NamedTuple):
    """A round that could be recorded as ``round_drawn``."""

    stage: int
    round: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    generator: DrawGenerator
    heads: Mapping[str, str]


def propose_round(
    record: TournamentRecord, results: Mapping[str, PlayedTable], seed: int
) -> ProposedRound:
    """Return the draw of the next round that is not published.

    ``results`` are those of the sessions by id. Raises `UnusableError` if all rounds are played,
    the stage is drawn by hand, a match of a knock-out is not decided, or there are too few.
    """
    published = (drawn.number for drawn in record.rounds.values() if drawn.published)
    number = 1 + max(published, default=0)
    stage_number = find_stage(record, number)
    before = [drawn for drawn in record.rounds.values()
              if drawn.stage == stage_number and drawn.number < number]  # fmt: skip
    drawn = [
        FieldDraw(record, results, stage_number, number, seed, members, before).draw()
        for members in list_fields(record, results, stage_number, before, number)
    ]
    tables = tuple(table for of_field, _ in drawn for table in of_field)
    byes = tuple(entrant for _, of_field in drawn for entrant in of_field)
    stage = record.stages[stage_number - 1]
    if not tables and stage.draw == KNOCKOUT:
        raise UnusableError(Cause("the knock-out is decided", "all_played"))
    used = results.values() if stage.draw in (RANKED, KNOCKOUT) else ()
    heads = {played.session_id: played.head for played in used if played.head}
    generator = DrawGenerator(stage.draw, VERSION, seed)
    return ProposedRound(stage_number, number, tables, byes, generator, heads)


def list_fields(
    record: TournamentRecord, results: Mapping[str, PlayedTable], stage_number: int,
    before: Sequence[TournamentRound], number: int,
) -> list[list[str]]:  # fmt: skip
    """Return the entrants of a stage who are drawn together: all of them, or those of each final.

    They are all who were there in its rounds ``before``, and those who can be drawn in the next
    round, in the order of their registration.
    """
    drawable = [entrant.id for entrant in record.list_drawable(number)]
    there = {entrant for drawn in before for entrant in (*drawn.list_seated(), *drawn.byes)}
    if stage_number == 1:
        return [[entrant for entrant in record.entrants if entrant in {*there, *drawable}]]
    if before and not has_finals(record, stage_number):
        return [[entrant for entrant in record.entrants if entrant in there]]
    table = Scoreboard().compute(record, results, stage_number - 1)
    order = [row.entrant for row in table.rows]
    finals = split_into_finals(record, stage_number, order, before[0] if before else None)
    members = there or set(drawable)
    fields = [[entrant for entrant in record.entrants if entrant in {*final} & members]
              for final in finals]  # fmt: skip
    return [field for field in fields if field] or [drawable]


def find_stage(record: TournamentRecord, number: int) -> int:
    """Return the stage of the next round. Raises `UnusableError` if all rounds are played."""
    last = record.rounds.get(number - 1)
    if last is None:
        return 1
    played = sum(drawn.stage == last.stage for drawn in record.rounds.values()
                 if drawn.number < number)  # fmt: skip
    if played < record.stages[last.stage - 1].rounds:
        return last.stage
    if last.stage == len(record.stages):
        raise UnusableError(Cause("all rounds are played", "all_played"))
    return last.stage + 1


class FieldDraw:
    """The draw of one round for entrants who are drawn together: they are numbers, from 1 on.

    ``members`` are all who were there in a round ``before``, or are drawn now. ``playing`` are the
    numbers of those who are drawn now.
    """

    def __init__(
        self, record: TournamentRecord, results: Mapping[str, PlayedTable], stage_number: int,
        number: int, seed: int, members: Sequence[str], before: Sequence[TournamentRound],
    ) -> None:  # fmt: skip
        self.record, self.results = record, results
        self.stage_number, self.number, self.seed = stage_number, number, seed
        self.stage: Stage = record.stages[stage_number - 1]
        game = require_game(record.opening.game)
        self.sizes = list_stage_sizes(game, record.opening.entrants, self.stage)
        self.before = [_restrict(drawn, set(members)) for drawn in before]
        drawable = {entrant.id for entrant in record.list_drawable(number)}
        self.first_seed = self.before[0].generator.seed if self.before else seed
        self._whole: dict[int, Draw] = {}
        self.order = self._draw_numbers(members, drawable)
        self.number_of = {entrant: place for place, entrant in enumerate(self.order, start=1)}
        self.playing = [self.number_of[entrant] for entrant in self.order if entrant in drawable]

    def _draw_numbers(self, members: Sequence[str], drawable: Collection[str]) -> list[str]:
        """Return the entrants in the order of their numbers, drawn by lot, later ones at the end.

        Where later rounds follow from the first, everybody of that round keeps the number.
        """
        if self.stage.draw in (*WHOLE_DRAWS, KNOCKOUT) and self.before:
            of_first = {*self.before[0].list_seated(), *self.before[0].byes}
            known = [entrant for entrant in members if entrant in of_first]
            late = [entrant for entrant in members if entrant not in of_first]
            random.Random(self.first_seed).shuffle(known)  # noqa: S311  # the seed is hidden
            return [*self._keep_apart(known), *late]
        known = [entrant for entrant in members if entrant in drawable and self._was_there(entrant)]
        late = [entrant for entrant in members if entrant in drawable and entrant not in known]
        for group in (known, late):
            random.Random(self.first_seed).shuffle(group)  # noqa: S311  # the seed is hidden
        return [*self._keep_apart(known), *late]

    def _keep_apart(self, known: Sequence[str]) -> list[str]:
        """Return the entrants of the first round in the order in which few of one group meet.

        It depends on the first round and the plan alone, so that later rounds find it again. In a
        bracket only entrants without a seed are moved.
        """
        first = self.before[0].number if self.before else self.number
        apart, kind = self.record.opening.apart, self.stage.draw
        asked = apart == ALWAYS or (apart == FIRST_ROUND and first == 1)
        bracket = kind == KNOCKOUT and self.stage_number == 1
        if not asked or not (bracket or kind in WHOLE_DRAWS):
            return list(known)
        groups = {number: group for number, entrant in enumerate(known, start=1)
                  if (group := self.record.entrants[entrant].group) is not None}  # fmt: skip
        rounds = 1 if apart == FIRST_ROUND else None
        order: Sequence[int] = range(1, len(known) + 1)
        if bracket:
            seeds = {number: self.record.entrants[entrant].seed or MAX_ENTRANTS
                     for number, entrant in enumerate(known, start=1)}  # fmt: skip
            order = sorted(order, key=lambda number: (seeds[number], number))
            movable = {place for place, number in enumerate(order, start=1)
                       if seeds[number] == MAX_ENTRANTS}  # fmt: skip
            blocks = list_blocks(len(known), rounds)
            moved = keep_apart(order, groups, blocks, self.first_seed, movable)
        elif self._is_possible(len(known)):
            tables = as_tables(self._draw_whole(len(known)).rounds[:rounds])
            moved = keep_apart(order, groups, tables, self.first_seed)
        else:
            return list(known)
        return [known[number - 1] for number in moved]

    def _is_possible(self, entrants: int) -> bool:
        """Return whether the whole draw can be made; if not, the round says why."""
        try:
            self._draw_whole(entrants)
        except UnusableError:
            return False
        return True

    def _was_there(self, entrant: str) -> bool:
        """Return whether an entrant plays from the first round of the stage on."""
        first = self.before[0].number if self.before else self.number
        return self.record.entrants[entrant].plays_in(first)

    def draw(self) -> tuple[list[tuple[str, ...]], list[str]]:
        """Return the tables and the byes of the round, with the seats rotated."""
        kind = self.stage.draw
        if has_finals(self.record, self.stage_number) and len(self.playing) < min(self.sizes):
            drawn = DrawnRound(self.number, (), () if self.before else tuple(self.playing))
        elif kind in (RANKED, RANDOM):
            drawn = self._draw_by_standings(by_lot=kind == RANDOM)
        elif kind in WHOLE_DRAWS:
            drawn = self._draw_from_whole()
        elif kind == KNOCKOUT:
            drawn = self._draw_knockout()
        else:
            words = f"{self.stage.name} is drawn by hand: record round_drawn yourself"
            raise UnusableError(Cause(words, "drawn_by_hand"))
        if kind in (BALANCED, PARTNERS):
            drawn = self._shuffle(drawn)
        if kind != ALL_PLAY_ALL:
            (drawn,) = rotate_first_dealers([drawn], self._count_first_deals())
        tables = [tuple(self.order[n - 1] for n in table) for table in drawn.tables]
        return tables, [self.order[n - 1] for n in drawn.byes]

    def _shuffle(self, drawn: DrawnRound) -> DrawnRound:
        """Return a round with its tables, and the seats of each, in an order by lot.

        A construction puts the numbers of the entrants in their order; the hall could read them
        from a published round, and compute the later ones. Partners stay partners.
        """
        shuffling = random.Random(f"{self.first_seed} {self.number}")  # noqa: S311  # the seed is hidden
        tables = list(drawn.tables)
        shuffling.shuffle(tables)  # first: the numbers of the tables do not depend on their sizes
        return drawn._replace(
            tables=tuple(_shuffle_seats(table, shuffling, self.stage.draw) for table in tables)
        )

    # ------------------------------------------------------------------------ all rounds known

    def _draw_from_whole(self) -> DrawnRound:
        """Return the round of the draw of the whole stage, with those who have come and gone.

        If the rounds before were not drawn so, or the sizes of the tables do not allow it, a round
        with few repeats is searched for.
        """
        place = len(self.before)
        played = [self._numbered(drawn) for drawn in self.before]
        planned = self._follow_changes()
        if planned is not None:
            as_planned = [_list_sets(drawn.tables) for drawn in planned[:place]]
            if as_planned == [_list_sets(tables) for tables in played]:
                return planned[place]
        plan = list_table_plans(len(self.playing), self.sizes)[0]
        together = list_group_tables(self._list_groups())
        groups = [together] if together else []  # to meet in a group counts as to have met
        byes = self._contenders().choose_byes(plan.byes)
        playing = [number for number in self.playing if number not in byes]
        (tables,) = search_rounds(
            max(len(self.order), 1),
            [playing],
            plan.sizes,
            self.seed,
            fixed=[*(list(map(list, of_round)) for of_round in played), *groups],
        )
        searched = DrawnRound(self.number, tuple(map(tuple, tables)), byes)
        by_hand = any(drawn.generator.name != self.stage.draw for drawn in self.before)
        if planned is None or by_hand:
            return searched
        met = count_meetings(table for of_round in played for table in of_round)
        return min(searched, planned[place], key=lambda drawn: _count_rematches(drawn, met))

    def _follow_changes(self) -> list[DrawnRound] | None:
        """Return all rounds of the stage, in which entrants came and went without moving others.

        None if the sizes of the tables do not allow it, the round is beyond the last one, or
        everybody knows the seed.
        """
        place = len(self.before)
        if self.stage_number in self.record.disclosed:
            return None
        first = self.before[0] if self.before else None
        at_first = {*first.list_seated(), *first.byes} if first else None
        originals = len(self.playing) if at_first is None else len(at_first)
        rounds = list(self._draw_whole(originals).rounds)
        if place >= len(rounds):
            return None
        there = [{self.number_of[entrant] for entrant in (*drawn.list_seated(), *drawn.byes)}
                 for drawn in self.before]  # fmt: skip
        present = set(range(1, originals + 1))
        for start, now in enumerate([*there, set(self.playing)]):
            for gone in sorted(present - now):
                changed = self._remove(rounds[start:], gone)
                if changed is None:
                    return None
                rounds[start:] = changed
            for new in sorted(now - present):
                added = add_entrant(rounds[start:], new, self.sizes, rounds[:start])
                if added is None:
                    return None
                rounds[start:] = added
            present = now
        return rounds

    def _remove(self, rounds: Sequence[DrawnRound], gone: int) -> list[DrawnRound] | None:
        """Return rounds without an entrant; None if that leaves an impossible table.

        Nobody else's table changes, unless one entrant has to fill a table that is too small.
        """
        if self.stage.draw in AT_TWO:
            return list(leave_idle(rounds, gone))
        kept = list[DrawnRound]()
        for place, drawn in enumerate(rounds):
            removed = remove_entrant([drawn], gone, self.sizes)
            others = [*kept, *rounds[place + 1 :]]
            changed = removed[0] if removed else move_one(drawn, gone, self.sizes, others)
            if changed is None:
                return None
            kept.append(changed)
        return kept

    def _draw_whole(self, entrants: int) -> Draw:
        """Return the draw of all rounds of the stage for those of its first round."""
        if entrants not in self._whole:
            self._whole[entrants] = self._make_whole(entrants)
        return self._whole[entrants]

    def _make_whole(self, entrants: int) -> Draw:
        """Make the draw of all rounds of the stage."""
        rounds, seed = self.stage.rounds, self.first_seed
        if self.stage.draw == BALANCED:
            return draw_balanced(entrants, rounds, self.sizes, seed)
        if self.stage.draw == PARTNERS:
            return draw_partners(entrants, rounds, seed)
        if self.stage.draw == MITCHELL:
            return draw_mitchell(entrants, rounds, seed)
        return draw_all_play_all(entrants, rounds, seed, self.stage.group)

    def _numbered(self, drawn: TournamentRound) -> list[tuple[int, ...]]:
        """Return the tables of an earlier round, without entrants who have no number any more."""
        return [
            tuple(self.number_of[entrant] for entrant in table if entrant in self.number_of)
            for table in drawn.tables
        ]

    # ------------------------------------------------------------------------------- knock-out

    def _draw_knockout(self) -> DrawnRound:
        """Return the round of the bracket, or of all who have lives left; none if it is decided."""
        order = [number for number in self._list_by_seed() if number in self.playing]
        if not self.before:
            return draw_first_round(order)
        tables = [self._numbered(drawn) for drawn in self.before]
        losses = Counter(self._list_losers(tables))
        lives = {number: (self.stage.lives or 1) - losses[number] for number in order}
        winners = {number for number in order if lives[number] > 0}
        if len(winners) < 2:
            return DrawnRound(self.number, ())
        if self.stage.lives == 2:
            met = set(count_meetings(table for numbered in tables for table in numbered))
            return draw_lives_round(order, lives, met, self._contenders().byes, self.number)
        byes = [tuple(self.number_of[entrant] for entrant in drawn.byes
                      if entrant in self.number_of) for drawn in self.before]  # fmt: skip
        drawn = [DrawnRound(0, tuple(of_tables), idle)
                 for of_tables, idle in zip(tables, byes, strict=True)]  # fmt: skip
        bracket = list_in_bracket_order(drawn[0])
        for following in drawn[1:]:
            bracket = follow_bracket(bracket, following)
        third_place = bool(self.stage.third_place)
        return draw_next_round(bracket, winners, self.number, third_place=third_place)

    def _list_by_seed(self) -> list[int]:
        """Return the numbers by seed: as registered, or by the standings of the stage before."""
        seeds = {entrant: self.record.entrants[entrant].seed or MAX_ENTRANTS
                 for entrant in self.order}  # fmt: skip
        if self.stage_number > 1:
            before = Scoreboard().compute(self.record, self.results, self.stage_number - 1)
            seeds |= {row.entrant: row.place for row in before.rows if row.entrant in seeds}
        return sorted(self.number_of.values(), key=lambda n: (seeds[self.order[n - 1]], n))

    def _list_losers(self, tables: Sequence[Sequence[tuple[int, ...]]]) -> Iterator[int]:
        """Yield who lost each table of the rounds before.

        Raises `UnusableError` if a table is not decided.
        """
        standings = self._compute_standings()
        points = {
            (played.round, self.number_of[row.entrant]): played.points
            for row in (standings.rows if standings else ())
            for played in row.rounds
            if row.entrant in self.number_of and played.points is not None
        }
        for drawn, numbered in zip(self.before, tables, strict=True):
            for table in numbered:
                got = {entrant: points.get((drawn.number, entrant)) for entrant in table}
                known = {entrant: figure for entrant, figure in got.items() if figure is not None}
                if len(set(known.values())) != 2:
                    names = [
                        self.record.entrants[self.order[entrant - 1]].name for entrant in table
                    ]
                    words = f"round {drawn.number} is not decided between {' and '.join(names)}"
                    raise UnusableError(Cause(words, "not_decided", round=drawn.number))
                yield min(known, key=lambda entrant: known[entrant])

    def _name(self, number: int) -> str:
        """Return the name of the entrant with a number."""
        return self.record.entrants[self.order[number - 1]].name

    # --------------------------------------------------------------------------- by standings

    def _draw_by_standings(self, *, by_lot: bool) -> DrawnRound:
        """Return the round by the standings; the first of a stage, and `by_lot`, by lot."""
        contenders = self._contenders()
        if by_lot or not contenders.points:
            return draw_random(contenders, self.sizes, self.number, self.seed)
        return draw_ranked(contenders, self.sizes, self.number)

    def _contenders(self) -> Contenders:
        """Return the entrants in the order of the standings, with what should not happen again."""
        standings = self._compute_standings()
        points = {self.number_of[row.entrant]: row.points for row in standings.rows
                  if row.entrant in self.number_of} if standings else {}  # fmt: skip
        order = [n for n in (*points, *self.number_of.values()) if n in self.playing]
        order = list(dict.fromkeys(order))
        byes = Counter(self.number_of[entrant] for drawn in self.before for entrant in drawn.byes
                       if entrant in self.number_of)  # fmt: skip
        return Contenders(tuple(order), points, self._list_met(), self._list_groups(), byes)

    def _compute_standings(self) -> StageStandings | None:
        """Return the standings that decide: of this stage, or of the one before; None at first."""
        if not self.before and self.stage_number == 1:
            return None
        stage_number = self.stage_number if self.before else self.stage_number - 1
        return Scoreboard().compute(self.record, self.results, stage_number)

    def _list_met(self) -> set[EntrantPair]:
        """Return the pairs who should not meet again, by the rule of the stage."""
        rounds: list[TournamentRound] = []
        if self.stage.rematch == NEVER:
            rounds = self.before
        elif self.stage.rematch == NOT_NEXT:
            rounds = self.before[-1:]
        return set(count_meetings(table for drawn in rounds for table in self._numbered(drawn)))

    def _list_groups(self) -> dict[int, str]:
        """Return the group of each entrant who should not meet others of it in this round."""
        apart = self.record.opening.apart
        if apart != ALWAYS and (apart != FIRST_ROUND or self.number > 1):
            return {}
        groups = {number: self.record.entrants[entrant].group
                  for entrant, number in self.number_of.items()}  # fmt: skip
        return {number: group for number, group in groups.items() if group is not None}

    def _count_first_deals(self) -> Counter[int]:
        """Return how often each entrant dealt first in earlier rounds."""
        return Counter(
            self.number_of[table[0]]
            for drawn in self.before
            for table in drawn.tables
            if table and table[0] in self.number_of
        )


def _list_sets(tables: tuple[tuple[int, ...], ...] | list[tuple[int, ...]]) -> set[frozenset[int]]:
    """Return tables without the order of their seats."""
    return {frozenset(table) for table in tables}


def _shuffle_seats(table: Sequence[int], shuffling: random.Random, draw: str) -> tuple[int, ...]:
    """Return the entrants of a table in another order of seats; partners stay opposite."""
    if draw != PARTNERS:
        return tuple(shuffling.sample(table, len(table)))
    pairs = [[table[one], table[other]] for one, other in PARTNER_PLACES]
    shuffling.shuffle(pairs)
    for pair in pairs:
        shuffling.shuffle(pair)
    return tuple(entrant for seats in zip(*pairs, strict=True) for entrant in seats)


def _restrict(drawn: TournamentRound, members: set[str]) -> TournamentRound:
    """Return a round with the tables and byes of these entrants only."""
    return replace(
        drawn,
        tables=tuple(table for table in drawn.tables if not members.isdisjoint(table)),
        byes=tuple(entrant for entrant in drawn.byes if entrant in members),
    )


def _count_rematches(drawn: DrawnRound, met: Mapping[EntrantPair, int]) -> int:
    """Return how often the pairs of a round have met before."""
    return sum(met.get(pair, 0) for pair in count_meetings(drawn.tables))
