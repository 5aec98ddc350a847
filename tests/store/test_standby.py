"""A primary and its standby: who is found, who is waited for, and who is not.

Tests of ``store.postgres``.
"""

import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner
from psycopg import OperationalError

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.cli import main
from scorekeeper.store import Repeated, open_store
from scorekeeper.store.postgres import MOST_CONNECTIONS
from tests.operation.serving import until
from tests.store.asking import append, note, opened, request
from tests.store.clusters import Pair

SOON: Final = 5.0  # seconds until something happened
AT_ONCE: Final = 1.0  # seconds until who looks is answered
MANY: Final = MOST_CONNECTIONS + 2  # who record at once
WHO_WAIT: Final = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
COMMITTING: Final = f"SELECT count(*) {WHO_WAIT}"


def test_the_command_line_finds_the_primary(pair: Pair, tmp_path: Path) -> None:
    environment = {"SCOREKEEPER_DATABASE_URL": pair.url}
    for command in ("migrate --app-role somebody", "sessions", f"backup {tmp_path / 'x.zip'}",
                    f"restore {tmp_path / 'x.zip'}", "verify --all"):  # fmt: skip
        done = CliRunner().invoke(main, command.split(), env=environment)
        assert done.exit_code == 0, done.output


def test_who_listens_hears_of_changes_after_the_primary_died(pair: Pair) -> None:
    with pair.followed(), open_store(pair.url, seconds=1) as store:
        session_id = opened(store).id
        with closing(store.watch()) as watch:
            pair.primary.signal(signal.SIGKILL)
            pair.promote()
            with pytest.raises(OperationalError):
                watch.wait(1, list)
        with closing(store.watch()) as watch:
            told = append(store, session_id, 1, [note()], "keeper")
            assert watch.wait(SOON, list) == {session_id: told}


def test_who_looks_is_answered_while_the_primary_waits_for_its_standby(pair: Pair) -> None:
    with pair.followed(), open_store(pair.primary.url, seconds=2) as store:
        new = [opened(store) for _ in range(MANY)]
        ids = [one.id for one in new]
        pair.standby.stop()
        store.touch_key(new[0].keys[0].key)  # which reads do, and does not wait either
        assert any(key.last_used for key in store.keys(ids[0]))
        with ThreadPoolExecutor(MANY) as pool:
            waiting = [
                pool.submit(append, store, session_id, 1, [note()], "keeper", request("key"))
                for session_id in ids
            ]
            until(lambda: pair.primary.sql(COMMITTING)[0][0] > MOST_CONNECTIONS // 2, SOON)
            while not all(one.done() for one in waiting):
                began = time.monotonic()
                assert store.position(ids[0]).version in (1, 2)
                assert time.monotonic() - began < AT_ONCE
        for one in waiting:
            assert isinstance(one.exception(), StorageUnavailableError)
        pair.standby.start()
        for session_id in ids:
            append(store, session_id, 1, [note()], "keeper", request("key"))
            assert store.position(session_id).version == 2


def test_a_commit_that_was_not_waited_for_is_unknown(pair: Pair) -> None:
    with pair.followed(), open_store(pair.primary.url) as store, ThreadPoolExecutor(1) as pool:
        session_id = opened(store).id
        pair.standby.stop()
        told = pool.submit(append, store, session_id, 1, [note()], "keeper", request("key"))
        until(lambda: pair.primary.sql(COMMITTING)[0][0], SOON)
        pair.primary.sql(f"SELECT pg_cancel_backend(pid) {WHO_WAIT}")
        refused = told.exception()
        assert isinstance(refused, StorageUnavailableError)
        assert refused.unknown
        pair.standby.start()
        assert isinstance(
            append(store, session_id, 1, [note()], "keeper", request("key")), Repeated
        )
