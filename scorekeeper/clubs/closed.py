"""A season that was closed: its final table, and beside it what was corrected after the close.

The final table is that of the heads that its evenings had then. An evening that was withdrawn
or corrected later stands in it as it was; what stands now is told beside it, never in it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.figures import Attended, Countings
from scorekeeper.clubs.rankings import Figure
from scorekeeper.clubs.roll import Adjustment, Roll, Season
from scorekeeper.clubs.season import Standings, day_of, standings

THEN: Final = "then"  # at the close
NOW: Final = "now"


class MovedMember(NamedTuple):
    """A member whom a correction after the close would move: his figure and place, then and now.

    None stands for whoever is not in the table, or below its line.
    """

    member: str
    figure: Figure | None
    place: int | None
    figure_now: Figure | None
    place_now: int | None


@dataclass(frozen=True, slots=True)
class Closed:
    """The final table of a season, what it would be by now, and which evenings changed since.

    ``lost`` are those that were in the final table and cannot be read here any more, so that it
    has to do without them.
    """

    final: Standings
    now: Standings
    changed: tuple[str, ...]
    withdrawn: tuple[str, ...]
    entered: tuple[str, ...]
    lost: tuple[str, ...] = ()

    @property
    def moved(self) -> list[MovedMember]:
        """Whom that would move, in the order of the final table."""
        then = {row.member: (row.figure, row.place or None) for row in self.final.rows}
        now = {row.member: (row.figure, row.place or None) for row in self.now.rows}
        nothing: tuple[Figure | None, int | None] = (None, None)
        return [
            MovedMember(one, *then.get(one, nothing), *now.get(one, nothing))
            for one in dict.fromkeys((*then, *now))
            if then.get(one) != now.get(one)
        ]


def closed(
    season: Season,
    then: Iterable[Attended],
    now: Iterable[Attended],
    zone: ZoneInfo,
    adjustments: Iterable[Adjustment] = (),
    countings: Countings | None = None,
) -> Closed:
    """A closed season: ``then`` are its evenings at the heads of its close, ``now`` all that count.

    Which evenings belong to it was decided at the close; by now it is decided by their days. A
    season without a last day ended with its close: what was played after it is of no concern.
    ``countings`` remember from one time to the next what each evening brought.
    """
    countings = countings or Countings()
    given = list(adjustments)
    before, after = list(then), list(now)
    heads = {one.evening.session_id: one.evening.head for one in before}
    there = {one.evening.session_id: one.evening for one in after}
    ends = (season.closed_at, *(one.evening.began for one in before))
    ended = replace(season, to=season.to or max(day_of(at, zone) for at in ends))
    return Closed(
        final=standings(season, before, None, given, countings.of(season.id, THEN)),
        now=standings(ended, after, zone, given, countings.of(season.id, NOW)),
        changed=tuple(s for s, head in heads.items() if s in there and there[s].head != head),
        withdrawn=tuple(session_id for session_id in heads if session_id not in there),
        entered=tuple(
            session_id
            for session_id, one in there.items()
            if session_id not in heads
            and session_id not in season.entered
            and ended.holds(day_of(one.began, zone))
            and any(match.game in season.games and match.hands for match in one.matches)
        ),
        lost=tuple(session_id for session_id in season.entered if session_id not in heads),
    )


def at_close(roll: Roll, season: Season, played: Mapping[str, PlayedEvening]) -> list[Attended]:
    """The evenings of a closed season with who is who in them; ``played`` has them at their heads.

    Who was who is as at the close; a member who was merged later is the other one.
    """
    return [
        Attended(played[session_id], roll.played_as(entered))
        for session_id, entered in season.entered.items()
        if session_id in played
    ]
