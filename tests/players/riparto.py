"""Random hands of Riparto, with a second implementation of every clause."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tests.players import common
from tests.players.common import Event, PlayedHand, Scores, chance, event, turn
from tests.players.tricks import Moment, Play, Trick

SEATS = (3, 4)
SUITS = "SHDC"
RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6")  # strongest first
TRICKS = 9


def random_options(rng: random.Random, seats: int) -> dict[str, Any]:
    """Return values for most options."""
    return common.some(
        rng,
        {
            "bid_tie": ["first", "last"],
            "double_trump": ["hierarchy", "rank"],
            "last_three": ["majority", "sweep", "last_trick"],
            "award_tie": ["all", "none", "last_trick"],
            "match_end": [
                "open",
                {"target": rng.choice([5, 12, 25])},
                {"hands": rng.randint(1, 5)},
            ],
        },
    )


class RipartoPlay(Play):
    """Tricks with a duty to follow and up to two trumping suits."""

    hierarchy: Sequence[str] = ()
    double = "hierarchy"

    def legal(self, player: str) -> list[str]:
        held = self.holdings[player]
        return [c for c in held if self.plays and c[-1] == self.plays[0][1][-1]] or held

    def winner(self, plays: list[tuple[str, str]]) -> str:
        led = plays[0][1][-1]
        place = {suit: number for number, suit in enumerate(self.hierarchy)}

        def strength(play: tuple[str, str]) -> tuple[int, ...]:
            suit, rank = play[1][-1], RANKS.index(play[1][:-1])
            if place and place[led] - place[suit] >= 2:
                return (
                    (0, place[suit], rank) if self.double == "hierarchy" else (0, rank, place[suit])
                )
            return (1 if suit == led else 2, rank)

        return min(plays, key=strength)[0]


class Match(common.Match):
    """A match of Riparto."""

    defaults: Mapping[str, Any] = {
        "bid_tie": "first",
        "double_trump": "hierarchy",
        "last_three": "majority",
        "award_tie": "all",
        "match_end": "open",
    }

    def hand(self, dealer: str) -> PlayedHand:
        rng, order = self.rng, turn(self.seats, dealer)
        order = [*order[1:], dealer]
        pack = [rank + suit for suit in SUITS for rank in RANKS]
        rng.shuffle(pack)
        holdings = {player: [pack.pop() for _ in range(7)] for player in order}
        bidder = rng.choice(order)
        sets = [self.distribute(number, bidder, pack, holdings) for number in (1, 2)]
        eager = {p: (p == bidder) != chance(rng, 0.1) for p in order} if chance(rng, 0.3) else {}
        play = RipartoPlay(rng, self.seats, holdings, eager)
        declared = rng.choice([None, [], *[rng.sample(SUITS, 4) for _ in range(6)]])
        play.hierarchy, play.double = declared or (), self.options["double_trump"]
        play.run(bidder, TRICKS)
        taken = self.points(play.tricks)
        least = 0 if bidder == order[0 if self.options["bid_tie"] == "first" else -1] else 1
        bid = max(least, taken[bidder] if chance(rng, 0.5) else rng.randint(0, 15))
        bids = self.bids(order, bidder, rng.randint(least, bid) if chance(rng, 0.5) else bid)
        hand = PlayedHand(dealer, self.scores(bidder, bid, taken, play.tricks), taken)
        hierarchy = [event("hierarchy_declared", player=bidder, suits=declared)]
        self.record(
            hand,
            play,
            Contract(rng, bids, bidder, bid, sets),
            hierarchy if declared is not None else [],
        )
        return hand

    def distribute(
        self, number: int, bidder: str, pack: list[str], holdings: dict[str, list[str]]
    ) -> Event:
        """Distribute one insieme (R4)."""
        cards_given = {player: pack.pop() for player in holdings}
        for player, card in cards_given.items():
            holdings[player].append(card)
        kept = cards_given.pop(bidder)
        return event("set_distributed", player=bidder, set=number, kept=kept, given=cards_given)

    def bids(self, order: list[str], bidder: str, own: int) -> list[Event]:
        """Return a bid of each player; the bidder's one counts (R2, R3)."""
        bids, before = [], True
        for player in order:
            before = before and player != bidder
            ties = before == (self.options["bid_tie"] == "last")
            points = own if player == bidder else self.rng.randint(0, own if ties else own - 1)
            if player != bidder and ties and chance(self.rng, 0.2):
                points = own
            bids.append(event("bid_made", player=player, points=points))
        return bids

    def points(self, tricks: list[Trick]) -> Scores:
        """Return the points of the deal by player (R10, R11)."""
        taken = dict.fromkeys(self.seats, 0)
        for trick in tricks:
            taken[trick.winner] += 1
        last = tricks[-1].winner
        taken[last] += 1
        three = [trick.winner for trick in tricks[-3:]]
        most = max(three, key=lambda player: (three.count(player), player == last))
        rule = self.options["last_three"]
        if rule != "sweep" or three.count(last) == 3:
            taken[last if rule == "last_trick" else most] += 5
        return taken

    def scores(self, bidder: str, bid: int, taken: Scores, tricks: Sequence[Trick] = ()) -> Scores:
        """Return the score (R12 to R14); without tricks the score by a count."""
        scores = dict.fromkeys(self.seats, 0)
        if taken[bidder] == bid:
            return scores | {bidder: bid}
        scores[bidder] = -bid
        most = max(points for player, points in taken.items() if player != bidder)
        tied = [player for player in self.seats if player != bidder and taken[player] == most]
        rule = self.options["award_tie"]
        if len(tied) > 1 and rule == "none":
            tied = []
        if len(tied) > 1 and rule == "last_trick" and tricks:
            tied = [trick.winner for trick in tricks if trick.winner in tied][-1:]
        return scores | dict.fromkeys(tied, most)

    def record(
        self, hand: PlayedHand, play: Play, contract: "Contract", hierarchy: list[Event]
    ) -> None:
        rng = self.rng
        assert hand.taken is not None
        is_made = hand.taken[contract.bidder] == contract.bid

        def contract_events() -> list[Event]:
            return [*contract.events(), *(hierarchy if chance(rng, 0.5) else [])]

        def claims() -> list[Event]:
            counted = [self.count(hand, play)] if chance(rng, 0.4) else []
            outcome = [event("outcome_recorded", made=is_made)] if chance(rng, 0.2) else []
            return [*counted, *outcome, *hand.claims(rng)]

        def whole(styles: list[str], rest: Moment | None = None) -> list[Event]:
            return [*contract.events(), *hierarchy, *play.record(styles, rest), *claims()]

        hand.add("cards", whole(play.styles("cards", "claimed")), level="cards")
        plain = [*contract.events(), *hierarchy, *play.record(["cards"] * TRICKS)]
        hand.add("cards late", [*plain, *play.late_claims()], level="cards")
        hand.add(
            "tricks",
            [*contract_events(), *play.record(["taken"] * TRICKS), *claims()],
            level="tricks",
        )
        hand.add("mixed", whole(play.mixed()), level="mixed")
        if rest := play.rest_spot():
            hand.add("mixed rest", whole(play.styles("cards", "claimed", "taken"), rest))
            hand.add(
                "tricks rest",
                [*contract_events(), *play.record(["taken"] * TRICKS, rest), *claims()],
            )
        counted = self.scores(contract.bidder, contract.bid, hand.taken)
        events = [*contract_events(), self.count(hand, play)]
        if counted == hand.scores:
            events += hand.claims(rng)
        hand.add("totals", events, level="totals", scores=counted)
        if is_made:
            outcome = event("outcome_recorded", made=True)
            hand.add(
                "totals made",
                [*contract_events(), outcome, *hand.claims(rng)],
                level="totals",
                taken=None,
            )

    def count(self, hand: PlayedHand, play: Play) -> Event:
        assert hand.taken is not None
        sweep = self.options["last_three"] == "sweep"
        points = hand.taken if sweep else common.fewer(self.rng, hand.taken)
        more = {"tricks": common.fewer(self.rng, play.won(self.sides()))}
        return event("points_counted", points=points, **(more if chance(self.rng, 0.3) else {}))


