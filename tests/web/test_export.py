"""``/t/<session_id>/export``: every link leads to its file, for every viewer."""

import re
from typing import Any

import pytest

from tests.api.asking import Table, hand, match
from tests.web.looking import everybodys
from tests.web.pages import page_of

KINDS = {"jsonl": "application/x-ndjson", "csv": "text/csv", "json": "application/json"}


@pytest.fixture
def table() -> Table:
    table = Table.open(everybodys())
    table.do(match(), *hand())
    return table


def get(table: Table, path: str, who: str, language: str = "en") -> Any:
    headers = {**table.cookie(who), "Accept-Language": language}
    return table.client.get(path, headers=headers)


@pytest.mark.parametrize("who", ["host", "leo", "view"])
def test_every_link_leads_to_a_file_of_its_kind(table: Table, who: str) -> None:
    answer = get(table, f"/t/{table.id}/export", who)
    page = page_of(answer)
    assert answer.status_code == 200
    assert page.wrong == []
    files = [a["href"] for a in page.all("a") if a["href"].startswith("/api/sessions/")]
    assert {f"{table.path}/log.jsonl", f"{table.path}/results.csv", table.path} <= set(files)
    assert f"{table.path}/lines.csv" in files
    for href in files:
        answer_ = get(table, href, who)
        assert answer_.status_code == 200, href
        kind = href.partition("?")[0].rpartition(".")[2]
        assert answer_.mimetype == KINDS.get(kind, answer_.mimetype)


@pytest.mark.parametrize(("language", "first"), [("it", b";"), ("fr", b";"), ("en", b",")])
def test_tables_are_parted_as_the_spreadsheets_of_the_language_do(
    table: Table, language: str, first: bytes
) -> None:
    page = page_of(get(table, f"/t/{table.id}/export", "leo", language))
    assert page.wrong == []
    tables = [a["href"] for a in page.all("a") if ".csv" in a["href"]]
    assert len(tables) == 3
    for href in tables:
        answer = get(table, href, "leo", language)
        assert answer.data.partition(b"match")[2][:1] == first
        assert answer.headers["Content-Language"] == language


def test_the_lines_for_the_verifier_name_this_log_and_its_end(table: Table) -> None:
    text = page_of(get(table, f"/t/{table.id}/export", "view")).words
    assert re.search(r"python3 verify\.py 20\d\d-\d\d-\d\d-friday\.jsonl", text)
    assert f"--count {table.version}" in text
    assert f"--head {table.head}" in text


def test_without_a_key_nothing_is_listed(table: Table) -> None:
    answer = table.client.get(f"/t/{table.id}/export")
    assert answer.status_code == 401
    assert "Friday" not in answer.text
