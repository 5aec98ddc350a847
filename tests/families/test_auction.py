"""The auction of Briscola Chiamata, the call and the partner.

Tests of ``families.contracts.auction`` and ``families.called_card.state``.
"""

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorekeeper.families.called_card.course import Doubling
from scorekeeper.games.briscola_chiamata import GAME
from scorekeeper.play.scoring import Result
from tests.games import calling
from tests.games.calling import paid, scores, table
from tests.games.chiamata import (
    WON,
    findings_of,
    hand,
)

# ---------------------------------------------------------------------- the auction, C1 and C2


@pytest.mark.parametrize("pack", ["italian", "french"])
def test_each_bid_is_higher_than_those_before_it(pack: str) -> None:
    ladder = ["A", "3", "K", "N" if pack == "italian" else "Q", "J", "7", "6", "5", "4", "2",
              *range(62, 121)]  # fmt: skip
    for low, high in itertools.pairwise(ladder):
        assert findings_of(f"a#{low} b#{high}", pack=pack) == []
        assert findings_of(f"a#{low} b#{low}", pack=pack) == ["bad_bid C2 2 1"]
        assert findings_of(f"a#{high} b#{low}", pack=pack) == ["bad_bid C2 2 1"]


@pytest.mark.parametrize(
    ("bids", "bidder", "bid"),
    [
        ("b#J", "b", "J"),
        ("a#A b#62", "b", 62),
        ("a#A b#62 c#2", "b", 62),  # too low: no effect
        ("a#A b#A", "a", "A"),
        ("b#3 a#A", "b", "3"),  # out of turn counts; eldest's is then too low
        ("a#- b#3 a#62", "b", "3"),  # after a pass: no effect
        ("a#A b#- c#- d#- e#- a#3", "a", "A"),  # after the end: no effect
        ("a#- b#- c#- d#- e#A", "e", "A"),  # the last may still bid
        ("a#120 b#-", "a", 120),
        ("a#A b#3 a#- b#- c#- d#- e#-", "b", "3"),  # a pass by the highest changes nothing
        ("a#-", None, None),
        ("", None, None),
    ],
)
def test_bidder_and_highest_bid(bids: str, bidder: str | None, bid: str | int | None) -> None:
    deal = hand(bids)
    assert deal.bidder == bidder
    assert (deal.bid.event.bid if deal.bid else None) == bid


@pytest.mark.parametrize(
    "bids",
    [
        "a#A b#3 c#K d#- e#- a#- b#J c#-",
        "a#- b#- c#- d#- e#-",
        "a#- b#- c#- d#- e#120",
        "a#120",
        "a#120 c#- b#-",  # over: no turns any more
        "b#70",  # the winning bid alone
        "a#70",
        "b#70 c#80",  # eldest's first bid is missing
        "d#70 a#80",  # it may be missing: other seats are
        "c#70 d#- e#- a#- b#-",  # it may be missing: the last round is all there is
        "c#120 a#- b#- d#- e#-",
        "a#A c#3 e#K c#J",  # the passes are not on record
        "a#A b#3 b#-",  # c, d, e, a are not on record
        "a#A b#A b#3 c#- d#- e#- a#-",  # too low, and put right at once
        "a#A b#- c#- d#- e#- a#-",  # the winner bids or passes again
    ],
)
def test_no_bid_out_of_turn(bids: str) -> None:
    assert [finding for finding in findings_of(bids) if finding.startswith("out_of_turn")] == []


@pytest.mark.parametrize(
    ("bids", "finding"),
    [
        ("b#A a#3 c#- d#- e#- b#-", "out_of_turn C1 1 2"),
        ("a#A c#3 b#K d#- e#- a#- c#- b#-", "out_of_turn C1 2 3"),
        ("a#A b#3 a#K c#- d#- e#- b#-", "out_of_turn C1 3 4"),
        ("a#A b#- c#- e#- d#- ", "out_of_turn C1 4 5"),
        ("a#A a#3 b#- c#- d#- e#-", "out_of_turn C1 2 3"),
        ("a#- c#120 b#-", "out_of_turn C1 2 3"),
        ("b#- a#- c#- d#- e#-", "out_of_turn C1 1 2"),
    ],
)
def test_a_bid_or_a_pass_out_of_turn(bids: str, finding: str) -> None:
    assert findings_of(bids) == [finding]


