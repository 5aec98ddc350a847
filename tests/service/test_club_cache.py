"""What a club asks of its store: little, and each thing once."""

from collections import Counter
from typing import Any

from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.service import AppendRequest, Clubs, Holder, NewEvent, Service
from scorekeeper.service.club_cache import MAX_CACHED_RESULTS
from scorekeeper.service.club_logs import opens_all
from scorekeeper.store import MemoryStore
from tests.evenings import opening

HOST = Holder("host")


class CountingStore(MemoryStore):
    """A store that counts how often it is asked for the hash of an event."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()

    def hash_at(self, session_id: str, seq: int) -> Any:
        self.asked[session_id] += 1
        return super().hash_at(session_id, seq)


def entered(many: int) -> tuple[CountingStore, str]:
    """A club that entered so many evenings at once."""
    store = CountingStore()
    service = Service(store)
    clubs = Clubs(service)
    evening = opening("mara", "leo", "nina")["data"]
    ids = [service.open({**evening, "title": f"Evening {n}"}).id for n in range(many)]
    club = clubs.open({"name": "Circolo"}, [{"id": "mara", "name": "Mara"}])
    who = {"mara": "mara", "leo": None, "nina": None}
    events = tuple(NewEvent("evening_entered", {"session": one, "players": who}) for one in ids)
    store.asked.clear()
    clubs.record(club.id, AppendRequest(club.version, events), HOST, opens_all)
    return store, club.id


def test_the_first_event_of_each_evening_is_asked_for_once() -> None:
    store, club_id = entered(12)
    del store.asked[club_id]
    assert set(store.asked.values()) == {1}
    assert len(store.asked) == 12


def test_an_evening_that_did_not_change_is_read_as_before() -> None:
    store, club_id = entered(2)
    service = Service(store)
    clubs = Clubs(service)
    first, second = sorted(clubs.see(club_id, lambda snapshot: snapshot.evenings))
    version = store.position(first).version
    service.record(first, AppendRequest(version, (NewEvent("note_added", {"text": "x"}),)), HOST)
    snapshot = clubs.see(club_id, lambda snapshot: snapshot)
    assert (sorted(snapshot.evenings), dict(snapshot.unread)) == ([first, second], {})
    assert snapshot.evenings[first].events == snapshot.evenings[second].events + 1


def test_what_was_made_lately_is_made_once() -> None:
    store, club_id = entered(1)
    clubs, asked = Clubs(Service(store)), list[int]()

    def ask(key: int) -> int:
        def make(snapshot: ClubSnapshot) -> int:
            asked.append(key)
            return key

        return clubs.see(club_id, make, key)

    assert [ask(1), ask(1)] == [1, 1]
    assert asked == [1]
    for key in range(2, MAX_CACHED_RESULTS + 1):
        ask(key)
        ask(1)
    assert asked == list(range(1, MAX_CACHED_RESULTS + 1))
    ask(MAX_CACHED_RESULTS + 1)
    ask(2)  # which was used longest ago
    assert asked[-2:] == [MAX_CACHED_RESULTS + 1, 2]
    version = store.position(club_id).version
    joined = NewEvent("member_joined", {"id": "ugo", "name": "Ugo"})
    clubs.record(club_id, AppendRequest(version, (joined,)), HOST)
    ask(1)
    assert asked[-1] == 1
