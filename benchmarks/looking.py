"""What a table shows to those who follow it, in process, against looks that find nothing new."""

import statistics
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from flask.testing import FlaskClient

from benchmarks.appending import Table, on_sqlite
from benchmarks.material import session
from benchmarks.measuring import busy_seconds, tell
from benchmarks.tapping import SAME_SITE
from scorekeeper.games import GAMES

CHANGES: Final = 40  # of each game
VIEWERS: Final = 50  # of a table, each of whom looks after each change
VIEWED: Final = 0.6  # as many fragments a second as looks that find nothing
VIEWED_WELL: Final = 0.8
SEATED: Final = 0.3
SEATED_WELL: Final = 0.36

FRAGMENT: Final = {"X-Fragment": "1"}


class Phone:
    """A phone that holds a key to a table, and shows its page."""

    def __init__(self, table: Table, key: str) -> None:
        self._client: FlaskClient = table.client.application.test_client()
        self._session = table.path.rpartition("/")[2]
        self._client.post("/join", data={"key": key, "level": "cards"}, headers=SAME_SITE)

    def look(self) -> None:
        """Get what changed of the page."""
        self._expect(200, self._client.get(f"/t/{self._session}", headers=FRAGMENT).status_code)

    def poll(self, version: int) -> None:
        """Ask whether there is anything new; there is not."""
        path = f"/api/sessions/{self._session}/events?after={version}"
        answer = self._client.head(path, headers={"If-None-Match": f'"{version}"'})
        self._expect(304, answer.status_code)

    def _expect(self, status: int, found: int) -> None:
        if found != status:
            raise AssertionError(found)


def each(look: Callable[[], object], times: int) -> float:
    """The processor's time of one of many looks."""

    def work() -> None:
        for _ in range(times):
            look()

    return busy_seconds(work) / times


class Beside(NamedTuple):
    """How many looks take as long as one that finds nothing new: less than one."""

    viewer: float  # one of many who look on
    seat: float  # a seat's phone that looks once after each change
    again: float  # and that looks again before the next one


def against_polls(url: str) -> Beside:
    """The mean of the games, of their medians over the changes."""
    table, found = Table(url), []
    for game in GAMES:
        opening, *events = session(game, CHANGES + 40)
        table.open(opening)
        table.append(*events[:2])
        viewer = Phone(table, table.keys["view"])
        seats = [Phone(table, key) for key in table.keys["seats"].values()]
        times: list[list[float]] = []
        for event in events[2:CHANGES]:
            table.append(event)
            times.append([
                each(partial(viewer.poll, table.version), VIEWERS),
                each(viewer.look, VIEWERS),
                statistics.mean(each(seat.look, 1) for seat in seats),
                statistics.mean(each(seat.look, 10) for seat in seats),
            ])  # fmt: skip
        poll, *looks = (statistics.median(one) for one in zip(*times, strict=True))
        found.append([poll / look for look in looks])
    return Beside(*(statistics.mean(one) for one in zip(*found, strict=True)))


def looking() -> list[bool]:
    """Measure it on SQLite."""
    with on_sqlite() as (url, _):
        found = against_polls(url)
    return [
        tell("fragments for those who look on, SQLite", f"{found.viewer:.2f} x empty polls",
             f"{VIEWED} x or more, goal {VIEWED_WELL}", met=found.viewer >= VIEWED),
        tell("fragments for a seat, the first after each change", f"{found.seat:.2f} x empty polls",
             f"{SEATED} x or more, goal {SEATED_WELL}", met=found.seat >= SEATED),
        tell("and the others, until the next change", f"{found.again:.2f} x empty polls",
             f"{SEATED} x or more, goal {SEATED_WELL}", met=found.again >= SEATED),
    ]  # fmt: skip
