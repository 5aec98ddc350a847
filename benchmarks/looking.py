"""Page fragments of a table for its viewers, in process, against polls that find no change."""

import statistics
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from flask.testing import FlaskClient

from benchmarks.appending import Table, on_sqlite
from benchmarks.material import session
from benchmarks.measuring import busy_seconds, print_row
from benchmarks.tapping import SAME_SITE
from scorekeeper.games import GAMES
from scorekeeper.http.answering import MASKED_SUFFIX

CHANGES: Final = 40  # of each game
VIEWERS: Final = 50  # of a table; each requests a fragment after each change
MIN_VIEWER_RATIO: Final = 0.6  # fragments per second divided by empty polls per second
GOAL_VIEWER_RATIO: Final = 0.8
MIN_SEAT_RATIO: Final = 0.3
GOAL_SEAT_RATIO: Final = 0.36

FRAGMENT: Final = {"X-Fragment": "1"}


class Phone:
    """A phone that holds a key to a table, and shows its page."""

    def __init__(self, table: Table, key: str) -> None:
        self._client: FlaskClient = table.client.application.test_client()
        self._session = table.path.rpartition("/")[2]
        self._client.post("/join", data={"key": key, "level": "cards"}, headers=SAME_SITE)

    def look(self) -> None:
        """Request the changed fragment of the page."""
        self._expect(200, self._client.get(f"/t/{self._session}", headers=FRAGMENT).status_code)

    def poll(self, version: int) -> None:
        """Ask for a new version when there is none."""
        path = f"/api/sessions/{self._session}/events?after={version}"
        answer = self._client.head(path, headers={"If-None-Match": f'"{version}{MASKED_SUFFIX}"'})
        self._expect(304, answer.status_code)

    def _expect(self, status: int, actual: int) -> None:
        if actual != status:
            raise AssertionError(actual)


def each(look: Callable[[], object], times: int) -> float:
    """Return the processor seconds of one of many requests."""

    def work() -> None:
        for _ in range(times):
            look()

    return busy_seconds(work) / times


class Beside(NamedTuple):
    """Fragments per second divided by empty polls per second, by kind of phone."""

    viewer: float  # one of many viewers
    seat: float  # the first fragment of a seat's phone after each change
    again: float  # the later ones until the next change


def against_polls(url: str) -> Beside:
    """Return the means over the games of their medians over the changes."""
    table, ratios = Table(url), []
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
        poll, *looks = (statistics.median(column) for column in zip(*times, strict=True))
        ratios.append([poll / look for look in looks])
    return Beside(*(statistics.mean(column) for column in zip(*ratios, strict=True)))


def looking() -> list[bool]:
    """Measure it on SQLite."""
    with on_sqlite() as (url, _):
        spent = against_polls(url)
    return [
        print_row(
            "fragments for viewers, SQLite",
            f"{spent.viewer:.2f} x empty polls",
            f"{MIN_VIEWER_RATIO} x or more, goal {GOAL_VIEWER_RATIO}",
            met=spent.viewer >= MIN_VIEWER_RATIO,
        ),
        print_row(
            "fragments for a seat, the first after each change",
            f"{spent.seat:.2f} x empty polls",
            f"{MIN_SEAT_RATIO} x or more, goal {GOAL_SEAT_RATIO}",
            met=spent.seat >= MIN_SEAT_RATIO,
        ),
        print_row(
            "and the others, until the next change",
            f"{spent.again:.2f} x empty polls",
            f"{MIN_SEAT_RATIO} x or more, goal {GOAL_SEAT_RATIO}",
            met=spent.again >= MIN_SEAT_RATIO,
        ),
    ]
