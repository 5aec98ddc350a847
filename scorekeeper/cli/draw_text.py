"""Draws and plans of tournaments as text for a terminal."""

from collections.abc import Iterator, Sequence

from scorekeeper.tournaments.draws.check import DrawProblem
from scorekeeper.tournaments.draws.draw import Draw
from scorekeeper.tournaments.draws.sizes import TablePlan
from scorekeeper.tournaments.plan import EveningPlan
from scorekeeper.tournaments.presets import FittingPreset


def draw_lines(draw: Draw) -> Iterator[str]:
    """Yield the lines of a draw: its figures, and the tables of each round."""
    yield f"{draw.entrants} entrants, {describe_rounds(len(draw.rounds))} ({draw.by})"
    yield describe_repeats(draw)
    for drawn in draw.rounds:
        yield ""
        yield f"Round {drawn.number}"
        for number, table in enumerate(drawn.tables, start=1):
            yield f"{number:>4}  {_list_numbers(table)}"
        if drawn.byes:
            yield f"      sit out: {_list_numbers(drawn.byes).strip()}"


def _list_numbers(entrants: Sequence[int]) -> str:
    """Return numbers of entrants in columns."""
    return " ".join(f"{entrant:>4}" for entrant in entrants)


def describe_rounds(rounds: int) -> str:
    """Return a number of rounds in words."""
    return f"{rounds} round" if rounds == 1 else f"{rounds} rounds"


def describe_repeats(draw: Draw) -> str:
    """Return how often the same meet again, and whether fewer repeats are possible."""
    who = "the same play together" if draw.counts_partners else "the same meet"
    if not draw.repeats:
        return "nobody plays together twice" if draw.counts_partners else "nobody meets twice"
    fewest = draw.fewest
    if fewest is None:
        bound = "it is not known whether fewer are possible"
    elif fewest == draw.repeats:
        bound = "fewer are impossible"
    else:
        bound = f"fewer than {fewest} are impossible"
    return f"{who} again {draw.repeats} times; {bound}"


def check_lines(draw: Draw, problems: Sequence[DrawProblem]) -> Iterator[str]:
    """Yield the lines of a check: the figures of a draw, and its problems."""
    yield f"{draw.entrants} entrants, {describe_rounds(len(draw.rounds))}"
    sizes = {len(table) for table in draw.list_tables()}
    yield f"tables of {' and '.join(map(str, sorted(sizes)))}" if sizes else "no tables"
    yield describe_repeats(draw)
    for problem in problems:
        place = "" if problem.round is None else f"round {problem.round}: "
        yield f"{'wrong' if problem.wrong else 'uneven'}: {place}{problem.text}"
    if not problems:
        yield "nothing is wrong"


def plan_lines(plan: EveningPlan, minutes: int, pause: int, hand: int) -> Iterator[str]:
    """Yield the lines of a plan: the tables, and the numbers of rounds that fit."""
    yield describe_tables(plan.tables)
    yield f"{minutes} minutes, {pause} between two rounds, {hand} for a hand"
    if not plan.rows:
        yield "no round fits"
        return
    yield ""
    yield "rounds  minutes each  hands each  hands a table  the same meet again"
    for row in plan.rows:
        hands = "-" if row.hands is None else str(row.hands)
        deals = ", ".join(f"{dealt} at {size}" for size, dealt in row.deals.items()) or "-"
        again = "yes" if row.repeats else "no"
        yield f"{row.rounds:>6}  {row.minutes:>12}  {hands:>10}  {deals:<13}  {again}"


def preset_lines(presets: Sequence[FittingPreset]) -> Iterator[str]:
    """Yield the lines of the presets that fit into an evening."""
    if presets:
        yield ""
        yield "plans that clubs play"
    for fitting in presets:
        time = "" if fitting.minutes is None else f", {fitting.minutes} minutes"
        yield f"{fitting.preset.name} ({fitting.entrants}{time}): {fitting.preset.text}"


def describe_tables(tables: TablePlan) -> str:
    """Return the tables of a round in words, such as “3 tables of 6, 4 tables of 5”."""
    counted = {size: tables.sizes.count(size) for size in sorted(set(tables.sizes), reverse=True)}
    words = [f"{count} table{'s' * (count != 1)} of {size}" for size, count in counted.items()]
    byes = [f"{tables.byes} sit{'s' * (tables.byes == 1)} out"] if tables.byes else []
    return ", ".join((*words, *byes))
