"""A tap on the page of a table, in process, beside an append of the same event over the API."""

import itertools
import json
import statistics
from functools import partial
from typing import Final, NamedTuple

from benchmarks.appending import Table, on_sqlite
from benchmarks.material import Raw, session
from benchmarks.measuring import busy_seconds, print_row
from benchmarks.pace import report_seconds
from scorekeeper.games import GAMES
from scorekeeper.http.answering import MASKED_SUFFIX

ROUNDS: Final = 2  # of the six games
TAPS: Final = 100  # of a game, from its first hand on
MAX_SECONDS: Final = 0.006  # of the processor, the mean of the games
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


class Costs(NamedTuple):
    """The median processor time in seconds of a tap and of an append."""

    tap: float
    append: float


def costs_by_game(url: str) -> dict[str, list[Costs]]:
    """Return the costs in each round, by game."""
    program, phone, costs = Table(url), Phone(url), {game: list[Costs]() for game in GAMES}
    for game in itertools.chain(*itertools.repeat(GAMES, ROUNDS)):
        opening, *events = session(game, TAPS + 40)
        appended, tapped = [], []
        for table in (program, phone):
            table.open(opening)
            table.append(*events[:2])
        for event in events[2:TAPS]:
            appended.append(busy_seconds(partial(program.append, event)))
            tapped.append(busy_seconds(partial(phone.tap, event)))
        costs[game].append(Costs(statistics.median(tapped), statistics.median(appended)))
    return costs


def tapping() -> list[bool]:
    """Measure it on SQLite, from POST to the page in the answer."""
    with on_sqlite() as (url, _):
        costs = costs_by_game(url)
    taps = {game: statistics.mean(each.tap for each in rounds) for game, rounds in costs.items()}
    for game, tap in taps.items():
        print_row(f"a tap, {GAMES[game].name}", f"{tap * 1000:.1f} ms", "", met=True)
    rounds = list(itertools.chain(*costs.values()))
    ratio = statistics.mean(each.tap / each.append for each in rounds)
    print_row("a tap, all games", f"{ratio:.2f} x an append", "", met=True)
    what = "a tap on the page, processor time, the mean of the games"
    mean = statistics.mean(taps.values())
    return [report_seconds(what, mean, MAX_SECONDS, measure=busy_seconds)]
