"""Refused appends to a session and a club that are slow to replay do not delay others (T48)."""

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from itertools import count
from typing import Final

import pytest

from benchmarks.phones import Writer
from tests.conftest import SOAK, Figure
from tests.evenings import Raw, event, opening, replaced
from tests.faults.looping import ATTACKER, looping, request
from tests.faults.phones import Phone
from tests.faults.test_slow import import_session, recorded, table_at
from tests.operation.serving import Answer, Server

FOUR: Final = ("mara", "leo", "nina", "ugo")
HANDS: Final = 280 if SOAK else 40
CORRECTIONS: Final = (
    300 if SOAK else 60
)  # of events that shape the session: each causes a full replay
MEMBERS: Final = 400 if SOAK else 100  # each with a correction, which causes a full replay
BATCH: Final = 20 if SOAK else 5  # corrections of one append, before the attack
ATTACKERS: Final = 20  # connections to each target, together more than there are threads
REFUSED: Final = 300 if SOAK else 30  # at least, fewer beside other tests
CROWD: Final = 100 if SOAK else 60  # connections of one address to sessions of its own
CROWD_SESSIONS: Final = 32 if SOAK else 4
CROWD_HANDS: Final = 500 if SOAK else 60
LONG_HANDS: Final = 8_000
CONNECTIONS: Final = 120  # of one address to long sessions of its own
LATEST: Final = 1.0 if SOAK else 3.0  # seconds for each append beside the crowd
SECONDS: Final = float(os.environ.get("SOAK_MINUTES", "1")) * 60 / 4 if SOAK else 1.5
PROMPT: Final = 0.25 if SOAK else 1.0  # seconds for nearly all appends; more beside other tests
READ: Final = 1.0 if SOAK else 2.0  # seconds for each read, likewise


def hands(many: int = HANDS) -> list[Raw]:
    """Return a session of many hands."""
    events = [opening(*FOUR)]
    for hand in range(many):
        if hand % 4 == 0:
            events.append(event("match_started", game="knock", seats=list(FOUR)))
        events.append(event("hand_started", dealer=FOUR[hand % 4]))
        events.append(event("points_counted", points={"A": 60, "B": 40}))
    return events


class Target:
    """A session or a club, and appends to it that are refused after a full replay."""

    def __init__(self, path: str, key: str, refused: list[Raw], **more: bool) -> None:
        self.path = path
        self.key = key
        self.refused = refused
        self._more = more

    def request(self, version: int, events: list[Raw]) -> tuple[bytes, dict[str, str]]:
        """Return the body and the headers of an append at this version."""
        headers = {
            "Content-Type": "application/json",
            "If-Match": f'"{version}"',
            "Authorization": f"Bearer {self.key}",
        }
        return json.dumps({"events": events, **self._more}).encode(), headers

    def refused_append(self, server: Server) -> bytes:
        """Return the bytes of an append that is refused."""
        body, headers = self.request(version_of(server, self), self.refused)
        return request("POST", f"{self.path}/events", body, **headers)


def session_target(server: Server, many: int) -> Target:
    """Import a session of many hands. The appends are refused for their last event."""
    imported = import_session(server, hands(many))
    return Target(
        f"/api/sessions/{imported['id']}", imported["keys"]["host"],
        [event("note_added", text="x"), replaced(3, "hand_started", dealer="ugo"),
         event("hand_started", dealer="zoe")], as_played=True,
    )  # fmt: skip


def targets(server: Server) -> list[Target]:
    """Create a session and a club on this server that are slow to replay."""
    session = session_target(server, HANDS)
    dealers = [replaced(3, "hand_started", dealer=FOUR[n % 4]) for n in range(CORRECTIONS)]
    append(server, session, dealers)
    members = [{"id": f"m{n}", "name": f"Member {n}"} for n in range(MEMBERS)]
    body = json.dumps({"name": "Circolo", "members": members}).encode()
    opened = server.get("/api/clubs", "POST", body, Content_Type="application/json").json
    club = Target(
        f"/api/clubs/{opened['id']}", opened["keys"]["host"],
        [event("member_renamed", member="m1", name="Other"),
         replaced(5, "member_joined", id="m1", name="Twice")],
    )  # fmt: skip
    names = [
        replaced(n + 2, "member_joined", id=f"m{n}", name=f"Corrected {n}") for n in range(MEMBERS)
    ]
    append(server, club, names)
    return [session, club]


def version_of(server: Server, target: Target) -> int:
    key = f"Bearer {target.key}"
    return int(server.get(f"{target.path}/events?limit=1", Authorization=key).json["version"])


def append(server: Server, target: Target, events: list[Raw]) -> None:
    """Record these events in several requests."""
    version = version_of(server, target)
    for first in range(0, len(events), BATCH):
        batch = events[first : first + BATCH]
        body, headers = target.request(version, batch)
        named = {name.replace("-", "_"): value for name, value in headers.items()}
        answer = server.get(f"{target.path}/events", "POST", body, **named)
        assert answer.status == 201, answer
        version += len(batch)


