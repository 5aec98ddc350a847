"""What is said before the first lead at Picchetto: exchanges, First, Second and Third."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.players.common import Event, chance, event

RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7")  # strongest first
# P4: what each card of the suit adds to the sum.
SUM = {"A": 11, "K": 10, "Q": 10, "J": 10, "10": 10, "9": 9, "8": 8, "7": 7}
# P5: points by the number of cards.
SEQUENCE = {3: 3, 4: 4, 5: 15, 6: 16, 7: 17, 8: 18}
# P6: points by the number of cards; the ranks above the nine.
SET = {3: 3, 4: 14}
SET_RANKS = ("A", "K", "Q", "J", "10")


@dataclass(frozen=True)
class Item:
    """One suit, sequence or set; the higher ``key`` is the better."""

    key: tuple[int, ...]
    points: int
    declared: Mapping[str, Any]
    shown: Mapping[str, Any]
    cards: tuple[str, ...]


def of_suits(held: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The ranks held in each suit, strongest first."""
    suits = {card[-1] for card in held}
    return [(suit, [rank for rank in RANKS if rank + suit in held]) for suit in sorted(suits)]


def points_of(held: Sequence[str]) -> list[Item]:
    items = []
    for suit, ranks in of_suits(held):
        value, cards = sum(SUM[rank] for rank in ranks), tuple(rank + suit for rank in ranks)
        items.append(Item((value,), len(cards), {"value": value}, {"count": len(cards)}, cards))
    return [item for item in items if item.points >= 3]


def sequences_of(held: Sequence[str]) -> list[Item]:
    items = []
    for suit, ranks in of_suits(held):
        run: list[str] = []
        for rank in [*RANKS, ""]:
            if rank in ranks:
                run.append(rank)
                continue
            if len(run) >= 3:
                said = {"length": len(run), "high": run[0]}
                cards = tuple(one + suit for one in run)
                key = (len(run), -RANKS.index(run[0]))
                items.append(Item(key, SEQUENCE[len(run)], said, said, cards))
            run = []
    return items


def sets_of(held: Sequence[str]) -> list[Item]:
    items = []
    count = Counter(card[:-1] for card in held)
    for rank in SET_RANKS:
        if count[rank] >= 3:
            said = {"count": count[rank], "rank": rank}
            cards = tuple(card for card in held if card[:-1] == rank)
            key = (count[rank], -RANKS.index(rank))
            items.append(Item(key, SET[count[rank]], said, said, cards))
    return items


ITEMS = {"point": points_of, "sequence": sequences_of, "set": sets_of}


@dataclass
class Category:
    """First, Second or Third, as it went."""

    kind: str
    elder: str
    younger: str
    declared: Item | None = None
    answer: str | None = None
    winner: str | None = None
    shown: Sequence[Item] = ()  # by the winner
    rival: Item | None = None  # younger's best
    four: bool = False  # a point of 34, 44, 54 or 64 counts a card less

    def marks(self) -> list[tuple[str, int]]:
        return [(self.winner, item.points - self.less(item)) for item in self.shown if self.winner]

    def less(self, item: Item) -> bool:
        return self.four and self.kind == "point" and item.key[0] in (34, 44, 54, 64)

    def show(self, rng: random.Random, player: str | None, item: Item) -> Event:
        """What a player shows; with the cards where what it marks depends on them."""
        told = chance(rng, 0.5) or (self.four and self.kind == "point")
        cards = {"cards": list(item.cards)} if told else {}
        return event("shown", player=player, category=self.kind, **item.shown, **cards)

    def events(self, rng: random.Random) -> list[Event]:
        """The category as it may honestly be recorded, in more or fewer words."""
        shown = [self.show(rng, self.winner, item) for item in self.shown]
        if self.declared is None or self.answer is None:
            return shown
        said = event("declared", player=self.elder, category=self.kind, **self.declared.declared)
        answer = event("answered", player=self.younger, category=self.kind, answer=self.answer)
        if self.answer == "equal" and self.rival:
            both = [
                self.show(rng, self.elder, self.declared),
                self.show(rng, self.younger, self.rival),
            ]
            return rng.choice([[said, answer], [said, answer, *both], [said, *both], both, []])
        ways = [[said, answer, *shown], [said, *shown], shown]
        if self.answer == "good" and list(self.shown) == [self.declared]:
            ways += [[said, answer], [said]]
        if self.rival and (self.kind != "point" or self.rival.points != self.declared.points):
            mine = shown if self.answer == "good" else []
            theirs = [] if self.answer == "good" else shown
            mine = mine or [self.show(rng, self.elder, self.declared)]
            theirs = theirs or [self.show(rng, self.younger, self.rival)]
            ways += [[said, *mine, *theirs], [*mine, *theirs]]
        return rng.choice(ways)


def best_first(items: list[Item]) -> list[Item]:
    return sorted(items, key=lambda item: item.key, reverse=True)


def say(
    rng: random.Random, kind: str, order: tuple[str, str], held: Mapping[str, Sequence[str]]
) -> Category:
    """One category: elder says the best he has, or less, or nothing; younger answers truly."""
    elder, younger = order
    told = Category(kind, elder, younger)
    mine, theirs = (best_first(ITEMS[kind](held[player])) for player in order)
    mine = rng.choice([mine] * 10 + [mine[1:], []])
    told.rival = theirs[0] if theirs else None
    if not mine:
        told.winner, items = younger, theirs if chance(rng, 0.9) else []
    else:
        told.declared = mine[0]
        rival = told.rival.key if told.rival else ()
        if rival == mine[0].key:
            told.answer = "equal"
            return told
        told.answer = "good" if rival < mine[0].key else "not_good"
        told.winner = elder if told.answer == "good" else younger
        items = mine if told.answer == "good" else theirs
    told.shown = items[:1] if kind == "point" or chance(rng, 0.1) else items
    return told


def discards(rng: random.Random, held: list[str], count: int) -> list[str]:
    """Cards to throw away: any, or the lowest of the shortest suits."""
    if chance(rng, 0.3):
        return rng.sample(held, count)
    length = Counter(card[-1] for card in held)
    worst = sorted(held, key=lambda card: (length[card[-1]], -RANKS.index(card[:-1])))
    return worst[:count]


def cards_of(rng: random.Random, opening: list[Event]) -> list[Event]:
    """The exchanges, with the cards of them that the record happens to have."""
    told = []
    for one in opening:
        fields = [name for name in one["data"] if name not in ("discarded", "drawn")]
        if chance(rng, 0.5):
            fields += [name for name in ("discarded", "drawn") if name in one["data"]]
        told.append(event(one["type"], **{name: one["data"][name] for name in fields}))
    return told
