"""Scripts that work together on a page: each such group is one module, fetched as one file.

Also the versions in the addresses of static files (``web.frame.statics``).
"""

import gzip
import re

import pytest
from flask import Flask, url_for
from flask.testing import FlaskClient

from scorekeeper.web.frame.scripts import JOINED, script_group_url
from tests.web.pages import STATIC

HEAVIEST = 25 * 1024  # bytes of all scripts of the table, compressed


@pytest.mark.parametrize("name", JOINED)
def test_a_group_comes_as_one_file_that_can_be_kept(app: Flask, name: str) -> None:
    with app.test_request_context("/"):
        where = script_group_url(name)
    assert re.fullmatch(rf"/static/joined/{name}\.js\?v=[0-9a-f]{{12}}", where)
    answer = app.test_client().get(where)
    assert answer.mimetype == "text/javascript"
    assert "immutable" in answer.headers["Cache-Control"]
    for name_ in JOINED[name]:
        assert (STATIC / name_).read_bytes() in answer.data, name_


def test_no_other_group_is_there(client: FlaskClient) -> None:
    assert client.get("/static/joined/style.js").status_code == 404


def test_script_without_a_version_is_revalidated(client: FlaskClient) -> None:
    answer = client.get("/static/joined/table.js")
    assert answer.headers["Cache-Control"] == "no-cache"
    mark = answer.headers["ETag"]
    again = client.get("/static/joined/table.js", headers={"If-None-Match": mark})
    assert again.status_code == 304
    assert again.data == b""


def test_the_scripts_of_the_table_are_light(client: FlaskClient) -> None:
    assert len(gzip.compress(client.get("/static/joined/table.js").data)) <= HEAVIEST


def test_no_script_puts_anything_on_the_window() -> None:
    for path in STATIC.glob("*.js"):
        assert re.findall(r"\bwindow\.\w+ (?:\?\?)?=(?!=)", path.read_text("utf-8")) == [], (
            path.name
        )


def test_each_script_event_has_one_sender_and_a_listener() -> None:
    owners: dict[str, set[str]] = {}
    listened: set[str] = set()
    for name in JOINED["table"]:
        text = (STATIC / name).read_text("utf-8")
        assert name == "announce.js" or "CustomEvent" not in text, name
        for event in re.findall(r'announce\("([^"]+)"', text):
            owners.setdefault(event, set()).add(name)
        listened |= set(re.findall(r'document\.addEventListener\("(\w+:\w+)"', text))
    assert {event: len(files) for event, files in owners.items()} == dict.fromkeys(listened, 1)


def test_other_static_files_are_served_as_ever(app: Flask) -> None:
    with app.test_request_context("/"):
        where = url_for("static", filename="style.css")
    assert app.test_client().get(where, buffered=True).status_code == 200
