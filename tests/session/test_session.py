"""A session replayed: what comes in one by one, what is refused, what is tried and undone."""

from dataclasses import replace
from io import BytesIO

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.events.common import NoteAdded
from scorekeeper.events.disputes import Correction
from scorekeeper.events.event import IN_A_HAND, Entry
from scorekeeper.session.session import Session
from tests.evenings import (
    Evening,
    Raw,
    a_log,
    build_report,
    by_hand,
    event,
    play_hand,
    replaced,
    riparto,
    sealed,
    struck,
)


def evening() -> Evening:
    walker = riparto()
    play_hand(walker, "mara")
    return walker


def test_log_can_be_read_by_lines_or_as_a_whole() -> None:
    read = Session.read(BytesIO(sealed(a_log())))
    one_by_one = Session()
    for line in sealed(a_log()).splitlines():
        one_by_one.add_stored(line)
    assert build_report(read) == build_report(one_by_one)
    assert read.events == one_by_one.events == len(a_log())
    assert len(read.head) == 64
    assert Session.of(read.corrections.recorded.values()).events == read.events


def test_a_log_by_hand_has_no_head() -> None:
    assert Session.read(BytesIO(by_hand(a_log()))).head == ""


def test_what_cannot_be_is_refused_with_its_line() -> None:
    log = by_hand([*a_log()[:4], event("bid_made", player="nobody", points=4)])
    with pytest.raises(UnusableError) as caught:
        Session.read(BytesIO(log))
    assert (caught.value.line, caught.value.field) == (5, "data.player")


@pytest.mark.parametrize(
    "refused",
    [
        event("bid_made", player="ada", points=4),
        event("sung"),
        event("session_opened", title="again", players=[{"id": "mara", "name": "Mara"}]),
        struck(99),
        replaced(4, "bid_made", player="ada", points=4),
        event("correction_proposed", corrections=[struck(99)], reason="", match=1, hand=1),
    ],
)
def test_what_is_refused_changes_nothing(refused: Raw) -> None:
    played = evening()
    before = build_report(played.session)
    with pytest.raises(UnusableError):
        played.add(refused)
    assert build_report(played.session) == before
    played.say("hand_started", dealer="leo")  # and it goes on
    assert played.session.events == 6


def test_of_many_those_before_what_is_refused_are_kept() -> None:
    entries = list(Session.read(BytesIO(sealed(a_log()))).corrections.recorded.values())
    place = next(n for n, entry in enumerate(entries) if entry.event.PLACE is IN_A_HAND)
    wrong = replace(entries[place], seq=place + 2, by="nobody")
    session = Session()
    with pytest.raises(UnusableError):
        session.add_all([*entries[: place + 1], wrong, *entries[place + 1 :]])
    assert (session.events, session.head) == (place + 1, entries[place].hash)
    assert build_report(session) == build_report(Session.of(entries[: place + 1]))


def test_the_game_is_that_of_the_last_match() -> None:
    session = Session()
    assert session.game is None
    played = evening()
    assert played.session.game
    assert played.session.game.id == "riparto"
    played.say("match_ended")
    played.say("match_started", game="picchetto", seats=["mara", "leo"])
    assert played.session.game.id == "picchetto"


def test_corrections_are_tried_and_undone() -> None:
    played = evening()
    before = build_report(played.session)

    def points() -> int:
        return int(build_report(played.session)["matches"][0]["totals"]["mara"])

    other = Correction("event_replaced", replaced(4, "bid_made", player="mara", points=4)["data"])
    assert played.session.try_corrections([other], points) != points()
    assert build_report(played.session) == before
    assert played.session.try_corrections([], points) == points()


def test_what_cannot_be_tried_says_which_of_them() -> None:
    played = evening()
    before = build_report(played.session)
    good, bad = (Correction("event_struck", struck(seq)["data"]) for seq in (5, 99))
    with pytest.raises(UnusableError) as caught:
        played.session.try_corrections([good, bad], lambda: None)
    assert caught.value.field == "data.corrections.1.data.seq"
    assert build_report(played.session) == before


def test_what_fails_while_it_is_tried_undoes_it_too() -> None:
    played = evening()
    before = build_report(played.session)
    strike = Correction("event_struck", struck(5)["data"])
    with pytest.raises(ZeroDivisionError):
        played.session.try_corrections([strike], lambda: 1 // 0)
    assert build_report(played.session) == before


def test_entries_read_otherwise_are_the_session_without_their_secrets() -> None:
    played = evening()
    played.session.replace_entries({4: Entry(4, NoteAdded("hidden"))})
    assert build_report(played.session)["matches"][0]["hands"][0]["status"] != "complete"
