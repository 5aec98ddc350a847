"""Disputes at the table: who may say what, and when signatures are enough to correct a hand."""

from functools import cache
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from tests.api.answers import complaints
from tests.api.asking import Table, client_of, hand, match, told
from tests.evenings import Raw, by_hand, event, inserted, opening, replaced, struck
from tests.store.asking import Clock

# Event 5 of the room: the count of hand 1, and 8: a claim that comes with it.
COUNT: Final = replaced(5, "points_counted", points={"mara": 4, "leo": 11})
TRICKS: Final = replaced(5, "points_counted", points={"mara": 4, "leo": 11}, tricks={"leo": 8})
BID: Final = replaced(4, "bid_made", player="leo", points=11)
REGINA: Final = event("match_started", game="briscola_regina", seats=["mara", "leo", "nina", "ugo"])
PATH: Final = "/api/sessions/{session}/events"


def room(client: FlaskClient, players: str = "mara leo nina") -> Table:
    """A hand in events 3 to 5, disputed by Leo in 6."""
    table = Table.open(client, players)
    table.do(match(), *hand())
    table.do(event("hand_disputed", player="leo", reason="I took eleven"), who="leo")
    return table


@pytest.fixture
def disputed(on_memory: FlaskClient) -> Table:
    return room(on_memory)


def propose(table: Table, *corrections: Raw, reason: str = "counted again") -> int:
    one = event("correction_proposed", corrections=list(corrections or (COUNT,)), reason=reason,
                match=1, hand=1)  # fmt: skip
    return int(table.do(one, who="leo")["version"])


def sign(table: Table, proposal: int, *players: str) -> None:
    for player in players:
        table.do(event("proposal_signed", proposal=proposal, player=player), who=player)


def ruling(proposal: int | None = None, kind: str = "corrected") -> Raw:
    more = {} if proposal is None else {"proposal": proposal}
    return event("dispute_settled", ruling=kind, text="counted again", match=1, hand=1, **more)


def state(table: Table) -> str:
    found: str = table.report()["disputes"][-1]["state"]
    return found


def refused(table: Table, *events: Raw, **more: Any) -> str:
    """Why an append is refused; nothing of it is on record."""
    answer = table.append(*events, **more)
    assert answer.status_code in (403, 422), answer.text
    assert complaints(table.client, PATH, answer) == []
    assert table.get("/events").get_json()["version"] == table.version
    return f"{told(answer)[1]}: {answer.get_json()['detail']}"


# ------------------------------------------------------------------------- from seat to seat


def test_seats_settle_a_dispute_among_themselves(any_table: Table) -> None:
    table = any_table
    table.do(match(), *hand())
    table.do(event("hand_disputed", player="leo", reason="I took eleven"), who="leo")
    proposal = propose(table)
    sign(table, proposal, "leo", "mara", "nina")
    table.do(ruling(proposal), COUNT, who="nina", as_played=True)
    told = table.report()
    assert told["matches"][0]["hands"][0]["taken"]["leo"] == 11
    assert state(table) == "corrected"
    assert [one["by"] for one in told["disputes"][0]["proposals"][0]["signed"]] == [
        "leo", "mara", "nina"]  # fmt: skip


def test_the_last_signature_may_come_with_the_ruling(disputed: Table) -> None:
    proposal = propose(disputed)
    sign(disputed, proposal, "leo", "mara")
    last = event("proposal_signed", proposal=proposal, player="nina")
    disputed.do(last, ruling(proposal), COUNT, who="nina", as_played=True)
    assert state(disputed) == "corrected"


def test_a_seat_says_its_own_player_s_part(disputed: Table) -> None:
    proposal = propose(disputed)
    for kind in ("proposal_signed", "proposal_declined"):
        one = event(kind, proposal=proposal, player="mara")
        assert refused(disputed, one, who="nina").startswith("forbidden")
    disputed.do(event("proposal_declined", proposal=proposal, player="nina"), who="nina")
    assert state(disputed) == "open"
    assert propose(disputed, BID) == disputed.version


