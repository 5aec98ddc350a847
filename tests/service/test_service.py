"""The use cases, one after another: a session is opened, recorded in, read, and its keys change.

Tests of ``service.recording`` and ``service.visible_names``.
"""

import json
from typing import Any

import pytest

from scorekeeper.base.errors import (
    ForbiddenError,
    IrregularError,
    KeyReusedError,
    SessionFullError,
    StaleVersionError,
    UnknownSessionError,
    UnusableError,
)
from scorekeeper.service import AppendRequest, Holder, NewEvent, Service
from scorekeeper.service.room import LogCapacity
from scorekeeper.session.session import Session
from scorekeeper.store import KeyRequest, MemoryStore, Position, Stream
from tests.evenings import Raw, a_log, by_hand, event, sealed

FRIDAY = {
    "title": "Friday",
    "players": [{"id": one, "name": one.title()} for one in ("mara", "leo", "nina")],
}
BEGUN = (
    event("match_started", game="riparto", seats=["mara", "leo", "nina"]),
    event("hand_started", dealer="mara"),
    event("bid_made", player="leo", points=5),
)
HOST, LEO = Holder("host"), Holder("seat", player="leo")
REVOKE = [
    event("card_played", player=player, card=card)
    for player, card in (
        ("leo", "AS"), ("nina", "7H"), ("mara", "6S"), ("leo", "KS"), ("nina", "7S"),
    )
]  # fmt: skip


def asked(version: int, *events: Raw, **more: Any) -> AppendRequest:
    new = (NewEvent(one["type"], one["data"]) for one in events)
    return AppendRequest(version, tuple(new), **more)


@pytest.fixture
def told() -> list[tuple[str, int]]:
    """Of which session it was told that it changed, and to which version."""
    return []


@pytest.fixture
def service(told: list[tuple[str, int]]) -> Service:
    return Service(
        MemoryStore(), notify=lambda session_id, end: told.append((session_id, end.version))
    )


@pytest.fixture
def table(service: Service) -> str:
    """A session in which a bid was made."""
    opened = service.open(FRIDAY)
    service.record(opened.id, asked(1, *BEGUN), HOST)
    return opened.id


def version(service: Service, table: str) -> int:
    return service.report(table).position.version


# --------------------------------------------------------------------------------------- opening


def test_a_session_opens_with_a_key_for_everybody(service: Service) -> None:
    opened = service.open(FRIDAY)
    keys = [(one.key.role, one.key.player) for one in opened.keys]
    assert sorted(keys, key=str) == [
        ("host", None), ("seat", "leo"), ("seat", "mara"), ("seat", "nina"), ("view", None),
    ]  # fmt: skip
    (line,) = service.lines(opened.id, service.store.position(opened.id))
    assert json.loads(line)["data"] == FRIDAY


def test_what_opens_no_session_is_told_by_its_field(service: Service) -> None:
    with pytest.raises(UnusableError) as caught:
        service.open({**FRIDAY, "players": 3})
    assert caught.value.field == "players"


@pytest.mark.parametrize("form", ["by hand", "sealed"])
def test_a_log_is_brought_in(service: Service, form: str) -> None:
    log = sealed(a_log()) if form == "sealed" else by_hand(a_log())
    opened = service.import_log(log, 10**6)
    lines = service.lines(opened.id, service.store.position(opened.id))
    assert [json.loads(line)["type"] for line in lines] == [one["type"] for one in a_log()]
    assert (b"".join(line + b"\n" for line in lines) == log) is (form == "sealed")


# ------------------------------------------------------------------------------------- recording


def test_events_are_recorded_all_or_none(
    service: Service, table: str, told: list[tuple[str, int]]
) -> None:
    assert (version(service, table), told) == (4, [(table, 4)])
    with pytest.raises(UnusableError) as caught:
        service.record(table, asked(4, *REVOKE[:1], event("bid_made", player="ugo")), HOST)
    assert caught.value.field.startswith("events.1")
    assert (version(service, table), len(told)) == (4, 1)


