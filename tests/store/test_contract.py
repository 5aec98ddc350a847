"""What every store does, asked of all three."""

import json
from io import BytesIO

import pytest

from scorekeeper.errors import KeyReused, StaleVersion, UnknownSession, Unusable
from scorekeeper.log.reading import verify
from scorekeeper.log.writing import sealed_lines
from scorekeeper.store.contract import Answer, Appended, Position, Repeated, Request, Wish
from tests.store.asking import KEYS, OPENING, Clock, note, opened, request, whole
from tests.store.homes import Home

ODD = ["", "x", "\x00", "\ud800", "../../etc", "a" * 10_000, "23456789abcd", "'; --", "é" * 12]
FAR = [2**31, 2**63, 2**200]


# ------------------------------------------------------------------------------------ streams


def test_a_session_begins_with_its_first_events_and_keys(home: Home) -> None:
    store = home.set_clock(Clock())
    new = store.open_session([*OPENING, note()], "keeper", KEYS)
    assert (new.version, len(new.lines)) == (2, 2)
    assert [one.key.role for one in new.keys] == ["host", "view", "seat"]
    assert len({one.secret for one in new.keys}) == 3
    assert store.position(new.id) == (2, new.head)
    event = json.loads(new.lines[0])
    assert (event["seq"], event["at"], event["by"]) == (1, "2026-11-21T20:00:00.000Z", "keeper")


def test_what_was_appended_is_read_again_byte_for_byte(home: Home) -> None:
    with home.open() as store:
        new = opened(store)
        told = store.append(new.id, 1, [note("à la carte"), note("♠")], "mara")
        assert isinstance(told, Appended)
    with home.open() as again:
        stream = again.read(new.id)
        assert stream.lines == (*new.lines, *told.lines)
        assert (stream.version, stream.head) == (3, told.head)
        log = b"".join(line + b"\n" for line in stream.lines)
        assert again.export(new.id) == log
    assert verify(BytesIO(log), head=told.head, count=3).ok


def test_reading_begins_after_a_seq(home: Home) -> None:
    store = home.open()
    new = opened(store)
    store.append(new.id, 1, [note(1), note(2)], "keeper")
    everything = store.read(new.id)
    for after in (-5, 0, 1, 2, 3, 4, *FAR):
        stream = store.read(new.id, after)
        assert stream.lines == everything.lines[max(after, 0) :]
        assert (stream.version, stream.head) == (everything.version, everything.head)


def test_the_hash_at_a_version_stays_known(home: Home) -> None:
    store = home.open()
    new = opened(store)
    told = store.append(new.id, 1, [note()], "keeper")
    assert isinstance(told, Appended)
    assert [store.hash_at(new.id, n) for n in (0, 1, 2, 3)] == [None, new.head, told.head, None]
    assert [store.hash_at(new.id, n) for n in (-1, *FAR)] == [None] * 4


def test_sessions_are_listed_the_oldest_first(home: Home) -> None:
    clock = Clock()
    store = home.set_clock(clock)
    ids = []
    for _ in range(3):
        ids.append(opened(store).id)
        clock.go(1)
    store.append(ids[0], 1, [note()], "keeper")
    listed = [one for one in store.sessions() if one.id in ids]
    assert [one.id for one in listed] == ids
    assert [one.version for one in listed] == [2, 1, 1]
    assert all(json.loads(one.opening)["seq"] == 1 for one in listed)


@pytest.mark.parametrize("session", ODD)
def test_an_id_that_no_session_has_is_unknown(home: Home, session: str) -> None:
    store = home.open()
    with pytest.raises(UnknownSession):
        store.position(session)
    with pytest.raises(UnknownSession):
        store.read(session)
    with pytest.raises(UnknownSession):
        store.export(session)
    with pytest.raises(UnknownSession):
        store.keys(session)
    with pytest.raises(UnknownSession):
        store.append(session, 1, [note()], "keeper", request("key"))
    with pytest.raises(UnknownSession):
        store.add_key(session, Wish("view"))
    assert not store.revoke_key(session, session)


