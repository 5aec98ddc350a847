"""The evenings of log files, without a club: players are identified by id and name."""

from collections import Counter
from collections.abc import Iterator, Mapping
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
        self._person_by_key: dict[tuple[str, str], str] = {}

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
        """Yield the evenings with their players: the same id and name are the same person."""
        for evening in self._evenings.values():
            member_of = {
                player: self._identify(player, name) for player, name in evening.names.items()
            }
            yield AttendedEvening(evening, member_of)

    def _identify(self, player: str, name: str) -> str:
        """Return the person with this id and name; a new pair is a new person."""
        key = player, normalize_name(name)
        if key not in self._person_by_key:
            taken = player in self.names
            person = f"{player}~{len(self._person_by_key)}" if taken else player
            self._person_by_key[key] = person
            self.names[person] = name
        return self._person_by_key[key]

    def find_lookalikes(self) -> Iterator[tuple[str, ...]]:
        """Yield groups of persons who share a name or an id, and so might be the same person."""
        for position in (1, 0):
            groups: dict[str, list[str]] = {}
            for key, person in self._person_by_key.items():
                groups.setdefault(key[position], []).append(f"{self.names[person]} ({key[0]})")
            yield from (tuple(group) for group in groups.values() if len(group) > 1)

    def make_unique_names(self) -> Mapping[str, str]:
        """Return the names by person, with the id appended to names that several have."""
        counts = Counter(normalize_name(name) for name in self.names.values())
        return {
            person: f"{name} ({person})" if counts[normalize_name(name)] > 1 else name
            for person, name in self.names.items()
        }
