"""Random hands of Briscola Chiamata, with a second implementation of every clause."""

import random
from collections.abc import Mapping
from typing import Any

from tests.players import common
from tests.players.briscola import (
    ALL_POINTS,
    HOUSE,
    BriscolaPlay,
    Called,
    DoublingMatch,
    Pack,
    alone_bids,
    auction,
    is_alone,
    needed,
    reveal,
    sweeps,
    swept_scores,
    units,
    with_redeals,
)
from tests.players.common import PlayedHand, Scores, chance, event, turn

SEATS = (5, 6)
TRICKS = 8
MATCH_ENDS = ["open", {"target": 3}, {"target": 8}, {"hands": 2}, {"hands": 4}]


def random_options(rng: random.Random, seats: int) -> dict[str, Any]:
    """Return values for most options."""
    options = common.some(
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
            "carichi": ["off", "flat", "points"],
            "pass": ["final", "may_return"],
            "last_must_bid": ["none", 71, 80],
            "points_bids": ["any", "after_two"],
            "trump_named": ["before_lead", "after_first_trick"],
            "next_double": [*HOUSE["next_double"], ["draw"], ["weak_hand", "draw", "all_passed"]],
        },
    )
    if "draw" in options.get("next_double", ()):
        options["sixty"] = "draw"
    if options.get("ladder") == "ranks":
        options.pop("last_must_bid", None)
    if options.get("ladder") in ("points", "ranks") or "last_must_bid" in options:
        options.pop("points_bids", None)
    return with_redeals(options, "none")


class Match(DoublingMatch):
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
        "carichi": "off",
        "pass": "final",
        "last_must_bid": "none",
        "points_bids": "any",
        "trump_named": "before_lead",
        "redeal_max_points": "none",
        "four_twos": False,
        "next_double": (),
    }

    def ladder(self, pack: Pack) -> list[Any]:
        """Return all possible bids (C2)."""
        kind = self.options["ladder"]
        numbers = range(61 if kind == "points" else 62, ALL_POINTS + 1)
        every: dict[str, list[Any]] = {
            "ranks_points": [*pack.ranks, *numbers],
            "points": [*numbers],
            "two": ["2", *numbers],
            "ranks": [*pack.ranks],
        }
        lowest = 62 if kind == "ranks_points" else 61
        return [*every[kind], *alone_bids(self.options, lowest)]

    def hand(self, dealer: str) -> PlayedHand:
        rng, pack = self.rng, Pack.named(self.options["pack"])
        active = [*turn(self.seats, dealer)[1:], dealer][:5]
        least, returns = self.options["last_must_bid"], self.options["pass"] == "may_return"
        bids = auction(rng, active, self.ladder(pack), may_return=returns,
                       least=None if least == "none" else least,
                       through="2" if self.options["points_bids"] == "after_two" else None,
                       )  # fmt: skip
        made_bids = [bid for bid in bids if bid[1] != "pass"]
        if chance(rng, 0.2):
            poor = self.poor(pack)
            if self.weak(poor, pack):
                return self.thrown_in(dealer, rng.choice(active), poor, bids)
        if not made_bids:
            return self.passed(dealer, active)
        bidder, bid = made_bids[-1]
        holdings = self.deal(active, pack, bidder)
        solo = is_alone(bid)
        card = self.call(holdings[bidder], "2" if solo else bid, pack)
        holder = next(player for player in active if card in holdings[player])
        partner = holder if holder != bidder and not solo else None
        mates, for_them = {bidder, partner}, chance(rng, 0.8)
        eager = {p: (p in mates) == for_them for p in active} if chance(rng, 0.4) else {}
        party = {p: "bidder" if p in mates else "defenders" for p in active}
        # A few hands are repeated until a side has sixty points, which is rare.
        tries = 30 if chance(rng, 0.05) else 1
        while True:
            held = {player: list(cards) for player, cards in holdings.items()}
            play = BriscolaPlay(rng, active, held, eager)
            play.pack, play.trump = pack, None if solo else card[-1]
            play.run(bidder if self.options["first_lead"] == "bidder" else active[0], TRICKS)
            tries -= 1
            if not tries or play.card_points(party)["bidder"] == ALL_POINTS // 2:
                break
        if not solo:
            reveal(rng, play, card, holder)
        contract = [] if solo else [event("card_called", player=bidder, card=card)]
        hand = PlayedHand(dealer, {})
        called = Called(rng, hand, bids, bidder, partner, bid, card, contract, [], play, active)
        called.blind = self.options["trump_named"] == "after_first_trick"
        hand.taken = play.card_points(called.parties())
        hand.taken = {side: hand.taken.get(side, 0) for side in ("bidder", "defenders")}
        self.score(called)
        return hand

    def poor(self, pack: Pack) -> list[str]:
        """Return eight cards of low value."""
        low = [card for card in pack.cards() if pack.value(card) < 3]
        twos = [card for card in low if card[0] == "2"]
        others = self.rng.sample([card for card in low if card not in twos], 8)
        return [*twos, *others][:8] if chance(self.rng, 0.5) else others

    def deal(self, active: list[str], pack: Pack, bidder: str) -> dict[str, list[str]]:
        """Deal eight cards each; sometimes the bidder's are long in one suit."""
        cards = pack.cards()
        self.rng.shuffle(cards)
        if chance(self.rng, 0.1):
            long = self.rng.choice(pack.suits)
            cards.sort(key=lambda card: card[-1] == long and chance(self.rng, 0.95))
        order = [bidder, *(player for player in active if player != bidder)]
        return {player: [cards.pop() for _ in range(TRICKS)] for player in order}

    def call(self, held: list[str], bid: Any, pack: Pack) -> str:
        """Return the card that the bidder calls (C4, C5)."""
        trump = self.rng.choice([self.rng.choice(pack.suits), held[0][-1]])
        if (self.options["call_duty"] or self.options["ladder"]) in ("any", "points"):
            return self.rng.choice(pack.ranks) + trump
        if bid != "2" and not isinstance(bid, int):
            return f"{bid}{trump}"
        lacked = [rank for rank in pack.ranks if rank + trump not in held]
        return (lacked[-1] if chance(self.rng, 0.8) else "2") + trump

    def score(self, called: Called) -> None:
        """Compute the payment (C7 to C9)."""
        hand, points = called.hand, called.hand.taken
        assert points is not None
        by_rank = isinstance(called.bid, str)
        is_made = points["bidder"] >= needed(called.bid)
        draw = (
            by_rank
            and called.bid != "carichi"
            and points["bidder"] == 60
            and self.options["sixty"] == "draw"
        )
        tricks = called.play.won(called.parties())
        plain = self.pay(called, self.factor(draw=draw) * (1 if is_made else -1))
        unit, pay = units(called.bid, self.options["bands"]), self.options["sweep_pay"]
        swept = swept_scores(plain, unit, pay)
        hand.scores = swept if sweeps(self.options, points, tricks) else plain
        counted = swept if sweeps(self.options, points, None) else plain
        called.record(counted, plain, was_made=is_made, draw=draw)

    def pay(self, called: Called, sign: int) -> Scores:
        """Return the payment of each player without a sweep."""
        unit = sign * units(called.bid, self.options["bands"])
        scores = dict.fromkeys(self.seats, 0) | dict.fromkeys(called.active, -unit)
        if called.partner:
            return scores | {called.bidder: 2 * unit, called.partner: unit}
        return scores | {called.bidder: 4 * unit}
