"""The evenings of log files, without a club: equal names mean the same person, as in a club."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.values import normalize_name


class DuplicateLog(NamedTuple):
    """A log that was left out because another log has the same evening."""

    left_out: str
    instead: str


class EveningCollection:
    """Evenings without duplicates; ``names`` are those of all players, by person."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.duplicates: list[DuplicateLog] = []
        self._evenings: dict[str, PlayedEvening] = {}  # by the hash of the first event, or a name
        self._person_by_key: dict[tuple[str, str], str] = {}  # by id and name
        self._person_by_name: dict[str, str] = {}  # the first one

    def add(self, evening: PlayedEvening) -> None:
        """Add an evening; if there are two logs of it, keep the longer one."""
        first = evening.first or evening.session_id
        known = self._evenings.get(first)
        if known is not None:
            longer, other = (evening, known) if evening.events > known.events else (known, evening)
            self.duplicates.append(DuplicateLog(other.session_id, longer.session_id))
            evening = longer
        self._evenings[first] = evening

    def list_attended(self) -> Iterator[AttendedEvening]:
        """Yield the evenings with their players.

        The same name is the same person. Two players of one evening never are: each is the person
        with the same id and name, if there is one.
        """
        for evening in self._evenings.values():
            member_of: dict[str, str | None] = {}
            for player, name in evening.names.items():
                member_of[player] = self._identify(player, name, member_of.values())
            yield AttendedEvening(evening, member_of)

    def _identify(self, player: str, name: str, seated: Collection[str | None]) -> str:
        """Return the person that a player is, a new one if nobody fits who is not ``seated``."""
        key = player, normalize_name(name)
        known = self._person_by_key.get(key), self._person_by_name.get(key[1])
        person = next((person for person in known if person and person not in seated), None)
        if person is None:
            taken = player in self.names
            person = f"{player}~{len(self._person_by_key)}" if taken else player
            self.names[person] = name
        self._person_by_key[key] = person
        self._person_by_name.setdefault(key[1], person)
        return person

    def find_lookalikes(self) -> Iterator[tuple[str, ...]]:
        """Yield groups of persons who share a name or an id, and so might be the same person."""
        for position in (1, 0):
            groups: dict[str, dict[str, str]] = {}
            for key, person in self._person_by_key.items():
                group = groups.setdefault(key[position], {})
                group.setdefault(person, f"{self.names[person]} ({key[0]})")
            yield from (tuple(group.values()) for group in groups.values() if len(group) > 1)

    def make_unique_names(self) -> Mapping[str, str]:
        """Return the names by person, with the id appended to names that several have."""
        counts = Counter(normalize_name(name) for name in self.names.values())
        return {
            person: f"{name} ({person})" if counts[normalize_name(name)] > 1 else name
            for person, name in self.names.items()
        }
