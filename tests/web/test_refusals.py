"""Error pages: a temporary failure offers a retry."""

import pytest
from flask import request

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.http.bodies import MAX_FIELD_CHARACTERS, MAX_FORM_FIELDS
from tests.api.asking import Table, client_of, match
from tests.web.pages import page_of


def test_temporary_failure_offers_a_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table.open(client_of())
    table.do(match())
    service = table.client.application.extensions["service"]

    def fail(*_: object) -> None:
        raise StorageUnavailableError("the disk is full")

    monkeypatch.setattr(service, "see", fail)
    monkeypatch.setattr(service, "report", fail)
    answer = table.client.get(
        f"/t/{table.id}/results?match=1",
        headers=table.cookie("view"),
    )
    assert answer.status_code == 503
    links = {a["href"] for a in page_of(answer).all("a")}
    assert {f"/t/{table.id}/results?match=1", "/"} <= links


def test_missing_page_offers_no_retry() -> None:
    links = {a["href"] for a in page_of(client_of().get("/rules/whist")).all("a")}
    assert "/rules/whist" not in links


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/missing", 404), ("POST", "/missing", 404), ("POST", "/rules", 405)],
)
def test_authorization_of_another_scheme_breaks_no_error_page(
    method: str, path: str, status: int
) -> None:
    headers = {"Authorization": "Basic dXNlcjpwYXNz"}
    answer = client_of().open(path, method=method, headers=headers)
    assert answer.status_code == status
    assert "/" in {a["href"] for a in page_of(answer).all("a")}


def test_authorization_of_another_scheme_breaks_no_page_of_a_club() -> None:
    headers = {"Authorization": "Basic dXNlcjpwYXNz"}
    answer = client_of().post(f"/club/{'o' * 12}/missing", headers=headers)
    assert answer.status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {"club": "o" * (MAX_FIELD_CHARACTERS + 1)},
        {f"field{i}": "" for i in range(MAX_FORM_FIELDS + 1)},
        {"club": "e" + "\u0301" * 100},
    ],
)
def test_refused_form_is_not_read_for_its_error_page(body: dict[str, str]) -> None:
    with client_of() as client:
        answer = client.post("/new", data=body, headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 403
        assert "form" not in request.__dict__
