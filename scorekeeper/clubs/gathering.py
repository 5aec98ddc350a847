"""The evenings of a season from log files alone, without a club: who is who goes by id and name."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.figures import Attended
from scorekeeper.clubs.roll import plain


class TwinLog(NamedTuple):
    """A log that tells of an evening of which another one tells, too."""

    left_out: str
    instead: str


class Gathering:
    """Evenings as they are found, each once; ``names`` are those of all who played."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.twins: list[TwinLog] = []
        self._evenings: dict[str, PlayedEvening] = {}  # by the hash of the first event, or a name
        self._people: dict[tuple[str, str], str] = {}

    def add(self, evening: PlayedEvening) -> None:
        """Take an evening in; of two logs of the same evening the longer one."""
        begins = evening.first or evening.session_id
        known = self._evenings.get(begins)
        if known is not None:
            longer, other = (evening, known) if evening.events > known.events else (known, evening)
            self.twins.append(TwinLog(other.session_id, longer.session_id))
            evening = longer
        self._evenings[begins] = evening

    def attended(self) -> Iterator[Attended]:
        """The evenings with who is who in them: the same id and the same name are one person."""
        for evening in self._evenings.values():
            whose = {player: self._person(player, name) for player, name in evening.names.items()}
            yield Attended(evening, whose)

    def _person(self, player: str, name: str) -> str:
        key = player, plain(name)
        if key not in self._people:
            taken = player in self.names
            person = f"{player}~{len(self._people)}" if taken else player
            self._people[key] = person
            self.names[person] = name
        return self._people[key]

    def alike(self) -> Iterator[tuple[str, ...]]:
        """Who may be one person and is not taken for one: the same name, or the same id."""
        for which in (1, 0):
            groups: dict[str, list[str]] = {}
            for key, person in self._people.items():
                groups.setdefault(key[which], []).append(f"{self.names[person]} ({key[0]})")
            yield from (tuple(group) for group in groups.values() if len(group) > 1)

    def told_apart(self) -> Mapping[str, str]:
        """The names, with the id behind those that several bear."""
        bear = Counter(plain(name) for name in self.names.values())
        return {
            person: f"{name} ({person})" if bear[plain(name)] > 1 else name
            for person, name in self.names.items()
        }
