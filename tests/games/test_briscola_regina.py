"""Briscola Regina: its figures, its options, and what a hand amounts to.

Tests of ``games.briscola_regina.rules``, ``games.briscola_regina.state`` and
``games.briscola_regina.score``.
"""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.cards.packs import Card
from scorekeeper.games.briscola_regina import GAME
from scorekeeper.games.briscola_regina.rules import BRIS_POINTS, STOCK_LASTS, TRICKS
from scorekeeper.log.codec import decode
from scorekeeper.play.scoring import Basis
from tests.games.regina import event_of, hand, result, scores, table

# ------------------------------------------------------------------------------ the cards (B1)

RANKS = {"A": 11, "3": 10, "K": 4, "N": 3, "J": 2, "7": 0, "6": 0, "5": 0, "4": 0, "2": 0}


@pytest.mark.parametrize(("rank", "points"), RANKS.items())
@pytest.mark.parametrize("suit", "SCDB")
def test_points_of_each_card(rank: str, points: int, suit: str) -> None:
    low = "4C" if suit != "C" else "4S"
    assert scores(f"a:{rank}{suit} b:{low} b*", 2) == {"a": points, "b": 120 - points}


@pytest.mark.parametrize(("rank", "points"), [("Q", 3), ("K", 4), ("A", 11)])
def test_french_cards_have_a_queen_for_the_knight(rank: str, points: int) -> None:
    assert scores(f"a:{rank}H b:4S b*", 2, pack="french") == {"a": points, "b": 120 - points}


