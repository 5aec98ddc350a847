"""What tests let other processes do. It imports little, as each of them begins with that."""

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
    """How often a writer was the one who got a version, and what it was told if it was not."""

    won: int
    told: frozenset[int]  # how many versions later the session was


def race(
    store: Store, session_id: str, writer: int, writers: int, rounds: int, start: Any
) -> Raced:
    """Append to each version with the other writers, each of whom goes first in his turn."""
    won, told = 0, set()
    for version in range(1, rounds + 1):
        start.wait(60)
        time.sleep((writer + version) % writers * STEP)  # else who is woken first would win
        try:
            append(store, session_id, version, [note(writer)], "keeper")
            won += 1
        except StaleVersionError as stale:
            told.add(stale.version - version)
    return Raced(won, frozenset(told))


def race_alone(url: str, *values: Any) -> Raced:
    """The same in a process with a store of its own."""
    with open_store(url) as store:
        return race(store, *values)


# ------------------------------------------------------------------------------- kills


@dataclass(frozen=True)
class Manners:
    """How a process appends; the last two are controls."""

    before_telling: float = 0.0  # seconds
    keyed: bool = True
    tells_early: bool = False


def record(url: str, clients: list[tuple[str, int]], manners: Manners, pipe: Connection) -> None:
    """Append for each client, and tell before and after, until killed."""
    one_at_a_time = threading.Lock()

    def tell(*what: object) -> None:
        with one_at_a_time:
            pipe.send(what)

    def run(session_id: str, number: int) -> None:
        version = store.position(session_id).version
        while True:
            tell(session_id, number)
            if manners.tells_early:
                tell(session_id, number, version + 1, "")
            asked = request(f"number {number}", b"") if manners.keyed else None
            told = append(store, session_id, version, [note(number)], "keeper", asked)
            time.sleep(manners.before_telling)
            version = max(version, told.version)
            if not manners.tells_early:
                tell(
                    session_id,
                    number,
                    told.version,
                    told.head if isinstance(told, Position) else "",
                )
            number += 1

    with open_store(url) as store:
        threads = [threading.Thread(target=run, args=client) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
