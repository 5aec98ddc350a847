"""A sample of what ``make faults`` tries: which faults are found, and how they are corrected."""

from typing import Final

import pytest

from benchmarks.faults.alterations import KINDS, Fault, faults
from benchmarks.faults.hands import LEVELS, LegalHand, legal_hand
from benchmarks.faults.judging import audited, searched
from tests.players.common import GAMES, seeded

OF_A_KIND: Final = 2  # faults in a hand

# How many of the true corrections are among the first three, at least, by kind.
BARS: Final = {
    "off by one": 2, "figures exchanged": 3, "under another side": 2, "entry doubled": 2,
    "wrong dealer": 4,
}  # fmt: skip


def some_faults(hand: LegalHand, kind: str) -> list[Fault]:
    every = faults(hand, kind)
    return seeded(len(every)).sample(every, min(OF_A_KIND, len(every)))


@pytest.mark.parametrize("game", GAMES)
def test_each_fault_is_found_or_cannot_be_known(game: str) -> None:
    place = GAMES.index(game)
    hand = legal_hand(game, LEVELS[place % len(LEVELS)], 0, paper=place % 2 > 0)
    made = [fault for kind in KINDS for fault in some_faults(hand, kind)]
    assert len({fault.kind for fault in made}) > len(KINDS) / 2
    unfound = [(fault.kind, fault.at) for fault in made if audited(fault).result == "unfound"]
    assert unfound == []


@pytest.mark.parametrize("kind", BARS)
def test_the_true_correction_is_among_the_first_three(kind: str) -> None:
    hands = [legal_hand(game, "totals", 0, paper=True) for game in GAMES[:2]]
    made = [fault for hand in hands for fault in some_faults(hand, kind)]
    exact = [searched(fault).exact for fault in made if audited(fault).result == "found"]
    assert len([place for place in exact if place]) >= BARS[kind], exact
