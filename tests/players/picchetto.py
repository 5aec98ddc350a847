"""Random hands of Picchetto, with a second implementation of every clause."""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tests.players import common
from tests.players.common import Event, PlayedHand, Scores, chance, event
from tests.players.picchetto_marks import (
    ENDLESS,
    Figures,
    Mark,
    Outcome,
    Reckoning,
    changes_of,
    trick_marks,
)
from tests.players.picchetto_sayings import Category, cards_of, declare, discards
from tests.players.tricks import Moment, Play

SEATS = (2,)
SUITS = "SHDC"
RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7")  # strongest first
TRICKS = 12
COURT = {"K", "Q", "J"}
# P16: name and target of each game.
GAMES = (("game", 150), ("return", 150), ("final", 221))
# The number of hands, and the numbers of those that count double.
DEALS = {"rubicon": (6, ()), "four_deals": (4, (1, 4))}


def random_options(rng: random.Random, seats: int) -> dict[str, Any]:
    """Return values for most options."""
    return common.some(
        rng,
        {
            "must_beat": [False, True],
            "white_in_repique": [True, False],
            "match": ["classic", "single", {"game": rng.choice([100, 200])}, "cent", *DEALS],
            "final_target": [221, 220, 150],
            "lead_point": ["none", "each"],
            "last_trick": [2, 3],
            "low_cards_in_play": [True, True, False],
            "capot": [40, 30],
            "younger_min": [1, 0],
            "point_ending_four": [False, True],
            "carte_rouge": ["off", 10, 40],
        },
    )


class PicchettoPlay(Play):
    """Twelve tricks with a duty to follow, and perhaps one to beat."""

    must_beat = False

    def legal(self, player: str) -> list[str]:
        held = self.holdings[player]
        if not self.plays:
            return held
        following = [card for card in held if card[-1] == self.plays[0][1][-1]]
        if self.must_beat:
            following = [
                card for card in following if self.winner([*self.plays, (player, card)]) == player
            ] or following
        return following or held

    def winner(self, plays: list[tuple[str, str]]) -> str:
        led = [play for play in plays if play[1][-1] == plays[0][1][-1]]
        return min(led, key=lambda play: RANKS.index(play[1][:-1]))[0]


