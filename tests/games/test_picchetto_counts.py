"""Picchetto: where the tricks are only counted, and the mark that wins the game.

Tests of ``games.picchetto.marks``.
"""

from itertools import combinations, product

import pytest

from scorekeeper.games.picchetto.marks import (
    PIQUE,
    TRICK,
    MarkingTerms,
    Pair,
    Tally,
    apply_mark,
    changes_possible,
    majority_mark,
    possible_endings,
    trick_points,
)
from scorekeeper.games.picchetto.rules import TRICKS
from tests.games.picchetto import codes, findings_of, hand, lines, scores, undecided, winner

NO_ORDER: list[int | None] = [None] * TRICKS

# ------------------------------------------------------------------ orders of counted tricks


def brute_force(
    tally: Tally,
    tricks: Pair,
    last: int,
    known: list[int | None],
    terms: MarkingTerms,
    changes: int | None = None,
) -> set[Tally]:
    """Return the tallies of all orders of the tricks, by trying each."""
    tallies = set()
    for elders in combinations(range(TRICKS), tricks[0]):
        order = [0 if number in elders else 1 for number in range(TRICKS)]
        fits = all(index in (None, order[number]) for number, index in enumerate(known))
        if not fits or order[-1] != last:
            continue
        leaders = [0, *order[:-1]]
        lost = [led != index for led, index in zip(leaders, order, strict=True)]
        if changes is not None and sum(lost) != changes:
            continue
        so_far = tally
        for number, index in enumerate(order, 1):
            marks = [(index, trick_points(number, terms))]
            if terms.leads and lost[number - 1]:
                marks = [(leaders[number - 1], 1), *marks]
            for marker, points in marks:
                if so_far.winner is None:
                    so_far, _ = apply_mark(so_far, marker, points, TRICK, terms)
        most = majority_mark(tricks, terms)
        if so_far.winner is None and most:
            so_far, _ = apply_mark(so_far, most[0], most[2], most[1], terms)
        tallies.add(so_far)
    return tallies


@pytest.mark.parametrize("tricks", [(n, 12 - n) for n in range(13)])
@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize(
    ("at", "declared", "target", "known"),
    [
        ((0, 0), (27, 0), None, NO_ORDER),
        ((0, 0), (0, 22), None, [0, None, 1, *[None] * 9]),
        ((100, 120), (25, 0), 150, NO_ORDER),
        ((118, 145), (0, 29), 150, [*[None] * 11, 1]),
        ((138, 149), (0, 0), 150, NO_ORDER),
    ],
)
def test_possible_endings_cover_all_orders(
    tricks: Pair, last: int, at: Pair, declared: Pair, target: int | None, known: list[int | None]
) -> None:
    tally, terms = Tally(at, marked=declared), MarkingTerms(target, white_in_repique=True)
    tallies = possible_endings(tally, tricks, last, known, terms)
    assert tallies == brute_force(tally, tricks, last, known, terms)


@pytest.mark.parametrize("tricks", [(n, 12 - n) for n in range(0, 13, 3)])
@pytest.mark.parametrize(
    ("at", "declared", "target"), [((0, 0), (22, 0), None), ((140, 143), (0, 0), 150)]
)
def test_possible_endings_cover_all_orders_where_leading_marks(
    tricks: Pair, at: Pair, declared: Pair, target: int | None
) -> None:
    terms = MarkingTerms(target, white_in_repique=True, leads=True, last_trick=3, capot=30)
    tally = Tally(at, marked=declared)
    for last, changes in product((0, 1), range(13)):
        tallies = possible_endings(tally, tricks, last, NO_ORDER, terms, changes)
        assert tallies == brute_force(tally, tricks, last, NO_ORDER, terms, changes)
        assert bool(tallies) == (changes in changes_possible(tricks, last, (None,) * TRICKS))


# Elder has 27 by declarations, and is three tricks from a pique.
DECLARED = "e^P6 e^S3A e^S5Q e^T3A"


