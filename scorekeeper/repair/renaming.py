"""Event data in which players and sides have other ids."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.event import Event
from scorekeeper.events.fields import (
    Declared,
    Each,
    Kind,
    Many,
    Nested,
    PlayerId,
    SideId,
    parts_of,
)
from scorekeeper.log import codec


@dataclass(frozen=True, slots=True)
class NewIds:
    """The new ids of players and of sides, by the old ones; other ids stay."""

    players: Mapping[str, str] = field(default_factory=dict)
    sides: Mapping[str, str] = field(default_factory=dict)

    def rename_event(self, event: Event) -> JsonObject:
        """Return the data of an event with the new ids."""
        return self._rename_object(type(event), codec.encode(event))

    def _rename_object(self, declared: type[Declared], data: JsonObject) -> JsonObject:
        """Return the data of a declaration with the new ids."""
        kinds = {part.log_name: part.kind for part in parts_of(declared)}
        return {
            name: self._rename(kinds[name], value) if name in kinds else value
            for name, value in data.items()
        }

    def _rename(self, kind: Kind, value: Any) -> Any:
        """Return a value of a kind with the new ids."""
        match kind:
            case PlayerId():
                return self.players.get(value, value)
            case SideId():
                return self.sides.get(value, value)
            case Many():
                return [self._rename(kind.of, item) for item in value]
            case Each():
                return {
                    self._rename(kind.key, key): self._rename(kind.of, item)
                    for key, item in value.items()
                }
            case Nested():
                return self._rename_object(kind.of, value)
        return value
