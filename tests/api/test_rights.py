"""The events that each role may record, in a table of all types."""

from typing import Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.events.common import COMMON
from scorekeeper.events.playing import PLAY
from scorekeeper.games import GAMES
from tests.api.asking import Table, hand, match, problem_of
from tests.api.test_proposals import append_concurrently
from tests.evenings import Raw, event, inserted, replaced, struck

# The events that a seat, here Leo's, may record; the host may record all. Session: mara, leo, nina;
# a match of Riparto in event 2, a whole hand in 3 to 5; a dispute in 6, a proposal in 7.
PROPOSED: Final = event(
    "correction_proposed", corrections=[struck(5)], reason="counted wrongly", hand=1
)
ROOM: Final = [
    match(), *hand(), event("hand_disputed", player="mara", reason="no", hand=1), PROPOSED,
]  # fmt: skip
MAY: Final[dict[str, Raw]] = {
    "hand_started": event("hand_started", dealer="leo"),
    "hand_abandoned": event("hand_abandoned", reason="misdeal"),
    "score_claimed": event("score_claimed", scores={"leo": 5}),
    "hand_confirmed": event("hand_confirmed", player="leo"),
    "hand_disputed": event("hand_disputed", player="leo", reason="no", hand=1),
    "correction_proposed": PROPOSED,
    "proposal_signed": event("proposal_signed", proposal=7, player="leo"),
    "proposal_declined": event("proposal_declined", proposal=7, player="leo"),
    "player_renamed": event("player_renamed", player="leo", name="Leonardo"),
    "note_added": event("note_added", text="a note"),
    "points_counted": event("points_counted", points={"mara": 5, "leo": 5}),
    "outcome_recorded": event("outcome_recorded", made=True),
    "card_played": event("card_played", player="nina", card="10H"),
    "trick_taken": event("trick_taken", player="nina"),
    "rest_claimed": event("rest_claimed", player="nina"),
    "cards_shown": event("cards_shown", player="nina", cards=["10H"]),
    "bid_made": event("bid_made", player="mara", points=9),
    "set_distributed": event("set_distributed", player="mara", set=1),
    "bid_raised": event("bid_raised", player="leo", points=9),
    "hierarchy_declared": event("hierarchy_declared", player="leo", suits=["S", "H", "D", "C"]),
}
MAY_NOT: Final[dict[str, Raw]] = {
    "session_described": event("session_described", title="Saturday"),
    "player_joined": event("player_joined", id="ugo", name="Ugo"),
    "player_renamed": event("player_renamed", player="mara", name="Maria"),
    "match_started": match(),
    "match_ended": event("match_ended"),
    "session_closed": event("session_closed"),
    "penalty_given": event("penalty_given", side="mara", points=-1, reason="late"),
    "dispute_settled": event("dispute_settled", ruling="upheld", text="so it was", hand=1),
    "event_replaced": replaced(5, "points_counted", points={"leo": 5, "mara": 10}),
    "event_inserted": inserted(4, "note_added", text="late"),
    "event_struck": struck(4),
    "hand_confirmed": event("hand_confirmed", player="mara"),
    "hand_disputed": event("hand_disputed", player="mara", reason="no", hand=1),
    "proposal_signed": event("proposal_signed", proposal=7, player="mara"),
    "proposal_declined": event("proposal_declined", proposal=7, player="mara"),
}
EVENTS: Final = [*((name, True) for name in MAY), *((name, False) for name in MAY_NOT)]


@pytest.fixture
def room(on_memory: FlaskClient) -> Table:
    table = Table.open(on_memory)
    table.do(*ROOM)
    return table


def test_table_of_rights_is_complete() -> None:
    types = {declared.TYPE for declared in (*COMMON, *PLAY, *GAMES["riparto"].events)} - {
        "session_opened"
    }
    assert set(MAY) | set(MAY_NOT) | {"correction_begun"} == types  # recorded with others


@pytest.mark.parametrize(("name", "may"), EVENTS)
def test_rights_of_a_seat(room: Table, name: str, may: bool) -> None:
    events_of_type = (MAY if may else MAY_NOT)[name]
    answer = room.append(events_of_type, who="leo", as_played=True)
    if not may:
        assert problem_of(answer) == (403, "forbidden")
        assert room.get("/events").get_json()["version"] == room.version
    elif answer.status_code == 201:
        assert answer.get_json()["events"][0]["by"] == "leo"
    else:
        assert problem_of(answer) == (422, "unusable")


@pytest.mark.parametrize(("name", "may"), EVENTS)
def test_host_may_record_all_types(room: Table, name: str, may: bool) -> None:
    """Also events that a seat may not; events that are unusable here are so for both."""
    events_of_type = (MAY if may else MAY_NOT)[name]
    answer = room.append(events_of_type, as_played=True)
    if may:
        seat = Table.open(room.client)
        seat.do(*ROOM)
        assert (
            seat.append(events_of_type, who="leo", as_played=True).status_code == answer.status_code
        )
    else:
        assert answer.status_code == 201, answer.text
    if answer.status_code == 201:
        assert answer.get_json()["events"][0]["by"] == "keeper"


