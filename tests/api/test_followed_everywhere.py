"""After the revocation of its key no address of a club shows anything newer of an evening.

Tests of ``service.folded_club``, ``api.followers`` and of all pages of a club, from outside.
"""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from flask.testing import FlaskClient
from werkzeug.http import parse_cookie

from tests.api.asking import Table, bearer
from tests.api.clubbing import Circle, entering, evening
from tests.api.test_followed import corrected_later, revoke
from tests.api.worlds import alike, application
from tests.evenings import event

ENDLESS: Final = "/stream"
PHONE: Final = re.compile(rb'name="phone" value="[^"]*"')  # random, made with each form
OPENED_BY_A_CLUB: Final = {"club", "club_id", "session", "session_id"}


def addresses(circle: Circle, table: Table) -> Iterator[str]:
    """Yield every address that shows something of a club or of a session."""
    application = circle.client.application
    build = application.url_map.bind("localhost").build
    values = {
        "club": circle.id, "club_id": circle.id, "session": table.id, "session_id": table.id,
        "member": "leo", "season": "autumn", "match": 1, "hand": 1, "seq": 2,
    }  # fmt: skip
    for rule in application.url_map.iter_rules():
        shows = "GET" in (rule.methods or ()) and rule.arguments & OPENED_BY_A_CLUB
        if shows and not rule.rule.endswith(ENDLESS):
            yield build(rule.endpoint, {name: values.get(name, "x") for name in rule.arguments},
                        method="GET")  # fmt: skip


def everything(circle: Circle, table: Table) -> dict[str, tuple[int, bytes]]:
    """Return the answers to the club's host at every address: to a phone, and to a program."""
    answer = circle.client.post("/join", data={"key": circle.keys["host"]})
    held = parse_cookie(answer.headers["Set-Cookie"].partition(";")[0])["phone"]
    read = {}
    for path in addresses(circle, table):
        api = path.startswith("/api")
        headers = bearer(circle.keys["host"]) if api else {"Cookie": f"phone={held}"}
        answer_ = circle.client.get(path, headers=headers)
        read[path] = answer_.status_code, PHONE.sub(b"", answer_.data)
    return read


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """An application whose clock stands still, and whose forms have all the same keys."""
    alike(monkeypatch)
    return application()


@pytest.mark.parametrize("who", ["view", "leo"])
def test_no_address_shows_anything_newer_than_the_revocation(client: FlaskClient, who: str) -> None:
    circle, table = Circle.open(client), evening(client)
    circle.do(event("season_opened", id="autumn", name="Autumn", games=["riparto"],
                    ranking="points", **{"from": "2026-01-01"}))  # fmt: skip
    circle.do(entering(table), keys=[table.keys[who]])
    followed = everything(circle, table)
    table.do(event("note_added", text="x"))
    revoke(table, table.key_ids()[who][0])
    before = everything(circle, table)
    corrected_later(table)
    after = everything(circle, table)
    assert [path for path in before if before[path] != after[path]] == []
    opened = [path for path, (status, _) in after.items() if status == 200]
    assert len(opened) > 25
    assert {path.split("/")[1] for path in opened} == {"api", "club", "t"}
    assert followed[f"/club/{circle.id}"] != after[f"/club/{circle.id}"]  # no longer followed
