"""The document names every refusal of a read, also where the log has no times.

Tests of ``api.exports``.
"""

import pytest
from flask.testing import FlaskClient

from tests.api.answers import EVENING, NDJSON, document, undocumented_problem
from tests.api.asking import Table
from tests.api.clubbing import Circle
from tests.evenings import event

QUERIES = ("", "?zone=Nowhere", "?language=xx", "?hand=9&match=9", "?player=zoe", "?season=none",
           "?suggest=1", "?since=99", "?from=9999-12-31")  # fmt: skip
REFUSED = {("/api/sessions/{session}/evening.ics", ""): "unusable"}  # by the call and its query


@pytest.fixture
def untimed(on_memory: FlaskClient) -> Table:
    """Return a session of an imported log without times."""
    answer = on_memory.post("/api/sessions/import", data=EVENING, content_type=NDJSON)
    return Table(on_memory, answer.get_json())


@pytest.fixture
def circle(untimed: Table) -> Circle:
    """Return a club whose only evening has no times."""
    circle = Circle.open(untimed.client)
    players = {player: player for player in ("mara", "leo", "nina")}
    circle.do(
        event("evening_entered", session=untimed.id, players=players), keys=[untimed.keys["host"]]
    )
    return circle


def reads(client: FlaskClient, owner: str) -> list[str]:
    """Return the paths of all reads of a session or a club that end."""
    return [
        path
        for path, methods in document(client)["paths"].items()
        if "get" in methods and f"{{{owner}}}" in path and not path.endswith("/stream")
    ]


@pytest.mark.parametrize("query", QUERIES)
def test_refused_reads_of_a_session_without_times_are_documented(
    untimed: Table, query: str
) -> None:
    for path in reads(untimed.client, "session"):
        answer = untimed.get(path.removeprefix("/api/sessions/{session}") + query)
        assert undocumented_problem(untimed.client, path, answer) == "", (path, answer.text)
        if (path, query) in REFUSED:
            assert answer.get_json()["code"] == REFUSED[path, query]


@pytest.mark.parametrize("query", QUERIES)
def test_refused_reads_of_a_club_without_times_are_documented(circle: Circle, query: str) -> None:
    for path in reads(circle.client, "club"):
        rest = path.removeprefix("/api/clubs/{club}").replace("{member}", "mara")
        answer = circle.get(rest + query)
        assert undocumented_problem(circle.client, path, answer) == "", (path, answer.text)
