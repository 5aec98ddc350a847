"""Disputes: the rights of each key, and the signatures that suffice to correct a hand."""

from functools import cache
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from tests.api.answers import complaints
from tests.api.asking import Table, client_of, hand, match, problem_of
from tests.evenings import Raw, by_hand, event, inserted, opening, replaced, struck
from tests.store.asking import Clock

# Event 5 of the table: the count of hand 1, and 8: a claim recorded with it.
COUNT: Final = replaced(5, "points_counted", points={"mara": 4, "leo": 11})
TRICKS: Final = replaced(5, "points_counted", points={"mara": 4, "leo": 11}, tricks={"leo": 8})
BID: Final = replaced(4, "bid_made", player="leo", points=11)
REGINA: Final = event("match_started", game="briscola_regina", seats=["mara", "leo", "nina", "ugo"])
PATH: Final = "/api/sessions/{session}/events"


def room(client: FlaskClient, players: str = "mara leo nina") -> Table:
    """Record a hand in events 3 to 5, disputed by Leo in 6."""
    table = Table.open(client, players)
    table.do(match(), *hand())
    table.do(event("hand_disputed", player="leo", reason="I took eleven"), who="leo")
    return table


@pytest.fixture
def disputed(on_memory: FlaskClient) -> Table:
    return room(on_memory)


def propose(table: Table, *corrections: Raw, reason: str = "counted again") -> int:
    proposal = event("correction_proposed", corrections=list(corrections or (COUNT,)),
                     reason=reason, match=1, hand=1)  # fmt: skip
    return int(table.do(proposal, who="leo")["version"])


def sign(table: Table, proposal: int, *players: str) -> None:
    for player in players:
        table.do(event("proposal_signed", proposal=proposal, player=player), who=player)


def ruling(proposal: int | None = None, kind: str = "corrected") -> Raw:
    """Return the event that settles the dispute of the first hand."""
    more = {} if proposal is None else {"proposal": proposal}
    return event("dispute_settled", ruling=kind, text="counted again", match=1, hand=1, **more)


def state(table: Table) -> str:
    state_of_dispute: str = table.report()["disputes"][-1]["state"]
    return state_of_dispute


def refused(table: Table, *events: Raw, **more: Any) -> str:
    """Return why an append is refused; check that nothing is recorded."""
    answer = table.append(*events, **more)
    assert answer.status_code in (403, 422), answer.text
    assert complaints(table.client, PATH, answer) == []
    assert table.get("/events").get_json()["version"] == table.version
    return f"{problem_of(answer)[1]}: {answer.get_json()['detail']}"


# ------------------------------------------------------------------------- from seat to seat


def test_seats_settle_a_dispute_among_themselves(any_table: Table) -> None:
    table = any_table
    table.do(match(), *hand())
    table.do(event("hand_disputed", player="leo", reason="I took eleven"), who="leo")
    proposal = propose(table)
    sign(table, proposal, "leo", "mara", "nina")
    table.do(ruling(proposal), COUNT, who="nina", as_played=True)
    report = table.report()
    assert report["matches"][0]["hands"][0]["taken"]["leo"] == 11
    assert state(table) == "corrected"
    assert [signature["by"] for signature in report["disputes"][0]["proposals"][0]["signed"]] == [
        "leo", "mara", "nina"]  # fmt: skip


def test_last_signature_may_be_sent_with_the_ruling(disputed: Table) -> None:
    proposal = propose(disputed)
    sign(disputed, proposal, "leo", "mara")
    last = event("proposal_signed", proposal=proposal, player="nina")
    disputed.do(last, ruling(proposal), COUNT, who="nina", as_played=True)
    assert state(disputed) == "corrected"


def test_seat_signs_only_for_its_own_player(disputed: Table) -> None:
    proposal = propose(disputed)
    for kind in ("proposal_signed", "proposal_declined"):
        word = event(kind, proposal=proposal, player="mara")
        assert refused(disputed, word, who="nina").startswith("forbidden")
    disputed.do(event("proposal_declined", proposal=proposal, player="nina"), who="nina")
    assert state(disputed) == "open"
    assert propose(disputed, BID) == disputed.version