def test_a_sealed_log_is_kept_byte_for_byte(home: Home) -> None:
    store = home.open()
    lines = list(sealed_lines([*OPENING, note(1), note(2)], "2020-01-01T00:00:00.000Z"))
    new = store.import_sealed(lines, [Wish("host")])
    assert store.export(new.id) == b"".join(lines)
    assert (new.version, len(new.keys)) == (3, 1)
    store.append(new.id, 3, [note(3)], "keeper")
    assert verify(BytesIO(store.export(new.id))).events == 4


@pytest.mark.parametrize("line", [0, 1, 2])
def test_a_damaged_log_is_not_imported(home: Home, line: int) -> None:
    store = home.open()
    before = len(store.sessions())
    lines = list(sealed_lines([*OPENING, note(1), note(2)], "2020-01-01T00:00:00.000Z"))
    lines[line] = lines[line].replace(b"2020", b"2021")
    with pytest.raises(Unusable) as refused:
        store.import_sealed(lines)
    assert refused.value.line == line + 1
    for nothing in ([], [b"\n"], [b'{"type":"note_added"}\n'], [lines[0].rstrip()]):
        with pytest.raises(Unusable):
            store.import_sealed(nothing)
    assert len(store.sessions()) == before


# ------------------------------------------------------------------------------------- append


def test_only_the_present_version_can_be_appended_to(home: Home) -> None:
    store = home.open()
    new = opened(store)
    for expected in (-1, 0, 2, 3, *FAR):
        with pytest.raises(StaleVersion) as stale:
            store.append(new.id, expected, [note()], "keeper")
        assert (stale.value.version, stale.value.head) == (1, new.head)
    assert store.read(new.id).version == 1


def test_two_stores_on_one_database_see_each_other(home: Home) -> None:
    one, other = home.open(), home.open()
    new = opened(one)
    version = 1
    for turn in range(6):
        store, late = (one, other) if turn % 2 else (other, one)
        told = store.append(new.id, version, [note(turn)], "keeper")
        with pytest.raises(StaleVersion):
            late.append(new.id, version, [note("late")], "keeper")
        version = told.version
    assert list(whole(one)) == []


def test_no_event_is_nothing_to_append(home: Home) -> None:
    store = home.open()
    new = opened(store)
    with pytest.raises(Unusable, match="no event"):
        store.append(new.id, 1, [], "keeper")
    with pytest.raises(Unusable, match="no event"):
        store.open_session([], "keeper")
    assert store.position(new.id).version == 1


def test_time_is_that_of_the_clock_and_order_that_of_recording(home: Home) -> None:
    clock = Clock()
    store = home.set_clock(clock)
    new = opened(store)
    for version, jump in enumerate((-1, -3600, 86400, -10 * 365 * 86400, 0.001), start=1):
        clock.go(jump)
        store.append(new.id, version, [note(jump)], "keeper")
    events = [json.loads(line) for line in store.read(new.id).lines]
    assert [event["seq"] for event in events] == [1, 2, 3, 4, 5, 6]
    assert events[2]["at"] == "2026-11-21T18:59:59.000Z"
    assert events[4]["at"] < events[0]["at"]
    assert list(whole(store)) == []


def test_many_events_are_appended_at_once(home: Home) -> None:
    store = home.open()
    new = opened(store)
    told = store.append(new.id, 1, [note(n) for n in range(300)], "keeper", request("many"))
    assert told.version == 301
    assert store.read(new.id, 300).version == 301
    assert list(whole(store)) == []


def test_an_event_that_cannot_be_written_leaves_nothing(home: Home) -> None:
    """All or none, also where the trouble comes after some lines are made."""

    class Broken:
        pass

    store = home.open()
    new = opened(store)
    with pytest.raises(TypeError):
        store.append(
            new.id, 1, [note(), ("note_added", {"text": Broken()})], "keeper", request("k")
        )
    assert store.position(new.id) == (1, new.head)
    assert isinstance(store.append(new.id, 1, [note()], "keeper", request("k")), Appended)


def test_an_answer_that_cannot_be_made_leaves_nothing(home: Home) -> None:
    store = home.open()
    new = opened(store)
    asked = request("k")

    def no_answer(_: Appended) -> Answer:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.append(new.id, 1, [note()], "keeper", Request("k", asked.digest, no_answer))
    assert store.position(new.id) == (1, new.head)
    assert isinstance(store.append(new.id, 1, [note()], "keeper", asked), Appended)


