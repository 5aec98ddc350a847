"""Phones that race for one version, and repeated requests, over HTTP and two processes."""

import random
import secrets
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import pytest

from tests.conftest import SOAK, Figure
from tests.faults.phones import LOST, Phone, body_of
from tests.faults.running import RestartableServer, ServerPair, events_of
from tests.operation.serving import Answer, Server, until

ROUNDS: Final = 2_000 if SOAK else 40
SHARE: Final = 0.2 if SOAK else 0.05  # of the wins, for each
REQUESTS: Final = 10_000 if SOAK else 60
CUT: Final = 0.2  # of the answers
MOST_TIMES: Final = 5
CONCURRENT: Final = 6


# ------------------------------------------------------------------------------------- races


ESTABLISHED: Final = (
    "01"  # the state; an earlier connection of the same two ends may still exist in another one
)


def worker_of(server: Server, phone: Phone) -> int:
    """Return the worker process that serves an open connection."""
    port = phone.connection.sock.getsockname()[1]
    sockets = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    ends = f"0100007F:{server.port:04X}", f"0100007F:{port:04X}"
    # The kernel's list may repeat a line if it changes while it is read.
    (inode,) = {socket[9] for socket in sockets if tuple(socket[1:4]) == (*ends, ESTABLISHED)}
    for worker in server.workers():
        for descriptor in Path(f"/proc/{worker}/fd").iterdir():
            with suppress(FileNotFoundError):
                if descriptor.readlink().name == f"socket:[{inode}]":
                    return worker
    raise AssertionError("nobody serves it")


def phones_of_each_worker(server: Server, session: Any) -> list[Phone]:
    """Return a phone on each worker process; two if there is one process."""
    workers = server.workers()
    by_process: dict[int, Phone] = {}
    while len(by_process) < len(workers):
        phone = Phone(server.port, session)
        phone.ask()
        if by_process.setdefault(worker_of(server, phone), phone) is not phone:
            phone.close()
    return [*by_process.values(), *([Phone(server.port, session)] if len(by_process) == 1 else [])]


def race(server: Server, rounds: int) -> Counter[str]:
    """Let two phones append to each version; check that one succeeds and the other is refused."""
    session = server.open_session()
    phones = phones_of_each_worker(server, session)
    start = threading.Barrier(len(phones))

    def run(place: int) -> list[Answer]:
        answers = []
        for version in range(1, rounds + 1):
            start.wait(30)
            answers.append(phones[place].note(f"{place}", f"{place} {version}", version))
        return answers

    with ThreadPoolExecutor(len(phones)) as pool:
        answers = list(pool.map(run, range(len(phones))))
    for phone in phones:
        phone.close()
    events = events_of(server, session)
    for version, both in enumerate(zip(*answers, strict=True), 1):
        assert sorted(answer.status for answer in both) == [201, 412]
        for answer in both:
            problem = answer.json
            assert (problem["version"], answer.headers["ETag"]) == (version + 1, f'"{version + 1}"')
            assert problem["head"] == events[version]["hash"]
    wins = Counter(event["data"]["text"] for event in events[1:])
    assert sum(wins.values()) == rounds
    assert min(wins["0"], wins["1"]) >= SHARE * rounds, wins
    return wins


def test_each_version_has_one_winner_over_http(processes: ServerPair, figure: Figure) -> None:
    wins = race(processes.sound.server, ROUNDS)
    figure(f"{ROUNDS} versions, won by {sorted(wins.values())}")


def test_service_that_ignores_the_version_is_detected(on_sqlite: ServerPair) -> None:
    with (
        on_sqlite.altered.with_fault("ignores the version") as server,
        pytest.raises(AssertionError, match=r"\[201, 201\]"),
    ):
        race(server, 20)


# ------------------------------------------------------------------------------- repetitions


