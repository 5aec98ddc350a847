"""The books of a club: its roll, and what each of its evenings comes to, at one moment."""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final
from zoneinfo import ZoneInfo

from scorekeeper.clubs.closed import NOW, THEN, Closed, at_close, closed
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.events import Ranking
from scorekeeper.clubs.figures import Attended, Countings
from scorekeeper.clubs.ledger import Ledger, ledgers
from scorekeeper.clubs.roll import Roll, Season
from scorekeeper.clubs.season import Standings, in_order, of_season, standings

EVER: Final = "ever"  # the id of what a club without a season is ranked by: all its evenings
OF_A_TAG: Final = 12  # letters


def tag(
    events: int,
    head: str,
    evenings: Iterable[tuple[str, str]],
    lost: Iterable[str],
    stopped: Iterable[str],
) -> str:
    """Return a text that changes with a club and with the heads of its evenings.

    It changes, too, with the ``lost``, evenings of closed seasons that cannot be read, and with
    those that the club no longer follows.
    """
    heads = "".join(f"{session_id}{end}" for session_id, end in evenings) + "".join(lost)
    heads += "".join(f"{session_id}!" for session_id in sorted(stopped))
    return f"{events}-{sha256((head + heads).encode()).hexdigest()[:OF_A_TAG]}"


@dataclass(frozen=True, slots=True)
class Books:
    """A club as it stands; only for as long as nobody records in it.

    ``evenings`` has those that are entered and can be read here, ``unread`` why others cannot;
    ``then`` has evenings as they stood when a season was closed, by session and head.
    ``countings`` remember what evenings brought when its tables were made last. ``stopped`` are the
    evenings that the club no longer follows: of what came later it reads nothing.
    """

    roll: Roll
    events: int
    head: str
    evenings: Mapping[str, PlayedEvening] = field(default_factory=dict)
    then: Mapping[tuple[str, str], PlayedEvening] = field(default_factory=dict)
    unread: Mapping[str, str] = field(default_factory=dict)
    countings: Countings = field(default_factory=Countings)
    stopped: frozenset[str] = frozenset()

    @property
    def tag(self) -> str:
        """The same text as long as nothing changes in the club or in one of its evenings."""
        heads = ((one.session_id, one.head) for one in self.evenings.values())
        lost = (session_id for session_id, _ in self.lost())
        return tag(self.events, self.head, heads, lost, self.stopped)

    def lost(self) -> Iterator[tuple[str, str]]:
        """The evenings of closed seasons that cannot be read here, and at which heads."""
        for season in self.roll.seasons.values():
            yield from (place for place in (season.heads or {}).items() if place not in self.then)

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
            evening = self.evenings.get(entered.session_id)
            if evening is not None:
                yield Attended(evening, self.roll.played_as(entered))

    def attended_then(self, season: Season) -> list[Attended]:
        """The evenings of a season as they stood when it was closed, also those withdrawn since."""
        places = (season.heads or {}).items()
        played = {place[0]: self.then[place] for place in places if place in self.then}
        return at_close(self.roll, season, played)

    def played(self, season: Season | None = None) -> list[Attended]:
        """The evenings of a season in the order in which they were played, with its games alone.

        Those of a closed one are as they stood then. Without a season all are of it.
        """
        if season is None:
            return in_order(self.attended())
        if season.heads is None:
            there = of_season(season, self.attended(), self.zone)
        else:
            there = in_order(self.attended_then(season))
        return [one for one in (_of_games(one, season.games) for one in there)
                if one.evening.matches]  # fmt: skip

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
        given, countings = self.roll.adjustments, self.countings
        if season.heads is not None:
            then = countings.of(season.id, THEN)
            return standings(season, self.attended_then(season), None, given, then)
        now = countings.of(season.id, NOW)
        return standings(season, self.attended(), self.zone, given, now)

    def closed(self, season: Season) -> Closed:
        """A season that was closed: its final table, and what changed since."""
        return closed(season, self.attended_then(season), self.attended(), self.zone,
                      self.roll.adjustments, self.countings)  # fmt: skip

    def ledgers(self) -> list[Ledger]:
        """The money of the club by currency, its own first."""
        currency = self.roll.opened.currency if self.roll.opened else None
        return ledgers(in_order(self.attended()), self.roll.payments, currency)


def _of_games(one: Attended, games: Container[str]) -> Attended:
    """An evening as far as it was of these games."""
    matches = tuple(match for match in one.evening.matches if match.game in games)
    return one._replace(evening=one.evening._replace(matches=matches))
