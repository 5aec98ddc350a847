"""Knock!: the score of a hand at every level of detail (K2, K7 to K9).

Tests of ``games.knock.state``.
"""

from typing import Any

import pytest

from scorekeeper.play.scoring import Basis
from tests.games.knock import AWAY, NO_TRICK, ONE_TRICK, PLAY, findings_of, hand, swapped, taken

TRICKS = "a! a! a! b! b! b! b! a! a! a! d! c! b!"  # who took those of PLAY
FIRST_SEVEN = " ".join(PLAY.split()[:7])
FIRST_TEN = " ".join(PLAY.split()[:10])


# --------------------------------------------------------------------- a hand by its cards (K9)


def test_side_scores_its_points_above_50() -> None:
    result = hand(PLAY).result
    assert result.basis is Basis.CARDS
    assert [(line.side, line.points, line.rule) for line in result.lines] == [
        ("A", 5, "K9"),
        ("B", -5, "K9"),
    ]
    assert all(set(line.events) == set(range(1, 53)) for line in result.lines)
    assert result.taken == {"A": 55, "B": 45}
    assert result.winner is None


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (hand(PLAY).result.lines[0], "Cards 48 (the Fool kept for 0) + tricks 7 = 55, less 50"),
        (hand(PLAY).result.lines[1], "Cards 39 (0 got for the Fool) + tricks 6 = 45, less 50"),
        (hand(NO_TRICK).result.lines[0], "Cards 85 + tricks 13 = 98, less 50"),
        (hand(NO_TRICK).result.lines[1],
         "Cards 2 (the Fool given up) + tricks 0 = 2, less 50"),
        (hand("=A60").result.lines[1], "Counted 40, less 50"),
    ],
)  # fmt: skip
def test_line_explains_its_points(line: Any, text: str) -> None:
    assert str(line.text) == text


@pytest.mark.parametrize(
    ("script", "points"),
    [
        # The lay-away counts for the dealer's side (K2): as recorded, or the missing cards.
        (f"{AWAY} {PLAY}", (55, 45)),
        (f"{PLAY} {AWAY}", (55, 45)),
        (f"d- {PLAY}", (55, 45)),
        # 4 for the queen of batons in place of 1; in her trick, A has 1 in place of 4.
        (swapped(f"{PLAY} {AWAY}", "QB", "8B"), (52, 48)),
        # If the recorded lay-away differs from the missing cards, the play decides.
        (f"d-KS,KC {PLAY}", (55, 45)),
        # By another than the dealer: no effect.
        (f"{PLAY} a-8B,7B", (55, 45)),
        # A Fool laid away counts 5 for the dealer's side and K7 does not apply: A 43 + 7 and
        # 8B (1) in the Fool's trick is B's: 37 + 1 + 5 + 1 + 6.
        (swapped(PLAY, "FOOL", "8B"), (50, 50)),
        (swapped(f"{PLAY} {AWAY}", "FOOL", "8B"), (50, 50)),
    ],
)
def test_the_lay_away(script: str, points: tuple[int, int]) -> None:
    assert taken(script) == points


