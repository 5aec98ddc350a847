"""Names, titles and days put right over the API: who may, when, and what it leaves alone."""

from flask.testing import FlaskClient

from tests.api.asking import Table, hand, match, session_body
from tests.evenings import Raw, event, inserted

BY_LEO = event("player_renamed", player="leo", name="Leonardo")
BY_HOST = event("player_renamed", player="mara", name="Maria")
TITLE = event("session_described", title="Saturday", date="2025-02-01")


def names(table: Table) -> list[str]:
    return [player["name"] for player in table.report()["session"]["players"]]


def accepted(client: FlaskClient) -> Table:
    """Return a table whose first hand every side has accepted."""
    table = Table.open(client)
    table.do(match(), *hand())
    for player in ("mara", "leo", "nina"):
        table.do(event("hand_confirmed", player=player), who=player)
    return table


def test_session_is_opened_with_its_day(on_memory: FlaskClient) -> None:
    body = {**session_body("mara", "leo"), "date": "2024-02-29"}
    opened = on_memory.post("/api/sessions", json=body)
    assert opened.status_code == 201
    table = Table(on_memory, opened.get_json())
    assert table.report()["session"]["date"] == "2024-02-29"


def test_no_session_is_opened_on_a_day_that_never_was(on_memory: FlaskClient) -> None:
    answer = on_memory.post("/api/sessions", json={**session_body("mara"), "date": "2025-02-29"})
    assert answer.status_code == 422
    assert "2025-02-29" in answer.get_data(as_text=True)


def test_accepted_hand_stays_accepted_with_other_names(on_memory: FlaskClient) -> None:
    table = accepted(on_memory)
    before: Raw = table.report()
    table.do(BY_LEO, who="leo")
    table.do(BY_HOST, TITLE)
    after: Raw = table.report()
    assert names(table) == ["Maria", "Leonardo", "Nina"]
    assert after["matches"][0]["hands"][0]["confirmed"] == ["mara", "leo", "nina"]
    assert after["matches"][0]["totals"] == before["matches"][0]["totals"]


def test_seat_takes_its_own_new_name_back(on_memory: FlaskClient) -> None:
    table = Table.open(on_memory)
    table.do(BY_LEO, who="leo")
    strike = event("event_struck", seq=table.version, reason="not yet")
    table.do(strike, who="leo")
    assert names(table) == ["Mara", "Leo", "Nina"]


def test_names_and_day_change_after_the_close(on_memory: FlaskClient) -> None:
    table = accepted(on_memory)
    table.do(event("session_closed"))
    table.do(BY_LEO, who="leo")
    table.do(BY_HOST, TITLE)
    assert table.report()["session"]["title"] == "Saturday"
    assert names(table) == ["Maria", "Leonardo", "Nina"]


def test_key_of_another_session_and_a_revoked_one_rename_nobody(on_memory: FlaskClient) -> None:
    table, other = Table.open(on_memory), Table.open(on_memory)
    table.keys["other"] = other.keys["leo"]
    assert table.append(BY_LEO, who="other").status_code == 403
    assert table.append(BY_LEO, who="view").status_code == 403
    keys = table.get("/keys").get_json()["keys"]
    seat = next(key["id"] for key in keys if key["player"] == "leo")
    assert table.ask("DELETE", f"/keys/{seat}").status_code == 204
    assert table.append(BY_LEO, who="leo").status_code == 401
    assert names(table) == ["Mara", "Leo", "Nina"]


def test_proposal_of_seats_renames_nobody_and_describes_nothing(on_memory: FlaskClient) -> None:
    """Seats alone would do for the evening what is for its host."""
    table = Table.open(on_memory)
    table.do(match(), *hand(), event("hand_disputed", player="mara", reason="no", hand=1))
    own = inserted(4, "player_renamed", player="leo", name="Leonardo")
    for correction in (own, inserted(4, "session_described", title="Z", date="2020-01-01")):
        proposal = event(
            "correction_proposed", corrections=[correction], reason="x", match=1, hand=1
        )
        refused = table.append(proposal, who="leo")
        assert refused.status_code == 422
        assert refused.get_json()["field"].startswith("events.0.data.corrections")
    assert names(table) == ["Mara", "Leo", "Nina"]


def test_repeated_request_renames_once(on_memory: FlaskClient) -> None:
    table = Table.open(on_memory)
    at = table.version
    first = table.append(BY_LEO, who="leo", key="once", at=at)
    again = table.append(BY_LEO, who="leo", key="once", at=at)
    assert (first.status_code, again.data) == (201, first.data)
    assert table.version == at + 1
