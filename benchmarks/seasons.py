"""The table of a long season: from the logs to the last figure, and after one change."""

import io
from functools import partial
from zoneinfo import ZoneInfo

from benchmarks.material import session
from benchmarks.measuring import collected_as_served, median_seconds
from benchmarks.pace import report_seconds
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.events import Ranking
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.season import Standings, compute_standings
from scorekeeper.clubs.state import Season
from scorekeeper.log.writing import sealed_lines
from scorekeeper.session.session import Session

EVENINGS = 1_000
EVENTS = 60
MAX_SECONDS_FROM_LOGS = 10.0
MAX_SECONDS_AFTER_EVENT = 0.05
RANKINGS = ("points", "rating")
UTC = ZoneInfo("UTC")


def logs() -> list[bytes]:
    """Return the logs of a thousand evenings of Riparto, each of one match by tricks."""
    raw_events = session("riparto", EVENTS, "tricks")[: EVENTS - 1]
    events = [(raw["type"], raw.get("data", {})) for raw in raw_events] + [("match_ended", {})]
    return [
        b"".join(sealed_lines(events, at=f"20{n // 336 + 10}-{n // 28 % 12 + 1:02}-"
                                         f"{n % 28 + 1:02}T20:00:{n % 60:02}.{n:03}Z",
                              by="keeper"))
        for n in range(EVENINGS)
    ]  # fmt: skip


def played(number: int, log: bytes) -> AttendedEvening:
    """Return the result of an evening whose players are all members."""
    evening = PlayedEvening.of(f"evening{number}", Session.read(io.BytesIO(log)))
    return AttendedEvening(evening, {player: player for player in evening.names})


def table(attended: list[AttendedEvening], by: str) -> Standings:
    """Return the table of a season with all evenings."""
    return compute_standings(Season("s", "", "", None, ("riparto",), Ranking(by), 0), attended, UTC)


def from_nothing(every: list[bytes]) -> list[Standings]:
    """Replay every evening, and compute the tables by points and by ratings."""
    attended = [played(number, log) for number, log in enumerate(every)]
    return [table(attended, by) for by in RANKINGS]


def seasons() -> list[bool]:
    """Measure a thousand evenings from their logs, and after one more event in one of them."""
    every = logs()
    took = median_seconds(partial(from_nothing, every), runs=1)
    what = f"{EVENINGS:,} evenings of {EVENTS} events, points and ratings from nothing"
    met = [report_seconds(what, took, MAX_SECONDS_FROM_LOGS, ", goal 3")]
    attended = [played(number, log) for number, log in enumerate(every)]

    def one_more() -> Standings:
        return table([*attended[:-1], played(EVENINGS - 1, every[-1])], "points")

    with collected_as_served():
        took, rated = median_seconds(one_more), median_seconds(lambda: table(attended, "rating"))
    what = "the table by points after one more event in one of them"
    met.append(report_seconds(what, took, MAX_SECONDS_AFTER_EVENT))
    return [
        *met,
        report_seconds(
            "the table by ratings, every match rated anew", rated, MAX_SECONDS_AFTER_EVENT
        ),
    ]
