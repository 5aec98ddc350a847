from collections.abc import Iterator
from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.games.riparto import GAME
from scorekeeper.play.match import Standing
from scorekeeper.play.scoring import Basis, Result, ScoreLine, Text
from tests.games.riparto import THREE, hand, lines, result, taken

# ------------------------------------------------------------------- the score (R12 to R14)

ELEVEN_FOUR = taken("bbbbaaaaa")  # a 11, b 4, c 0


@pytest.mark.parametrize(
    ("script", "players", "scored"),
    [
        (f"a=11 b=2 c=0 {ELEVEN_FOUR}", 3, ["a +11 R12"]),
        (f"a=9 b=2 c=0 a^11 {ELEVEN_FOUR}", 3, ["a +11 R12"]),
        (f"a=10 {ELEVEN_FOUR}", 3, ["a -10 R13", "b +4 R14"]),
        (f"a=12 {ELEVEN_FOUR}", 3, ["a -12 R13", "b +4 R14"]),
        (f"b=7 {ELEVEN_FOUR}", 3, ["b -7 R13", "a +11 R14"]),
        (f"c=3 {ELEVEN_FOUR}", 3, ["c -3 R13", "a +11 R14"]),
        (f"c=0 {ELEVEN_FOUR}", 3, ["c +0 R12"]),
        (f"b=0 {ELEVEN_FOUR}", 3, ["b +0 R13", "a +11 R14"]),
        (f"a=10 {taken('aaaaaaaaa')}", 3, ["a -10 R13"]),  # the others took nothing
        ("d=5 =a1,b2,c3,d9", 4, ["d -5 R13", "c +3 R14"]),
    ],
)
def test_the_lines_of_a_hand(script: str, players: int, scored: list[str]) -> None:
    assert lines(script, players) == scored


# After a lost deal b and c have 7 each; c took the last trick.
TIED = taken("bbbbbbabc")
COUNTED_EVEN = "=a1,b7,c7"


@pytest.mark.parametrize(
    ("option", "script", "adding"),
    [
        ("all", TIED, "bc"),
        ("none", TIED, ""),
        ("last_trick", TIED, "c"),
        ("all", COUNTED_EVEN, "bc"),
        ("none", COUNTED_EVEN, ""),
        # By a count alone the latest trick is not on record: as all.
        ("last_trick", COUNTED_EVEN, "bc"),
        ("last_trick", f"b! b! {COUNTED_EVEN}", "bc"),
        # Where the tricks beside the count show it, it is known.
        ("last_trick", f"c!9 {COUNTED_EVEN}", "c"),
        ("last_trick", f"b!8 a!9 {COUNTED_EVEN}", "b"),
        ("last_trick", f"b!8 {COUNTED_EVEN}", "bc"),
    ],
)
def test_tied_players_by_the_option(option: str, script: str, adding: str) -> None:
    added = [f"{player} +7 R14" for player in adding]
    assert lines(f"a=9 {script}", award_tie=option) == ["a -9 R13", *added]


def test_the_latest_trick_of_those_tied_need_not_be_the_last() -> None:
    script = f"a=9 {taken('bbbccaaca')}"  # a 3 + 1 + 5 = 9 is made; with 8 it is lost
    assert lines(script) == ["a +9 R12"]
    script = f"a=8 {taken('bbbccaaca')}"  # b 3, c 3, and c took trick 8
    assert lines(script, award_tie="last_trick") == ["a -8 R13", "c +3 R14"]


@pytest.mark.parametrize("option", ["all", "none", "last_trick"])
def test_single_best_player_adds_under_every_option(option: str) -> None:
    assert lines(f"a=10 {ELEVEN_FOUR}", award_tie=option) == ["a -10 R13", "b +4 R14"]
    assert lines("a=10 =a11,b4", award_tie=option) == ["a -10 R13", "b +4 R14"]


def test_the_ripartitore_is_not_among_those_tied() -> None:
    assert lines("b=9 =a7,b7,c1") == ["b -9 R13", "a +7 R14"]


