"""Who may record what."""

from typing import Any

import pytest

from scorekeeper.base.errors import ForbiddenError
from scorekeeper.events.common import COMMON
from scorekeeper.events.event import IN_A_HAND
from scorekeeper.log import codec
from scorekeeper.service.permissions import (
    THE_TABLE,
    Holder,
    author,
    own_last,
    refuse_event,
    refuse_role,
)
from scorekeeper.session.session import Session
from tests.evenings import event, inserted, replaced, struck
from tests.service.evenings import COUNT, add, knock

HOST, LEO, VIEW = Holder("host"), Holder("seat", "leo"), Holder("view")
ABOUT = {"match": 1, "hand": 1}

# One of each event that every game has, by Leo where a player says it; whether a seat may.
EVERY = [
    (event("session_opened", title="x", players=[]), False),
    (event("player_joined", id="ada", name="Ada"), False),
    (event("match_started", game="knock", seats=["leo"]), False),
    (event("hand_started", dealer="leo"), True),
    (event("hand_abandoned", reason="misdeal"), True),
    (event("score_claimed", scores={"A": 10}), True),
    (event("hand_confirmed", player="leo"), True),
    (event("hand_disputed", player="leo", reason="x", **ABOUT), True),
    (event("correction_proposed", corrections=[], reason="x", **ABOUT), True),
    (event("proposal_signed", proposal=5, player="leo"), True),
    (event("proposal_declined", proposal=5, player="leo"), True),
    (event("dispute_settled", ruling="upheld", text="x"), False),
    (event("penalty_given", side="A", points=-5, reason="x"), False),
    (event("note_added", text="x"), True),
    (event("match_ended"), False),
    (event("session_closed"), False),
    (struck(COUNT), False),
    (replaced(COUNT, "note_added", text="x"), False),
    (inserted(COUNT, "note_added", text="x"), False),
    (event("correction_begun", count=2, reason="x"), False),
]


def refused(holder: Holder, session: Session, one: dict[str, Any]) -> str:
    """Why an event may not be recorded; empty where it may."""
    try:
        refuse_event(holder, session, codec.decode(one["type"], one["data"]))
    except ForbiddenError as error:
        return str(error)
    return ""


def test_every_event_of_every_game_is_looked_at() -> None:
    assert [one["type"] for one, _ in EVERY] == [declared.TYPE for declared in COMMON]


@pytest.mark.parametrize(("one", "allowed"), EVERY, ids=[one["type"] for one, _ in EVERY])
def test_a_host_records_everything_a_seat_some_and_who_looks_on_nothing(
    one: dict[str, Any], allowed: bool
) -> None:
    session = knock()
    assert refused(HOST, session, one) == ""
    assert (refused(LEO, session, one) == "") is allowed
    assert refused(VIEW, session, one) == "this needs a key for host or seat, and yours is for view"


@pytest.mark.parametrize(("one", "allowed"), EVERY, ids=[one["type"] for one, _ in EVERY])
def test_a_host_with_a_seat_speaks_from_it_where_a_seat_may(
    one: dict[str, Any], allowed: bool
) -> None:
    told = codec.decode(one["type"], one["data"])
    assert author(Holder("host", "leo"), knock(), told) == ("leo" if allowed else "keeper")
    assert author(HOST, knock(), told) == "keeper"


def test_a_seat_records_the_play_of_everybody() -> None:
    session = knock()
    assert session.game
    play = codec.decode("trick_taken", {"player": "mara"}, session.game.by_type)
    assert play.PLACE is IN_A_HAND
    refuse_event(LEO, session, play)


@pytest.mark.parametrize(
    "one",
    [
        event("hand_confirmed", player="mara"),
        event("hand_disputed", player="mara", reason="x", **ABOUT),
        event("proposal_signed", proposal=5, player="mara"),
        event("proposal_declined", proposal=5, player="mara"),
    ],
    ids=lambda one: one["type"],
)
def test_a_seat_signs_for_nobody_else(one: dict[str, Any]) -> None:
    said = f"{one['type']} is for mara to say, not for leo"
    assert refused(LEO, knock(), one) == said


def test_a_seat_strikes_its_last_event_alone() -> None:
    session = knock()
    mine = add(session, event("note_added", text="mine"), by="leo")
    yours = add(session, event("note_added", text="yours"), by="mara")
    assert refused(LEO, session, struck(mine)) == ""
    for seq in (yours, COUNT):
        assert "strikes the last event that it recorded" in refused(LEO, session, struck(seq))


def test_what_was_last_is_no_correction_and_nothing_that_was_struck() -> None:
    session = knock()
    first = add(session, event("note_added", text="first"), by="leo")
    second = add(session, event("note_added", text="second"), by="leo")
    add(session, struck(second), by="leo")
    last = own_last(session, "leo")
    assert last
    assert last.seq == first
    assert own_last(session, "nina") is None


def test_what_was_confirmed_only_the_host_takes_back_or_abandons() -> None:
    session = knock()
    claim = add(session, event("score_claimed", scores={"A": 20}), by="leo")
    assert refused(LEO, session, struck(claim)) == ""
    signed = add(session, event("hand_confirmed", player="mara"), by="mara")
    mara = Holder("seat", "mara")
    assert "has been confirmed" in refused(LEO, session, struck(claim))
    assert "has been confirmed" in refused(mara, session, struck(signed))
    assert "has been confirmed" in refused(LEO, session, event("hand_abandoned", reason="x"))
    assert refused(HOST, session, event("hand_abandoned", reason="x")) == ""


def test_a_ruling_that_a_seat_recorded_it_does_not_strike() -> None:
    session = knock(event("hand_disputed", player="leo", reason="x", **ABOUT))
    ruling = add(session, event("dispute_settled", ruling="upheld", text="x", **ABOUT), by="leo")
    assert "a ruling that players agreed on" in refused(LEO, session, struck(ruling))


def test_who_records_and_what_he_sees() -> None:
    assert (HOST.by, LEO.by) == ("keeper", "leo")
    at_table = Holder("host", at_table=True)
    assert [one.sees_all for one in (HOST, at_table, LEO, THE_TABLE)] == [True, *[False] * 3]
    with pytest.raises(ForbiddenError, match="host or seat, and yours is for view"):
        refuse_role(VIEW, "host", "seat")
