"""Auctions in which each bid must be higher than the last, and a pass is final or may be undone.

An :class:`Auction` reads the bids as they are on record: which of them have effect, whose is the
highest, and which break the rules.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from scorekeeper.play.deal import RecordedEvent

PASS: Final = "pass"  # noqa: S105 - a word of the auction


class Broken(NamedTuple):
    """A bid or pass that breaks a rule, and the one on record that proves it."""

    bid: RecordedEvent
    proof: RecordedEvent


class Auction:
    """The bids of one hand: events with a ``player`` and a ``bid``, as they are :meth:`heard`.

    ``players`` are those who take part, eldest first; ``worth`` is how high a bid is, and
    ``last`` the highest that there is, which ends the auction. Where a pass is not ``final``, who
    passed may speak again until all the others have passed in a row. ``least`` is what the last
    must bid if all others have passed without a bid; None where he may pass. ``too_early`` is
    whether a bid cannot be made yet after those that have effect.
    """

    def __init__(
        self,
        players: tuple[str, ...],
        worth: Callable[[Any], int],
        last: int,
        *,
        final: bool = True,
        least: int | None = None,
        too_early: Callable[[Any, Sequence[RecordedEvent]], bool] = lambda bid, standing: False,
    ) -> None:
        self.players = players
        self.worth = worth
        self.last = last
        self.final = final
        self.least = least
        self.too_early = too_early
        self.standing: list[
            RecordedEvent
        ] = []  # the bids that have effect, each above the one before
        self.height = -1  # of the last of them
        self.passes: dict[str, RecordedEvent] = {}  # the pass of each player who is out
        self.turns: list[RecordedEvent] = []  # what was said by players who had not passed, nor won
        self.in_time = 0  # so much of it while the auction ran
        self.too_low: list[Broken] = []
        self.before_time: list[Broken] = []  # too early, in an auction from eldest's first bid on
        self.after_pass: list[Broken] = []
        self.after_end: list[Broken] = []
        self.shirked: list[Broken] = []  # by the last, who had to bid
        self._heard = 0  # how many bids
        self._out_of_turn: list[Broken] | None = None  # as far as they were heard

    def heard(self, bids: Sequence[RecordedEvent]) -> "Auction":
        """This auction, once it has heard those of all its bids that have come since."""
        if len(bids) > self._heard:
            for bid in bids[self._heard :]:
                self._hear(bid)
            self._heard, self._out_of_turn = len(bids), None
        return self

    def _hear(self, noted: RecordedEvent) -> None:
        player, bid = noted.event.player, noted.event.bid
        self._judge_first(noted)
        best, over = self.best, self.over
        if player in self.passes and (self.final or self.all_passed):
            self.after_pass.append(Broken(noted, self.passes[player]))
            return
        if not over:
            self.in_time += 1
        if not (over and best is not None and best.event.player == player):
            self.turns.append(noted)
        if self.least is not None and self.must_open and not self._enough(bid, self.least):
            self.shirked.append(Broken(noted, list(self.passes.values())[-1]))
        if bid == PASS:
            self.passes[player] = noted
            return
        height = self.worth(bid)
        if best is not None and height <= self.height:
            self.too_low.append(Broken(noted, best))
        elif best is not None and over:
            self.after_end.append(Broken(noted, best))
        elif self._from_eldest and self.too_early(bid, self.standing):
            self.before_time.append(Broken(noted, best or self.turns[0]))
        else:
            self.standing.append(noted)
            self.height = height
            if not self.final:
                self.passes.clear()

    def _judge_first(self, second: RecordedEvent) -> None:
        """Take its effect from eldest's bid, where it was too early and is not all on record."""
        if self.may_be_all:
            self.before_time.append(Broken(self.standing.pop(), second))
            self.height = -1

    def _enough(self, bid: Any, least: int) -> bool:
        """Whether a bid is as high as that of the last must be."""
        return bool(bid != PASS and self.worth(bid) >= least)

    @property
    def _from_eldest(self) -> bool:
        """Whether the record begins with eldest, and goes on."""
        return len(self.turns) > 1 and self.turns[0].event.player == self.players[0]

    @property
    def may_be_all(self) -> bool:
        """Whether eldest's bid is too early, unless it won and no other is on record."""
        if len(self.turns) != 1 or len(self.standing) != 1:
            return False
        first = self.standing[0].event
        return bool(first.player == self.players[0] and self.too_early(first.bid, ()))

    @property
    def must_open(self) -> bool:
        """Whether all but one have passed without a bid, and the last must make one."""
        passed = len(self.passes) == len(self.players) - 1
        return self.least is not None and passed and not self.standing

    @property
    def best(self) -> RecordedEvent | None:
        """The highest bid that has effect."""
        return self.standing[-1] if self.standing else None

    @property
    def all_passed(self) -> bool:
        """Whether everybody passed and nobody bid."""
        return not self.standing and len(self.passes) == len(self.players)

    @property
    def over(self) -> bool:
        """Whether it has ended as recorded: at the last bid, or with one left, or with none."""
        best = self.best
        if best is None:
            return self.all_passed
        passed = len(self.passes) - (best.event.player in self.passes)
        return passed == len(self.players) - 1 or self.height >= self.last

    @property
    def speaker(self) -> str | None:
        """Whose turn it is to bid; None where it is over. Who bid too low bids again."""
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
        """Whether it is on record from eldest's first bid on, so that its order can be judged.

        Where another comes first on the record, eldest's first may be missing; it is not, where
        the record runs to the end of the auction and is out of order from wherever it begins.
        """
        eldest = self.players[0]
        if not any(bid.event.player == eldest for bid in self.turns):
            return False
        first = self.turns[0].event.player
        return first == eldest or (self.over and any(self._early(self.players.index(first))))

    def out_of_turn(self) -> list[Broken]:
        """What was bid or passed before another whose turn it was, with what he said later.

        A player of whom no more is on record is passed over, for his pass may be missing. Who
        bid too low may bid again at once; who spoke too early may speak again in his turn.
        """
        if self._out_of_turn is None:
            self._out_of_turn = list(self._early(0)) if self.whole else []
        return self._out_of_turn

    def _early(self, turn: int) -> Iterator[Broken]:
        low = {id(broken.bid) for broken in (*self.too_low, *self.before_time)}
        early: set[str] = set()
        again = ""
        for place, noted in enumerate(self.turns[: self.in_time]):
            player = noted.event.player
            if player != again:
                due, passed_over = self._due(turn, player, self.turns[place:], early)
                if due == player:
                    turn = self.players.index(player) + 1
                    early -= passed_over
                else:
                    early.add(player)
                    later = next(n for n in self.turns[place:] if n.event.player == due)
                    yield Broken(noted, later)
            again = player if id(noted) in low else ""

    def _due(
        self, turn: int, player: str, to_come: list[RecordedEvent], early: set[str]
    ) -> tuple[str, set[str]]:
        """Whose turn it is from a place on, and who is passed over on the way there.

        It is the turn of ``player``, if nobody comes before him who has more to say and has not
        spoken early.
        """
        speak = {noted.event.player for noted in to_come}
        order = (self.players * 2)[turn : turn + len(self.players)]
        due = next(one for one in order if one == player or (one in speak and one not in early))
        return due, {*order[: order.index(due) + 1]}
