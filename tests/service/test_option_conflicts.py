"""Options without effect are refused, and older logs with them stay usable.

Tests of ``service.option_conflicts``.
"""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.asking import Table, client_of, problem_of
from tests.evenings import Raw, by_hand, event, inserted, opening, replaced, score

SEATS = ["mara", "leo", "nina", "ugo", "zoe"]
IDLE = {"next_double": ["weak_hand"]}  # and nobody may ask for a new deal


def chiamata(**options: Any) -> Raw:
    more = {"options": options} if options else {}
    return event("match_started", game="briscola_chiamata", seats=SEATS, **more)


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return client_of(sessions_an_hour=10**6)


def test_a_match_is_not_opened_and_both_options_are_named(client: FlaskClient) -> None:
    table = Table.open(client, " ".join(SEATS))
    answer = table.append(chiamata(**IDLE))
    assert problem_of(answer) == (422, "unusable")
    problem = answer.get_json()
    assert problem["field"] == "events.0.data.options.next_double"
    assert "next_double" in problem["detail"]
    assert "redeal_max_points" in problem["detail"]
    table.do(chiamata(**IDLE, redeal_max_points=2))


def test_no_correction_or_proposal_adds_an_option_without_effect(client: FlaskClient) -> None:
    table = Table.open(client, " ".join(SEATS))
    table.do(chiamata(), event("hand_started", dealer="mara"),
             event("bid_made", player="leo", bid="J"), event("partner_revealed", player="nina"),
             event("outcome_recorded", made=True),
             event("hand_disputed", player="leo", reason="doubled"))  # fmt: skip
    match = chiamata(**IDLE)["data"]
    change = replaced(2, "match_started", **match)
    proposal = event("correction_proposed", corrections=[change], reason="so we play")
    begun = event("correction_begun", count=2, reason="so we play")
    note = inserted(2, "note_added", text="new rules")
    earlier = inserted(1, "match_started", **match)
    for sent in ([change], [earlier], [proposal], [begun, change, note]):
        answer = table.append(*sent, as_played=True)
        assert problem_of(answer) == (422, "unusable"), sent
        assert answer.get_json()["field"].endswith("data.options.next_double")
    allowed = replaced(2, "match_started", **chiamata(**IDLE, four_twos=True)["data"])
    table.do(event("correction_proposed", corrections=[allowed], reason="so we play"))


def test_an_older_log_is_scored_imported_and_corrected_as_it_is(client: FlaskClient) -> None:
    file = by_hand([opening(*SEATS), chiamata(**IDLE), event("hand_started", dealer="mara")])
    assert score(file)["findings"] == []
    answer = client.post("/api/sessions/import", data=file, content_type="application/x-ndjson")
    assert answer.status_code == 201
    table = Table(client, answer.get_json())
    seats = [*SEATS[1:], SEATS[0]]
    table.do(replaced(2, "match_started", **{**chiamata(**IDLE)["data"], "seats": seats}))
