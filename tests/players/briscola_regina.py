"""Random hands of Briscola Regina, with a second implementation of every clause."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tests.players import common
from tests.players.briscola import BriscolaPlay, Pack
from tests.players.common import Event, PlayedHand, Scores, chance, event, turn
from tests.players.tricks import Moment

SEATS = (2, 3, 4, 5)
TRICKS = {2: 20, 3: 13, 4: 10, 5: 8}
BRIS_POINTS = (0, 10, 20, 30)


def random_options(rng: random.Random, seats: int) -> dict[str, Any]:
    """Return values for most options."""
    options = common.some(
        rng,
        {
            "pack": ["italian", "french"],
            "bris_count": ["deal", "side"],
            "hand_exchange": ["look", "swap", "none"],
            "tie": ["draw", "last_trick"],
            "bris_points": [[0, 10, 20, 30], [20, 40, 60, 80], [40, 60, 80, 100], [7, 0, 3, 3]],
            "trump_changes": [False, True],
            "four_figures": ["none", {"knights": 250, "kings": 500}, {"knights": 9, "kings": 10}],
            "match": [{"wins": rng.choice([2, 3, 4])}, {"points": rng.choice([100, 250])}, "open"],
        },
    )
    if chance(rng, 0.5):
        options["removed_two"] = rng.choice(Pack.named(options.get("pack", "italian")).suits)
    return options


class ReginaPlay(BriscolaPlay):
    """Tricks with a stock, with Bris and with the exchange of hands."""

    def __init__(
        self,
        match: "Match",
        holdings: dict[str, list[str]],
        stock: list[str],
        eager: Mapping[str, bool],
    ) -> None:
        super().__init__(match.rng, match.seats, holdings, eager)
        self.pack = match.pack
        self.side_of = match.sides()
        self.stock = stock
        self.exchange = match.options["hand_exchange"] if len(match.seats) == 4 else "none"
        self.exchanged: set[str] = set()
        self.changes = match.options["trump_changes"]
        self.calls: list[tuple[str, str]] = []  # player and suit
        self.four_count = match.options["four_figures"] != "none"
        self.four: list[str] = []  # players who showed four knights
        self.calling = self.rng.choice([0.02, 0.3, 0.9])

    def pause(self, moment: Moment) -> None:
        super().pause(moment)
        for player, held in self.holdings.items():
            for suit in self.pack.suits:
                bris = {"K" + suit, self.pack.knight + suit} <= set(held)
                if bris and chance(self.rng, self.calling) and suit not in self.suits_called:
                    self.calls.append((player, suit))
                    if self.changes or not self.trump:
                        self.trump = suit
                    self.act(moment, event("bris_called", player=player, suit=suit))
        for player, held in self.holdings.items():
            knights = {self.pack.knight + suit for suit in self.pack.suits} <= set(held)
            king = any(card[0] == "K" for card in held)
            if self.four_count and knights and king and not self.four:
                self.four.append(player)
                self.act(moment, event("figures_shown", player=player, figures="knights"))
        if moment[1] == 0 and not self.stock and self.exchange != "none":
            self.maybe_exchange(moment)

    @property
    def suits_called(self) -> list[str]:
        return [suit for _, suit in self.calls]

    def maybe_exchange(self, moment: Moment) -> None:
        for side in "AB":
            if side in self.exchanged or not chance(self.rng, 0.15):
                continue
            self.exchanged.add(side)
            one, other = (player for player in self.players if self.side_of[player] == side)
            if self.exchange == "swap":
                held = self.holdings
                held[one], held[other] = held[other], held[one]
            self.act(moment, event("hands_exchanged", side=side))

    def between(self, winner: str) -> None:
        for player in turn(self.players, winner):
            if self.stock:
                self.holdings[player].append(self.stock.pop())


class Match(common.Match):
    """A match of Briscola Regina."""

    defaults: Mapping[str, Any] = {
        "pack": "italian",
        "bris_count": "deal",
        "hand_exchange": "look",
        "tie": "draw",
        "bris_points": BRIS_POINTS,
        "trump_changes": False,
        "four_figures": "none",
        "match": {"wins": 2},
    }

    def __init__(
        self, rng: random.Random, seats: tuple[str, ...], options: Mapping[str, Any]
    ) -> None:
        super().__init__(rng, seats, options)
        self.pack = Pack.named(self.options["pack"])

    def sides(self) -> dict[str, str]:
        if len(self.seats) != 4:
            return super().sides()
        return {player: "AB"[seat % 2] for seat, player in enumerate(self.seats)}

    @property
    def takes_penalties(self) -> bool:
        return super().takes_penalties and "wins" not in self.options["match"]

    def cards(self) -> list[str]:
        """Return the pack, without a 2 for three players (B1)."""
        cards = self.pack.cards()
        if len(self.seats) == 3:
            suit = "H" if self.options["pack"] == "french" else "C"
            cards.remove("2" + self.options.get("removed_two", suit))
        self.rng.shuffle(cards)
        if chance(self.rng, 0.15):  # every Bris to the first two
            royal = [rank + suit for suit in self.pack.suits for rank in ("K", self.pack.knight)]
            others = [card for card in cards if card not in royal]
            cards = [*others[2:], *royal[:4], others[0], *royal[4:], others[1]]
            if chance(self.rng, 0.5):  # four knights and a king to the first
                cards.sort(key=lambda card: (card == royal[0]) + 2 * (card[0] == self.pack.knight))
        return cards

    def hand(self, dealer: str) -> PlayedHand:
        rng, order = self.rng, turn(self.seats, dealer)
        sides = self.sides()
        cards = self.cards()
        dealt = {player: [cards.pop() for _ in range(5)] for player in order}
        keen = rng.choice(order)
        eager = {p: sides[p] == sides[keen] for p in order} if chance(rng, 0.2) else {}
        # A few hands are repeated until two sides are equal, which is rare.
        tries = 20 if chance(rng, 0.05) else 1
        while True:
            holdings = {player: list(held) for player, held in dealt.items()}
            play = ReginaPlay(self, holdings, list(cards), eager)
            play.run(order[1], TRICKS[len(order)])
            taken = play.card_points(sides)
            scores = dict(taken)
            for side, points in self.bris_points(play.calls):
                scores[side] += points
            for player in play.four:
                scores[sides[player]] += self.options["four_figures"]["knights"]
            tries -= 1
            if not tries or max(scores.values()) in sorted(scores.values())[:-1]:
                break
        hand = PlayedHand(dealer, scores, taken)
        won_by = [sides[trick.winner] for trick in play.tricks]
        hand.winner = self.winner(scores, won_by)
        self.record(hand, play)
        return hand

    def bris_points(self, calls: Sequence[tuple[str, str]]) -> list[tuple[str, int]]:
        """Return the points of each Bris (B7)."""
        called: list[tuple[str, int]] = []
        for player, _ in calls:
            side = self.sides()[player]
            before = [player for player, _ in called]
            number = before.count(side) if self.options["bris_count"] == "side" else len(before)
            called.append((side, self.options["bris_points"][number]))
        return called

    def winner(self, scores: Scores, won_by: Sequence[str]) -> str | None:
        """Return the side that wins the hand (B9, B10); ``won_by`` took the tricks."""
        best = [side for side, points in scores.items() if points == max(scores.values())]
        if len(best) == 1:
            return best[0]
        if self.options["tie"] == "draw":
            return None
        return next((side for side in reversed(won_by) if side in best), None)

    def settle(self, hand: PlayedHand) -> None:
        end = self.options["match"]
        if "wins" not in end:
            for side, points in hand.scores.items():
                self.totals[side] += points
            if end != "open":
                self.finish(target=end["points"])
        elif hand.winner:
            self.totals[hand.winner] += 1
            self.finish(target=end["wins"])

    def record(self, hand: PlayedHand, play: ReginaPlay) -> None:
        rng = self.rng
        n = len(play.tricks)

        def count() -> Event:
            assert hand.taken is not None
            points = common.fewer(rng, hand.taken)
            won = common.fewer(rng, play.won(self.sides()))
            more = {"tricks": won} if chance(rng, 0.3) else {}
            return event("points_counted", points=points, **more)

        def claims() -> list[Event]:
            return [*([count()] if chance(rng, 0.4) else []), *hand.claims(rng)]

        cards = play.record(play.styles("cards", "claimed"))
        hand.add("cards", [*cards, *claims()], level="cards")
        plain = play.record(["cards"] * n)
        hand.add("cards late", [*plain, *play.late_claims()], level="cards")
        hand.add("mixed", [*play.record(play.mixed()), count()], level="mixed")
        hand.add("tricks", [*play.record(["taken"] * n), count()], level="tricks")
        if rest := play.rest_spot():
            claimed = play.record(play.styles("cards", "claimed"), rest)
            hand.add("cards rest", [*claimed, *claims()])
            hand.add("tricks rest", [*play.record(["taken"] * n, rest), count()])
        bris = [event("bris_called", player=player, suit=suit) for player, suit in play.calls]
        winner = self.winner(hand.scores, ())
        bris += [event("figures_shown", player=player, figures="knights") for player in play.four]
        hand.add("totals", [*bris, count(), *hand.claims(rng)], level="totals", winner=winner)
