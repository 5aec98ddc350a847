"""Sessions for tests of the service, with an author and a minute for each event."""

from io import BytesIO

from scorekeeper.log.reading import RawEvent
from scorekeeper.log.writing import sealed_lines
from scorekeeper.service.folded_session import FoldedSession
from scorekeeper.service.service import initial_keys
from scorekeeper.session.session import Session
from scorekeeper.store import MemoryStore, Store
from tests.evenings import AT, Raw, event, opening

FOUR = ("mara", "leo", "nina", "ugo")  # A is Mara and Nina, B is Leo and Ugo
HAND = 3  # the seq of its first hand_started
COUNT = 4


def minute(number: int) -> str:
    """Return the timestamp of ``number`` minutes after the beginning."""
    return f"2026-01-02T{20 + number // 60}:{number % 60:02}:00.000Z"


def add(session: Session, raw: Raw, by: str = "keeper") -> int:
    """Record an event and return its seq."""
    seq = session.events + 1
    session.add_line(RawEvent(seq, seq, raw["type"], raw["data"], at=minute(seq), by=by))
    return seq


def knock(*more: Raw, others: tuple[str, ...] = ()) -> Session:
    """Return a session of Knock with one counted hand and more events, all recorded by the host."""
    session = Session()
    for raw in (
        opening(*FOUR, *others),
        event("match_started", game="knock", seats=list(FOUR)),
        event("hand_started", dealer="ugo"),
        event("points_counted", points={"A": 60, "B": 40}),
        *more,
    ):
        add(session, raw)
    return session


def stored(*events: Raw) -> tuple[Store, str]:
    """Return a store with a session of these events, and the id of the session."""
    store = MemoryStore()
    log = b"".join(sealed_lines([(raw["type"], raw["data"]) for raw in events], AT))
    return store, store.import_sealed(BytesIO(log), initial_keys(["mara"])).id


def folded(*events: Raw) -> FoldedSession:
    """Return a session of these events as the cache holds it."""
    store, session_id = stored(*events)
    session = FoldedSession(session_id, store)
    session.refresh()
    return session
