"""The checks that games share, each on a hand that it must and one that it must not accuse.

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


def seen(check: Check, script: str, players: str = "ab") -> list[tuple[int, ...]]:
    """The events that a check names in a hand, one row for each thing that it sees."""
    return [sight.events for sight in check.look(hand(script, table(players)))]


@pytest.mark.parametrize(
    ("check", "script", "events"),
    [
        # whose turn it was
        (checks.TURN, WHOLE, []),
        (checks.TURN, "b:AS a:KS", [(1,)]),  # eldest leads
        (checks.TURN, "a:AS b:KS b:KH a:AH", [(3, 1, 2)]),  # and then the winner
        (checks.TURN, "a:AS b:KS b! b:KH a:AH", []),  # or who was said to be it
        (checks.TURN, "a! b:KH a:AH", [(2, 1)]),
        (checks.TURN, "a!2 b:KH a:AH", [(2,)]),
        # following suit
        (checks.REVOKE, WHOLE, []),
        (checks.REVOKE, "a:AS b:KH a:AH b:KS", [(2, 4)]),  # he played it later
        (checks.REVOKE, "b?KS a:AS b:KH", [(3, 1)]),  # or had shown it
        (checks.REVOKE, "b?KS a:AS b:KS a:AH b:KD", []),  # which is gone
        (checks.REVOKE, "b?KS a:AH b! a:AS b:KH", []),  # which may be gone
        (checks.REVOKE, "a:AS b:KH b:AS a:7H b:KS a:8H", []),  # a card played twice accuses nobody
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
        (checks.TOTAL, "=a3", []),  # who is left out has the rest
        (checks.TOTAL, "=a3,b2", [(1,)]),
        (checks.TOTAL, "=a3,b1/a3,b2", [(1,)]),
        (checks.COUNT, "a! a! a! b! =a3,b1", []),
        (checks.COUNT, "a! a! a! b! =a2,b2", [(5, 1, 2, 3, 4)]),
        (checks.COUNT, "a! a! =a2,b2", []),
        (checks.COUNT, "a! a! =a1,b3", [(3, 1, 2)]),  # he has two already
        (checks.COUNT, "=a2,b2 =a3,b1", [(1, 2)]),  # the last stands
        (checks.COUNT, "=a3,b1/a3,b1 =a3,b1/a2,b2", [(1, 2)]),  # the same points, other tricks
        (checks.COUNT, "=a3,b1/a3,b1 =a3,b1", []),
        # what was said of it
        (checks.OUTCOME, "=a2,b2 made", []),
        (checks.OUTCOME, "=a1,b3 made", [(2, 1)]),
        (checks.OUTCOME, "a! a! a! a! lost", [(5, 1, 2, 3, 4)]),
        (checks.OUTCOME, "made lost", [(1, 2)]),
        (checks.OUTCOME, "lost", []),
    ],
)
def test_a_shared_check(check: Check, script: str, events: list[tuple[int, ...]]) -> None:
    assert seen(check, script) == events


def test_who_overtook_another_is_named_with_him() -> None:
    assert seen(checks.TURN, "a:AS c:KS b:QS", "abc") == [(2, 3)]
    assert seen(checks.TURN, "a:AS b:KS c:QS", "abc") == []


def test_who_was_beaten_in_a_trick_of_three_did_not_take_it() -> None:
    assert seen(checks.BEATEN, "a:KS b:AS a!", "abc") == [(3, 1, 2)]
    assert seen(checks.BEATEN, "a:KS b:AS c!", "abc") == []


@pytest.mark.parametrize(("claim", "found"), [("$a4,b0", []), ("$a4", []), ("$a3,b0", [(9, 1, 2)])])
def test_what_the_table_wrote_is_compared_with_what_was_scored(
    claim: str, found: list[tuple[int, ...]]
) -> None:
    deal = hand(f"{WHOLE} {claim}")
    assert list(checks.CLAIM.look(deal)) == []  # nothing is scored yet
    line = ScoreLine("a", 4, "X1", Text("Tricks"), (1, 2))
    deal.result = Result(complete=True, basis=Basis.CARDS, lines=(line,))
    assert [sight.events for sight in checks.CLAIM.look(deal)] == found


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
def test_a_check_knows_what_it_cannot_decide(check: Check, script: str, decided: bool) -> None:
    assert check.decided is not None
    assert check.decided(hand(script)) is decided
    assert check.settles == "the cards of every trick"


def test_a_check_comes_under_the_clause_of_a_game() -> None:
    mine = checks.REVOKE.under("X7")
    assert (mine.rule, checks.REVOKE.rule) == ("X7", "")
    assert mine.look is checks.REVOKE.look


# ------------------------------------------------------------------------------- how it is said


def test_a_fault_names_who_did_it_what_proves_it_and_whom_it_concerns() -> None:
    deal = hand("a:AS b:KS", table("abcd", FOUR))
    one, other = deal.plays
    alone = checks.fault("{player} did {what}", deal, one, 7, 9, what="so")
    assert (alone.events, str(alone.text), alone.sides) == ((1, 7, 9), "Ada did so", ("A",))
    both = checks.fault("{player} took it from {player}", deal, one, also=other.player)
    assert (both.events, both.sides) == ((1,), ("A", "B"))
    partners = checks.fault("", deal, one, also="c")
    assert partners.sides == ("A",)


def test_the_sentence_may_call_another_the_player() -> None:
    deal = hand("a:AS b:KS")
    said = checks.fault("{player} played {card}", deal, deal.plays[0], player="Nobody", card="it")
    assert str(said.text) == "Nobody played it"


def test_acts_of_who_was_not_entitled_are_told_from_his() -> None:
    deal = hand("")
    acts = [RecordedEvent(seq, TrickTaken(player)) for seq, player in enumerate("abb", 4)]
    entitled = RecordedEvent(2, TrickTaken("a"))
    said = list(checks.acts_by_others("{player}, not {him}", deal, acts, entitled, "him"))
    assert [(one.events, str(one.text)) for one in said] == [
        ((5, 2), "Bruno, not Ada"),
        ((6, 2), "Bruno, not Ada"),
    ]
    assert list(checks.acts_by_others("{player}, not {him}", deal, acts, None, "him")) == []


def test_a_card_kept_back_is_one_due_beside_the_card_led() -> None:
    deal = hand("a:9S b:8S a:AH b:KS")
    lower = checks.kept_back(
        deal,
        next(iter(deal.tricks)),
        wrong=lambda card, led: card.rank == "8",
        due=lambda card, led: card.rank == "K" and led.rank == "9",
    )
    assert [(sight.events, str(sight.text)) for sight in lower] == [
        ((2, 4), "Trick 1: Bruno played 8S on 9S, and still held KS")
    ]


def test_cards_that_do_not_say_who_won_a_trick_decide_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert checks.all_played(hand(WHOLE))
    monkeypatch.setattr(PlainDeal, "decided", lambda self, trick: trick.number != 3)
    deal = hand(f"{WHOLE} a!3")  # who took that one was said
    assert deal.all_cards
    assert not checks.all_played(deal)
