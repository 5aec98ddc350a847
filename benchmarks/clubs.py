"""A club of a thousand evenings as it is served: entering them, its table, what it holds in memory.

Over the API and a store on the disk, after what was worked out of each evening was kept once.
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
from benchmarks.measuring import RUNS, anew, collected_as_served, median_seconds, seconds, tell
from benchmarks.pace import tell_seconds
from benchmarks.seasons import EVENINGS, EVENTS, logs
from scorekeeper.app import create_app
from scorekeeper.config import read_settings
from scorekeeper.log.writing import sealed_lines
from scorekeeper.service import AppendRequest, Clubs, Holder, NewEvent, Service
from scorekeeper.service.club_logs import opens_all
from scorekeeper.store import KeyRequest, Opened, Store, migrate, open_store
from tests.players.common import NAMES

ENTERED = 10.0  # seconds for all of them at once
ONE_MORE = 0.05
WARM = 0.1
KILOBYTES = 20  # of an evening in memory
SOME = 100  # evenings of which that is measured
GROWTH = 1.5  # times as much, for an evening of the same hands in many more events
HOST = Holder("host")
KEYS = (KeyRequest("host"), KeyRequest("view"))
EVER, RATED = "/standings?season=ever", "/standings?season=rated"
PAGES = ("", "/standings", f"/members/{next(iter(NAMES))}", "/records", "/money")


def imported(store: Store, every: Iterable[bytes]) -> list[str]:
    """The ids of the sessions of these logs."""
    return [store.import_sealed(BytesIO(log), KEYS).id for log in every]


def founded(clubs: Clubs, store: Store, session_id: str) -> Opened:
    """A club of all who played in a session."""
    names = Service(store).see(session_id, lambda found: dict(found.structure.players))
    return clubs.open({"name": "Club"}, [{"id": one, "name": name} for one, name in names.items()])


def enter(clubs: Clubs, club: Opened, sessions: Sequence[str]) -> None:
    """Enter evenings, all their players members, with one append."""
    players = {one: one for one in clubs.evening(sessions[0]).players}
    events = tuple(
        NewEvent("evening_entered", {"session": one, "players": players}) for one in sessions
    )
    clubs.record(club.id, AppendRequest(club.version, events), HOST, opens_all)


def clubs() -> list[bool]:
    """A club of a thousand evenings."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'club.db'}"
        migrate(url)
        with open_store(url) as store:
            with collected_as_served():
                met = [*served(store)]
            return [*met, *held_in_memory(store)]


def served(store: Store) -> Iterator[bool]:
    """How long it takes to enter them, and to answer then."""
    service = Service(store)
    known = Clubs(service)
    sessions = imported(store, logs())
    club = founded(known, store, sessions[0])
    took = seconds(lambda: enter(known, club, sessions))
    what = f"to enter {EVENINGS:,} evenings of {EVENTS} events with one append"
    yield tell_seconds(what, took, ENTERED)
    client = create_app(read_settings(), store).test_client()
    view = next(one.secret for one in club.keys if one.key.role == "view")

    def ask(path: str) -> None:
        client.get(f"/api/clubs/{club.id}{path}", headers=bearing(view))

    for path in PAGES:
        ask(path)
    warm = max(median_seconds(lambda path=path: ask(path)) for path in PAGES)  # type: ignore[misc]
    yield tell_seconds("what a club comes to, asked again", warm, WARM)
    season = {"id": "rated", "name": "Rated", "from": "2000-01-01", "games": ["riparto"],
              "ranking": "rating"}  # fmt: skip
    version = store.position(club.id).version
    known.record(club.id, AppendRequest(version, (NewEvent("season_opened", season),)), HOST)
    yield from moved(client.application.extensions["service"], sessions, ask)
    took = statistics.median(rated_anew(known, club.id, sessions[0], ask))
    what = f"{RATED}, every match rated anew, after the first evening came or went"
    yield tell_seconds(what, took, WARM)


def moved(service: Service, sessions: Sequence[str], ask: Callable[[str], None]) -> Iterator[bool]:
    """How long an answer takes after one more event in an evening."""
    for path in (EVER, RATED, *PAGES[2:]):
        ask(path)
        took = one_more(service, sessions[-1], path, ask)
        yield tell_seconds(f"{path} over HTTP after one more event in one of them", took, ONE_MORE)


def rated_anew(
    clubs: Clubs, club_id: str, session_id: str, ask: Callable[[str], None]
) -> Iterator[float]:
    """The times of an answer when all ratings have changed."""
    players = {one: one for one in clubs.evening(session_id).players}
    entered = {"session": session_id, "players": players}
    for _ in range(RUNS):
        for event in (NewEvent("evening_withdrawn", {"session": session_id, "reason": "away"}),
                      NewEvent("evening_entered", entered)):  # fmt: skip
            version = clubs.store.position(club_id).version
            clubs.record(club_id, AppendRequest(version, (event,)), HOST, opens_all)
            yield anew(lambda: ask(RATED))


def bearing(secret: str) -> dict[str, str]:
    """The header that holds a key."""
    return {"Authorization": f"Bearer {secret}"}


def one_more(service: Service, session_id: str, path: str, ask: Callable[[str], None]) -> float:
    """The median time of an answer after one event more in a session, which is not counted."""
    took = []
    for number in range(RUNS):
        asked = AppendRequest(service.store.position(session_id).version,
                              (NewEvent("note_added", {"text": str(number)}),))  # fmt: skip
        service.record(session_id, asked, HOST)
        took.append(anew(lambda: ask(path)))
    return statistics.median(took)


def held_in_memory(store: Store) -> Iterator[bool]:
    """What is held of an evening: by its hands, and not by its events."""
    short = session("riparto", EVENTS, "tricks")[:EVENTS]
    hands = begun(short)
    every = session("riparto", EVENTS * 20)
    long = [one for one, dealt in zip(every, accumulate(map(is_hand, every)), strict=True)
            if dealt <= hands]  # fmt: skip
    few, many = (held(store, told) for told in (short, long))
    what = f"held of an evening of {len(short)} events; of {len(long)} for as many hands"
    yield tell(what, f"{few:.1f} KB; {many / few:.2f} x", f"{KILOBYTES} KB, {GROWTH}",
               met=few < KILOBYTES and many / few < GROWTH)  # fmt: skip


def is_hand(told: Raw) -> bool:
    """Whether a hand begins."""
    return bool(told["type"] == "hand_started")


def begun(told: Iterable[Raw]) -> int:
    """How many hands were begun."""
    return sum(map(is_hand, told))


def held(store: Store, told: Sequence[Raw]) -> float:
    """Kilobytes that a club holds of each of that many evenings, read from what was kept."""
    events = [(one["type"], one.get("data", {})) for one in told]
    at = (f"2020-01-01T20:00:00.{number:03}Z" for number in range(SOME))
    sessions = imported(store, (b"".join(sealed_lines(events, at=one)) for one in at))
    service = Service(store)
    known = Clubs(service)
    club = founded(known, store, sessions[0])
    enter(known, club, sessions)
    known.see(club.id, lambda snapshot: len(snapshot.evenings))  # and keeps what they come to
    afresh = Clubs(service)
    gc.collect()
    tracemalloc.start()
    count = afresh.see(club.id, lambda snapshot: len(snapshot.evenings))
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / 1024 / count
