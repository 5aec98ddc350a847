"""A club of a thousand evenings: entering them, its tables, and its memory.

Measured over the API with a store on disk, after the result of each evening was computed once.
"""

import gc
import statistics
import tempfile
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from itertools import accumulate
from pathlib import Path

from benchmarks.material import Raw, session
from benchmarks.measuring import (
    RUNS,
    collected_as_served,
    median_seconds,
    print_row,
    seconds,
    seconds_after_collection,
)
from benchmarks.pace import report_seconds
from benchmarks.seasons import EVENINGS, EVENTS, logs
from scorekeeper.app import create_app
from scorekeeper.config import read_settings
from scorekeeper.log.writing import sealed_lines
from scorekeeper.service import AppendRequest, Clubs, Holder, NewEvent, Service
from scorekeeper.service.club_logs import opens_all
from scorekeeper.store import KeyRequest, Opened, Store, migrate, open_store
from tests.players.common import NAMES

MAX_SECONDS_TO_ENTER = 10.0  # all evenings with one append
MAX_SECONDS_AFTER_EVENT = 0.05
MAX_SECONDS_WARM = 0.1
MAX_KILOBYTES = 20  # of an evening in memory
EVENINGS_IN_MEMORY = 100  # for that measurement
MAX_GROWTH = 1.5  # ratio of memory for the same hands in many more events
HOST = Holder("host")
KEYS = (KeyRequest("host"), KeyRequest("view"))
ALL_EVENINGS, RATED = "/standings?season=ever", "/standings?season=rated"
PAGES = ("", "/standings", f"/members/{next(iter(NAMES))}", "/records", "/money")


def import_logs(store: Store, logs: Iterable[bytes]) -> list[str]:
    """Import logs; return the ids of their sessions."""
    return [store.import_sealed(BytesIO(log), KEYS).id for log in logs]


def open_club(clubs: Clubs, store: Store, session_id: str) -> Opened:
    """Open a club whose members are the players of a session."""
    names = Service(store).see(session_id, lambda session_: dict(session_.structure.players))
    return clubs.open(
        {"name": "Club"}, [{"id": member, "name": name} for member, name in names.items()]
    )


def enter(clubs: Clubs, club: Opened, sessions: Sequence[str]) -> None:
    """Enter evenings, all their players members, with one append."""
    players = {player: player for player in clubs.evening(sessions[0]).players}
    events = tuple(
        NewEvent("evening_entered", {"session": session_id, "players": players})
        for session_id in sessions
    )
    clubs.record(club.id, AppendRequest(club.version, events), HOST, opens_all)


