"""The notes below the scores: findings, disputes, corrections, signatures and payments."""

import io
from pathlib import Path

from scorekeeper.report.footnotes import (
    Note,
    collect_footnotes,
    describe_hands,
    make_payment_section,
)
from scorekeeper.report.report import view_report
from scorekeeper.session.session import Session
from tests.evenings import Evening, play_hand, riparto, sealed
from tests.thinned import EACH_LOG


def notes(evening: Evening) -> dict[str, list[Note]]:
    sections = collect_footnotes(evening.session, evening.view)
    return {section.name: list(section.notes) for section in sections}


def list_texts(some: list[Note]) -> list[tuple[str, str, str, tuple[str, ...]]]:
    return [(note.sign, note.place, note.text, note.more) for note in some]


def test_a_correction_says_what_was_before_why_and_who_agreed() -> None:
    evening = riparto()
    hand = play_hand(evening, "mara")
    was = {"points": {"mara": 5, "leo": 9, "nina": 1}}
    data = {"seq": hand[2], "type": "points_counted", "data": was, "reason": "miscounted"}
    evening.say("hand_disputed", player="leo", reason="I had nine")
    proposal = evening.say(
        "correction_proposed", corrections=[{"type": "event_replaced", "data": data}],
        reason="Leo is right",
    )  # fmt: skip
    for player in ("mara", "leo", "nina"):
        evening.say("proposal_signed", proposal=proposal, player=player)
    evening.say("dispute_settled", ruling="corrected", text="counted again", proposal=proposal)
    evening.say("event_replaced", **data)
    texts = notes(evening)
    assert list_texts(texts["corrected"]) == [
        ("✎", "Hand 1", "miscounted", (
            "before: Points counted: Mara 5, Leo 10, Nina 0",
            "now: Points counted: Mara 5, Leo 9, Nina 1",
            "agreed to by Mara, Leo, Nina",
        )),
    ]  # fmt: skip
    assert list_texts(texts["disputes"]) == [
        ("", "Hand 1", "Disputed by Leo: I had nine", (
            "Proposed: Leo is right · signed by Mara, Leo, Nina",
            "Settled: the hand was corrected. counted again",
        )),
    ]  # fmt: skip


def test_an_open_dispute_bears_its_flag() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("hand_disputed", player="leo", reason="no")
    (note,) = notes(evening)["disputes"]
    assert (note.sign, note.more) == (
        "⚑", ("Nobody has proposed a correction yet. The score stands for now.",)
    )  # fmt: skip


def test_a_dispute_says_how_far_it_has_come() -> None:
    evening = riparto()
    hand = play_hand(evening, "mara")
    evening.say("hand_disputed", player="leo", reason="no")
    struck = {"type": "event_struck", "data": {"seq": hand[2], "reason": "not counted"}}
    proposal = evening.say("correction_proposed", corrections=[struck], reason="never counted")

    def state() -> str:
        return notes(evening)["disputes"][0].more[-1]

    assert state().startswith("A correction is proposed and waits for signatures.")
    evening.say("proposal_signed", proposal=proposal, player="leo")
    assert state().startswith("Some have signed a correction, the others have not yet.")
    evening.say("dispute_settled", ruling="upheld", text="")
    assert state() == "Settled: the score is right as it was recorded."


def test_who_accepted_the_same_hands_stands_in_one_line_and_what_is_void_in_another() -> None:
    evening = riparto()
    last = 0
    for dealer in ("mara", "leo", "nina", "mara"):
        last = play_hand(evening, dealer)[2]
        if dealer != "nina":
            evening.say("hand_confirmed", player="leo")
    evening.replace(last, "points_counted", points={"mara": 5, "leo": 9, "nina": 1})
    assert list_texts(notes(evening)["signatures"]) == [
        ("◐", "Hands 1–2", "accepted by Leo", ()),
        ("○", "Hands 3–4", "nobody has accepted them yet", ()),
        ("", "Hand 4", "accepted by Leo, and corrected since", ()),
    ]


def test_what_is_wrong_stands_beside_its_hand_and_damage_beside_the_log() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="leo", points=5)
    evening.say("bid_made", player="leo", points=6)
    [bid] = notes(evening)["found"]
    lines = sealed(evening.log).splitlines(keepends=True)
    damaged = Session.read(io.BytesIO(b"".join(lines[:-2] + lines[-1:])))
    footnotes = {
        footnote.name: footnote.notes
        for footnote in collect_footnotes(damaged, view_report(damaged))
    }
    assert (bid.place, footnotes["found"][0].place) == ("Hand 1", "The log")


def test_points_are_paid_match_by_match() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    section = make_payment_section(evening.session, evening.view, "en")
    assert [note.place for note in section.notes] == ["Match 1"]
    assert "Leo → Mara 5" in section.notes[0].text


def test_places_name_the_match_where_there_are_several() -> None:
    evening = riparto()
    one = evening.view
    evening.say("match_started", game="riparto", seats=["mara", "leo", "nina"])
    two = evening.view
    assert describe_hands(one, [(1, 3), (1, 1), (1, 2)]) == "Hands 1–3"
    assert describe_hands(two, [(1, 3), (2, 1), (2, 4)]) == "Match 1, hand 3; Match 2, hands 1, 4"
    assert describe_hands(one, []) == ""


@EACH_LOG
def test_nothing_is_left_out(path: Path) -> None:
    session = Session.read(io.BytesIO(path.read_bytes()))
    report = view_report(session)
    footnotes = {section.name: section.notes for section in collect_footnotes(session, report)}
    grave = [finding for finding in report.findings if finding.severity != "info"]
    texts = " ".join(note.text for note in footnotes.get("found", ()))
    for finding_ in grave:
        assert finding_.message in texts
    assert len(footnotes.get("disputes", ())) == len(report.disputes)
    accepted = {place for note in footnotes.get("signatures", ()) for place in note.hands}
    assert accepted >= {
        (match.match, hand.hand)
        for match in report.matches
        for hand in match.hands
        if hand.status == "complete"
    }
    back = {session.corrections.recorded[key].seq for key in session.corrections.find_taken_back()}
    wanted = [
        correction for correction in report.corrections
        if correction.seq not in back
        and (correction.before or not correction.after or correction.after.type != "hand_confirmed")
    ]  # fmt: skip
    assert [note.text for note in footnotes.get("corrected", ())] == [
        correction.reason for correction in wanted
    ]
