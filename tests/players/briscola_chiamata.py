"""Briscola Chiamata at random: every clause of its page, figured here a second time."""

import random
from collections.abc import Mapping
from typing import Any

from tests.players import common
from tests.players.briscola import (
    ALL_POINTS,
    HOUSE,
    BriscolaPlay,
    Called,
    Pack,
    auction,
    reveal,
    sweeps,
    swept_scores,
    units,
)
from tests.players.common import PlayedHand, Scores, chance, event, turn

SEATS = (5, 6)
TRICKS = 8
MATCH_ENDS = ["open", {"target": 3}, {"target": 8}, {"hands": 2}, {"hands": 4}]


def random_options(rng: random.Random, seats: int) -> dict[str, Any]:
    """Values for most options."""
    return common.some(
        rng,
        {
            "pack": ["italian", "french"],
            "sixty": ["loss", "draw"],
            "sweep": ["either", "bidder"],
            "match_end": MATCH_ENDS,
            **HOUSE,
            "ladder": ["ranks_points", "points", "two", "ranks"],
            "call_duty": ["rank_bid", "any"],
            "first_lead": ["eldest", "bidder"],
        },
    )


class Match(common.Match):
    """A match of Briscola Chiamata."""

    defaults: Mapping[str, Any] = {
        "pack": "italian",
        "sixty": "loss",
        "sweep": "either",
        "match_end": "open",
        "sweep_pay": "double",
        "bands": [71, 81, 91, 101],
        "sweep_test": "tricks",
        "ladder": "ranks_points",
        "call_duty": None,
        "first_lead": "eldest",
    }

    def ladder(self, pack: Pack) -> list[Any]:
        """The bids that there are (C2)."""
        kind = self.options["ladder"]
        numbers = range(61 if kind == "points" else 62, ALL_POINTS + 1)
        return {
            "ranks_points": [*pack.ranks, *numbers],
            "points": [*numbers],
            "two": ["2", *numbers],
            "ranks": [*pack.ranks],
        }[kind]

    def hand(self, dealer: str) -> PlayedHand:
        rng, pack = self.rng, Pack.named(self.options["pack"])
        active = [*turn(self.seats, dealer)[1:], dealer][:5]
        bids = auction(rng, active, self.ladder(pack))
        made_bids = [bid for bid in bids if bid[1] != "pass"]
        if not made_bids:
            return self.passed(dealer, active)
        bidder, bid = made_bids[-1]
        holdings = self.deal(active, pack, bidder)
        card = self.call(holdings[bidder], bid, pack)
        holder = next(player for player in active if card in holdings[player])
        partner = holder if holder != bidder else None
        mates, for_them = {bidder, partner}, chance(rng, 0.8)
        eager = {p: (p in mates) == for_them for p in active} if chance(rng, 0.4) else {}
        party = {p: "bidder" if p in mates else "defenders" for p in active}
        # A few hands are played until they come to sixty, which is rare.
        tries = 30 if chance(rng, 0.05) else 1
        while True:
            held = {player: list(cards) for player, cards in holdings.items()}
            play = BriscolaPlay(rng, active, held, eager)
            play.pack, play.trump = pack, card[-1]
            play.run(bidder if self.options["first_lead"] == "bidder" else active[0], TRICKS)
            tries -= 1
            if not tries or play.card_points(party)["bidder"] == ALL_POINTS // 2:
                break
        reveal(rng, play, card, holder)
        contract = [event("card_called", player=bidder, card=card)]
        hand = PlayedHand(dealer, {})
        called = Called(rng, hand, bids, bidder, partner, bid, card, contract, [], play, active)
        hand.taken = play.card_points(called.parties())
        hand.taken = {side: hand.taken.get(side, 0) for side in ("bidder", "defenders")}
        self.score(called)
        return hand

    def passed(self, dealer: str, active: list[str]) -> PlayedHand:
        """A hand that nobody wanted (C3)."""
        hand = self.nothing(dealer)
        passes = [event("bid_made", player=player, bid="pass") for player in active]
        over = event("hand_abandoned", reason="all passed")
        hand.add("cards", passes)
        hand.add("tricks", [*passes[: self.rng.randrange(4)], over])
        hand.add("totals", [over])
        return hand

    def deal(self, active: list[str], pack: Pack, bidder: str) -> dict[str, list[str]]:
        """Eight cards each; now and then the bidder's are long in one suit."""
        cards = pack.cards()
        self.rng.shuffle(cards)
        if chance(self.rng, 0.1):
            long = self.rng.choice(pack.suits)
            cards.sort(key=lambda card: card[-1] == long and chance(self.rng, 0.95))
        order = [bidder, *(player for player in active if player != bidder)]
        return {player: [cards.pop() for _ in range(TRICKS)] for player in order}

    def call(self, held: list[str], bid: Any, pack: Pack) -> str:
        """The card that the bidder calls (C4, C5)."""
        trump = self.rng.choice([self.rng.choice(pack.suits), held[0][-1]])
        if (self.options["call_duty"] or self.options["ladder"]) in ("any", "points"):
            return self.rng.choice(pack.ranks) + trump
        if bid != "2" and not isinstance(bid, int):
            return f"{bid}{trump}"
        lacked = [rank for rank in pack.ranks if rank + trump not in held]
        return (lacked[-1] if chance(self.rng, 0.8) else "2") + trump

    def score(self, called: Called) -> None:
        """The payment (C7 to C9)."""
        hand, points = called.hand, called.hand.taken
        assert points is not None
        by_rank = not isinstance(called.bid, int)
        made = points["bidder"] >= (61 if by_rank else called.bid)
        draw = by_rank and points["bidder"] == 60 and self.options["sixty"] == "draw"
        tricks = called.play.won(called.parties())
        plain = self.pay(called, 0 if draw else 1 if made else -1)
        unit, pay = units(called.bid, self.options["bands"]), self.options["sweep_pay"]
        swept = swept_scores(plain, unit, pay)
        hand.scores = swept if sweeps(self.options, points, tricks) else plain
        counted = swept if sweeps(self.options, points, None) else plain
        called.record(counted, plain, made=made, draw=draw)

    def pay(self, called: Called, sign: int) -> Scores:
        """What each gets, without a sweep."""
        unit = sign * units(called.bid, self.options["bands"])
        scores = dict.fromkeys(self.seats, 0) | dict.fromkeys(called.active, -unit)
        if called.partner:
            return scores | {called.bidder: 2 * unit, called.partner: unit}
        return scores | {called.bidder: 4 * unit}
