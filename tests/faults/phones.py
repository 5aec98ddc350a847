"""Clients that record over HTTP, with a journal of requests and answers."""

import json
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from threading import Event
from typing import Any, Final

from tests.operation.serving import Answer

LOST: Final = (OSError, HTTPException)  # no answer came: the outcome is unknown
LOCALHOST: Final = "127.0.0.1"
TIMEOUT_SECONDS: Final = 30.0  # for an answer
PAUSE: Final = (
    0.02  # at most, seconds between two notes; without it one phone would delay the others
)


class Phone:
    """A persistent connection, and a key to a session."""

    def __init__(
        self, port: int, session: Any, role: str = "host", address: str = LOCALHOST
    ) -> None:
        self.path = f"/api/sessions/{session['id']}"
        self.version: int = session["version"]  # as far as the phone knows
        self.connection = HTTPConnection(
            LOCALHOST, port, timeout=TIMEOUT_SECONDS, source_address=(address, 0)
        )
        self.bearer = {"Authorization": f"Bearer {session['keys'][role]}"}

    def ask(
        self, method: str = "GET", more: str = "", body: str | None = None, **headers: str
    ) -> Answer:
        """Return the answer; raises one of ``LOST`` if none came."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            self.connection.request(method, self.path + more, body, {**self.bearer, **named})
            answer = self.connection.getresponse()
            return Answer(answer.status, dict(answer.headers), answer.read())
        except LOST:
            self.connection.close()
            raise

    def note(self, text: str, key: str, version: int | None = None) -> Answer:
        """Record a note and return the answer."""
        return self.ask("POST", "/events", body_of(text), **self.headers(key, version))

    def headers(self, key: str, version: int | None = None) -> dict[str, str]:
        """Return the headers of an append."""
        after = self.version if version is None else version
        return {"Content_Type": "application/json", "If_Match": f'"{after}"',
                "Idempotency_Key": key}  # fmt: skip

    def insist(self, text: str, key: str) -> Answer:
        """Record a note at the present version, whatever it is, and return the answer."""
        while (answer := self.note(text, key)).status == 412:
            self.version = answer.json["version"]
        if answer.status == 201:
            self.version = max(self.version, answer.json["version"])
        return answer

    def close(self) -> None:
        self.connection.close()


def body_of(*texts: str) -> str:
    """Return the body of an append of notes."""
    return json.dumps(
        {"events": [{"type": "note_added", "data": {"text": text}} for text in texts]}
    )


def text_of(event: Any) -> str:
    """Return the text of a note, empty for other events."""
    return str(event["data"].get("text", ""))


class Writer(Phone):
    """A phone that records one note after the other, and repeats each until it is answered."""

    def __init__(self, port: int, session: Any, name: str) -> None:
        super().__init__(port, session)
        self.name = name
        self.sent = 0
        self.journal: dict[int, tuple[int, str]] = {}  # number: version, hash
        self.refused: list[Answer] = []

    @property
    def waits(self) -> bool:
        """Return whether the last request has not been answered."""
        return self.sent > 0 and self.sent not in self.journal

    def write(self) -> bool:
        """Send the next number, or repeat an unanswered one; return whether it was answered."""
        self.sent += not self.waits
        text = f"{self.name} {self.sent}"
        try:
            answer = self.insist(text, text)
        except LOST:
            return False
        if answer.status == 503:
            self.refused.append(answer)
            return False
        assert answer.status == 201, answer
        self.journal[self.sent] = answer.json["version"], answer.json["head"]
        return True

    def complaints(self, events: Sequence[Any]) -> Iterator[str]:
        """Yield the differences between the events of the session and the journal."""
        by_text = Counter(text_of(event) for event in events)
        mine = {n: by_text[f"{self.name} {n}"] for n in range(1, self.sent + 1)}
        for number, (version, head) in self.journal.items():
            recorded = events[version - 1] if version <= len(events) else None
            if not recorded or (recorded["hash"], text_of(recorded)) != (
                head,
                f"{self.name} {number}",
            ):
                yield f"{self.name} {number} was acknowledged, and is lost"
        if any(times > 1 for times in mine.values()):
            yield "something was recorded twice"
        if sum(number not in self.journal for number, times in mine.items() if times) > 1:
            yield "more than one was recorded and not acknowledged"
        if [event["seq"] for event in events] != list(range(1, len(events) + 1)):
            yield "a number is missing"


@contextmanager
def writing(writers: Sequence[Writer], *, answered: bool = True) -> Iterator[Event]:
    """Let all write while the yielded event is set.

    At the end every request must be ``answered``, which a faulty service need not do.
    """
    go, stop, chance = Event(), Event(), random.Random(2)  # noqa: S311
    go.set()

    def run(writer: Writer) -> None:
        end = 0.0
        while not stop.is_set() or (answered and writer.waits):
            if stop.is_set():
                end = end or time.monotonic() + TIMEOUT_SECONDS
                assert time.monotonic() < end, "nobody answers"
            if go.wait(0.05):
                time.sleep(chance.uniform(0, PAUSE) if writer.write() else PAUSE)
        writer.close()

    with ThreadPoolExecutor(len(writers)) as pool:
        running = [pool.submit(run, writer) for writer in writers]
        try:
            yield go
        finally:
            stop.set()
            go.set()
    for future in running:
        future.result()
