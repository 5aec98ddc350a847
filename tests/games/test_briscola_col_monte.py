"""Briscola col Monte: its figures, its options, and what a hand scores.

Tests of ``games.briscola_col_monte.rules``.
"""

import itertools
from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.families.called_card.rules import unit_of
from scorekeeper.games.briscola_col_monte import GAME
from scorekeeper.games.briscola_col_monte.rules import BOOK, HAND_SIZE, SHARES
from scorekeeper.log.codec import decode
from scorekeeper.play.scoring import Basis
from tests.games import calling
from tests.games.calling import paid, scores, table
from tests.games.monte import (
    AUCTION,
    CARDS,
    LAID,
    NEVER,
    SIX,
    T1,
    T2,
    T3,
    T4,
    T5,
    T6,
    T7,
    TAKEN,
    WON,
    findings_of,
    hand,
)

# ------------------------------------------------------------------------- the deal, M1 and M4


@pytest.mark.parametrize(("players", "tricks", "monte"), [(5, 7, 5), (6, 6, 4)])
def test_cards_tricks_and_monte(players: int, tricks: int, monte: int) -> None:
    assert HAND_SIZE[players] == (tricks, monte)
    assert players * tricks + monte == 40


def test_with_seven_seats_the_dealer_sits_out() -> None:
    assert table(GAME, 7).players == tuple("abcdef")
    assert GAME.players(tuple("abcdefg"), "c") == tuple("defgab")
    assert table(GAME, 6).players == tuple("abcdef")
    assert GAME.players(tuple("abcdef"), "c") == tuple("defabc")
    assert scores(hand("b#70 @c made", 7)) == paid("b2 c2 a-1 d-1 e-1 f-1")
    assert hand("a#- b#- c#- d#- e#- f#-", 7).result.abandoned
    assert not hand("a#- b#- c#- d#- e#-", 7).result.abandoned


# ---------------------------------------------------------------------- payment, M8 to M10


@pytest.mark.parametrize("bid", range(61, 121))
def test_payment_of_every_bid(bid: int) -> None:
    unit = 1 if bid <= 90 else 2
    for outcome, sign in (("made", 1), ("lost", -1)):
        units = sign * unit
        assert scores(hand(f"b#{bid} @c {outcome}")) == {
            "b": 2 * units, "c": units, **dict.fromkeys("ade", -units)
        }  # fmt: skip
        assert scores(hand(f"b#{bid} @b {outcome}")) == {
            "b": 4 * units, **dict.fromkeys("acde", -units)
        }  # fmt: skip
        assert scores(hand(f"b#{bid} @c {outcome}", 6)) == {
            "b": 2 * units, "c": 2 * units, **dict.fromkeys("adef", -units)
        }  # fmt: skip
        assert scores(hand(f"b#{bid} @b {outcome}", 6)) == {
            "b": 5 * units, **dict.fromkeys("acdef", -units)
        }  # fmt: skip


# The gain or loss of the bidder and of another player in the source, by bid and all 120 points.
@pytest.mark.parametrize(
    ("bid", "points", "bidder", "other", "alone"),
    [(90, 119, 2, 1, 4), (90, 120, 4, 2, 8), (91, 119, 4, 2, 8), (91, 120, 8, 4, 16)],
)
def test_the_payment_of_the_source(
    bid: int, points: int, bidder: int, other: int, alone: int
) -> None:
    with_partner = scores(hand(f"b#{bid} @c ={points}")) or {}
    assert (with_partner["b"], with_partner["c"], with_partner["a"]) == (bidder, other, -other)
    assert (scores(hand(f"b#{bid} @b ={points}")) or {})["b"] == alone
    six = scores(hand(f"b#{bid} @c ={points}", 6)) or {}
    assert (six["b"], six["c"], six["a"]) == (bidder, bidder, -other)


@pytest.mark.parametrize("players", [5, 6])
def test_shares_add_up_to_zero(players: int) -> None:
    shares = SHARES[players]
    assert shares.bidder + shares.partner + (players - 2) * shares.defender == 0
    assert shares.alone + (players - 1) * shares.defender == 0


def test_the_clauses_of_the_lines() -> None:
    assert [line.rule for line in hand("b#70 @c =119").result.lines] == ["M9"] * 5
    assert [line.rule for line in hand("b#70 @c =120").result.lines] == ["M9"] * 5 + ["M8"] * 5
    assert [line.rule for line in hand("b#70 @c =120", 6).result.lines] == ["M10"] * 6 + ["M8"] * 6


