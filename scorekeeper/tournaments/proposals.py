"""The next round of a tournament, drawn by the rules of its stage: a proposal that changes nothing.

Entrants get numbers by lot, which depends on the seed of the stage's first round; in a knock-out
the seeded ones come first.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.tournaments.advancing import list_qualifiers
from scorekeeper.tournaments.draws.balanced import BALANCED, draw_balanced
from scorekeeper.tournaments.draws.berger import ALL_PLAY_ALL, draw_all_play_all
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
    list_in_bracket_order,
)
from scorekeeper.tournaments.draws.mitchell import MITCHELL, draw_mitchell
from scorekeeper.tournaments.draws.partners import draw_partners
from scorekeeper.tournaments.draws.ranked import Contenders, draw_random, draw_ranked
from scorekeeper.tournaments.draws.search import search_rounds
from scorekeeper.tournaments.draws.sizes import list_table_plans
from scorekeeper.tournaments.events import MAX_ENTRANTS
from scorekeeper.tournaments.parts import DrawGenerator
from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.stage_rules import KNOCKOUT, RANKED, list_stage_sizes, require_game
from scorekeeper.tournaments.stages import Stage
from scorekeeper.tournaments.standings import Scoreboard, StageStandings
from scorekeeper.tournaments.values import TournamentRound

VERSION: Final = 1
RANDOM: Final = "random"
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
    return RoundProposal(record, results, stage_number, number, seed).draw()


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


class RoundProposal:
    """The draw of one round: entrants are numbers in it, from 1 on."""

    def __init__(
        self, record: TournamentRecord, results: Mapping[str, PlayedTable], stage_number: int,
        number: int, seed: int,
    ) -> None:  # fmt: skip
        self.record, self.results = record, results
        self.stage_number, self.number, self.seed = stage_number, number, seed
        self.stage: Stage = record.stages[stage_number - 1]
        game = require_game(record.opening.game)
        self.sizes = list_stage_sizes(game, record.opening.entrants, self.stage)
        self.before = [drawn for drawn in record.rounds.values()
                       if drawn.stage == stage_number and drawn.number < number]  # fmt: skip
        self.entrants = self._list_entrants()
        first_seed = self.before[0].generator.seed if self.before else seed
        known = [entrant for entrant in self.entrants if self._was_there(entrant)]
        late = [entrant for entrant in self.entrants if entrant not in known]
        for group in (known, late):
            random.Random(first_seed).shuffle(group)  # noqa: S311  # a draw is no secret
        self.order = [*known, *late]
        self.number_of = {entrant: place for place, entrant in enumerate(self.order, start=1)}

    def _list_entrants(self) -> list[str]:
        """Return who plays: all, those who advanced, or those of the stage's rounds before."""
        drawable = [entrant.id for entrant in self.record.list_drawable(self.number)]
        if self.stage_number == 1:
            return drawable
        if self.before:
            drawn = {entrant for played in self.before
                     for entrant in (*played.list_seated(), *played.byes)}  # fmt: skip
            return [entrant for entrant in drawable if entrant in drawn]
        table = Scoreboard().compute(self.record, self.results, self.stage_number - 1)
        finals = list(list_qualifiers(self.record, table))
        through = {entrant for final in finals for entrant in final}
        return [entrant for entrant in drawable if not finals or entrant in through]

    def _was_there(self, entrant: str) -> bool:
        """Return whether an entrant plays from the first round of the stage on."""
        first = self.before[0].number if self.before else self.number
        return self.record.entrants[entrant].plays_in(first)

    def draw(self) -> ProposedRound:
        """Draw the round, with the seats rotated."""
        kind = self.stage.draw
        if kind in (RANKED, RANDOM):
            drawn = self._draw_by_standings(by_lot=kind == RANDOM)
        elif kind in (BALANCED, PARTNERS, MITCHELL, ALL_PLAY_ALL):
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
        used = self.results.values() if kind in (RANKED, KNOCKOUT) else ()
        heads = {played.session_id: played.head for played in used if played.head}
        return ProposedRound(
            self.stage_number, self.number,
            tuple(tuple(self.order[n - 1] for n in table) for table in drawn.tables),
            tuple(self.order[n - 1] for n in drawn.byes),
            DrawGenerator(kind, VERSION, self.seed), heads,
        )  # fmt: skip

    def _shuffle(self, drawn: DrawnRound) -> DrawnRound:
        """Return a round with its tables, and the seats of each, in an order by lot.

        A construction puts the numbers of the entrants in their order; the hall could read them
        from a published round, and compute the later ones. Partners stay partners.
        """
        first_seed = self.before[0].generator.seed if self.before else self.seed
        shuffling = random.Random(f"{first_seed} {self.number}")  # noqa: S311  # the seed is hidden
        tables = [_shuffle_seats(table, shuffling, self.stage.draw) for table in drawn.tables]
        shuffling.shuffle(tables)
        return drawn._replace(tables=tuple(tables))

    # ------------------------------------------------------------------------ all rounds known

    def _draw_from_whole(self) -> DrawnRound:
        """Return the round of the draw of the whole stage, if the rounds before were of it.

        Otherwise entrants have come or gone: then a round with few repeats is searched for.
        """
        place = len(self.before)
        whole = self._draw_whole()
        as_drawn = [_list_sets(drawn.tables) for drawn in whole.rounds[:place]]
        played = [_list_sets(self._numbered(drawn)) for drawn in self.before]
        disclosed = self.stage_number in self.record.disclosed  # then everybody knows the seed
        if as_drawn == played and place < len(whole.rounds) and not disclosed:
            return whole.rounds[place]
        plan = list_table_plans(len(self.order), self.sizes)[0]
        byes = self._contenders().choose_byes(plan.byes)
        playing = [number for number in self.number_of.values() if number not in byes]
        fixed = [[list(table) for table in self._numbered(drawn)] for drawn in self.before]
        (tables,) = search_rounds(
            max(len(self.order), 1), [playing], plan.sizes, self.seed, fixed=fixed
        )
        return DrawnRound(self.number, tuple(map(tuple, tables)), byes)

    def _draw_whole(self) -> Draw:
        """Return the draw of all rounds of the stage."""
        entrants, rounds = len(self.order), self.stage.rounds
        seed = self.before[0].generator.seed if self.before else self.seed
        if self.stage.draw == BALANCED:
            return draw_balanced(entrants, rounds, self.sizes, seed)
        if self.stage.draw == PARTNERS:
            return draw_partners(entrants, rounds, seed)
        if self.stage.draw == MITCHELL:
            return draw_mitchell(entrants, rounds, seed)
        return draw_all_play_all(entrants, rounds, seed, self.stage.group)

    def _numbered(self, drawn: TournamentRound) -> list[tuple[int, ...]]:
        """Return the tables of an earlier round, without the entrants who play no more."""
        return [
            tuple(self.number_of[entrant] for entrant in table if entrant in self.number_of)
            for table in drawn.tables
        ]

    # ------------------------------------------------------------------------------- knock-out

    def _draw_knockout(self) -> DrawnRound:
        """Return the round of the bracket, or of all who have lives left."""
        seeds = {self.number_of[entrant]: self.record.entrants[entrant].seed or MAX_ENTRANTS
                 for entrant in self.order}  # fmt: skip
        order = sorted(seeds, key=lambda number: (seeds[number], number))
        if not self.before:
            return draw_first_round(order)
        tables = [self._numbered(drawn) for drawn in self.before]
        losses = Counter(self._list_losers(tables))
        lives = {number: (self.stage.lives or 1) - losses[number] for number in order}
        winners = {number for number in order if lives[number] > 0}
        if len(winners) < 2:
            raise UnusableError(Cause("the knock-out is decided", "all_played"))
        if self.stage.lives == 2:
            met = set(count_meetings(table for numbered in tables for table in numbered))
            return draw_lives_round(order, lives, met, self._contenders().byes, self.number)
        bracket = list(tables[-1])
        if len(tables) == 1:
            idle = tuple(self.number_of[entrant] for entrant in self.before[0].byes)
            bracket = list_in_bracket_order(DrawnRound(1, tuple(bracket), idle))
        third_place = bool(self.stage.third_place)
        return draw_next_round(bracket, winners, self.number, third_place=third_place)

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
        order = [*points, *(n for n in self.number_of.values() if n not in points)]
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
