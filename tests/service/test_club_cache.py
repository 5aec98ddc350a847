"""What a club asks of its store: little, and each thing once."""

from collections import Counter
from typing import Any

from scorekeeper.service import AppendRequest, Clubs, Holder, NewEvent, Service
from scorekeeper.store import MemoryStore
from tests.evenings import opening

HOST = Holder("host")


class CountingStore(MemoryStore):
    """A store that counts how often it is asked for the hash of an event."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()

    def hash_at(self, session: str, seq: int) -> Any:
        self.asked[session] += 1
        return super().hash_at(session, seq)


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
    clubs.record(club.id, AppendRequest(club.version, events), HOST, lambda _: "host")
    return store, club.id


def test_the_first_event_of_each_evening_is_asked_for_once() -> None:
    store, club = entered(12)
    del store.asked[club]
    assert set(store.asked.values()) == {1}
    assert len(store.asked) == 12