@pytest.mark.parametrize(
    ("count", "pique", "findings"),
    [
        ("=e7,y5;y", "", ["pique_unclear"]),
        ("=e7,y5;y e~pique", "e30", []),
        ("e~pique =e7,y5;y", "e30", []),
        ("=e3,y9;y", "", ["pique_unclear"]),
        ("=e3,y9;y e~pique", "e30", []),
        # Two tricks are not enough, nor three with the last among them, which comes too late.
        ("=e2,y10;y", "", []),
        ("=e2,y10;y e~pique", "", ["false_call"]),
        ("=e3,y9;e", "", []),
        ("=e3,y9;e e~pique", "", ["false_call"]),
        # In every order: all of them, or all but the last.
        ("=e12", "e30", []),
        ("=e11,y1;y", "e30", []),
        ("=e11,y1;y e~pique", "e30", []),
        ("=e11,y1;e", "", ["pique_unclear"]),
        # Younger has none, even if they call it.
        ("=e7,y5;y y~pique", "", ["false_call", "pique_unclear"]),
        ("=e7,y5;y e~repique", "", ["false_call", "pique_unclear"]),
        # Tricks on record leave fewer orders.
        ("e! e! e! =e7,y5;y", "e30", []),
        ("y! =e7,y5;y", "", []),
        ("y! =e7,y5;y e~pique", "", ["false_call"]),
        ("e! e! =e7,y5;y", "", ["pique_unclear"]),
        ("e!3 =e7,y5;y", "", ["pique_unclear"]),
        ("y!3 =e7,y5;y", "", []),
        # If it contradicts the count, it does not.
        ("e! e! e! e! e! e! e! e! =e7,y5;y", "", ["count_mismatch", "pique_unclear"]),
    ],
)
def test_a_pique_with_the_tricks_counted(count: str, pique: str, findings: list[str]) -> None:
    deal = hand(f"{DECLARED} {count}")
    marked = [f"{line.side}{line.points}" for line in deal.result.lines if line.rule == PIQUE]
    assert "".join(marked) == pique
    assert codes(f"{DECLARED} {count}") == findings


def test_a_pique_that_needs_the_last_trick() -> None:
    """17 and twelve tricks are 29; with the last, which counts two, a pique."""
    assert lines("e^P3 e^T4A =e12") == "e3 P4, e14 P6, e13 P9, e30 P14, e40 P11"
    assert codes("e^P3 e^T4A =e11,y1;e") == []


def test_a_pique_of_younger() -> None:
    declared_events = "y^S5A y^T4K"  # 29
    assert codes(f"{declared_events} =e6,y6;e") == ["pique_unclear"]
    assert scores(f"{declared_events} =e6,y6;e") == (7, 29 + 6)
    assert scores(f"{declared_events} =e6,y6;e y~pique") == (7, 29 + 6 + 30)
    assert scores(f"{declared_events} =e0") == (0, 29 + 13 + 30 + 40)


def test_a_repique_needs_no_call_and_no_order() -> None:
    declared_events = "e^P4 e^S5A e^T4K"  # 33
    assert scores(f"{declared_events} =e1,y11;y") == (33 + 60 + 1, 12 + 10)
    assert codes(f"{declared_events} =e1,y11;y") == []
    assert codes(f"{declared_events} =e1,y11;y e~repique") == []
    assert codes(f"{declared_events} =e7,y5;y e~pique") == ["false_call"]
    assert codes(f"{declared_events} =e7,y5;y y~repique") == ["false_call"]


def test_pique_that_depends_on_a_call_is_uncertain() -> None:
    assert "the pique called (P14)" in undecided(f"{DECLARED} =e7,y5;y e~pique")
    assert "the pique called (P14)" not in undecided(f"{DECLARED} =e11,y1;y e~pique")
    assert "the pique called (P14)" not in undecided(f"{DECLARED} =e7,y5;y")


# ------------------------------------------------------------------------- the winning mark


