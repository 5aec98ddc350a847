"""Tournaments on each store: ``service.tournaments``, ``service.folded_tournament``.

Also ``service.folded_log``, ``service.seat_exchanges``, ``service.tournament_tables`` and
``tournaments.taken_back``: a published round has all its sessions
or none, in backups too.
"""

import json
import random
from io import BytesIO
from itertools import starmap
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.base.errors import StaleVersionError, StorageUnavailableError, UnusableError
from scorekeeper.service import AppendRequest, Holder, NewEvent, Service, Tournaments
from scorekeeper.service.responses import matches_log
from scorekeeper.service.tournaments import PublishRequest
from scorekeeper.service.usable_logs import refuse_unusable
from scorekeeper.session.session import Session
from scorekeeper.store import KeyRequest, MemoryStore, keyring
from scorekeeper.streams.requests import StreamAppend
from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.standings import Scoreboard
from scorekeeper.tournaments.taken_back import list_recall, list_reopening
from scorekeeper.tournaments.tournament import Tournament
from tests.evenings import Raw, event, struck
from tests.store.homes import Home
from tests.tournaments import hall

DIRECTOR = Holder("host")
NOTE = b'{"type":"note_added","data":{"text":"x"}}'
SIX = [["e1", "e2", "e3"], ["e4", "e5", "e6"]]


def opened(kept: Tournaments, entrants: int = 6, **more: Any) -> str:
    """Open a tournament of Riparto with tables of three, and return its id."""
    data = hall.opening({"table": {"from": 3, "to": 3}, **more}, game="riparto")["data"]
    people = [raw["data"] for raw in hall.registrations(entrants)]
    return kept.open({**data}, people).id


def record(kept: Tournaments, id_: str, *events: Raw, holder: Holder = DIRECTOR) -> None:
    """Record events at the present version."""
    new = tuple(NewEvent(raw["type"], raw["data"]) for raw in events)
    kept.record(id_, StreamAppend(kept.end(id_).version, new), holder)


def draw(kept: Tournaments, id_: str, number: int, tables: list[list[str]] = SIX) -> None:
    """Draw a round."""
    data = {"stage": 1, "round": number, "tables": tables, "byes": [],
            "generator": hall.GENERATOR, "heads": {}}  # fmt: skip
    record(kept, id_, event("round_drawn", **data))


def publish(kept: Tournaments, id_: str, number: int = 1, **more: Any) -> None:
    """Publish a round."""
    version = kept.end(id_).version
    kept.record(id_, PublishRequest(version, round=number, **more), DIRECTOR)


def sessions_of(kept: Tournaments, id_: str) -> list[str]:
    """Return the sessions of a tournament."""
    return kept.with_state(id_, lambda state: list(state.list_sessions()))


def play(kept: Tournaments, service: Service, session_id: str, points: int) -> None:
    """Record a hand at a table."""
    players = service.see(session_id, lambda session: session.structure.matches[-1].seats)
    counts = {players[0]: points, players[1]: 15 - points, players[2]: 0}
    events = (
        NewEvent("hand_started", {"dealer": players[0]}),
        NewEvent("bid_made", {"player": players[0], "points": 5}),
        NewEvent("points_counted", {"points": counts}),
    )
    request = AppendRequest(service.end(session_id).version, events, as_played=True)
    service.record(session_id, request, DIRECTOR)


def points_of(kept: Tournaments, id_: str) -> list[tuple[str, Any, int]]:
    """Return the entrant, the points and the place of each line of the standings."""
    return kept.see(
        id_,
        lambda snapshot: [
            (row.entrant, row.points, row.place)
            for row in snapshot.scoreboard.compute(snapshot.state, snapshot.results).rows
        ],
    )