class Poller:
    """A client that sends a request again and again, and collects the seconds of each answer."""

    def __init__(self, ask: Callable[[], Answer]) -> None:
        self._ask = ask
        self.times: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.refusals: list[bytes] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._poll)
        self._thread.start()

    def _poll(self) -> None:
        while not self._ended.wait(0.05):
            began = time.monotonic()
            answer = self._ask()
            self.times.append(time.monotonic() - began)
            self.statuses[answer.status] += 1
            if answer.status >= 400:
                self.refusals.append(answer.body[:300])

    def quantile(self, share: float) -> float:
        """Return the seconds within which this share of the requests was answered."""
        return sorted(self.times)[int(len(self.times) * share)]

    def close(self) -> None:
        self._ended.set()
        self._thread.join()


def reader_of(server: Server, writer: Writer) -> Poller:
    """Return a client that polls the table of a writer."""
    key = {"Authorization": writer.headers["Authorization"]}
    return Poller(lambda: server.get(writer.path, **key))


def test_refused_appends_do_not_delay_others(unlimited: Server, figure: Figure) -> None:
    appends = [target.refused_append(unlimited) for target in targets(unlimited)]
    with ExitStack() as stack:
        writer = stack.enter_context(table_at(unlimited))
        attacks = [
            stack.enter_context(looping(unlimited.port, sent, ATTACKERS)) for sent in appends
        ]
        reader = stack.enter_context(closing(reader_of(unlimited, writer)))
        times = recorded(writer, SECONDS)
    refusals = sum(attacks, Counter())
    p99 = times[int(len(times) * 0.99)]
    figure(f"{dict(refusals)}: {len(times)} appends, p99 {p99 * 1000:.0f} ms, "
           f"reads up to {max(reader.times) * 1000:.0f} ms")  # fmt: skip
    assert set(refusals) <= {422, 503}
    assert refusals[422] >= REFUSED
    assert set(reader.statuses) == {200}, reader.refusals
    assert p99 < PROMPT
    assert reader.quantile(0.99) < READ


def test_crowd_at_many_sessions_of_its_own_does_not_delay_others(
    unlimited: Server, figure: Figure
) -> None:
    own = [session_target(unlimited, CROWD_HANDS) for _ in range(CROWD_SESSIONS)]
    appends = [target.refused_append(unlimited) for target in own]
    with ExitStack() as stack:
        writer = stack.enter_context(table_at(unlimited))
        attack = stack.enter_context(looping(unlimited.port, appends, CROWD))
        reader = stack.enter_context(closing(reader_of(unlimited, writer)))
        times = recorded(writer, SECONDS)
    figure(f"{dict(attack)}: {len(times)} appends, up to {times[-1] * 1000:.0f} ms, "
           f"reads up to {max(reader.times) * 1000:.0f} ms")  # fmt: skip
    assert set(attack) <= {422, 503}
    assert set(reader.statuses) == {200}, reader.refusals
    assert times[-1] < LATEST


def notes(server: Server, target: Target) -> list[bytes]:
    """Return an append to a session."""
    body, headers = target.request(version_of(server, target), [event("note_added", text="x")])
    return [request("POST", f"{target.path}/events", body, **headers)]


def reads(server: Server, target: Target) -> list[bytes]:
    """Return requests for everything that is read of a session."""
    key = f"Bearer {target.key}"
    return [request("GET", f"{target.path}{more}", Authorization=key)
            for more in ("", "/next", "/events", "/explain", "/log.jsonl")]  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize(
    ("ask", "many_hands", "sessions"),
    [(notes, LONG_HANDS, 24), (reads, LONG_HANDS, 12), (notes, 880, 64), (notes, 666, 80),
     (reads, 666, 80)],
)  # fmt: skip
def test_long_sessions_that_no_cache_holds_delay_nobody(
    unlimited: Server,
    figure: Figure,
    ask: Callable[[Server, Target], list[bytes]],
    many_hands: int,
    sessions: int,
) -> None:
    """Each of them is replayed from its first event; a table behind the same address goes on."""
    own = [session_target(unlimited, many_hands) for _ in range(sessions)]
    sent = [each for target in own for each in ask(unlimited, target)]
    numbers = count()
    with ExitStack() as stack:
        writer = stack.enter_context(table_at(unlimited))
        table = Phone(unlimited.port, unlimited.open_session(), address=ATTACKER)
        stack.enter_context(closing(table))
        attack = stack.enter_context(looping(unlimited.port, sent, CONNECTIONS))
        health = stack.enter_context(closing(Poller(lambda: unlimited.get("/healthz"))))
        beside = Poller(lambda: table.insist("a note", f"note {next(numbers)}"))
        stack.enter_context(closing(beside))
        times = recorded(writer, SECONDS)
    figure(f"{ask.__name__}, {many_hands} hands, {dict(attack)}: {len(times)} appends, median "
           f"{times[len(times) // 2] * 1000:.0f}, at most {times[-1] * 1000:.0f} ms; /healthz at "
           f"most {max(health.times) * 1000:.0f} ms; behind the same address {len(beside.times)}, "
           f"median {beside.quantile(0.5) * 1000:.0f}, at most {max(beside.times) * 1000:.0f} ms"
           )  # fmt: skip
    assert set(health.statuses) == {200}
    assert set(beside.statuses) == {201}, beside.refusals
    assert max(times[-1], *health.times, beside.quantile(0.5)) < LATEST
