"""The behaviour that all three stores share.

Tests of ``store``, ``store.store``, ``store.memory`` and ``store.transactions``.
"""

import json
import random
import sqlite3
from io import BytesIO
from typing import Any

import psycopg
import pytest

from scorekeeper.base.errors import (
    InvalidKeyError,
    KeyReusedError,
    StaleVersionError,
    UnknownSessionError,
    UnusableError,
)
from scorekeeper.log.reading import verify
from scorekeeper.log.writing import now, sealed_lines
from scorekeeper.store import MemoryStore, sealed, statements
from scorekeeper.store import store as store_module
from scorekeeper.store.contract import AppendEffects, Attempt, KeyRequest, Position, Repeated
from scorekeeper.store.sqlite_file import SqliteWork
from scorekeeper.store.work import Work
from tests.conftest import SOAK
from tests.store.asking import KEYS, OPENING, Clock, append, note, opened, request, whole
from tests.store.homes import Home

ODD = ["", "x", "\x00", "\ud800", "../../etc", "a" * 10_000, "23456789abcd", "'; --", "é" * 12]
JUMPS = 1000 if SOAK else 100
FAR = [2**31, 2**63, 2**200]


# ------------------------------------------------------------------------------------ streams


def test_new_session_has_its_first_events_and_keys(home: Home) -> None:
    store = home.set_clock(Clock())
    new = store.open_session([*OPENING, note()], "keeper", KEYS)
    assert (new.version, len(new.lines)) == (2, 2)
    assert [key.key.role for key in new.keys] == ["host", "view", "seat"]
    assert len({key.secret for key in new.keys}) == 3
    assert store.position(new.id) == (2, new.head)
    event = json.loads(new.lines[0])
    assert (event["seq"], event["at"], event["by"]) == (1, "2026-11-21T20:00:00.000Z", "keeper")


def test_appended_events_are_read_byte_for_byte(home: Home) -> None:
    with home.open() as store:
        new = opened(store)
        after = Position(1, new.head)
        lines = sealed(after, [note("à la carte"), note("♠")], now(), "mara")
        assert store.append(new.id, after, lines) is None
    with home.open() as again:
        stream = again.read(new.id)
        assert stream.lines == (*new.lines, *(line.line for line in lines))
        assert (stream.version, stream.head) == (3, lines[-1].hash)
        log = b"".join(line + b"\n" for line in stream.lines)
        assert again.export(new.id) == log
    assert verify(BytesIO(log), head=lines[-1].hash, count=3).ok


def test_recorder_of_an_event_is_stored_in_the_transaction_of_the_event(
    home: Home,
) -> None:
    store = home.open()
    new = opened(store)
    key, after = new.keys[-1].key, Position(1, new.head)
    lines = sealed(after, [note(), note("secret")], now(), "keeper")
    assert store.append(new.id, after, lines, request("r"), key, AppendEffects({3: key.id})) is None
    assert store.recorders(new.id) == {3: key.id}
    again = store.append(new.id, after, lines, request("r"), key, AppendEffects({3: key.id}))
    assert isinstance(again, Repeated)
    with pytest.raises(StaleVersionError):
        store.append(new.id, after, lines, request("other"), key, AppendEffects({2: key.id}))
    store.revoke_key(new.id, key.id)
    end = store.position(new.id)
    with pytest.raises(InvalidKeyError):
        store.append(
            new.id,
            end,
            sealed(end, [note()], now(), "keeper"),
            None,
            key,
            AppendEffects({4: key.id}),
        )
    assert store.recorders(new.id) == {3: key.id}
    assert store.export(new.id).count(key.id.encode()) == 0


def test_append_opens_sessions_in_its_transaction_or_none(home: Home) -> None:
    store = home.open()
    new = opened(store)
    after = Position(1, new.head)
    lines = sealed(after, [note()], now(), "keeper")
    rounds = [store.prepare_session([*OPENING, note()], "keeper", KEYS) for _ in range(50)]
    effects = AppendEffects(opens=rounds)
    stale = sealed(Position(2, new.head), [note()], now(), "keeper")
    with pytest.raises(StaleVersionError):
        store.append(new.id, Position(2, new.head), stale, effects=effects)
    for planned in rounds:
        with pytest.raises(UnknownSessionError):
            store.position(planned.id)
    assert store.append(new.id, after, lines, request("round"), effects=effects) is None
    for planned in rounds:
        session = planned.opened
        assert store.position(session.id) == (session.version, session.head)
        assert store.read(session.id).lines == session.lines
        assert set(store.keys(session.id)) == {made.key for made in session.keys}
        assert store.find_key(session.keys[0].secret) == session.keys[0].key