class Match(common.Match):
    """A match of Picchetto: game, return game and, if need be, the final."""

    defaults: Mapping[str, Any] = {
        "must_beat": False,
        "white_in_repique": True,
        "match": "classic",
        "final_target": 221,
        "lead_point": "none",
        "last_trick": 2,
        "low_cards_in_play": True,
        "capot": 40,
        "younger_min": 1,
        "point_ending_four": False,
        "carte_rouge": "off",
    }

    penalties = (-10, 5, 30, 150)  # the last one reaches the target immediately

    def __init__(
        self, rng: random.Random, seats: tuple[str, ...], options: Mapping[str, Any]
    ) -> None:
        super().__init__(rng, seats, options)
        self.at: Scores = dict.fromkeys(seats, 0)  # the score of the current game
        self.games: list[dict[str, Any]] = []  # each listed from its first hand on
        self.terms: Reckoning
        self.outcome = Outcome({})
        self.marks: list[Mark] = []
        self.rouge: list[str] = []  # players who declared carte rouge
        self.last, self.changes = "", 0
        self.tricks: Scores = {}
        self.settled: Scores | None = None
        self.figures = Figures(
            self.options["lead_point"] == "each", self.options["last_trick"],
            self.options["capot"], self.options["low_cards_in_play"],
        )  # fmt: skip

    @property
    def deals(self) -> int:
        """Return the number of hands in a match without games; 0 in one with games."""
        match = self.options["match"]
        return DEALS[match][0] if match in list(DEALS) else 0

    @property
    def factor(self) -> int:
        """Return the multiplier of the present hand (P16)."""
        return 2 if self.deals and self.hands + 1 in DEALS[self.options["match"]][1] else 1

    @property
    def named_game(self) -> tuple[str, int]:
        """Return the name of the present game, and its target (P15, P16)."""
        match = self.options["match"]
        if self.deals:
            return "game", ENDLESS
        if match == "cent":
            return "game", 100
        name, target = GAMES[len(self.won)]
        if isinstance(match, dict):
            return name, match["game"]
        return name, self.options["final_target"] if name == "final" else target

    @property
    def target(self) -> int:
        return self.named_game[1]

    @property
    def won(self) -> list[dict[str, Any]]:
        """Return the completed games."""
        return [game for game in self.games if game["winner"]]

    def penalise(self, side: str, points: int) -> None:
        self.at[side] += points
        if self.deals:
            self.totals[side] += points

    def play_hand(self) -> PlayedHand:
        if len(self.games) == len(self.won) and not self.deals:
            name, target = self.named_game
            self.games.append({"name": name, "target": target, "scores": self.at, "winner": None})
        return super().play_hand()

    def settle(self, hand: PlayedHand) -> None:
        for player, points in hand.scores.items():
            self.at[player] += points
        if self.deals:
            self.settle_deals()
            return
        winner = self.outcome.winner
        if winner is None:
            return
        game, cent = self.games[-1], self.options["match"] == "cent"
        game["winner"] = winner
        if cent and min(self.at.values()) < 50:
            game["counts"] = 2
        self.totals[winner] += game.get("counts", 1)
        self.at = dict.fromkeys(self.seats, 0)
        needed = 3 if cent else 2 if self.options["match"] == "classic" else 1
        if self.totals[winner] >= needed:
            self.over, self.winners = True, self.leaders()

    def settle_deals(self) -> None:
        """Settle a match of a fixed number of hands after one of them (P16)."""
        self.totals = dict(self.at)
        winners = self.leaders()
        drawn = len(winners) == 2
        if self.hands == self.deals + 2 or (self.hands == self.deals and not drawn):
            self.over, self.winners = True, winners
            lost, won = sorted(self.totals.values())
            due = 0 if drawn else 100 + (won - lost if lost >= 100 else won + lost)
            self.settled = {p: due if p == winners[0] else -due for p in self.seats}

    def hand(self, dealer: str) -> PlayedHand:
        elder = next(player for player in self.seats if player != dealer)
        order = (elder, dealer)
        before, talon = self.deal(order)
        opening, whites = self.exchanges(order, before, talon)
        after = {player: list(before[player]) for player in order}
        categories = [
            declare(self.rng, kind, order, after) for kind in ("point", "sequence", "set")
        ]
        for category in categories:
            category.four = self.options["point_ending_four"]
        after_exchange = {player: set(held) for player, held in after.items()}
        eager = {p: chance(self.rng, 0.8) for p in order} if chance(self.rng, 0.5) else {}
        play = PicchettoPlay(self.rng, order, after, eager)
        play.must_beat = self.options["must_beat"]
        play.run(elder, TRICKS)
        marks = [Mark(player, 10, "white") for player in whites]
        marks += [Mark(p, n, "declared") for category in categories for p, n in category.marks()]
        marks += self.rouges(order, after_exchange, categories)
        winners = [trick.winner for trick in play.tricks]
        cards = [dict(trick.plays) for trick in play.tricks]
        marks += trick_marks(elder, winners, self.figures, cards)
        white = self.options["white_in_repique"]
        nothing = self.rng.choice(order) if chance(self.rng, 0.1) else None
        self.terms = Reckoning(order, dict(self.at), self.target, white, self.figures, nothing)
        self.marks, self.outcome = marks, self.terms.count(marks)
        self.last, self.changes = winners[-1], changes_of(elder, winners)
        self.tricks = {player: winners.count(player) for player in order}
        hand = PlayedHand(dealer, self.times(self.outcome.scores), play.won(self.sides()))
        self.record(hand, play, opening, categories)
        return hand

    def rouges(
        self, order: tuple[str, str], held: Mapping[str, set[str]], categories: list[Category]
    ) -> list[Mark]:
        """Return carte rouge for players whose every card is in a scored declaration (P12)."""
        self.rouge = []
        for player in order if self.options["carte_rouge"] != "off" else ():
            items = [
                item
                for category in categories
                if category.winner == player
                for item in category.shown
            ]
            if held[player] <= {card for item in items for card in item.cards}:
                self.rouge.append(player)
        return [Mark(player, self.options["carte_rouge"], "rouge") for player in self.rouge]

    def deal(self, order: tuple[str, str]) -> tuple[dict[str, list[str]], list[str]]:
        """Deal twelve cards each and the talon; sometimes a white or a strong holding."""
        rng, pack = self.rng, [rank + suit for suit in SUITS for rank in RANKS]
        rng.shuffle(pack)
        kind = rng.choice(["fair", "fair", "white", "high", "long"])
        if kind == "white":
            pack.sort(key=lambda card: card[:-1] in COURT)
            low = pack[:20]
            rng.shuffle(low)
            pack = [*low[:12], *(pack[20:] if chance(rng, 0.5) else low[12:])]
            pack += [r + s for s in SUITS for r in RANKS if r + s not in pack]
        if kind == "high":
            pack.sort(key=lambda card: RANKS.index(card[:-1]) + rng.random() * 3)
        if kind == "high" and self.options["carte_rouge"] != "off" and chance(rng, 0.5):
            pack.sort(key=lambda card: RANKS.index(card[:-1]) >= 3)  # aces to queens
        if kind == "long":
            pack.sort(key=lambda card: SUITS.index(card[-1]) + rng.random() * 1.3)
        first, second = rng.sample(order, 2)
        return {first: pack[:12], second: pack[12:24]}, pack[24:]

    def exchanges(
        self, order: tuple[str, str], held: dict[str, list[str]], talon: list[str]
    ) -> tuple[list[Event], list[str]]:
        """Return the events of white and of the exchange, elder first (P2, P3)."""
        rng, events, whites = self.rng, [], []
        for player in order:
            mine = held[player]
            if not {card[:-1] for card in mine} & COURT and chance(rng, 0.9):
                whites.append(player)
                more = {"cards": list(mine)} if chance(rng, 0.5) else {}
                events.append(event("white_declared", player=player, **more))
            if chance(rng, 0.05):
                events.append(event("cards_shown", player=player, cards=rng.sample(mine, 3)))
            most = 5 if player == order[0] else len(talon)
            least = 1 if player == order[0] else self.options["younger_min"]
            away = discards(rng, mine, rng.randint(least, most))
            drawn, talon = talon[: len(away)], talon[len(away) :]
            for card in away:
                mine.remove(card)
            mine += drawn
            events.append(
                event(
                    "cards_exchanged", player=player, count=len(away), discarded=away, drawn=drawn
                )
            )
        return events, whites

    def times(self, scores: Scores) -> Scores:
        """Return the score of a hand with these marks."""
        return {player: self.factor * points for player, points in scores.items()}

    def record(
        self, hand: PlayedHand, play: Play, opening: list[Event], categories: list[Category]
    ) -> None:
        rng, outcome = self.rng, self.outcome
        last = outcome.won_at.trick if outcome.won_at and outcome.won_at.kind == "trick" else TRICKS
        if outcome.pique:
            moment: Moment = (outcome.pique_at - 1, 2)
            if chance(rng, 0.5):
                play.act(moment, event("pique_called", player=outcome.pique))

        def before_play(*, called: bool = False) -> list[Event]:
            return self.events_before_play(opening, categories, called=called)

        def claims() -> list[Event]:
            counted = [event("points_counted", points=outcome.scores)] if chance(rng, 0.2) else []
            tricks = [self.counted(hand, play)] if chance(rng, 0.3) else []
            return [*counted, *tricks, *hand.claims(rng)]

        cards = play.record(play.styles("cards", "claimed"))
        hand.add("cards", [*before_play(), *cards, *claims()], level="cards")
        plain = play.record(["cards"] * TRICKS)
        hand.add("cards late", [*before_play(), *plain, *play.late_claims()], level="cards")
        if not self.figures.low_cards:
            points = event("points_counted", points=outcome.scores)
            hand.add("totals points", [points], level="totals", taken=None)
            return
        taken = play.record(["taken"] * TRICKS)
        hand.add("tricks", [*before_play(), *taken, *claims()], level="tricks")
        hand.add("mixed", [*before_play(), *play.record(play.mixed()), *claims()], level="mixed")
        if rest := play.rest_spot():
            hand.add(
                "tricks rest", [*before_play(), *play.record(["taken"] * TRICKS, rest), *claims()]
            )
            styles = play.styles("cards", "claimed", "taken")
            hand.add("mixed rest", [*before_play(), *play.record(styles, rest), *claims()])
        if outcome.won_in_declarations:
            hand.add("cards won", [*before_play(), *hand.claims(rng)], taken=None)
        if outcome.won_at and last < TRICKS:
            play.tricks = play.tricks[:last]
            cards = play.record(play.styles("cards", "claimed"))
            hand.add("cards won", [*before_play(), *cards, *hand.claims(rng)], taken=None)
        count = self.counted(hand, play)
        tricks = (
            [*before_play(called=True), count]
            if chance(rng, 0.9)
            else [count, *before_play(called=True)]
        )
        hand.add("totals", tricks, level="totals", scores=self.as_counted())
        points = event("points_counted", points=outcome.scores)
        undecided = ("scores",) if self.terms.lifted else ()
        hand.add("totals points", [points], undecided, level="totals", taken=None)

    def as_counted(self) -> Scores:
        """The score where the tricks are only counted, and a pique that was due is called."""
        outcome, terms = self.outcome, self.terms
        if outcome.won_at is None or outcome.won_in_declarations:
            return self.times(outcome.scores)
        pique = outcome.pique or terms.surely_pique(
            self.marks, self.tricks, self.last, self.changes
        )
        return terms.all_marks(outcome, self.marks, pique)

    def left_open(self, tricks: Scores) -> tuple[Scores | None, str | None, set[str]]:
        """The score and the winner of the game by counted tricks, no pique called; what is unclear.

        Found by trying every order of the tricks. No score where the rules leave too much open.
        """
        terms, fixed = self.terms, [mark for mark in self.marks if mark.trick == 0]
        fixed = [mark for mark in fixed if mark.kind != "cards"]
        orders = list(terms.orders(fixed, tricks, self.last, self.changes))
        endless = replace(terms, target=ENDLESS)
        piques = {
            outcome.pique for outcome in endless.orders(fixed, tricks, self.last, self.changes)
        }
        if orders[0].won_in_declarations:
            return orders[0].scores, orders[0].winner, set()
        sure = next(iter(piques)) if len(piques) == 1 else None
        scores = terms.all_marks(orders[0], self.marks, sure)
        if all(outcome.winner is None for outcome in orders):
            return scores, None, {"pique_unclear"} if len(piques) > 1 else set()
        if len(piques) > 1:
            return None, None, set()
        final = {player: terms.at[player] + scores[player] for player in terms.order}
        winner = max(terms.order, key=lambda player: (final[player], player == terms.order[0]))
        others = {outcome.winner for outcome in orders} - {winner}
        return scores, winner, {"game_unclear"} if others else set()

    def counted(self, hand: PlayedHand, play: Play) -> Event:
        assert hand.taken is not None
        all_tricks = max(hand.taken.values()) == TRICKS
        last: dict[str, Any] = {} if all_tricks and chance(self.rng, 0.5) else {"last": self.last}
        if self.figures.leads and not (all_tricks and chance(self.rng, 0.5)):
            last["lead_changes"] = self.changes
        return event("tricks_counted", tricks=common.fewer(self.rng, hand.taken), **last)

    def events_before_play(
        self, opening: list[Event], categories: list[Category], *, called: bool
    ) -> list[Event]:
        """All that comes before the first lead; with ``called`` what a count needs."""
        rng, outcome = self.rng, self.outcome
        whites = [raw for raw in opening if raw["type"] == "white_declared"]
        events = cards_of(rng, opening) if chance(rng, 0.6) else whites
        if chance(rng, 0.15):
            categories = rng.sample(categories, 3)
        events = [*events, *(stated for category in categories for stated in category.events(rng))]
        events += [event("carte_rouge_declared", player=player) for player in self.rouge]
        if self.terms.nothing:
            events.append(event("deal_forfeited", player=self.terms.nothing))
        if outcome.repique and chance(rng, 0.5):
            events.append(event("repique_called", player=outcome.repique))
        if outcome.pique and called:
            events.append(event("pique_called", player=outcome.pique))
        return events
