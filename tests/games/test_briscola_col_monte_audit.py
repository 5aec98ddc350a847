"""Briscola col Monte: the partner, the monte, and what is found in a hand.

Tests of ``games.briscola_col_monte.events`` and ``games.briscola_col_monte.state``.
"""

import pytest

from scorekeeper.games.briscola_col_monte import GAME
from tests.games import calling
from tests.games.calling import paid, scores
from tests.games.monte import ALONE_WON, HIS_OWN, LAID, NEVER, WON, findings_of, hand

# ------------------------------------------------------------------------ the partner, M3, M5


@pytest.mark.parametrize(
    ("script", "partner"),
    [
        ("b+AC @d", "d"),
        ("b+AC @b", "b"),
        ("b+AC c:AC", "c"),
        ("b+AC b:AC", "b"),
        ("b+AC c:AC @d", "c"),
        ("b+AC b%", "c"),  # the neighbour
        ("b%", "c"),
        ("b+AC b% b:AC", "c"),
        ("b+AC b:AC b%", "b"),  # too late
        ("b+AC b!1 b% @d", "d"),
        ("b+AC d%", None),  # another's showing has no effect
        ("b+AC d% b%", "c"),
        ("b+AC b% d:AC", "d"),  # the holder
        ("b+AC b% @d", "c"),  # the act decides
        ("b+AC b% b_AC,2S,4S,2D,4D", "c"),  # stays partner
        ("b+AC b_AC,2S,4S,2D,4D", "b"),
        ("b+AC b_AC,2S,4S,2D,4D @d", "b"),
        ("b+AC d_AC,2S,4S,2D,4D", None),  # not the bidder's
        ("b+AC b:AC @c", "c"),  # the neighbour: then it was shown
        ("b+AC b:AC @d", "b"),
        ("b+AC b:AC b% @c", "b"),  # it was shown too late
        (f"b+AC {NEVER}", "b"),
        (f"b+AC {NEVER} @d", "b"),
        (f"b+AC {NEVER} @c", "b"),
        (f"b+AC b% {NEVER}", "c"),
        (f"b+AC {HIS_OWN}", "b"),
        (f"b+AC {HIS_OWN} @c", "c"),
        ("b+AC", None),
        ("b+AC b^AC,2S,4S,2D,4D", None),
    ],
)
def test_partner_of_a_record(script: str, partner: str | None) -> None:
    deal = hand(f"b#70 {script}")
    assert (deal.partner.player if deal.partner else None) == partner


def test_neighbour_is_the_next_active_player() -> None:
    assert hand("f#70 f+AC f%", 7).partner == ("a", (2, 3))
    assert hand("e#70 e+AC e%").partner == ("a", (2, 3))


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("b+AC c:AC @d", ["wrong_partner M3 4 2 3"]),
        ("b+AC b% @d", ["wrong_partner M3 4 2 3"]),
        ("b+AC b% @c", []),
        ("b+AC @c", []),
        ("b+AC b_AC,2S,4S,2D,4D @d", ["wrong_partner M3 4 2 3"]),
        ("b+AC @d c?AC", ["wrong_partner M3 3 4"]),
        ("b+AC @c b?AC", []),
        ("b+AC @b b?AC", []),
        ("b+AC @d b?AC", ["wrong_partner M3 3 4"]),
    ],
)
def test_wrong_partner_is_found(script: str, findings: list[str]) -> None:
    assert [
        finding for finding in findings_of(f"b#70 {script}") if "wrong_partner" in finding
    ] == findings


def test_revealed_partner_is_compared_with_all_cards() -> None:
    silent = hand(f"b#64 b+AC {NEVER} @d")
    assert calling.findings_of(GAME, silent) == ["wrong_partner M3 38 2"]
    assert scores(silent) == paid(ALONE_WON)
    shown = hand(f"b#70 b+AC {HIS_OWN} @c")
    assert calling.findings_of(GAME, shown) == []
    assert scores(shown) == paid(WON)


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("b+AC b% b:AC", []),
        ("b+AC b%", []),
        ("b+AC b% b:2C c:AC", ["false_call M5 3 2 5"]),
        ("b+AC d%", ["bad_call M5 3 1"]),
        ("b+AC d% b% b:AC", ["bad_call M5 3 1"]),
        ("b+AC b:AS b%", ["bad_call M5 4 3"]),
        ("b+AC b! b%", ["bad_call M5 4 3"]),
        ("b+AC b% b%", ["bad_call M5 4 3"]),
        ("b+AC b+AD", ["bad_call M3 3 2"]),
        ("c+AC b+AD", ["bad_call M3 2 1"]),
        ("b+AC b% b_AC,2S,4S,2D,4D", ["bad_discard M5 4 2 3"]),
        ("b+AC b% b_2C,2S,4S,2D,4D", []),
        ("b+AC b_AC,2S,4S,2D,4D", []),
    ],
)
def test_showing_the_named_card(script: str, findings: list[str]) -> None:
    assert findings_of(f"b#70 {script}") == findings


