"""A session in the browsers of its players, with the cookie of a key."""

from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.session.session import Session
from tests.api.asking import NO_KEY, Table, client_of
from tests.evenings import build_report
from tests.web.pages import Page, page_of

GOLDEN: Final = Path(__file__).parents[1] / "golden"
LOGS: Final = sorted(GOLDEN.glob("*/*.jsonl"))
EVENINGS: Final = sorted(GOLDEN.glob("*/evening.jsonl"))
OWN: Final = {"Origin": "http://localhost"}


def cookie(table: Table, who: str, **more: str) -> dict[str, str]:
    """Return the header of a browser with the key of ``who``, or with none."""
    if who != NO_KEY:
        return table.cookie(who, **more)
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in more.items())}


def look(table: Table, path: str, who: str = "host", **jar: str) -> TestResponse:
    """Return the response for a page of a session."""
    return table.client.get(f"/t/{table.id}{path}", headers=cookie(table, who, **jar))


def page(table: Table, path: str, who: str = "host", status: int = 200) -> Page:
    """Return a page of a session, which must be well formed."""
    answer = look(table, path, who)
    assert answer.status_code == status, answer.text
    page_ = page_of(answer)
    assert page_.wrong == []
    return page_


def post(table: Table, path: str, who: str = "host", **form: Any) -> TestResponse:
    """Return the response to a form of one of our pages."""
    headers = {**cookie(table, who), **OWN}
    return table.client.post(f"/t/{table.id}{path}", data=form, headers=headers)


@cache
def everybodys() -> FlaskClient:
    """An application in which each test has sessions of its own."""
    return client_of(sessions_an_hour=100_000, failed_keys_an_hour=100_000)


def brought_in(log: str | bytes, client: FlaskClient | None = None) -> Table:
    """Return the session of an imported log."""
    client = client or everybodys()
    answer = client.post("/api/sessions/import", data=log, content_type="application/x-ndjson")
    assert answer.status_code == 201, answer.text
    return Table(client, answer.get_json())


@lru_cache(maxsize=16)
def shown(log: str | bytes) -> Table:
    """Return the session of a log, for a viewer."""
    return brought_in(log)


@lru_cache(maxsize=8)
def report_of(log: bytes) -> dict[str, Any]:
    """Return the report of a log, for a reader."""
    return build_report(Session.read(BytesIO(log)))


def forms(page_: Page) -> dict[str, dict[str, str]]:
    """Return the hidden fields of each form of a page, by the last part of its address."""
    fields_by_form: dict[str, dict[str, str]] = {}
    name = ""
    for tag, attrs in page_.tags:
        if tag == "form":
            name = attrs["action"].rpartition("/")[2]
            fields_by_form.setdefault(name, {})
        elif tag == "input" and attrs.get("type") == "hidden" and name:
            fields_by_form[name].setdefault(attrs["name"], attrs["value"])
    return fields_by_form
