"""The table of a long season: from the logs to the last figure, and after one change."""

import io
from functools import partial
from itertools import cycle
from zoneinfo import ZoneInfo

from benchmarks.material import Raw, session
from benchmarks.measuring import collected_as_served, median_seconds
from benchmarks.pace import report_seconds
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.events import Ranking
from scorekeeper.clubs.figures import AttendedEvening, SeasonCache
from scorekeeper.clubs.season import Standings, compute_standings
from scorekeeper.clubs.values import Season
from scorekeeper.log.writing import sealed_lines
from scorekeeper.session.session import Session
from tests.players.common import NAMES

EVENINGS = 1_000
EVENTS = 60
MAX_SECONDS_FROM_LOGS = 10.0
MAX_SECONDS_AFTER_EVENT = {"points": 0.05, "rating": 0.045}
RANKINGS = ("points", "rating")
RANKING_NAMES = {"points": "points", "rating": "ratings"}
UTC = ZoneInfo("UTC")
# Events after which another player has won the evening: all later ratings change.
OTHER_WINNERS = [
    {"type": "penalty_given", "data": {"side": side, "points": 500, "reason": "bonus"}}
    for side in list(NAMES)[:2]
]


def log_of_evening(number: int, *last: Raw) -> bytes:
    """Return the log of an evening of Riparto, of one match by tricks that ends with ``last``."""
    raw_events = [*session("riparto", EVENTS, "tricks")[: EVENTS - 1], *last]
    events = [(raw["type"], raw.get("data", {})) for raw in raw_events] + [("match_ended", {})]
    day = f"20{number // 336 + 10}-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}"
    at = f"{day}T20:00:{number % 60:02}.{number:03}Z"
    return b"".join(sealed_lines(events, at=at, by="keeper"))


def logs() -> list[bytes]:
    """Return the logs of a thousand evenings."""
    return [log_of_evening(number) for number in range(EVENINGS)]


def played(number: int, log: bytes) -> AttendedEvening:
    """Return the result of an evening whose players are all members."""
    evening = PlayedEvening.of(f"evening{number}", Session.read(io.BytesIO(log)))
    return AttendedEvening(evening, {player: player for player in evening.names})


def table(attended: list[AttendedEvening], by: str, cache: SeasonCache | None = None) -> Standings:
    """Return the table of a season with all evenings. The service keeps a cache for each."""
    season = Season("s", "", "", None, ("riparto",), Ranking(by), 0)
    return compute_standings(season, attended, UTC, cache=cache)


def from_nothing(every: list[bytes]) -> list[Standings]:
    """Replay every evening, and compute the tables by points and by ratings."""
    attended = [played(number, log) for number, log in enumerate(every)]
    return [table(attended, by) for by in RANKINGS]


def seasons() -> list[bool]:
    """Measure a thousand evenings from their logs, and after one more event in one of them."""
    every = logs()
    changed = cycle([log_of_evening(0, each_wins) for each_wins in OTHER_WINNERS])
    took = median_seconds(partial(from_nothing, every), runs=1)
    what = f"{EVENINGS:,} evenings of {EVENTS} events, points and ratings from nothing"
    met = [report_seconds(what, took, MAX_SECONDS_FROM_LOGS, ", goal 3")]
    attended = [played(number, log) for number, log in enumerate(every)]

    for by in RANKINGS:
        cache = SeasonCache()

        def one_more(by: str = by, cache: SeasonCache = cache) -> Standings:
            return table([played(0, next(changed)), *attended[1:]], by, cache)

        with collected_as_served():
            took = median_seconds(one_more)
        what = f"the table by {RANKING_NAMES[by]} after one more event in the first of them"
        met.append(report_seconds(what, took, MAX_SECONDS_AFTER_EVENT[by]))
    return met
