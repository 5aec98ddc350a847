"""Briscola Chiamata: its figures, its options, and what a hand scores.

Tests of ``games.briscola_chiamata.rules``, ``families.called_card.score`` and
``games.briscola_chiamata.state``.
"""

import itertools
from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.families.briscola import ALL_POINTS, PACKS
from scorekeeper.families.called_card.rules import unit_of
from scorekeeper.games.briscola_chiamata import GAME
from scorekeeper.games.briscola_chiamata.rules import BOOK, SHARES, TRICKS
from scorekeeper.log.codec import decode
from scorekeeper.play.match import Penalty
from scorekeeper.play.scoring import Basis
from tests.games import calling
from tests.games.calling import event_of, paid, scores
from tests.games.chiamata import (
    AUCTION,
    BIDDERS_TRICKS,
    CARDS,
    DEFENDERS_TRICKS,
    FULL,
    LOST,
    T1,
    T2,
    T3,
    TAKEN,
    WINNERS,
    WON,
    findings_of,
    hand,
)

# ---------------------------------------------------------------------------- payment, C8

RANK_BIDS = ("A", "3", "K", "N", "J", "7", "6", "5", "4", "2")

# The table of the source: the highest bid of a row, then bidder, bidder alone, each other.
PAYMENT_TABLE = [
    (70, 2, 4, 1),
    (80, 4, 8, 2),
    (90, 6, 12, 3),
    (100, 8, 16, 4),
    (120, 10, 20, 5),
]


def rows() -> list[tuple[str | int, int, int, int]]:
    """Yield every bid with its row of the table."""
    numbers = [
        (bid, *next(row[1:] for row in PAYMENT_TABLE if bid <= row[0])) for bid in range(62, 121)
    ]
    return [*((rank, 2, 4, 1) for rank in RANK_BIDS), *numbers]


@pytest.mark.parametrize(("bid", "bidder", "alone", "other"), rows())
def test_payment_of_every_bid(bid: str | int, bidder: int, alone: int, other: int) -> None:
    partner = bidder // 2
    for outcome, sign in (("made", 1), ("lost", -1)):
        assert scores(hand(f"b#{bid} @d {outcome}")) == {
            "b": sign * bidder, "d": sign * partner,
            "a": -sign * other, "c": -sign * other, "e": -sign * other,
        }  # fmt: skip
        assert scores(hand(f"b#{bid} @b {outcome}")) == {
            "b": sign * alone, **dict.fromkeys("acde", -sign * other)
        }  # fmt: skip


def test_the_examples_of_the_source() -> None:
    assert scores(hand("b#72 @b made")) == paid("b8 a-2 c-2 d-2 e-2")
    assert scores(hand("b#J @d made")) == paid("b2 d1 a-1 c-1 e-1")


def test_shares_add_up_to_zero() -> None:
    assert SHARES.bidder + SHARES.partner + 3 * SHARES.defender == 0
    assert SHARES.alone + 4 * SHARES.defender == 0


def test_first_line_is_the_bidders_and_the_second_the_partners() -> None:
    lines = hand("b#J @d made").result.lines
    assert [(line.side, line.points, line.rule) for line in lines] == [
        ("b", 2, "C8"), ("d", 1, "C8"), ("a", -1, "C8"), ("c", -1, "C8"), ("e", -1, "C8"),
    ]  # fmt: skip
    assert {line.events for line in lines} == {(1, 2, 3)}
    assert str(lines[0].text) == "The bid of jack was made; the bidder, 2 × 1"
    counted = hand("b#72 b+2S @b =71").result.lines
    assert str(counted[0].text) == "71 points of 72 needed: lost; the bidder alone, 4 × 2"
    assert counted[0].events == (1, 2, 3, 4)


# ------------------------------------------------------------------------ made or lost, C7


@pytest.mark.parametrize("bid", [*RANK_BIDS, 62, 70, 71, 100, 119, 120])
def test_a_contract_is_made_from_its_points_on(bid: str | int) -> None:
    need = bid if isinstance(bid, int) else 61
    won, lost = hand(f"b#{bid} @d ={need}"), hand(f"b#{bid} @d ={need - 1}")
    assert (scores(won) or {})["b"] == 2 * unit_of(bid, GAME.options(None, 5))
    assert (scores(lost) or {})["b"] == -2 * unit_of(bid, GAME.options(None, 5))
    assert won.result.taken == {"bidder": need, "defenders": 120 - need}


@pytest.mark.parametrize(("bid", "is_made"), [(92, None), (93, False)])
def test_contract_is_lost_as_soon_as_it_is_out_of_reach(bid: int, is_made: bool | None) -> None:
    assert hand(f"b#{bid} b+JC @d a:AS b:2S c:NS d:3S e:KS").contract_made() is is_made


def test_sixty_each_is_lost() -> None:
    assert scores(hand("b#2 @d =60")) == paid(LOST)


