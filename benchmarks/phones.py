"""Phones at tables that are served over HTTP: those that record, and those that watch."""

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

AGAIN: Final = 0.5  # seconds after which a page asks for what did not come
FORM: Final = "application/x-www-form-urlencoded"
PROCESSES: Final = get_context("spawn")

T = TypeVar("T")


class Client:
    """One phone: a connection of its own, and a key."""

    def __init__(self, port: int, key: str = "", path: str = "") -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.path = path
        self.headers = {"Content-Type": "application/json"}
        if key:
            self.headers["Authorization"] = f"Bearer {key}"

    def ask(
        self, method: str, more: str = "", body: Any = None, **headers: str
    ) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        sent = {**self.headers, **{name.replace("_", "-"): one for name, one in headers.items()}}
        text = None if body is None else json.dumps(body)
        try:
            return self._ask(method, self.path + more, text, sent)
        except (http.client.HTTPException, ConnectionError):  # it was idle for too long
            self.connection.close()
            return self._ask(method, self.path + more, text, sent)

    def _ask(
        self, method: str, path: str, text: str | None, sent: dict[str, str]
    ) -> tuple[int, bytes]:
        self.connection.request(method, path, text, sent)
        answer = self.connection.getresponse()
        return answer.status, answer.read()


class Writer(Client):
    """One phone that records, one event a request."""

    def __init__(self, port: int, events: Sequence[Raw], key: str = "", path: str = "") -> None:
        super().__init__(port, key, path)
        self.events = iter(events)
        self.version = 1
        self.times: list[float] = []

    def write(self) -> None:
        """Record the next event, and note how long it took."""
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
    """A session: its recorder, and the key of those who watch."""

    writer: Writer
    view: str


def opened(port: int, opening: Raw, events: Sequence[Raw]) -> Table:
    """A session that was begun, with the events to record in it."""
    status, body = Client(port).ask("POST", "/api/sessions", body=opening["data"])
    if status != 201:
        raise AssertionError(body)
    session = json.loads(body)
    path, keys = f"/api/sessions/{session['id']}", session["keys"]
    return Table(Writer(port, events, keys["host"], path), keys["view"])


def together(work: Callable[[T], object], those: Sequence[T]) -> None:
    """Let each be worked on in a thread, and wait for all."""
    threads = [threading.Thread(target=work, args=(one,)) for one in those]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@contextmanager
def watched(tables: Sequence[Table], times: int) -> Iterator[None]:
    """A given number of phones watch the tables, until the end.

    In a process of their own: beside them in one, a recorder would be measured waiting for his
    own process.
    """
    phones = [(one.writer.connection.port, one.view, one.writer.path) for one in tables]
    phones = [phones[place % len(phones)] for place in range(times)]
    all_there = PROCESSES.Barrier(times + 1)
    process = PROCESSES.Process(target=watch_all, args=(phones, all_there), daemon=True)
    process.start()
    all_there.wait(timeout=60)
    yield
    if not process.is_alive():
        raise AssertionError("who watched was let down")
    process.terminate()
    process.join()


def watch_all(phones: Sequence[tuple[int, str, str]], all_there: Any) -> None:
    """Watch with each of the phones, for ever."""

    def watch(place: int) -> None:
        try:
            Watcher(*phones[place]).watch(all_there)
        except BaseException:  # noqa: BLE001
            traceback.print_exc()
            os._exit(1)

    together(watch, range(len(phones)))


class Watcher(Client):
    """One phone that shows the page of a table at which it looks on."""

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
        """Show what changed at each change, until the stream ends."""
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
        """The version that its page shows anew; 0 where it is told to come again, later."""
        _, page = self.ask("GET", f"/t/{self.session}")
        found = re.search(rb'data-version="(\d+)"', page)
        if found is None:
            time.sleep(AGAIN)
        return int(found[1]) if found else 0
