"""The level of detail of a phone: its own choice, its link's, or that of the record."""

from typing import Final
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from scorekeeper.play.prompts import LEVELS
from scorekeeper.web.opening.share import link_with_code
from tests.evenings import event
from tests.web.looking import everybodys
from tests.web.pages import Page, page_of
from tests.web.tapping import Tapped
from tests.web.test_table import MADE, dealt, start, visited

__all__ = ["visited"]

OURS: Final = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def host() -> FlaskClient:
    """The phone of a host who opens tables."""
    return other(everybodys())


def opened(host: FlaskClient, level: str = "cards") -> str:
    """Return a table that was opened at this level."""
    data = {"game": "picchetto", "name": ["Mara", "Leo"], "level": level}
    answer = host.post("/new", data=data, headers=OURS)
    return str(answer.headers["Location"].split("/")[2])


def other(host: FlaskClient) -> FlaskClient:
    """Return another phone."""
    return host.application.test_client()


def links(page: Page, of: str) -> list[str]:
    """Return the links of that kind on a page, without their host."""
    links_found = [urlsplit(link["href"]) for link in page.all("a") if of in link["href"]]
    return [f"{link.path}?{link.query}" for link in links_found]


def follow(phone: FlaskClient, link: str) -> str:
    """Return the address after a phone tapped the button of a link."""
    page = page_of(phone.get(link))
    fields = {
        field["name"]: field["value"] for field in page.all("input") if field["type"] == "hidden"
    }
    answer = phone.post(
        link.split("?", maxsplit=1)[0].rpartition("/")[0], data=fields, headers=OURS
    )
    assert answer.status_code == 303
    return str(answer.headers["Location"])


def level_at(phone: FlaskClient, table: str) -> str:
    """Return the level at which a phone is shown a table."""
    elements = [
        element for element in page_of(phone.get(table)).all("div") if element.get("id") == "table"
    ]
    return elements[0]["data-level"]


@pytest.mark.parametrize("level", LEVELS)
def test_phone_that_joins_by_link_starts_at_the_level_of_the_table(
    host: FlaskClient, level: str
) -> None:
    session_id = opened(host, level)
    for link in links(page_of(host.get(f"/t/{session_id}/share")), "/join/"):
        phone = other(host)
        assert level_at(phone, follow(phone, link)) == level


def test_phone_that_joins_by_code_starts_at_the_level_of_the_table(host: FlaskClient) -> None:
    session_id = opened(host)
    code = host.application.extensions["service"].store.new_code(session_id, 900)
    chosen = {"Cookie": f"level-{session_id}=cards"}
    with host.application.test_request_context(f"/t/{session_id}/share", headers=chosen):
        way = link_with_code(session_id, code)
    assert way is not None
    phone = other(host)
    seats = page_of(phone.get(way.href))
    fields = {field["name"]: field["value"] for field in seats.all("input")}
    assert phone.post("/code", data={**fields, "seat": "leo"}, headers=OURS).status_code == 303
    assert level_at(phone, f"/t/{session_id}") == "cards"


def test_a_link_of_the_settings_has_the_level_that_the_host_chose_since(host: FlaskClient) -> None:
    session_id = opened(host, "cards")
    host.post(f"/t/{session_id}/settings/level", data={"level": "totals"}, headers=OURS)
    shown = host.post(f"/t/{session_id}/settings/link", data={"for": "as leo"}, headers=OURS)
    (link,) = set(links(page_of(shown), "/join/"))
    phone = other(host)
    assert level_at(phone, follow(phone, link)) == "totals"


def test_a_phone_that_is_there_keeps_its_own_level(host: FlaskClient) -> None:
    session_id = opened(host, "cards")
    seat, *_ = links(page_of(host.get(f"/t/{session_id}/share")), "/join/")
    phone = other(host)
    table = follow(phone, seat)
    phone.get(f"{table}?level=tricks")
    assert level_at(phone, follow(phone, seat)) == "tricks"


@pytest.mark.parametrize("level", ["", "everything", "<b>"])
def test_a_link_with_another_level_has_none(host: FlaskClient, level: str) -> None:
    session_id = opened(host)
    seat, *_ = links(page_of(host.get(f"/t/{session_id}/share")), "/join/")
    phone = other(host)
    link = seat.replace("level=cards", f"level={level}")
    assert link != seat
    assert level_at(phone, follow(phone, link)) == "tricks"


# --------------------------------------------------------------------- without a choice


def on_record(table: Tapped) -> str:
    """Return the level of a phone without a choice, and without a link that has one."""
    table.level = ""
    elements = [element for element in table.page().all("div") if element.get("id") == "table"]
    return elements[0]["data-level"]


def test_it_takes_the_level_of_the_last_hand(visited: FlaskClient) -> None:
    table = dealt(visited, "riparto")
    assert on_record(table) == "tricks"
    table.record(*MADE)
    assert on_record(table) == "totals"
    dealer = event("hand_started", dealer="mara")
    table.record(dealer, event("bid_made", player="leo", points=4))
    assert on_record(table) == "totals"
    table.record(event("card_played", player="leo", card="AS"))
    assert on_record(table) == "cards"


def test_it_takes_that_of_the_match_before_when_another_begins(visited: FlaskClient) -> None:
    table = dealt(visited, "riparto", *MADE)
    table.record(start("knock", "mara leo nina ugo"))
    assert on_record(table) == "totals"


def test_hand_with_more_facts_than_the_totals_form_is_by_tricks(visited: FlaskClient) -> None:
    shown = event("shown", player="mara", category="point", count=5)
    count = event("tricks_counted", tricks={"mara": 7}, last="leo")
    table = dealt(visited, "picchetto", shown, count)
    assert on_record(table) == "tricks"
    points = event("points_counted", points={"mara": 20, "leo": 9})
    table.record(event("hand_started", dealer="mara"), points)
    assert on_record(table) == "totals"
