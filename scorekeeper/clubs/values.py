"""The values of a club's state: members, evenings, seasons, payments and house rules."""

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.unicode_14 import change_assigned
from scorekeeper.clubs.events import Ranking


@dataclass(frozen=True, slots=True)
class Member:
    """A member or guest, also one who left."""

    id: str
    name: str
    left: bool = False
    guest: bool = False


class EnteredEvening(NamedTuple):
    """An evening that counts: from each of its players to a member or guest.

    None is for a player without an account.
    """

    session_id: str
    players: Mapping[str, str | None]
    seq: int


EntrantMember = str | Mapping[str, str | None] | None  # for each player, or for the only one


class EnteredTournament(NamedTuple):
    """A tournament that counts: from each entrant to a member or guest, or for each player."""

    tournament_id: str
    entrants: Mapping[str, EntrantMember]
    seq: int

    def list_people(self) -> Iterator[tuple[str, str, str | None]]:
        """Yield each entrant with a player and the member or guest that the player is.

        The player of an entrant with a single value is called as the entrant.
        """
        for entrant, people in self.entrants.items():
            if isinstance(people, Mapping):
                yield from ((entrant, player, member) for player, member in people.items())
            else:
                yield entrant, entrant, people

    def rename(self, get_id: Callable[[str], str]) -> "EnteredTournament":
        """Return the same tournament with other ids of its members and guests."""

        def name(member: str | None) -> str | None:
            return None if member is None else get_id(member)

        return self._replace(
            entrants={
                entrant: {player: name(member) for player, member in people.items()}
                if isinstance(people, Mapping) else name(people)
                for entrant, people in self.entrants.items()
            }
        )  # fmt: skip


class Adjustment(NamedTuple):
    """Points that the club gave a member in a season, or took away."""

    season: str
    member: str
    points: int
    reason: str
    seq: int


@dataclass(frozen=True, slots=True)
class Season:
    """A season as it was opened; after its close with its evenings as they were ``entered`` then.

    ``tournaments`` are those of that time. ``heads`` has for each of these, and for each table of
    the tournaments, the hash of its last event at the close. ``guests``, ``adjustments`` and
    ``zone`` are those of the close. It was recorded at ``closed_at``, which is
    empty if no time is known.
    """

    id: str
    name: str
    start: str
    to: str | None
    games: tuple[str, ...]
    ranking: Ranking
    seq: int
    heads: Mapping[str, str] | None = None
    entered: Mapping[str, EnteredEvening] = field(default_factory=dict)
    closed_at: str = ""
    guests: frozenset[str] = frozenset()
    adjustments: tuple[Adjustment, ...] = ()
    zone: str | None = None
    tournaments: Mapping[str, EnteredTournament] = field(default_factory=dict)

    def get_zone_at_close(self, present: ZoneInfo) -> ZoneInfo:
        """Return the time zone that decides the order of the final table's evenings."""
        return ZoneInfo(self.zone) if self.zone else present

    def includes_day(self, day: str) -> bool:
        """Return whether an evening of that day belongs to this season."""
        return self.start <= day and (self.to is None or "" < day <= self.to)


class RecordedPayment(NamedTuple):
    """Money that changed hands, in minor units."""

    payer: str
    payee: str
    amount: int
    note: str | None
    seq: int
    at: str


class KeptHouseRules(NamedTuple):
    """House rules of a game that the club keeps under a name.

    Another program may have written them, so the game and the options may be unknown here.
    """

    name: str
    game: str
    options: JsonObject
    seq: int


@lru_cache(maxsize=4096)  # a new name is compared with those of all members
def normalize_name(name: str) -> str:
    """Return a name as people hear it, without case, width variants and surrounding spaces."""
    return " ".join(change_assigned(name, _fold_case).split())


def _fold_case(name: str) -> str:
    """Return a text without case and width variants (NFKC)."""
    return unicodedata.normalize("NFKC", name).casefold()
