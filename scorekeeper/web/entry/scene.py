"""The context of the values in a form: a match, one of its hands, and the names of all players."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

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
    """The context of the values in a form: a match, one of its hands, and the players' names.

    ``table`` is the current trick. ``taken`` is the number of tricks of each player, in games
    without partners.
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
        """The entries of the hand."""
        hands = self.match.hands if self.match else ()
        return next((hand.entries for hand in hands if hand.deal is self.deal), ())

    def can_be(self, part: Part, value: object) -> bool:
        """Return whether a value is possible in a field at this table."""
        return self.deal is None or self.deal.can_be(part.name, value)

    def ring(self, whom: Whom) -> Ring:
        """Return each player with their id as only member, in the order of their seats.

        They are the players at the table, or of the whole session.
        """
        seated = self.match is not None and whom is not Whom.SESSION
        order = self.match.seats if self.match and seated else self.names
        return tuple((player, (player,)) for player in order)

    def players(self, whom: Whom) -> tuple[str, ...]:
        """Return the ids of players that a field may name, in the order of their seats."""
        ring = tuple(player for player, _ in self.ring(whom))
        if whom is Whom.ACTIVE and self.deal is not None:
            return tuple(player for player in ring if player in self.deal.table.players)
        return ring

    def sides(self, kind: Kind) -> tuple[Collection[str], Ring]:
        """Return the sides, parties or players that a field may name, and the ring of all."""
        if isinstance(kind, PlayerId):
            return self.players(kind.whom), self.ring(kind.whom)
        members_of = self.match.sides if self.match else {}
        ring = tuple((side, tuple(members)) for side, members in members_of.items())
        counted = isinstance(kind, SideId) and kind.counted
        if counted and self.deal is not None:
            sides, order = self.deal.counted_sides(), list(members_of)
            return (
                (sorted(sides, key=order.index), ring)
                if set(sides) <= set(members_of)
                else (sides, ())
            )
        return tuple(members_of), ring

    def called(self, ids: Collection[str], width: float) -> dict[str, str]:
        """Return the labels of players or sides, each short enough for a button of `width` em."""
        return short_labels(ids, self.names, self.match, width)

    def played_cards(self) -> Collection[Card]:
        """Return the cards that have been played."""
        return self.deal.first if self.deal else ()

    def unplayed_cards(self) -> list[Card]:
        """Return the cards that have not been played."""
        return [
            card
            for card in (self.pack.cards if self.pack else ())
            if card not in self.played_cards()
        ]
