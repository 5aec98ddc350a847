"""Random play of French Tarot, with the clauses of its rule book implemented a second time."""

import random
from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from tests.players import common
from tests.players.common import Event, PlayedHand, Scores, chance, event, turn
from tests.players.tricks import Moment, Play

SEATS = (3, 4, 5)
RANKS = ("K", "Q", "N", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2", "A")
TRUMPS = [f"T{n}" for n in range(1, 22)]
PACK = [rank + suit for suit in "SHDC" for rank in RANKS] + [*TRUMPS, "FOOL"]
BOUTS = {"T1", "T21", "FOOL"}
WORTH = {"K": Fraction(9, 2), "Q": Fraction(7, 2), "N": Fraction(5, 2), "J": Fraction(3, 2)}
TIMES = {"prise": 1, "garde": 2, "garde sans": 4, "garde contre": 6}
ENOUGH = {3: (13, 15, 18), 4: (10, 13, 15), 5: (8, 10, 13)}
FOR_HANDFUL = (20, 30, 40)


def random_options(rng: random.Random, seats: int) -> dict[str, Any]:
    """Return random values for most options."""
    return common.some(rng, {"match": [{"hands": rng.choice([1, 2, 5])}, "open"]})


def suit(card: str) -> str:
    return "" if card == "FOOL" else "T" if card[0] == "T" else card[-1]


def worth(card: str) -> Fraction:
    """Return the points of a card (F2)."""
    return Fraction(9, 2) if card in BOUTS else WORTH.get(card[:-1], Fraction(1, 2))


class TarotPlay(Play):
    """Tricks with trumps, which a void player has to play, and higher than before."""

    attack: tuple[str, ...] = ()

    def legal(self, player: str) -> list[str]:
        held = self.holdings[player]
        led = next((suit(card) for _, card in self.plays if card != "FOOL"), "")
        trumps = [int(card[1:]) for _, card in self.plays if suit(card) == "T"]
        higher = [c for c in held if suit(c) == "T" and int(c[1:]) > max(trumps, default=0)]
        following = [card for card in held if suit(card) == led]
        trumping = higher or [card for card in held if suit(card) == "T"]
        due = (trumping if led == "T" else following or trumping) if led else held
        excuse = ["FOOL"] if "FOOL" in held and due and "FOOL" not in due else []
        late = len(held) > 2  # the excuse is rarely kept for the last trick
        return (due or held) + excuse * (2 if late else 1)

    def winner(self, plays: list[tuple[str, str]]) -> str:
        number = len(self.tricks)
        for player, card in plays:
            mine = [
                (trick.winner in self.attack) == (player in self.attack) for trick in self.tricks
            ]
            last = len(plays) == len(self.players) and not any(
                self.holdings[other] for other in self.players
            )
            if card == "FOOL" and last and number and all(mine):
                return player
        led = next((suit(card) for _, card in plays if card != "FOOL"), "")
        trumps = [(int(card[1:]), player) for player, card in plays if suit(card) == "T"]
        ranked = [
            (-RANKS.index(card[:-1]), player)
            for player, card in plays
            if suit(card) == led != "T" and led
        ]
        return max(trumps or ranked or [(0, plays[0][0])])[1]

    def pause(self, moment: Moment) -> None:
        super().pause(moment)
        number, place = moment
        if number == 0 and place < len(self.players) and self.talkative:
            player = self.players[place]
            count = sum(suit(card) in ("T", "") for card in self.holdings[player])
            sizes = [n for n in ENOUGH[len(self.players)] if count >= n]
            if sizes:
                self.act(
                    moment, event("handful_shown", player=player, trumps=self.rng.choice(sizes))
                )

    talkative = True


class Match(common.Match):
    """A match of some hands, or an open one."""

    defaults: Mapping[str, Any] = {"match": "open"}

    def settle(self, hand: PlayedHand) -> None:
        for side, points in hand.scores.items():
            self.totals[side] += points
        end = self.options["match"]
        if end != "open":
            self.finish(hands=end["hands"])

    def hand(self, dealer: str) -> PlayedHand:
        rng = self.rng
        order = [*turn(self.seats, dealer)[1:], dealer]
        size = {3: 24, 4: 18, 5: 15}[len(order)]
        cards = rng.sample(PACK, len(PACK))
        holdings = {player: cards[at * size : (at + 1) * size] for at, player in enumerate(order)}
        aside = cards[size * len(order) :]
        taker, contract = rng.choice(order), rng.choice(list(TIMES))
        opening = [event("contract_taken", player=taker, contract=contract)]
        called = rng.choice(["KS", "KH", "KD", "KC"])
        if TIMES[contract] < 4:  # the taker exchanges, and lays no bout and no king away
            own = sorted(
                [*holdings[taker], *aside],
                key=lambda card: (
                    card in BOUTS or card[0] == "K" or suit(card) == "T",
                    rng.random(),
                ),
            )
            aside, holdings[taker] = own[: len(aside)], own[len(aside) :]
        partner = (
            next((p for p in order if called in holdings[p]), taker) if len(order) == 5 else taker
        )
        eager = {p: p in (taker, partner) for p in order} if chance(rng, 0.3) else {}
        play = TarotPlay(rng, order, holdings, eager)
        play.attack = (taker, partner)
        play.run(order[0], size)
        return self.scored(
            dealer, play, opening, contract, aside, called if len(order) == 5 else ""
        )

    def scored(
        self,
        dealer: str,
        play: TarotPlay,
        opening: list[Event],
        contract: str,
        aside: list[str],
        called: str,
    ) -> PlayedHand:
        rng, attack, taker = self.rng, set(play.attack), play.attack[0]
        piles: dict[bool, list[Fraction]] = {True: [], False: []}
        bouts = 0
        wins = {
            side: sum((t.winner in attack) == side for t in play.tricks) for side in (True, False)
        }
        for number, trick in enumerate(play.tricks):
            for player, card in trick.plays:
                side, own = trick.winner in attack, player in attack
                if card == "FOOL" and number < len(play.tricks) - 1 and wins[own] and own != side:
                    piles[side].append(Fraction(1, 2))
                    piles[own].append(worth(card) - Fraction(1, 2))
                    bouts += own
                else:
                    piles[side].append(worth(card))
                    bouts += side and card in BOUTS
        piles[contract != "garde contre"] += [worth(card) for card in aside]
        if contract != "garde contre":
            bouts += sum(card in BOUTS for card in aside)
        points = sum(piles[True], Fraction(0))
        over = points - (56, 51, 41, 36)[bouts]
        sign = 1 if over >= 0 else -1
        last = play.tricks[-1]
        if "FOOL" in [c for p, c in last.plays if p == last.winner]:
            last = play.tricks[-2]
        petit = "none"
        each = sign * (25 + ceil(abs(over))) * TIMES[contract]
        if "T1" in [card for _, card in last.plays]:
            petit = "taker" if last.winner in attack else "defence"
            each += (10 if petit == "taker" else -10) * TIMES[contract]
        shown = [
            act for acts in play.acts.values() for act in acts if act["type"] == "handful_shown"
        ]
        each += sum(
            sign * FOR_HANDFUL[ENOUGH[len(play.players)].index(act["data"]["trumps"])]
            for act in shown
        )
        announced = chance(rng, 0.03)
        if not wins[False]:
            each += 400 if announced else 200
        elif not wins[True] or announced:
            each -= 200
        scores: Scores = {p: each if p in attack else -each for p in play.players}
        scores[taker] -= sum(scores.values())
        taken = {"bidder": int(points * 2), "defenders": 182 - int(points * 2)}
        points_taken: Any = {
            side: f"{halves}/2" if halves % 2 else halves // 2 for side, halves in taken.items()
        }
        hand = PlayedHand(dealer, scores, points_taken)
        slam = [event("slam_announced", player=taker)] if announced else []
        count = event("points_counted", points=common.fewer(rng, taken))
        said = event("bouts_counted", bouts=bouts, petit=petit)
        partner = [event("partner_named", player=play.attack[1])] if called else []
        king = [event("king_called", card=called)] if called else []
        also = [
            *([said] if chance(rng, 0.3) else []),
            *([count] if chance(rng, 0.3) else []),
            *hand.claims(rng),
        ]
        opening += slam
        hand.add(
            "cards",
            [*opening, *king, *play.record(play.styles("cards", "claimed")), *also],
            level="cards",
        )
        hand.add(
            "tricks",
            [*opening, *partner, *play.record(["taken"] * len(play.tricks)), said, count],
            level="tricks",
        )
        unclear = ["scores"] if not all(wins.values()) and taken["bidder"] < 182 else []
        hand.add(
            "totals",
            [*opening, *partner, *shown, said, count, *([] if unclear else hand.claims(rng))],
            level="totals",
            undecided=unclear,
        )
        return hand