def test_a_host_signs_for_another_and_that_is_told(disputed: Table) -> None:
    proposal = propose(disputed)
    disputed.do(event("proposal_signed", proposal=proposal, player="mara"))
    (signed,) = disputed.report()["disputes"][0]["proposals"][0]["signed"]
    assert (signed["player"], signed["by"]) == ("mara", "keeper")


# ------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("who", ["host", "leo"])
@pytest.mark.parametrize("signers", ["", "leo", "leo mara"])
def test_too_few_signatures_correct_nothing(disputed: Table, who: str, signers: str) -> None:
    proposal = propose(disputed)
    sign(disputed, proposal, *signers.split())
    why = refused(disputed, ruling(proposal), COUNT, who=who, as_played=True)
    assert why.startswith(f"no_quorum: proposal {proposal} needs")
    assert "nina" in why
    assert "leo" not in why or not signers


@pytest.mark.parametrize("who", ["host", "leo"])
@pytest.mark.parametrize(
    "after",
    [[], [BID], [TRICKS], [event("note_added", text="")],
     [replaced(5, "points_counted", points={"mara": 4, "leo": True})]],
)  # fmt: skip
def test_other_corrections_than_those_signed_are_refused(
    disputed: Table, who: str, after: list[Raw]
) -> None:
    proposal = propose(disputed)
    sign(disputed, proposal, "leo", "mara", "nina")
    why = refused(disputed, ruling(proposal), *after, who=who, as_played=True)
    assert why.startswith("no_quorum: after the ruling the corrections of proposal 7 have to")


def test_a_seat_corrects_no_more_than_was_signed(disputed: Table) -> None:
    proposal = propose(disputed)
    sign(disputed, proposal, "leo", "mara", "nina")
    batch = [ruling(proposal), COUNT, BID]
    assert refused(disputed, *batch, who="leo", as_played=True).startswith("forbidden")
    assert refused(disputed, COUNT, ruling(proposal), who="leo").startswith("forbidden")
    disputed.do(*batch, as_played=True)


@pytest.mark.parametrize("kind", ["upheld", "unresolved", "corrected"])
def test_a_seat_rules_on_nothing_by_itself(disputed: Table, kind: str) -> None:
    assert refused(disputed, ruling(kind=kind), who="leo", as_played=True).startswith("forbidden")


def test_a_seat_strikes_no_ruling_that_all_agreed_to(disputed: Table) -> None:
    proposal = propose(disputed)
    sign(disputed, proposal, "leo", "mara", "nina")
    disputed.do(ruling(proposal), COUNT, who="nina", as_played=True)
    seq = disputed.version - 1
    assert refused(disputed, struck(seq), who="nina").startswith("forbidden")
    disputed.do(struck(seq), as_played=True)
    assert state(disputed) == "open"


def test_a_host_who_rules_alone_says_so(disputed: Table) -> None:
    assert refused(disputed, ruling(), COUNT).startswith("no_quorum")
    disputed.do(ruling(), COUNT, as_played=True)
    assert state(disputed) == "corrected"
    assert disputed.report()["disputes"][0]["settled"]["proposal"] is None


@pytest.mark.parametrize("how", ["changed", "declined", "settled"])
def test_what_is_closed_is_signed_no_more(disputed: Table, how: str) -> None:
    proposal = propose(disputed)
    sign(disputed, proposal, "leo", "mara")
    if how == "changed":
        disputed.do(BID, as_played=True)
    elif how == "declined":
        disputed.do(event("proposal_declined", proposal=proposal, player="nina"), who="nina")
    else:
        disputed.do(ruling(kind="upheld"))
    one = event("proposal_signed", proposal=proposal, player="nina")
    why = refused(disputed, one, who="nina")
    assert why.startswith(f"unusable: proposal {proposal} is closed")
    why = refused(disputed, ruling(proposal), COUNT, as_played=True)
    assert why.startswith(f"unusable: proposal {proposal} is closed")


