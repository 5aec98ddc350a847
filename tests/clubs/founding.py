"""Clubs and evenings made up for tests."""

from collections.abc import Iterable, Mapping
from typing import Any

from scorekeeper.clubs.club import TYPES, Club
from scorekeeper.clubs.evening import PlayedEvening, PlayedMatch
from scorekeeper.clubs.events import Ranking
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.hand import PlayedHand
from scorekeeper.clubs.values import Season
from scorekeeper.events.event import Entry
from scorekeeper.log import codec
from scorekeeper.report.span import DayOfPlay

Said = tuple[str, dict[str, Any]]

FOUNDED: Said = ("club_opened", {"name": "Circolo", "format": 1, "currency": "EUR"})


def joined(*members: str) -> list[Said]:
    """Return the events with which these members join, named by their ids with a capital."""
    return [("member_joined", {"id": member, "name": member.capitalize()}) for member in members]


def entered(session_id: str, *members: str) -> Said:
    """Return the event for an evening at which these members played under their own ids."""
    return "evening_entered", {
        "session": session_id,
        "players": {member: member for member in members},
    }


def season(**more: Any) -> Said:
    """Return the event that opens a season of Riparto by points."""
    data = {"id": "autumn", "name": "Autumn", "from": "2026-09-01", "games": ["riparto"],
            "ranking": "points", **more}  # fmt: skip
    return "season_opened", data


def entry(seq: int, event: Said, by: str = "keeper") -> Entry:
    """Return an event in its place."""
    return Entry(seq, codec.decode(event[0], event[1], TYPES), f"2026-11-{seq % 28 + 1:02}", by)


def club(*events: Said) -> Club:
    """Return the club of a log that begins with its opening, followed by these events."""
    return Club.of(entry(seq, event) for seq, event in enumerate((FOUNDED, *events), start=1))


def match(
    number: int, *totals: int, players: str = "ada bea ciro dora", game: str = "riparto",
    hands: int = 4, over: bool = True, terms: str = "usual",
) -> PlayedMatch:  # fmt: skip
    """Return a match of single players with these totals, all scored in the first hand."""
    scores = dict(zip(players.split(), totals, strict=False))
    best = tuple(side for side in scores if scores[side] == max(totals))
    paid = [PlayedHand(n + 1, scores if n == 0 else dict.fromkeys(scores, 0), False)
            for n in range(hands)]  # fmt: skip
    return PlayedMatch(
        number, game, terms, {side: (side,) for side in scores}, scores, best if over else (),
        over, not over, tuple(paid),
    )  # fmt: skip


def evening(day: str, *matches: PlayedMatch, session_id: str = "") -> PlayedEvening:
    """Return an evening that began at eight on a day of November."""
    players = {player for match_ in matches for side in match_.sides.values() for player in side}
    names = {player: player.capitalize() for player in sorted(players)}
    at = f"2026-11-{day}T20:00:00.000Z"
    return PlayedEvening(session_id or f"evening{day}", "Friday", at, f"first{day}", "head", 60,
                         names, matches, day=DayOfPlay(at=at), opened=at)  # fmt: skip


def attended(evenings: Iterable[PlayedEvening], *guests: str) -> list[AttendedEvening]:
    """Return evenings at which all players except these guests are members under their own ids."""
    return [
        AttendedEvening(
            evening_, {player: None if player in guests else player for player in evening_.names}
        )
        for evening_ in evenings
    ]


def of_november(
    by: str = "points", games: tuple[str, ...] = ("riparto",), **ranking: Any
) -> Season:
    """Return a season of November."""
    ties: Mapping[str, Any] = ranking
    return Season("s", "November", "2026-11-01", "2026-11-30", games, Ranking(by, **ties), 2)
