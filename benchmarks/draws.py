"""Tournaments: draws by construction, by search and by standings; standings of a full evening."""

import io
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import count
from random import Random
from typing import Any

from benchmarks.material import Raw, session
from benchmarks.measuring import collected_as_served, median_seconds
from benchmarks.pace import report_seconds
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.event import Entry
from scorekeeper.log import codec
from scorekeeper.log.writing import sealed_lines
from scorekeeper.session.session import Session
from scorekeeper.tournaments.draws.balanced import draw_balanced
from scorekeeper.tournaments.draws.matching import match_pairs
from scorekeeper.tournaments.draws.partners import draw_partners
from scorekeeper.tournaments.draws.ranked import Contenders, draw_ranked
from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.standings import Scoreboard
from scorekeeper.tournaments.tournament import TYPES, Tournament

MAX_SECONDS_CONSTRUCTED = 0.1
MAX_SECONDS_SEARCHED = 3.0
MAX_SECONDS_RANKED = {100: 0.5, 200: 1.5}
MAX_SECONDS_AFTER_HAND = 0.05
MAX_SECONDS_FROM_NOTHING = 3.0
ENTRANTS, TABLES, ROUNDS, SIZE = 200, 50, 12, 4
EVENTS = 60  # of the session of each table
ROUNDS_PLAYED = 5  # before a ranked draw
CONSTRUCTED = ((200, 12, (4,)), (200, 10, (5,)), (38, 7, (5, 6)), (58, 11, (5, 6)), (55, 11, (5,)))
SEARCHED = ((19, 4, (5, 6)), (20, 4, (5,)), (36, 9, (5, 6)), (11, 6, (5, 6)), (60, 9, (5, 6)))


def draws() -> list[bool]:
    """Measure the draws and the standings of a large tournament."""
    match_pairs({(0, 1): 1})  # the first one loads the library
    with collected_as_served():
        return [*drawn_at_once(), *drawn_by_standings(), *standing()]


def drawn_at_once() -> Iterator[bool]:
    """Measure draws of all rounds."""
    for bar, what, cases in (
        (MAX_SECONDS_CONSTRUCTED, "construction", CONSTRUCTED),
        (MAX_SECONDS_SEARCHED, "search", SEARCHED),
    ):
        slowest = max(
            (median_seconds(partial(draw_balanced, *case), runs=3), case) for case in cases
        )
        entrants, rounds, _ = slowest[1]
        yield report_seconds(f"all rounds by {what}; {entrants} x {rounds} rounds", slowest[0], bar)
    took = max(median_seconds(partial(draw_partners, n, n - 1), runs=3) for n in (16, 20, 24))
    yield report_seconds("partners, up to 24 in 23 rounds", took, MAX_SECONDS_SEARCHED)


def contenders(entrants: int) -> Contenders:
    """Return a field after some rounds in which everybody met neighbours."""
    rng = Random(1)
    points = {entrant: Fraction(0) for entrant in range(entrants)}
    met = set()
    for _ in range(ROUNDS_PLAYED):
        order = sorted(points, key=lambda entrant: (-points[entrant], rng.random()))
        for pair in zip(order[::2], order[1::2], strict=True):
            met.add((min(pair), max(pair)))
            points[rng.choice(pair)] += 2
    order = sorted(points, key=lambda entrant: -points[entrant])
    return Contenders(tuple(order), points, met)


def drawn_by_standings() -> Iterator[bool]:
    """Measure a round by the standings in which nobody meets again."""
    for entrants, bar in MAX_SECONDS_RANKED.items():
        field = contenders(entrants)
        took = median_seconds(partial(draw_ranked, field, (2,), ROUNDS_PLAYED + 1), runs=3)
        drawn = draw_ranked(field, (2,), ROUNDS_PLAYED + 1)
        again = sum(field.is_rematch(*pair) for pair in drawn.tables)
        yield report_seconds(f"ranked draw of {entrants} pairs, {again} rematches", took, bar)