def test_a_second_signature_and_a_useless_proposal_are_refused(disputed: Table) -> None:
    proposal = propose(disputed)
    sign(disputed, proposal, "leo")
    one = event("proposal_signed", proposal=proposal, player="leo")
    assert refused(disputed, one, who="leo").startswith("unusable: leo has signed")
    disputed.do(event("proposal_declined", proposal=proposal, player="nina"), who="nina")
    bad = event("correction_proposed", corrections=[struck(3)], reason="", match=1, hand=1)
    answer = disputed.append(bad, who="leo")
    assert told(answer) == (422, "unusable")
    assert answer.get_json()["field"] == "events.0.data.corrections.0"
    assert "event 4 cannot stand" in answer.get_json()["detail"]


def test_a_proposal_of_nothing_is_refused(disputed: Table) -> None:
    nothing = event("correction_proposed", corrections=[], reason="", match=1, hand=1)
    assert refused(disputed, nothing, who="leo") == "unusable: expected a correction at least"


def test_one_proposal_is_open_at_a_time_for_a_hand(disputed: Table) -> None:
    disputed.do(*hand(dealer="leo"))
    first = propose(disputed)
    again = event("correction_proposed", corrections=[BID], reason="", match=1, hand=1)
    why = refused(disputed, again, who="mara")
    assert why.startswith(f"unusable: proposal {first} about this hand is open")
    other = event("correction_proposed", corrections=[struck(first - 1)], reason="", hand=2)
    disputed.do(other, who="mara")


def test_a_log_that_holds_what_nobody_could_propose_here_is_taken(client: FlaskClient) -> None:
    """Its words do not count twice, and from then on the rules of the service hold."""
    log = [
        opening("mara", "leo", "nina"),
        match(), *hand(), event("hand_disputed", player="leo", reason=""),
        event("correction_proposed", corrections=[], reason=""),
        event("correction_proposed", corrections=[COUNT], reason=""),
        event("correction_proposed", corrections=[BID], reason=""),
        *[event("proposal_signed", proposal=8, player="leo")] * 2,
    ]  # fmt: skip
    answer = client.post("/api/sessions/import", data=by_hand(log),
                         content_type="application/x-ndjson")  # fmt: skip
    assert answer.status_code == 201
    table = Table(client, answer.get_json())
    signed = [one["signed"] for one in table.report()["disputes"][0]["proposals"]]
    assert [[one["player"] for one in each] for each in signed] == [[], ["leo"], []]
    sign(table, 8, "mara")
    why = refused(table, ruling(8), COUNT, as_played=True)
    assert "no_quorum: proposal 8 needs one signature of each side; missing: nina" in why
    once_more = event("proposal_signed", proposal=8, player="leo")
    assert refused(table, once_more).startswith("unusable: leo has signed")


# ------------------------------------------------------------------------------- the quorum

LATE: Final = 31 * 60  # seconds


@cache
def standing(minutes: int, quorum: str) -> tuple[FlaskClient, Clock]:
    """A client of an application with this quorum, whose clock stands still."""
    clock = Clock()
    client = client_of(correction_minutes=minutes, correction_quorum=quorum, sessions_an_hour=10**6)
    client.application.extensions["service"]._clock = clock
    return client, clock


def sides(minutes: int = 30, quorum: str = "sides") -> tuple[Table, Clock]:
    """A match of two sides of two, its hand disputed; a clock that stands still."""
    client, clock = standing(minutes, quorum)
    table = Table.open(client, "mara leo nina ugo")
    table.do(REGINA, event("hand_started", dealer="mara"))
    table.do(event("points_counted", points={"A": 70}), event("score_claimed", scores={"A": 1}),
             as_played=True)  # fmt: skip
    table.do(event("hand_disputed", player="leo", reason="51"), who="leo")
    return table, clock