def test_without_a_bid_no_player_lacks_the_right_to_act() -> None:
    assert findings_of("b+AC b% c^ d_") == []
    assert hand("b+AC b%").partner is None


def test_named_card_shown_and_provably_laid_away_is_found() -> None:
    assert findings_of(f"b#70 b+AC b% {NEVER}") == ["bad_discard M5 3 2"]
    assert findings_of(f"b#70 b+AC b% b_ {NEVER}") == ["bad_discard M5 4 2 3"]
    assert scores(hand(f"b#70 b+AC b% {NEVER}")) == paid(WON)


# --------------------------------------------------------------------------- acts that come late


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("b#70 c! b+AC", ["out_of_time M3 3 2"]),
        ("b#70 c! b^", ["out_of_time M3 3 2"]),
        ("b#70 =75 b^", ["out_of_time M3 3 2"]),
        ("b#70 b* b+AC", ["out_of_time M3 3 2"]),
        ("b#70 b+AC b^ b_ c!", []),
        ("b#70 b+AC b^ c! b_", []),  # a lay-away may be recorded after the play
        ("b#70 b+AC c! c^", ["not_declarer M3 4 1"]),
        ("b#70 b+AC c! c+3C", ["bad_call M3 4 1"]),
        ("b#70 b+AC c! @c", []),
    ],
)
def test_the_call_and_the_monte_come_before_the_play(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


# ------------------------------------------------------------------------ monte and lay-away, M3


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("b^ b_", []),
        ("b^2S,4S,2D,4D,JB b_2S,4S,2D,4D,JB", []),
        ("c^ b_", ["not_declarer M3 3 1"]),
        ("b^ c_", ["not_declarer M3 4 1"]),
        ("b^2S,4S", ["bad_deal M1 3"]),
        ("b_2S,4S,2D,4D", ["bad_discard M3 3"]),
        ("b_2S,4S,2D,4D,JB,5S", ["bad_discard M3 3"]),
        ("b_", []),
        ("b_2S,4S,2D,4D,JB b:2S", ["bad_discard M3 3 4"]),
        ("b_2S,4S,2D,4D,JB b:5S c:4S", ["bad_discard M3 3 5"]),
        ("b_2S,4S,2D,4D,JB b_2S,4S,2D,4D,5B", ["bad_discard M3 4 3"]),
        ("b_ b_2S,4S,2D,4D,JB", []),  # first without its cards
        ("b^2S,4S,2D,4D,JB b:2S", []),
        ("b^2S,4S,2D,4D,JB b:5S c:2S", ["shown_mismatch M3 3 5"]),
        ("b^2S,4S,2D,4D,JB b^2S,4S,2D,4D,KB", ["bad_deal M1 4 3"]),
        ("b^ b^2S,4S,2D,4D,JB", []),
    ],
)
def test_monte_and_lay_away(script: str, findings: list[str]) -> None:
    assert findings_of(f"b#70 b+AC {script}") == findings


def test_four_cards_with_six_players() -> None:
    assert findings_of("b#70 b+AC b^2S,4S,2D,4D b_2S,4S,2D,4D", 6) == []
    assert findings_of("b#70 b+AC b_2S,4S,2D,4D,JB", 6) == ["bad_discard M3 3"]


def test_undecided_checks_of_a_record() -> None:
    assert calling.open_checks(GAME, hand("b#70 @c =80")) == {
        "the auction", "who the partner was", "the cards laid away", "the order of play",
        "the winners of the tricks", "the count",
    }  # fmt: skip
    laid = hand(f"b#70 b_{LAID} @c =80")
    assert "the cards laid away" not in calling.open_checks(GAME, laid)
