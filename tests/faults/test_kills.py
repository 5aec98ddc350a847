"""Servers killed with SIGKILL while phones record: what they were told is there, once."""

import random
import time
from collections.abc import Sequence
from typing import Final

import pytest
from click.testing import CliRunner

from scorekeeper.cli import main
from tests.conftest import SOAK, Figure
from tests.faults.phones import Writer, writing
from tests.faults.running import Again, Two, events_of

pytestmark = [pytest.mark.soak] if SOAK else []  # where it tries many more

KILLS: Final = ["worker", "master"] * 25 if SOAK else ["worker", "master"]
KILLS_OF_TWO: Final = ["worker"] * (25 if SOAK else 1)
SHORTEST, LONGEST = 0.010, 0.150  # seconds until the kill
SOON: Final = 3.0  # seconds until who was killed serves again, on a machine that is free


def kill_again_and_again(
    running: Again, kills: Sequence[str], figure: Figure = lambda _: None
) -> list[str]:
    """Kill, until something is found; what was found."""
    chance, took = random.Random(1), []  # noqa: S311
    sessions = [running.server.open_session() for _ in range(2)]
    writers = [Writer(running.port, sessions[n // 2], f"phone {n}") for n in range(3)]
    with writing(writers) as go:
        for kill in kills:
            wait_for_more(writers)
            time.sleep(chance.uniform(SHORTEST, LONGEST))
            go.clear()
            began = time.monotonic()
            if kill == "worker":
                running.kill_worker()
            else:
                running.kill()
                running.start()
            running.back(sessions[0])
            took.append(time.monotonic() - began)
            found = complaints(running, sessions, writers)
            if found:
                return found
            go.set()
    assert sum(writer.refused != [] for writer in writers) == 0
    assert min(took) < SOON
    told = sum(len(writer.told) for writer in writers)
    figure(f"{len(kills)} kills, {told} acknowledged, served again in {max(took):.2f} s at most")
    return complaints(running, sessions, writers)


def wait_for_more(writers: list[Writer], seconds: float = 20) -> float:
    """Wait until each of them was answered once more; the seconds that it took."""
    began = time.monotonic()
    before = [len(writer.told) for writer in writers]
    while any(len(writer.told) == n for writer, n in zip(writers, before, strict=True)):
        assert time.monotonic() < began + seconds, f"nothing is recorded for {seconds} seconds"
        time.sleep(0.002)
    return time.monotonic() - began


def complaints(running: Again, sessions: list[object], writers: list[Writer]) -> list[str]:
    """What is wrong with any session."""
    events = [events_of(running.server, session) for session in sessions]
    return [
        complaint
        for n, writer in enumerate(writers)
        for complaint in writer.complaints(events[n // 2])
    ]


def test_nothing_acknowledged_is_lost_or_doubled(on_sqlite: Two, figure: Figure) -> None:
    assert kill_again_and_again(on_sqlite.sound, KILLS, figure) == []
    check_all(on_sqlite)


def test_a_process_that_is_killed_keeps_no_other_waiting(on_sqlite_of_two: Two) -> None:
    """Not with its turn to write either."""
    assert kill_again_and_again(on_sqlite_of_two.sound, KILLS_OF_TWO) == []
    check_all(on_sqlite_of_two)


def check_all(servers: Two) -> None:
    """Every chain in the database is whole."""
    environment = {"SCOREKEEPER_DATABASE_URL": servers.url}
    verified = CliRunner().invoke(main, ["verify", "--all"], env=environment)
    assert verified.exit_code == 0, verified.output


@pytest.mark.soak
def test_a_service_that_acknowledges_before_the_commit_is_found_out(on_sqlite: Two) -> None:
    with on_sqlite.altered.broken("acknowledges early"):
        found = kill_again_and_again(on_sqlite.altered, ["worker"] * 5)
    assert "was acknowledged, and is lost" in found[0]
