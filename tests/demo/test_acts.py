"""What the players of a demo table record: a whole match, with a visitor who only follows prompts.

Tests of ``demo.opening``.
"""

from io import BytesIO

from scorekeeper.demo.acts import choose_act
from scorekeeper.demo.opening import LEVEL, VISITOR, write_opening
from scorekeeper.events.common import NoteAdded
from scorekeeper.events.disputes import HandConfirmed, HandDisputed, ProposalSigned
from scorekeeper.events.event import Entry, Event
from scorekeeper.events.playing import TrickTaken
from scorekeeper.log import codec
from scorekeeper.log.reading import MAX_FILE_BYTES
from scorekeeper.report.next_events import NextEvents, list_prompts
from scorekeeper.session.session import Session
from tests.evenings import build_report

MAX_STEPS = 100


def opening() -> Session:
    """Return the session with which a demo table begins."""
    return Session.read(BytesIO(write_opening()), MAX_FILE_BYTES)


def record(session: Session, event: Event, by: str) -> None:
    """Record an event of a seat."""
    session.add(Entry(len(session.corrections.recorded) + 1, event, by=by))


def visitors_choice(session: Session) -> Event:
    """Return the first prompted event that the visitor records."""
    prompts = list_prompts(session, LEVEL)
    return next(
        choice
        for prompt in prompts
        for choice in prompt.choices
        if getattr(choice, "player", VISITOR) == VISITOR
    )


def test_demo_begins_in_a_hand_without_faults_and_asks_the_visitor() -> None:
    session = opening()
    report = build_report(session)
    assert [hand["status"] for hand in report["matches"][0]["hands"]] == [
        "complete", "complete", "open",
    ]  # fmt: skip
    assert {finding["severity"] for finding in report["findings"]} == {"info"}
    assert choose_act(session) is None
    assert isinstance(visitors_choice(session), TrickTaken)


def test_the_others_play_the_match_to_its_end_without_a_fault() -> None:
    session, seats = opening(), set[str]()
    for _ in range(MAX_STEPS):
        act = choose_act(session)
        if act is None and session.structure.matches[-1].over:
            break
        if act is None:
            record(session, visitors_choice(session), VISITOR)
        else:
            assert act.player != VISITOR
            seats.add(act.player)
            record(session, act.event, act.player)
    assert session.structure.matches[-1].over
    assert seats == {"leo", "nina", "ugo"}
    assert {finding["severity"] for finding in build_report(session)["findings"]} == {"info"}


def test_one_trick_of_the_others_follows_each_of_the_visitor() -> None:
    session = opening()
    record(session, TrickTaken(VISITOR), VISITOR)
    act = choose_act(session)
    assert act is not None
    assert isinstance(act.event, TrickTaken)
    record(session, act.event, act.player)
    assert choose_act(session) is None
    record(session, NoteAdded("a moment"), VISITOR)
    assert choose_act(session) is None


def test_the_others_sign_a_correction_that_the_visitor_proposes() -> None:
    session, reason = opening(), "It was Ugo’s trick"
    trick = next(
        entry.seq
        for entry in session.corrections.recorded.values()
        if isinstance(entry.event, TrickTaken)
    )
    winner = {"type": "trick_taken", "data": {"player": "ugo"}, "seq": trick, "reason": reason}
    record(session, HandDisputed(VISITOR, reason, 1, 1), VISITOR)
    assert choose_act(session) is None
    seq = len(session.corrections.recorded) + 1
    record(session, codec.decode("correction_proposed", {
        "reason": reason, "match": 1, "hand": 1,
        "corrections": [{"type": "event_replaced", "data": winner}],
    }), VISITOR)  # fmt: skip
    for player in ("leo", "nina", "ugo"):
        assert choose_act(session) == (player, ProposalSigned(seq, player))
        record(session, ProposalSigned(seq, player), player)
    assert choose_act(session) is None


def test_nobody_deals_before_the_visitor_has_accepted() -> None:
    session = opening()
    while NextEvents(session).hand_state == "open":
        record(session, TrickTaken(VISITOR), VISITOR)
    for player in ("leo", "nina", "ugo"):
        assert choose_act(session) == (player, HandConfirmed(player))
        record(session, HandConfirmed(player), player)
    assert choose_act(session) is None
    record(session, HandConfirmed(VISITOR), VISITOR)
    act = choose_act(session)
    assert act is not None
    assert act.event.TYPE == "hand_started"