def test_round_and_its_sessions_are_written_together(home: Home) -> None:
    store = home.open()
    service = Service(store)
    kept = Tournaments(service)
    id_ = opened(kept)
    draw(kept, id_, 1)
    publish(kept, id_, paper=frozenset({2}))
    (session_id,) = sessions_of(kept, id_)
    assert store.followed(id_) == {session_id}
    first = kept.with_state(id_, lambda state: state.rounds[1].sessions)
    assert first is not None
    assert first[1] is not None
    assert store.hash_at(session_id, 1) == first[1].first_hash
    with pytest.raises(StaleVersionError):
        kept.record(id_, PublishRequest(1, round=1), DIRECTOR)
    assert store.followed(id_) == {session_id}
    play(kept, service, session_id, 6)
    elsewhere = Tournaments(Service(home.open()))  # another process
    assert points_of(elsewhere, id_) == points_of(kept, id_)
    play(kept, service, session_id, 0)
    assert points_of(elsewhere, id_) == points_of(kept, id_)


def test_round_closes_with_the_sessions_of_its_tables(home: Home, tmp_path: Path) -> None:
    store = home.open()
    service = Service(store)
    kept = Tournaments(service)
    id_ = opened(kept, 9)
    draw(kept, id_, 1, [*SIX, ["e7", "e8", "e9"]])
    publish(kept, id_, paper=frozenset({3}))
    done, going_on = sessions_of(kept, id_)
    play(kept, service, done, 6)
    begun = [NewEvent("hand_started", {"dealer": "e4"})]
    service.record(going_on, AppendRequest(2, tuple(begun), as_played=True), DIRECTOR)
    points_of(kept, id_)
    elsewhere = Service(home.open())  # a phone in another process, after the results were read
    play(Tournaments(elsewhere), elsewhere, done, 0)
    closed = NewEvent("round_closed", {"stage": 1, "round": 1})
    asked = StreamAppend(kept.end(id_).version, (closed,), "key", b"d" * 32)
    answer = kept.record(id_, asked, DIRECTOR).answer
    assert json.loads(answer.body)["left_open"] == [2]
    assert kept.record(id_, asked, DIRECTOR).answer == answer  # and closes nothing twice
    assert [store.read(table).lines[-1].count(b"session_closed") for table in (done, going_on)] == [
        1, 0,
    ]  # fmt: skip
    store.bundle(tmp_path / "b.zip")
    MemoryStore().restore(tmp_path / "b.zip", fits=matches_log, usable=refuse_unusable)
    with pytest.raises(UnusableError, match="closed"):
        play(kept, service, done, 5)


def test_disputed_hand_keeps_its_session_open() -> None:
    service = Service(MemoryStore())
    kept = Tournaments(service)
    id_ = opened(kept)
    draw(kept, id_, 1)
    publish(kept, id_)
    for session_id in sessions_of(kept, id_):
        play(kept, service, session_id, 6)
    first = sessions_of(kept, id_)[0]
    dispute = NewEvent("hand_disputed", {"player": "e1", "reason": "score"})
    service.record(first, AppendRequest(5, (dispute,)), DIRECTOR)
    closed = NewEvent("round_closed", {"stage": 1, "round": 1})
    answer = kept.record(id_, StreamAppend(kept.end(id_).version, (closed,)), DIRECTOR).answer
    assert json.loads(answer.body)["left_open"] == [1]


def taken_back(kept: Tournaments, id_: str, make: Any) -> Any:
    """Record the corrections of a round, and return the answer."""
    events = kept.with_log(id_, lambda held: make(held, 1, "a mistake"))
    asked = StreamAppend(kept.end(id_).version, tuple(starmap(NewEvent, events)))
    return json.loads(kept.record(id_, asked, DIRECTOR).answer.body)


