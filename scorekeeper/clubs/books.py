"""The books of a club: its roll, and what each of its evenings comes to, at one moment."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final
from zoneinfo import ZoneInfo

from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.events import Ranking
from scorekeeper.clubs.roll import Entered, Roll, Season
from scorekeeper.clubs.season import Attended, Standings, standings

EVER: Final = "ever"  # the id of what a club without a season is ranked by: all its evenings
OF_A_TAG: Final = 12  # letters


@dataclass(frozen=True, slots=True)
class Books:
    """A club as it stands; only for as long as nobody records in it.

    ``evenings`` has those that are entered and can be read here, ``unread`` why others cannot;
    ``then`` has evenings as they stood when a season was closed, by session and head.
    """

    roll: Roll
    events: int
    head: str
    evenings: Mapping[str, PlayedEvening] = field(default_factory=dict)
    then: Mapping[tuple[str, str], PlayedEvening] = field(default_factory=dict)
    unread: Mapping[str, str] = field(default_factory=dict)

    @property
    def tag(self) -> str:
        """The same text as long as nothing changes in the club or in one of its evenings."""
        heads = "".join(f"{one.session}{one.head}" for one in self.evenings.values())
        return f"{self.events}-{sha256((self.head + heads).encode()).hexdigest()[:OF_A_TAG]}"

    @property
    def name(self) -> str:
        """What the club is called."""
        return self.roll.opened.name if self.roll.opened else ""

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which its days begin."""
        return ZoneInfo((self.roll.opened and self.roll.opened.zone) or "UTC")

    @property
    def names(self) -> dict[str, str]:
        """What each member is called, also those who left."""
        return {one.id: one.name for one in self.roll.members.values()}

    def attended(self) -> Iterator[Attended]:
        """The evenings with who was there, as they stand now."""
        for entered in self.roll.evenings.values():
            if entered.session in self.evenings:
                yield self._attended(entered, self.evenings[entered.session])

    def attended_then(self, season: Season) -> Iterator[Attended]:
        """The evenings of a season as they stood when it was closed."""
        for session, head in (season.heads or {}).items():
            evening, entered = self.then.get((session, head)), self.roll.evenings.get(session)
            if evening is not None and entered is not None:
                yield self._attended(entered, evening)

    def _attended(self, entered: Entered, evening: PlayedEvening) -> Attended:
        return Attended(evening, self.roll.played_as(entered))

    def season(self, season_id: str | None = None) -> Season | None:
        """A season by its id, else that which began last, or all evenings; None for no such one."""
        if season_id is not None:
            every = self.ever() if season_id == EVER else None
            return self.roll.seasons.get(season_id, every)
        begun = sorted(self.roll.seasons.values(), key=lambda one: (one.start, one.seq))
        return begun[-1] if begun else self.ever()

    def ever(self) -> Season:
        """All evenings as one season: by points where all is one game, else by places."""
        games = {match.game for one in self.evenings.values() for match in one.matches}
        ranking = Ranking("points" if len(games) == 1 else "places")
        return Season(EVER, "", "", None, tuple(sorted(games)), ranking, 0)

    def standings(self, season: Season) -> Standings:
        """The table of a season; of one that is closed, as it stood then."""
        there = self.attended() if season.heads is None else self.attended_then(season)
        return standings(season, there, self.zone, self.roll.adjustments)