@pytest.mark.parametrize(
    ("script", "points"),
    [
        # Nothing on record: the lowest that A has won, a plain trump.
        (PLAY, (55, 45)),
        (f"{PLAY} A$T10", (55, 45)),
        (f"{PLAY} A$9B", (54, 46)),
        (f"A$9B {PLAY}", (54, 46)),
        # Dearer than it had to be, but paid.
        (f"{PLAY} A$JB", (53, 47)),
        (f"{PLAY} A$KS", (50, 50)),
        (f"{PLAY} A$T21", (50, 50)),
        # Not won, laid away, or the Fool itself: the lowest is taken.
        (f"{PLAY} A$KD", (55, 45)),
        (f"{PLAY} A$8B", (55, 45)),
        (f"{AWAY} {PLAY} A$8B", (55, 45)),
        (f"{PLAY} A$FOOL", (55, 45)),
        (f"{PLAY} A$KD =A54,B46", (55, 45)),
        # The first good one stands.
        (f"{PLAY} A$9B A$T10", (54, 46)),
        (f"{PLAY} A$KD A$9B", (54, 46)),
        # Not due: no effect.
        (f"{PLAY} B$KD", (55, 45)),
        (f"{PLAY} A$", (55, 45)),
        (f"{PLAY} B$", (55, 45)),
        (f"{PLAY} B$KD A$9B", (54, 46)),
        # A count that a lawful payment gives is believed, and no other.
        (f"{PLAY} =A55,B45", (55, 45)),
        (f"{PLAY} =A54,B46", (54, 46)),
        (f"{PLAY} =A53,B47", (55, 45)),
        (f"{PLAY} =A56,B44", (55, 45)),
        (f"{PLAY} =A54,B46 =A20,B80", (54, 46)),
        (f"{PLAY} =A54,B46 =A55,B45", (55, 45)),  # of several the last
        (f"{PLAY} B$KD =A54,B46", (54, 46)),
        (f"{PLAY} A$T10 =A54,B46", (55, 45)),  # what was paid is on record
        (f"{PLAY} =A54,B47", (55, 45)),
        # The own side took the Fool's trick: NB for FOOL makes B 39 + 5 + 6, and A as it was.
        (swapped(PLAY, "FOOL", "NB"), (50, 50)),
        (swapped(f"{PLAY} B$KD", "FOOL", "NB"), (50, 50)),
        # Led to trick 11: the next card is a trump, and T13 takes it for B. Trick 7 is A's by
        # T9, so A has 43 + 9 + 5 and 8 tricks.
        (swapped(PLAY, "FOOL", "T9"), (65, 35)),
    ],
)
def test_the_fool_is_paid_for(script: str, points: tuple[int, int]) -> None:
    assert taken(script) == points


@pytest.mark.parametrize(
    ("script", "points"),
    [
        # K Q N J: no card of 1 or less, so any of them may be paid; the lowest is 2.
        (ONE_TRICK, (80, 20)),
        (f"{ONE_TRICK} B$JS", (80, 20)),
        (f"{ONE_TRICK} B$NS", (81, 19)),
        (f"{ONE_TRICK} B$QS", (82, 18)),
        (f"{ONE_TRICK} B$KS", (83, 17)),
        (f"{ONE_TRICK} =A82", (82, 18)),
        (f"{ONE_TRICK} =B17", (83, 17)),
        (f"{ONE_TRICK} =A79", (80, 20)),
        (f"{ONE_TRICK} =A84", (80, 20)),
        (f"{ONE_TRICK} B$7S", (80, 20)),  # from the lay-away
        (f"{ONE_TRICK} B$", (80, 20)),
        # No trick: the Fool goes to who took its trick.
        (NO_TRICK, (98, 2)),
        (f"{NO_TRICK} B$", (98, 2)),
        (f"{NO_TRICK} B$7S", (98, 2)),
        (f"{NO_TRICK} =A93,B7", (98, 2)),
    ],
)
def test_a_side_with_one_trick_or_none(script: str, points: tuple[int, int]) -> None:
    assert taken(script) == points


def test_count_that_decides_the_payment_is_cited() -> None:
    deal = hand(f"{PLAY} =A54,B46")
    assert all(53 in line.events for line in deal.result.lines)
    assert findings_of(f"{PLAY} =A54,B46") == []


# ------------------------------------------------------------------------- coarser records


@pytest.mark.parametrize(
    ("script", "points", "level"),
    [
        ("=A55,B45", (55, 45), "totals"),
        ("=B45", (55, 45), "totals"),
        ("=A0", (0, 100), "totals"),
        ("=A55,B45/A7", (55, 45), "totals"),
        (f"{TRICKS} =A55,B45", (55, 45), "tricks"),
        (f"{FIRST_TEN} =A55,B45", (55, 45), "mixed"),
        (f"{FIRST_TEN} d!11 c! b! =A55", (55, 45), "mixed"),
        (f"{PLAY} =A55,B45", (55, 45), "cards"),
        ("=A60 =A55", (55, 45), "totals"),  # counted again
        ("=A55,B44 =A60", (60, 40), "totals"),
    ],
)
def test_count_scores_if_the_cards_do_not_suffice(
    script: str, points: tuple[int, int], level: str
) -> None:
    assert taken(script) == points
    assert hand(script).level == level


