"""``/t/<session_id>/chat``: the text contains at most a key for viewing, and no other.

Tests of ``web.keeping.chat``.
"""

import re
from html import unescape
from typing import Any

import pytest

from tests.api.asking import Table, hand, match
from tests.evenings import event
from tests.web.looking import everybodys
from tests.web.pages import page_of

LINK = re.compile(r"/join/([\w-]+)")


@pytest.fixture
def table() -> Table:
    table = Table.open(everybodys())
    table.do(match(), *hand())
    return table


def chat_response(table: Table, who: str, method: str = "GET", **headers: str) -> Any:
    cookie = table.cookie(who) if who else {}
    return table.client.open(
        f"/t/{table.id}/chat", method=method,
        headers={**cookie, "Sec-Fetch-Site": "same-origin", **headers},
    )  # fmt: skip


@pytest.mark.parametrize("who", ["host", "leo", "view"])
def test_every_viewer_sees_text_and_picture_without_a_key(table: Table, who: str) -> None:
    answer = chat_response(table, who)
    page = page_of(answer)
    assert answer.status_code == 200
    assert page.wrong == []
    assert "Who pays whom" in page.words
    assert not LINK.search(answer.text)
    assert not any(key in answer.text for key in table.keys.values())
    picture = table.client.get(page.all("img")[-1]["src"], headers=table.cookie(who))
    assert picture.mimetype == "image/png"


def test_host_can_add_a_link_that_only_allows_viewing(table: Table) -> None:
    before = {key["id"] for key in table.ask("GET", "/keys").get_json()["keys"]}
    answer = chat_response(table, "host", "POST")
    assert answer.headers["Cache-Control"] == "no-store"
    [secret] = set(LINK.findall(answer.text))
    assert secret not in table.keys.values()
    keys = [key for key in table.ask("GET", "/keys").get_json()["keys"] if key["id"] not in before]
    assert [key["role"] for key in keys] == ["view"]
    with_it = {"Authorization": f"Bearer {secret}"}
    assert table.client.get(table.path, headers=with_it).status_code == 200
    assert table.client.get(f"{table.path}/keys", headers=with_it).status_code == 403
    assert not any(key in answer.text for key in table.keys.values())


@pytest.mark.parametrize(("who", "status"), [("leo", 403), ("view", 403), ("", 401)])
def test_seat_and_viewer_cannot_create_a_link(table: Table, who: str, status: int) -> None:
    answer = chat_response(table, who, "POST")
    assert answer.status_code == status
    assert not LINK.search(answer.text)


def test_request_from_another_site_creates_no_link(table: Table) -> None:
    answer = chat_response(table, "host", "POST", **{"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403
    assert not LINK.search(answer.text)


@pytest.mark.parametrize("path", ["text", "picture.png"])
def test_exports_for_programs_contain_no_key(table: Table, path: str) -> None:
    for key in table.keys.values():
        answer = table.client.get(
            f"{table.path}/{path}", headers={"Authorization": f"Bearer {key}"}
        )
        assert answer.status_code == 200
        assert b"/join/" not in answer.data
        assert key.encode() not in answer.data
    assert table.client.get(f"{table.path}/{path}").status_code == 401


def test_it_is_in_the_language_of_the_phone(table: Table) -> None:
    words = page_of(chat_response(table, "view", **{"Accept-Language": "it"})).words
    assert "Chi paga chi" in words
    text = table.client.get(
        f"{table.path}/text?language=fr&zone=Europe/Rome",
        headers={"Authorization": f"Bearer {table.keys['view']}"},
    )
    assert "Qui paie qui" in text.text
    assert text.headers["Content-Language"] == "fr"


def test_a_name_is_no_markup(table: Table) -> None:
    table.do({"type": "player_joined", "data": {"id": "eve", "name": "<b>*Eve*</b>"}})
    table.do(match("eve leo nina"), event("hand_started", dealer="leo"),
             event("bid_made", player="eve", points=5),
             event("points_counted", points={"eve": 5, "leo": 10}))  # fmt: skip
    answer = chat_response(table, "view")
    assert "<b>*Eve*</b>" not in answer.text
    assert "<b>*Eve*</b>" in page_of(answer).words


@pytest.mark.parametrize("who", ["host", "leo", "view"])
def test_the_results_are_sent_from_their_own_page(table: Table, who: str) -> None:
    """The text and the picture are those of the chat page, in the language of the phone."""
    headers = {**table.cookie(who), "Accept-Language": "it"}
    page = page_of(table.client.get(f"/t/{table.id}/results", headers=headers))
    [box] = [element for element in page.all("div") if "data-text" in element]
    text = table.client.get(box["data-text"], headers=headers)
    assert text.text.rstrip() == "\n".join(chat_lines(table, headers))
    [share] = [button for button in page.all("button") if button.get("id") == "share"]
    assert table.client.get(share["data-picture"], headers=headers).mimetype == "image/png"
    links = {link["href"] for link in page.all("a")}
    assert {share["data-picture"], f"/t/{table.id}/chat"} <= links, "for who has no scripts"


def chat_lines(table: Table, headers: Any) -> list[str]:
    """Return the text on the chat page."""
    html = table.client.get(f"/t/{table.id}/chat", headers=headers).text
    block = re.search(r"<pre[^>]*chat-text[^>]*>(.*?)</pre>", html, re.DOTALL)
    assert block is not None
    return unescape(block[1]).splitlines()


def test_nothing_is_sent_of_an_evening_before_any_match() -> None:
    table = Table.open(everybodys())
    headers = table.cookie("view")
    page = page_of(table.client.get(f"/t/{table.id}/results", headers=headers))
    assert not [element for element in page.all("div") if "data-text" in element]
