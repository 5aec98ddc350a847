"""Playing for money over HTTP: invalid stakes, the right to set one, and corrections of one."""

import json
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from tests.api.asking import Table, bearer, hand
from tests.evenings import Raw, event, replaced

STAKE: Final = {"currency": "EUR", "point": 10, "match": 100}
SEATS: Final = ["mara", "leo", "nina"]


def started(stake: Any) -> Raw:
    return event("match_started", game="riparto", seats=SEATS, stake=stake)


@pytest.fixture
def table(on_memory: FlaskClient) -> Table:
    return Table.open(on_memory)


@pytest.mark.parametrize(
    "stake",
    [
        '{"currency": "EUR", "point": 0.1, "match": 0}',
        '{"currency": "EUR", "point": 1e400, "match": 0}',
        '{"currency": "EUR", "point": NaN, "match": 0}',
        json.dumps({**STAKE, "point": -1}),
        json.dumps({**STAKE, "point": 10**9 + 1}),
        json.dumps({**STAKE, "point": "10"}),
        json.dumps({**STAKE, "point": None}),
        json.dumps({**STAKE, "currency": "ZZZ"}),
        json.dumps({**STAKE, "currency": "€"}),
        json.dumps({**STAKE, "more": 1}),
        "[]",
        "null",
        '{"currency": "EUR"}',
    ],
)
def test_invalid_stake_is_refused_with_a_reason(table: Table, stake: str) -> None:
    body = json.dumps({"events": [started("STAKE")]}).replace('"STAKE"', stake)
    headers = {"If-Match": '"1"', "Content-Type": "application/json", **bearer(table.keys["host"])}
    answer = table.client.post(f"{table.path}/events", data=body, headers=headers)
    assert answer.status_code == 422, answer.text
    assert answer.get_json()["detail"].startswith(("expected", "missing", "unknown field"))
    assert answer.get_json()["field"].startswith("events.0.data.stake")
    assert table.report()["session"]["events"] == 1


def test_seat_cannot_set_a_stake(table: Table) -> None:
    table.do(started(STAKE), *hand())
    assert table.append(started({**STAKE, "point": 1000}), who="leo").status_code == 403
    raised = replaced(2, "match_started", **started({**STAKE, "point": 1000})["data"])
    assert table.append(raised, who="leo").status_code == 403


def test_corrected_stake_needs_all_signatures_and_shows_the_payments(table: Table) -> None:
    table.do(started(STAKE), *hand())
    before = table.report()["matches"][0]["settlement"]["balances"]
    table.do(event("hand_disputed", player="leo", reason="too low"), who="leo")
    raised = replaced(2, "match_started", **started({**STAKE, "point": 1000})["data"])
    supposed = table.ask("POST", "/what-if", "nina", json={"corrections": [
        {"type": raised["type"], "data": raised["data"]}
    ]}).get_json()  # fmt: skip
    assert supposed["difference"] == [
        {"match": 1, "hand": None, "before": {"stake": STAKE},
         "after": {"stake": {**STAKE, "point": 1000}}}
    ]  # fmt: skip
    after = supposed["report"]["matches"][0]["settlement"]["balances"]
    assert after == {player: 100 * amount for player, amount in before.items()}
    proposal = event("correction_proposed", corrections=[raised], reason="as agreed", hand=1)
    seq = table.do(proposal, who="leo")["version"]
    for player in ("leo", "mara"):
        table.do(event("proposal_signed", proposal=seq, player=player), who=player)
    settled = event("dispute_settled", ruling="corrected", text="", proposal=seq, hand=1)
    refused = table.append(settled, raised)
    assert refused.get_json()["code"] == "no_quorum", "Nina has not signed"
    table.do(event("proposal_signed", proposal=seq, player="nina"), who="nina")
    table.do(settled, raised)
    assert table.report()["matches"][0]["settlement"]["balances"] == after


def test_rematch_is_offered_with_the_same_stake(table: Table) -> None:
    table.do(started(STAKE), *hand(), event("match_ended"))
    prompts = table.get("/next").get_json()
    again = next(prompt for prompt in prompts if prompt["type"] == "match_started")["choices"]
    assert again[0]["stake"] == STAKE
    assert all("stake" not in choice for choice in again[1:]), "off, else"
    table.do(event("match_started", **again[0]))
    assert table.report()["matches"][1]["stake"] == STAKE
