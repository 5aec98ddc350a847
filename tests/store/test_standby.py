"""A primary and its standby: finding the primary, and waiting for the standby.

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
from scorekeeper.store.postgres import MAX_CONNECTIONS
from tests.operation.serving import until
from tests.store.asking import append, note, opened, request
from tests.store.clusters import Pair

EVENT_SECONDS: Final = 5.0  # until an expected change happens
READ_SECONDS: Final = 1.0  # until a reader is answered
WRITERS: Final = MAX_CONNECTIONS + 2  # that append at the same time
WAITING_PROCESSES: Final = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
COMMITTING: Final = f"SELECT count(*) {WAITING_PROCESSES}"


def test_command_line_finds_the_primary(pair: Pair, tmp_path: Path) -> None:
    environment = {"SCOREKEEPER_DATABASE_URL": pair.url}
    bundle = tmp_path / "x.zip"
    for command in ("migrate --app-role somebody", "sessions", f"backup --allow-empty {bundle}",
                    f"restore {bundle}", "verify --all"):  # fmt: skip
        done = CliRunner().invoke(main, command.split(), env=environment)
        assert done.exit_code == 0, done.output


def test_listener_receives_changes_after_the_primary_died(pair: Pair) -> None:
    with pair.followed(), open_store(pair.url, seconds=1) as store:
        session_id = opened(store).id
        with closing(store.watch()) as watch:
            pair.primary.signal(signal.SIGKILL)
            pair.promote()
            with pytest.raises(OperationalError):
                watch.wait(1, list)
        with closing(store.watch()) as watch:
            result = append(store, session_id, 1, [note()], "keeper")
            assert watch.wait(EVENT_SECONDS, list) == {session_id: result}


def test_readers_are_answered_while_the_primary_waits_for_its_standby(pair: Pair) -> None:
    with pair.followed(), open_store(pair.primary.url, seconds=2) as store:
        new = [opened(store) for _ in range(WRITERS)]
        ids = [session.id for session in new]
        pair.standby.stop()
        store.touch_key(new[0].keys[0].key)  # a part of reading that does not wait, either
        assert any(key.last_used for key in store.keys(ids[0]))
        with ThreadPoolExecutor(WRITERS) as pool:
            waiting = [
                pool.submit(append, store, session_id, 1, [note()], "keeper", request("key"))
                for session_id in ids
            ]
            until(lambda: pair.primary.sql(COMMITTING)[0][0] > MAX_CONNECTIONS // 2, EVENT_SECONDS)
            while not all(future.done() for future in waiting):
                began = time.monotonic()
                assert store.position(ids[0]).version in (1, 2)
                assert time.monotonic() - began < READ_SECONDS
        for future in waiting:
            assert isinstance(future.exception(), StorageUnavailableError)
        pair.standby.start()
        for session_id in ids:
            append(store, session_id, 1, [note()], "keeper", request("key"))
            assert store.position(session_id).version == 2


def test_commit_without_confirmation_of_the_standby_is_unknown(pair: Pair) -> None:
    with pair.followed(), open_store(pair.primary.url) as store, ThreadPoolExecutor(1) as pool:
        session_id = opened(store).id
        pair.standby.stop()
        result = pool.submit(append, store, session_id, 1, [note()], "keeper", request("key"))
        until(lambda: pair.primary.sql(COMMITTING)[0][0], EVENT_SECONDS)
        pair.primary.sql(f"SELECT pg_cancel_backend(pid) {WAITING_PROCESSES}")
        refused = result.exception()
        assert isinstance(refused, StorageUnavailableError)
        assert refused.unknown
        pair.standby.start()
        assert isinstance(
            append(store, session_id, 1, [note()], "keeper", request("key")), Repeated
        )