def test_repeated_append_opens_its_sessions_once(home: Home) -> None:
    store = home.open()
    new = opened(store)
    asked, attempt = request("round"), Attempt("round", bytes(32))
    planned = [store.prepare_session(OPENING, "keeper", KEYS, attempt) for _ in range(3)]
    tries = []
    for each in planned:
        after = store.position(new.id)
        lines = sealed(after, [note()], now(), "keeper")
        effects = AppendEffects(opens=[each])
        tries.append(store.append(new.id, after, lines, asked, effects=effects))
    assert tries[0] is None
    assert tries[1] == tries[2] == Repeated(2, asked.answer)
    assert store.position(new.id).version == 2
    assert [store.position(each.id).version for each in planned] == [1] * 3


def test_reading_begins_after_a_seq(home: Home) -> None:
    store = home.open()
    new = opened(store)
    append(store, new.id, 1, [note(1), note(2)], "keeper")
    everything = store.read(new.id)
    for after in (-5, 0, 1, 2, 3, 4, *FAR):
        stream = store.read(new.id, after)
        assert stream.lines == everything.lines[max(after, 0) :]
        assert (stream.version, stream.head) == (everything.version, everything.head)


@pytest.mark.parametrize("lines_per_read", [1, 2, 3])
def test_long_session_is_read_in_parts(
    home: Home, monkeypatch: pytest.MonkeyPatch, lines_per_read: int
) -> None:
    store = home.open()
    new = opened(store)
    append(store, new.id, 1, [note(n) for n in range(4)], "keeper")
    everything = store.read(new.id)
    monkeypatch.setattr(store_module, "LINES_PER_READ", lines_per_read)
    for after in range(7):
        for most in (None, *range(1, 7)):
            stream = store.read(new.id, after, most)
            assert stream.lines == everything.lines[after : most and after + most]
            assert (stream.version, stream.head) == (everything.version, everything.head)
    assert store.export(new.id) == b"".join(line + b"\n" for line in everything.lines)
    with pytest.raises(UnknownSessionError):
        store.read("23456789abcd")


