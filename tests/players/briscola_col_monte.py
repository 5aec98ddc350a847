"""Random hands of Briscola col Monte, with a second implementation of every clause."""

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
from tests.players.briscola_chiamata import MATCH_ENDS
from tests.players.common import Event, PlayedHand, Scores, chance, event, turn

SEATS = (5, 6, 7)
TRICKS = {5: 7, 6: 6}


def random_options(rng: random.Random, seats: int) -> dict[str, Any]:
    """Return values for most options."""
    options = common.some(
        rng,
        {
            "pack": ["italian", "french"],
            "match_end": MATCH_ENDS,
            **HOUSE,
            "sweep": ["either", "bidder"],
            "six_split": ["equal", "three_one"],
            "carichi": ["off", "flat", "points"],
            "monte": ["dealt", "removed"],
            "called_in_hand": ["choice", "alone", "right"],
            "first_lead": ["bidder", "eldest"],
            "call_time": ["before", "suit_then_card", "after"],
            "min_bid": [61, 90],
            "max_bid": [110, 120],
        },
    )
    if options.get("monte") == "removed":
        options.pop("call_time", None)
    return with_redeals(options, 0)


class Match(DoublingMatch):
    """A match of Briscola col Monte."""

    defaults: Mapping[str, Any] = {
        "pack": "italian",
        "match_end": "open",
        "bands": [91],
        "sweep_test": "points",
        "sweep_pay": "double",
        "sweep": "bidder",
        "six_split": "equal",
        "called_in_hand": "choice",
        "first_lead": "bidder",
        "call_time": "before",
        "redeal_max_points": 0,
        "four_twos": False,
        "next_double": (),
        "min_bid": 61,
        "max_bid": ALL_POINTS,
        "carichi": "off",
        "monte": "dealt",
    }

    def hand(self, dealer: str) -> PlayedHand:
        rng, pack = self.rng, Pack.named(self.options["pack"])
        active = [*turn(self.seats, dealer)[1:], dealer][:6]
        size = TRICKS[len(active)]
        low = self.options["min_bid"]
        bids = auction(rng, active, [*range(low, self.options["max_bid"] + 1),
                                     *alone_bids(self.options, low)])  # fmt: skip
        cards = self.cards(pack, len(active))
        holdings = {player: [cards.pop() for _ in range(size)] for player in active}
        poor = [player for player in active if self.weak(holdings[player], pack)]
        if poor and chance(rng, 0.4):
            return self.thrown_in(dealer, poor[0], holdings[poor[0]], bids)
        if all(bid == "pass" for _, bid in bids):
            return self.passed(dealer, active)
        bidder, bid = next(bid for bid in reversed(bids) if bid[1] != "pass")
        table = Table(rng, pack, holdings, cards, active, bidder, self.options, bid)
        mates, for_them = {bidder, table.partner}, chance(rng, 0.85)
        eager = {p: (p in mates) == for_them for p in active} if chance(rng, 0.5) else {}
        play = BriscolaPlay(rng, active, holdings, eager)
        play.pack, play.trump = pack, None if table.solo else table.card[-1]
        play.run(bidder if self.options["first_lead"] == "bidder" else active[0], size)
        if not table.solo:
            reveal(rng, play, table.card, table.partner or bidder)
        hand = PlayedHand(dealer, {})
        called = Called(
            rng,
            hand,
            bids,
            bidder,
            table.partner,
            bid,
            table.card,
            table.contract,
            table.after,
            play,
            active,
        )
        hand.taken = play.card_points(called.parties())
        hand.taken[called.parties()[play.tricks[-1].winner]] += pack.worth(table.away)
        self.score(called)
        return hand

    def cards(self, pack: Pack, players: int) -> list[str]:
        """Return the pack, sometimes arranged with the good cards for one or two players.

        Without a monte it has no 2s, and for five players not the 4 of cups or of hearts.
        """
        cards = pack.cards()
        if self.options["monte"] == "removed":
            four = "4" + ("C" if self.options["pack"] == "italian" else "H")
            cards = [card for card in cards if card[0] != "2" and (players > 5 or card != four)]
        self.rng.shuffle(cards)
        if chance(self.rng, 0.2):
            cards.sort(key=lambda card: pack.value(card) > 0 and chance(self.rng, 0.95))
        return cards

    def score(self, called: Called) -> None:
        """Compute the payment (M7 to M10)."""
        hand, points = called.hand, called.hand.taken
        assert points is not None
        is_made = points["bidder"] >= needed(called.bid)
        factor = self.factor()
        bare = {
            player: factor * points for player, points in self.pay(called, was_made=is_made).items()
        }
        unit, pay = units(called.bid, self.options["bands"]), self.options["sweep_pay"]
        swept = swept_scores(bare, unit, pay)
        tricks = called.play.won(called.parties())
        hand.scores = swept if sweeps(self.options, points, tricks) else bare
        counted = swept if sweeps(self.options, points, None) else bare
        called.record(counted, bare, was_made=is_made, draw=False)

    def pay(self, called: Called, *, was_made: bool) -> Scores:
        """Return the payment of each player, without the doubling for all points."""
        unit = (1 if was_made else -1) * units(called.bid, self.options["bands"])
        six = len(called.active) == 6
        scores = dict.fromkeys(self.seats, 0) | dict.fromkeys(called.active, -unit)
        if called.partner:
            bidder, partner = (2, 2 if six else 1)
            if six and self.options["six_split"] == "three_one":
                bidder, partner = 3, 1
            return scores | {called.bidder: bidder * unit, called.partner: partner * unit}
        return scores | {called.bidder: (5 if six else 4) * unit}


