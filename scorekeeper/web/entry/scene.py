"""What the values of a form are of: a match, one of its hands, the names of all who are there."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.cards.packs import Card, Pack
from scorekeeper.events.event import Entry
from scorekeeper.events.fields import Kind, Part, PlayerId, SideId, Whom
from scorekeeper.play.deal import Deal
from scorekeeper.report.narration import NarratedTrick
from scorekeeper.session.matches import MatchRecord
from scorekeeper.web.entry.labels import short_labels

# Players or sides in the order of their seats, each with its members.
Ring = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """What values are of: a match, one of its hands, and the names of all who are there.

    ``table`` is the trick that lies there; ``taken`` is how many each took, where each plays for
    himself.
    """

    names: Mapping[str, str]
    match: MatchRecord | None = None
    deal: Deal | None = None
    table: NarratedTrick | None = None
    taken: Mapping[str, int] = field(default_factory=dict)

    @property
    def pack(self) -> Pack | None:
        """The pack of the match."""
        return self.match.pack if self.match else None

    @property
    def entries(self) -> Sequence[Entry]:
        """What is on record of the hand."""
        hands = self.match.hands if self.match else ()
        return next((one.entries for one in hands if one.deal is self.deal), ())

    def can_be(self, part: Part, value: Any) -> bool:
        """Whether a value can stand in a field at this table."""
        return self.deal is None or self.deal.can_be(part.name, value)

    def ring(self, whom: Whom) -> Ring:
        """All who sit, or are there, in the order of their seats."""
        seated = self.match is not None and whom is not Whom.SESSION
        order = self.match.seats if self.match and seated else self.names
        return tuple((one, (one,)) for one in order)

    def players(self, whom: Whom) -> tuple[str, ...]:
        """Those whom a field may name, in the order of their seats."""
        ring = tuple(one for one, _ in self.ring(whom))
        if whom is Whom.ACTIVE and self.deal is not None:
            return tuple(one for one in ring if one in self.deal.table.players)
        return ring

    def sides(self, kind: Kind) -> tuple[Collection[str], Ring]:
        """The sides, parties or players that a field is about; and the ring that they are of."""
        if isinstance(kind, PlayerId):
            return self.players(kind.whom), self.ring(kind.whom)
        of = self.match.sides if self.match else {}
        ring = tuple((side, tuple(members)) for side, members in of.items())
        counted = isinstance(kind, SideId) and kind.counted
        if counted and self.deal is not None:
            sides, order = self.deal.counted_sides(), list(of)
            return (sorted(sides, key=order.index), ring) if set(sides) <= set(of) else (sides, ())
        return tuple(of), ring

    def called(self, some: Collection[str], room: float) -> dict[str, str]:
        """What players or sides are called on buttons of such a width, in em."""
        return short_labels(some, self.names, self.match, room)

    def seen(self) -> Collection[Card]:
        """The cards that somebody has played."""
        return self.deal.first if self.deal else ()

    def unseen(self) -> list[Card]:
        """The cards that nobody has played."""
        return [card for card in (self.pack.cards if self.pack else ()) if card not in self.seen()]
