"""The record of one hand, as far as it is the same in every game.

A :class:`Deal` is what the entries of one hand amount to: its tricks, its counts, what was
claimed. The fold (:mod:`scorekeeper.play.folding`) only writes down; what it amounts to is asked
afterwards. A game's own deal adds its fields, says which card wins a trick, and which totals are
fixed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from scorekeeper.base.cached import cached_names, cached_property
from scorekeeper.cards.packs import Card
from scorekeeper.cards.tricks import Play, Trick, Tricks, strongest
from scorekeeper.events.event import Entry
from scorekeeper.events.playing import PointsCounted
from scorekeeper.play.counts import Count, with_the_rest
from scorekeeper.play.scoring import Basis, Result, Text
from scorekeeper.play.table import Table


@dataclass(slots=True, eq=False)
class WonTrick:
    """A trick with its winner: by its cards where they are all on record, else as said."""

    number: int
    player: str
    events: tuple[int, ...]
    trick: Trick | None = None  # None where it was only claimed with the rest
    full: bool = False  # all its cards are on record
    best: Play | None = None  # the play that won it, where its cards decide


class RecordedEvent(NamedTuple):
    """An event kept with its seq."""

    seq: int
    event: Any

    @property
    def player(self) -> str:
        """Whose event it is."""
        who: str = self.event.player
        return who


class Contract(NamedTuple):
    """What a hand is played for, and by whom; ``open`` while somebody may still bid more.

    ``declared``: the figure is a declaration that its player has to meet, and not a bid.
    """

    player: str
    figure: str | int
    open: bool
    declared: bool = False


class ShownCards(NamedTuple):
    """Cards that a player held when a given number of cards had been played.

    ``trick`` is the number of the trick that was being played then, or came next.
    """

    seq: int
    player: str
    cards: tuple[Card, ...]
    after: int
    trick: int = 1


class ClaimOfRest(NamedTuple):
    """A claim of the rest, with the numbers of the tricks that had a winner on record by then."""

    seq: int
    player: str
    before: frozenset[int]


class PointsTaken(NamedTuple):
    """The points of a hand by counted side, the finest record that has them, and its events."""

    points: dict[str, int]
    basis: Basis
    proof: tuple[int, ...]


class Deal:
    """What is on record of one hand."""

    TOTALS: ClassVar[tuple[int, ...]] = ()  # the totals that a count of points may make

    def __init__(self, table: Table, tricks: int) -> None:
        self.table = table
        self.standing: Any = None  # the score of the match before the hand
        self.entries: list[Entry] = []  # all of them, in the order of the record
        self.tricks = Tricks(len(table.players), tricks)
        self.plays: list[Play] = []  # every card played, in the order of the record
        self.first: dict[Card, Play] = {}  # the first play of each card
        self.again: list[Play] = []  # plays of a card that had been played before
        self.counts: list[RecordedEvent] = []
        self.outcomes: list[RecordedEvent] = []
        self.claims: list[RecordedEvent] = []
        self.shown: list[ShownCards] = []
        self.rest: RecordedEvent | None = None  # the claim that stands, which is the last
        self.rests: list[ClaimOfRest] = []
        self.abandoned: RecordedEvent | None = None
        self.result = Result()

    # -------------------------------------------------------------- what the game must say

    def strength(self, trick: Trick) -> Mapping[Card, int]:
        """How strong each card is in this trick; a card that cannot win has no strength."""
        raise NotImplementedError("the Deal of a game with tricks says the strength of cards")

    def totals(self) -> tuple[int, ...]:
        """The totals that a count of points may make; empty where none is fixed."""
        return self.TOTALS

    def total(self) -> int | None:
        """The total that a count of points makes, where there is only one."""
        totals = self.totals()
        return totals[0] if len(totals) == 1 else None

    @property
    def first_leader(self) -> str | None:
        """Who leads to the first trick: eldest (G2). None where that is not on record."""
        return self.table.eldest

    @property
    def proof_of_first_leader(self) -> tuple[int, ...]:
        """The events that say who leads to the first trick, where they do."""
        return ()

    def counted_sides(self) -> tuple[str, ...]:
        """The sides that a count is given for."""
        return tuple(self.table.sides)

    def counted_side(self, player: str) -> str | None:
        """The side that a player's tricks are counted for, None where it is not known."""
        return self.table.side_of[player]

    @property
    def tells_kinds(self) -> bool:
        """Whether it matters at this table what kind of hand is abandoned."""
        return False

    def marks_of_nothing(self) -> Any:
        """What a match must know of a hand that was abandoned."""
        return None

    def stakes(self) -> Text | None:
        """What the table must know of this hand before it is played, where it pays otherwise."""
        return None

    @property
    def times(self) -> int:
        """How many times as much the hand pays as what was played in it: 1 unless it is doubled."""
        return 1

    def can_be(self, field: str, value: Any) -> bool:
        """Whether a value can stand in a field of an event at this table, by its options."""
        return True

    def points_made(self) -> Mapping[str, int] | None:
        """Points by counted side as the tricks on record make them; None where they do not."""
        return None

    def points_at_least(self) -> Mapping[str, int]:
        """Points that the tricks on record already prove, by counted side."""
        return {}

    def points_of_tricks(self, tricks: int) -> range | None:
        """Return the points that a side with this many tricks can have; None where any."""
        return None

    @property
    def contract(self) -> Contract | None:
        """The highest bid that has effect; None without one, and in games without bids."""
        return None

    def contract_made(self) -> bool | None:
        """Whether the contract was made by the tricks or the count; None where neither says."""
        return None

    def contract_ended(self) -> bool | None:
        """Whether the contract was made, as it was said where neither tricks nor count say it."""
        made = self.contract_made()
        return self.outcomes[-1].event.made if made is None and self.outcomes else made

    def held(self) -> Sequence[ShownCards]:
        """What players held according to the record: the cards that they showed."""
        return self.shown

    # --------------------------------------------------------------------------- face down

    @property
    def played_out(self) -> bool:
        """Whether the play is over by what everybody sees, so that all cards are turned up."""
        return bool(self.counts or self.outcomes) or self.abandoned is not None or self.all_tricks

    def face_down(self, kind: str) -> bool:
        """Whether what can lie face down in an event of this type still does."""
        return not (self.played_out or self.result.complete or self.result.abandoned)

    # ------------------------------------------------------------------- what it amounts to

    def name(self, player: str) -> str:
        """What the others call a player, or a side."""
        return self.table.name(player)

    def decided(self, trick: Trick) -> bool:
        """Whether the cards of a trick, which are all on record, say who won it."""
        return True

    def winner(self, trick: Trick) -> Play:
        """Who wins a trick that its cards decide."""
        return strongest(trick.plays, self.strength(trick))

    def forget(self) -> None:
        """Forget what was worked out, before more is asked after another entry."""
        for name in cached_names(type(self)):
            self.__dict__.pop(name, None)

    @cached_property
    def prompted(self) -> dict[Any, Any]:
        """What can be recorded next, as far as that was asked: prompts by level of detail."""
        return {}

    @cached_property
    def places(self) -> dict[int, int]:
        """The place of each entry in the corrected record, by its seq."""
        return {entry.seq: place for place, entry in enumerate(self.entries)}

    @cached_property
    def winning(self) -> dict[int, Play]:
        """The plays that won, of the tricks that their cards decide, by the number of the trick."""
        return {won.number: won.best for won in self.won if won.best is not None}

    @cached_property
    def won(self) -> list[WonTrick]:
        """The tricks on record with their winners, in order of number."""
        won = []
        for trick in self.tricks:
            number, full = trick.number, len(trick.plays) == self.tricks.players
            events = tuple([play.seq for play in trick.plays])
            if full and self.decided(trick):
                best = self.winner(trick)
                won.append(WonTrick(number, best.player, events, trick, full, best))
            elif trick.named_winners:
                said = trick.named_winners[0]
                won.append(WonTrick(number, said.player, (*events, said.seq), trick, full))
        if self.rest is not None:
            have = {one.number for one in won}
            player, events = self.rest.event.player, (self.rest.seq,)
            others = (n for n in range(1, self.tricks.total + 1) if n not in have)
            won += [WonTrick(number, player, events) for number in others]
            won.sort(key=lambda one: one.number)
        return won

    @cached_property
    def all_tricks(self) -> bool:
        """Whether every trick of the hand has a winner on record."""
        return len(self.won) == self.tricks.total

    @cached_property
    def all_cards(self) -> bool:
        """Whether every card of the play is on record."""
        return self.all_tricks and all(won.full for won in self.won)

    @cached_property
    def points_known(self) -> bool:
        """Whether all card points are on record: every trick by its cards, or in the rest."""
        return self.all_tricks and all(won.full or won.trick is None for won in self.won)

    @cached_property
    def plays_by(self) -> Mapping[str, list[Play]]:
        """The cards that each player played, in the order of the record."""
        plays: dict[str, list[Play]] = {player: [] for player in self.table.players}
        for play in self.plays:
            plays[play.player].append(play)
        return plays

    @cached_property
    def held_by(self) -> Mapping[str, list[ShownCards]]:
        """What each player held according to the record, of those of whom anything is known."""
        held: dict[str, list[ShownCards]] = {}
        for one in self.held():
            held.setdefault(one.player, []).append(one)
        return held

    def plays_of(self, card: Card) -> list[Play]:
        """The plays of a card: none, one, or more where the record has it twice."""
        if card not in self.first:
            return []
        return [self.first[card], *[play for play in self.again if play.card is card]]

    def fallen(self, cards: Iterable[Card]) -> list[Play]:
        """The first play of each of these cards that is on record as played."""
        return [self.first[card] for card in cards if card in self.first]

    @cached_property
    def won_by(self) -> Mapping[str | None, list[WonTrick]]:
        """The tricks by the side that they are counted for, of the sides that took any."""
        tricks: dict[str | None, list[WonTrick]] = {}
        for won in self.won:
            tricks.setdefault(self.counted_side(won.player), []).append(won)
        return tricks

    def tricks_by(self, player: str) -> list[WonTrick]:
        """The tricks that a player took."""
        return [won for won in self.won if won.player == player]

    def tricks_at_least(self) -> dict[str, int]:
        """Tricks that the record already proves, by counted side."""
        tricks = dict.fromkeys(self.counted_sides(), 0)
        for side, won in self.won_by.items():
            if side is not None:
                tricks[side] += len(won)
        return tricks

    def tricks_made(self) -> dict[str, int] | None:
        """Tricks by counted side, where all are on record."""
        tricks = self.tricks_at_least()
        return tricks if sum(tricks.values()) == self.tricks.total else None

    def sound_counts(self) -> list[Count]:
        """All counts of points that make the fixed total, in order of recording."""
        return [count for count in self.all_counts() if count.sound]

    def count(self) -> Count | None:
        """The count that scores the hand where no finer record does: the last sound one."""
        sound = self.sound_counts()
        return sound[-1] if sound else None

    def taken(self) -> PointsTaken | None:
        """The points by the finest record that has them: the tricks, else the count."""
        points = self.points_made()
        if points is not None:
            basis = Basis.CARDS if self.all_cards else Basis.TRICKS
            return PointsTaken(dict(points), basis, events_of(self.won))
        count = self.count()
        return PointsTaken(dict(count.points), Basis.COUNT, (count.seq,)) if count else None

    def proof_of(self, side: str, taken: PointsTaken) -> tuple[int, ...]:
        """What proves the points of a side: its tricks, or all of them where it took none."""
        own = self.won_by.get(side, ())
        return events_of(own) if own and taken.basis is not Basis.COUNT else taken.proof

    def all_counts(self) -> list[Count]:
        """Every count given, each with the side that it left out."""
        return list(self._filled)

    @cached_property
    def _filled(self) -> tuple[Count, ...]:
        return tuple(self._fill(noted) for noted in self.counts)

    def _fill(self, noted: RecordedEvent) -> Count:
        event: PointsCounted = noted.event
        totals, sides = self.totals(), self.counted_sides()
        points = with_the_rest(event.points, sides, self.total())
        tricks = event.tricks and with_the_rest(event.tricks, sides, self.tricks.total)
        sound = not totals or sum(points.values()) in totals
        if tricks and sum(tricks.values()) != self.tricks.total:
            sound = False
        return Count(noted.seq, points, tricks, sound)

    @property
    def level(self) -> str:
        """The level of detail of the record: ``totals``, ``tricks``, ``cards``, or ``mixed``."""
        kinds = set()
        for trick in self.tricks:
            if trick.plays:
                kinds.add("cards")
            if trick.named_winners and not self.tricks.is_full(trick):
                kinds.add("tricks")
        if any(won.trick is None for won in self.won):
            kinds.add("tricks")
        if self.result.basis in (Basis.COUNT, Basis.OUTCOME) and not self.all_tricks:
            kinds.add("totals")
        if len(kinds) > 1:
            return "mixed"
        return next(iter(kinds), "totals")


# ------------------------------------------------------------------------- points in tricks


def card_points(
    deal: Deal, value: Mapping[Card, int], total: int, players: Iterable[str]
) -> dict[str, int] | None:
    """Card points by player, where all are on record.

    With the rest claimed, what the recorded cards leave of ``total`` goes to the claimer.
    """
    if not deal.points_known:
        return None
    points = dict.fromkeys(players, 0)
    for won in deal.won:
        if won.trick is not None:
            points[won.player] += sum([value[play.card] for play in won.trick.plays])
    if deal.rest is not None and any(won.trick is None for won in deal.won):
        points[deal.rest.event.player] += total - sum(points.values())
    return points


def events_of(won: Sequence[WonTrick]) -> tuple[int, ...]:
    """The seqs that prove some tricks."""
    return tuple(dict.fromkeys([seq for one in won for seq in one.events]))