@pytest.mark.parametrize(
    "script",
    [
        "=0",  # the defenders' 120 double nothing
        "lost",
        "b! b! b! b! b! b! b! lost",
    ],
)
def test_a_lost_hand_is_never_doubled(script: str) -> None:
    assert scores(hand(f"b#70 @c {script}")) == paid("b-2 c-1 a1 d1 e1")


@pytest.mark.parametrize("script", ["made", "b! c! b! b! b! b! b! made", "=119/7,0"])
def test_all_120_must_be_on_record_to_double(script: str) -> None:
    assert scores(hand(f"b#70 @c {script}")) == paid(WON)


@pytest.mark.parametrize("bid", [61, 70, 90, 91, 120])
def test_a_contract_is_made_with_the_points_bid(bid: int) -> None:
    assert (scores(hand(f"b#{bid} @c ={bid}")) or {})["b"] > 0
    assert (scores(hand(f"b#{bid} @c ={bid - 1}")) or {})["b"] == -2 * unit_of(
        bid, GAME.options(None, 5)
    )


# -------------------------------------------------------------- tricks and the lay-away, M4, M6


@pytest.mark.parametrize("between", ["", "b^ b_", f"b^2S,3C,JB,6B,4D b_{LAID}"])
def test_a_hand_scored_by_its_cards(between: str) -> None:
    deal = hand(f"{AUCTION} b+AC {between} {CARDS}")
    assert [won.player for won in deal.won] == list("bcbccba")
    assert (deal.result.basis, deal.result.taken) == (Basis.CARDS, TAKEN)
    assert scores(deal) == paid(WON)
    assert calling.findings_of(GAME, deal) == []
    assert calling.open_checks(GAME, deal) == set()


def test_lay_away_may_be_recorded_after_the_play() -> None:
    deal = hand(f"{AUCTION} b+AC b_ {CARDS} b_{LAID}")
    assert (scores(deal), deal.result.taken) == (paid(WON), TAKEN)
    assert calling.findings_of(GAME, deal) == []


def test_cards_that_were_not_played_are_the_lay_away() -> None:
    deal = hand(f"{AUCTION} b+AC b_AS,2S,4S,2D,4D {CARDS}")
    assert deal.result.taken == TAKEN
    assert calling.findings_of(GAME, deal) == ["bad_discard M3 10 11"]


def test_six_players_and_one_alone() -> None:
    deal = hand(f"b#91 b+3B {SIX}", 6)
    assert deal.result.taken == {"bidder": 99, "defenders": 21}
    assert scores(deal) == paid("b10 a-2 c-2 d-2 e-2 f-2")
    assert calling.findings_of(GAME, deal) == []


def test_winner_of_the_last_trick_gets_the_lay_away() -> None:
    for last, bidders in (("b:KC c:7B d:NB e:NC a:6B", 120), (T7, 108)):
        deal = hand(f"b#70 b+AC {T1} {T2} {T3} {T4} {T5} {T6} {last}")
        assert deal.result.taken == {"bidder": bidders, "defenders": 120 - bidders}
    assert scores(
        hand(f"b#70 b+AC {T1} {T2} {T3} {T4} {T5} {T6} b:KC c:7B d:NB e:NC a:6B")
    ) == paid("b4 c2 a-2 d-2 e-2")


def test_claimer_of_the_rest_gets_all_other_points() -> None:
    deal = hand(f"b#70 b+AC @c {T1} {T2} c*")
    assert deal.result.taken == {"bidder": 120, "defenders": 0}
    assert scores(deal) == paid("b4 c2 a-2 d-2 e-2")
    assert hand(f"b#70 b+AC @c {T1} {T2} d*").result.taken == {"bidder": 30, "defenders": 90}


