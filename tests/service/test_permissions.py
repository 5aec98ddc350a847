"""Which events a holder of a key may record. Tests of ``service.permissions``."""

from typing import Any

import pytest

from scorekeeper.base.errors import ForbiddenError
from scorekeeper.events.common import COMMON
from scorekeeper.events.event import IN_A_HAND
from scorekeeper.log import codec
from scorekeeper.service.permissions import (
    determine_author,
    find_own_last,
    refuse_event,
    refuse_role,
)
from scorekeeper.session.session import Session
from scorekeeper.streams.holder import THE_TABLE, Holder
from tests.evenings import event, inserted, replaced, struck
from tests.service.evenings import COUNT, add, knock

HOST, LEO, VIEW = Holder("host"), Holder("seat", "leo"), Holder("view")
ABOUT = {"match": 1, "hand": 1}

# One of each event of all games, by Leo if a player declares it; whether a seat may record it.
EVERY = [
    (event("session_opened", title="x", players=[]), False),
    (event("session_described", title="y"), False),
    (event("player_joined", id="ada", name="Ada"), False),
    (event("player_renamed", player="leo", name="Leonardo"), True),
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


def refused(holder: Holder, session: Session, raw: dict[str, Any]) -> str:
    """Return why an event may not be recorded, or an empty text if it may."""
    try:
        refuse_event(holder, session, codec.decode(raw["type"], raw["data"]))
    except ForbiddenError as error:
        return str(error)
    return ""


def test_list_holds_every_event_of_all_games() -> None:
    assert [raw["type"] for raw, _ in EVERY] == [declared.TYPE for declared in COMMON]


@pytest.mark.parametrize(("raw", "allowed"), EVERY, ids=[raw["type"] for raw, _ in EVERY])
def test_host_records_all_events_a_seat_some_and_a_viewer_none(
    raw: dict[str, Any], allowed: bool
) -> None:
    session = knock()
    assert refused(HOST, session, raw) == ""
    assert (refused(LEO, session, raw) == "") is allowed
    assert refused(VIEW, session, raw) == "this needs a key for host or seat, and yours is for view"


@pytest.mark.parametrize(("raw", "allowed"), EVERY, ids=[raw["type"] for raw, _ in EVERY])
def test_host_with_a_seat_is_author_as_that_seat_if_a_seat_may_record(
    raw: dict[str, Any], allowed: bool
) -> None:
    decoded = codec.decode(raw["type"], raw["data"])
    assert determine_author(Holder("host", "leo"), knock(), decoded) == (
        "leo" if allowed else "keeper"
    )
    assert determine_author(HOST, knock(), decoded) == "keeper"


def test_seat_records_the_play_of_other_players() -> None:
    session = knock()
    assert session.game
    play = codec.decode("trick_taken", {"player": "mara"}, session.game.by_type)
    assert play.PLACE is IN_A_HAND
    refuse_event(LEO, session, play)


@pytest.mark.parametrize(
    "raw",
    [
        event("hand_confirmed", player="mara"),
        event("hand_disputed", player="mara", reason="x", **ABOUT),
        event("proposal_signed", proposal=5, player="mara"),
        event("proposal_declined", proposal=5, player="mara"),
    ],
    ids=lambda raw: raw["type"],
)
def test_seat_signs_only_for_its_own_player(raw: dict[str, Any]) -> None:
    reason = f"{raw['type']} is for mara to say, not for leo"
    assert refused(LEO, knock(), raw) == reason


def test_seat_strikes_only_its_last_event() -> None:
    session = knock()
    mine = add(session, event("note_added", text="mine"), by="leo")
    yours = add(session, event("note_added", text="yours"), by="mara")
    assert refused(LEO, session, struck(mine)) == ""
    for seq in (yours, COUNT):
        assert "strikes the last event that it recorded" in refused(LEO, session, struck(seq))


def test_last_event_of_a_seat_is_neither_a_correction_nor_struck() -> None:
    session = knock()
    first = add(session, event("note_added", text="first"), by="leo")
    second = add(session, event("note_added", text="second"), by="leo")
    add(session, struck(second), by="leo")
    last = find_own_last(session, "leo")
    assert last
    assert last.seq == first
    assert find_own_last(session, "nina") is None


def test_only_the_host_strikes_or_abandons_a_confirmed_hand() -> None:
    session = knock()
    claim = add(session, event("score_claimed", scores={"A": 20}), by="leo")
    assert refused(LEO, session, struck(claim)) == ""
    signed = add(session, event("hand_confirmed", player="mara"), by="mara")
    mara = Holder("seat", "mara")
    assert "has been accepted" in refused(LEO, session, struck(claim))
    assert "has been accepted" in refused(mara, session, struck(signed))
    assert "has been accepted" in refused(LEO, session, event("hand_abandoned", reason="x"))
    assert refused(HOST, session, event("hand_abandoned", reason="x")) == ""


def test_seat_does_not_strike_a_ruling_that_it_recorded() -> None:
    session = knock(event("hand_disputed", player="leo", reason="x", **ABOUT))
    ruling = add(session, event("dispute_settled", ruling="upheld", text="x", **ABOUT), by="leo")
    assert "a ruling that players agreed on" in refused(LEO, session, struck(ruling))


def test_author_and_visibility_depend_on_the_holder() -> None:
    assert (HOST.by, LEO.by) == ("keeper", "leo")
    at_table = Holder("host", at_table=True)
    assert [holder.sees_all for holder in (HOST, at_table, LEO, THE_TABLE)] == [True, *[False] * 3]
    with pytest.raises(ForbiddenError, match="host or seat, and yours is for view"):
        refuse_role(VIEW, "host", "seat")
