"""Text is compressed for clients that accept it; responses with keys are not.

Tests of ``app``.
"""

import gzip
from typing import Any

import pytest

from tests.api.asking import Table
from tests.web.looking import everybodys

GZIP = {"Accept-Encoding": "gzip, deflate"}


@pytest.fixture
def table() -> Table:
    return Table.riparto(everybodys())


@pytest.mark.parametrize("path", ["/guide", "/rules/riparto", "/static/style.css", "/verify.py"])
def test_text_is_sent_shorter(table: Table, path: str) -> None:
    whole = table.client.get(path, buffered=True).data
    answer = table.client.get(path, headers=GZIP, buffered=True)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in answer.headers["Vary"]
    assert gzip.decompress(answer.data) == whole
    assert len(answer.data) < len(whole) / 2


def test_client_without_gzip_gets_uncompressed_text(table: Table) -> None:
    assert "Content-Encoding" not in table.client.get("/").headers


def test_the_version_of_a_session_is_the_same_in_either_form(table: Table) -> None:
    table.do({"type": "bid_made", "data": {"player": "leo", "points": 5}})
    long, short = table.get(), table.get(**GZIP)
    assert short.headers["Content-Encoding"] == "gzip"
    assert long.headers["ETag"] == short.headers["ETag"] == f'"{table.version}"'
    known = table.get(If_None_Match=short.headers["ETag"], **GZIP)
    assert (known.status_code, known.data) == (304, b"")


def test_a_file_that_is_known_is_not_sent_again(table: Table) -> None:
    first = table.client.get("/static/style.css", headers=GZIP, buffered=True)
    again = table.client.get(
        "/static/style.css",
        headers={**GZIP, "If-None-Match": first.headers["ETag"]},
        buffered=True,
    )
    assert (again.status_code, again.data) == (304, b"")


def test_style_is_compressed_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    path, brotli = "/static/table.css", {"Accept-Encoding": "br"}
    first = table.client.get(path, headers=brotli)
    monkeypatch.setattr("flask_compress.flask_compress._compress_data", pytest.fail)
    again = table.client.get(f"{path}?v=1", headers=brotli)
    assert again.headers["Content-Encoding"] == "br"
    assert again.data == first.data


def test_a_part_of_a_file_is_that_part(table: Table) -> None:
    whole = table.client.get("/static/style.css", buffered=True).data
    part = table.client.get(
        "/static/style.css", headers={**GZIP, "Range": "bytes=0-999"}, buffered=True
    )
    assert part.status_code == 206
    assert part.data == whole[:1000]


def test_response_with_a_key_is_not_compressed(table: Table) -> None:
    answers: list[Any] = [
        table.client.get(f"/join/{table.keys['leo']}", headers=GZIP),
        table.get("/keys", **GZIP),
        table.client.get(
            f"/t/{table.id}/settings",
            headers={**GZIP, "Authorization": f"Bearer {table.keys['host']}"},
        ),
    ]
    for answer in answers:
        assert answer.status_code == 200
        assert len(answer.data) > 500
        assert "Content-Encoding" not in answer.headers
