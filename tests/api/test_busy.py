"""Readers and writers of a session or a club that another thread works on: 503, and in time."""

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

SOON = 5.0  # seconds
READERS = 6


@pytest.fixture
def client() -> FlaskClient:
    """A client of an application of its own, of which the waits are short."""
    client = client_of(sessions_an_hour=10**6)
    client.application.extensions["service"].limits.seconds = 0.6
    return client


@contextmanager
def worked_on(table: Table) -> Iterator[str]:
    """Another thread works on a session, and on a club, whose host's key this is, all the while."""
    service: Service = table.client.application.extensions["service"]
    clubs: Clubs = table.client.application.extensions["clubs"]
    told = table.client.post("/api/clubs", json={"name": "Circolo"}).get_json()
    go = threading.Event()

    def hold(see: Any, id_: str, inside: threading.Event) -> None:
        def make(_: Any) -> None:
            inside.set()
            assert go.wait(2 * SOON)

        see(id_, make)

    with ThreadPoolExecutor(2) as pool, ExitStack() as stack:
        stack.callback(go.set)
        for see, id_ in ((service.see, table.id), (clubs.see, told["id"])):
            inside = threading.Event()
            pool.submit(hold, see, id_, inside)
            assert inside.wait(SOON)
        time.sleep(0.06)  # by now it takes long
        table.path_of_club = f"/api/clubs/{told['id']}"  # type: ignore[attr-defined]
        yield told["keys"]["host"]


def is_busy(answer: Any) -> bool:
    problem = answer.get_json()
    return (answer.status_code, problem["code"]) == (503, "busy") and answer.headers["Retry-After"]


def test_readers_of_a_slow_session_keep_no_turn_from_those_of_another(client: FlaskClient) -> None:
    slow, other = Table.riparto(client), Table.riparto(client)
    other.get()
    with worked_on(slow), ThreadPoolExecutor(READERS) as pool:
        waiting = [pool.submit(slow.get, "/next") for _ in range(READERS)]
        time.sleep(0.1)
        began = time.monotonic()
        statuses = [other.get("/next").status_code for _ in range(8)]
        took = time.monotonic() - began
        assert not all(one.done() for one in waiting)  # some wait still
        assert all(is_busy(one.result(SOON)) for one in waiting)
    assert statuses == [200] * 8
    assert took < 0.5
    assert slow.get("/next").status_code == 200


def test_who_records_in_a_slow_session_or_club_is_told_when_to_come_again(
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
        assert all(is_busy(one) for one in answers)
        assert client.get(f"{club}/events", headers=bearer(key)).status_code == 200
    answer = client.post(f"{club}/events", json=note, headers=headers)
    assert answer.status_code == 201
