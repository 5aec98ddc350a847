"""A phone that takes a key gets a new secret, so that an attacker with the old one gains nothing.

Tests of ``web.phone.secret``.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from tests.api.asking import Table
from tests.api.routes import code_of
from tests.web.looking import everybodys
from tests.web.pages import page_of

OURS: Final = {"Sec-Fetch-Site": "same-origin"}
BEFORE: Final = "phone-before"


class Browser:
    """A browser with its cookies."""

    def __init__(self, phone: str = "") -> None:
        self.client: FlaskClient = everybodys().application.test_client()
        if phone:
            self.client.set_cookie("phone", phone)

    @property
    def phone(self) -> str:
        """Return the secret of the phone."""
        cookie = self.client.get_cookie("phone")
        return cookie.value if cookie else ""

    def form(self, path: str, action: str) -> dict[str, str]:
        """Return the hidden fields of the page's form for ``action``."""
        page = page_of(self.client.get(path))
        assert action in {form["action"] for form in page.all("form")}
        hidden = [field for field in page.all("input") if field.get("type") == "hidden"]
        return {field["name"]: field.get("value", "") for field in hidden}

    def post(self, path: str, **data: Any) -> str:
        """Send a form; return the path to which the response redirects."""
        answer = self.client.post(path, data=data, headers=OURS)
        assert answer.status_code < 400, answer.text
        return urlsplit(answer.headers.get("Location", path)).path

    def may(self, path: str) -> bool:
        """Return whether a page opens."""
        return self.client.get(path).status_code == 200


def by_link(who: str) -> Callable[[Browser, Table], str]:
    def take(browser: Browser, table: Table) -> str:
        form = browser.form(f"/join/{table.keys[who]}", "/join")
        return browser.post("/join", **form)

    return take


def by_code(seat: str) -> Callable[[Browser, Table], str]:
    def take(browser: Browser, table: Table) -> str:
        form = browser.form(f"/code?code={code_of(table)}", "/code")
        return browser.post("/code", **form, seat=seat)

    return take


def by_opening(browser: Browser, table: Table) -> str:
    del table
    form = browser.form("/new", "/new")
    there = browser.post("/new", **form, name=["Mara", "Leo", "Nina"], me="0")
    return there.removesuffix("/share")


def by_a_club(browser: Browser, table: Table) -> str:
    del table
    form = browser.form("/club/new", "/club/new")
    return browser.post("/club/new", **form, name="Circolo", members="Mara\nLeo", money="no")


WAYS_TO_TAKE_A_KEY: Final[dict[str, Callable[[Browser, Table], str]]] = {
    "the host's link": by_link("host"), "a seat's link": by_link("leo"),
    "a link to look on": by_link("view"), "a code and a seat": by_code("nina"),
    "a code to look on": by_code(""), "a new table": by_opening, "a new club": by_a_club,
}  # fmt: skip


@pytest.fixture
def table() -> Table:
    return Table.open(everybodys())


@pytest.mark.parametrize("take", WAYS_TO_TAKE_A_KEY.values(), ids=WAYS_TO_TAKE_A_KEY)
def test_a_planted_cookie_is_worth_nothing(
    table: Table, take: Callable[[Browser, Table], str]
) -> None:
    planter, mine = Browser(), Table.open(everybodys())
    by_link("host")(planter, mine)
    planted = planter.phone
    victim = Browser(planted)
    there = take(victim, table)
    known = Browser(planted)
    assert victim.phone != planted
    assert not known.may(there)
    assert victim.may(there)  # from here on the victim's browser has shown its new secret
    assert not Browser(planted).may(there)
    assert victim.may(f"/t/{mine.id}")
    assert victim.client.get_cookie(BEFORE) is None


def test_the_seat_beside_the_host_is_not_shared(table: Table) -> None:
    planter, mine = Browser(), Table.open(everybodys())
    by_link("view")(planter, mine)
    host = Browser(planter.phone)
    there = by_link("host")(host, table)
    known = host.phone
    form = host.form(f"{there}/settings", f"{there}/settings/seat")
    host.post(f"{there}/settings/seat", phone=form["phone"], seat="leo")
    assert host.phone not in (known, planter.phone)
    assert host.may(there)
    assert not Browser(known).may(there)
    checked = page_of(host.client.get(f"{there}/settings")).all("input")
    assert [
        field["value"] for field in checked if "checked" in field and field["name"] == "seat"
    ] == ["leo"]


@pytest.mark.parametrize("who", ["host", "leo", "view"])
def test_repeated_form_uses_the_same_phone_secret(table: Table, who: str) -> None:
    """Sent six times at once, and with the previous cookie, as after a lost response."""
    other = Table.open(everybodys())
    browser = Browser()
    by_link("leo")(browser, other)
    first = browser.phone
    form = browser.form(f"/join/{table.keys[who]}", "/join")
    with ThreadPoolExecutor(6) as pool:
        phones = [Browser(first) for _ in range(6)]
        assert set(pool.map(lambda browser_: browser_.post("/join", **form), phones)) == {
            f"/t/{table.id}"
        }
    assert {phone.phone for phone in phones} == {form["phone"]}
    assert browser.may(f"/t/{other.id}")  # whose answers were all lost
    assert browser.post("/join", **form) == f"/t/{table.id}"
    for each_browser in (browser, phones[0]):
        assert each_browser.may(f"/t/{table.id}")
        assert each_browser.may(f"/t/{other.id}")
    assert browser.post("/join", **form) == f"/t/{table.id}"  # after the browser's way back
    assert browser.phone == form["phone"]


def test_a_secret_before_moves_nothing_without_its_proof(table: Table) -> None:
    """An attacker who changes cookies in between gets no key of the phone."""
    browser = Browser()
    by_link("host")(browser, table)
    first, other = browser.phone, Table.open(everybodys())
    by_link("leo")(browser, other)
    cookie = browser.client.get_cookie(BEFORE)
    assert cookie is not None
    assert cookie.value.startswith(f"{first}.")
    planter, mine = Browser(), Table.open(everybodys())
    by_link("view")(planter, mine)
    for value in (cookie.value, f"{first}.", first, "x", "." + cookie.value):
        planter.client.set_cookie(BEFORE, value)
        assert planter.may(f"/t/{mine.id}")
        assert not planter.may(f"/t/{table.id}")
    assert browser.may(f"/t/{table.id}")
    assert browser.may(f"/t/{other.id}")


def test_evenings_of_files_are_held_by_another_secret(table: Table) -> None:
    host = Browser()
    club = by_a_club(host, table)
    assert host.may(club)
    planted = host.phone  # somebody copied it
    form = host.form(f"{club}/enter", f"{club}/enter/files")
    log = (BytesIO(table.get("/log.jsonl").data), "friday.jsonl")
    data = {"phone": form["phone"], "log": log}
    answer = host.client.post(f"{club}/enter/files", data=data, headers=OURS)
    assert "1 evening was added" in page_of(answer).words
    assert host.phone == form["phone"]
    assert host.may(club)
    assert not Browser(planted).may(club)
