"""Declarations before the first lead at Picchetto: exchanges, First, Second and Third."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.players.common import Event, chance, event

RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7")  # strongest first
# P4: the value of each card of the suit.
SUM = {"A": 11, "K": 10, "Q": 10, "J": 10, "10": 10, "9": 9, "8": 8, "7": 7}
# P5: points by the number of cards.
SEQUENCE = {3: 3, 4: 4, 5: 15, 6: 16, 7: 17, 8: 18}
# P6: points by the number of cards; the ranks above the nine.
SET = {3: 3, 4: 14}
SET_RANKS = ("A", "K", "Q", "J", "10")


@dataclass(frozen=True)
class Item:
    """A suit, sequence or set; the higher ``key`` is better."""

    key: tuple[int, ...]
    points: int
    declared: Mapping[str, Any]
    shown: Mapping[str, Any]
    cards: tuple[str, ...]


def of_suits(held: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return the ranks held in each suit, strongest first."""
    suits = {card[-1] for card in held}
    return [(suit, [rank for rank in RANKS if rank + suit in held]) for suit in sorted(suits)]


def points_of(held: Sequence[str]) -> list[Item]:
    items = []
    for suit, ranks in of_suits(held):
        value, cards = sum(SUM[rank] for rank in ranks), tuple(rank + suit for rank in ranks)
        items.append(Item((value,), len(cards), {"value": value}, {"count": len(cards)}, cards))
    return [item for item in items if item.points >= 3]


def sequences_of(held: Sequence[str]) -> list[Item]:
    """Return the sequences of three or more cards of a suit that a player holds."""
    items = []
    for suit, ranks in of_suits(held):
        run: list[str] = []
        for rank in [*RANKS, ""]:
            if rank in ranks:
                run.append(rank)
                continue
            if len(run) >= 3:
                declared = {"length": len(run), "high": run[0]}
                cards = tuple(held_rank + suit for held_rank in run)
                key = (len(run), -RANKS.index(run[0]))
                items.append(Item(key, SEQUENCE[len(run)], declared, declared, cards))
            run = []
    return items


def sets_of(held: Sequence[str]) -> list[Item]:
    """Return the sets of three or four cards of a rank that a player holds."""
    items = []
    count = Counter(card[:-1] for card in held)
    for rank in SET_RANKS:
        if count[rank] >= 3:
            declared = {"count": count[rank], "rank": rank}
            cards = tuple(card for card in held if card[:-1] == rank)
            key = (count[rank], -RANKS.index(rank))
            items.append(Item(key, SET[count[rank]], declared, declared, cards))
    return items


ITEMS = {"point": points_of, "sequence": sequences_of, "set": sets_of}


@dataclass
class Category:
    """First, Second or Third as declared."""

    kind: str
    elder: str
    younger: str
    declared: Item | None = None
    answer: str | None = None
    winner: str | None = None
    shown: Sequence[Item] = ()  # by the winner
    rival: Item | None = None  # younger's best
    four: bool = False  # a point of 34, 44, 54 or 64 counts one card less

    def marks(self) -> list[tuple[str, int]]:
        return [(self.winner, item.points - self.less(item)) for item in self.shown if self.winner]

    def less(self, item: Item) -> bool:
        return self.four and self.kind == "point" and item.key[0] in (34, 44, 54, 64)

    def show(self, rng: random.Random, player: str | None, item: Item) -> Event:
        """Return the event that shows an item, with the cards if its points depend on them."""
        with_cards = chance(rng, 0.5) or (self.four and self.kind == "point")
        cards = {"cards": list(item.cards)} if with_cards else {}
        return event("shown", player=player, category=self.kind, **item.shown, **cards)

    def events(self, rng: random.Random) -> list[Event]:
        """Return an honest record of the category, with more or less detail."""
        shown = [self.show(rng, self.winner, item) for item in self.shown]
        if self.declared is None or self.answer is None:
            return shown
        declaration = event(
            "declared", player=self.elder, category=self.kind, **self.declared.declared
        )
        answer = event("answered", player=self.younger, category=self.kind, answer=self.answer)
        if self.answer == "equal" and self.rival:
            both = [
                self.show(rng, self.elder, self.declared),
                self.show(rng, self.younger, self.rival),
            ]
            return rng.choice(
                [
                    [declaration, answer],
                    [declaration, answer, *both],
                    [declaration, *both],
                    both,
                    [],
                ]
            )
        ways = [[declaration, answer, *shown], [declaration, *shown], shown]
        if self.answer == "good" and list(self.shown) == [self.declared]:
            ways += [[declaration, answer], [declaration]]
        if self.rival and (self.kind != "point" or self.rival.points != self.declared.points):
            mine = shown if self.answer == "good" else []
            theirs = [] if self.answer == "good" else shown
            mine = mine or [self.show(rng, self.elder, self.declared)]
            theirs = theirs or [self.show(rng, self.younger, self.rival)]
            ways += [[declaration, *mine, *theirs], [*mine, *theirs]]
        return rng.choice(ways)


def best_first(items: list[Item]) -> list[Item]:
    return sorted(items, key=lambda item: item.key, reverse=True)


def declare(
    rng: random.Random, kind: str, order: tuple[str, str], held: Mapping[str, Sequence[str]]
) -> Category:
    """Return a category: elder declares the best item, less, or nothing; younger answers truly."""
    elder, younger = order
    category = Category(kind, elder, younger)
    mine, theirs = (best_first(ITEMS[kind](held[player])) for player in order)
    mine = rng.choice([mine] * 10 + [mine[1:], []])
    category.rival = theirs[0] if theirs else None
    if not mine:
        category.winner, items = younger, theirs if chance(rng, 0.9) else []
    else:
        category.declared = mine[0]
        rival = category.rival.key if category.rival else ()
        if rival == mine[0].key:
            category.answer = "equal"
            return category
        category.answer = "good" if rival < mine[0].key else "not_good"
        category.winner = elder if category.answer == "good" else younger
        items = mine if category.answer == "good" else theirs
    category.shown = items[:1] if kind == "point" or chance(rng, 0.1) else items
    return category


def discards(rng: random.Random, held: list[str], count: int) -> list[str]:
    """Return cards to discard: any, or the lowest of the shortest suits."""
    if chance(rng, 0.3):
        return rng.sample(held, count)
    length = Counter(card[-1] for card in held)
    worst = sorted(held, key=lambda card: (length[card[-1]], -RANKS.index(card[:-1])))
    return worst[:count]


def cards_of(rng: random.Random, opening: list[Event]) -> list[Event]:
    """Return the exchanges, with those of their cards that the record has."""
    events = []
    for raw in opening:
        fields = [name for name in raw["data"] if name not in ("discarded", "drawn")]
        if chance(rng, 0.5):
            fields += [name for name in ("discarded", "drawn") if name in raw["data"]]
        events.append(event(raw["type"], **{name: raw["data"][name] for name in fields}))
    return events
