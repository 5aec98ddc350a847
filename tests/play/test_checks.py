"""Shared checks, each on a hand with a fault and on a similar hand without one.

Tests of ``play.checks.play`` and ``play.checks.consistency``.
"""

import pytest

from scorekeeper.events.playing import TrickTaken
from scorekeeper.play import checks
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.scoring import Basis, Check, Result, ScoreLine, Text
from tests.play.plain import PlainDeal, hand, table

FOUR = {"A": ("a", "c"), "B": ("b", "d")}
WHOLE = "a:AS b:KS a:AH b:KH a:AD b:KD a:AC b:KC"  # a takes all four


def observed(check: Check, script: str, players: str = "ab") -> list[tuple[int, ...]]:
    """Return the events of each observation of a check in a hand."""
    return [sight.events for sight in check.look(hand(script, table(players)))]


@pytest.mark.parametrize(
    ("check", "script", "events"),
    [
        # whose turn it was
        (checks.TURN, WHOLE, []),
        (checks.TURN, "b:AS a:KS", [(1,)]),  # eldest leads
        (checks.TURN, "a:AS b:KS b:KH a:AH", [(3, 1, 2)]),  # and then the winner
        (checks.TURN, "a:AS b:KS b! b:KH a:AH", []),  # or the recorded winner
        (checks.TURN, "a! b:KH a:AH", [(2, 1)]),
        (checks.TURN, "a!2 b:KH a:AH", [(2,)]),
        # following suit
        (checks.REVOKE, WHOLE, []),
        (checks.REVOKE, "a:AS b:KH a:AH b:KS", [(2, 4)]),  # b played it later
        (checks.REVOKE, "b?KS a:AS b:KH", [(3, 1)]),  # or had shown it
        (checks.REVOKE, "b?KS a:AS b:KS a:AH b:KD", []),  # which is gone
        (checks.REVOKE, "b?KS a:AH b! a:AS b:KH", []),  # which may be gone
        (checks.REVOKE, "a:AS b:KH b:AS a:7H b:KS a:8H", []),  # a card played twice accuses nobody
        (checks.REVOKE, "b?KS a:AS b:FOOL", []),  # which may be played to any suit
        # cards shown
        (checks.SHOWN, "a?AS a:AS b:KS", []),
        (checks.SHOWN, "a:AS b:KS a?AS", [(3, 1)]),
        (checks.SHOWN, "a?KS a:AS b:KS", [(1, 3)]),
        (checks.SHOWN, "a?KS,QS b?KS", [(2, 1)]),  # two players showed it
        (checks.SHOWN, "a?KS a?KS", []),
        # who took a trick
        (checks.WINNERS, "a:AS b:KS a!", []),
        (checks.WINNERS, "a:AS b:KS b!", [(3, 1, 2)]),
        (checks.WINNERS, "a! b!1", [(2, 1)]),
        (checks.WINNERS, "a! a* b!3", [(2, 3)]),
        (checks.WINNERS, "a! a* a!2", []),
        (checks.WINNERS, "b! a*", []),  # the rest is of what had no winner by then
        # a card beaten in a trick that is not all on record
        (checks.BEATEN, "a:AS b!", []),
        (checks.BEATEN, "a:KS b:QS b!", []),  # this one its cards decide
        # more than there is
        (checks.TWICE, WHOLE, []),
        (checks.TWICE, "a:AS b:KS a:KS", [(3, 2)]),
        (checks.TOO_MANY, "a! a! a! a!", []),
        (checks.TOO_MANY, "a! a! a! a! a!", [(5,)]),
        # counts
        (checks.TOTAL, "=a3,b1", []),
        (checks.TOTAL, "=a3", []),  # the missing side has the rest
        (checks.TOTAL, "=a3,b2", [(1,)]),
        (checks.TOTAL, "=a3,b1/a3,b2", [(1,)]),
        (checks.COUNT, "a! a! a! b! =a3,b1", []),
        (checks.COUNT, "a! a! a! b! =a2,b2", [(5, 1, 2, 3, 4)]),
        (checks.COUNT, "a! a! =a2,b2", []),
        (checks.COUNT, "a! a! =a1,b3", [(3, 1, 2)]),  # a has two already
        (checks.COUNT, "=a2,b2 =a3,b1", [(1, 2)]),  # the last stands
        (checks.COUNT, "=a3,b1/a3,b1 =a3,b1/a2,b2", [(1, 2)]),  # the same points, other tricks
        (checks.COUNT, "=a3,b1/a3,b1 =a3,b1", []),
        # outcomes
        (checks.OUTCOME, "=a2,b2 made", []),
        (checks.OUTCOME, "=a1,b3 made", [(2, 1)]),
        (checks.OUTCOME, "a! a! a! a! lost", [(5, 1, 2, 3, 4)]),
        (checks.OUTCOME, "made lost", [(1, 2)]),
        (checks.OUTCOME, "lost", []),
    ],
)
def test_a_shared_check(check: Check, script: str, events: list[tuple[int, ...]]) -> None:
    assert observed(check, script) == events