@pytest.mark.parametrize(("name", "may"), EVENTS)
def test_viewer_records_nothing(room: Table, name: str, may: bool) -> None:
    events_of_type = (MAY if may else MAY_NOT)[name]
    assert problem_of(room.append(events_of_type, who="view")) == (403, "forbidden")
    assert problem_of(room.append(events_of_type, who="")) == (401, "no_key")


def test_batch_with_a_forbidden_event_is_refused_as_a_whole(room: Table) -> None:
    note = event("note_added", text="a note")
    assert problem_of(room.append(note, event("session_closed"), who="leo")) == (403, "forbidden")
    assert room.get("/events").get_json()["version"] == room.version


# -------------------------------------------------------------------------------------- sets


def a_set(*corrections: Raw) -> list[Raw]:
    return [event("correction_begun", count=len(corrections), reason="so it was"), *corrections]


@pytest.fixture
def own(any_table: Table) -> Table:
    """Return a table at which Leo recorded a whole hand in events 3 to 5."""
    any_table.do(match())
    any_table.do(*hand(), who="leo")
    return any_table


def test_seat_strikes_several_of_its_events_together(own: Table) -> None:
    recorded_events = own.do(*a_set(struck(4), struck(5), struck(3)), who="leo")["events"]
    assert {recorded["by"] for recorded in recorded_events} == {"leo"}
    assert own.report()["matches"][0]["hands"] == []


@pytest.mark.parametrize("corrections", [
    [struck(4), struck(3)],  # not the last one
    [struck(5), struck(2)],  # of the host
    [struck(5), struck(7)],  # a member of its own set
    [struck(5), replaced(4, "bid_made", player="leo", points=4)],
    [struck(5), inserted(4, "points_counted", points={"leo": 5, "mara": 10})],
    [replaced(5, "points_counted", points={"leo": 5, "mara": 10}), struck(4)],
    [struck(5)], [],
])  # fmt: skip
def test_seat_cannot_record_another_correction_set(own: Table, corrections: list[Raw]) -> None:
    version = own.version
    begun = event("correction_begun", count=2, reason="so it was")
    assert problem_of(own.append(begun, *corrections, who="leo")) == (403, "forbidden")
    assert problem_of(own.append(begun, *corrections, who="view")) == (403, "forbidden")
    assert problem_of(own.append(begun, *corrections, who="")) == (401, "no_key")
    assert own.get("/events").get_json()["version"] == version


def test_seat_cannot_strike_events_of_another_seat_in_a_set(own: Table) -> None:
    own.do(event("score_claimed", scores={"leo": 5}), who="nina")
    for who, seqs in (("nina", (6, 5)), ("leo", (5, 6)), ("mara", (5, 4))):
        corrections = a_set(*map(struck, seqs))
        assert problem_of(own.append(*corrections, who=who)) == (403, "forbidden")


def test_seat_cannot_strike_events_of_a_confirmed_hand_in_a_set(own: Table) -> None:
    own.do(event("hand_confirmed", player="nina"), who="nina")
    assert problem_of(own.append(*a_set(struck(5), struck(4)), who="leo")) == (403, "forbidden")
    own.do(*a_set(struck(5), struck(4)))


def test_seat_cannot_strike_a_correction_set(own: Table) -> None:
    own.do(*a_set(struck(5), struck(4)), who="leo")
    for seq in (6, 7):
        assert problem_of(own.append(struck(seq), who="leo")) == (403, "forbidden")
    own.do(struck(6))


def test_correction_set_is_recorded_in_one_append(own: Table) -> None:
    begun, *corrections = a_set(struck(5), struck(4))
    for some in ([begun], [begun, corrections[0]]):
        answer = own.append(*some)
        assert problem_of(answer) == (422, "unusable")
        assert answer.get_json()["field"] == f"events.{len(some) - 1}"
        assert "ends inside the set" in answer.get_json()["detail"]
    assert own.get("/events").get_json()["version"] == own.version
    own.do(begun, *corrections, event("note_added", text="on it goes"))


def test_faulty_correction_of_a_set_is_named(own: Table) -> None:
    wrong = [replaced(4, "bid_made", player="zorro", points=4), struck(5)]
    answer = own.append(*a_set(*wrong), as_played=True)
    assert problem_of(answer) == (422, "unusable")
    assert answer.get_json()["field"] == "events.1.data.data.player"


def test_six_concurrent_sets_are_recorded_one_time(own: Table) -> None:
    corrections = a_set(struck(5), struck(4), struck(3))
    version = own.version
    answers = append_concurrently(own, [("leo", corrections)] * 6, version)
    assert sorted(answer.status_code for answer in answers) == [201, *[412] * 5]
    assert own.get("/events").get_json()["version"] == version + 4


# -------------------------------------------------------------------------------------- strikes