def clubs() -> list[bool]:
    """Measure a club of a thousand evenings."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'club.db'}"
        migrate(url)
        with open_store(url) as store:
            with collected_as_served():
                met = [*served(store)]
            return [*met, *held_in_memory(store)]


def served(store: Store) -> Iterator[bool]:
    """Measure entering the evenings, and the answers of the club."""
    service = Service(store)
    known = Clubs(service)
    sessions = import_logs(store, logs())
    club = open_club(known, store, sessions[0])
    took = seconds(lambda: enter(known, club, sessions))
    what = f"to enter {EVENINGS:,} evenings of {EVENTS} events with one append"
    yield report_seconds(what, took, MAX_SECONDS_TO_ENTER)
    client = create_app(read_settings(), store).test_client()
    view = next(key.secret for key in club.keys if key.key.role == "view")

    def ask(path: str) -> None:
        client.get(f"/api/clubs/{club.id}{path}", headers=bearing(view))

    for path in PAGES:
        ask(path)
    warm = max(median_seconds(lambda path=path: ask(path)) for path in PAGES)  # type: ignore[misc]
    yield report_seconds("figures of a club, requested again", warm, MAX_SECONDS_WARM)
    season = {"id": "rated", "name": "Rated", "from": "2000-01-01", "games": ["riparto"],
              "ranking": "rating"}  # fmt: skip
    version = store.position(club.id).version
    known.record(club.id, AppendRequest(version, (NewEvent("season_opened", season),)), HOST)
    yield from moved(client.application.extensions["service"], sessions, ask)
    took = statistics.median(rated_anew(known, club.id, sessions[0], ask))
    what = f"{RATED}, every match rated anew, after the first evening came or went"
    yield report_seconds(what, took, MAX_SECONDS_WARM)


def moved(service: Service, sessions: Sequence[str], ask: Callable[[str], None]) -> Iterator[bool]:
    """Measure answers after one more event in an evening."""
    for path in (ALL_EVENINGS, RATED, *PAGES[2:]):
        ask(path)
        took = one_more(service, sessions[-1], path, ask)
        yield report_seconds(
            f"{path} over HTTP after one more event in one of them", took, MAX_SECONDS_AFTER_EVENT
        )


def rated_anew(
    clubs: Clubs, club_id: str, session_id: str, ask: Callable[[str], None]
) -> Iterator[float]:
    """Yield the seconds of an answer after all ratings have changed."""
    players = {player: player for player in clubs.evening(session_id).players}
    entered = {"session": session_id, "players": players}
    for _ in range(RUNS):
        for event in (NewEvent("evening_withdrawn", {"session": session_id, "reason": "away"}),
                      NewEvent("evening_entered", entered)):  # fmt: skip
            version = clubs.store.position(club_id).version
            clubs.record(club_id, AppendRequest(version, (event,)), HOST, opens_all)
            yield seconds_after_collection(lambda: ask(RATED))


def bearing(secret: str) -> dict[str, str]:
    """Return the header with a key."""
    return {"Authorization": f"Bearer {secret}"}


def one_more(service: Service, session_id: str, path: str, ask: Callable[[str], None]) -> float:
    """Return the median seconds of an answer after one more event in a session."""
    took = []
    for number in range(RUNS):
        asked = AppendRequest(service.store.position(session_id).version,
                              (NewEvent("note_added", {"text": str(number)}),))  # fmt: skip
        service.record(session_id, asked, HOST)
        took.append(seconds_after_collection(lambda: ask(path)))
    return statistics.median(took)


def held_in_memory(store: Store) -> Iterator[bool]:
    """Measure the memory of an evening, which grows with its hands and not with its events."""
    short = session("riparto", EVENTS, "tricks")[:EVENTS]
    hands = count_hands(short)
    every = session("riparto", EVENTS * 20)
    long = [place for place, dealt in zip(every, accumulate(map(begins_hand, every)), strict=True)
            if dealt <= hands]  # fmt: skip
    few, many = (kilobytes_per_evening(store, events) for events in (short, long))
    what = f"held of an evening of {len(short)} events; of {len(long)} for as many hands"
    yield print_row(
        what,
        f"{few:.1f} KB; {many / few:.2f} x",
        f"{MAX_KILOBYTES} KB, {MAX_GROWTH}",
        met=few < MAX_KILOBYTES and many / few < MAX_GROWTH,
    )


def begins_hand(event: Raw) -> bool:
    """Return whether a hand begins with the event."""
    return bool(event["type"] == "hand_started")


def count_hands(events: Iterable[Raw]) -> int:
    """Return the number of hands that begin in the events."""
    return sum(map(begins_hand, events))


def kilobytes_per_evening(store: Store, raw_events: Sequence[Raw]) -> float:
    """Return the kilobytes that a club keeps in memory for each evening of these events."""
    events = [(raw["type"], raw.get("data", {})) for raw in raw_events]
    at = (f"2020-01-01T20:00:00.{number:03}Z" for number in range(EVENINGS_IN_MEMORY))
    sessions = import_logs(store, (b"".join(sealed_lines(events, at=time)) for time in at))
    service = Service(store)
    known = Clubs(service)
    club = open_club(known, store, sessions[0])
    enter(known, club, sessions)
    known.see(club.id, lambda snapshot: len(snapshot.evenings))  # also stores their results
    afresh = Clubs(service)
    gc.collect()
    tracemalloc.start()
    count = afresh.see(club.id, lambda snapshot: len(snapshot.evenings))
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / 1024 / count
