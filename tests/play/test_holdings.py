"""Who can hold what, against every way in which a few unseen cards can lie."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import pytest

from scorekeeper.cards.packs import Card
from scorekeeper.play.prompts.holdings import Holdings

CARDS = tuple(Card.parse(code) for code in ("AS", "KS", "10H", "9H", "7D"))
ROOMS = {"mara": 2, "leo": 2, "stock": 1}

Deal = dict[Card, str]


def deals(may: dict[Card, set[str]], rooms: dict[str, int]) -> list[Deal]:
    """Return all deals of the cards to holders who may have them, within their numbers of cards."""
    dealings = (dict(zip(may, holders, strict=True)) for holders in product(rooms, repeat=len(may)))
    return [
        dealing
        for dealing in dealings
        if all(holder in may[card] for card, holder in dealing.items())
        and all(list(dealing.values()).count(holder) == room for holder, room in rooms.items())
    ]


def random_knowledge(seed: int) -> tuple[Holdings, list[Deal]]:
    """Return random knowledge about the cards, and all deals that agree with it."""
    rng = Random(seed)  # noqa: S311
    holdings, rooms = Holdings(ROOMS, CARDS), dict(ROOMS)
    may = {card: set(ROOMS) for card in CARDS}
    for _ in range(rng.randrange(5)):
        holders = rng.sample(list(ROOMS), 2)
        cards = [card for card in CARDS if rng.random() < 0.4]
        what = rng.choice(["lacks", "lacks", "has", "among", "seen"])
        if what == "lacks":
            holdings.exclude(holders[0], cards)
        elif what == "has":
            holdings.require(holders[0], cards[:1])
        elif what == "among":
            holdings.require_among(holders, cards)
        elif len(may) == len(CARDS):
            holdings.remove(holders[0], CARDS[-1])
            del may[CARDS[-1]]
            rooms[holders[0]] -= 1
        for card in set(cards) & set(may):
            if what == "lacks":
                may[card] -= {holders[0]}
            elif what == "has" and card == cards[0]:
                may[card] &= {holders[0]}
            elif what == "among":
                may[card] &= set(holders)
    assert set(holdings.cards) == set(may)
    return holdings, deals(may, rooms)


def groups(cards: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    for many in range(len(cards) + 1):
        yield from combinations(cards, many)


@pytest.mark.parametrize("seed", range(40))
def test_holdings_agree_with_all_possible_deals(seed: int) -> None:
    holdings, dealings = random_knowledge(seed)
    assert holdings.possible == bool(dealings)
    if not dealings:
        return
    for holder in ROOMS:
        for cards in groups(CARDS):
            with_them = [
                dealing
                for dealing in dealings
                if all(dealing.get(card) == holder for card in cards)
            ]
            assert holdings.can_have(holder, cards) == bool(with_them), (holder, cards)
            lacking = [card for card in CARDS if card not in cards][:2]
            without = [
                dealing for dealing in with_them if all(dealing.get(o) != holder for o in lacking)
            ]
            assert holdings.can_have(holder, cards, [*cards, *lacking]) == bool(without)
        for card in CARDS:
            held = any(dealing.get(card) == holder for dealing in dealings)
            assert holdings.can_hold(holder, card) == held
            assert holdings.can_give(holder, card) == held


@pytest.mark.parametrize("seed", range(40))
def test_can_have_together_agrees_with_all_possible_deals(seed: int) -> None:
    holdings, dealings = random_knowledge(seed)
    for holders in combinations(ROOMS, 2):
        for cards in groups(CARDS):
            possible = any(
                all(dealing.get(card) in holders for card in cards) for dealing in dealings
            )
            assert holdings.can_have_together(holders, cards) == (
                possible if cards else bool(dealings)
            )


def test_cards_without_room_are_impossible() -> None:
    assert not Holdings({"mara": 1, "leo": 1}, CARDS[:3]).possible
    assert not Holdings({"mara": 2, "leo": 2}, CARDS[:3]).possible
