"""A correction cannot record an event that would be refused by itself.

Tests of ``service.put_in``.
"""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.asking import Table, client_of, hand, match, problem_of
from tests.evenings import Raw, event, inserted, replaced


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return client_of(sessions_an_hour=10**6)


@pytest.fixture
def disputed(client: FlaskClient) -> Table:
    """Return a table with a dispute, a proposal that Mara signed, and a note after it."""
    table = Table.open(client)
    table.do(match(), *hand(), event("hand_disputed", player="mara", reason="four"), as_played=True)
    table.do(event("correction_proposed", corrections=[COUNT], reason="four"))
    table.do(event("proposal_signed", player="mara", proposal=7), event("note_added", text="x"))
    return table


COUNT = replaced(5, "points_counted", points={"leo": 4, "mara": 11, "nina": 0})
LATECOMER = inserted(5, "player_joined", id="zoe", name="Zoe")
REFUSED: dict[str, tuple[str, Raw]] = {
    "another proposal": ("correction_proposed", {"corrections": [COUNT], "reason": "again"}),
    "a proposal beyond the hand": (
        "correction_proposed", {"corrections": [LATECOMER], "reason": "who"},
    ),
    "a second signature": ("proposal_signed", {"player": "mara", "proposal": 7}),
    "a ruling without signatures": ("dispute_settled", {"ruling": "corrected", "text": "four"}),
    "a ruling by a proposal": (
        "dispute_settled", {"ruling": "corrected", "text": "four", "proposal": 7},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "data"), REFUSED.values(), ids=REFUSED)
def test_correction_with_an_event_that_would_be_refused_is_refused_alike(
    disputed: Table, kind: str, data: Any
) -> None:
    plain = problem_of(disputed.append(event(kind, **data)))
    assert plain[0] == 422
    for correction in (inserted(disputed.version, kind, **data), replaced(9, kind, **data)):
        assert problem_of(disputed.append(correction)) == plain
    assert disputed.get("/events").get_json()["version"] == 9


def test_recorded_events_can_be_reworded(disputed: Table) -> None:
    for words in ("in words", "in other words"):
        disputed.do(replaced(7, "correction_proposed", corrections=[COUNT], reason=words))
    beyond = replaced(7, "correction_proposed", corrections=[LATECOMER], reason="in words")
    answer = disputed.append(beyond)
    assert problem_of(answer) == (422, "unusable")
    assert answer.get_json()["field"].startswith("events.0.data.data.corrections")
    ruling = {"ruling": "corrected", "text": "four"}
    disputed.do(event("dispute_settled", **ruling), COUNT, as_played=True)
    seq = disputed.version - 1
    disputed.do(replaced(seq, "dispute_settled", **{**ruling, "text": "four, as counted"}))