def test_round_that_opens_again_gives_back_the_tables_that_closed_with_it() -> None:
    store = MemoryStore()
    service = Service(store)
    kept = Tournaments(service)
    id_ = opened(kept, 9)
    draw(kept, id_, 1, [*SIX, ["e7", "e8", "e9"]])
    publish(kept, id_)
    tables = sessions_of(kept, id_)
    for session_id in tables:
        play(kept, service, session_id, 6)
    own_close = NewEvent("session_closed", {})  # this table went home before the others
    service.record(tables[0], AppendRequest(5, (own_close,), as_played=True), DIRECTOR)
    record(kept, id_, event("round_closed", stage=1, round=1))
    store.delete_stream(tables[2])
    draw(kept, id_, 2, [*SIX, ["e7", "e8", "e9"]])
    answer = taken_back(kept, id_, list_reopening)
    assert answer["left_closed"] == [3]
    assert [raw["type"] for raw in answer["events"]] == ["correction_begun", *["event_struck"] * 2]
    (open_again,) = kept.with_state(id_, lambda state: list(state.rounds.values()))
    assert (open_again.number, open_again.closed) == (1, False)
    play(kept, service, tables[1], 7)
    with pytest.raises(UnusableError, match="closed"):
        play(kept, service, tables[0], 7)
    record(kept, id_, event("round_closed", stage=1, round=1))
    assert store.read(tables[1]).lines[-1].count(b"session_closed") == 1


def test_publication_is_taken_back_until_a_hand_is_begun() -> None:
    store = MemoryStore()
    service = Service(store)
    kept = Tournaments(service)
    id_ = opened(kept)
    draw(kept, id_, 1)
    publish(kept, id_)
    old = sessions_of(kept, id_)
    record(kept, id_, event("round_started", round=1, minutes=30))
    taken_back(kept, id_, list_recall)
    assert all(b"session_closed" in store.read(table).lines[-1] for table in old)
    draw(kept, id_, 1, SIX[::-1])
    publish(kept, id_)
    assert set(sessions_of(kept, id_)).isdisjoint(old)
    key = store.add_key(id_, KeyRequest("seat", "e1")).key
    looks_on = kept.find_table_holder(key, old[0])
    assert looks_on is not None
    assert looks_on.role == "view"  # a phone that is still on the page of the old table
    begun = (NewEvent("hand_started", {"dealer": SIX[1][0]}),)
    service.record(sessions_of(kept, id_)[0], AppendRequest(2, begun, as_played=True), DIRECTOR)
    with pytest.raises(UnusableError, match="its seats stay"):
        taken_back(kept, id_, list_recall)
    assert sessions_of(kept, id_)


def test_table_that_goes_on_during_the_close_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(MemoryStore())
    kept = Tournaments(service)
    id_ = opened(kept)
    draw(kept, id_, 1)
    publish(kept, id_)
    (first, second), plays = sessions_of(kept, id_), iter([5, 6])
    before_commit = kept.limits.before_commit

    def go_on() -> None:
        monkeypatch.setattr(kept.limits, "before_commit", before_commit)
        play(kept, service, second, next(plays))

    monkeypatch.setattr(kept.limits, "before_commit", go_on)
    record(kept, id_, event("round_closed", stage=1, round=1))
    assert [service.see(table, lambda session: session.events) for table in (first, second)] == [
        3,
        6,
    ]
    assert next(plays) == 6  # the phone recorded once, before the close


def test_exchanged_seats_change_both_sessions_and_abandon_a_begun_hand(home: Home) -> None:
    """`service.seat_exchanges`: one transaction for the tournament and both tables."""
    store = home.open()
    service = Service(store)
    kept = Tournaments(service)
    id_ = opened(kept)
    draw(kept, id_, 1)
    publish(kept, id_)
    one, other = sessions_of(kept, id_)
    begun = (NewEvent("hand_started", {"dealer": "e1"}),
             NewEvent("bid_made", {"player": "e2", "points": 5}))  # fmt: skip
    service.record(one, AppendRequest(2, begun, as_played=True), DIRECTOR)
    exchanged = event("seats_exchanged", round=1, entrants=["e1", "e5"], reason="they are a couple")
    record(kept, id_, exchanged)
    seats = [service.see(table, lambda session: session.structure.matches[0].seats)
             for table in (one, other)]  # fmt: skip
    assert seats == [("e5", "e2", "e3"), ("e4", "e1", "e6")]
    play(kept, service, other, 6)
    play(kept, service, one, 6)
    played = kept.see(id_, lambda snapshot: snapshot.results[one])
    assert [hand.complete for hand in played.hands] == [True]
    assert {row[0] for row in points_of(kept, id_) if row[1] is None} == set()
    roles = []
    for player in ("e1", "e5"):
        holder = kept.find_table_holder(store.add_key(id_, KeyRequest("seat", player)).key, one)
        roles.append(holder and holder.role)
    assert roles == ["view", "seat"]
    ends = service.end(one), service.end(other)
    with pytest.raises(UnusableError, match="table 1 has played a hand"):
        record(kept, id_, exchanged)
    assert (service.end(one), service.end(other)) == ends
    replayed = Tournament.read(BytesIO(store.export(id_))).state
    assert replayed.rounds[1].tables[0] == ("e5", "e2", "e3")
    assert all(checked.verdict.ok for checked in store.verify_all())