def test_player_may_bid_in_turn_after_a_bid_out_of_turn() -> None:
    assert findings_of("a#A c#3 b#K c#J d#- e#- a#- b#- c#-") == ["out_of_turn C1 2 3"]


@pytest.mark.parametrize(
    ("bids", "findings"),
    [
        ("a#A b#- b#3", ["bad_bid C1 3 2"]),
        ("a#A b#- b#-", ["bad_bid C1 3 2"]),
        ("a#3 b#- b#A", ["bad_bid C1 3 2"]),  # too low as well: one finding
        ("a#A b#- c#- d#- e#- a#3", ["bad_bid C1 6 1"]),
        ("a#120 b#110", ["bad_bid C2 2 1"]),
        ("a#120 b#-", []),
    ],
)
def test_bids_that_break_the_rules(bids: str, findings: list[str]) -> None:
    assert findings_of(bids) == findings


def test_five_passes_abandon_the_hand() -> None:
    deal = hand("a#- b#- c#- d#- e#-")
    assert deal.result == Result(abandoned=True, marks=Doubling("all_passed", (1, 2, 3, 4, 5)))
    assert hand("a#- b#- c#- d#-").result == Result()
    assert hand("a#- b#- c#- d#- a#- a#70").result == Result()
    assert hand("a#- b#- c#- d#- e#- a#70 @b =80").result.abandoned  # no bid after a pass
    assert not hand("a#70 b#- c#- d#- e#- a#- @b =80").result.abandoned
    assert hand("a#70 x @b =80").result.abandoned


def test_with_six_seats_the_dealer_sits_out() -> None:
    six = table(GAME, 6)
    assert (six.seats, six.players) == (tuple("abcdef"), tuple("abcde"))
    assert GAME.players(tuple("abcdef"), "c") == tuple("defab")
    assert table(GAME, 5).players == tuple("abcde")
    assert scores(hand("b#J @d made", 6)) == paid(WON)
    assert hand("a#- b#- c#- d#- e#-", 6).result.abandoned
    assert calling.play(GAME, "b#J @d made", 6).result.lines[-1].side == "e"


