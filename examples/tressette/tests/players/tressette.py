"""Random play of Tressette, with the clauses of its rule book implemented a second time."""

import random
from collections.abc import Mapping
from fractions import Fraction
from math import floor
from typing import Any

from tests.players import common
from tests.players.common import Event, PlayedHand, Scores, chance, event, turn
from tests.players.tricks import Moment, Play

SEATS = (4,)
SUITS = "SCDB"
RANKS = ("3", "2", "A", "K", "N", "J", "7", "6", "5", "4")  # strongest first (T2)
TRICKS = 10
WORTH = {"A": Fraction(1), **dict.fromkeys("32KNJ", Fraction(1, 3))}  # T5
GOOD = ("3", "2", "A")


def random_options(rng: random.Random, seats: int) -> dict[str, Any]:
    """Return random values for most options."""
    ends = [{"target": 21}, {"target": 31}, {"hands": rng.choice([1, 2, 5])}, "open"]
    return common.some(rng, {"declarations": ["first_trick", "none"], "match": ends})


def worth(card: str) -> Fraction:
    """Return the points of a card."""
    return WORTH.get(card[0], Fraction(0))


class TressettePlay(Play):
    """Ten tricks without a trump, and declarations before each player's first card."""

    talkative = 0.0

    def legal(self, player: str) -> list[str]:
        held = self.holdings[player]
        led = self.plays[0][1][1] if self.plays else ""
        return [card for card in held if card[1] == led] or held

    def winner(self, plays: list[tuple[str, str]]) -> str:
        led = plays[0][1][1]
        following = [(RANKS.index(card[0]), player) for player, card in plays if card[1] == led]
        return min(following)[1]

    def pause(self, moment: Moment) -> None:
        super().pause(moment)
        number, place = moment
        if number == 0 and place < len(self.players):
            for player in self.players[place:]:  # players are in order of play, eldest first
                if player == self.players[place] or chance(self.rng, 0.2):
                    self.declare(moment, player)

    def declare(self, moment: Moment, player: str) -> None:
        """Declare the holdings of a player, or some of them, once."""
        held = set(self.holdings[player])
        declared = [act["data"] for acts in self.acts.values() for act in acts]
        for suit in SUITS:
            new = {"player": player, "suit": suit}
            if {rank + suit for rank in GOOD} <= held and new not in declared:
                self.say(moment, "napoletana_declared", new)
        for rank in GOOD:
            lacking = [suit for suit in SUITS if rank + suit not in held]
            before = [
                data for data in declared if (data.get("rank"), data["player"]) == (rank, player)
            ]
            if len(lacking) < 2 and not before:
                named = {"suit": lacking[0]} if lacking and chance(self.rng, 0.7) else {}
                new = {"player": player, "count": 4 - len(lacking), "rank": rank, **named}
                self.say(moment, "same_rank_declared", new)

    def say(self, moment: Moment, kind: str, data: dict[str, Any]) -> None:
        if chance(self.rng, self.talkative):
            self.act(moment, event(kind, **data))

    @property
    def declared(self) -> list[Event]:
        acts = [act for moment in sorted(self.acts) for act in self.acts[moment]]
        return [act for act in acts if act["type"].endswith("declared")]


class Match(common.Match):
    """A match to 21 points, or another end."""

    defaults: Mapping[str, Any] = {"declarations": "first_trick", "match": {"target": 21}}

    def sides(self) -> dict[str, str]:
        return {player: "AB"[seat % 2] for seat, player in enumerate(self.seats)}

    def settle(self, hand: PlayedHand) -> None:
        for side, points in hand.scores.items():
            self.totals[side] += points
        end = self.options["match"]
        if end != "open":
            self.finish(target=end.get("target"), hands=end.get("hands"))

    def hand(self, dealer: str) -> PlayedHand:
        rng, sides = self.rng, self.sides()
        order = [*turn(self.seats, dealer)[1:], dealer]
        keen = rng.choice("AB")
        eager = {p: sides[p] == keen for p in order} if chance(rng, 0.2) else {}
        play = TressettePlay(rng, order, self.deal(order), eager)
        if self.options["declarations"] != "none":
            play.talkative = rng.choice([0.3, 0.9, 1])
        play.run(order[0], TRICKS)
        taken = self.points(play)
        scores = dict(taken)
        for declaration in play.declared:
            data = declaration["data"]
            scores[sides[data["player"]]] += data.get("count", 3)  # T7
        hand = PlayedHand(dealer, scores, taken)
        self.record(hand, play)
        return hand

    def deal(self, order: list[str]) -> dict[str, list[str]]:
        """Deal ten cards each (T1); sometimes with the good cards together."""
        rng = self.rng
        pack = [rank + suit for suit in SUITS for rank in RANKS]
        rng.shuffle(pack)
        if chance(rng, 0.5):
            pack.sort(key=lambda card: card[0] in GOOD and chance(rng, 0.6))
        if chance(rng, 0.2):
            pack.sort(key=lambda card: card[1])
        hands = [pack[place : place + 10] for place in range(0, 40, 10)]
        rng.shuffle(hands)
        return dict(zip(order, hands, strict=True))

    def points(self, play: TressettePlay) -> Scores:
        """Return the whole points of each side in its tricks, with the last trick (T5, T6)."""
        sides = self.sides()
        sums = dict.fromkeys("AB", Fraction(0))
        for trick in play.tricks:
            sums[sides[trick.winner]] += sum(worth(card) for _, card in trick.plays)
        sums[sides[play.tricks[-1].winner]] += 1
        return {side: floor(points) for side, points in sums.items()}

    def record(self, hand: PlayedHand, play: TressettePlay) -> None:
        rng = self.rng

        def count() -> Event:
            assert hand.taken is not None
            won = common.fewer(rng, play.won(self.sides()))
            more = {"tricks": won} if chance(rng, 0.3) else {}
            return event("points_counted", points=common.fewer(rng, hand.taken), **more)

        def claims() -> list[Event]:
            return [*([count()] if chance(rng, 0.4) else []), *hand.claims(rng)]

        hand.add("cards", [*play.record(play.styles("cards", "claimed")), *claims()], level="cards")
        plain = play.record(["cards"] * TRICKS)
        hand.add("cards late", [*plain, *play.late_claims(), *claims()], level="cards")
        hand.add("mixed", [*play.record(play.mixed()), count()], level="mixed")
        hand.add("tricks", [*play.record(["taken"] * TRICKS), count()], level="tricks")
        declared = play.declared
        rng.shuffle(declared)
        hand.add("totals", [*declared, count(), *hand.claims(rng)], level="totals")
        if rest := play.rest_spot():
            styled = play.record(play.styles("cards", "claimed"), rest)
            hand.add("cards rest", [*styled, *claims()])
            hand.add("tricks rest", [*play.record(["taken"] * TRICKS, rest), count()])