def test_lines_cite_their_proof() -> None:
    script = f"a=4 b=6 c=5 b^7 b>SDHC {THREE}"
    lost, added = result(script).lines
    cards = tuple(range(6, 33))
    assert (lost.side, lost.events) == ("b", (2, 4, 5, *cards))
    assert (added.side, added.events) == ("a", (5, *cards))
    assert str(lost.text) == "Declared 7 and took 4"
    assert result("b=6 made").lines[0].events == (1, 2)
    # Where only winners are on record, the hierarchy decided nothing that is.
    assert result(f"a=11 a>SDHC {ELEVEN_FOUR}").lines[0].events == (1, *range(3, 12))


# --------------------------------------------------------- what is on record, and what suffices


@pytest.mark.parametrize(
    ("script", "basis", "level"),
    [
        (f"a=9 {THREE}", Basis.CARDS, "cards"),
        (f"a=9 {THREE} a! =a11,b4,c0", Basis.CARDS, "cards"),
        (f"a=9 {ELEVEN_FOUR}", Basis.TRICKS, "tricks"),
        (f"a=9 {ELEVEN_FOUR} =a11,b4 made", Basis.TRICKS, "tricks"),
        ("a=9 =a11,b4,c0", Basis.COUNT, "totals"),
        ("a=9 =a11,b4,c0 made", Basis.COUNT, "totals"),
        ("a=9 made", Basis.OUTCOME, "totals"),
        ("a=9 b! b! =a11,b4", Basis.COUNT, "mixed"),
        ("a=9 a:6D b:AD c:9D =a11,b4", Basis.COUNT, "mixed"),
        (f"a=9 a:6D b:AD c:9D {taken('bbbaaaaa').replace('b!', 'b!2', 1)}", Basis.TRICKS, "mixed"),
        (f"a=9 a:6D b:AD b! {taken('bbbaaaaa')}", Basis.TRICKS, "mixed"),
        (f"a=9 {taken('bbbb')} a*", Basis.TRICKS, "tricks"),
        ("a=9 a*", Basis.TRICKS, "tricks"),
        (f"a=9 {' '.join(THREE.split()[:12])} a*", Basis.TRICKS, "mixed"),
        (f"a=9 {' '.join(THREE.split()[:13])} a*", Basis.TRICKS, "mixed"),
    ],
)
def test_the_finest_record_scores(script: str, basis: Basis, level: str) -> None:
    deal = hand(script)
    assert deal.result.complete
    assert (deal.result.basis, deal.level) == (basis, level)
    if basis is not Basis.OUTCOME and not script.startswith("a=9 a*"):
        assert deal.result.taken == {"a": 11, "b": 4, "c": 0}


@pytest.mark.parametrize(
    "script",
    [
        "",
        "a=9",
        "=a11,b4,c0",  # no bid
        THREE,
        "a=9 lost",  # the points of the others are needed
        "a=9 made lost",
        "a=9 b! b! b!",
        f"a=9 {' '.join(THREE.split()[:26])}",
        # The only count does not make 15, or 9 tricks; the outcome is a claim beside it.
        "a=9 =a11,b4,c1",
        "a=9 =a11,b4,c1 made",
        "a=9 =a11,b4,c0/a5,b3,c0",
        # A card played twice.
        f"a=9 {THREE.replace('c:8S', 'c:AS')}",
        "a=9 a:6D b:AD c:AD =a11,b4,c0",
        # Abandoned.
        "a=9 =a11,b4,c0 x",
        # A trick left out by number.
        "a=9 a!1 a!2 a!3 a!4 a!5 a!6 a!7 a!8 a!10",
    ],
)
def test_incomplete_record_does_not_score(script: str) -> None:
    outcome = result(script)
    assert not outcome.complete
    assert outcome.lines == ()
    assert outcome.taken is None
    assert outcome.abandoned == script.endswith("x")


@pytest.mark.parametrize(
    ("count", "options", "counted"),
    [
        ("=a11,b4", {}, {"a": 11, "b": 4, "c": 0}),
        ("=b4,c1", {}, {"a": 10, "b": 4, "c": 1}),
        ("=b4,c1/b4,c1", {}, {"a": 10, "b": 4, "c": 1}),
        ("=a15,b0", {}, {"a": 15, "b": 0, "c": 0}),
        ("=a6,b4,c0", {"last_three": "sweep"}, {"a": 6, "b": 4, "c": 0}),
        ("=a11,b4,c0", {"last_three": "sweep"}, {"a": 11, "b": 4, "c": 0}),
        ("=a11,b4,c0/a5,b4", {"last_three": "sweep"}, {"a": 11, "b": 4, "c": 0}),
        ("=a11,b4", {"last_three": "last_trick"}, {"a": 11, "b": 4, "c": 0}),
    ],
)
def test_a_count_that_leaves_out_a_player(
    count: str, options: dict[str, Any], counted: dict[str, int]
) -> None:
    assert result(f"a=9 {count}", **options).taken == counted