@pytest.mark.parametrize("stronger", range(9))
@pytest.mark.parametrize("trump", ["", "a+S "])
def test_a_higher_card_of_the_suit_takes_the_trick(stronger: int, trump: str) -> None:
    ranks = list(RANKS)
    high, low = ranks[stronger], ranks[stronger + 1]
    for script in (f"{trump}a:{high}S b:{low}S", f"{trump}b:{low}S a:{high}S"):
        assert [won.player for won in hand(script, 2).won] == ["a"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_tricks_and_stock_follow_from_the_pack(players: int) -> None:
    cards = len(table(players).pack.cards)
    assert cards == (39 if players == 3 else 40)
    assert TRICKS[players] * players == cards
    assert STOCK_LASTS[players] == (cards - 5 * players) // players


@pytest.mark.parametrize(
    ("options", "removed"),
    [
        ({}, "2C"), ({"removed_two": "S"}, "2S"), ({"removed_two": "B"}, "2B"),
        ({"pack": "french"}, "2H"), ({"pack": "french", "removed_two": "C"}, "2C"),
    ],
)  # fmt: skip
def test_three_players_leave_out_a_two(options: dict[str, Any], removed: str) -> None:
    whole = set(table(4, **options).pack.cards)
    assert whole - set(table(3, **options).pack.cards) == {Card.parse(removed)}


# ----------------------------------------------------------------- who takes a trick (B2, B3, B6)


@pytest.mark.parametrize(
    ("script", "winner"),
    [
        ("a:4S b:AC c:3D d:5S", "d"),  # no trump: only the suit led counts
        ("a:2S b:AC c:AD d:AB", "a"),
        ("d+C a:AS b:2C c:3S d:KS", "b"),  # a trump beats the ace led
        ("d+C a:AS b:2C c:4C d:KS", "c"),  # the highest trump
        ("d+C a:2C b:AS c:AD d:7C", "d"),  # trumps led
        ("a:AS b:2C d+C c:3S d:KS", "b"),  # Bris in the middle of the trick
        ("a:AS b:2C c:3S d:KS d+C", "a"),  # Bris after its last card
        ("d+C d+B a:AS b:2B c:3S d:KS", "a"),  # a further Bris changes no trump
        ("d+C c+C a:AS b:2C c:3S d:KS", "b"),
    ],
)
def test_winner_of_a_trick(script: str, winner: str) -> None:
    assert [won.player for won in hand(script).won] == [winner]


def test_trick_is_decided_by_the_trump_when_it_was_complete() -> None:
    deal = hand("a:AS b:2C c:3S d:KS a+D a:AC b:2D c:3C d:KC", 4)
    assert [won.player for won in deal.won] == ["a", "b"]


# ------------------------------------------------------------------------------- the Bris (B7)


def test_the_points_of_the_bris() -> None:
    assert BRIS_POINTS == (0, 10, 20, 30)


@pytest.mark.parametrize(
    ("calls", "deal", "side"),
    [
        ("a+S", (0, 0), (0, 0)),
        ("a+S b+C", (0, 10), (0, 0)),
        ("a+S b+C c+D", (20, 10), (10, 0)),
        ("a+S b+C c+D d+B", (20, 40), (10, 10)),
        ("a+S a+C c+D c+B", (60, 0), (60, 0)),
        ("a+S b+C b+D d+B", (0, 60), (0, 30)),
        ("a+S b+S c+C", (10, 0), (10, 0)),  # on a suit called already: no number
    ],
)
def test_points_of_several_bris(calls: str, deal: tuple[int, int], side: tuple[int, int]) -> None:
    for count, (a, b) in {"deal": deal, "side": side}.items():
        assert scores(f"{calls} =A70,B50", bris_count=count) == {"A": 70 + a, "B": 50 + b}


def test_each_bris_has_a_line_with_its_number() -> None:
    lines = result("a+S b+C b+C =A70").lines
    assert [(line.side, line.points, line.rule, line.events) for line in lines] == [
        ("A", 70, "B9", (4,)), ("B", 50, "B9", (4,)), ("A", 0, "B7", (1,)), ("B", 10, "B7", (2,)),
    ]  # fmt: skip
    pack = table(4).pack
    assert [line.text.say(pack.show) for line in lines[2:]] == [
        "Ada calls the first Bris of the hand, which makes trump: king of swords, knight of swords",
        "Bruno calls Bris number 2 of the hand: king of cups, knight of cups",
    ]


def test_a_bris_that_cannot_have_been_held_counts_as_recorded() -> None:
    # The king of cups has fallen; the table played on with cups as trump all the same.
    deal = hand("a:KC b:4C c:5C d:6C d+C b+D a:AS b:2C c:3S d:KS b*")
    assert [won.player for won in deal.won][:2] == ["a", "b"]
    assert scores("a:KC b:4C c:5C d:6C d+C b+D a:AS b:2C c:3S d:KS b*") == {"A": 4, "B": 126}


# ------------------------------------------------------------------- who wins a hand (B9, B10)


@pytest.mark.parametrize(
    ("script", "players", "tie", "winner"),
    [
        ("=A61", 4, "draw", "A"),
        ("=a30,b29,c28,d20,e13", 5, "draw", "a"),  # more than 60 or not
        ("a+S b+C b+D =A85", 4, "draw", "A"),  # 85 to 35 + 30
        ("a+S b+C b+D =A70", 4, "draw", "B"),  # 70 to 50 + 30
        ("a+S b+C =A65", 4, "draw", None),  # 65 to 55 + 10
        ("=A60", 4, "draw", None),
        ("=A60", 4, "last_trick", None),  # a count alone
        ("a! b! a! b! a! b! a! b! a! b! =A60", 4, "last_trick", "B"),
        ("a! b! a! b! a! b! a! b! a! =A60", 4, "last_trick", None),  # a trick is missing
        ("a! b! a! b! a! b! a! b! a! b! =A60", 4, "draw", None),
        ("a! b! a! b! a! b! b! c! =a40,b40,c20,d20,e0", 5, "last_trick", "b"),  # of those tied
        ("a! b! c* =a60,b60,c0", 3, "last_trick", "b"),  # the rest is on record as well
    ],
)
def test_winner_of_a_hand(script: str, players: int, tie: str, winner: str | None) -> None:
    assert result(script, players, tie=tie).winner == winner


def test_each_side_has_a_line_for_its_cards() -> None:
    got = result("a:AS b:2C c:3S d:4S a*")
    assert [(line.side, line.points, line.events) for line in got.lines] == [
        ("A", 120, (1, 2, 3, 4, 5)), ("B", 0, (1, 2, 3, 4, 5)),
    ]  # fmt: skip


# ------------------------------------------------------------------------- when it is complete

SUIT = "{0}:A{2} {1}:2{2} {0}:3{2} {1}:4{2} {0}:K{2} {1}:5{2} {0}:N{2} {1}:6{2} {0}:J{2} {1}:7{2}"
BY_SUIT = " ".join(SUIT.format(*names) for names in ("abS", "abC", "baD", "baB"))


@pytest.mark.parametrize(
    ("script", "players", "basis"),
    [
        ("", 4, None),
        ("a+S", 4, None),
        ("=A61", 4, Basis.COUNT),
        ("a! b! =A61", 4, Basis.COUNT),  # however few tricks are on record
        ("a! a! a! a! a! b! b! b! b! b!", 4, None),  # no points without the cards
        ("a:AS b:2C c:3S d:4S a*", 4, Basis.TRICKS),
        ("a:AS b:2C c:3S d:4S a! a:4C a*", 4, Basis.TRICKS),
        ("a! a*", 4, None),  # the points of the first trick are nowhere
        ("a! a* =A61", 4, Basis.COUNT),
        (BY_SUIT, 2, Basis.CARDS),
        (BY_SUIT + " =a90", 2, Basis.CARDS),
        (BY_SUIT.rsplit(" ", 1)[0], 2, None),
        ("x", 4, None),
        ("=A61 x", 4, None),
        ("=A61,B60", 4, None),  # the only count misses 120
        ("=A61,B60 =A61,B59", 4, Basis.COUNT),
        ("=A61/A11,B0", 4, None),
        ("a:AS b:AS =A61", 4, None),  # a card twice
    ],
)
def test_when_a_hand_is_complete(script: str, players: int, basis: Basis | None) -> None:
    got = result(script, players)
    assert (got.complete, got.basis) == (basis is not None, basis)
    if basis is None:
        assert (got.lines, got.taken, got.winner) == ((), None, None)


def test_hand_recorded_by_all_cards() -> None:
    got = result(BY_SUIT, 2)
    assert got.taken == {"a": 60, "b": 60}
    assert got.winner is None
    assert result(BY_SUIT, 2, tie="last_trick").winner == "b"


def test_the_count_may_leave_out_a_side() -> None:
    assert result("=B47").taken == {"A": 73, "B": 47}
    assert result("=e5,c30,a10,b25", 5).taken == {"a": 10, "b": 25, "c": 30, "d": 50, "e": 5}


def test_tricks_beyond_the_hand_are_not_scored() -> None:
    assert result(BY_SUIT + " a!", 2).taken == {"a": 60, "b": 60}


# ------------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("script", "players", "options", "field"),
    [
        ("a+H", 4, {}, "data.suit"),
        ("a+B", 4, {"pack": "french"}, "data.suit"),
        ("a+X", 4, {}, "data.suit"),
        ("=A121", 4, {}, "data.points"),
        ("=a60", 3, {}, "data.points"),
        ("=A60/A11", 4, {}, "data.tricks"),
        ("a:AS a:3S", 4, {}, "data.player"),
        ("a:AS b:2S a:AS", 2, {}, "data.card"),
    ],
)
def test_impossible_event_is_refused(
    script: str, players: int, options: dict[str, Any], field: str
) -> None:
    with pytest.raises(UnusableError) as refused:
        hand(script, players, **options)
    assert refused.value.field == field


def test_outcome_of_a_contract_is_refused() -> None:
    with pytest.raises(UnusableError):
        decode("outcome_recorded", {"made": True}, GAME.by_type)


def test_words_stand_for_events() -> None:
    assert event_of("=a60,b60/a10") == (
        "points_counted", {"points": {"a": 60, "b": 60}, "tricks": {"a": 10}},
    )  # fmt: skip