# ------------------------------------------------------------------------------- repetitions


def test_a_repeated_request_gets_the_first_answer(home: Home) -> None:
    store = home.open()
    new = opened(store)
    first = store.append(new.id, 1, [note()], "keeper", request("key"))
    assert isinstance(first, Appended)
    assert first.answer is not None
    store.append(new.id, 2, [note("more")], "keeper")
    for expected in (1, 2, 3, 9):
        again = home.open().append(new.id, expected, [note()], "keeper", request("key"))
        assert again == Repeated(2, first.answer)
    assert store.answered(new.id, "key", request("key").digest) == Repeated(2, first.answer)
    assert store.position(new.id).version == 3


def test_a_key_is_used_with_one_body_only(home: Home) -> None:
    store = home.open()
    new = opened(store)
    store.append(new.id, 1, [note()], "keeper", request("key"))
    for expected in (1, 2):
        with pytest.raises(KeyReused):
            store.append(new.id, expected, [note()], "keeper", request("key", b"other"))
    with pytest.raises(KeyReused):
        store.answered(new.id, "key", request("key", b"other").digest)
    assert store.position(new.id).version == 2


def test_a_key_is_that_of_one_session(home: Home) -> None:
    store = home.open()
    for _ in range(2):
        told = store.append(opened(store).id, 1, [note()], "keeper", request("key", b"body"))
        assert isinstance(told, Appended)


def test_what_was_refused_may_be_asked_again_with_the_same_key(home: Home) -> None:
    store = home.open()
    new = opened(store)
    with pytest.raises(StaleVersion):
        store.append(new.id, 7, [note()], "keeper", request("key"))
    assert store.answered(new.id, "key", request("key").digest) is None
    assert isinstance(store.append(new.id, 1, [note()], "keeper", request("key")), Appended)


@pytest.mark.parametrize("key", ["", "\x00", "a\nb", "é", "x" * 201, "\ud800"])
def test_a_key_that_cannot_be_kept_is_refused(home: Home, key: str) -> None:
    store = home.open()
    new = opened(store)
    with pytest.raises(Unusable, match="Idempotency-Key"):
        store.append(new.id, 1, [note()], "keeper", request(key))
    with pytest.raises(Unusable, match="Idempotency-Key"):
        store.answered(new.id, key, b"")
    assert store.position(new.id).version == 1


def test_the_longest_key_is_kept(home: Home) -> None:
    store = home.open()
    new = opened(store)
    store.append(new.id, 1, [note()], "keeper", request("~" * 200))
    assert isinstance(store.append(new.id, 1, [note()], "k", request("~" * 200)), Repeated)


# -------------------------------------------------------------------------------------- keys


def test_a_key_opens_its_session(home: Home) -> None:
    store = home.open()
    new = opened(store)
    for one in new.keys:
        assert home.open().find_key(one.secret) == one.key
    assert set(store.keys(new.id)) == {one.key for one in new.keys}
    assert store.find_key("") is None
    assert store.find_key(new.keys[0].secret + "x") is None
    assert store.find_key("\ud800") is None


def test_secrets_are_not_stored(home: Home) -> None:
    new = opened(home.open())
    assert not any(one.secret in str(home.open().keys(new.id)) for one in new.keys)


def test_a_revoked_key_opens_nothing(home: Home) -> None:
    store = home.open()
    new = opened(store)
    host, view, _ = new.keys
    assert store.revoke_key(new.id, view.key.id)
    assert store.revoke_key(new.id, view.key.id)  # once more does nothing
    assert store.find_key(view.secret) is None
    assert store.find_key(host.secret) is not None
    assert not store.revoke_key(opened(store).id, host.key.id)
    assert store.find_key(host.secret) is not None


def test_a_key_expires(home: Home) -> None:
    clock = Clock("2026-11-21T20:00:00.000Z")
    store = home.set_clock(clock)
    new = store.add_key(opened(store).id, Wish("view", expires="2026-11-21T21:00:00.000Z"))
    clock.go(3599.999)
    assert store.find_key(new.secret) is not None
    clock.go(0.001)
    assert store.find_key(new.secret) is None


