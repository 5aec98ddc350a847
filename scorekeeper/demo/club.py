"""The demo club: five members, and a season with an evening in each of the last weeks."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from scorekeeper.clubs.events import SeasonOpened
from scorekeeper.demo.opening import GAME, TRICKS, RawEvents, write_log
from scorekeeper.log.reading import MAX_FILE_BYTES
from scorekeeper.service import Clubs, Holder, NewEvent, Service
from scorekeeper.service.club_logs import ClubLogs
from scorekeeper.streams.requests import StreamAppend

CLUB: Final = {"name": "Circolo del venerdì", "place": "Bar Sport", "zone": "Europe/Rome"}
MEMBERS: Final = {"mara": "Mara", "leo": "Leo", "nina": "Nina", "ugo": "Ugo", "ada": "Ada"}
EVENINGS: Final = 6
HANDS: Final = 6  # in an evening
SEED: Final = 11  # of all evenings, so that every demo club has the same
FRIDAY: Final = 4  # as `date.weekday` counts
MADE: Final = 0.6  # of the declarations
LAST_TRICKS: Final = 3  # that carry points together (R11)
POINTS_OF_LAST_TRICKS: Final = 5


def open_demo_club(service: Service, clubs: Clubs, today: date) -> str:
    """Open the club, enter its evenings, and then open its season; return the id of the club.

    A club with a season is complete.
    """
    members = [{"id": member, "name": name} for member, name in MEMBERS.items()]
    club_id = clubs.open(CLUB, members).id
    logs = ClubLogs(service, clubs, club_id)
    for log in write_evenings(today):
        logs.enter(log, MAX_FILE_BYTES)
    season = {
        "id": "season", "name": str(today.year), "from": str(list_fridays(today)[0]),
        "games": [GAME],
        "ranking": {"by": "places", "ties": ["points", "wins"]},
    }  # fmt: skip
    version = service.store.position(club_id).version
    opened = NewEvent(SeasonOpened.TYPE, season)
    clubs.record(club_id, StreamAppend(version, (opened,)), Holder("host"))
    return club_id


def write_evenings(today: date) -> Iterator[bytes]:
    """Yield the logs of the evenings before a day."""
    chance = random.Random(SEED)  # noqa: S311  # no secret
    for number, day in enumerate(list_fridays(today)):
        absent = list(MEMBERS)[number % len(MEMBERS)]
        seats = [member for member in MEMBERS if member != absent]
        yield write_log(evening_events(day, seats, chance))


def list_fridays(today: date) -> list[date]:
    """Return the Fridays of the evenings, the last one before today."""
    last = today - timedelta(days=(today.weekday() - FRIDAY - 1) % 7 + 1)
    return [last - timedelta(weeks=weeks) for weeks in reversed(range(EVENINGS))]


def evening_events(day: date, seats: Sequence[str], chance: random.Random) -> RawEvents:
    """Yield the events of a whole evening of Riparto between these members."""
    players = [{"id": player, "name": MEMBERS[player]} for player in seats]
    yield "session_opened", {"title": CLUB["name"], "players": players, "date": str(day)}
    options = {"match_end": {"hands": HANDS}}
    yield "match_started", {"game": GAME, "seats": [*seats], "options": options}
    for hand in range(HANDS):
        winners = chance.choices(seats, k=TRICKS)
        points = points_of(winners)
        declarer = chance.choices(seats, [1 + points[player] for player in seats])[0]
        missed = 0 if chance.random() < MADE else chance.choice((1, 2))
        yield "hand_started", {"dealer": seats[hand % len(seats)]}
        yield "bid_made", {"player": declarer, "points": points[declarer] + missed}
        yield from (("trick_taken", {"player": player}) for player in winners)
    yield "session_closed", {}


def points_of(winners: Sequence[str]) -> Counter[str]:
    """Return the points of a hand by player, from the winners of its tricks (R10, R11)."""
    points = Counter(winners)
    points[winners[-1]] += 1
    [(best, tricks)] = Counter(winners[-LAST_TRICKS:]).most_common(1)
    points[best if tricks > 1 else winners[-1]] += POINTS_OF_LAST_TRICKS
    return points
