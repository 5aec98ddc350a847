"""A page that can not be shown now: it says so, and offers to try again."""

import pytest

from scorekeeper.base.errors import StorageUnavailableError
from tests.api.asking import Table, client_of, match
from tests.web.pages import page_of


def test_what_fails_for_now_can_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table.open(client_of())
    table.do(match())
    service = table.client.application.extensions["service"]

    def fail(*_: object) -> None:
        raise StorageUnavailableError("the disk is full")

    monkeypatch.setattr(service, "see", fail)
    monkeypatch.setattr(service, "report", fail)
    answer = table.client.get(
        f"/t/{table.id}/results?match=1",
        headers={"Cookie": f"table-{table.id}={table.keys['view']}"},
    )
    assert answer.status_code == 503
    links = {a["href"] for a in page_of(answer).all("a")}
    assert {f"/t/{table.id}/results?match=1", "/"} <= links


def test_what_is_not_there_can_not() -> None:
    links = {a["href"] for a in page_of(client_of().get("/rules/whist")).all("a")}
    assert "/rules/whist" not in links