def test_signature_by_the_host_for_a_player_is_reported(disputed: Table) -> None:
    proposal = propose(disputed)
    disputed.do(event("proposal_signed", proposal=proposal, player="mara"))
    (signed,) = disputed.report()["disputes"][0]["proposals"][0]["signed"]
    assert (signed["player"], signed["by"]) == ("mara", "keeper")


# ------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("who", ["host", "leo"])
@pytest.mark.parametrize("signers", ["", "leo", "leo mara"])
def test_too_few_signatures_do_not_correct(disputed: Table, who: str, signers: str) -> None:
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
def test_corrections_that_differ_from_the_signed_ones_are_refused(
    disputed: Table, who: str, after: list[Raw]
) -> None:
    proposal = propose(disputed)
    sign(disputed, proposal, "leo", "mara", "nina")
    why = refused(disputed, ruling(proposal), *after, who=who, as_played=True)
    assert why.startswith("no_quorum: after the ruling the corrections of proposal 7 have to")


def test_seat_cannot_correct_more_than_was_signed(disputed: Table) -> None:
    proposal = propose(disputed)
    sign(disputed, proposal, "leo", "mara", "nina")
    batch = [ruling(proposal), COUNT, BID]
    assert refused(disputed, *batch, who="leo", as_played=True).startswith("forbidden")
    assert refused(disputed, COUNT, ruling(proposal), who="leo").startswith("forbidden")
    disputed.do(*batch, as_played=True)


@pytest.mark.parametrize("kind", ["upheld", "unresolved", "corrected"])
def test_seat_cannot_rule_alone(disputed: Table, kind: str) -> None:
    assert refused(disputed, ruling(kind=kind), who="leo", as_played=True).startswith("forbidden")


def test_seat_cannot_strike_an_agreed_ruling(disputed: Table) -> None:
    proposal = propose(disputed)
    sign(disputed, proposal, "leo", "mara", "nina")
    disputed.do(ruling(proposal), COUNT, who="nina", as_played=True)
    seq = disputed.version - 1
    assert refused(disputed, struck(seq), who="nina").startswith("forbidden")
    disputed.do(struck(seq), as_played=True)
    assert state(disputed) == "open"


def test_ruling_of_the_host_alone_is_marked(disputed: Table) -> None:
    assert refused(disputed, ruling(), COUNT).startswith("no_quorum")
    disputed.do(ruling(), COUNT, as_played=True)
    assert state(disputed) == "corrected"
    assert disputed.report()["disputes"][0]["settled"]["proposal"] is None


@pytest.mark.parametrize("how", ["changed", "declined", "settled"])
def test_closed_proposal_cannot_be_signed(disputed: Table, how: str) -> None:
    proposal = propose(disputed)
    sign(disputed, proposal, "leo", "mara")
    if how == "changed":
        disputed.do(BID, as_played=True)
    elif how == "declined":
        disputed.do(event("proposal_declined", proposal=proposal, player="nina"), who="nina")
    else:
        disputed.do(ruling(kind="upheld"))
    word = event("proposal_signed", proposal=proposal, player="nina")
    why = refused(disputed, word, who="nina")
    assert why.startswith(f"unusable: proposal {proposal} is closed")
    why = refused(disputed, ruling(proposal), COUNT, as_played=True)
    assert why.startswith(f"unusable: proposal {proposal} is closed")


def test_second_signature_and_proposal_without_effect_are_refused(disputed: Table) -> None:
    proposal = propose(disputed)
    sign(disputed, proposal, "leo")
    word = event("proposal_signed", proposal=proposal, player="leo")
    assert refused(disputed, word, who="leo").startswith("unusable: leo has signed")
    disputed.do(event("proposal_declined", proposal=proposal, player="nina"), who="nina")
    bad = event("correction_proposed", corrections=[struck(3)], reason="", match=1, hand=1)
    answer = disputed.append(bad, who="leo")
    assert problem_of(answer) == (422, "unusable")
    assert answer.get_json()["field"] == "events.0.data.corrections.0"
    assert "event 4 is no longer valid" in answer.get_json()["detail"]


