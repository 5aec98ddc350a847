"""A club makes few queries to its store, and none of them twice."""

from collections import Counter
from typing import Any

from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.service import AppendRequest, Clubs, Holder, NewEvent, Service
from scorekeeper.service.club_logs import opens_all
from scorekeeper.service.folded_club import MAX_CACHED_RESULTS
from scorekeeper.store import MemoryStore
from tests.evenings import opening

HOST = Holder("host")


class CountingStore(MemoryStore):
    """A store that counts the queries for the hash of an event."""

    def __init__(self) -> None:
        super().__init__()
        self.hash_reads: Counter[str] = Counter()

    def hash_at(self, session_id: str, seq: int) -> Any:
        self.hash_reads[session_id] += 1
        return super().hash_at(session_id, seq)


def entered(count: int) -> tuple[CountingStore, str]:
    """Return a store and a club that entered ``count`` evenings in one append."""
    store = CountingStore()
    service = Service(store)
    clubs = Clubs(service)
    evening = opening("mara", "leo", "nina")["data"]
    ids = [service.open({**evening, "title": f"Evening {n}"}).id for n in range(count)]
    club = clubs.open({"name": "Circolo"}, [{"id": "mara", "name": "Mara"}])
    members = {"mara": "mara", "leo": None, "nina": None}
    events = tuple(
        NewEvent("evening_entered", {"session": session_id, "players": members})
        for session_id in ids
    )
    store.hash_reads.clear()
    clubs.record(club.id, AppendRequest(club.version, events), HOST, opens_all)
    return store, club.id


def test_hash_of_the_first_event_of_each_evening_is_queried_one_time() -> None:
    store, club_id = entered(12)
    del store.hash_reads[club_id]
    assert set(store.hash_reads.values()) == {1}
    assert len(store.hash_reads) == 12


def test_unchanged_evening_is_still_read() -> None:
    store, club_id = entered(2)
    service = Service(store)
    clubs = Clubs(service)
    first, second = sorted(clubs.see(club_id, lambda snapshot: snapshot.evenings))
    version = store.position(first).version
    service.record(first, AppendRequest(version, (NewEvent("note_added", {"text": "x"}),)), HOST)
    snapshot = clubs.see(club_id, lambda snapshot: snapshot)
    assert (sorted(snapshot.evenings), dict(snapshot.unread)) == ([first, second], {})
    assert snapshot.evenings[first].events == snapshot.evenings[second].events + 1


def test_recent_results_are_cached() -> None:
    store, club_id = entered(1)
    clubs, computed_keys = Clubs(Service(store)), list[int]()

    def see(key: int) -> int:
        def make(snapshot: ClubSnapshot) -> int:
            computed_keys.append(key)
            return key

        return clubs.see(club_id, make, key)

    assert [see(1), see(1)] == [1, 1]
    assert computed_keys == [1]
    for key in range(2, MAX_CACHED_RESULTS + 1):
        see(key)
        see(1)
    assert computed_keys == list(range(1, MAX_CACHED_RESULTS + 1))
    see(MAX_CACHED_RESULTS + 1)
    see(2)  # which was used longest ago
    assert computed_keys[-2:] == [MAX_CACHED_RESULTS + 1, 2]
    version = store.position(club_id).version
    joined = NewEvent("member_joined", {"id": "ugo", "name": "Ugo"})
    clubs.record(club_id, AppendRequest(version, (joined,)), HOST)
    see(1)
    assert computed_keys[-1] == 1