# ----------------------------------------------------------------------------- the call, C4


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("b#J b+JC", []),
        ("b#J b+NC", ["bad_call C4 2 1"]),
        ("b#2 b+2C", []),
        ("b#2 b+5C", []),
        ("b#70 b+5C", []),
        ("b#J c+JC", ["bad_call C4 2 1"]),
        ("b#J c+JS b+JC", ["bad_call C4 2 1"]),
        ("b#J b+JC b+JS", ["bad_call C4 3 2"]),
        ("c+JS", []),  # the bidder is not on record
    ],
)
def test_calls_that_break_the_rules(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


def test_valid_call() -> None:
    assert hand("b#J c+JS b+JC b+JD").trump == "C"
    assert hand("b#J b+NC").trump == "C"  # of another rank: the table played by it
    assert hand("b#J c+JS").trump is None
    assert hand("c+JS b+JC").trump == "S"


@pytest.mark.parametrize("bid", ["2", "62", "120"])
@pytest.mark.parametrize(
    ("played", "faulty"),
    [
        ("c:4C", True),  # a lower trump in another hand
        ("c:2C", True),
        ("b:5C", True),  # the bidder holds the called card
        ("c?4C", True),
        ("b?5C", True),
        ("b:4C c:5C d:2S e:2B a:2D b:2C", False),
        ("c:6C", False),  # higher
        ("b:6C", False),
        ("c:4S", False),  # another suit
    ],
)
def test_call_of_a_card_above_the_lowest_missing_trump_is_found(
    bid: str, played: str, *, faulty: bool
) -> None:
    findings = [
        finding for finding in findings_of(f"b#{bid} b+5C {played}") if "false_call" in finding
    ]
    assert findings == (["false_call C4 2 3"] if faulty else [])


@pytest.mark.parametrize("script", ["b#2 b+2C b:2C", "b#70 b+2C a:2C", "b#5 b+5C c:4C",
                                    "b#5 b+5C b:5C c:2C"])  # fmt: skip
def test_call_without_proof_is_not_accused(script: str) -> None:
    assert [finding for finding in findings_of(script) if "false_call" in finding] == []


# --------------------------------------------------------------------------- the partner, C5


@pytest.mark.parametrize(
    ("script", "partner"),
    [
        ("b#J @d", "d"),
        ("b#J @b", "b"),
        ("b#J b+JC d:JC", "d"),
        ("b#J b+JC b:JC", "b"),
        ("b#J b+JC d:JC @c", "d"),  # the cards decide
        ("b#J b+JC @c", "c"),
        ("b#J @c @d", "d"),  # the last word
        ("b#J b+JC", None),
        ("b#J b+JC d?JC", None),  # shown is not played
        ("b#J c+JC d:JC", None),  # nobody called who may
    ],
)
def test_partner_of_a_record(script: str, partner: str | None) -> None:
    deal = hand(script)
    assert (deal.partner.player if deal.partner else None) == partner


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("b#J b+JC d:JC @d", []),
        ("b#J b+JC @c d:JC", ["wrong_partner C5 3 2 4"]),
        ("b#J b+JC d:JC @c @e", ["wrong_partner C5 4 2 3", "wrong_partner C5 5 2 3"]),
        ("b#J b+JC b:JC @c", ["wrong_partner C5 4 2 3"]),
        ("b#J b+JC d:JC @b", ["wrong_partner C5 4 2 3"]),
        ("b#J @c @d", ["wrong_partner C5 2 3"]),
        ("b#J @c @c", []),
        ("b#J b+JC d?JC,AS @c", ["wrong_partner C5 4 3"]),
        ("b#J b+JC d?JC @d", []),
        ("b#J b+JC d?AS @c", []),
    ],
)
def test_wrong_partner_is_found(script: str, findings: list[str]) -> None:
    assert [finding for finding in findings_of(script) if "wrong_partner" in finding] == findings


# --------------------------------------------------------------------------- any auction at all

LADDER = ["A", "3", "K", "N", "J", "7", "6", "5", "4", "2", *range(62, 121)]


@st.composite
def auctions(draw: st.DrawFn) -> list[str]:
    """Return the words of a random auction that keeps the rules (C1, C2)."""
    still_in, words = list("abcde"), []
    next_bid, bidder = 0, ""
    while still_in and still_in != [bidder] and next_bid < len(LADDER):
        player = still_in.pop(0)
        if draw(st.booleans()):
            bid = draw(st.integers(next_bid, len(LADDER) - 1))
            words.append(f"{player}#{LADDER[bid]}")
            next_bid, bidder = bid + 1, player
            still_in.append(player)
        else:
            words.append(f"{player}#-")
    return words


@given(words=auctions())
def test_an_auction_that_keeps_the_rules(words: list[str]) -> None:
    deal = hand(" ".join(words))
    bids = [word for word in words if not word.endswith("-")]
    assert calling.findings_of(GAME, deal) == []
    assert (deal.bidder or "") == (bids[-1][0] if bids else "")
    assert deal.auction.over
    assert deal.auction.all_passed is (bids == [])
    assert "the auction" not in calling.open_checks(GAME, deal)
    # Without the passes, or with the winning bid alone, it breaks no rule either.
    assert findings_of(" ".join(bids)) == []
    assert findings_of(" ".join(bids[-1:])) == []
    assert hand(" ".join(bids)).bidder == deal.bidder


@given(words=auctions(), place=st.integers(1, 12))
def test_swapped_turns_of_two_players_are_found(words: list[str], place: int) -> None:
    assume(place + 1 < len(words))
    first, second = words[place : place + 2]
    swapped = [*words[:place], second, first, *words[place + 2 :]]
    events = f"out_of_turn C1 {place + 1} {place + 2}"
    assert [finding for finding in findings_of(" ".join(swapped)) if "out_of_turn" in finding] == [
        events
    ]