FIGURE: Final = replaced(4, "points_counted", points={"A": 69})
CLAIM: Final = replaced(5, "score_claimed", scores={"A": 0})
OF_TRICKS: Final = replaced(4, "points_counted", points={"A": 69}, tricks={"A": 6})
MORE: Final = inserted(3, "bris_called", player="leo", suit="C")


@pytest.mark.parametrize(
    ("corrections", "enough"),
    [([FIGURE], True), ([FIGURE, CLAIM], True), ([CLAIM], True), ([OF_TRICKS], False),
     ([struck(5)], False), ([MORE], False), ([FIGURE, MORE], False),
     ([replaced(3, "hand_started", dealer="leo")], False)],
)  # fmt: skip
@pytest.mark.parametrize("late", [False, True])
def test_one_of_each_side_corrects_a_figure_in_time(
    corrections: list[Raw], enough: bool, late: bool
) -> None:
    table, clock = sides()
    proposal = propose(table, *corrections)
    sign(table, proposal, "leo", "nina")
    clock.go(LATE if late else LATE - 120)
    batch = ruling(proposal), *corrections
    if not enough or late:
        why = refused(table, *batch, who="leo", as_played=True)
        assert "needs a signature of every seat; missing: mara, ugo" in why
        sign(table, proposal, "mara", "ugo")
    table.do(*batch, who="leo", as_played=True)
    assert state(table) == "corrected"


def test_two_of_one_side_are_not_one_of_each() -> None:
    table, _ = sides()
    proposal = propose(table, FIGURE)
    sign(table, proposal, "leo", "ugo")
    why = refused(table, ruling(proposal), FIGURE, who="leo")
    assert "needs one signature of each side; missing: A" in why


def test_the_quorum_is_a_setting() -> None:
    for table in (sides(quorum="seats")[0], sides(minutes=0)[0]):
        table.client.application.extensions["service"]._clock.go(60)
        proposal = propose(table, FIGURE)
        sign(table, proposal, "leo", "nina")
        assert "missing: mara, ugo" in refused(table, ruling(proposal), FIGURE, who="leo")


def test_so_late_a_reason_is_needed() -> None:
    table, clock = sides()
    proposal = propose(table, FIGURE, reason=" ")
    sign(table, proposal, "mara", "leo", "nina", "ugo")
    clock.go(LATE)
    assert "needs a reason" in refused(table, ruling(proposal), FIGURE, who="leo")


def test_a_closed_session_takes_all_seats_however_recent() -> None:
    table, _ = sides()
    table.do(event("session_closed"))
    proposal = propose(table, FIGURE)
    sign(table, proposal, "leo", "nina")
    assert "missing: mara, ugo" in refused(table, ruling(proposal), FIGURE, who="leo")
    sign(table, proposal, "mara", "ugo")
    table.do(ruling(proposal), FIGURE, who="leo", as_played=True)


def test_a_claim_added_later_wins_no_time() -> None:
    table, clock = sides()
    clock.go(LATE)
    table.do(event("score_claimed", scores={"A": 2}), as_played=True, who="leo")
    proposal = propose(table, FIGURE)
    sign(table, proposal, "leo", "nina")
    assert "every seat" in refused(table, ruling(proposal), FIGURE, who="leo")


def test_a_figure_of_another_hand_is_no_matter_of_this_one() -> None:
    table, _ = sides()
    table.do(event("hand_started", dealer="leo"), event("points_counted", points={"A": 60}),
             as_played=True)  # fmt: skip
    other = replaced(8, "points_counted", points={"A": 61})
    proposed = event("correction_proposed", corrections=[other], reason="so", match=1, hand=1)
    why = refused(table, proposed, who="leo")
    assert why == "unusable: this corrects hand 2 of match 1: dispute that hand"
