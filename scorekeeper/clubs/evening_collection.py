"""The evenings of log files, without a club: the persons are those who a club would have."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.identities import choose_account
from scorekeeper.clubs.tournament_tables import TournamentTables, attend_tables
from scorekeeper.clubs.values import EnteredTournament, normalize_name
from scorekeeper.events.names import fold_name


class DuplicateLog(NamedTuple):
    """A log that was left out because another log has the same evening."""

    left_out: str
    instead: str


class EveningCollection:
    """Evenings without duplicates; ``names`` are those of all players by person, all different."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.duplicates: list[DuplicateLog] = []
        self._taken_names: set[str] = set()  # folded
        self._evenings: dict[str, PlayedEvening] = {}  # by the hash of the first event, or a name
        self._person_by_key: dict[tuple[str, str], str] = {}  # by id and name
        self._person_by_name: dict[str, str] = {}
        self._tournaments: dict[str, TournamentTables] = {}  # by the hash of the first event

    def add(self, evening: PlayedEvening) -> None:
        """Add an evening; if there are two logs of it, keep the longer one."""
        first = evening.first or evening.session_id
        known = self._evenings.get(first)
        if known is not None:
            longer, other = (evening, known) if evening.events > known.events else (known, evening)
            self.duplicates.append(DuplicateLog(other.session_id, longer.session_id))
            evening = longer
        self._evenings[first] = evening

    def add_tournament(self, known: TournamentTables) -> None:
        """Add a tournament, whose tables are one evening; of two logs keep the longer one."""
        before = self._tournaments.get(known.first)
        if before is None or before.events < known.events:
            self._tournaments[known.first] = known

    def list_attended(self) -> Iterator[AttendedEvening]:
        """Yield the evenings with their players.

        The same name is the same person. Two players of one evening never are: each is the person
        with the same id and name, if there is one.
        """
        tables = set[str]()
        for first, known in self._tournaments.items():
            yield from self._attend_tournament(first, known, tables)
        for first, evening in self._evenings.items():
            if first in tables:
                continue
            member_of: dict[str, str | None] = {}
            for player, name in evening.names.items():
                member_of[player] = self._identify(player, name, member_of.values())
            yield AttendedEvening(evening, member_of)

    def _attend_tournament(
        self, first: str, known: TournamentTables, tables: set[str]
    ) -> Iterator[AttendedEvening]:
        """Yield the tables of a tournament whose logs are here, and add them to ``tables``."""
        here = {
            session_id: self._evenings[hash_]
            for session_id, hash_ in known.firsts.items()
            if hash_ in self._evenings and hash_ not in tables
        }
        seats = {
            (seat.entrant, seat.player)
            for session_id in here
            for seat in known.tables[session_id].seats.values()
            if seat.player
        }
        people: dict[str, dict[str, str | None]] = {}
        seated: list[str | None] = []
        for entrant_id, entrant in known.entrants.items():
            for player, name in entrant.players.items():
                if (entrant_id, player) in seats:
                    person = self._identify(player, name, seated)
                    people.setdefault(entrant_id, {})[player] = person
                    seated.append(person)
        tables.update(evening.first for evening in here.values())
        yield from attend_tables(EnteredTournament(first, people, 0), known, here)

    def _identify(self, player: str, name: str, seated: Collection[str | None]) -> str:
        """Return the person that a player is, a new one if nobody fits who is not ``seated``."""
        key = player, normalize_name(name)
        known = self._person_by_key.get(key), self._person_by_name.get(key[1])
        person = next((person for person in known if person and person not in seated), None)
        if person is None:
            person, free_name = choose_account(player, name, self.names, self._taken_names)
            self.names[person] = free_name
            self._taken_names.add(fold_name(free_name))
            self._person_by_name[normalize_name(free_name)] = person
        self._person_by_key[key] = person
        return person

    def find_lookalikes(self) -> Iterator[tuple[str, ...]]:
        """Yield groups of persons who share a name or an id, and so might be the same person."""
        for position in (1, 0):
            groups: dict[str, dict[str, str]] = {}
            for key, person in self._person_by_key.items():
                group = groups.setdefault(key[position], {})
                name, ending = self.names[person], f" ({key[0]})"
                group.setdefault(person, name.removesuffix(ending) + ending)
            yield from (tuple(group.values()) for group in groups.values() if len(group) > 1)