def test_sixty_each_may_be_a_draw_on_a_bid_of_rank() -> None:
    deal = hand("b#2 @d =60,60", sixty="draw")
    assert scores(deal) == {}
    assert [(line.side, line.points, line.rule) for line in deal.result.lines] == [("b", 0, "C7")]
    assert deal.result.taken == {"bidder": 60, "defenders": 60}


@pytest.mark.parametrize("script", ["b#2 @d =59", "b#62 @d =60", "b#2 @d lost"])
def test_other_results_are_no_draw(script: str) -> None:
    assert scores(hand(script, sixty="draw")) == paid(LOST)


def test_a_draw_was_not_made() -> None:
    assert findings_of("b#2 @d =60 lost", sixty="draw") == []
    assert findings_of("b#2 @d =60 made", sixty="draw") == ["count_mismatch C7 4 3"]


# --------------------------------------------------------------------------- all tricks, C9

DOUBLE_WON, DOUBLE_LOST = "b4 d2 a-2 c-2 e-2", "b-4 d-2 a2 c2 e2"


@pytest.mark.parametrize(
    ("script", "either", "bidder"),
    [
        ("=120/8", DOUBLE_WON, DOUBLE_WON),
        ("=0/0", DOUBLE_LOST, LOST),
        ("=0,120/0,8", DOUBLE_LOST, LOST),
        ("=120", WON, WON),  # the tricks are not on record
        ("=0", LOST, LOST),
        ("=110/7", WON, WON),
        (f"{BIDDERS_TRICKS} =120", DOUBLE_WON, DOUBLE_WON),
        (f"{DEFENDERS_TRICKS} =0", DOUBLE_LOST, LOST),
        (f"{BIDDERS_TRICKS} made", DOUBLE_WON, DOUBLE_WON),
        (f"{DEFENDERS_TRICKS} lost", DOUBLE_LOST, LOST),
        ("b! d! b* =120", DOUBLE_WON, DOUBLE_WON),
        ("b! b! b! =120", WON, WON),
    ],
)
def test_all_the_tricks_double_the_payment(script: str, either: str, bidder: str) -> None:
    assert scores(hand(f"b#J @d {script}")) == paid(either)
    assert scores(hand(f"b#J @d {script}", sweep="bidder")) == paid(bidder)


def test_the_tricks_on_record_are_finer_than_those_of_the_count() -> None:
    assert scores(hand("b#J @d a! b! b! b! b! b! b! b! =120/8")) == paid(WON)


def test_doubling_is_a_line_of_its_own() -> None:
    lines = hand("b#J @d =120/8").result.lines
    assert [line.rule for line in lines] == ["C8"] * 5 + ["C9"] * 5
    assert {line.events for line in lines[5:]} == {(3,)}


# ------------------------------------------------------------------------ cards and tricks, C6


@pytest.mark.parametrize("rank", ["A", "3", "K", "N", "J", "7", "6", "5", "4", "2"])
def test_card_points(rank: str) -> None:
    points = {"A": 11, "3": 10, "K": 4, "N": 3, "J": 2}.get(rank, 0)
    for pack, other in (("italian", "B"), ("french", "H")):
        card = "Q" if (rank, pack) == ("N", "french") else rank
        script = f"a#J a+J{other} @e a:{card}S b:2{other} c:4D d:5D e:6D"
        assert hand(script, pack=pack).points_at_least() == {"bidder": 0, "defenders": points}
        assert len(PACKS[pack].cards) == TRICKS * 5


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("a:AS b:3S c:KS d:NS e:JS", "a"),
        ("a:2S b:4S c:5S d:6S e:7S", "e"),
        ("a:2S b:AD c:AB d:3D e:3B", "a"),  # nobody follows, nobody trumps
        ("a:AS b:2C c:3S d:KS e:7B", "b"),
        ("a:AS b:2C c:4C d:3C e:KC", "d"),
        ("a:2C b:AS c:AD d:AB e:3S", "a"),
        ("a:JS b:NS c:7S d:AD e:KS", "e"),
    ],
)
def test_winner_of_a_trick_with_cups_as_trump(trick: str, winner: str) -> None:
    assert [won.player for won in hand(f"a#J a+JC {trick}").won] == [winner]


@pytest.mark.parametrize(("high", "low"), list(itertools.pairwise("A3KNJ76")))
def test_the_order_of_a_suit(high: str, low: str) -> None:
    for suit in "SC":
        deal = hand(f"a#J a+JC a:{low}{suit} b:{high}{suit} c:2{suit} d:4{suit} e:5{suit}")
        assert deal.won[0].player == "b"


def test_a_hand_scored_by_its_cards() -> None:
    deal = hand(FULL)
    assert [won.player for won in deal.won] == [word[0] for word in WINNERS.split()]
    assert deal.result.basis is Basis.CARDS
    assert deal.result.taken == TAKEN
    assert scores(deal) == paid(WON)
    assert calling.findings_of(GAME, deal) == []
    assert calling.open_checks(GAME, deal) == set()
    assert deal.level == "cards"


def test_a_call_recorded_after_the_cards_makes_trump_all_the_same() -> None:
    assert scores(hand(f"{CARDS} b+JC {AUCTION}")) == paid(WON)


