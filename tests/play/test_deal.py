"""The record of a hand: what it amounts to, and what can never be on record of it.

Tests of ``play.folding``.
"""

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.cards.packs import Card
from scorekeeper.events.playing import CardPlayed
from scorekeeper.events.references import Refusal, Scope, make_refusal
from scorekeeper.play.deal import Deal, PointsTaken, card_points, events_of
from scorekeeper.play.folding import REFUSE, refuse_card
from scorekeeper.play.scoring import Basis, Result
from tests.play.plain import PACK, cards, hand, table

WHOLE = "a:AS b:KS a:AH b:KH a:7D b:KD b:AC a:KC"  # two each


def test_cards_decide_a_trick_before_its_named_winner() -> None:
    deal = hand("a:AS b:KS b! a:7H b! a*")
    assert [(won.number, won.player, won.full) for won in deal.won] == [
        (1, "a", True),  # in spite of the named winner
        (2, "b", False),
        (3, "a", False),
        (4, "a", False),
    ]
    assert [won.events for won in deal.won] == [(1, 2), (4, 5), (6,), (6,)]
    assert deal.tricks_made() == {"a": 3, "b": 1}
    assert (deal.all_tricks, deal.all_cards, deal.points_known) == (True, False, False)


def test_incomplete_record_proves_a_minimum() -> None:
    deal = hand("a! b! a!")
    assert deal.tricks_at_least() == {"a": 2, "b": 1}
    assert deal.tricks_made() is None
    assert not deal.all_tricks


@pytest.mark.parametrize(
    ("script", "taken"),
    [
        ("", None),
        ("=a3,b1", PointsTaken({"a": 3, "b": 1}, Basis.COUNT, (1,))),
        ("=a3,b2", None),  # it makes no hand
        ("=a3 =a1", PointsTaken({"a": 1, "b": 3}, Basis.COUNT, (2,))),
        ("=a3 a! a! b! b!", PointsTaken({"a": 2, "b": 2}, Basis.TRICKS, (2, 3, 4, 5))),
        (WHOLE, PointsTaken({"a": 2, "b": 2}, Basis.CARDS, tuple(range(1, 9)))),
    ],
)
def test_the_finest_record_has_the_points(script: str, taken: PointsTaken | None) -> None:
    assert hand(script).taken() == taken


def test_proof_of_a_side_is_its_tricks_or_all_tricks() -> None:
    deal = hand("a! a! b! a!")
    taken = deal.taken()
    assert taken is not None
    assert [deal.proof_of(side, taken) for side in "ab"] == [(1, 2, 4), (3,)]
    none = hand("a! a! a! a!")
    taken = none.taken()
    assert taken is not None
    assert none.proof_of("b", taken) == (1, 2, 3, 4)
    counted = hand("a! =a3")
    taken = counted.taken()
    assert taken is not None
    assert counted.proof_of("a", taken) == (2,)


@pytest.mark.parametrize(
    ("script", "level"),
    [
        ("", "totals"),
        ("a! b!", "tricks"),
        ("a:AS b:KS a!", "cards"),
        ("a:AS b:KS b!", "cards"),
        ("a:AS a!", "mixed"),
        ("a:AS b:KS a*", "mixed"),
        ("a! a*", "tricks"),
    ],
)
def test_level_of_a_record(script: str, level: str) -> None:
    assert hand(script).level == level


def test_count_with_some_tricks_has_level_mixed() -> None:
    deal = hand("a! =a3")
    deal.result = Result(complete=True, basis=Basis.COUNT)
    assert deal.level == "mixed"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("a:AS b:KS a:AS", "Ada has already played A♠ in this hand (event 1)"),
        ("a:AS a:KS", "Ada has already played A♠ to this trick (event 1)"),
        ("=a5", "expected at most 4 in all, so that b has the rest, got 5"),
        ("=a3/a9", "expected at most 4 in all, so that b has the rest, got 9"),
    ],
)
def test_impossible_event_of_a_hand_is_refused(script: str, message: str) -> None:
    with pytest.raises(UnusableError) as refused:
        hand(script)
    assert message in str(refused.value)


def test_card_played_by_a_second_player_is_accepted() -> None:
    deal = hand("a:AS b:AS")
    assert [play.seq for play in deal.plays_of(Card.parse("AS"))] == [1, 2]
    assert [play.seq for play in deal.again] == [2]
    assert deal.plays_of(Card.parse("KS")) == []
    assert [play.seq for play in deal.fallen(cards("KS,AS"))] == [1]


def test_shown_cards_are_kept_with_their_place_in_the_play() -> None:
    deal = hand("b?KS a:AS b:KS b?KH,QH")
    assert [(shown.seq, shown.player, shown.after, shown.trick) for shown in deal.shown] == [
        (1, "b", 0, 1),
        (4, "b", 2, 2),
    ]


def test_claim_of_the_rest_records_the_tricks_won_before() -> None:
    deal = hand("a! b:KS a* b*")
    assert [(rest.player, rest.before) for rest in deal.rests] == [
        ("a", frozenset({1})),
        ("b", frozenset({1})),
    ]
    assert deal.tricks_made() == {"a": 1, "b": 3}  # the last word stands


def test_hidden_fields_are_face_down_until_the_play_is_over() -> None:
    assert hand("a! b!").face_down("any")
    for script in ("=a3", "made", "x", "a! a! a! a!"):
        assert not hand(script).face_down("any"), script


def test_card_points_go_to_the_winners_and_the_claimer_of_the_rest() -> None:
    value = dict.fromkeys(PACK.cards, 1)
    assert card_points(hand(WHOLE), value, 32, "ab") == {"a": 4, "b": 4}
    assert card_points(hand("a:AS b:KS b*"), value, 32, "ab") == {"a": 2, "b": 30}
    assert card_points(hand("a! a! a! a!"), value, 32, "ab") is None


def test_eldest_leads_first_by_default() -> None:
    deal = hand("", table("cab"))
    assert (deal.first_leader, deal.proof_of_first_leader) == ("c", ())


def test_events_of_tricks_have_no_duplicates() -> None:
    assert events_of(hand("a! a*").won) == (1, 2)


RECORD = "a:AS b:KS b:QS"  # and a trick that waits for Ada


@pytest.mark.parametrize(
    ("player", "card", "free"),
    [
        ("a", "AH", True),
        ("a", "KS", True),  # which Bruno has played: the audit has something to say to that
        ("z", "AH", False),
        ("a", "6H", False),
        ("a", "AS", False),  # again
        ("b", "AH", False),  # to the same trick
        ("b", "KS", False),
        ("b", "QS", False),
        ("z", "6H", False),
    ],
)
def test_refuse_card_equals_the_general_refusal(player: str, card: str, *, free: bool) -> None:
    deal = hand(RECORD)
    scope = Scope(active=("a", "b"), cards=PACK.members, shows="the pack")
    event = CardPlayed(player, Card.parse(card))
    fast, general = [
        refusal(refuse, deal, event, scope)
        for refuse in (refuse_card, make_refusal(CardPlayed, [REFUSE[CardPlayed]]))
    ]
    assert fast == general
    assert (fast is None) == free


def refusal(refuse: Refusal, deal: Deal, event: CardPlayed, scope: Scope) -> tuple[str, str] | None:
    """Return the field and the reason of a refused card, or None."""
    try:
        refuse(deal, event, scope)
    except UnusableError as error:
        return error.field, error.reason
    return None
