"""Picchetto: the running score of an open hand; tests of ``games.picchetto.so_far``."""

from typing import Any

import pytest

from scorekeeper.games.picchetto.so_far import so_far
from scorekeeper.play.scoring import RunningScore, add_up
from tests.games.picchetto import DECLARED, EXCHANGE, PLAY, hand, words


def counted(script: str, **options: Any) -> RunningScore:
    running = so_far(hand(script, **options))
    assert running is not None
    return running


def marked_lines(script: str, **options: Any) -> str:
    """Return the running lines: marks, and declarations without points."""
    return ", ".join(
        f"{line.side}{line.points} {line.text}" for line in counted(script, **options).lines
    )


def ahead(script: str, **options: Any) -> list[str]:
    return [f"{player} {text}" for player, text in counted(script, **options).ahead]


def test_running_score_is_none_before_the_first_declaration() -> None:
    assert so_far(hand("")) is None
    assert so_far(hand("ex3 yx2")) is None


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("eP51", "e0 Point of 51: not answered yet"),
        ("eP51 yP+", "e5 Point of 51: 5 cards"),
        ("eP51 yP=", "e0 Point of 51: equal"),
        ("eP51 yP-", "e0 Point of 51: not good"),
        ("eP51 yP- y^P6", "e0 Point of 51: not good, y6 Point: 6 cards"),
        ("eT3K yT- y^T3A",
         "e0 Three kings: not good, y3 Three aces"),
        ("eW eP51", "e10 White, e0 Point of 51: not answered yet"),
        ("y^P5 eT3A", "y5 Point: 5 cards, e0 Three aces: not answered yet"),
        ("eP51 yP+ e! y!", "e5 Point of 51: 5 cards, e1 Tricks: 1, y1 Tricks: 1"),
        ("eP75 yP+ e^P8 eS8A yS+ e^S8A eT3A yT+ e^T3A e!",
         "e8 Point: 8 cards, e18 Sequence of 8 to the ace, e3 Three aces, e1 Tricks: 1, e30 Pique"),
        ("eP75 yP+ e^P8 eS8A yS+ e^S8A eT4A yT+ e^T4A",
         "e8 Point: 8 cards, e18 Sequence of 8 to the ace, e14 Four aces, e60 Repique"),
    ],
)  # fmt: skip
def test_running_lines_are_in_the_order_of_the_marks(script: str, expected: str) -> None:
    assert marked_lines(script) == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("eP51", []),
        ("eP51 yP+", ["e 25 more for repique or pique"]),
        ("eP51 yP+ y^S3A", []),  # both have marked
        ("eP51 yP- y^P6", ["y 24 more for repique or pique"]),
        # Only a trick makes a pique; so many points are left in the play.
        ("eP75 yP+ eS4K yS+ e!", []),
        ("eP75 yP+ eS5A yS+ e!", ["e 6 more for pique"]),
        ("eP75 yP+ eS5A yS+ y!", []),
        ("eP75 yP+ eS8A yS+ e! e! e!", ["e 1 more for pique"]),
        ("eP75 yP+ eS8A yS+ e! e! e! e!", []),  # the pique is made
    ],
)  # fmt: skip
def test_points_missing_for_pique_and_repique(script: str, expected: list[str]) -> None:
    assert ahead(script) == expected


def test_white_that_does_not_count_for_the_repique() -> None:
    assert ahead("eW eP51 yP+") == ["e 15 more for repique or pique"]
    are_separate = ["e 25 more for repique", "e 15 more for pique"]
    assert ahead("eW eP51 yP+", white_in_repique=False) == are_separate
    # The opponent's White hinders a pique then, and no repique.
    assert "e 25 more for repique" in ahead("yW eP51 yP+", white_in_repique=False)
    assert ahead("yW eP51 yP+") == []


def test_running_lines_add_up_and_end_with_the_score_of_the_hand() -> None:
    script = list(words(f"{EXCHANGE} {DECLARED} {PLAY}"))
    for step in range(1, len(script)):
        running = so_far(hand(" ".join(script[:step])))
        if running is not None:
            assert add_up(running.lines, "ey") == running.made
    end = [line for line in hand(" ".join(script)).result.lines if line.rule not in ("P9", "P10")]
    assert [line for line in counted(" ".join(script[:-1])).lines if line.rule != "P9"] == end