def test_empty_proposal_is_refused(disputed: Table) -> None:
    nothing = event("correction_proposed", corrections=[], reason="", match=1, hand=1)
    assert refused(disputed, nothing, who="leo") == "unusable: expected a correction at least"


def test_hand_has_one_open_proposal_at_a_time(disputed: Table) -> None:
    disputed.do(*hand(dealer="leo"))
    first = propose(disputed)
    again = event("correction_proposed", corrections=[BID], reason="", match=1, hand=1)
    why = refused(disputed, again, who="mara")
    assert why.startswith(f"unusable: proposal {first} about this hand is open")
    other = event("correction_proposed", corrections=[struck(first - 1)], reason="", hand=2)
    disputed.do(other, who="mara")


def test_log_with_proposals_that_the_service_refuses_is_imported(client: FlaskClient) -> None:
    """Its signatures do not count twice, and the rules of the service apply from then on."""
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
    signed = [proposal["signed"] for proposal in table.report()["disputes"][0]["proposals"]]
    assert [[signature["player"] for signature in signatures] for signatures in signed] == [
        [],
        ["leo"],
        [],
    ]
    sign(table, 8, "mara")
    why = refused(table, ruling(8), COUNT, as_played=True)
    assert "no_quorum: proposal 8 needs one signature of each side; missing: nina" in why
    once_more = event("proposal_signed", proposal=8, player="leo")
    assert refused(table, once_more).startswith("unusable: leo has signed")


# ------------------------------------------------------------------------------- the quorum

LATE: Final = 31 * 60  # seconds


@cache
def standing(minutes: int, quorum: str) -> tuple[FlaskClient, Clock]:
    """Return a client of an application with this quorum, and its stopped clock."""
    clock = Clock()
    client = client_of(correction_minutes=minutes, correction_quorum=quorum, sessions_an_hour=10**6)
    client.application.extensions["service"]._clock = clock
    return client, clock


def sides(minutes: int = 30, quorum: str = "sides") -> tuple[Table, Clock]:
    """Record a match of two sides of two with a disputed hand; return it with a stopped clock."""
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
def test_one_player_of_each_side_corrects_a_figure_in_time(
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


def test_two_players_of_one_side_do_not_suffice() -> None:
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


def test_late_correction_needs_a_reason() -> None:
    table, clock = sides()
    proposal = propose(table, FIGURE, reason=" ")
    sign(table, proposal, "mara", "leo", "nina", "ugo")
    clock.go(LATE)
    assert "needs a reason" in refused(table, ruling(proposal), FIGURE, who="leo")


def test_closed_session_needs_all_signatures_even_if_recent() -> None:
    table, _ = sides()
    table.do(event("session_closed"))
    proposal = propose(table, FIGURE)
    sign(table, proposal, "leo", "nina")
    assert "missing: mara, ugo" in refused(table, ruling(proposal), FIGURE, who="leo")
    sign(table, proposal, "mara", "ugo")
    table.do(ruling(proposal), FIGURE, who="leo", as_played=True)


def test_later_claim_does_not_extend_the_time() -> None:
    table, clock = sides()
    clock.go(LATE)
    table.do(event("score_claimed", scores={"A": 2}), as_played=True, who="leo")
    proposal = propose(table, FIGURE)
    sign(table, proposal, "leo", "nina")
    assert "every seat" in refused(table, ruling(proposal), FIGURE, who="leo")


def test_figure_of_another_hand_cannot_be_corrected_in_this_dispute() -> None:
    table, _ = sides()
    table.do(event("hand_started", dealer="leo"), event("points_counted", points={"A": 60}),
             as_played=True)  # fmt: skip
    other = replaced(8, "points_counted", points={"A": 61})
    proposed = event("correction_proposed", corrections=[other], reason="so", match=1, hand=1)
    why = refused(table, proposed, who="leo")
    assert why == "unusable: this corrects hand 2 of match 1: dispute that hand"
