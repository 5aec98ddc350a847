"""The marks of hands: each where it belongs, and on no hand that is as it should be."""

from scorekeeper.report.marks import MARKS, collect_marks
from tests.evenings import Evening, play_hand, riparto


def marks(evening: Evening) -> list[tuple[str, ...]]:
    """The marks of the hands of an evening."""
    return list(collect_marks(evening.session, evening.view).values())


def evening_of(hands: int) -> tuple[Evening, list[list[int]]]:
    evening = riparto()
    dealers = ("mara", "leo", "nina")
    return evening, [play_hand(evening, dealers[number % 3]) for number in range(hands)]


def test_signature_mark_is_unsigned_partly_or_signed() -> None:
    evening, _ = evening_of(1)
    assert marks(evening) == [("unsigned",)]
    for player, mark in (("mara", "partly"), ("leo", "partly"), ("nina", "signed")):
        evening.say("hand_confirmed", player=player)
        assert marks(evening) == [(mark,)]


def test_a_dispute_stands_until_it_is_settled_and_what_was_not_agreed_stays() -> None:
    evening, _ = evening_of(2)
    evening.say("hand_disputed", player="leo", reason="no", hand=1)
    assert marks(evening) == [("disputed", "unsigned"), ("unsigned",)]
    evening.say("dispute_settled", ruling="unresolved", text="", hand=1)
    assert marks(evening) == [("unresolved", "unsigned"), ("unsigned",)]
    evening.say("hand_disputed", player="leo", reason="once more", hand=1)
    evening.say("dispute_settled", ruling="upheld", text="", hand=1)
    assert marks(evening) == [("unsigned",), ("unsigned",)]


def test_only_what_reads_otherwise_now_is_corrected() -> None:
    evening, hands = evening_of(2)
    values = {"points": {"mara": 5, "leo": 9, "nina": 1}}
    corrected = evening.replace(hands[0][2], "points_counted", **values)
    assert marks(evening) == [("corrected", "unsigned"), ("unsigned",)]
    evening.strike(corrected)
    assert marks(evening) == [("unsigned",), ("unsigned",)]
    evening.insert(hands[1][2], "hand_confirmed", player="leo")
    assert marks(evening)[1] == ("partly",), "to accept it later is no correction"


def test_immediately_struck_entry_is_no_correction() -> None:
    evening, _ = evening_of(1)
    evening.say("hand_started", dealer="leo")
    evening.strike(evening.say("bid_made", player="nina", points=9))
    assert marks(evening) == [("unsigned",), ()]


def test_findings_are_marked_by_how_grave_they_are() -> None:
    evening, _ = evening_of(1)
    play_hand(evening, "nina")  # and it was Leo's turn
    evening.say("score_claimed", scores={"mara": 6})
    evening.say("hand_started", dealer="mara")
    play_hand(evening, "leo")
    assert marks(evening)[1:] == [
        ("wrong", "doubtful", "unsigned"), ("incomplete",), ("unsigned",),
    ]  # fmt: skip


def test_each_mark_has_a_sign_of_its_own() -> None:
    assert len({mark.sign for mark in MARKS.values()}) == len(MARKS)
    assert len({mark.word for mark in MARKS.values()}) == len(MARKS)
