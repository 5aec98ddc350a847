"""Auctions in which each bid must be higher than the last; a pass is final or can be undone.

An :class:`Auction` evaluates the recorded bids: the valid ones, the highest, and those that break
a rule.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple, Protocol

from scorekeeper.play.deal import RecordedEvent

PASS: Final = "pass"  # noqa: S105 - a word of the auction


class AuctionFault(NamedTuple):
    """A bid or pass that breaks a rule, and the recorded bid or pass that proves it."""

    bid: RecordedEvent
    proof: RecordedEvent


class AuctionRules(Protocol):
    """What a game decides about the bids of a hand."""

    def worth(self, bid: Any) -> int:
        """Return the height of a bid in the auction."""

    def too_early(self, bid: object, standing: Sequence[RecordedEvent]) -> bool:
        """Return whether a bid is not yet allowed after the valid bids so far."""


class Auction:
    """The bids of one hand: events with a ``player`` and a ``bid``, added by :meth:`update`.

    ``players`` are the active players, eldest first. ``last`` is the height of the highest
    possible bid by the ``rules``, which ends the auction. If passes are not ``final``, a player
    who passed may bid again until all the others have passed in a row. ``least`` is the lowest
    allowed bid of the last player if all others have passed without a bid; None if that player may
    pass.
    """

    def __init__(
        self,
        rules: AuctionRules,
        players: tuple[str, ...],
        last: int,
        *,
        final: bool = True,
        least: int | None = None,
    ) -> None:
        """Begin an auction without bids; the parameters are explained in the class."""
        self._rules = rules
        self.players = players
        self.last = last
        self.final = final
        self.least = least
        self.standing: list[RecordedEvent] = []  # the valid bids, each above the one before
        self.height = -1  # the height of the last valid bid
        self.passes: dict[str, RecordedEvent] = {}  # the pass of each player who is out
        self.turns: list[RecordedEvent] = []  # without players who had passed or won before
        self.in_time = 0  # the number of turns before the end of the auction
        self.too_low: list[AuctionFault] = []
        self.before_time: list[AuctionFault] = []  # needs eldest's first bid on record
        self.after_pass: list[AuctionFault] = []
        self.after_end: list[AuctionFault] = []
        self.shirked: list[AuctionFault] = []  # a pass or low bid of the last player
        self._added = 0  # the number of bids evaluated so far
        self._out_of_turn: list[AuctionFault] | None = None  # cache, valid for these bids

    def update(self, bids: Sequence[RecordedEvent]) -> "Auction":
        """Add the bids that came since the last update; ``bids`` are all bids of the hand."""
        if len(bids) > self._added:
            for bid in bids[self._added :]:
                self._evaluate(bid)
            self._added, self._out_of_turn = len(bids), None
        return self

    def _evaluate(self, recorded: RecordedEvent) -> None:
        """Add the next bid or pass to the valid bids, passes or faults, and to the turns."""
        player, bid = recorded.event.player, recorded.event.bid
        self._undo_early_first_bid(recorded)
        best, over = self.best, self.over
        again = bid == PASS and over and self._from_eldest
        if player in self.passes and (self.final or self.all_passed or again):
            self.after_pass.append(AuctionFault(recorded, self.passes[player]))
            return
        if not over:
            self.in_time += 1
        if not (over and best is not None and best.event.player == player):
            self.turns.append(recorded)
        if self.least is not None and self.must_open and not self._is_high_enough(bid, self.least):
            self.shirked.append(AuctionFault(recorded, list(self.passes.values())[-1]))
        if bid == PASS:
            self.passes[player] = recorded
            return
        height = self._rules.worth(bid)
        if best is not None and height <= self.height:
            self.too_low.append(AuctionFault(recorded, best))
        elif best is not None and over:
            self.after_end.append(AuctionFault(recorded, best))
        elif self._from_eldest and self._rules.too_early(bid, self.standing):
            self.before_time.append(AuctionFault(recorded, best or self.turns[0]))
        else:
            self.standing.append(recorded)
            self.height = height
            if not self.final:
                self.passes.clear()

    def _undo_early_first_bid(self, second: RecordedEvent) -> None:
        """Make eldest's first bid invalid if it was too early; the bid ``second`` proves it."""
        if self.has_only_early_bid:
            self.before_time.append(AuctionFault(self.standing.pop(), second))
            self.height = -1

    def _is_high_enough(self, bid: object, least: int) -> bool:
        """Return whether a bid is no pass and has at least the height ``least``."""
        return bool(bid != PASS and self._rules.worth(bid) >= least)

    @property
    def _from_eldest(self) -> bool:
        """Whether the record begins with eldest and has more than one turn."""
        return len(self.turns) > 1 and self.turns[0].event.player == self.players[0]

    @property
    def has_only_early_bid(self) -> bool:
        """Whether the only turn on record is a bid of eldest that is too early.

        It stands if it is the only bid of the auction, and is invalid as soon as there is a
        second.
        """
        if len(self.turns) != 1 or len(self.standing) != 1:
            return False
        first = self.standing[0].event
        return bool(first.player == self.players[0] and self._rules.too_early(first.bid, ()))

    @property
    def must_open(self) -> bool:
        """Whether all players but one have passed without a bid, and the last one may not pass."""
        passed = len(self.passes) == len(self.players) - 1
        return self.least is not None and passed and not self.standing

    @property
    def best(self) -> RecordedEvent | None:
        """The highest valid bid; None without one."""
        return self.standing[-1] if self.standing else None

    @property
    def all_passed(self) -> bool:
        """Whether all players passed without a bid."""
        return not self.standing and len(self.passes) == len(self.players)

    @property
    def over(self) -> bool:
        """Whether the recorded auction has ended: by the last bid, or by passes."""
        best = self.best
        if best is None:
            return self.all_passed
        passed = len(self.passes) - (best.event.player in self.passes)
        return passed == len(self.players) - 1 or self.height >= self.last

    @property
    def speaker(self) -> str | None:
        """The player whose turn it is; None after the end. An invalid bid does not end a turn."""
        if self.over:
            return None
        if not self.turns:
            return self.players[0]
        last = self.turns[-1]
        place = self.players.index(last.event.player)
        if not any(broken.bid is last for broken in (*self.too_low, *self.before_time)):
            place += 1
        order = (*self.players[place:], *self.players[:place])
        return next(player for player in order if player not in self.passes)

    @property
    def whole(self) -> bool:
        """Whether the record begins with eldest's first bid, so that its order can be judged.

        If another player's bid is recorded first, eldest's first bid may be missing. It is not
        missing if the record has the end of the auction and its first player already is out of
        order.
        """
        eldest = self.players[0]
        if not any(bid.event.player == eldest for bid in self.turns):
            return False
        first = self.turns[0].event.player
        return first == eldest or (
            self.over and any(self._find_out_of_turn(self.players.index(first)))
        )

    def out_of_turn(self) -> list[AuctionFault]:
        """Return the bids and passes out of turn, each with the later turn of the due player.

        A player without further turns on record is skipped, because a pass may be missing. After
        an invalid bid the player may bid again at once; a player who was too early may bid again
        in turn.
        """
        if self._out_of_turn is None:
            self._out_of_turn = list(self._find_out_of_turn(0)) if self.whole else []
        return self._out_of_turn

    def _find_out_of_turn(self, turn: int) -> Iterator[AuctionFault]:
        """Yield the turns before the end of the auction that came before the due player's.

        ``turn`` is the place of the player whose turn is first. See :meth:`out_of_turn`.
        """
        low = {id(broken.bid) for broken in (*self.too_low, *self.before_time)}
        places: dict[str, list[int]] = {}
        for place, recorded in enumerate(self.turns):
            places.setdefault(recorded.event.player, []).append(place)
        early: set[str] = set()
        again = ""
        for place, recorded in enumerate(self.turns[: self.in_time]):
            player = recorded.event.player
            if player != again:
                with_turns = {other for other in places if places[other][-1] >= place}
                due, passed_over = self._player_due(turn, player, with_turns - early)
                if due == player:
                    turn = self.players.index(player) + 1
                    early -= passed_over
                else:
                    early.add(player)
                    later = places[due][bisect_left(places[due], place)]
                    yield AuctionFault(recorded, self.turns[later])
            again = player if id(recorded) in low else ""

    def _player_due(
        self, turn: int, player: str, with_turns: Collection[str]
    ) -> tuple[str, set[str]]:
        """Return the player who is due from place ``turn`` on, and the players up to that player.

        It is the turn of ``player`` unless a player in between is among ``with_turns``: those who
        have a later turn on record and were not early.
        """
        order = (self.players * 2)[turn : turn + len(self.players)]
        due = next(other for other in order if other == player or other in with_turns)
        return due, {*order[: order.index(due) + 1]}
