"""A tap on the page of a table, in process, against an append of the same event over the API."""

import itertools
import json
import statistics
from functools import partial
from typing import Final

from benchmarks.appending import Table, on_sqlite
from benchmarks.material import Raw, session
from benchmarks.measuring import busy_seconds, print_row
from scorekeeper.games import GAMES
from scorekeeper.http.answering import MASKED_SUFFIX

ROUNDS: Final = 2  # of the six games
TAPS: Final = 100  # of a game, from its first hand on
MAX_RATIO: Final = 3.0  # of the time of an append
GOAL_RATIO: Final = 2.5
SAME_SITE: Final = {"Sec-Fetch-Site": "same-origin"}


class Phone(Table):
    """A session recorded card by card on the host's phone; each tap returns the page."""

    def open(self, opening: Raw) -> None:
        """Open a session, and store its key on the phone."""
        self.client.delete_cookie("phone")  # of the session before
        super().open(opening)
        secret = self.key["Authorization"].partition(" ")[2]
        self.page = f"/t/{self.path.rpartition('/')[2]}"
        self.client.post("/join", data={"key": secret, "level": "cards"}, headers=SAME_SITE)

    def tap(self, event: Raw) -> None:
        """Record an event by sending the form of the page; the answer is the page."""
        answer = self.client.post(
            f"{self.page}/record",
            data={"type": event["type"], "fixed": json.dumps(event.get("data", {})),
                  "version": self.version, "key": f"tap {next(self.turn)}"},
            headers={**SAME_SITE, "X-Fragment": "1"},
        )  # fmt: skip
        self.version += 1
        etag = f'"{self.version}{MASKED_SUFFIX}"'
        if answer.status_code != 200 or answer.headers["ETag"] != etag:
            raise AssertionError(answer.status)


def against_an_append(url: str) -> float:
    """Return the processor time of a tap divided by that of an append, over the games."""
    program, phone, ratios = Table(url), Phone(url), []
    for game in itertools.chain(*itertools.repeat(GAMES, ROUNDS)):
        opening, *events = session(game, TAPS + 40)
        appended, tapped = [], []
        for table in (program, phone):
            table.open(opening)
            table.append(*events[:2])
        for event in events[2:TAPS]:
            appended.append(busy_seconds(partial(program.append, event)))
            tapped.append(busy_seconds(partial(phone.tap, event)))
        ratios.append(statistics.median(tapped) / statistics.median(appended))
    return statistics.mean(ratios)


def tapping() -> list[bool]:
    """Measure it on SQLite."""
    with on_sqlite() as (url, _):
        ratio = against_an_append(url)
    return [print_row("a tap on the page, POST to answer in process, SQLite",
                 f"{ratio:.2f} x an append", f"at most {MAX_RATIO}, goal {GOAL_RATIO}",
                 met=ratio <= MAX_RATIO)]  # fmt: skip
