"""Readers and writers of a session or club that is being computed get 503 in time."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.service import Clubs, Service
from tests.api.asking import Table, bearer, client_of
from tests.evenings import event

ANSWER_SECONDS = 5.0
READERS = 6


@pytest.fixture
def client() -> FlaskClient:
    """Return a client of a new application with short waits."""
    client = client_of(sessions_an_hour=10**6)
    client.application.extensions["service"].limits.seconds = 0.6
    return client


@contextmanager
def worked_on(table: Table) -> Iterator[str]:
    """Let another thread compute a session and a club; yield the key of the club's host."""
    service: Service = table.client.application.extensions["service"]
    clubs: Clubs = table.client.application.extensions["clubs"]
    opened = table.client.post("/api/clubs", json={"name": "Circolo"}).get_json()
    go = threading.Event()

    def hold(see: Any, id_: str, inside: threading.Event) -> None:
        def make(_: Any) -> None:
            inside.set()
            assert go.wait(2 * ANSWER_SECONDS)

        see(id_, make)

    with ThreadPoolExecutor(2) as pool, ExitStack() as stack:
        stack.callback(go.set)
        for see, id_ in ((service.see, table.id), (clubs.see, opened["id"])):
            inside = threading.Event()
            pool.submit(hold, see, id_, inside)
            assert inside.wait(ANSWER_SECONDS)
        time.sleep(0.06)  # by now the computation counts as long
        table.path_of_club = f"/api/clubs/{opened['id']}"  # type: ignore[attr-defined]
        yield opened["keys"]["host"]


def is_busy(answer: Any) -> bool:
    """Return whether a request was refused as busy, with seconds after which to try again."""
    problem = answer.get_json()
    refused = (answer.status_code, problem["code"]) == (503, "busy")
    return refused and int(answer.headers["Retry-After"]) >= 1


def test_readers_of_a_slow_session_do_not_delay_readers_of_another(client: FlaskClient) -> None:
    slow, other = Table.riparto(client), Table.riparto(client)
    other.get()
    with worked_on(slow), ThreadPoolExecutor(READERS) as pool:
        waiting = [pool.submit(slow.get, "/next") for _ in range(READERS)]
        time.sleep(0.1)
        began = time.monotonic()
        statuses = [other.get("/next").status_code for _ in range(8)]
        took = time.monotonic() - began
        assert not all(future.done() for future in waiting)  # some still wait
        assert all(is_busy(future.result(ANSWER_SECONDS)) for future in waiting)
    assert statuses == [200] * 8
    assert took < 0.5
    assert slow.get("/next").status_code == 200


def test_append_to_a_slow_session_or_club_gets_a_time_to_retry(
    client: FlaskClient,
) -> None:
    table = Table.riparto(client)
    with worked_on(table) as key:
        club = table.path_of_club  # type: ignore[attr-defined]
        note = {"events": [event("note_added", text="x")]}
        headers = {**bearer(key), "If-Match": '"1"'}
        answers = [
            client.post(f"{table.path}/events", json=note,
                        headers={**bearer(table.keys["host"]), "If-Match": f'"{table.version}"'}),
            client.post(f"{club}/events", json=note, headers=headers),
            client.get(club, headers=bearer(key)),
        ]  # fmt: skip
        assert all(is_busy(answer) for answer in answers)
        assert client.get(f"{club}/events", headers=bearer(key)).status_code == 200
    answer = client.post(f"{club}/events", json=note, headers=headers)
    assert answer.status_code == 201