def test_play_before_the_due_player_names_both_events() -> None:
    assert observed(checks.TURN, "a:AS c:KS b:QS", "abc") == [(2, 3)]
    assert observed(checks.TURN, "a:AS b:KS c:QS", "abc") == []


def test_beaten_player_cannot_win_an_incomplete_trick() -> None:
    assert observed(checks.BEATEN, "a:KS b:AS a!", "abc") == [(3, 1, 2)]
    assert observed(checks.BEATEN, "a:KS b:AS c!", "abc") == []


@pytest.mark.parametrize(
    ("claim", "expected"), [("$a4,b0", []), ("$a4", []), ("$a3,b0", [(9, 1, 2)])]
)
def test_claimed_score_is_compared_with_the_lines(
    claim: str, expected: list[tuple[int, ...]]
) -> None:
    deal = hand(f"{WHOLE} {claim}")
    assert list(checks.CLAIM.look(deal)) == []  # nothing is scored yet
    line = ScoreLine("a", 4, "X1", Text("Tricks"), (1, 2))
    deal.result = Result(complete=True, basis=Basis.CARDS, lines=(line,))
    assert [sight.events for sight in checks.CLAIM.look(deal)] == expected


@pytest.mark.parametrize(
    ("check", "script", "decided"),
    [
        (checks.TURN, WHOLE, True),
        (checks.TURN, "a! a! a! a!", False),
        (checks.REVOKE, "a:AS b:KS", False),
        (checks.COUNT, "a! a! a! a!", True),  # there is none
        (checks.COUNT, "a! a! a! a! =a4", False),
        (checks.COUNT, f"{WHOLE} =a4", True),
    ],
)
def test_check_reports_whether_the_record_decides_it(
    check: Check, script: str, decided: bool
) -> None:
    assert check.decided is not None
    assert check.decided(hand(script)) is decided
    assert check.settles == "the cards of every trick"


def test_under_sets_the_clause_of_a_check() -> None:
    mine = checks.REVOKE.under("X7")
    assert (mine.rule, checks.REVOKE.rule) == ("X7", "")
    assert mine.look is checks.REVOKE.look


# --------------------------------------------------------------------------------- observations


def test_fault_has_the_act_its_proof_and_the_sides() -> None:
    deal = hand("a:AS b:KS", table("abcd", FOUR))
    first, second = deal.plays
    alone = checks.fault("{player} did {what}", deal, first, 7, 9, what="so")
    assert (alone.events, str(alone.text), alone.sides) == ((1, 7, 9), "Ada did so", ("A",))
    both = checks.fault("{player} took it from {player}", deal, first, also=second.player)
    assert (both.events, both.sides) == ((1,), ("A", "B"))
    partners = checks.fault("", deal, first, also="c")
    assert partners.sides == ("A",)


def test_facts_of_a_fault_override_the_player() -> None:
    deal = hand("a:AS b:KS")
    observed_fault = checks.fault(
        "{player} played {card}", deal, deal.plays[0], player="Nobody", card="it"
    )
    assert str(observed_fault.text) == "Nobody played it"


def test_acts_of_players_without_entitlement_are_found() -> None:
    deal = hand("")
    acts = [RecordedEvent(seq, TrickTaken(player)) for seq, player in enumerate("abb", 4)]
    entitled = RecordedEvent(2, TrickTaken("a"))
    observed_fault = list(checks.acts_by_others("{player}, not {him}", deal, acts, entitled, "him"))
    assert [(choice.events, str(choice.text)) for choice in observed_fault] == [
        ((5, 2), "Bruno, not Ada"),
        ((6, 2), "Bruno, not Ada"),
    ]
    assert list(checks.acts_by_others("{player}, not {him}", deal, acts, None, "him")) == []


def test_kept_back_finds_a_due_card_that_was_held() -> None:
    deal = hand("a:9S b:8S a:AH b:KS")
    lower = checks.withheld_card(
        deal,
        next(iter(deal.tricks)),
        wrong=lambda card, led: card.rank == "8",
        due=lambda card, led: card.rank == "K" and led.rank == "9",
    )
    assert [(sight.events, str(sight.text)) for sight in lower] == [
        ((2, 4), "Trick 1: Bruno played 8S on 9S, but still held KS")
    ]


def test_undecided_trick_leaves_the_play_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert checks.all_played(hand(WHOLE))
    monkeypatch.setattr(PlainDeal, "decided", lambda self, trick: trick.number != 3)
    deal = hand(f"{WHOLE} a!3")  # a recorded winner for that trick
    assert deal.all_cards
    assert not checks.all_played(deal)


def test_fool_leads_the_suit_of_the_next_card() -> None:
    assert observed(checks.REVOKE, "b?KS c?KH a:FOOL b:KD c:QS", "abc") == []
    assert observed(checks.REVOKE, "c?KD a:FOOL b:QD c:QS", "abc") == [(4, 1)]