def test_others_commit_between_two_parts_of_a_long_session(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = home.open()
    new, other = opened(store), opened(store)
    append(store, new.id, 1, [note(n) for n in range(3)], "keeper")
    monkeypatch.setattr(store_module, "LINES_PER_READ", 2)
    reading, versions = store._reading, [1]

    def append_and_read() -> Any:
        """Record a note at the other session before each part."""
        with monkeypatch.context() as patch:
            patch.setattr(store, "_reading", reading)
            append(store, other.id, versions[-1], [note()], "keeper")
        versions.append(versions[-1] + 1)
        return reading()

    with monkeypatch.context() as patch:
        patch.setattr(store, "_reading", append_and_read)
        assert len(store.read(new.id).lines) == 4
    assert store.read(other.id).version == versions[-1] > 2


def test_session_whose_history_changes_between_two_parts_is_read_anew(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backup may be restored meanwhile."""
    store = home.open()
    new, other = opened(store), opened(store)
    for session in (new, other):
        append(store, session.id, 1, [note(session.id)] * 3, "keeper")
    everything = store.read(other.id)
    monkeypatch.setattr(store_module, "LINES_PER_READ", 2)
    asked = 0

    def read_rows(work: Work, stream_id: str, after: int, upto: int) -> list[Any]:
        """Return the first part from another session."""
        nonlocal asked
        asked += 1
        session = new.id if asked == 1 else stream_id
        return work.rows(statements.LINES_FROM, session=session, after=after, upto=upto)

    for kind in (Work, SqliteWork):
        monkeypatch.setattr(kind, "lines_from", read_rows)
    assert store.read(other.id) == everything
    assert asked > 3


def test_hash_of_an_earlier_version_is_found(home: Home) -> None:
    store = home.open()
    new = opened(store)
    result = append(store, new.id, 1, [note()], "keeper")
    assert isinstance(result, Position)
    assert [store.hash_at(new.id, n) for n in (0, 1, 2, 3)] == [None, new.head, result.head, None]
    assert [store.hash_at(new.id, n) for n in (-1, *FAR)] == [None] * 4


def test_sessions_are_listed_oldest_first(home: Home) -> None:
    clock = Clock()
    store = home.set_clock(clock)
    ids = []
    for _ in range(3):
        ids.append(opened(store).id)
        clock.go(1)
    append(store, ids[0], 1, [note()], "keeper")
    listed = [session for session in store.sessions() if session.id in ids]
    assert [session.id for session in listed] == ids
    assert [session.version for session in listed] == [2, 1, 1]
    assert all(json.loads(session.opening)["seq"] == 1 for session in listed)


@pytest.mark.parametrize("session_id", ODD)
def test_unknown_session_id_is_refused(home: Home, session_id: str) -> None:
    store = home.open()
    with pytest.raises(UnknownSessionError):
        store.position(session_id)
    with pytest.raises(UnknownSessionError):
        store.read(session_id)
    with pytest.raises(UnknownSessionError):
        store.export(session_id)
    with pytest.raises(UnknownSessionError):
        store.keys(session_id)
    after = Position(1, "0" * 64)
    with pytest.raises(UnknownSessionError):
        store.append(session_id, after, sealed(after, [note()], now(), "keeper"), request("key"))
    with pytest.raises(UnknownSessionError):
        store.add_key(session_id, KeyRequest("view"))
    assert not store.revoke_key(session_id, session_id)


def test_imported_log_is_stored_byte_for_byte(home: Home) -> None:
    store = home.open()
    lines = list(sealed_lines([*OPENING, note(1), note(2)], "2020-01-01T00:00:00.000Z"))
    new = store.import_sealed(lines, [KeyRequest("host")])
    assert store.export(new.id) == b"".join(lines)
    assert (new.version, len(new.keys)) == (3, 1)
    append(store, new.id, 3, [note(3)], "keeper")
    assert verify(BytesIO(store.export(new.id))).events == 4


@pytest.mark.parametrize(("after", "most"), [(0, 2), (1, 1), (1, 2), (2, 9), (3, 1), (0, 3)])
def test_partial_read_reports_the_end_of_the_whole_stream(
    home: Home, after: int, most: int
) -> None:
    store = home.open()
    lines = list(sealed_lines([*OPENING, note(1), note(2)], "2020-01-01T00:00:00.000Z"))
    new = store.import_sealed(lines, [KeyRequest("host")])
    part = store.read(new.id, after, most)
    assert (part.version, part.head) == store.position(new.id)
    assert part.lines == tuple(line.rstrip() for line in lines[after : after + most])


@pytest.mark.parametrize("line", [0, 1, 2])
def test_damaged_log_is_not_imported(home: Home, line: int) -> None:
    store = home.open()
    before = len(store.sessions())
    lines = list(sealed_lines([*OPENING, note(1), note(2)], "2020-01-01T00:00:00.000Z"))
    lines[line] = lines[line].replace(b"2020", b"2021")
    with pytest.raises(UnusableError) as refused:
        store.import_sealed(lines)
    assert refused.value.line == line + 1
    for nothing in ([], [b"\n"], [b'{"type":"note_added"}\n'], [lines[0].rstrip()]):
        with pytest.raises(UnusableError):
            store.import_sealed(nothing)
    assert len(store.sessions()) == before


# ------------------------------------------------------------------------------------- append


def test_append_requires_the_current_version(home: Home) -> None:
    store = home.open()
    new = opened(store)
    for expected in (-1, 0, 2, 3, *FAR):
        with pytest.raises(StaleVersionError) as stale:
            append(store, new.id, expected, [note()], "keeper")
        assert (stale.value.version, stale.value.head) == (1, new.head)
    assert store.read(new.id).version == 1


def test_two_stores_on_one_database_see_each_others_events(home: Home) -> None:
    one, other = home.open(), home.open()
    new = opened(one)
    version = 1
    for turn in range(6):
        store, late = (one, other) if turn % 2 else (other, one)
        result = append(store, new.id, version, [note(turn)], "keeper")
        with pytest.raises(StaleVersionError):
            append(late, new.id, version, [note("late")], "keeper")
        version = result.version
    assert list(whole(one)) == []


def test_append_requires_the_current_head(home: Home) -> None:
    """The version alone is not enough: another database may have been restored in the meantime."""
    store = home.open()
    new = opened(store)
    for head in ("", "0" * 64, "f" * 64):
        after = Position(1, head)
        with pytest.raises(StaleVersionError) as stale:
            store.append(new.id, after, sealed(after, [note()], now(), "keeper"))
        assert (stale.value.version, stale.value.head) == (1, new.head)
    assert store.read(new.id).version == 1


def test_append_of_no_events_is_refused(home: Home) -> None:
    store = home.open()
    new = opened(store)
    with pytest.raises(UnusableError, match="no event"):
        sealed(Position(1, new.head), [], now(), "keeper")
    with pytest.raises(ValueError, match="no line"):
        store.append(new.id, Position(1, new.head), [], request("key"))
    with pytest.raises(UnusableError, match="no event"):
        store.open_session([], "keeper")
    assert store.position(new.id).version == 1
    assert store.answered(new.id, "key", request("key").digest) is None


def test_lines_sealed_for_another_place_are_refused(home: Home) -> None:
    store = home.open()
    new = opened(store)
    after = Position(1, new.head)
    first, second = sealed(after, [note(1), note(2)], now(), "keeper")
    forged = first._replace(line=first.line.replace(b"keeper", b"nobody"))
    early = sealed(Position(0, new.head), [note()], now(), "keeper")
    elsewhere = sealed(Position(1, "0" * 64), [note()], now(), "keeper")
    for lines in ([second], [second, first], [first, first], [forged], early, elsewhere):
        with pytest.raises(ValueError, match="was not sealed to be event"):
            store.append(new.id, after, lines, request("key"))
    assert store.position(new.id) == after
    assert store.append(new.id, after, [first, second], request("key")) is None
    assert list(whole(store)) == []


def test_one_append_may_have_lines_of_several_authors_and_times(home: Home) -> None:
    store = home.open()
    new = opened(store)
    lines = sealed(Position(1, new.head), [note()], "2026-11-21T20:00:00.000Z", "mara")
    after = Position(lines[-1].seq, lines[-1].hash)
    lines += sealed(after, [note()], "2026-11-21T20:00:01.000Z", "leo")
    assert store.append(new.id, Position(1, new.head), lines) is None
    assert list(whole(store)) == []


def test_events_keep_their_order_when_the_clock_jumps(home: Home) -> None:
    clock = Clock()
    store = home.set_clock(clock)
    new = opened(store)
    chance = random.Random(9)  # noqa: S311
    for version in range(1, JUMPS + 1):
        clock.go(chance.choice([-1, 1]) * chance.choice([0.001, 1, 3600, 86_400, 3e8]))
        append(store, new.id, version, [note(version)], "keeper", request(f"{version}"))
    events = [json.loads(line) for line in store.read(new.id).lines]
    assert [event["seq"] for event in events] == list(range(1, JUMPS + 2))
    assert [event["data"]["text"] for event in events[1:]] == [f"{n + 1}" for n in range(JUMPS)]
    times = [event["at"] for event in events]
    assert times[-1] == clock()
    assert times != sorted(times)  # ordered by time they would be in another order
    assert list(whole(store)) == []


def test_many_events_are_appended_in_one_request(home: Home) -> None:
    store = home.open()
    new = opened(store)
    result = append(store, new.id, 1, [note(n) for n in range(300)], "keeper", request("many"))
    assert result.version == 301
    assert store.read(new.id, 300).version == 301
    assert list(whole(store)) == []


def test_failed_line_undoes_the_whole_append(home: Home) -> None:
    """Also if other lines were written before the one that fails."""
    store = home.open()
    new = opened(store)
    after = Position(1, new.head)
    lines = sealed(after, [note(1), note(2)], now(), "keeper")
    lines[1] = lines[1]._replace(type="x" * 65)
    if home.kind != "memory":
        with pytest.raises((sqlite3.IntegrityError, psycopg.DataError)):
            store.append(new.id, after, lines, request("k"))
    assert store.position(new.id) == after
    assert isinstance(append(store, new.id, 1, [note()], "keeper", request("k")), Position)


# ------------------------------------------------------------------------------- repetitions


def test_repeated_request_gets_the_first_answer(home: Home) -> None:
    store = home.open()
    new = opened(store)
    first = request("key")
    assert isinstance(append(store, new.id, 1, [note()], "keeper", first), Position)
    append(store, new.id, 2, [note("more")], "keeper")
    for expected in (1, 2, 3, 9):
        again = append(home.open(), new.id, expected, [note()], "keeper", request("key"))
        assert again == Repeated(2, first.answer)
    assert store.answered(new.id, "key", request("key").digest) == Repeated(2, first.answer)
    assert store.position(new.id).version == 3


def test_idempotency_key_with_another_body_is_refused(home: Home) -> None:
    store = home.open()
    new = opened(store)
    append(store, new.id, 1, [note()], "keeper", request("key"))
    for expected in (1, 2):
        with pytest.raises(KeyReusedError):
            append(store, new.id, expected, [note()], "keeper", request("key", b"other"))
    with pytest.raises(KeyReusedError):
        store.answered(new.id, "key", request("key", b"other").digest)
    assert store.position(new.id).version == 2


def test_idempotency_keys_of_sessions_are_independent(home: Home) -> None:
    store = home.open()
    for _ in range(2):
        result = append(store, opened(store).id, 1, [note()], "keeper", request("key", b"body"))
        assert isinstance(result, Position)


def test_refused_request_may_be_sent_again_with_its_idempotency_key(home: Home) -> None:
    store = home.open()
    new = opened(store)
    with pytest.raises(StaleVersionError):
        append(store, new.id, 7, [note()], "keeper", request("key"))
    assert store.answered(new.id, "key", request("key").digest) is None
    assert isinstance(append(store, new.id, 1, [note()], "keeper", request("key")), Position)


@pytest.mark.parametrize("key", ["", "\x00", "a\nb", "é", "x" * 201, "\ud800"])
def test_invalid_idempotency_key_is_refused(home: Home, key: str) -> None:
    store = home.open()
    new = opened(store)
    with pytest.raises(UnusableError, match="Idempotency-Key"):
        append(store, new.id, 1, [note()], "keeper", request(key))
    with pytest.raises(UnusableError, match="Idempotency-Key"):
        store.answered(new.id, key, b"")
    assert store.position(new.id).version == 1


def test_longest_idempotency_key_is_accepted(home: Home) -> None:
    store = home.open()
    new = opened(store)
    append(store, new.id, 1, [note()], "keeper", request("~" * 200))
    assert isinstance(append(store, new.id, 1, [note()], "k", request("~" * 200)), Repeated)


# ------------------------------------------------------------------------------------- upkeep


def test_every_stream_is_verified(home: Home) -> None:
    store = home.open()
    new = opened(store)
    result = append(store, new.id, 1, [note()], "keeper", request("key"))
    verdicts = {checked.session_id: checked.verdict for checked in store.verify_all()}
    assert verdicts[new.id].ok
    assert (verdicts[new.id].events, verdicts[new.id].head) == (2, store.position(new.id).head)
    assert result.version == 2


def test_intact_store_has_no_problems(home: Home) -> None:
    store = home.open()
    assert store.complaints() == []
    assert store.durability().durable == (home.kind != "memory")


def test_watch_reports_changed_sessions(home: Home) -> None:
    store = home.open()
    new = opened(store)
    ear = home.open().watch()
    try:
        assert new.id not in ear.wait(0.1, list)
        result = append(store, new.id, 1, [note()], "keeper")
        assert isinstance(result, Position)
        changes: dict[str, Position] = {}
        for _ in range(20):
            changes |= ear.wait(1, lambda: [new.id])
            if new.id in changes:
                break
        assert changes[new.id] == (result.version, result.head)
    finally:
        ear.close()


def test_watch_in_memory_reports_nothing_without_changes() -> None:
    store = MemoryStore()
    new = opened(store)
    ear = store.watch()
    assert ear.wait(0.01, lambda: [new.id]) == {}
    append(store, new.id, 1, [note()], "keeper")
    assert ear.wait(5, lambda: [new.id]).keys() == {new.id}
    assert ear.wait(0.01, lambda: [new.id]) == {}
