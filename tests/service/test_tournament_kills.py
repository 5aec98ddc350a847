"""Processes killed with SIGKILL while they draw, publish, start and close rounds.

Each acknowledged event is in the log exactly once, no round is half published or half closed, none
is drawn a second time by a repeated request, and the clock is right. Two directors at once give
the same. Tests of ``service.tournaments``, ``service.tournament_tables`` and ``store.store``.
"""

import json
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from typing import Final

from scorekeeper.base.errors import StaleVersionError
from scorekeeper.service import AppendRequest, NewEvent, Service, Tournaments
from scorekeeper.store import Store
from scorekeeper.tournaments.time_limits import find_seconds_left
from tests.conftest import SOAK, Figure
from tests.service.directors import (
    DIRECTOR,
    MINUTES,
    ROUNDS,
    Step,
    direct,
    find_next_step,
    make_request,
    take,
)
from tests.service.test_tournaments import opened
from tests.store.asking import whole
from tests.store.conftest import database, postgres, quick_folder, sqlite, template
from tests.store.homes import Home
from tests.store.processes import FORKS

__all__ = ["database", "postgres", "quick_folder", "sqlite", "template"]

KILLS: Final = {"sqlite": 200, "postgresql": 60} if SOAK else {"sqlite": 8, "postgresql": 3}
ROUNDS_TOGETHER: Final = 6  # of two directors


def direct_until_killed(
    url: str, id_: str, unanswered: Step | None, acknowledged: dict[int, str], seconds: float
) -> Step | None:
    """Let a process direct until it is killed; return the step whose answer did not arrive.

    It is killed these seconds after its first answer.
    """
    mine, theirs = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=direct, args=(url, id_, unanswered, theirs))
    process.start()
    theirs.close()
    first = None
    with mine, suppress(EOFError, OSError):
        while True:
            if first is not None and time.monotonic() >= first + seconds:
                process.kill()
            if mine.poll(0.003):
                step, answer = mine.recv()
                unanswered = None if answer else step
                if answer:
                    first = first or time.monotonic()
                    acknowledged[answer[0]] = answer[1]
    process.join(10)
    assert process.exitcode == -signal.SIGKILL
    return unanswered


def complaints(store: Store, id_: str, acknowledged: dict[int, str]) -> Iterator[str]:
    """Yield what is wrong with a tournament and its sessions."""
    for version, head in acknowledged.items():
        if store.hash_at(id_, version) != head:
            yield f"version {version} was acknowledged, and is lost"
    events = [json.loads(line) for line in store.read(id_).lines]
    for kind in ("round_drawn", "round_published", "round_started", "round_closed"):
        rounds = Counter(raw["data"]["round"] for raw in events if raw["type"] == kind)
        yield from (f"{kind} twice: {number}" for number, times in rounds.items() if times > 1)
    kept = Tournaments(Service(store))
    state = kept.with_state(id_, lambda state: state)
    sessions = state.list_sessions()
    if store.followed(id_) != sessions.keys():
        yield "the sessions of the store are not those of the log"
    now = datetime.fromisoformat(kept.now())
    for drawn in state.rounds.values():
        for change in drawn.clock:
            due = 60 * MINUTES - (now - datetime.fromisoformat(change.at)).total_seconds()
            if abs((find_seconds_left(drawn, now) or 0) - due) > 1:
                yield f"the clock of round {drawn.number} is wrong"
    for session_id, (number, _table) in sessions.items():
        closed = b"session_closed" in store.read(session_id).lines[-1]
        if closed != state.rounds[number].closed:
            yield f"round {number} is half closed"


def count_rounds(store: Store, id_: str) -> int:
    """Return how many rounds of a tournament are drawn."""
    return Tournaments(Service(store)).with_state(id_, lambda state: len(state.rounds))


def test_an_evening_survives_kills(database: Home, figure: Figure) -> None:
    store = database.open()
    chance = random.Random(1)  # noqa: S311
    ids, acknowledged, sent_again, steps = list[str](), dict[int, str](), 0, 0
    unanswered: Step | None = None
    for _ in range(KILLS[database.kind]):
        if not ids or count_rounds(store, ids[-1]) == ROUNDS:
            ids.append(opened(Tournaments(Service(store)), rounds=ROUNDS, draw="random"))
            acknowledged, unanswered = {}, None
        before = len(acknowledged)
        sent_again += unanswered is not None
        unanswered = direct_until_killed(
            database.url, ids[-1], unanswered, acknowledged, chance.uniform(0.0, 0.1)
        )
        steps += len(acknowledged) - before
        assert list(complaints(store, ids[-1], acknowledged)) == []
    assert list(whole(store)) == []
    assert steps >= KILLS[database.kind]
    figure(f"{KILLS[database.kind]} kills, {steps} steps acknowledged, {sent_again} sent again")


def test_the_complaints_are_found(sqlite: Home) -> None:
    store = sqlite.open()
    kept = Tournaments(Service(store))
    id_ = opened(kept, rounds=ROUNDS, draw="random")
    while (step := find_next_step(kept, id_)) and step.round == 1:
        take(kept, id_, step)
    assert list(complaints(store, id_, {})) == []
    assert list(complaints(store, id_, {2: "0" * 64})) != []
    (session_id,) = store.followed(id_)
    service = Service(store)
    struck = NewEvent("event_struck", {"seq": service.end(session_id).version, "reason": "early"})
    service.record(session_id, AppendRequest(service.end(session_id).version, (struck,)), DIRECTOR)
    assert list(complaints(store, id_, {})) == ["round 1 is half closed"]


def test_two_directors_at_once_take_each_step_once(database: Home) -> None:
    id_ = opened(Tournaments(Service(database.open())), rounds=ROUNDS, draw="random")

    def hurry(_director: int) -> int:
        kept, taken = Tournaments(Service(database.open())), 0
        while (step := find_next_step(kept, id_)) and step.round <= ROUNDS_TOGETHER:
            with suppress(StaleVersionError):
                kept.record(id_, make_request(step), DIRECTOR)
                taken += 1
        return taken

    with ThreadPoolExecutor(2) as pool:
        taken = list(pool.map(hurry, range(2)))
    assert sum(taken) == 4 * ROUNDS_TOGETHER
    assert list(complaints(database.open(), id_, {})) == []
