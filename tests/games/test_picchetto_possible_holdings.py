"""Picchetto: the search for holdings, compared with trying all combinations.

Tests of ``games.picchetto.possible_holdings.constraints`` and
``games.picchetto.possible_holdings.search``.
"""

from itertools import combinations
from random import Random

import pytest

from scorekeeper.cards.packs import Card
from scorekeeper.games.picchetto.holdings import HELD
from scorekeeper.games.picchetto.possible_holdings.bits import (
    BEST_RUN,
    OF_RANK,
    SETS,
    SHIFTS,
    SUIT_MASK,
    SUM,
    are_separate,
    bits,
    encode_worth,
    minimal_points,
)
from scorekeeper.games.picchetto.possible_holdings.constraints import (
    AnswerLimits,
    HoldingConstraints,
)
from scorekeeper.games.picchetto.possible_holdings.search import find_holdings
from scorekeeper.games.picchetto.rules import PACK
from tests.players.common import seeded

BITS = [1 << place for place in range(32)]


def best(hand: int) -> AnswerLimits:
    """Return the best point, sequence and set of these cards."""
    suits = [hand >> shift & SUIT_MASK for shift in SHIFTS]
    sets = [n * 16 + rank for four, rank in OF_RANK if (n := (hand & four).bit_count()) > 2]
    return AnswerLimits(
        max(SUM[suit] for suit in suits),
        max(BEST_RUN[suit] for suit in suits),
        max(sets, default=0),
    )


def fits(hands: tuple[int, int], constraints: HoldingConstraints) -> bool:
    """Return whether holdings satisfy constraints."""
    own = best(hands[1])
    pairs = zip(hands, constraints.must, constraints.may, strict=True)
    return (
        all(
            holding.bit_count() == HELD and not must & ~holding and not holding & ~may
            for holding, must, may in pairs
        )
        and not hands[0] & hands[1]
        and all(mine <= most for mine, most in zip(own, constraints.limits, strict=True))
        and all(
            any(
                not alternative & ~hands[requirement.holder]
                for alternative in requirement.alternatives
            )
            for requirement in constraints.requirements
        )
    )


def dealt(random: Random, spare: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return two holdings, and the cards that each player may hold: their own and ``spare``."""
    pack = random.sample(BITS, 32)
    elder, younger = pack[:12], pack[12:24]
    return (sum(elder), sum(younger)), (
        sum(elder) + sum(random.sample(pack[12:], spare)),
        sum(younger) + sum(random.sample(elder + pack[24:], spare)),
    )


@pytest.mark.parametrize("spare", [0, 1, 2, 3, 4, 6, 8, 20])
def test_search_finds_existing_holdings(spare: int) -> None:
    for seed in range(60):
        random = seeded(100 * spare + seed)
        hands, may = dealt(random, spare)
        constraints = HoldingConstraints(
            (hands[0] & random.choice(BITS), hands[1] & random.choice(BITS)), may
        )
        for index, hand in enumerate(hands):
            for alternatives in SETS.values():
                if any(not alternative & ~hand for alternative in alternatives):
                    constraints = constraints.require_one_of(index, alternatives)
        constraints = constraints._replace(limits=best(hands[1]))
        assert fits(hands, constraints)
        lying = find_holdings(constraints)
        assert lying, (spare, seed)
        assert fits(lying, constraints), (spare, seed)


def test_answer_limits_allow_exactly_what_is_not_better() -> None:
    outcomes = set()
    for seed in range(200):
        random = seeded(seed)
        answers = [best(sum(random.sample(BITS, HELD))) for _ in range(2)]
        held = sum(random.sample(BITS, HELD))
        assert best(held).allows(held)
        for most in answers:
            better = any(mine > top for mine, top in zip(best(held), most, strict=True))
            assert most.allows(held) is not better
            outcomes.add(better)
    assert outcomes == {True, False}


@pytest.mark.parametrize("least", [7, 21, 34, 41, 68, 75])
def test_minimal_points_have_no_card_to_spare(least: int) -> None:
    alternatives = [alternative for alternative in minimal_points(least) if alternative & SUIT_MASK]
    for held in range(SUIT_MASK + 1):
        assert any(not alternative & ~held for alternative in alternatives) is (SUM[held] >= least)
    assert all(
        SUM[alternative & ~bit] < least
        for alternative in alternatives
        for bit in BITS
        if alternative & bit
    )


def test_search_stops_after_its_limit_of_steps() -> None:
    given_up = 0
    for seed in range(60):
        hands, may = dealt(seeded(seed), 4)
        constraints = HoldingConstraints((0, 0), may)._replace(limits=best(hands[1]))
        assert find_holdings(constraints)
        given_up += find_holdings(constraints, steps=1) is None
    assert given_up


@pytest.mark.parametrize("spare", [1, 2, 3])
def test_search_finds_no_holdings_if_none_fit(spare: int) -> None:
    outcomes = set()
    for seed in range(60):
        random = seeded(100 * spare + seed)
        hands, may = dealt(random, spare)
        own = best(hands[1])
        most = AnswerLimits(own.point - random.randint(0, 9), own.sequence - random.randint(0, 9))
        constraints = HoldingConstraints(
            may=may, limits=most._replace(set=max(0, own.set - random.choice((0, 1, 16))))
        )
        possible = [sum(cards) for cards in combinations([b for b in BITS if b & may[1]], HELD)]
        free = [sum(cards) for cards in combinations([b for b in BITS if b & may[0]], HELD)]
        exist = any(
            fits((elder, younger), constraints)
            for younger in possible
            if all(mine <= top for mine, top in zip(best(younger), constraints.limits, strict=True))
            for elder in free
        )
        lying = find_holdings(constraints)
        assert (lying is not None) == exist, (spare, seed)
        outcomes.add(exist)
    assert outcomes == {True, False}


@pytest.mark.parametrize(
    ("run", "others", "stand"),
    [
        ("7S 8S 9S", "10S JS QS", False),  # together they are one of six
        ("10S JS QS", "7S 8S 9S", False),
        ("7S 8S 9S", "9S 10S JS", False),
        ("7S 8S 9S", "JS QS KS", True),
        ("JS QS KS", "7S 8S 9S", True),
        ("QS KS AS", "7H 8H 9H", True),  # the next suit begins where one ends
        ("7H 8H 9H", "QS KS AS", True),
        ("7S 8S 9S", "7H 8H 9H", True),
        ("7S 8S 9S", "7S 8S 9S", False),
    ],
)
def test_runs_are_separate_unless_they_overlap_or_join(run: str, others: str, stand: bool) -> None:
    one, other = (bits(map(Card.parse, cards.split())) for cards in (run, others))
    assert are_separate(one, other) is stand


@pytest.mark.parametrize(
    ("cards", "sum_", "best"),
    [("", 0, 0), ("7S 9S JS", 26, 0), ("7S 8S", 15, 0), ("7S 8S 9S", 24, encode_worth(3, "9"))],
)
def test_tables_of_sums_and_best_runs(cards: str, sum_: int, best: int) -> None:
    held = bits(map(Card.parse, cards.split()))
    while held and not held & SUIT_MASK:
        held >>= len(PACK.ranks)
    assert (SUM[held], BEST_RUN[held]) == (sum_, best)
