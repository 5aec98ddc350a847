"""The host's phone is lost: a seat asks, the others agree, and no one else makes a host.

Tests of ``web.keeping.new_host`` and ``web.forms.host_question``.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.store import Key, MemoryStore
from scorekeeper.store.host_store import HOST_REQUEST_SECONDS
from scorekeeper.store.limits import time_after
from tests.api.asking import Table, bearer, client_of, hand, match
from tests.web.looking import everybodys
from tests.web.pages import page_of
from tests.web.tapping import Form, Forms

OURS: Final = {"Sec-Fetch-Site": "same-origin"}
START: Final = "2026-11-21T20:00:00.000Z"
ACTS: Final = ("ask", "agree", "end", "take")


class Phone:
    """A phone with its cookies, at the table of a session."""

    def __init__(self, table: Table, who: str = "") -> None:
        self.client: FlaskClient = table.client.application.test_client()
        self.path = f"/t/{table.id}"
        if who:
            self.join(table.keys[who])

    def join(self, secret: str) -> None:
        answer = self.client.post("/join", data={"key": secret}, headers=OURS)
        assert answer.status_code == 303, answer.text

    def get(self, path: str = "", status: int = 200) -> str:
        answer = self.client.get(self.path + path)
        assert answer.status_code == status, answer.text
        assert page_of(answer).wrong == []
        return answer.text

    def fragment(self) -> str:
        """Return the part of the table page that a script fetches."""
        return self.client.get(self.path, headers={"X-Fragment": "1"}).text

    def words(self, path: str = "") -> str:
        return page_of(self.client.get(self.path + path)).words

    def find(self, act: str, path: str = "/settings") -> Form | None:
        """Return the form of a page that does this; None if there is none."""
        action = f"{self.path}/settings/new-host/{act}"
        return next((form for form in Forms(self.get(path)).forms if form.action == action), None)

    def form(self, act: str, path: str = "/settings") -> dict[str, str]:
        form = self.find(act, path)
        assert form is not None, act
        return dict(form.hidden())

    def send(self, act: str, data: dict[str, str], status: int = 303) -> str:
        answer = self.client.post(f"{self.path}/settings/new-host/{act}", data=data, headers=OURS)
        assert answer.status_code == status, answer.text
        return answer.headers.get("Location", "")

    def tap(self, act: str, path: str = "/settings") -> str:
        """Tap the button on a page; return where the answer leads."""
        return self.send(act, self.form(act, path))

    @property
    def is_host(self) -> bool:
        return "Show a code to join" in self.get("/settings")

    def same_phone(self) -> "Phone":
        """Return another tab of this phone, with its present cookies."""
        other = Phone.__new__(Phone)
        other.client, other.path = self.client.application.test_client(), self.path
        assert self.client._cookies is not None
        assert other.client._cookies is not None
        other.client._cookies.update(self.client._cookies)
        return other


def opened(client: FlaskClient | None = None) -> Table:
    """Return a session with a hand of Riparto."""
    table = Table.open(client or everybodys())
    table.do(match(), *hand())
    return table


def phones(table: Table, *who: str) -> list[Phone]:
    return [Phone(table, name) for name in who]


def keys(table: Table, role: str) -> list[Key]:
    known = table.client.application.extensions["service"].store.keys(table.id)
    return [key for key in known if key.role == role]


def hosts(table: Table) -> int:
    """Return the number of keys of a host."""
    return len(keys(table, "host"))


# ------------------------------------------------------------------------------------ the walk


def test_the_phone_that_all_agree_to_becomes_the_host() -> None:
    table = opened()
    host, mara, leo, nina = phones(table, "host", "mara", "leo", "nina")
    assert "The host’s phone is lost" in leo.words("/settings")
    assert leo.tap("ask").endswith("/settings#new-host")
    assert "Still to agree: Mara, Nina." in leo.words("/settings")
    assert leo.find("take") is None
    for page in ("", "/settings"):
        assert "Leo asks to become the host" in mara.words(page)
        assert "as if your phone were lost" in host.words(page)
        assert mara.find("agree", page)
        assert mara.find("end", page)
    assert mara.tap("agree", "").endswith(f"/t/{table.id}")
    assert "Leo asks" not in mara.words()  # it was answered
    assert "You agreed." in mara.words("/settings")
    assert nina.tap("agree").endswith("/settings#new-host")
    assert "All have agreed." in leo.words()
    assert not leo.is_host
    assert leo.tap("take", "").endswith("/settings?done=hosting")
    assert leo.is_host
    assert "Leo is the host now." in nina.words()
    assert "asks to become" not in host.words()
    assert (hosts(table), len(keys(table, "seat"))) == (2, 3)


def test_the_new_host_keeps_the_seat_and_revokes_the_lost_phone() -> None:
    table = opened()
    lost, mara, leo = phones(table, "host", "mara", "leo")
    leo.tap("ask")
    mara.tap("agree")
    leo.tap("take")
    checked = [box for box in page_of(leo.client.get(f"{leo.path}/settings")).all("input")
               if box.get("name") == "seat" and "checked" in box]  # fmt: skip
    assert [box["value"] for box in checked] == ["leo"]
    old = table.client.application.extensions["service"].store.find_key(table.keys["host"])
    assert f"/settings/key/{old.id}" in leo.get("/settings")
    made = leo.client.post(f"{leo.path}/settings/link", data={"for": "host"}, headers=OURS)
    (link,) = set(re.findall(r"/join/([A-Za-z0-9_-]{32})", made.text))
    revoked = leo.client.post(f"{leo.path}/settings/revoke", data={"key": old.id}, headers=OURS)
    assert revoked.status_code == 303
    lost.get("", status=401)
    second = Phone(table)
    second.join(link)
    assert second.is_host
    assert leo.is_host
    # The seat of the new host is theirs: nobody else can take it.
    other = Phone(table)
    answer = other.client.post("/join", data={"key": table.keys["leo"]}, headers=OURS)
    assert answer.status_code == 409


def test_the_notice_is_in_the_part_that_a_script_fetches() -> None:
    table = opened()
    mara, leo = phones(table, "mara", "leo")
    fragments = [mara.fragment() for _ in range(2)]
    assert not any("new-host" in fragment for fragment in fragments)
    leo.tap("ask")
    fragment = mara.fragment()
    assert "new-host/agree" in fragment
    mara.tap("end")
    assert "new-host" not in mara.fragment()


@pytest.mark.parametrize(("who", "words"), [
    ("nina", "Somebody said no."), ("host", "The host said no."),
])  # fmt: skip
def test_one_no_ends_the_request(who: str, words: str) -> None:
    table = opened()
    leo, mara, other = phones(table, "leo", "mara", who)
    leo.tap("ask")
    mara.tap("agree")
    other.tap("end", "")
    assert words in leo.words("/settings")
    assert leo.find("take") is None
    assert leo.find("ask") is not None  # another time
    assert mara.find("agree") is None


def test_the_seat_that_asked_takes_it_back() -> None:
    table = opened()
    leo, mara = phones(table, "leo", "mara")
    leo.tap("ask")
    leo.tap("end")
    assert mara.find("agree") is None
    assert mara.find("ask") is not None


def test_one_phone_alone_is_sent_to_the_operator() -> None:
    table = opened()
    (leo,) = phones(table, "leo")
    assert leo.find("ask") is None
    assert "the person who runs this service" in leo.words("/settings")
    _host_of_a_seat(table, "mara")
    assert leo.find("ask") is None  # the host's own seat does not count


def _host_of_a_seat(table: Table, seat: str) -> Phone:
    """Return the phone of a host who has a seat."""
    host = Phone(table, "host")
    answer = host.client.post(f"{host.path}/settings/seat", data={"seat": seat}, headers=OURS)
    assert answer.status_code == 303
    return host


def test_the_lost_hosts_own_seat_is_not_waited_for() -> None:
    table = opened()
    _host_of_a_seat(table, "nina")
    leo, mara = phones(table, "leo", "mara")
    leo.tap("ask")
    mara.tap("agree")
    leo.tap("take")
    assert leo.is_host


# -------------------------------------------------------------------------------- adversaries


def test_strangers_and_viewers_can_do_nothing() -> None:
    table, other = opened(), opened()
    leo, mara, nina = phones(table, "leo", "mara", "nina")
    leo.tap("ask")
    mara.tap("agree")
    form = nina.form("agree")
    taking = {**form, "phone": "p" * 32}
    away, gone = Phone(other, "nina"), Phone(other, "host")
    away.path = gone.path = leo.path
    viewer = Phone(table, "view")
    assert "new-host" not in viewer.get("/settings") + viewer.get()
    for phone, status in ((viewer, 403), (Phone(table), 401), (away, 401), (gone, 401)):
        for act in ACTS:
            phone.send(act, taking, status)
    for secret, status in ((table.keys["view"], 403), (other.keys["nina"], 403), ("x" * 32, 401)):
        for act in ACTS:
            answer = table.client.post(
                f"{leo.path}/settings/new-host/{act}", data=taking, headers=bearer(secret)
            )
            assert answer.status_code == status, (act, answer.text)
    assert leo.find("take") is None
    assert hosts(table) == 1


def test_a_phone_whose_key_was_revoked_can_do_nothing() -> None:
    table = opened()
    leo, mara, nina = phones(table, "leo", "mara", "nina")
    leo.tap("ask")
    mara.tap("agree")
    form = nina.form("agree")
    ids = {key.player: key.id for key in keys(table, "seat")}
    assert table.ask("DELETE", f"/keys/{ids['nina']}").status_code == 204
    for act in ACTS:
        nina.send(act, form, 401)
    assert leo.find("take") is not None  # the seat that is left has agreed
    assert table.ask("DELETE", f"/keys/{ids['mara']}").status_code == 204
    leo.send("take", {**form, "phone": "p" * 32})
    assert not leo.is_host
    assert "At least two players" in leo.words("/settings") or leo.find("end") is not None
    assert hosts(table) == 1


def test_others_cannot_take_the_last_step() -> None:
    table = opened()
    leo, mara, nina = phones(table, "leo", "mara", "nina")
    leo.tap("ask")
    mara.tap("agree")
    form = leo.form("end")
    for phone in (leo, mara):  # too early, and another seat
        phone.send("take", {**form, "phone": "p" * 32})
    nina.tap("agree")
    for phone in (mara, nina):
        phone.send("take", {**form, "phone": "q" * 32})
        assert not phone.is_host
    answer = table.client.post(
        f"{leo.path}/settings/new-host/take", data=form, headers=bearer(table.keys["leo"])
    )
    assert answer.status_code == 303  # the secret of the link alone makes no host
    assert hosts(table) == 1
    leo.tap("take")
    assert leo.is_host


def test_one_seat_with_three_phones_is_one_seat() -> None:
    table = opened()
    (leo,) = phones(table, "leo")
    form = {"after": "", "key": "k" * 22}
    others = []
    for _ in range(2):
        new = table.ask("POST", "/keys", json={"role": "seat", "player": "leo"}).get_json()
        phone = Phone(table)
        phone.join(new["key"])
        others.append(phone)
    leo.send("ask", form)
    for phone in others:
        phone.tap("agree")
    assert leo.find("take") is None
    leo.send("take", {**leo.form("end"), "phone": "p" * 32})
    assert not leo.is_host
    assert hosts(table) == 1


def test_replayed_forms_do_nothing() -> None:
    table = opened()
    leo, mara, nina = phones(table, "leo", "mara", "nina")
    asking, agreeing = leo.form("ask"), {}
    leo.send("ask", asking)
    agreeing = {phone: phone.form("agree") for phone in (mara, nina)}
    ending = nina.form("end")
    mara.send("agree", agreeing[mara])
    mara.send("agree", agreeing[mara])
    assert leo.find("take") is None
    nina.send("end", ending)
    leo.send("ask", asking)  # the browser sends the form again
    assert leo.find("end") is None
    leo.tap("ask")
    for phone in (mara, nina):
        phone.send("agree", agreeing[phone])  # for the request before
    nina.send("end", ending)
    assert "Still to agree: Mara, Nina." in leo.words("/settings")


def test_a_form_for_the_last_step_that_is_replayed_makes_one_host() -> None:
    table = opened()
    leo, mara = phones(table, "leo", "mara")
    leo.tap("ask")
    mara.tap("agree")
    form, tab = leo.form("take"), leo.same_phone()
    leo.send("take", form)
    for phone in (tab, tab, leo, leo):  # the tab before the answer to the first came
        phone.send("take", form)
    assert leo.is_host
    assert hosts(table) == 2
    thief = Phone(table, "nina")
    thief.send("take", form)
    assert hosts(table) == 2


def test_six_at_once_make_one_host() -> None:
    table = opened()
    leo, mara, nina = phones(table, "leo", "mara", "nina")
    leo.tap("ask")
    for phone in (mara, nina):
        phone.tap("agree")
    sent: list[tuple[Phone, dict[str, str]]] = [
        (leo.same_phone(), leo.form("take")) for _ in range(6)
    ]
    with ThreadPoolExecutor(6) as pool:
        where = list(pool.map(lambda one: one[0].send("take", one[1]), sent))
    assert [place.endswith("?done=hosting") for place in where].count(True) == 1
    (winner,) = [phone for (phone, _), place in zip(sent, where, strict=True) if "?" in place]
    assert winner.is_host
    assert hosts(table) == 2


def test_two_candidates_at_once_make_one_host() -> None:
    table = opened()
    leo, mara, nina = phones(table, "leo", "mara", "nina")
    forms = [(leo, leo.form("ask")), (mara, mara.form("ask"))]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda one: one[0].send("ask", one[1]), forms))
    asks = [phone for phone in (leo, mara) if phone.find("agree") is None]
    (other,) = {leo, mara} - set(asks)
    other.tap("agree")
    nina.tap("agree")
    other.send("take", {**other.form("end"), "phone": "p" * 32})
    assert not other.is_host
    asks[0].tap("take")
    assert asks[0].is_host
    assert hosts(table) == 2


def test_seat_given_out_meanwhile_is_asked_too() -> None:
    table = opened()
    leo, mara = phones(table, "leo", "mara")
    leo.tap("ask")
    mara.tap("agree")
    form = leo.form("take")
    (nina,) = phones(table, "nina")
    leo.send("take", form)
    assert not leo.is_host
    assert "Still to agree: Nina." in leo.words("/settings")
    nina.tap("agree")
    leo.tap("take")
    assert leo.is_host


def test_an_old_request_is_over() -> None:
    now = [START]
    table = opened(client_of(MemoryStore(lambda: now[0])))
    leo, mara, nina = phones(table, "leo", "mara", "nina")
    leo.tap("ask")
    mara.tap("agree")
    nina.tap("agree")
    form, agreeing = leo.form("take"), leo.form("end")
    now[0] = time_after(START, HOST_REQUEST_SECONDS + 60)
    leo.send("take", form)
    assert not leo.is_host
    assert "Your request has expired." in leo.words("/settings")
    mara.send("agree", agreeing)
    assert leo.find("take") is None
    assert hosts(table) == 1


def test_a_planted_cookie_gains_nothing() -> None:
    """An attacker who knows the secret that a phone had before does not become the host."""
    table = opened()
    leo, mara = phones(table, "leo", "mara")
    attacker = leo.same_phone()
    leo.tap("ask")
    mara.tap("agree")
    before = leo.client.get_cookie("phone")
    leo.tap("take")
    after = leo.client.get_cookie("phone")
    assert before is not None
    assert after is not None
    assert before.value != after.value
    assert leo.is_host
    attacker.get("/settings", status=401)


@pytest.mark.parametrize("value", ["", "x", "é" * 50, "\0", "a" * 5000])
def test_malformed_fields_do_nothing(value: str) -> None:
    table = opened()
    leo, mara = phones(table, "leo", "mara")
    fields: dict[str, Any] = {"request": value, "phone": value, "back": value, "after": value}
    for act in ACTS:
        mara.send(act, fields)
    leo.tap("ask") if leo.find("ask") else None
    for act in ACTS:
        mara.send(act, fields)
    assert hosts(table) == 1
    assert "Still to agree: Mara." in leo.words("/settings") or value == ""


def test_another_site_cannot_send_the_forms() -> None:
    table = opened()
    leo, mara = phones(table, "leo", "mara")
    leo.tap("ask")
    form = mara.form("agree")
    answer = mara.client.post(
        f"{mara.path}/settings/new-host/agree", data=form,
        headers={"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
    )  # fmt: skip
    assert answer.status_code == 403
    assert leo.find("take") is None