def logs() -> tuple[list[tuple[str, JsonObject]], dict[str, bytes]]:
    """Return the events of a tournament of 600 tables, and the logs of their sessions."""
    events: list[tuple[str, JsonObject]] = []
    raw_events = session("riparto", EVENTS, "tricks")[:EVENTS]
    seats = [player["id"] for player in raw_events[0]["data"]["players"]]
    stage = {"name": "Rounds", "draw": "balanced", "rounds": ROUNDS, "points": "places",
             "table": {"from": SIZE, "to": SIZE}}  # fmt: skip
    events.append(("tournament_opened", {"name": "Bench", "format": 1, "game": "riparto",
                                         "entrants": "individual", "stages": [stage]}))  # fmt: skip
    for number in range(1, ENTRANTS + 1):
        player = {"id": f"p{number}", "name": f"Player {number}"}
        entrant = {**player, "players": [player]}
        events.append(("entrant_registered", entrant))
    sessions = {}
    for drawn in draw_balanced(ENTRANTS, ROUNDS, (SIZE,)).rounds:
        tables = [[f"p{n}" for n in table] for table in drawn.tables]
        events.append(("round_drawn", {
            "stage": 1, "round": drawn.number, "tables": tables, "byes": [], "heads": {},
            "generator": {"name": "balanced", "version": 1, "seed": 1},
        }))  # fmt: skip
        named: dict[str, object] = {}
        for table, entrants in enumerate(tables, start=1):
            name = f"r{drawn.number}t{table}"
            renamed = dict(zip(seats, entrants, strict=True))
            sessions[name] = log_of_table(raw_events, renamed)
            named[str(table)] = {"session": name, "first_hash": "0" * 64}
        events.append(("round_published", {"round": drawn.number, "sessions": named}))
        events.append(("round_closed", {"stage": 1, "round": drawn.number}))
    return events, sessions


def log_of_table(raw_events: list[Raw], renamed: dict[str, str]) -> bytes:
    """Return the sealed log of a session in which other players sit."""

    def rename(value: Any) -> Any:
        if isinstance(value, dict):
            return {renamed.get(key, key): rename(item) for key, item in value.items()}
        if isinstance(value, list):
            return [rename(item) for item in value]
        return renamed.get(value, value) if isinstance(value, str) else value

    pairs = [(raw["type"], rename(raw.get("data", {}))) for raw in raw_events]
    return b"".join(sealed_lines(pairs, at="2026-11-21T20:00:00.000Z", by="keeper"))


def read_table(name: str, log: bytes) -> PlayedTable:
    """Return the result of the log of a session."""
    return PlayedTable.of(name, Session.read(io.BytesIO(log)))


def open_tournament(events: list[tuple[str, JsonObject]]) -> Tournament:
    """Return the tournament of its events."""
    return Tournament.of(
        Entry(seq, codec.decode(kind, data, TYPES), by="keeper")
        for seq, (kind, data) in enumerate(events, start=1)
    )


def standing() -> Iterator[bool]:
    """Measure the standings of 600 sessions from nothing, and after one more event in one."""
    events, sessions = logs()

    def from_nothing() -> int:
        held = open_tournament(events)
        results = {name: read_table(name, log) for name, log in sessions.items()}
        return len(Scoreboard().compute(held.state, results).rows)

    took = median_seconds(from_nothing, runs=1)
    what = f"standings of {len(sessions)} sessions of {EVENTS} events from nothing"
    yield report_seconds(what, took, MAX_SECONDS_FROM_NOTHING)
    held, board = open_tournament(events), Scoreboard()
    results = {name: read_table(name, log) for name, log in sessions.items()}
    board.compute(held.state, results)
    number, lines = count(), sessions["r3t7"].splitlines(keepends=True)

    def one_more() -> None:
        short = b"".join(lines[: EVENTS - 1 - next(number) % 2])
        results["r3t7"] = read_table("r3t7", short)
        board.compute(held.state, results)

    yield report_seconds("standings after one more event", median_seconds(one_more),
                         MAX_SECONDS_AFTER_HAND)  # fmt: skip