def test_table_keys_are_checked_in_the_transaction_that_writes(home: Home) -> None:
    store = home.open()
    service = Service(store)
    kept = Tournaments(service)
    id_ = opened(kept)
    new = kept.add_key(id_, KeyRequest("seat", "e1"))
    draw(kept, id_, 1)
    publish(kept, id_)
    session_id = sessions_of(kept, id_)[0]
    holder = kept.find_table_holder(new.key, session_id)
    assert holder is not None
    assert (holder.role, holder.player, holder.only_signs) == ("seat", "e1", False)
    request = AppendRequest(2, (NewEvent("hand_started", {"dealer": "e1"}),))
    service.record(session_id, request, holder)
    kept.revoke_key(id_, new.key.id, ends_code=False)
    request = AppendRequest(3, (NewEvent("note_added", {"text": "x"}),))
    with pytest.raises(Exception, match="opens nothing"):
        service.record(session_id, request, holder)


def test_backup_brings_back_a_tournament_its_tables_and_its_rights(tmp_path: Path) -> None:
    store = MemoryStore()
    service = Service(store)
    kept = Tournaments(service)
    data = hall.opening({"table": {"from": 5, "to": 5}})["data"]  # Chiamata hides the partner
    id_ = kept.open(data, [raw["data"] for raw in hall.registrations(5)]).id
    assistant = kept.add_key(id_, KeyRequest("seat", "keeper"))
    entrant = kept.add_key(id_, KeyRequest("seat", "e2"))
    draw(kept, id_, 1, [["e1", "e2", "e3", "e4", "e5"]])
    publish(kept, id_)
    started = event("round_started", round=1, minutes=30)
    record(kept, id_, started, holder=Holder("seat", "keeper", assistant.key))
    (session_id,) = sessions_of(kept, id_)
    holder = kept.find_table_holder(entrant.key, session_id)
    assert holder is not None
    events = (
        NewEvent("hand_started", {"dealer": "e1"}),
        NewEvent("bid_made", {"player": "e1", "bid": "2"}),
        NewEvent("card_called", {"player": "e1", "card": "2B"}),
        NewEvent("partner_revealed", {"player": "e2"}),
    )
    service.record(session_id, AppendRequest(2, events, as_played=True), holder)
    assert store.recorders(session_id) == {6: entrant.key.id}
    assert store.recorders(id_) == {9: assistant.key.id}
    store.bundle(tmp_path / "b.zip")
    other = MemoryStore()
    other.restore(tmp_path / "b.zip", fits=matches_log, usable=refuse_unusable)
    assert other.export(id_) == store.export(id_)
    back = Tournaments(Service(other))
    assert back.find_table_holder(entrant.key, session_id) == holder
    assert points_of(back, id_) == points_of(kept, id_)
    assert other.recorders(session_id) == {6: entrant.key.id}
    assert [listed.id for listed in other.tournaments()] == [id_]
    assert (len(other.sessions()), other.clubs()) == (1, [])


