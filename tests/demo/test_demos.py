"""The demos of a service: opened, bounded, shared by processes, and gone by themselves.

Tests of ``demo.club``, ``demo.files`` and ``demo.players``.
"""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.base.errors import (
    BusyError,
    RateLimitError,
    StaleVersionError,
    UnknownSessionError,
)
from scorekeeper.clubs.standings import view_season
from scorekeeper.config import read_settings
from scorekeeper.demo import players
from scorekeeper.demo.club import EVENINGS, MEMBERS, list_fridays
from scorekeeper.demo.demos import Demos
from scorekeeper.demo.files import demo_folder, prepare_demo_store, remove_demo_store
from scorekeeper.events.playing import TrickTaken
from scorekeeper.service import AppendRequest, Holder, NewEvent
from scorekeeper.store import Attempt
from scorekeeper.store.limits import time_after
from tests.api.asking import created
from tests.operation.serving import until

AT_ONCE = 6


@pytest.fixture
def demos() -> Iterator[Demos]:
    found = demos_of()
    yield found
    found.stop()


def demos_of(**settings: Any) -> Demos:
    """Return the demos of a new application."""
    found: Demos = created(**settings).extensions["demos"]
    return found


def take_trick(demos: Demos, session_id: str) -> None:
    """Record at a table that the visitor takes a trick."""
    version = demos.store.position(session_id).version
    new = NewEvent(TrickTaken.TYPE, {"player": "mara"})
    demos.services.service.record(
        session_id, AppendRequest(version, (new,)), Holder("seat", "mara")
    )


def grow_old(demos: Demos) -> None:
    """Let a day pass for all demos."""
    tomorrow = time_after(demos.store.clock(), 24 * 3600)
    demos.store.clock = lambda: tomorrow


def test_same_form_six_times_at_once_opens_one_table(demos: Demos) -> None:
    attempt = Attempt("a form with a key of its own", b"digest")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        keys = set(pool.map(lambda _: demos.open_table(attempt), range(AT_ONCE)))
    assert {(key.role, key.player) for key in keys} == {("seat", "mara")}
    assert [listed.id for listed in demos.store.sessions()] == [key.stream_id for key in keys]


def test_club_is_opened_once_with_a_season_and_can_only_be_looked_at(demos: Demos) -> None:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        [key] = set(pool.map(lambda _: demos.open_club(), range(AT_ONCE)))
    assert key.role == "view"
    assert [listed.id for listed in demos.store.clubs()] == [key.stream_id]
    table = demos.services.clubs.see(
        key.stream_id, lambda snapshot: view_season(snapshot, snapshot.list_seasons()[-1])
    )
    assert sorted(row.name for row in table.rows) == sorted(MEMBERS.values())
    assert len(demos.store.sessions()) == EVENINGS


@pytest.mark.parametrize("day", range(20, 28))
def test_evenings_of_the_club_are_fridays_before_today(day: int) -> None:
    days = list_fridays(date(2026, 11, day))
    assert days[-1] == date(2026, 11, 13 if day == 20 else 20)
    assert {each.weekday() for each in days} == {4}
    assert len(days) == EVENINGS


def test_no_more_demos_exist_than_are_allowed_until_the_old_ones_vanish() -> None:
    demos = demos_of(demo_tables=2)
    tables = [demos.open_table() for _ in range(2)]
    demos.open_club()
    with pytest.raises(RateLimitError):
        demos.open_table()
    grow_old(demos)
    new = demos.open_table()
    assert [listed.id for listed in demos.store.sessions()] == [new.stream_id]
    assert not demos.store.clubs()
    for table in tables:
        with pytest.raises(UnknownSessionError):
            demos.store.position(table.stream_id)
    assert demos.store.list_deleted() == {}


def test_table_at_which_nobody_records_makes_room_for_another() -> None:
    demos = demos_of(demo_tables=2)
    demos.open_club()
    used, unused = (demos.open_table().stream_id for _ in range(2))
    take_trick(demos, used)
    later = time_after(demos.store.clock(), 1000)
    demos.store.clock = lambda: later
    new = demos.open_table().stream_id
    tables = {listed.id for listed in demos.store.sessions()}
    assert {used, new} < tables
    assert unused not in tables
    with pytest.raises(RateLimitError):
        demos.open_table()
    demos.stop()


def test_demos_vanish_though_nobody_comes(demos: Demos, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "UPKEEP_SECONDS", 0.01)
    demos.open_table()
    grow_old(demos)
    until(lambda: not demos.store.sessions())


def test_others_record_after_the_visitor(demos: Demos, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "PAUSE_SECONDS", 0.01)
    table = demos.open_table().stream_id
    version = demos.store.position(table).version
    take_trick(demos, table)
    until(lambda: demos.store.position(table).version > version + 1)
    line = json.loads(demos.store.read(table, version + 1).lines[0])
    assert line["type"] == "trick_taken"
    assert line["by"] == line["data"]["player"] != "mara"


def test_player_goes_on_after_errors(demos: Demos, monkeypatch: pytest.MonkeyPatch) -> None:
    errors = iter((BusyError("x"), StaleVersionError(1, 2, ""), ValueError("x")))
    tried = list[str]()

    def fail(session_id: str) -> None:
        tried.append(session_id)
        raise next(errors)

    monkeypatch.setattr(players, "RETRY_SECONDS", 0.01)
    monkeypatch.setattr(players, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(demos.players, "play", fail)
    demos.players.expect("a table")
    until(lambda: len(tried) == 3)
    demos.players.expect("another")
    until(lambda: tried[-1] == "another")


# ------------------------------------------------------------------------- several processes


def test_processes_share_the_demos_and_no_file_stays(tmp_path: Path) -> None:
    settings = read_settings(data_dir=tmp_path, workers=2)
    demo_folder(settings).mkdir()
    (demo_folder(settings) / "of a killed service").touch()
    prepare_demo_store(settings)
    one, other = (demos_of(data_dir=tmp_path, workers=2), demos_of(data_dir=tmp_path, workers=2))
    table = one.open_table().stream_id
    take_trick(other, table)
    assert one.players.play(table)
    assert other.open_club() == one.open_club()
    grow_old(one)
    one.remove_old()
    assert not other.store.sessions()
    for demos in (one, other):
        demos.stop()
        demos.store.close()
    remove_demo_store(settings)
    assert list(tmp_path.iterdir()) == []


def test_single_process_needs_no_file(tmp_path: Path) -> None:
    settings = read_settings(data_dir=tmp_path)
    prepare_demo_store(settings)
    demos = demos_of(data_dir=tmp_path)
    demos.open_table()
    demos.stop()
    assert not demo_folder(settings).exists()