@pytest.mark.parametrize(
    "script",
    [
        "",
        AWAY,
        TRICKS,  # who took the tricks is not what they were worth
        FIRST_TEN,
        f"{FIRST_TEN} d!11 c! b!",
        "A$9B",
        "#A5",
        "=A55,B44",
        "=A55,B45/A7,B7",
        f"{PLAY} x",
        "=A55 x",
        PLAY.replace("T18.T2", "T18.T3") + " =A55",  # a card twice
    ],
)
def test_incomplete_hand_has_no_score(script: str) -> None:
    assert taken(script) is None


@pytest.mark.parametrize(
    ("script", "points"),
    [
        # After ten tricks A has 38 and 6 tricks, B 37 and 4, and the 13 of A are won by all.
        # The rest holds T1 (5), and what is laid away if that is not on record.
        (f"{FIRST_TEN} a* {AWAY}", (43 + 5 + 9, 37 + 2 + 4)),
        (f"{FIRST_TEN} b* {AWAY}", (38 + 5 + 6, 37 + 5 + 2 + 7)),
        (f"{FIRST_TEN} a*", (43 + 2 + 5 + 9, 37 + 4)),  # all points that are not on record
        (f"{FIRST_TEN} b*", (38 + 5 + 6, 37 + 5 + 2 + 7)),
        # In the middle of a trick.
        (f"{FIRST_TEN} a:T9 b:T11 a* {AWAY}", (57, 43)),
        # The payment, as on record or by the count.
        (f"{FIRST_TEN} a* {AWAY} A$9B", (56, 44)),
        (f"{FIRST_TEN} a* {AWAY} =A56", (56, 44)),
        (f"{FIRST_TEN} a* {AWAY} =A55", (57, 43)),
        (f"{FIRST_TEN} b* {AWAY} A$T9", (49, 51)),  # in the rest, so not won
        (f"{FIRST_TEN} a* {AWAY} A$T9", (57, 43)),
        # The last word stands; a claim of nothing changes nothing.
        (f"{FIRST_TEN} b* a* {AWAY}", (57, 43)),
        (f"{PLAY} b*", (55, 45)),
        # A count that knows of the lay-away is believed, one that cannot be is not.
        (f"{FIRST_TEN} a* =A57", (57, 43)),
        (f"{FIRST_TEN} a* =A58", (58, 42)),  # 7B or 8B with a plain trump; or 9B paid, and both
        (f"{FIRST_TEN} a* =A56", (56, 44)),  # 9B paid, and 2 laid away
        (f"{FIRST_TEN} a* =A60", (59, 41)),  # more than there is
        (f"{FIRST_TEN} a* =A54", (59, 41)),
        (f"{FIRST_TEN} b* =A48", (48, 52)),
        (f"{FIRST_TEN} b* =A51", (49, 51)),
        # The Fool not yet played goes with the rest, but where the other side paid for it, or a
        # count tells so. After six tricks A has 26 and 3 tricks, B 28 and 3, the rest holds 31.
        (f"{' '.join(PLAY.split()[:6])} b* {AWAY}", (26 + 3, 28 + 31 + 2 + 10)),
        (f"{' '.join(PLAY.split()[:6])} b* {AWAY} A$7S", (29 + 4, 71 - 4)),
        (f"{' '.join(PLAY.split()[:6])} b* {AWAY} A$T2", (29, 71)),
        (f"{' '.join(PLAY.split()[:6])} b* {AWAY} =A33", (33, 67)),
        (f"{' '.join(PLAY.split()[:6])} b* {AWAY} =A34", (29, 71)),
    ],
)
def test_the_rest_claimed(script: str, points: tuple[int, int]) -> None:
    assert taken(script) == points


def test_tricks_without_cards_and_a_claim_need_a_count() -> None:
    assert taken(f"{FIRST_SEVEN} a!8 a*") is None
    assert taken(f"{FIRST_SEVEN} a!8 a* =A60") == (60, 40)
    assert hand(f"{FIRST_SEVEN} a*").result.basis is Basis.TRICKS


def test_tricks_beyond_the_thirteenth_are_not_scored() -> None:
    assert taken(f"{PLAY} a!13 b! b!") == (55, 45)
    assert taken(f"{PLAY} b! b:8B c:7B") == (55, 45)
