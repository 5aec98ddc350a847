"""Use cases of the service: open, import, record, read, and change keys.

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
from scorekeeper.session.session import Session
from scorekeeper.store import KeyRequest, MemoryStore, Position, Stream
from scorekeeper.streams.room import LogCapacity
from tests.evenings import Raw, a_log, by_hand, event, sealed

FRIDAY = {
    "title": "Friday",
    "players": [{"id": player, "name": player.title()} for player in ("mara", "leo", "nina")],
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


def append_of(version: int, *events: Raw, **more: Any) -> AppendRequest:
    new = (NewEvent(raw["type"], raw["data"]) for raw in events)
    return AppendRequest(version, tuple(new), **more)


@pytest.fixture
def notified() -> list[tuple[str, int]]:
    """Return the session and version of each notification."""
    return []


@pytest.fixture
def service(notified: list[tuple[str, int]]) -> Service:
    return Service(
        MemoryStore(), notify=lambda session_id, end: notified.append((session_id, end.version))
    )


@pytest.fixture
def table(service: Service) -> str:
    """Return the id of a session in which a bid was made."""
    opened = service.open(FRIDAY)
    service.record(opened.id, append_of(1, *BEGUN), HOST)
    return opened.id


def version(service: Service, table: str) -> int:
    return service.report(table).position.version


# --------------------------------------------------------------------------------------- opening


def test_session_opens_with_keys_for_host_players_and_viewers(service: Service) -> None:
    opened = service.open(FRIDAY)
    keys = [(opened_key.key.role, opened_key.key.player) for opened_key in opened.keys]
    assert sorted(keys, key=str) == [
        ("host", None), ("seat", "leo"), ("seat", "mara"), ("seat", "nina"), ("view", None),
    ]  # fmt: skip
    (line,) = service.lines(opened.id, service.store.position(opened.id))
    assert json.loads(line)["data"] == FRIDAY


def test_refused_opening_names_the_field(service: Service) -> None:
    with pytest.raises(UnusableError) as caught:
        service.open({**FRIDAY, "players": 3})
    assert caught.value.field == "players"


@pytest.mark.parametrize("form", ["by hand", "sealed"])
def test_log_is_imported(service: Service, form: str) -> None:
    log = sealed(a_log()) if form == "sealed" else by_hand(a_log())
    opened = service.import_log(log, 10**6)
    lines = service.lines(opened.id, service.store.position(opened.id))
    assert [json.loads(line)["type"] for line in lines] == [raw["type"] for raw in a_log()]
    assert (b"".join(line + b"\n" for line in lines) == log) is (form == "sealed")


# ------------------------------------------------------------------------------------- recording


def test_events_are_recorded_all_or_none(
    service: Service, table: str, notified: list[tuple[str, int]]
) -> None:
    assert (version(service, table), notified) == (4, [(table, 4)])
    with pytest.raises(UnusableError) as caught:
        service.record(table, append_of(4, *REVOKE[:1], event("bid_made", player="ugo")), HOST)
    assert caught.value.field.startswith("events.1")
    assert (version(service, table), len(notified)) == (4, 1)


@pytest.mark.parametrize(
    ("request_", "holder", "refusal"),
    [
        (append_of(3, *REVOKE[:1]), HOST, StaleVersionError),
        (append_of(4), HOST, UnusableError),
        (append_of(4, event("session_closed")), LEO, ForbiddenError),
        (append_of(4, *REVOKE[:1]), Holder("view"), ForbiddenError),
        (append_of(4, *REVOKE), LEO, IrregularError),
    ],
)
def test_refused_events_are_not_recorded(
    service: Service, table: str, request_: AppendRequest, holder: Holder, refusal: type[Exception]
) -> None:
    with pytest.raises(refusal):
        service.record(table, request_, holder)
    assert version(service, table) == 4


def test_breach_of_a_rule_is_recorded_if_it_was_played(service: Service, table: str) -> None:
    done = service.record(table, append_of(4, *REVOKE, as_played=True), LEO)
    findings = json.loads(done.answer.body)["findings"]
    assert (done.version, [finding["code"] for finding in findings]) == (9, ["revoke"])


def test_repeated_request_gets_the_first_answer(service: Service, table: str) -> None:
    request = append_of(4, *REVOKE[:1], key="k", digest=b"d" * 32)
    first = service.record(table, request, LEO)
    assert service.record(table, request, LEO) == first
    with pytest.raises(KeyReusedError):
        service.record(table, append_of(4, *REVOKE[:1], key="k", digest=b"e" * 32), LEO)
    with pytest.raises(KeyReusedError):
        service.record(
            table, request, Holder("seat", player="nina")
        )  # the answer belongs to Leo's key
    assert version(service, table) == 5


def test_record_and_see_shows_the_recorded_events(service: Service, table: str) -> None:
    done, events = service.record_and_see(table, append_of(4, *REVOKE[:1]), LEO, events_of)
    assert (done.version, events, service.see(table, events_of)) == (5, 5, 5)


def test_uncached_read_uses_the_cache_and_adds_nothing_to_it(
    service: Service, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, reads = service.store.read, []

    def recording_read(session_id: str, *more: int) -> Stream:
        reads.append(session_id)
        return read(session_id, *more)

    other = service.open(FRIDAY).id
    assert service.see(table, events_of) == 4
    monkeypatch.setattr(service.store, "read", recording_read)
    for _ in range(2):
        assert (
            service.read_uncached(table, events_of),
            service.read_uncached(other, events_of),
        ) == (4, 1)
    assert reads == [other, other]


def events_of(session: Session) -> int:
    return session.events


def test_rate_check_gets_each_append_and_a_full_session_refuses() -> None:
    admitted: list[tuple[str, int]] = []
    service = Service(
        MemoryStore(),
        admit=lambda table, holder, events: admitted.append((holder.role, events)),
        room=LogCapacity(5, 10**6),
    )
    table = service.open(FRIDAY).id
    service.record(table, append_of(1, *BEGUN), HOST)
    with pytest.raises(SessionFullError):
        service.record(table, append_of(4, *REVOKE[:2]), HOST)
    assert admitted == [("host", 3), ("host", 2)]


def test_capacity_in_bytes_is_the_size_of_the_log() -> None:
    """A refused append in between takes no capacity, because nothing of it is recorded."""
    store = MemoryStore()
    free = Service(store)
    table = free.open(FRIDAY).id
    for version, raw in enumerate(BEGUN, 1):
        free.record(table, append_of(version, raw), HOST)
    size = len(store.export(table))
    for room, full in ((size, False), (size - 1, True)):
        service = Service(MemoryStore(), room=LogCapacity(100, room))
        table = service.open(FRIDAY).id
        for version, raw in enumerate(BEGUN[:-1], 1):
            service.record(table, append_of(version, raw), HOST)
        with pytest.raises(UnusableError):
            service.record(table, append_of(3, event("bid_made", player="nobody", points=5)), HOST)
        if full:
            with pytest.raises(SessionFullError):
                service.record(table, append_of(3, BEGUN[-1]), HOST)
        else:
            assert service.record(table, append_of(3, BEGUN[-1]), HOST).version == 4


# --------------------------------------------------------------------------------------- reading


def test_a_session_is_read(service: Service, table: str) -> None:
    report = service.report(table)
    assert json.loads(report.json)["matches"][0]["hands"][0]["status"] == "open"
    stream = service.events(table, after=2, most=1, holder=HOST)
    assert [json.loads(line)["seq"] for line in stream.lines] == [3]
    assert [json.loads(line)["seq"] for line in service.events(table, after=2).lines] == [3, 4]
    prompts = service.prompts(table, "tricks")
    assert prompts.position == report.position
    assert {"trick_taken", "hand_abandoned"} <= {prompt.type for prompt in prompts.prompts}


def test_cards_face_down_are_shown_to_the_host_alone(service: Service, table: str) -> None:
    set_event = event("set_distributed", player="leo", set=1, kept="8C")
    service.record(table, append_of(4, set_event, as_played=True), HOST)
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
        lambda service: service.record("nobody", append_of(1, *BEGUN), HOST),
    ],
)
def test_unknown_session_raises(service: Service, ask: Any) -> None:
    with pytest.raises(UnknownSessionError):
        ask(service)


# ------------------------------------------------------------------------------------------ keys


def test_a_key_is_made_and_replaced_and_revoked(service: Service, table: str) -> None:
    before = {key.id for key in service.store.keys(table) if not key.revoked}
    first = service.add_key(table, KeyRequest("seat", "leo")).key
    second = service.add_key(table, KeyRequest("seat", "leo"), replaces=first.id).key
    service.revoke_key(table, second.id, ends_code=False)
    revoked = {key.id: bool(key.revoked) for key in service.store.keys(table)}
    assert revoked[first.id]
    assert revoked[second.id]
    assert not any(revoked[key] for key in before)


# ------------------------------------------------------------------------------- visible names

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
def test_invisible_name_is_refused(service: Service, table: str, new: Raw, field: str) -> None:
    service.record(table, append_of(4, event("player_joined", id="ugo", name="Ugo")), HOST)
    with pytest.raises(UnusableError, match="visible characters") as refused:
        service.record(table, append_of(5, new), HOST)
    assert refused.value.field == f"events.0.{field}"
    assert service.see(table, lambda session: session.events) == 5


def test_older_log_with_an_invisible_name_is_imported(service: Service) -> None:
    unseen = {"title": UNSEEN, "players": [{"id": "eve", "name": UNSEEN}]}
    opened = service.import_log(sealed([event("session_opened", **unseen)]), 10_000)
    assert service.see(opened.id, lambda session: session.structure.players) == {"eve": UNSEEN}
