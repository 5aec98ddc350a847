"""Random events of every type that a game declares, about existing players and cards."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask.testing import FlaskClient

from scorekeeper.events.corrections import CORRECTIONS
from scorekeeper.events.fields import (
    AnyOf,
    Anything,
    CardCode,
    Currency,
    Day,
    Declared,
    Each,
    Flag,
    Kind,
    Many,
    Nested,
    OneOf,
    PlayerId,
    SideId,
    Whole,
    Words,
    parts_of,
)
from scorekeeper.games import GAMES
from tests.api.asking import client_of
from tests.evenings import Raw, event

# Higher limits for tests that send so much.
PATIENT: Final[dict[str, Any]] = {
    "key_events_a_minute": 10**6, "session_events_a_minute": 10**6, "sessions_an_hour": 10**6,
    "imported_megabytes_an_hour": 10**6,
}  # fmt: skip


def patient() -> FlaskClient:
    """Return a client of an application with high limits."""
    return client_of(**PATIENT)


@dataclass(frozen=True)
class TableValues:
    """The values that events at a table can contain: players, sides, cards and seqs."""

    rng: random.Random
    game: str
    seats: Sequence[str]
    sides: Sequence[str]
    cards: Sequence[str]
    version: int

    def events(self, each: int) -> Iterator[Raw]:
        """Yield events of each type and form; most of them could be recorded somewhere."""
        for kind, declared in GAMES[self.game].by_type.items():
            if kind not in {correction.TYPE for correction in CORRECTIONS}:
                forms = list(declared.values()) if isinstance(declared, dict) else [declared]
                for form in forms * each:
                    yield event(kind, **self.data_of(form))
        for kind in (correction.TYPE for correction in CORRECTIONS):
            for _ in range(each):
                yield self.correction(kind)

    def correction(self, kind: str) -> Raw:
        """Return a correction of a random event."""
        name = "after" if kind == "event_inserted" else "seq"
        what: Raw = {name: self.rng.randint(2, self.version), "reason": "so it was"}
        if kind != "event_struck":
            type_, declared = self.rng.choice(list(GAMES[self.game].by_type.items()))
            what |= event(type_, **self.data_of(declared))
        return event(kind, **what)

    def data_of(self, declared: Any) -> Raw:
        """Return the data of an event, sometimes without optional fields."""
        if isinstance(declared, dict):
            declared = self.rng.choice(list(declared.values()))
        return {
            part.name: self.value(part.kind)
            for part in parts_of(declared)
            if not part.optional or self.rng.random() < 0.5
        }

    def value(self, kind: Kind) -> Any:
        """Return a value that fits the declaration and exists at the table."""
        return MAKE[type(kind)](self, kind)

    def whole(self, kind: Whole) -> int:
        most = self.version if kind.low == 1 else self.rng.choice((3, 15, 120))
        return self.rng.randint(max(kind.low, -most), max(kind.low, min(kind.high, most)))

    def words(self, kind: Words) -> str:
        return self.game if kind.name else "so it was"

    def one_of(self, kind: OneOf) -> Any:
        return self.rng.choice(kind.values)

    def many(self, kind: Many) -> list[Any]:
        size = self.rng.choice(sorted(kind.sizes) or [kind.fewest, kind.fewest + 2])
        values = [self.value(kind.of) for _ in range(size)]
        return list(dict.fromkeys(values)) if kind.unique else values

    def each(self, kind: Each) -> Raw:
        return {self.value(kind.key): self.value(kind.of) for _ in range(self.rng.randint(1, 3))}

    def nested(self, kind: Nested) -> Raw:
        declared: type[Declared] = kind.of
        if declared.__name__ == "Correction":
            return self.correction(self.rng.choice(CORRECTIONS).TYPE)
        return self.data_of(declared)


MAKE: dict[type[Kind], Callable[[TableValues, Any], Any]] = {
    Whole: TableValues.whole,
    Words: TableValues.words,
    Flag: lambda there, kind: kind.only_true or there.rng.random() < 0.5,
    OneOf: TableValues.one_of,
    AnyOf: lambda there, kind: there.value(there.rng.choice(kind.kinds)),
    PlayerId: lambda there, kind: there.rng.choice(there.seats),
    SideId: lambda there, kind: there.rng.choice(there.sides),
    CardCode: lambda there, kind: there.rng.choice(there.cards),
    Many: TableValues.many,
    Each: TableValues.each,
    Nested: TableValues.nested,
    Anything: lambda there, kind: {},
    Currency: lambda there, kind: there.rng.choice(("EUR", "CHF")),
    Day: lambda there, kind: f"2026-11-{there.rng.randint(10, 30)}",
}
