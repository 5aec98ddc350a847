"""The record of one hand: the part that is the same in every game.

A :class:`Deal` holds the tricks, counts and claims of one hand. The fold
(:mod:`scorekeeper.play.folding`) only adds entries; results are computed afterwards, on demand.
A game's own deal adds its fields, decides which card wins a trick, and has the fixed totals.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from scorekeeper.base.cached import cached_names, cached_property
from scorekeeper.cards.packs import Card
from scorekeeper.cards.tricks import Play, Trick, Tricks, strongest
from scorekeeper.events.event import Entry
from scorekeeper.events.playing import PointsCounted
from scorekeeper.play.counts import Count, complete_count, number_fact
from scorekeeper.play.duties import Duties
from scorekeeper.play.scoring import Basis, Result, Text
from scorekeeper.play.table import Table


@dataclass(slots=True, eq=False)
class WonTrick:
    """A trick with its winner: by its cards if all are on record, else as the players named it."""

    number: int
    player: str
    events: tuple[int, ...]
    trick: Trick | None = None  # None if the trick is only part of a claim of the rest
    full: bool = False  # all its cards are on record
    best: Play | None = None  # the play that won it, where its cards decide


class RecordedEvent(NamedTuple):
    """An event with its seq."""

    seq: int
    event: Any

    @property
    def player(self) -> str:
        """The player of the event."""
        player: str = self.event.player
        return player


class Contract(NamedTuple):
    """The highest bid of a hand and its player; ``open`` while a player may still bid more.

    ``declared``: the figure is a declaration that its player has to meet, and not a bid.
    """

    player: str
    figure: str | int
    open: bool
    declared: bool = False


class ShownCards(NamedTuple):
    """Cards that a player held after ``after`` cards of the hand had been played.

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
    """The record of one hand."""

    TOTALS: ClassVar[tuple[int, ...]] = ()  # the sums that a count of points may have
    COUNTED_IN: ClassVar[int] = 1  # parts of a point that counts are in, as in `play_events`

    def __init__(self, table: Table, tricks: int) -> None:
        """Create the empty record of a hand of ``tricks`` tricks."""
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

    # ------------------------------------------------------------- overridden by the games

    def strength(self, trick: Trick) -> Mapping[Card, int]:
        """Return the strength of each card in this trick; a card that cannot win is left out."""
        raise NotImplementedError("the Deal of a game with tricks says the strength of cards")

    def totals(self) -> tuple[int, ...]:
        """Return the sums that a count of points may have; empty if any sum is possible."""
        return self.TOTALS

    def total(self) -> int | None:
        """Return the sum of a count of points; None unless exactly one is possible."""
        totals = self.totals()
        return totals[0] if len(totals) == 1 else None

    @property
    def first_leader(self) -> str | None:
        """The leader of the first trick: eldest (G2). None if not on record."""
        return self.table.eldest

    @property
    def proof_of_first_leader(self) -> tuple[int, ...]:
        """The events that decide the leader of the first trick, if events do."""
        return ()

    def counted_sides(self) -> tuple[str, ...]:
        """Return the sides that have a figure in a count."""
        return tuple(self.table.sides)

    def counted_side(self, player: str) -> str | None:
        """Return the side that a player's tricks count for; None if it is not known."""
        return self.table.side_of[player]

    @property
    def abandonment_kind_matters(self) -> bool:
        """Whether the reason for abandoning a hand matters under the options of this table."""
        return False

    def marks_if_abandoned(self) -> Any:
        """Return the :attr:`Result.marks` of an abandoned hand."""
        return None

    def stakes(self) -> Text | None:
        """Return a text that warns players before a hand that it pays more, else None."""
        return None

    @property
    def times(self) -> int:
        """The factor by which the score of the hand is multiplied: 1 unless it is doubled."""
        return 1

    def trumps(self) -> Sequence[str]:
        """Return the trump suits, strongest first; empty while none is known."""
        return ()

    @property
    def duties(self) -> Duties | None:
        """What a player must do who does not lead; None if a game has no more than following suit.

        Prompts and the checks ``MUST_TRUMP`` and ``OVERTRUMP`` follow from it.
        """
        return None

    @property
    def concealer(self) -> str | None:
        """The player who is asked, after the hand, for what was laid away and not recorded.

        Here it is the dealer; None if the record does not tell who it is.
        """
        return self.table.dealer

    def already_shows(self, kind: str) -> bool:
        """Return whether other entries show what a missing event of this type would tell."""
        return False

    def can_be(self, field: str, value: object) -> bool:
        """Return whether the options of the table allow this value of an event's field.

        Here every value is allowed.
        """
        return True

    def points_made(self) -> Mapping[str, int] | None:
        """Return the points by counted side from the tricks; None if the tricks do not suffice."""
        return None

    def points_at_least(self) -> Mapping[str, int]:
        """Return the points of each counted side that the tricks on record already prove."""
        return {}

    def points_of_tricks(self, tricks: int) -> range | None:
        """Return the points that a side with this many tricks can have; None for no limit."""
        return None

    @property
    def contract(self) -> Contract | None:
        """The highest valid bid; None without one, and in games without bids."""
        return None

    def contract_made(self) -> bool | None:
        """Return whether the tricks or the count make the contract; None if neither decides."""
        return None

    def contract_ended(self) -> bool | None:
        """Return whether the contract was made: by tricks or count, else by the last outcome.

        None if the record does not show it.
        """
        is_made = self.contract_made()
        return self.outcomes[-1].event.made if is_made is None and self.outcomes else is_made

    def held(self) -> Sequence[ShownCards]:
        """Return the recorded holdings of the players: the cards that they showed."""
        return self.shown

    # --------------------------------------------------------------------------- face down

    @property
    def played_out(self) -> bool:
        """Whether the play is visibly over, so that all cards are turned up.

        It is after a count or an outcome, an abandoned hand, or with a winner for every trick.
        """
        return bool(self.counts or self.outcomes) or self.abandoned is not None or self.all_tricks

    def face_down(self, kind: str) -> bool:
        """Return whether the hidden fields of an event of this type are still face down."""
        return not (self.played_out or self.result.abandoned)

    # -------------------------------------------------------------------- computed results

    def counted_points(self, number: int) -> int | str:
        """Return a figure of a count as a fact for a sentence: points, not parts of them."""
        return number_fact(number, self.COUNTED_IN)

    def name(self, player: str) -> str:
        """Return the display name of a player or a side, given the id."""
        return self.table.name(player)

    def decided(self, trick: Trick) -> bool:
        """Return whether the cards of a trick, all on record, decide its winner."""
        return True

    def winner(self, trick: Trick) -> Play:
        """Return the winning play of a trick that its cards decide."""
        return strongest(trick.plays, self.strength(trick))

    def clear_cache(self) -> None:
        """Clear all cached properties, because another entry was added."""
        for name in cached_names(type(self)):
            self.__dict__.pop(name, None)

    @cached_property
    def prompted(self) -> dict[Any, Any]:
        """The cache of prompts, by level of detail; :meth:`clear_cache` empties it."""
        return {}

    @cached_property
    def places(self) -> dict[int, int]:
        """The place of each entry in the corrected record, by its seq."""
        return {entry.seq: place for place, entry in enumerate(self.entries)}

    @cached_property
    def winning(self) -> dict[int, Play]:
        """The winning plays of the tricks that their cards decide, by the number of the trick."""
        return {won.number: won.best for won in self.won if won.best is not None}

    @cached_property
    def won(self) -> list[WonTrick]:
        """The tricks on record with their winners, in order of number.

        The cards of a full trick decide; else the first named winner counts. After a claim of the
        rest, all other tricks go to its player. A trick without a winner is left out.
        """
        won = []
        for trick in self.tricks:
            number, full = trick.number, len(trick.plays) == self.tricks.players
            events = tuple([play.seq for play in trick.plays])
            if full and self.decided(trick):
                best = self.winner(trick)
                won.append(WonTrick(number, best.player, events, trick, full, best))
            elif trick.named_winners:
                named = trick.named_winners[0]
                won.append(WonTrick(number, named.player, (*events, named.seq), trick, full))
        if self.rest is not None:
            recorded = {trick.number for trick in won}
            player, events = self.rest.event.player, (self.rest.seq,)
            others = (n for n in range(1, self.tricks.total + 1) if n not in recorded)
            won += [WonTrick(number, player, events) for number in others]
            won.sort(key=lambda trick: trick.number)
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
        """Whether all card points are known: every trick by its cards, or claimed as the rest."""
        return self.all_tricks and all(won.full or won.trick is None for won in self.won)

    @cached_property
    def plays_by(self) -> Mapping[str, list[Play]]:
        """The plays of each player, in the order of the record; every player has a list."""
        plays: dict[str, list[Play]] = {player: [] for player in self.table.players}
        for play in self.plays:
            plays[play.player].append(play)
        return plays

    @cached_property
    def held_by(self) -> Mapping[str, list[ShownCards]]:
        """The recorded holdings by player, without players who have none on record."""
        held: dict[str, list[ShownCards]] = {}
        for cards in self.held():
            held.setdefault(cards.player, []).append(cards)
        return held

    def plays_of(self, card: Card) -> list[Play]:
        """Return the plays of a card; more than one if the record has it twice."""
        if card not in self.first:
            return []
        return [self.first[card], *[play for play in self.again if play.card is card]]

    def fallen(self, cards: Iterable[Card]) -> list[Play]:
        """Return the first play of each of these cards that was played."""
        return [self.first[card] for card in cards if card in self.first]

    @cached_property
    def won_by(self) -> Mapping[str | None, list[WonTrick]]:
        """The won tricks by the side that they count for, in order of number.

        Sides without a trick are left out. The key None has the tricks of players whose side is
        unknown.
        """
        tricks: dict[str | None, list[WonTrick]] = {}
        for won in self.won:
            tricks.setdefault(self.counted_side(won.player), []).append(won)
        return tricks

    def tricks_by(self, player: str) -> list[WonTrick]:
        """Return the tricks that a player took."""
        return [won for won in self.won if won.player == player]

    def tricks_at_least(self) -> dict[str, int]:
        """Return the number of tricks that each counted side has taken for certain."""
        tricks = dict.fromkeys(self.counted_sides(), 0)
        for side, won in self.won_by.items():
            if side is not None:
                tricks[side] += len(won)
        return tricks

    def tricks_made(self) -> dict[str, int] | None:
        """Return the number of tricks of each counted side; None unless all are on record."""
        tricks = self.tricks_at_least()
        return tricks if sum(tricks.values()) == self.tricks.total else None

    def sound_counts(self) -> list[Count]:
        """Return the counts whose points and tricks have a possible sum, in recorded order."""
        return [count for count in self.all_counts() if count.sound]

    def count(self) -> Count | None:
        """Return the count that scores the hand if no finer record does: the last sound one.

        None if there is none.
        """
        sound = self.sound_counts()
        return sound[-1] if sound else None

    def taken(self) -> PointsTaken | None:
        """Return the points by the finest record that has them: the tricks, else the count.

        None if neither has them.
        """
        points = self.points_made()
        if points is not None:
            basis = Basis.CARDS if self.all_cards else Basis.TRICKS
            return PointsTaken(dict(points), basis, events_of(self.won))
        count = self.count()
        return PointsTaken(dict(count.points), Basis.COUNT, (count.seq,)) if count else None

    def proof_of(self, side: str, taken: PointsTaken) -> tuple[int, ...]:
        """Return the events that prove a side's points: its tricks, or all if it took none."""
        own = self.won_by.get(side, ())
        return events_of(own) if own and taken.basis is not Basis.COUNT else taken.proof

    def all_counts(self) -> list[Count]:
        """Return every recorded count, completed for a side that it leaves out."""
        return list(self._completed_counts)

    @cached_property
    def _completed_counts(self) -> tuple[Count, ...]:
        """Every recorded count, in the order of the record; completed and tested for its sums."""
        return tuple(self._complete_count(recorded) for recorded in self.counts)

    def _complete_count(self, recorded: RecordedEvent) -> Count:
        """Return a recorded count with the rest for a missing side, and whether it is sound."""
        event: PointsCounted = recorded.event
        totals, sides = self.totals(), self.counted_sides()
        points = complete_count(event.points, sides, self.total())
        tricks = event.tricks and complete_count(event.tricks, sides, self.tricks.total)
        sound = not totals or sum(points.values()) in totals
        if tricks and sum(tricks.values()) != self.tricks.total:
            sound = False
        return Count(recorded.seq, points, tricks, sound)

    @property
    def level(self) -> str:
        """The level of detail of the record: ``totals``, ``tricks``, ``cards``, or ``mixed``.

        It is ``totals`` if nothing is recorded.
        """
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
    """Return the card points by player; None unless all points are known.

    If the rest is claimed, its player gets what the recorded cards leave of ``total``.
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
    """Return the seqs of all events that prove who won these tricks, each once."""
    return tuple(dict.fromkeys([seq for trick in won for seq in trick.events]))