@pytest.mark.parametrize(
    ("script", "finding"),
    [
        ("b#70 b+AC a:JS b:AS", "out_of_turn M6 3"),
        (f"b#70 b+AC {T1} d!", "wrong_winner M6 8 3 4 5 6 7"),
        ("b#70 b+AC @c b! b! b! b! b! b! b! b!", "too_many M6 11"),
        (f"b#70 b+AC {T1} b:KS c:AS", "duplicate_card M6 9 3"),
        ("b#70 @c =70,49", "total_mismatch M6 3"),
        (f"b#70 b+AC {CARDS} =108/5", f"count_mismatch M7 38 {' '.join(map(str, range(3, 38)))}"),
        ("b#70 @c =70 lost", "count_mismatch M7 4 3"),
        ("b#70 @c =70 $b4", "claim_mismatch M8 4 1 2 3"),
        ("b#70 b+AC b:AS b?AS", "shown_mismatch M6 4 3"),
    ],
)
def test_play_and_counts(script: str, finding: str) -> None:
    assert finding in findings_of(script)


def test_a_count_of_seven_tricks_or_six() -> None:
    assert findings_of("b#70 @c =70/7") == ["count_mismatch M6 3"]  # 50 points without a trick
    assert findings_of("b#70 @c =70/4,3") == []
    assert findings_of("b#70 @c =70/4,3", 6) == ["total_mismatch M6 3"]
    with pytest.raises(UnusableError):
        hand("b#70 @c =70/7", 6)


# ----------------------------------------------------------------------------- the auction, M2


def test_bids_are_points_and_rise() -> None:
    for low, high in itertools.pairwise(range(61, 121)):
        assert findings_of(f"a#{low} b#{high}") == []
        assert findings_of(f"a#{low} b#{low}") == ["bad_bid M2 2 1"]
        assert findings_of(f"a#{high} b#{low}") == ["bad_bid M2 2 1"]
    assert hand("a#61 b#70 c#65").bidder == "b"


@pytest.mark.parametrize("bid", [60, 121, "A", "2", "K", "N", 0, -61])
def test_a_bid_outside_any_range_is_unusable(bid: Any) -> None:
    with pytest.raises(UnusableError) as refused:
        decode("bid_made", {"player": "a", "bid": bid}, GAME.by_type)
    assert refused.value.field == "data.bid"


@pytest.mark.parametrize("options", [{}, {"call_time": "suit_then_card"}])
def test_suit_is_refused_unless_named_before_the_card(
    options: dict[str, Any],
) -> None:
    deal = hand("a#61", **options)
    for suit in ("X", *(() if options else ("S",))):
        with pytest.raises(UnusableError) as refused:
            GAME.refuse_event(
                deal, decode("card_called", {"player": "a", "suit": suit}, GAME.by_type)
            )
        assert refused.value.field == "data.suit"


@pytest.mark.parametrize(
    ("bids", "findings"),
    [
        ("a#61 c#62 b#63 d#- e#- a#- c#- ", ["out_of_turn M2 2 3"]),
        ("a#61 b#- b#62", ["bad_bid M2 3 2"]),
        ("a#61 b#- c#- d#- e#- a#62", ["bad_bid M2 6 1"]),
        ("c#70", []),
    ],
)
def test_irregular_auctions_have_findings(bids: str, findings: list[str]) -> None:
    assert findings_of(bids) == findings


def test_all_passed() -> None:
    assert hand("a#- b#- c#- d#- e#-").result.abandoned
    assert not hand("a#- b#- c#- d#- e#-", 6).result.abandoned
    assert hand("a#61 x").result.abandoned


# --------------------------------------------------------------- complete, and by which record


@pytest.mark.parametrize(
    ("script", "basis"),
    [
        ("b#70 @c =65", Basis.COUNT),
        ("b#70 @c made", Basis.OUTCOME),
        ("b#70 b% =80", Basis.COUNT),
        (f"b#70 b+AC {CARDS}", Basis.CARDS),
        (f"b#70 b+AC {NEVER}", Basis.CARDS),
        (f"b#70 b+AC {T1} {T2} c* @c", Basis.TRICKS),
        ("b#70 =65", None),
        ("@c =65", None),
        ("b#70 @c b! b! b! b! b! b! b!", None),
        (f"b#70 @c {CARDS}", None),  # no trump
        ("b#70 @c =65,54 made", None),
    ],
)
def test_finest_sufficient_record_scores(script: str, basis: Basis | None) -> None:
    assert hand(script).result.basis is basis


def test_every_check_cites_a_clause() -> None:
    clauses = {clause.id for clause in BOOK.clauses}
    assert clauses == {f"M{n}" for n in range(1, 12)}
    assert {check.rule for check in GAME.checks} <= clauses
    assert {option.clause for option in BOOK.options} <= clauses