@pytest.mark.parametrize(
    ("request_", "holder", "refusal"),
    [
        (asked(3, *REVOKE[:1]), HOST, StaleVersionError),
        (asked(4), HOST, UnusableError),
        (asked(4, event("session_closed")), LEO, ForbiddenError),
        (asked(4, *REVOKE[:1]), Holder("view"), ForbiddenError),
        (asked(4, *REVOKE), LEO, IrregularError),
    ],
)
def test_what_may_not_be_recorded_is_not(
    service: Service, table: str, request_: AppendRequest, holder: Holder, refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        service.record(table, request_, holder)
    assert version(service, table) == 4


def test_what_breaks_a_rule_is_recorded_where_it_was_so(service: Service, table: str) -> None:
    done = service.record(table, asked(4, *REVOKE, as_played=True), LEO)
    found = json.loads(done.answer.body)["findings"]
    assert (done.version, [one["code"] for one in found]) == (9, ["revoke"])


def test_a_request_that_comes_again_is_answered_as_it_was(service: Service, table: str) -> None:
    once = asked(4, *REVOKE[:1], key="k", digest=b"d" * 32)
    first = service.record(table, once, LEO)
    assert service.record(table, once, LEO) == first
    with pytest.raises(KeyReusedError):
        service.record(table, asked(4, *REVOKE[:1], key="k", digest=b"e" * 32), LEO)
    with pytest.raises(KeyReusedError):
        service.record(table, once, Holder("seat", player="nina"))  # it is not his answer
    assert version(service, table) == 5


def test_what_is_seen_after_it_is_what_was_recorded(service: Service, table: str) -> None:
    done, seen = service.record_and_see(table, asked(4, *REVOKE[:1]), LEO, events_of)
    assert (done.version, seen, service.see(table, events_of)) == (5, 5, 5)


def test_who_looks_aside_keeps_nothing_and_takes_what_is_kept(
    service: Service, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, asked_for = service.store.read, []

    def noted(session_id: str, *more: int) -> Stream:
        asked_for.append(session_id)
        return read(session_id, *more)

    other = service.open(FRIDAY).id
    assert service.see(table, events_of) == 4
    monkeypatch.setattr(service.store, "read", noted)
    for _ in range(2):
        assert (
            service.read_uncached(table, events_of),
            service.read_uncached(other, events_of),
        ) == (4, 1)
    assert asked_for == [other, other]


def events_of(session: Session) -> int:
    return session.events


def test_who_may_not_record_more_is_stopped_and_a_session_has_an_end() -> None:
    admitted: list[tuple[str, int]] = []
    service = Service(
        MemoryStore(),
        admit=lambda table, holder, events: admitted.append((holder.role, events)),
        room=LogCapacity(5, 10**6),
    )
    table = service.open(FRIDAY).id
    service.record(table, asked(1, *BEGUN), HOST)
    with pytest.raises(SessionFullError):
        service.record(table, asked(4, *REVOKE[:2]), HOST)
    assert admitted == [("host", 3), ("host", 2)]


def test_a_session_has_room_for_so_many_bytes_as_its_log_takes() -> None:
    """Whatever was refused in between: of that nothing is on record."""
    store = MemoryStore()
    free = Service(store)
    table = free.open(FRIDAY).id
    for version, one in enumerate(BEGUN, 1):
        free.record(table, asked(version, one), HOST)
    size = len(store.export(table))
    for room, full in ((size, False), (size - 1, True)):
        service = Service(MemoryStore(), room=LogCapacity(100, room))
        table = service.open(FRIDAY).id
        for version, one in enumerate(BEGUN[:-1], 1):
            service.record(table, asked(version, one), HOST)
        with pytest.raises(UnusableError):
            service.record(table, asked(3, event("bid_made", player="nobody", points=5)), HOST)
        if full:
            with pytest.raises(SessionFullError):
                service.record(table, asked(3, BEGUN[-1]), HOST)
        else:
            assert service.record(table, asked(3, BEGUN[-1]), HOST).version == 4


# --------------------------------------------------------------------------------------- reading


def test_a_session_is_read(service: Service, table: str) -> None:
    report = service.report(table)
    assert json.loads(report.json)["matches"][0]["hands"][0]["status"] == "open"
    stream = service.events(table, after=2, most=1, holder=HOST)
    assert [json.loads(line)["seq"] for line in stream.lines] == [3]
    assert [json.loads(line)["seq"] for line in service.events(table, after=2).lines] == [3, 4]
    prompts = service.prompts(table, "tricks")
    assert prompts.position == report.position
    assert {"trick_taken", "hand_abandoned"} <= {one["type"] for one in prompts.prompts}


def test_cards_face_down_are_shown_to_the_host_alone(service: Service, table: str) -> None:
    kept = event("set_distributed", player="leo", set=1, kept="8C")
    service.record(table, asked(4, kept, as_played=True), HOST)
    for holder, shown in ((HOST, True), (LEO, False)):
        (line,) = service.events(table, after=4, holder=holder).lines
        assert (b"8C" in line) is shown


@pytest.mark.parametrize(
    "ask",
    [
        lambda service: service.report("nobody"),
        lambda service: service.events("nobody"),
        lambda service: service.prompts("nobody"),
        lambda service: service.lines("nobody", Position(1, "0" * 64)),
        lambda service: service.record("nobody", asked(1, *BEGUN), HOST),
    ],
)
def test_a_session_that_is_not_there(service: Service, ask: Any) -> None:
    with pytest.raises(UnknownSessionError):
        ask(service)


# ------------------------------------------------------------------------------------------ keys


def test_a_key_is_made_and_replaced_and_revoked(service: Service, table: str) -> None:
    before = {one.id for one in service.store.keys(table) if not one.revoked}
    made = service.add_key(table, KeyRequest("seat", "leo")).key
    instead = service.add_key(table, KeyRequest("seat", "leo"), replaces=made.id).key
    service.revoke_key(table, instead.id)
    there = {one.id: bool(one.revoked) for one in service.store.keys(table)}
    assert there[made.id]
    assert there[instead.id]
    assert not any(there[one] for one in before)


# ------------------------------------------------------------------------------ names to be seen

UNSEEN = "\u200b\u2060"
JOINED = event("player_joined", id="eve", name=UNSEEN)


@pytest.mark.parametrize(
    ("new", "field"),
    [
        (JOINED, "data.name"),
        (event("event_replaced", seq=5, type="player_joined", data=JOINED["data"], reason="x"),
         "data.data.name"),
        (event("event_inserted", after=1, type="player_joined", data=JOINED["data"], reason="x"),
         "data.data.name"),
    ],
)  # fmt: skip
def test_no_name_that_nobody_sees_comes_on_record(
    service: Service, table: str, new: Raw, field: str
) -> None:
    service.record(table, asked(4, event("player_joined", id="ugo", name="Ugo")), HOST)
    with pytest.raises(UnusableError, match="can be seen") as refused:
        service.record(table, asked(5, new), HOST)
    assert refused.value.field == f"events.0.{field}"
    assert service.see(table, lambda session: session.events) == 5


def test_an_older_log_with_such_a_name_is_opened(service: Service) -> None:
    unseen = {"title": UNSEEN, "players": [{"id": "eve", "name": UNSEEN}]}
    opened = service.import_log(sealed([event("session_opened", **unseen)]), 10_000)
    assert service.see(opened.id, lambda session: session.structure.players) == {"eve": UNSEEN}