class Contract:
    """The auction and the distribution of the two insiemi, with more or less detail."""

    def __init__(
        self, rng: random.Random, bids: list[Event], bidder: str, bid: int, sets: list[Event]
    ) -> None:
        self.rng = rng
        self.bids = bids
        self.bidder = bidder
        self.bid = bid
        self.own = next(bid_ for bid_ in bids if bid_["data"]["player"] == bidder)
        self.sets = sets

    def events(self) -> list[Event]:
        raised = [event("bid_raised", player=self.bidder, points=self.bid)]
        if self.own["data"]["points"] == self.bid:
            raised = []
        bids = self.rng.choice([self.bids, self.bids, [self.own], self.without_eldest()])
        if raised and len(bids) < len(self.bids) and chance(self.rng, 0.5):
            final = event("bid_made", player=self.bidder, points=self.bid)
            bids, raised = [final if bid is self.own else bid for bid in bids], []
        return [*bids, *self.gifts(), *raised]

    def without_eldest(self) -> list[Event]:
        """Return some of the bids without eldest's, whose absence makes their order no proof."""
        if self.own is self.bids[0]:
            return [self.own]
        return [bid for bid in self.bids[1:] if bid is self.own or chance(self.rng, 0.5)]

    def gifts(self) -> list[Event]:
        fields = self.rng.choice([(), ("kept",), ("given",), ("kept", "given")])
        sets = self.sets[: self.rng.choice([0, 0, 1, 2, 2])]
        kept = {"player", "set", *fields}
        return [
            event("set_distributed", **{k: v for k, v in distribution["data"].items() if k in kept})
            for distribution in sets
        ]
