"""Tournaments with names, byes and fractions, prepared for export in tests."""

import random
from collections.abc import Sequence
from typing import Any

from scorekeeper.exports.tournament import TournamentFile
from scorekeeper.languages.reader import Reader
from scorekeeper.tournaments.tournament import Tournament
from tests.evenings import Raw, event
from tests.tournaments import hall

ROUNDS = 3
PRIZES = {"1": 20_000, "2": 10_000, "3": "a ham"}
NAMES = ("=cmd|late", "Béa\u202e <b>", "Ciro & Figli", "日本", "Łukasz d'Alessandro", "+39 051")


def name_of(number: int) -> str:
    """Return the name of an entrant: difficult ones first."""
    return NAMES[number - 1] if number <= len(NAMES) else f"Entrant {number:03} of Bologna"


def entered(many: int, names: Sequence[str] = ()) -> list[Raw]:
    """Return the registrations of entrants e1, e2 and so on, of three groups."""
    return [
        event("entrant_registered", id=f"e{n}", name=name, group=f"Circolo {n % 3}",
              players=[{"id": f"e{n}", "name": name}])
        for n, name in enumerate(names or [name_of(n) for n in range(1, many + 1)], start=1)
    ]  # fmt: skip


def _seat(many: int, seed: int) -> tuple[list[list[int]], list[int]]:
    """Return tables of five, or of six if they then need fewer byes, and who sits out."""
    order = random.Random(seed).sample(range(1, many + 1), many)  # noqa: S311
    sixes = min(many % 5, many // 5)
    sizes = [6] * sixes + [5] * (many // 5 - sixes)
    tables = [order[sum(sizes[:place]) : sum(sizes[: place + 1])] for place in range(len(sizes))]
    return tables, order[sum(sizes) :]


def open_hall(
    many: int = 19, published: int = 2, last_draw: int = 1, names: Sequence[str] = (),
    **more: Any,
) -> Tournament:  # fmt: skip
    """Return a tournament of Chiamata of which some rounds are published and played on paper.

    All rounds are drawn; the ones that are not published otherwise for another ``last_draw``.
    """
    stage = {"rounds": ROUNDS, "hands": 10, **more.pop("stage", {})}
    about = {"name": "Torneo", "zone": "Europe/Rome", "prizes": PRIZES,
             "fee": {"amount": 1_000, "currency": "EUR"}, **more}  # fmt: skip
    held = hall.tournament(hall.opening(stage, **about), *entered(many, names))
    numbers = range(1, ROUNDS + 1)
    seeds = [number if number <= published else number * last_draw for number in numbers]
    rounds = [_seat(many, seed) for seed in seeds]
    for number, (tables, byes) in enumerate(rounds, start=1):
        hall.add(held, hall.drawn(number, *tables, byes=byes))
    scores = random.Random(5)  # noqa: S311  # the same in each run
    for number, (tables, _byes) in enumerate(rounds[:published], start=1):
        hall.add(held, hall.published(number, *[None] * len(tables)))
        hall.add(held, event("round_started", round=number, minutes=30))
        for place, table in enumerate(tables, start=1):
            got = [scores.randint(-2, 2) for _ in table[1:]]
            result = dict(zip((f"e{n}" for n in table), (-sum(got), *got), strict=True))
            hall.add(held, event("result_recorded", round=number, table=place, scores=result))
        hall.add(held, hall.closed(number))
    if published:
        hall.add(held, event("points_adjusted", entrant="e3", points="-1/3", reason="=late"))
    return held


def file_of(held: Tournament, reader: Reader | None = None, **more: Any) -> TournamentFile:
    """Return the tournament prepared for export."""
    return TournamentFile.of("t1", held.state, {}, reader or Reader(), **more)