def test_claimer_of_the_rest_gets_all_its_points() -> None:
    deal = hand(f"{AUCTION} b+JC @d {T1} {T2} {T3} d:3B b*")
    assert deal.result.taken == {"bidder": 118, "defenders": 2}
    assert deal.result.basis is Basis.TRICKS
    assert hand(f"{AUCTION} b+JC {T1} b*").result.complete is False  # the partner is not known


# ------------------------------------------------------------------------------- unusable


@pytest.mark.parametrize("bid", [60, 121, 0, -5, "1", "10", "8", "", "PASS", "a", True, None, 62.5])
def test_a_bid_outside_any_range_is_unusable(bid: Any) -> None:
    with pytest.raises(UnusableError) as refused:
        decode("bid_made", {"player": "a", "bid": bid}, GAME.by_type)
    assert refused.value.field == "data.bid"


@pytest.mark.parametrize(("pack", "rank"), [("italian", "Q"), ("french", "N")])
def test_a_rank_of_the_other_pack_is_unusable(pack: str, rank: str) -> None:
    with pytest.raises(
        UnusableError, match=f'a rank of the {pack} pack .* got "{rank}"'
    ) as refused:
        hand(f"a#{rank}", pack=pack)
    assert refused.value.field == "data.bid"
    assert hand(f"a#{'N' if rank == 'Q' else 'Q'}", pack=pack).bidder == "a"


@pytest.mark.parametrize(
    "script",
    ["a#J =121", "a#J =50/9", "a:AS a:AS", "a:AS a:2S", "a:AS b:2S c:3S d:4S e:5S a:AS"],
)
def test_impossible_event_of_a_hand_is_refused(script: str) -> None:
    with pytest.raises(UnusableError):
        hand(script)


def test_a_count_without_a_party_is_unusable() -> None:
    deal = hand("a#J")
    event = decode("points_counted", {"points": {}}, GAME.by_type)
    with pytest.raises(UnusableError, match="nothing came for bidder, defenders"):
        GAME.refuse_event(deal, event)


def test_the_events_of_the_game() -> None:
    assert set(GAME.by_type) >= {event_of(word)[0] for word in ("a#J", "a+JC", "@a", "made", "=1")}
    assert "monte_taken" not in GAME.by_type


# ------------------------------------------------------------------------------ matches, C10


def after(*results: tuple[str, str], **options: Any) -> Any:
    """Return the standing after hands, each with penalties like ``b3`` before its end."""
    settled = GAME.options(options, 5)
    standing = GAME.course.start("abcde", settled)
    for script, penalties in results:
        before = tuple(Penalty(1, side, points) for side, points in paid(penalties).items())
        standing = GAME.course.add(standing, hand(script, **options).result, settled, before, ())
    return standing


def test_a_match_goes_on_until_it_is_ended() -> None:
    standing = after(*[("b#110 @b made", "")] * 9)
    assert (standing.totals["b"], standing.over) == (180, False)


def test_a_match_to_a_target() -> None:
    won, lost = ("b#J @d made", ""), ("b#J @d lost", "")
    assert not after(won, match_end={"target": 3}).over
    assert after(won, won, match_end={"target": 3}).over
    assert not after(lost, match_end={"target": 1}).over  # a, c, e have 1 each: play on
    assert after(lost, ("a#J @b made", ""), match_end={"target": 1}).over
    # A penalty ends nothing by itself; the next complete hand does (G7).
    standing = GAME.course.penalize(after(match_end={"target": 3}), Penalty(1, "c", 9))
    assert (standing.totals["c"], standing.over) == (9, False)
    assert after(("b#J @d made", "c9"), match_end={"target": 3}).over


def test_match_of_a_number_of_complete_hands() -> None:
    won, passed_out = ("b#J @d made", ""), ("a#- b#- c#- d#- e#-", "")
    assert not after(won, passed_out, match_end={"hands": 2}).over
    standing = after(won, passed_out, won, match_end={"hands": 2})
    assert (standing.over, standing.hands) == (True, 2)
    assert after(("b#2 @d =60", ""), sixty="draw", match_end={"hands": 1}).over


@pytest.mark.parametrize(
    "options",
    [{"sixty": "win"}, {"sweep": "none"}, {"match_end": {"hands": 0}}, {"pack": "tarot"},
     {"match_end": 5}, {"hands": 4}],
)  # fmt: skip
def test_unknown_options_are_unusable(options: dict[str, Any]) -> None:
    with pytest.raises(UnusableError):
        GAME.options(options, 5)


# ------------------------------------------------------------------------------- the rule book


def test_every_check_and_line_cites_a_clause() -> None:
    clauses = {clause.id for clause in BOOK.clauses}
    assert clauses == {f"C{n}" for n in range(1, 11)}
    assert {check.rule for check in GAME.checks} <= clauses
    assert {option.clause for option in BOOK.options} <= clauses
    assert {clause.status for clause in BOOK.clauses} <= {"source", "found", "ruling"}


def test_points_of_the_parties_make_all_points() -> None:
    assert sum(TAKEN.values()) == ALL_POINTS
