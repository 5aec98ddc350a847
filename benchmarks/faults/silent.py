"""A fault without a finding, with what the reasons of `unknowable` ask of it."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from benchmarks.faults.alterations import BEFORE_THE_PLAY, PLAY, Fault
from benchmarks.faults.hands import RESULTS, hand_at, scored
from scorekeeper.play.deal import Deal
from scorekeeper.session.session import Session
from tests.players.common import Event


@dataclass(frozen=True)
class Silent:
    """A fault without a finding: the session with it, and as it should be."""

    fault: Fault
    session: Session

    @property
    def kind(self) -> str:
        return self.fault.kind

    @property
    def type(self) -> str:
        """The type of the entry at fault, where it is one entry."""
        return self.fault.at.partition(".")[0]

    def option(self, name: str) -> object:
        """The value of an option of the match; None where the game has none of that name."""
        return self.deal.table.options.get(name)

    @property
    def repeated(self) -> list[Event]:
        """The entries that are equal to the one before."""
        return [entry for before, entry in pairwise(self.fault.record) if entry == before]

    @property
    def with_cards(self) -> bool:
        return self.fault.hand.level == "cards"

    def count(self, *types: str) -> int:
        """How many entries of these types are on record."""
        return sum(entry["type"] in types for entry in self.fault.record)

    @cached_property
    def has_score(self) -> bool:
        return scored(self.session) is not None

    @cached_property
    def breaks_the_auction(self) -> bool:
        """Whether a bid is out of its turn, where the first bid on record is eldest's.

        A player who is passed over, and does not bid later, may have passed off the record.
        """
        after = self._in_turn
        bidders = _bidders(self.fault.record)
        if bidders[:1] != after[:1]:
            return False
        turn = 0
        for place, bidder in enumerate(bidders):
            while after[turn] != bidder:
                if after[turn] in bidders[place:]:
                    return True
                turn = (turn + 1) % len(after)
            turn = (turn + 1) % len(after)
        return False

    @cached_property
    def speaks_after_the_end(self) -> bool:
        """Whether a player passes when all others have passed on record, from eldest's bid on."""
        bids = [entry["data"] for entry in self.fault.record if entry["type"] == "bid_made"]
        passed: set[str] = set()
        for bid in bids:
            if len(passed) == len(self._in_turn) - 1 and bid["player"] in passed:
                return bool(bids[0]["player"] == self._in_turn[0])
            passed = {*passed, bid["player"]} if bid["bid"] == "pass" else set()
        return False

    @property
    def _in_turn(self) -> list[str]:
        """The players of the hand, eldest first."""
        hand = self.fault.hand
        seats = hand.before[1]["data"]["seats"]
        dealer = seats.index(hand.record[0]["data"]["dealer"])
        return [seat for seat in (*seats[dealer + 1 :], *seats[: dealer + 1])
                if seat in hand.order]  # fmt: skip

    @cached_property
    def tally_agrees(self) -> bool:
        """Whether no count on record contradicts the tricks on record, by their numbers.

        Of a hand without all its tricks a count may have more.
        """
        counts = [entry["data"]["tricks"] for entry in self.fault.record
                  if entry["data"].get("tricks")]  # fmt: skip
        made, least = self.deal.tricks_made(), self.deal.tricks_at_least()
        return all(
            n >= least.get(side, 0) if made is None else n == made.get(side)
            for count in counts
            for side, n in count.items()
        )

    @cached_property
    def tricks_fit(self) -> bool:
        """Whether there are no more tricks than in a hand, and each has one winner."""
        tricks = self.deal.tricks
        return max(tricks.numbered, default=0) <= tricks.total and all(
            len({won.player for won in trick.named_winners}) <= 1
            for trick in tricks.numbered.values()
        )

    @cached_property
    def leads_agree(self) -> bool:
        """Whether each trick is led by the winner of the one before, where both are on record."""
        numbered = self.deal.tricks.numbered
        winners = {won.number: won.player for won in self.deal.won}
        tricks = [numbered[number] for number in sorted(numbered)]
        return all(
            not (before.plays and after.plays)
            or winners.get(before.number, after.plays[0].player) == after.plays[0].player
            for before, after in pairwise(tricks)
        )

    @cached_property
    def suit_is_followed(self) -> bool:
        """Whether no player refuses a suit and plays a card of it later, if the game forbids it.

        Where the true hand does so, the options of the match allow it.
        """
        checks = self.session.structure.matches[0].game.checks
        forbidden = any(check.code == "revoke" for check in checks)
        return not forbidden or _follows(self.deal) or not _follows(self.true_deal)

    @cached_property
    def deal(self) -> Deal:
        return hand_at(self.session).deal

    @cached_property
    def true_deal(self) -> Deal:
        return hand_at(self.fault.hand.session(self.fault.hand.record)).deal

    @cached_property
    def same_score(self) -> bool:
        return scored(self.session) == self.fault.hand.scores

    @cached_property
    def allowed(self) -> bool:
        """Whether the record has nothing against another score."""
        return self.same_score or not self.fault.hand.paper

    @cached_property
    def same_play(self) -> bool:
        """Whether each trick has the same cards, and the same winner."""
        return _play(self.deal) == _play(self.true_deal)

    @cached_property
    def same_bid(self) -> bool:
        """Whether the contract is the same as it should be."""
        return _bid(self.deal) == _bid(self.true_deal)

    @cached_property
    def crossing(self) -> set[str]:
        """The acts that come after the beginning of the play, or a result, and should not."""
        return _late(self.fault.record) - _late(self.fault.hand.record)

    @cached_property
    def changed(self) -> list[Event]:
        """The entries that are not on record as they should be."""
        now, due = ({repr(e) for e in record} for record in (self.fault.record,
                                                            self.fault.hand.record))  # fmt: skip
        return [entry for entry in self.fault.record if repr(entry) in now - due]


def _late(record: list[Event]) -> set[str]:
    late, begun = set(), False
    for entry in record:
        begun = begun or entry["type"] in PLAY | RESULTS
        if begun and entry["type"] in BEFORE_THE_PLAY:
            late.add(entry["type"])
    return late


def _play(deal: Deal) -> tuple[object, object]:
    cards = {number: [(play.player, play.card) for play in trick.plays]
             for number, trick in deal.tricks.numbered.items() if trick.plays}  # fmt: skip
    return cards, Counter(won.player for won in deal.won)


def _follows(deal: Deal) -> bool:
    refused: set[tuple[str, object]] = set()
    for number in sorted(deal.tricks.numbered):
        suits = [(play.player, play.card.suit) for play in deal.tricks.numbered[number].plays]
        if not refused.isdisjoint(suits):
            return False
        led = suits[0][1] if suits else None
        refused |= {(player, led) for player, suit in suits[1:] if suit not in (led, None)}
    return True


def _bidders(record: list[Event]) -> list[str]:
    """The players who bid or passed, in the order of their bids."""
    return [entry["data"]["player"] for entry in record if entry["type"] == "bid_made"]


def _bid(deal: Deal) -> object:
    bid = getattr(deal, "bid", None)
    raised = getattr(deal, "raised", None)
    return bid and (bid.event, raised and raised.event)
