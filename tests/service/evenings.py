"""Sessions for the rules of the service: who recorded what, a minute after the event before."""

from io import BytesIO

from scorekeeper.log.reading import RawEvent
from scorekeeper.log.writing import sealed_lines
from scorekeeper.service.cache import Folded
from scorekeeper.service.service import initial_keys
from scorekeeper.session.session import Session
from scorekeeper.store import MemoryStore, Store
from tests.evenings import AT, Raw, event, opening

FOUR = ("mara", "leo", "nina", "ugo")  # A is Mara and Nina, B is Leo and Ugo
HAND = 3  # the seq of its first hand_started
COUNT = 4


def minute(number: int) -> str:
    """So many minutes after the beginning."""
    return f"2026-01-02T{20 + number // 60}:{number % 60:02}:00.000Z"


def add(session: Session, one: Raw, by: str = "keeper") -> int:
    """Record an event; its seq."""
    seq = session.events + 1
    session.add_line(RawEvent(seq, seq, one["type"], one["data"], at=minute(seq), by=by))
    return seq


def knock(*more: Raw, others: tuple[str, ...] = ()) -> Session:
    """An evening of Knock, the first hand counted; then what else was recorded by the host."""
    session = Session()
    for one in (
        opening(*FOUR, *others),
        event("match_started", game="knock", seats=list(FOUR)),
        event("hand_started", dealer="ugo"),
        event("points_counted", points={"A": 60, "B": 40}),
        *more,
    ):
        add(session, one)
    return session


def stored(*events: Raw) -> tuple[Store, str]:
    """A store with a session of these events; its id."""
    store = MemoryStore()
    log = b"".join(sealed_lines([(one["type"], one["data"]) for one in events], AT))
    return store, store.import_sealed(BytesIO(log), initial_keys(["mara"])).id


def folded(*events: Raw) -> Folded:
    """A session of these events as the cache holds it."""
    store, session_id = stored(*events)
    found = Folded(session_id, store)
    found.refresh()
    return found