@pytest.mark.parametrize(
    ("script", "options", "field"),
    [
        ("=a11", {}, "data.points"),
        ("=a11,b5", {}, "data.points"),
        ("=a11,b4/a5", {}, "data.tricks"),
        ("=a11,b4/a5,b5", {}, "data.tricks"),
        ("=a11,b4", {"last_three": "sweep"}, "data.points"),
        ("=a6,b4", {"last_three": "sweep"}, "data.points"),
        ("a=16", {}, "data.points"),
        ("a^16", {}, "data.points"),
        ("a>SDH", {}, "data.suits"),
        ("a>SDHH", {}, "data.suits"),
        ("a#3", {}, "data.set"),
        ("a:AS a:KS", {}, "data.player"),
        ("a:AS b:KS c:QS a:AS", {}, "data.card"),
        ("a:AS b:AS c:QS b:AS", {}, "data.card"),
    ],
)
def test_impossible_event_is_refused(script: str, options: dict[str, Any], field: str) -> None:
    with pytest.raises(UnusableError) as refused:
        hand(script, **options)
    assert refused.value.field == field


def test_tricks_by_number_in_any_order() -> None:
    script = "a=9 a!9 b!1 a!7 b!2 a!8 b!4 b!3 a!6 a!5"
    assert result(script).taken == {"a": 11, "b": 4, "c": 0}
    assert (
        hand("a=9 a!3 b! b! c!").won[-1].number == 4
    )  # the next trick is the first without a record


def test_claimed_rest_has_all_other_tricks() -> None:
    assert result("a=9 b!2 c!9 a*").taken == {"a": 12, "b": 1, "c": 2}
    assert result("a=9 a* b!1").taken == {"a": 14, "b": 1, "c": 0}
    assert result("a=9 b! a* c*").taken == {"a": 0, "b": 1, "c": 14}  # the last word


def test_tricks_beyond_nine_score_nothing() -> None:
    assert lines(f"a=11 {ELEVEN_FOUR} b!") == ["a +11 R12"]
    assert lines(f"a=11 {THREE} a:8H b:7H c:6H") == ["a +11 R12"]


# --------------------------------------------------------------------------- the match (R15)


def standings(end: Any, *hands: dict[str, int]) -> Iterator[tuple[bool, dict[str, int]]]:
    """Return whether a match is over, and its totals, after each of these hands."""
    options = GAME.options({"match_end": end}, 3)
    standing: Standing = GAME.course.start("abc", options)
    for scores in hands:
        scored = tuple(ScoreLine(side, n, "R12", Text(""), ()) for side, n in scores.items())
        standing = GAME.course.add(standing, Result(complete=True, lines=scored), options, (), ())
        yield standing.over, {side: int(total) for side, total in standing.totals.items()}


def test_the_end_of_a_match() -> None:
    hands = ({"a": 9}, {"b": 10}, {"a": 1}, {"b": 3})
    assert [over for over, _ in standings("open", *hands)] == [False] * 4
    assert [over for over, _ in standings({"hands": 3}, *hands)] == [False, False, True, True]
    # At 10 b leads alone and wins; with a at 10, too, they would play on.
    assert [over for over, _ in standings({"target": 10}, *hands)][:2] == [False, True]
    level = ({"a": 9}, {"b": 10, "a": 1}, {"b": -2}, {"c": 2})
    assert [over for over, _ in standings({"target": 10}, *level)][:3] == [False, False, True]


@pytest.mark.parametrize("end", ["never", {"target": 0}, {"hands": 0}, {"hands": 1.5}, {}, 5])
def test_an_end_that_no_match_can_have(end: Any) -> None:
    with pytest.raises(UnusableError):
        GAME.options({"match_end": end}, 3)
