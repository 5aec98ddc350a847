"""Random play of Scopone, with the clauses of its rule book implemented a second time."""

import random
from collections.abc import Iterator, Mapping
from itertools import chain, combinations
from typing import Any

from tests.players import common
from tests.players.common import Event, PlayedHand, Scores, chance, event, turn

SEATS = (4,)
SUITS = "SCDB"
RANKS = "A234567JNK"  # worth 1 to 10 (S2)
BEST = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12}  # S6; the others 10


def random_options(rng: random.Random, seats: int) -> dict[str, Any]:
    """Return random values for most options."""
    ends = [{"target": 21}, {"target": 11}, {"hands": rng.choice([1, 2, 5])}, "open"]
    return common.some(rng, {"match": ends})


def worth(card: str) -> int:
    """Return what a card is worth in a capture."""
    return 1 + RANKS.index(card[0])


def may_take(lying: list[str], card: str) -> list[list[str]]:
    """Return the cards that a card may take: one of its value, else each sum that makes it."""
    equal = [[other] for other in lying if worth(other) == worth(card)]
    several = chain.from_iterable(combinations(lying, n) for n in range(2, len(lying) + 1))
    return equal or [list(s) for s in several if sum(map(worth, s)) == worth(card)]


def primiera(cards: list[str]) -> int:
    """Return the sum of the best card of each suit, or 0 if one is missing."""
    by_suit = [[BEST.get(card[0], 10) for card in cards if card[1] == suit] for suit in SUITS]
    return sum(map(max, by_suit)) if all(by_suit) else 0


class Played:
    """The forty cards of a hand, each with what it took and whether that was a scopa."""

    def __init__(self, rng: random.Random, order: list[str], sides: Mapping[str, str]) -> None:
        pack = [rank + suit for suit in SUITS for rank in RANKS]
        rng.shuffle(pack)
        holdings = {player: pack[at * 10 : at * 10 + 10] for at, player in enumerate(order)}
        lying: list[str] = []
        self.piles: dict[str, list[str]] = {"A": [], "B": []}
        self.moves: list[tuple[str, str, list[str], bool, bool]] = []  # with: a choice, a scopa
        last = "A"
        greedy = chance(rng, 0.8)
        for number in range(40):
            player = order[number % 4]
            taking = [card for card in holdings[player] if may_take(lying, card)]
            card = rng.choice(taking if taking and greedy else holdings[player])
            holdings[player].remove(card)
            ways = may_take(lying, card)
            took = rng.choice(ways) if ways else []
            lying = [other for other in lying if other not in took] + ([] if took else [card])
            if took:
                last = sides[player]
                self.piles[last] += [card, *took]
            scopa = bool(took) and not lying and number < 39  # S3
            self.moves.append((player, card, took, len(ways) > 1, scopa))
        self.piles[last] += lying

    def cards(self, rng: random.Random, more: float = 0) -> Iterator[Event]:
        """Yield the cards, and what they took; also, in part, what follows from them."""
        for player, card, took, choice, scopa in self.moves:
            yield event("card_played", player=player, card=card)
            if choice or chance(rng, more):
                yield event("cards_taken", player=player, cards=took)
            if scopa and chance(rng, more):
                yield event("scopa_made", player=player)

    def pack(self) -> list[str]:
        """Return the side of each point of the pack that a side has (S4 to S6)."""
        a, b = self.piles["A"], self.piles["B"]
        coins = [sum(card[1] == "D" for card in pile) for pile in (a, b)]
        pairs = ((len(a), len(b)), coins, ("7D" in a, "7D" in b), (primiera(a), primiera(b)))
        return ["A" if x > y else "B" for x, y in pairs if x != y]


class Match(common.Match):
    """A match to 21 points, or another end."""

    defaults: Mapping[str, Any] = {"match": {"target": 21}}

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
        played = Played(rng, [*turn(self.seats, dealer)[1:], dealer], sides)
        scores: Scores = {"A": 0, "B": 0}
        scope = [player for player, _, _, _, scopa in played.moves if scopa]
        for side in [*played.pack(), *(sides[player] for player in scope)]:
            scores[side] += 1
        taken = {side: len(pile) for side, pile in played.piles.items()}
        hand = PlayedHand(dealer, scores, taken)
        count = event("points_counted", points=dict(scores))
        said = [event("scopa_made", player=player) for player in scope]
        also = [*([count] if chance(rng, 0.3) else []), *hand.claims(rng)]
        cards = list(played.cards(rng))
        hand.add("cards", [*cards, *also], level="cards")
        hand.add("cards said", [*played.cards(rng, 0.5), *also], level="cards")
        level = "tricks" if said else "totals"
        hand.add("tricks", [*said, count, *hand.claims(rng)], level=level, taken=None)
        few = cards[: rng.randrange(1, 30)]
        hand.add("mixed", [*few, count], level="mixed", taken=None)
        hand.add("totals", [count, *hand.claims(rng)], level="totals", taken=None)
        return hand
