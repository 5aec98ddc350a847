"""Functions that tests run in other processes, which start sooner if this module imports little."""

import threading
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Final

from scorekeeper.base.errors import StaleVersionError
from scorekeeper.store import Position, Store, open_store
from tests.store.asking import append, note, request

STEP: Final = 0.0003  # seconds

# ------------------------------------------------------------------------------- races


@dataclass(frozen=True)
class Raced:
    """How many versions a writer won, and by how many versions it was late otherwise."""

    won: int
    behind: frozenset[int]  # versions that the session was ahead of the writer when it lost


def race(
    store: Store, session_id: str, writer: int, writers: int, rounds: int, start: Any
) -> Raced:
    """Append to each version, racing the other writers; each writer in turn gets a head start."""
    won, behind = 0, set()
    for version in range(1, rounds + 1):
        start.wait(60)
        time.sleep(
            (writer + version) % writers * STEP
        )  # otherwise the writer that is woken first would win
        try:
            append(store, session_id, version, [note(writer)], "keeper")
            won += 1
        except StaleVersionError as stale:
            behind.add(stale.version - version)
    return Raced(won, frozenset(behind))


def race_alone(url: str, *values: Any) -> Raced:
    """Race in a process with a store of its own."""
    with open_store(url) as store:
        return race(store, *values)


# ------------------------------------------------------------------------------- kills


@dataclass(frozen=True)
class AppendBehavior:
    """How a process appends. The last two fields make it wrong, as controls of the tests."""

    acknowledgement_delay: float = 0.0  # seconds
    keyed: bool = True
    acknowledges_early: bool = False


def record(
    url: str, clients: list[tuple[str, int]], behavior: AppendBehavior, pipe: Connection
) -> None:
    """Append for each client until killed; send a message before and after each append."""
    one_at_a_time = threading.Lock()

    def send(*what: object) -> None:
        with one_at_a_time:
            pipe.send(what)

    def run(session_id: str, number: int) -> None:
        version = store.position(session_id).version
        while True:
            send(session_id, number)
            if behavior.acknowledges_early:
                send(session_id, number, version + 1, "")
            asked = request(f"number {number}", b"") if behavior.keyed else None
            result = append(store, session_id, version, [note(number)], "keeper", asked)
            time.sleep(behavior.acknowledgement_delay)
            version = max(version, result.version)
            if not behavior.acknowledges_early:
                send(
                    session_id,
                    number,
                    result.version,
                    result.head if isinstance(result, Position) else "",
                )
            number += 1

    with open_store(url) as store:
        threads = [threading.Thread(target=run, args=client) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