def test_deleted_table_counts_nothing_and_its_tournament_says_so() -> None:
    store = MemoryStore()
    service = Service(store)
    kept = Tournaments(service)
    id_ = opened(kept)
    draw(kept, id_, 1)
    publish(kept, id_)
    first, second = sessions_of(kept, id_)
    play(kept, service, first, 6)
    before = kept.state(id_)
    assert any(points for _, points, _ in points_of(kept, id_))
    store.delete_stream(first)
    assert kept.see(id_, lambda snapshot: snapshot.missing) == {first}
    assert not any(points for _, points, _ in points_of(kept, id_))
    kept._tags.clear()  # they are kept for a second
    assert kept.state(id_) != before
    store.delete_stream(id_)
    assert [listed.id for listed in store.sessions()] == [second]


def test_failed_commit_leaves_no_half_round(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    kept = Tournaments(Service(store))
    id_ = opened(kept)
    draw(kept, id_, 1)
    before = store.export(id_)

    def fail(*_: object, **__: object) -> None:
        raise StorageUnavailableError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("scorekeeper.store.transactions.create", fail)
        with pytest.raises(StorageUnavailableError):
            publish(kept, id_)
    assert (store.export(id_), store.sessions()) == (before, [])
    publish(kept, id_)
    assert len(sessions_of(kept, id_)) == len(store.sessions()) == 2


@pytest.mark.parametrize("seed", range(6))
def test_standings_kept_up_to_date_are_those_of_the_logs(seed: int) -> None:
    """After any order of hands, strikes, rulings, closes and withdrawals."""
    rng = random.Random(seed)  # noqa: S311
    store = MemoryStore()
    service = Service(store)
    kept = Tournaments(service)
    id_ = opened(kept, 6, rounds=3)
    number = 0
    for _ in range(25):
        sessions = sessions_of(kept, id_)
        kind = rng.randrange(5)
        try:
            if kind == 0:
                if number:
                    record(kept, id_, hall.closed(number))
                people = [f"e{place}" for place in rng.sample(range(1, 7), 6)]
                draw(kept, id_, number + 1, [people[:3], people[3:]])
                publish(kept, id_, number + 1)
                number += 1
            elif kind == 1 and sessions:
                record(kept, id_, event("points_adjusted", entrant=f"e{rng.randint(1, 6)}",
                                        points=rng.randint(-3, 3), reason=""))  # fmt: skip
            elif kind == 2:
                record(kept, id_, struck(rng.randint(8, 12)))
            elif sessions:
                play(kept, service, rng.choice(sessions), rng.randint(0, 15))
        except UnusableError:
            pass
        points_of(kept, id_)  # keeps the results up to date
    replayed = Tournament.read(BytesIO(store.export(id_)))
    results = {
        session_id: PlayedTable.of(session_id, Session.read(BytesIO(store.export(session_id))))
        for session_id in replayed.state.list_sessions()
    }
    computed = Scoreboard().compute(replayed.state, results)
    assert [(row.entrant, row.points, row.place) for row in computed.rows] == points_of(kept, id_)


def test_ids_of_kinds_are_told_apart() -> None:
    for kind in keyring.StreamKind:
        id_ = keyring.new_stream_id(kind)
        assert keyring.kind_of(id_) is kind
        told = keyring.is_session(id_), keyring.is_club(id_), keyring.is_tournament(id_)
        assert sum(told) == 1


def test_log_by_hand_is_sealed_with_salts() -> None:
    store = MemoryStore()
    kept = Tournaments(Service(store))
    lines = [hall.opening(game="riparto"), *hall.registrations(3),
             hall.drawn(1, (1, 2, 3))]  # fmt: skip
    log = "".join(json.dumps(line) + "\n" for line in lines).encode()
    made = kept.import_log(log, 1 << 20)
    assert b'"salt"' in store.export(made.id)
    masked = kept.events(made.id).lines[-1]
    assert b'"data":null' in masked
    for log, words in ((b"", "no event"), (NOTE, "begins with")):
        with pytest.raises(UnusableError, match=words):
            kept.import_log(log, 1 << 20)
