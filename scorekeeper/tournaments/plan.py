"""The plan of an evening: which numbers of rounds fit, and how many hands of each."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from scorekeeper.games.game import Game
from scorekeeper.tournaments.draws.balanced import count_rounds_without_repeat
from scorekeeper.tournaments.draws.sizes import TablePlan, list_table_plans
from scorekeeper.tournaments.table_rules import can_end_after_hands, list_deals

MAX_ROUNDS: Final = 12


class FittingRounds(NamedTuple):
    """A number of rounds that fits into the evening.

    ``minutes`` are those of each round. ``hands`` is how many hands each entrant plays in a round,
    and ``deals`` how many a table deals, by its size; both are empty in games whose matches are
    played to their own end. ``repeats`` is whether some entrants have to meet twice.
    """

    rounds: int
    minutes: int
    hands: int | None
    deals: Mapping[int, int]
    repeats: bool


class EveningPlan(NamedTuple):
    """The tables of each round, and the numbers of rounds that fit."""

    tables: TablePlan
    rows: tuple[FittingRounds, ...]


def plan_evening(
    entrants: int, game: Game, sizes: Collection[int], minutes: int, pause: int, hand: int
) -> EveningPlan:
    """Return the plan of an evening of so many minutes.

    ``pause`` is the number of minutes between two rounds, ``hand`` that of one hand. Raises
    `UnusableError` if not even one table can be filled.
    """
    tables = list_table_plans(entrants, sizes)[0]
    different = count_rounds_without_repeat(entrants, sizes, MAX_ROUNDS)
    rows = _list_rows(game, set(tables.sizes), minutes, pause, hand, different)
    return EveningPlan(tables, tuple(rows))


def _list_rows(
    game: Game, sizes: Collection[int], minutes: int, pause: int, hand: int, different: int
) -> Iterator[FittingRounds]:
    """Yield the numbers of rounds that fit; ``different`` rounds can be without a repeat."""
    for rounds in range(1, MAX_ROUNDS + 1):
        each = (minutes - pause * (rounds - 1)) // rounds
        if each < hand:
            return
        repeats = rounds > different
        if not can_end_after_hands(game):
            yield FittingRounds(rounds, each, None, {}, repeats)
            continue
        for hands in range(each // hand, 0, -1):
            deals = list_deals(game, sizes, hands)
            if deals and max(deals.values()) * hand <= each:
                yield FittingRounds(rounds, each, hands, deals, repeats)
                break