class Table:
    """The named card, the monte and the laid-away cards as played (M3, M5)."""

    def __init__(
        self,
        rng: random.Random,
        pack: Pack,
        holdings: dict[str, list[str]],
        monte: list[str],
        active: list[str],
        bidder: str,
        options: Mapping[str, Any],
        bid: Any,
    ) -> None:
        self.rng = rng
        self.solo = is_alone(bid)
        self.call_time, in_hand = options["call_time"], options["called_in_hand"]
        every = [card for cards in (*holdings.values(), monte) for card in cards]
        named = rng.choice([every, every, holdings[bidder], monte or every])
        self.card = rng.choice(named)
        self.partner = next((p for p in active if self.card in holdings[p]), bidder)
        mine = holdings[bidder]
        taken = list(monte)
        mine += monte
        own = self.partner == bidder
        shown = own and in_hand != "alone" and chance(rng, 0.5)
        kept = shown or self.call_time != "before"
        loose = [card for card in mine if not (kept and card == self.card)]
        self.away = rng.sample(loose, len(monte))
        for card in self.away:
            mine.remove(card)
        after = turn(active, bidder)[1]
        self.partner = after if shown or (own and in_hand == "right") else self.partner
        self.contract, self.after = self.events(bidder, taken, shown=shown)
        if self.partner == bidder or self.solo:
            self.partner = ""

    def named(self, bidder: str, *, shown: bool) -> list[Event]:
        """Return the event that names the card; the bidder may also show it."""
        show = [event("called_card_shown", player=bidder)] if shown else []
        return [event("card_called", player=bidder, card=self.card), *show]

    def events(
        self, bidder: str, monte: list[str], *, shown: bool
    ) -> tuple[list[Event], list[Event]]:
        """Return the events before the first lead, and those that may come after the last trick."""
        rng = self.rng
        if not monte:
            return ([] if self.solo else self.named(bidder, shown=shown)), []
        taken_cards = {"cards": monte} if chance(rng, 0.5) else {}
        laid = {"cards": self.away} if chance(rng, 0.5) else {}
        called = event("card_called", player=bidder, card=self.card)
        took = event("monte_taken", player=bidder, **taken_cards)
        away = event("cards_laid_away", player=bidder, **laid)
        show = [event("called_card_shown", player=bidder)] if shown else []
        if self.solo:
            return [took, away], []
        style = rng.choice(["bare", "before", "after", "late"])
        if self.call_time != "before":
            suit = event("card_called", player=bidder, suit=self.card[-1])
            before = [suit] if self.call_time == "suit_then_card" and chance(rng, 0.8) else []
            first = {"bare": [], "late": [took]}.get(style, [took, away])
            return [*before, *first, called, *show], [away] if style == "late" else []
        if style == "bare":
            return [called, *show], []
        if style == "late":
            return [called, took, *show], [away]
        return [
            called,
            took,
            *(show if style == "before" else []),
            away,
            *(show if style == "after" else []),
        ], []
