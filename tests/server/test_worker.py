"""gunicorn's worker as it is set up here."""

from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from scorekeeper.operation.server_log import logging_config
from scorekeeper.server.connection import EvictableState
from scorekeeper.server.worker import MAX_EVICTION_CANDIDATES, ServerLog, evict_one

SETTINGS = Path(__file__, "../../../gunicorn.conf.py").resolve()


@pytest.mark.parametrize(("log", "makes"), [(Logger, True), (ServerLog, False)])
def test_request_is_not_formatted_for_the_access_log(log: type[Any], makes: bool) -> None:
    config = Config()
    config.set("logconfig_dict", logging_config("info", "json"))
    logger = object.__new__(log)  # to set it up would set up that of the tests
    logger.cfg = config
    assert logger.access_log_enabled is makes


def test_server_uses_the_logging_configuration() -> None:
    config = Config()
    config.set("logger_class", run_path(str(SETTINGS))["logger_class"])
    assert config.logger_class is ServerLog


class FakeConnection:
    """A connection that notes how often it was looked at."""

    def __init__(self, evictable_state: EvictableState | None) -> None:
        self.looks, self.is_ended, self._evictable_state = 0, False, evictable_state

    @property
    def evictable_state(self) -> EvictableState | None:
        self.looks += 1
        return self._evictable_state

    def abort(self) -> None:
        self.is_ended = True


def ended_of(evictable_state: list[EvictableState | None], many: int = 1) -> list[int]:
    """End so many of these connections; the places of those that ended, and few looks at all."""
    connections: Any = [FakeConnection(state) for state in evictable_state]
    newcomer: Any = FakeConnection(EvictableState.SILENT)
    opened = dict.fromkeys([*connections, newcomer])
    for _ in range(many):
        evict_one(opened, newcomer)
    assert newcomer.looks == 0
    assert sum(connection.looks for connection in connections) <= many * MAX_EVICTION_CANDIDATES
    assert set(opened) == {
        newcomer,
        *(connection for connection in connections if not connection.is_ended),
    }
    return [place for place, connection in enumerate(connections) if connection.is_ended]


def test_least_needed_and_then_oldest_connection_ends() -> None:
    assert ended_of([EvictableState.STREAMING, None, EvictableState.IDLE, EvictableState.IDLE]) == [
        2
    ]
    assert ended_of([EvictableState.IDLE, EvictableState.SILENT, EvictableState.SILENT]) == [1]
    assert ended_of([None, None]) == []


def test_few_connections_are_compared_to_choose_the_one_that_ends() -> None:
    """A busy one is not looked at each time."""
    many = 5 * MAX_EVICTION_CANDIDATES
    assert len(ended_of([EvictableState.IDLE] * many, many=100)) == 100
    assert ended_of([*[None] * many, EvictableState.IDLE], many=7) == [many]