@pytest.mark.parametrize(
    ("at", "script", "expected", "won"),
    [
        # In the declarations, in their order whatever the order of recording.
        ((140, 0), "eW", "e10 P2", "e"),
        ((141, 0), "e^P8", "-", None),
        ((142, 0), "e^P8", "e8 P4", "e"),
        ((140, 145), "e^T4A y^P5", "y5 P4", "y"),
        ((140, 145), "y^P5 e^T4A .eeeeeeyyyyyy", "y5 P4", "y"),
        ((140, 146), "e^P4 y^T3A y^T3K", "e4 P4, y3 P6, y3 P6", "y"),
        ((140, 147), "e^P4 y^T3A y^T3K", "e4 P4, y3 P6", "y"),
        ((145, 145), "yW eW", "e10 P2", "e"),
        ((145, 145), "yW e^P8", "y10 P2", "y"),
        # Inside a category in the order of what was shown.
        ((147, 0), "e^S3A e^S4Q", "e3 P5", "e"),
        ((146, 0), "e^S4Q e^S3A", "e4 P5", "e"),
        ((146, 0), "e^S3A e^S4Q", "e3 P5, e4 P5", "e"),
        # By a repique: the sixty are a mark of their own.
        ((70, 0), "e^S5A e^T4K e^T3A", "e15 P5, e14 P6, e3 P6, e60 P13", "e"),
        ((118, 0), "e^S5A e^T4K e^T3A", "e15 P5, e14 P6, e3 P6", "e"),
        # In the tricks.
        ((149, 149), ".y", "y1 P9", "y"),
        ((149, 149), ".eyyy", "e1 P9", "e"),
        ((148, 146), ".eyyyeey", "e2 P9, y3 P9", "e"),
        ((147, 0), ".eyyyye", "-", None),
        ((147, 0), ".eyyyyee", "e3 P9, y4 P9", "e"),
        ((147, 0), ".e y!3 e!2", "-", None),
        ((147, 0), "e! y!3 e!2 e!5 e!4", "e3 P9, y1 P9", "e"),
        # The last trick is one mark of two.
        ((148, 0), ".yyyyyyyyyyye", "e2 P9, y11 P9", "e"),
        # By a pique.
        ((91, 0), "e^S5A e^T4K .e", "e15 P5, e14 P6, e1 P9, e30 P14", "e"),
        ((120, 0), "e^S5A e^T4K .e", "e15 P5, e14 P6, e1 P9", "e"),
        # By the cards, and the capot.
        ((140, 0), ".yyyyyeeeeeee", "e8 P9, y5 P9, e10 P10", "e"),
        ((110, 0), ".eeeeeeeeeeee", "e13 P9, e40 P11", "e"),
        ((96, 0), ".eeeeeeeeeeee", "e13 P9, e40 P11", None),
    ],
)
def test_the_mark_that_wins_the_game(
    at: tuple[int, int], script: str, expected: str, won: str | None
) -> None:
    assert lines(script, at) == expected
    if expected != "-":
        assert winner(script, at) == won


def test_the_final_is_won_beyond_220() -> None:
    assert hand("e^P8", (212, 0), target=221).result.complete is False
    assert hand("e^P8", (213, 0), target=221).result.marks.winner == "e"


def test_events_after_the_winning_mark_are_audited_but_not_scored() -> None:
    script = "e^P8 y^T4A .eeeeeeyyyyyy"
    assert scores(script, (142, 0)) == (8, 0)
    assert hand(script, (142, 0)).result.taken == {"y": 6, "e": 6}
    assert codes("e^P8 e>AS.7H y!", (142, 0)) == ["wrong_winner"]
    assert codes("e^P8 e>AS.7H e>KS.8S y>7S.8H", (142, 0)) == ["out_of_turn", "revoke"]


@pytest.mark.parametrize(
    ("at", "script", "level", "taken"),
    [
        ((142, 0), "e^P8", "totals", None),
        ((142, 0), "e^P8 =e7,y5;e", "totals", {"y": 5, "e": 7}),
        ((142, 0), "e^P8 .ee", "tricks", None),
        ((142, 0), "e^P8 e>AS.7S", "cards", None),
        ((148, 0), "e>AS.7S e>KS.8S", "cards", None),
        ((148, 0), "e>AS.7S e!2", "mixed", None),
        ((148, 0), ".ee", "tricks", None),
        ((148, 0), ".ey e*", "tricks", {"y": 1, "e": 11}),
        ((0, 0), ".ey =e7,y5;e", "mixed", {"y": 5, "e": 7}),
        ((0, 0), "=e7,y5;e", "totals", {"y": 5, "e": 7}),
        ((0, 0), "$e12,y9", "totals", None),
        ((0, 0), "$e12,y9/e7", "totals", {"y": 5, "e": 7}),
        ((0, 0), "=e7,y5 $e12,y9", "totals", {"y": 5, "e": 7}),
    ],
)
def test_level_and_tricks_taken(
    at: tuple[int, int], script: str, level: str, taken: dict[str, int] | None
) -> None:
    result = hand(script, at).result
    assert result.complete
    assert hand(script, at).level == level
    assert result.taken == taken