def test_a_seat_strikes_its_own_last_event(any_table: Table) -> None:
    any_table.do(match())
    any_table.do(event("hand_started", dealer="mara"), who="leo")
    any_table.do(event("bid_made", player="leo", points=4), who="leo")
    any_table.do(event("bid_made", player="nina", points=5), who="nina")
    assert problem_of(any_table.append(struck(3), who="leo")) == (403, "forbidden")
    assert problem_of(any_table.append(struck(5), who="leo")) == (403, "forbidden")
    any_table.do(struck(4), who="leo")  # although Nina's event follows it
    assert problem_of(any_table.append(struck(4), who="leo")) == (403, "forbidden")
    any_table.do(event("bid_made", player="leo", points=3), who="leo", as_played=True)
    any_table.do(struck(any_table.version), who="leo")
    any_table.do(struck(5), who="nina")
    assert any_table.report()["matches"][0]["hands"][0]["lines"] == []


def test_seat_strikes_the_event_before_its_struck_one(table: Table) -> None:
    table.do(match())
    table.do(event("hand_started", dealer="mara"), who="leo")
    table.do(event("bid_made", player="leo", points=4), who="leo")
    table.do(struck(4), who="leo")
    table.do(struck(3), who="leo")
    assert problem_of(table.append(struck(2), who="leo")) == (403, "forbidden")
    assert table.report()["matches"][0]["hands"] == []


def test_seat_cannot_strike_events_of_another_player(room: Table) -> None:
    room.do(event("note_added", text="mine"), who="mara")
    for who in ("leo", "nina"):
        assert problem_of(room.append(struck(room.version), who=who)) == (403, "forbidden")
    assert room.append(struck(room.version)).status_code == 201


def test_seat_cannot_strike_a_correction(room: Table) -> None:
    room.do(event("note_added", text="mine"), who="leo")
    room.do(struck(room.version), who="leo")
    assert problem_of(room.append(struck(room.version), who="leo")) == (403, "forbidden")


def test_only_the_host_corrects_a_confirmed_hand(any_table: Table) -> None:
    any_table.do(match())
    any_table.do(*hand(), who="leo")
    any_table.do(event("hand_confirmed", player="nina"), who="nina")
    assert problem_of(any_table.append(struck(5), who="leo")) == (403, "forbidden")
    any_table.do(struck(5))
    assert any_table.report()["matches"][0]["hands"][0]["confirmed"] == []


def test_seat_cannot_strike_a_confirmation(table: Table) -> None:
    """Neither immediately nor if the next hand had begun before it."""
    table.do(match(), *hand())
    table.do(event("hand_confirmed", player="leo"), who="leo")
    assert problem_of(table.append(struck(table.version), who="leo")) == (403, "forbidden")
    table.do(event("hand_started", dealer="leo"))
    table.do(event("hand_confirmed", player="nina"), who="nina")
    assert problem_of(table.append(struck(table.version), who="nina")) == (403, "forbidden")
    assert table.report()["matches"][0]["hands"][0]["confirmed"] == ["leo", "nina"]


def test_voided_confirmation_does_not_protect_the_hand(table: Table) -> None:
    table.do(match())
    table.do(*hand(), who="leo")
    table.do(event("hand_confirmed", player="nina"), who="nina")
    table.do(replaced(4, "bid_made", player="leo", points=4))
    table.do(struck(5), who="leo")


def test_a_seat_strikes_after_a_later_hand_was_confirmed(table: Table) -> None:
    table.do(match())
    table.do(*hand(), who="leo")
    table.do(*hand("leo"), who="nina")
    table.do(event("hand_confirmed", player="nina"), who="nina")
    table.do(struck(5), who="leo", as_played=True)


def test_strike_in_a_batch_is_checked_after_the_events_before_it(table: Table) -> None:
    """The batch is recorded as a whole or not at all."""
    table.do(match(), event("hand_started", dealer="mara"))
    table.do(event("bid_made", player="leo", points=4), struck(4), who="leo")
    answer = table.append(event("bid_made", player="leo", points=3), struck(4), who="leo")
    assert problem_of(answer) == (403, "forbidden")


def test_seat_cannot_abandon_a_confirmed_hand(any_table: Table) -> None:
    """Not in the same batch, either. The host may, and so may a seat without confirmations."""
    table = any_table
    abandoned = event("hand_abandoned", reason="misdeal")
    table.do(match(), *hand())
    sign = event("hand_confirmed", player="leo")
    assert problem_of(table.append(sign, abandoned, who="leo")) == (403, "forbidden")
    table.do(sign, who="leo")
    for who in ("leo", "mara"):
        assert problem_of(table.append(abandoned, who=who, as_played=True)) == (403, "forbidden")
    assert table.report()["matches"][0]["hands"][0]["scores"]["leo"] == 5
    table.do(abandoned)
    assert table.report()["matches"][0]["hands"][0]["status"] == "abandoned"
    table.do(event("hand_started", dealer="mara"))
    table.do(abandoned, who="leo")
