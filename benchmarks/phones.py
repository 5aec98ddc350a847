"""Phones at tables over HTTP: recorders and watchers."""

import http.client
import json
import os
import re
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import urlencode

from benchmarks.material import Raw

RETRY_SECONDS: Final = 0.5  # after which a page repeats a request that was refused
FORM: Final = "application/x-www-form-urlencoded"
PROCESSES: Final = get_context("spawn")

T = TypeVar("T")


class Client:
    """A phone with its own connection and a key."""

    def __init__(self, port: int, key: str = "", path: str = "") -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.path = path
        self.headers = {"Content-Type": "application/json"}
        if key:
            self.headers["Authorization"] = f"Bearer {key}"

    def ask(
        self, method: str, more: str = "", body: Any = None, **headers: str
    ) -> tuple[int, bytes]:
        """Send a request; return the status and the body of the answer."""
        sent = {
            **self.headers,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        text = None if body is None else json.dumps(body)
        try:
            return self._ask(method, self.path + more, text, sent)
        except (
            http.client.HTTPException,
            ConnectionError,
        ):  # the server closed the idle connection
            self.connection.close()
            return self._ask(method, self.path + more, text, sent)

    def _ask(
        self, method: str, path: str, text: str | None, sent: dict[str, str]
    ) -> tuple[int, bytes]:
        self.connection.request(method, path, text, sent)
        answer = self.connection.getresponse()
        return answer.status, answer.read()


class Writer(Client):
    """A phone that records one event per request."""

    def __init__(self, port: int, events: Sequence[Raw], key: str = "", path: str = "") -> None:
        super().__init__(port, key, path)
        self.events = iter(events)
        self.version = 1
        self.times: list[float] = []

    def write(self) -> None:
        """Record the next event, and store its duration in ``times``."""
        began = time.perf_counter()
        status, body = self.ask(
            "POST", "/events", {"events": [next(self.events)]},
            If_Match=f'"{self.version}"', Idempotency_Key=f"event {self.version}",
        )  # fmt: skip
        self.times.append(time.perf_counter() - began)
        if status != 201:
            raise AssertionError(body)
        self.version += 1


class Table(NamedTuple):
    """A session: its recorder, and its key to view."""

    writer: Writer
    view: str


def open_table(port: int, opening: Raw, events: Sequence[Raw]) -> Table:
    """Open a session; return its table with the events that are to be recorded."""
    status, body = Client(port).ask("POST", "/api/sessions", body=opening["data"])
    if status != 201:
        raise AssertionError(body)
    session = json.loads(body)
    path, keys = f"/api/sessions/{session['id']}", session["keys"]
    return Table(Writer(port, events, keys["host"], path), keys["view"])


def run_in_threads(work: Callable[[T], object], arguments: Sequence[T]) -> None:
    """Call ``work`` with each argument in a thread, and wait for all threads."""
    threads = [threading.Thread(target=work, args=(argument,)) for argument in arguments]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@contextmanager
def watched(tables: Sequence[Table], times: int) -> Iterator[None]:
    """Let a number of phones watch the tables until the context ends.

    They run in another process, so that their work does not delay the recorders of this one.
    """
    phones = [(table.writer.connection.port, table.view, table.writer.path) for table in tables]
    phones = [phones[place % len(phones)] for place in range(times)]
    all_there = PROCESSES.Barrier(times + 1)
    process = PROCESSES.Process(target=watch_all, args=(phones, all_there), daemon=True)
    process.start()
    all_there.wait(timeout=60)
    yield
    if not process.is_alive():
        raise AssertionError("a watching phone failed")
    process.terminate()
    process.join()


def watch_all(phones: Sequence[tuple[int, str, str]], all_there: Any) -> None:
    """Watch with each of the phones until the process is terminated."""

    def watch(place: int) -> None:
        try:
            Watcher(*phones[place]).watch(all_there)
        except BaseException:  # noqa: BLE001
            traceback.print_exc()
            os._exit(1)

    run_in_threads(watch, range(len(phones)))


class Watcher(Client):
    """A phone of a viewer that shows the page of a table."""

    def __init__(self, port: int, view: str, path: str) -> None:
        super().__init__(port)
        self.table, self.session = path, path.rpartition("/")[2]
        self.headers = {"Content-Type": FORM, "Sec-Fetch-Site": "same-origin"}
        self.connection.request("POST", "/join", urlencode({"key": view}), self.headers)
        answer = self.connection.getresponse()
        answer.read()
        cookie, _, _ = answer.headers["Set-Cookie"].partition(";")
        self.headers = {"Cookie": cookie, "X-Fragment": "1"}

    def watch(self, all_there: Any) -> None:
        """Request the page after each change, until the stream ends."""
        stream = Client(self.connection.port)
        stream.connection.request("GET", f"{self.table}/stream", headers=self.headers)
        answer = stream.connection.getresponse()
        if answer.status != 200:
            raise AssertionError(answer.read())
        all_there.wait()
        shown = 0
        while line := answer.readline():
            if line.startswith(b"data:") and json.loads(line[5:])["version"] > shown:
                shown = max(shown, self.version_shown())

    def version_shown(self) -> int:
        """Request the page and return its version, or 0 if the server asks to retry later."""
        _, page = self.ask("GET", f"/t/{self.session}")
        match_found = re.search(rb'data-version="(\d+)"', page)
        if match_found is None:
            time.sleep(RETRY_SECONDS)
        return int(match_found[1]) if match_found else 0