@pytest.mark.parametrize(
    ("at", "script", "marked", "won", "findings"),
    [
        # All marks count where the target is first reached in the tricks: the higher total wins.
        ((145, 0), "=e7,y5;e", (18, 5), "e", []),
        ((145, 148), "=e7,y5;e", (18, 5), "e", ["game_unclear"]),
        ((143, 148), "=e6,y6;e", (7, 6), "y", []),  # elder needs the last trick for it
        ((147, 148), "=e6,y6;e", (7, 6), "e", ["game_unclear"]),  # 154 each: elder
        ((140, 120), "=e6,y6;e", (7, 6), None, []),
        # Younger needs one trick, elder the cards: in every order younger is first.
        ((138, 149), "=e11,y1;e", (22, 1), "e", ["game_unclear"]),
        # In the declarations everything is in order.
        ((145, 148), "e^P5 =e7,y5;e", (5, 0), "e", []),
        ((145, 148), "e^P4 =e7,y5;e", (22, 5), "e", ["game_unclear"]),
        ((145, 148), "y^P4 =e7,y5;e", (0, 4), "y", []),
        # A pique that was not called might have won it.
        ((85, 0), "e^S5A e^T4K =e7,y5;e", (47, 5), None, ["game_unclear", "pique_unclear"]),
        ((85, 0), "e^S5A e^T4K =e7,y5;e e~pique", (77, 5), "e", []),
        # The last trick settles who is first: younger cannot have had the two points before.
        ((148, 148), "=e11,y1;y", (21, 2), "e", []),
        # Only the points.
        ((140, 0), "$e12,y9", (12, 9), "e", []),
        ((140, 145), "$e12,y9", (12, 9), "y", ["game_unclear"]),
        ((142, 145), "$e12,y9", (12, 9), "e", ["game_unclear"]),
        ((140, 140), "$e9,y9", (9, 9), None, []),
    ],
)
def test_winner_if_the_order_of_tricks_is_not_on_record(
    at: tuple[int, int], script: str, marked: tuple[int, int], won: str | None, findings: list[str]
) -> None:
    assert scores(script, at) == marked
    assert winner(script, at) == won
    assert codes(script, at) == findings


# ------------------------------------------------------------------------ counts beside others


@pytest.mark.parametrize(
    ("script", "marked"),
    [
        ("$e12,y9", (12, 9)),
        ("$e0,y0", (0, 0)),
        ("$e12,y9 $e13,y9", (13, 9)),
        ("e^P5 $e12,y9", (12, 9)),
        ("e^P5 .eee $e12,y9", (12, 9)),
        ("e^P5 =e7,y5 $e12,y9", (12, 9)),  # without the last trick
        ("e^P5 =e7,y6;e $e12,y9", (12, 9)),  # not twelve
        ("e^P5 =e7,y5;e $e12,y9", (23, 5)),  # e 5 + 8 + 10
        ("$e12,y9 e^P5 .eeeeeeyyyyyy", (11, 7)),
        ("=e7,y5;e .eeeeeeyyyyyy", (6, 7)),
        ("=e7,y5;e =e8,y4;e", (19, 4)),
        ("=e8,y4;e =e7,y5", (19, 4)),
    ],
)
def test_the_finest_record_scores(script: str, marked: tuple[int, int]) -> None:
    assert scores(script) == marked


@pytest.mark.parametrize(
    ("at", "script", "findings"),
    [
        # Not twelve.
        ((0, 0), "=e7,y6;e", "total_mismatch P9 [1]"),
        ((0, 0), "=e0,y0", "total_mismatch P9 [1]"),
        ((0, 0), "$e7,y6/e7,y6", "total_mismatch P9 [1]"),
        # Against the tricks on record.
        ((0, 0), ".eeeeee y* =e7,y5;y", "count_mismatch P9 [8, 1, 2, 3, 4, 5, 6, 7]"),
        ((0, 0), ".eeeeeeyyyyyy =e6,y6;e", "count_mismatch P9 [13, 12]"),
        ((0, 0), ".eee =e2;y", "count_mismatch P9 [4, 1, 2, 3]"),
        ((0, 0), "y!12 =e7,y5;e", "count_mismatch P9 [2, 1]"),
        ((0, 0), "=e12,y0;y", "count_mismatch P9 [1]"),
        ((0, 0), ".eee $e2,y9/e2,y10", "count_mismatch P12 [4, 1, 2, 3]"),
        ((0, 0), ".eee $e2,y9", "count_mismatch P12 [4, 1, 2, 3]"),
        # Against each other.
        ((0, 0), "=e7,y5;e =e8,y4;e", "count_mismatch P9 [1, 2]"),
        ((0, 0), "=e7,y5;e =e7,y5;y", "count_mismatch P9 [1, 2]"),
        ((0, 0), "$e7,y5 $e8,y5", "count_mismatch P12 [1, 2]"),
        ((0, 0), "=e7,y5;e $e18,y5/e6", "count_mismatch P12 [2, 1]"),
        # Against the marks.
        ((0, 0), "e^P5 =e7,y5;e $e12,y9", "count_mismatch P12 [3, 1, 2]"),
        ((0, 0), "e^P5 .eeeeee y* $e10,y7", "count_mismatch P12 [9, 1, 2, 3, 4, 5, 6, 7, 8]"),
        ((145, 0), "e^P5 e^T4A $e19,y0", "count_mismatch P12 [3, 1]"),
    ],
)  # fmt: skip
def test_wrong_counts_are_found(at: tuple[int, int], script: str, findings: str) -> None:
    assert findings_of(script, at) == [findings]