def test_keys_are_made_later_too(home: Home) -> None:
    clock = Clock()
    store = home.set_clock(clock)
    new = opened(store)
    clock.go(5)
    seat = store.add_key(new.id, Wish("seat", "mara"))
    assert store.keys(new.id)[-1] == seat.key
    assert store.find_key(seat.secret) == seat.key


@pytest.mark.parametrize("wish", [Wish("seat"), Wish("host", "mara"), Wish("owner")])  # type: ignore[arg-type]
def test_a_key_that_makes_no_sense_is_refused(home: Home, wish: Wish) -> None:
    store = home.open()
    new = opened(store)
    with pytest.raises(Unusable):
        store.add_key(new.id, wish)
    with pytest.raises(Unusable):
        store.open_session(OPENING, "keeper", [Wish("host"), wish])
    assert len(store.keys(new.id)) == 3


def test_the_use_of_a_key_is_noted_to_the_hour(home: Home) -> None:
    clock = Clock("2026-11-21T20:10:00.000Z")
    store = home.set_clock(clock)
    secret = opened(store).keys[0].secret
    for minutes, noted in ((0, "20:10"), (30, "20:10"), (30, "21:10")):
        clock.go(minutes * 60)
        key = store.find_key(secret)
        assert key is not None
        store.touch_key(key)
        key = store.find_key(secret)
        assert key is not None
        assert key.last_used == f"2026-11-21T{noted}:00.000Z"


# ------------------------------------------------------------------------------------- limits


def test_so_many_acts_are_allowed_in_a_window(home: Home) -> None:
    clock = Clock()
    store = home.set_clock(clock)
    me, other = f"{home.url} {id(clock)}", "\ud800 somebody else"
    assert [store.hit("made", me, 3, 60) for _ in range(5)] == [0, 0, 0, 60, 60]
    assert store.wait("made", me, 3, 60) == 60
    assert store.wait("failed", me, 3, 60) == 0
    assert store.wait("made", other, 3, 60) == 0
    clock.go(59.5)
    assert store.hit("made", me, 3, 60) == 1
    clock.go(0.5)
    assert [store.hit("made", me, 3, 60) for _ in range(4)] == [0, 0, 0, 60]


def test_a_clock_set_back_locks_nobody_out(home: Home) -> None:
    clock = Clock()
    store = home.set_clock(clock)
    me = f"{id(clock)} back"
    assert [store.hit("made", me, 1, 60) for _ in range(2)] == [0, 60]
    clock.go(-3600)
    assert store.wait("made", me, 1, 60) == 0
    assert [store.hit("made", me, 1, 60) for _ in range(2)] == [0, 60]


def test_counts_are_shared_and_kept(home: Home) -> None:
    clock = Clock()
    me = f"{id(clock)} shared"
    for expected in (0, 0, 60):
        with home.set_clock(clock) as store:
            assert store.hit("made", me, 2, 60) == expected


# ------------------------------------------------------------------------------------- upkeep


def test_every_stream_is_verified(home: Home) -> None:
    store = home.open()
    new = opened(store)
    told = store.append(new.id, 1, [note()], "keeper", request("key"))
    verdicts = {one.session: one.verdict for one in store.verify_all()}
    assert verdicts[new.id].ok
    assert (verdicts[new.id].events, verdicts[new.id].head) == (2, store.position(new.id).head)
    assert told.version == 2


def test_a_store_in_order_has_no_complaints(home: Home) -> None:
    store = home.open()
    assert store.complaints() == []
    assert store.durability().durable == (home.kind != "memory")


def test_what_changes_is_heard(home: Home) -> None:
    store = home.open()
    new = opened(store)
    ear = home.open().watch()
    try:
        assert new.id not in ear.wait(0.1, list)
        told = store.append(new.id, 1, [note()], "keeper")
        assert isinstance(told, Appended)
        heard: dict[str, Position] = {}
        for _ in range(20):
            heard |= ear.wait(1, lambda: [new.id])
            if new.id in heard:
                break
        assert heard[new.id] == (told.version, told.head)
    finally:
        ear.close()
