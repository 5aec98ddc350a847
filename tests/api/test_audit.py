"""``GET /api/sessions/{id}/audit``: the report with suggested corrections.

Tests of ``http.answering``.
"""

import pytest

from tests.api.answers import complaints
from tests.api.asking import Table, problem_of
from tests.evenings import Raw, as_a_set, event

PATH = "/api/sessions/{session}/audit"


def revoke() -> list[Raw]:
    """Return two tricks: Leo did not follow clubs in the first, and played one in the second."""
    cards = [("mara", "7C"), ("leo", "KD"), ("nina", "QC"), ("nina", "AC"), ("mara", "8C"),
             ("leo", "KC")]  # fmt: skip
    return [
        event("bid_made", player="mara", points=2),
        *(event("card_played", player=player, card=card) for player, card in cards),
        event("points_counted", points={"mara": 2, "leo": 4, "nina": 9}),
    ]


@pytest.fixture
def faulty(table: Table) -> Table:
    table.do(event("match_started", game="riparto", seats=["mara", "leo", "nina"]),
             event("hand_started", dealer="nina"), *revoke(), as_played=True)  # fmt: skip
    return table


@pytest.mark.parametrize("query", ["", "?suggest=0", "?match=1&hand=1"])
def test_audit_contains_the_report(faulty: Table, query: str) -> None:
    answer = faulty.get(f"/audit{query}")
    assert complaints(faulty.client, PATH, answer, "get") == []
    assert answer.get_json() == faulty.report()
    assert "revoke" in [finding["code"] for finding in answer.get_json()["findings"]]


@pytest.mark.parametrize("query", ["?suggest=1", "?suggest=1&hand=1", "?suggest=1&match=1"])
def test_audit_contains_suggestions_on_request(faulty: Table, query: str) -> None:
    answer = faulty.get(f"/audit{query}", "view")
    assert complaints(faulty.client, PATH, answer, "get") == []
    report = answer.get_json()
    suggested = report.pop("suggestions")
    searched = report.pop("searched")
    assert (searched["hands"], searched["of"]) == (1, 1)
    assert searched["tried"] > 0
    assert report == faulty.report()
    assert (suggested[0]["match"], suggested[0]["hand"]) == (1, 1)
    assert suggested[0]["resolves"] == ["revoke"]


def test_suggestion_can_be_recorded_unchanged(faulty: Table) -> None:
    first = faulty.get("/audit?suggest=1").get_json()["suggestions"][0]
    faulty.do(*as_a_set(first["corrections"]))
    report = faulty.report()
    assert report["matches"][0]["hands"][0]["scores"] == first["scores"]
    assert "revoke" not in [finding["code"] for finding in report["findings"]]


def test_suggestions_can_be_limited_to_a_hand(faulty: Table) -> None:
    faulty.do(event("hand_started", dealer="mara"), event("bid_made", player="leo", points=1),
              event("points_counted", points={"mara": 14, "leo": 1}))  # fmt: skip
    assert faulty.get("/audit?suggest=1&hand=2").get_json()["suggestions"] == []
    assert faulty.get("/audit?suggest=1&hand=1").get_json()["suggestions"] != []


def test_audit_records_nothing(faulty: Table) -> None:
    faulty.get("/audit?suggest=1")
    assert faulty.get("/events").get_json()["version"] == faulty.version


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("?suggest=yes", (400, "malformed")),
        ("?suggest=", (400, "malformed")),
        ("?hand=one", (400, "malformed")),
        ("?what=1", (400, "malformed")),
        ("?suggest=1&hand=2", (422, "unusable")),
        ("?suggest=1&match=0", (422, "unusable")),
    ],
)
def test_invalid_query_is_refused(faulty: Table, query: str, problem: tuple[int, str]) -> None:
    answer = faulty.get(f"/audit{query}")
    assert complaints(faulty.client, PATH, answer, "get") == []
    assert problem_of(answer) == problem


def test_session_without_a_match_has_no_suggestions(table: Table) -> None:
    assert table.get("/audit?suggest=1").get_json()["suggestions"] == []