@pytest.mark.parametrize(
    ("at", "script"),
    [
        ((0, 0), ".eeeeeeyyyyyy =e6;y"),
        ((0, 0), ".eeeeeeyyyyyy =y6"),
        ((0, 0), ".eee =e3;y"),
        ((0, 0), ".eee $e3,y9"),
        ((0, 0), "e^P5 .eeeeeeyyyyyy $e11,y7/e6"),
        ((0, 0), "e^P5 =e7,y5;e $e23,y5/e7,y5"),
        ((0, 0), "=e7,y5 =e7,y5;e"),
        ((0, 0), "$e7,y5 $e7,y5"),
        # Only the marks up to the winning one count.
        ((145, 0), "e^P5 e^T4A $e5,y0"),
        ((145, 0), "e^P5 e^T4A =e7,y5;y"),
        ((148, 0), ".eye $e2,y1"),
        ((148, 0), ".eye =e2,y1;e"),
        ((148, 0), ".eye =e7,y5;y"),
        ((148, 0), ".eye $e2,y1/e2,y1"),
        # Where the tricks were counted, any order of them.
        ((145, 148), "=e7,y5;e $e5,y1"),
        ((145, 148), "=e7,y5;e $e4,y2"),
    ],
)
def test_possible_counts_have_no_findings(at: tuple[int, int], script: str) -> None:
    assert [code for code in codes(script, at) if code != "game_unclear"] == []


def test_count_may_include_an_unclear_pique() -> None:
    assert codes(f"{DECLARED} =e7,y5;y $e44,y6") == ["pique_unclear"]
    assert codes(f"{DECLARED} =e7,y5;y $e74,y6") == ["pique_unclear"]
    assert codes(f"{DECLARED} =e7,y5;y $e104,y6") == ["count_mismatch", "pique_unclear"]


# ----------------------------------------------------------------------------------- calls


@pytest.mark.parametrize(
    ("at", "script", "false"),
    [
        ((0, 0), "e^S5A e^T4K .eeeeeeyyyyyy e~pique", False),
        ((0, 0), "e^S5A e^T4K .yeeeeeeyyyyy e~pique", True),
        ((0, 0), "e^S5A e^T4K .eeeeeeyyyyyy y~pique", True),
        ((0, 0), "e^S5A e^T4K .eeeeeeyyyyyy e~repique", True),
        ((0, 0), "e^S5A e^T4K e^T3A .eeeeeeyyyyyy e~repique", False),
        ((0, 0), "e^S5A e^T4K e^T3A .eeeeeeyyyyyy e~pique", True),
        ((0, 0), ".eeeeeeyyyyyy e~repique", True),
        # Not before the hand is complete.
        ((0, 0), "e~repique", False),
        ((0, 0), "e~pique .ee", False),
        # The game was over before it could be marked; the call is no less true.
        ((120, 0), "e^S5A e^T4K .e e~pique", False),
        ((140, 0), "e^S5A e^T4K e^T3A e~repique", False),
        ((140, 0), "e^S5A e~repique", True),
        ((140, 0), "e^S5A e~pique", False),
        ((140, 0), "y^P6 e^S5A e~pique", True),
        # With only the points counted: a pique takes 60 at least, a repique 90.
        ((0, 0), "e~pique $e60,y0", False),
        ((0, 0), "e~pique $e59,y0", True),
        ((0, 0), "e~repique $e90,y0", False),
        ((0, 0), "e~repique $e89,y0", True),
        ((110, 0), "e~repique $e40,y0", False),
    ],
)
def test_calls(at: tuple[int, int], script: str, false: bool) -> None:
    assert ("false_call" in codes(script, at)) is false


def test_abandoned_hand_wins_no_game() -> None:
    assert codes("$e30,y20 x", (140, 140)) == []
    assert codes("=e7,y5;e x", (148, 148)) == []
