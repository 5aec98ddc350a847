"""Servers killed with SIGKILL while phones record: acknowledged events are recorded, once."""

import random
import time
from collections.abc import Sequence
from typing import Final

import pytest
from click.testing import CliRunner

from scorekeeper.cli import main
from tests.conftest import SOAK, Figure
from tests.faults.phones import Writer, writing
from tests.faults.running import RestartableServer, ServerPair, events_of

KILLS: Final = ["worker", "master"] * 25 if SOAK else ["worker", "master"]
KILLS_OF_TWO: Final = ["worker"] * (25 if SOAK else 1)
SHORTEST, LONGEST = 0.010, 0.150  # seconds until the kill
RECOVERY_SECONDS: Final = 3.0  # until a killed server serves again, on an idle machine


def kill_again_and_again(
    running: RestartableServer, kills: Sequence[str], figure: Figure = lambda _: None
) -> list[str]:
    """Kill until there are complaints; return them."""
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
            running.wait_until_serving(sessions[0])
            took.append(time.monotonic() - began)
            problems = complaints(running, sessions, writers)
            if problems:
                return problems
            go.set()
    assert sum(writer.refused != [] for writer in writers) == 0
    assert min(took) < RECOVERY_SECONDS
    acknowledged = sum(len(writer.journal) for writer in writers)
    figure(f"{len(kills)} kills, {acknowledged} acknowledged, back in {max(took):.2f} s at most")
    return complaints(running, sessions, writers)


def wait_for_more(writers: list[Writer], seconds: float = 20) -> float:
    """Wait until each writer got another answer; return the seconds that it took."""
    began = time.monotonic()
    before = [len(writer.journal) for writer in writers]
    while any(len(writer.journal) == n for writer, n in zip(writers, before, strict=True)):
        assert time.monotonic() < began + seconds, f"nothing is recorded for {seconds} seconds"
        time.sleep(0.002)
    return time.monotonic() - began


def complaints(
    running: RestartableServer, sessions: list[object], writers: list[Writer]
) -> list[str]:
    """Return the differences between the sessions and the journals."""
    events = [events_of(running.server, session) for session in sessions]
    return [
        complaint
        for n, writer in enumerate(writers)
        for complaint in writer.complaints(events[n // 2])
    ]


def test_kills_lose_or_double_no_acknowledged_event(on_sqlite: ServerPair, figure: Figure) -> None:
    assert kill_again_and_again(on_sqlite.sound, KILLS, figure) == []
    check_all(on_sqlite)


def test_killed_process_does_not_delay_others(on_sqlite_of_two: ServerPair) -> None:
    """Not even if it held the turn to write."""
    assert kill_again_and_again(on_sqlite_of_two.sound, KILLS_OF_TWO) == []
    check_all(on_sqlite_of_two)


def check_all(servers: ServerPair) -> None:
    """Check that every chain in the database is whole."""
    environment = {"SCOREKEEPER_DATABASE_URL": servers.url}
    verified = CliRunner().invoke(main, ["verify", "--all"], env=environment)
    assert verified.exit_code == 0, verified.output


@pytest.mark.soak
def test_service_that_acknowledges_before_the_commit_is_detected(on_sqlite: ServerPair) -> None:
    with on_sqlite.altered.with_fault("acknowledges early"):
        problems = kill_again_and_again(on_sqlite.altered, ["worker"] * 5)
    assert "was acknowledged, and is lost" in problems[0]