class Table:
    """Phones at one session, and the answers by idempotency key."""

    def __init__(self, running: RestartableServer) -> None:
        self.running = running
        self.session = running.server.open_session()
        self.version = 1
        self.answers: dict[str, set[bytes]] = {}
        self.cut = 0

    def send(self, key: str, *, cut: bool) -> None:
        """Send a request until it is answered, or with ``cut`` without waiting for an answer."""
        with closing(Phone(self.running.port, self.session)) as phone:
            phone.version = self.version
            if cut:
                phone.connection.request(
                    "POST", f"{phone.path}/events", body_of(key), self._headers(phone, key)
                )
                self.cut += 1
                return
            answer = insist(phone, key)
            assert answer.status == 201, answer
            self.version = max(self.version, answer.json["version"])
            self.answers.setdefault(key, set()).add(answer.body)

    def _headers(self, phone: Phone, key: str) -> dict[str, str]:
        named = phone.headers(key)
        return {name.replace("_", "-"): value for name, value in named.items()} | {
            "Authorization": f"Bearer {self.session['keys']['host']}"
        }

    def check(self) -> None:
        """Check that each request is recorded once and always got the same answer."""
        texts = [
            event["data"]["text"] for event in events_of(self.running.server, self.session)[1:]
        ]
        assert sorted(texts) == sorted(self.answers)
        assert {len(bodies) for bodies in self.answers.values()} == {1}


def insist(phone: Phone, key: str) -> Answer:
    """Repeat a request until it is answered, even while the server is down."""
    answers: list[Answer] = []

    def answered() -> bool:
        with suppress(*LOST):
            answers.append(phone.insist(key, key))
        return bool(answers) and answers[-1].status != 503

    until(answered)
    return answers[-1]


def send_all(table: Table, requests: int, *, kill: bool) -> None:
    """Send each request several times concurrently, some without waiting for the answer."""
    chance = random.Random(7)  # noqa: S311
    sent = []
    for n in range(requests):
        sent.append((f"request {n}", False))
        more = chance.randrange(MOST_TIMES)
        sent += [(f"request {n}", chance.random() < CUT * 1.5) for _ in range(more)]
    chance.shuffle(sent)
    with ThreadPoolExecutor(8) as pool:
        running = [pool.submit(table.send, key, cut=cut) for key, cut in sent]
        if kill:
            wait(running[: len(sent) // 2])
            table.running.kill_worker()
    for job in running:
        job.result()
    assert table.cut > len(sent) / 10
    table.running.wait_until_serving(table.session)


def test_repeated_request_is_recorded_one_time(processes: ServerPair, figure: Figure) -> None:
    table = Table(processes.sound)
    send_all(table, REQUESTS, kill=True)
    table.check()
    figure(f"{REQUESTS} requests, of {table.cut} no answer was awaited, each recorded once")
    with closing(Phone(processes.sound.port, table.session)) as phone:
        for key, (body,) in list(table.answers.items())[:10]:
            assert phone.note(key, key).body == body
            reused = phone.note("another body", key)
            assert (reused.status, reused.json["code"]) == (422, "idempotency_key_reused")
    table.check()


@pytest.mark.soak
def test_service_that_forgets_requests_is_detected(on_sqlite: ServerPair) -> None:
    with on_sqlite.altered.with_fault("forgets requests"):
        table = Table(on_sqlite.altered)
        send_all(table, 10, kill=False)
        with pytest.raises(AssertionError):
            table.check()


def test_concurrent_requests_with_one_key_and_two_bodies_record_one(processes: ServerPair) -> None:
    session = processes.sound.server.open_session()
    phones = phones_of_each_worker(processes.sound.server, session)
    start = threading.Barrier(2)

    def send(place: int) -> int:
        start.wait(10)
        return phones[place].insist(f"body {place}", "the key").status

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(send, range(2))) == [201, 422]
    for phone in phones:
        phone.close()
    assert len(events_of(processes.sound.server, session)) == 2


def test_opening_sent_to_both_processes_opens_one_session(processes: ServerPair) -> None:
    body = '{"title": "Friday", "players": [{"id": "mara", "name": "Mara"}]}'
    headers = {"Content_Type": "application/json", "Idempotency_Key": secrets.token_urlsafe(16)}

    def send(_: int) -> Answer:
        return processes.sound.server.get("/api/sessions", "POST", body, **headers)

    with ThreadPoolExecutor(CONCURRENT) as pool:
        answers = list(pool.map(send, range(CONCURRENT)))
    assert [answer.status for answer in answers] == [201] * CONCURRENT
    assert len({answer.body for answer in answers}) == 1
