"""A host who selects their own seat accepts and disputes by their name, and stays host.

Tests of ``web.phone.viewer``.
"""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from tests.web.looking import everybodys
from tests.web.pages import inputs_of, page_of
from tests.web.tapping import Form, Forms

OURS: Final = {"Sec-Fetch-Site": "same-origin"}
NAMES: Final = ["Mara", "Leo", "Nina"]
TOTALS: Final = {"0.type": "bid_made", "0.with:player": '{"player":"leo"}', "0.n:points": "5",
                 "1.type": "points_counted", "1.n:points.mara": "4", "1.n:points.leo": "5",
                 "1.n:points.nina": "6"}  # fmt: skip


class Opener:
    """The phone of a host, which keeps its cookies."""

    def __init__(self, **form: Any) -> None:
        self.phone: FlaskClient = everybodys().application.test_client()
        self.id = ""
        if form:
            answer = self.phone.post("/new", data={"name": NAMES, **form}, headers=OURS)
            assert answer.status_code == 303, answer.text
            self.id = urlsplit(answer.headers["Location"]).path.split("/")[2]

    def get(self, path: str = "") -> str:
        answer = self.phone.get(f"/t/{self.id}{path}")
        assert answer.status_code == 200, answer.text
        return answer.text

    def post(self, path: str, **data: Any) -> int:
        fields = {"version": self.phone.get(f"/api/sessions/{self.id}").headers["ETag"].strip('"')}
        return self.phone.post(f"/t/{self.id}{path}", data=fields | data, headers=OURS).status_code

    def played(self) -> "Opener":
        assert self.post("/record", dealer="mara", **TOTALS) == 303
        return self

    def accepting(self) -> list[Form]:
        return [form for form in Forms(self.get()).forms if form.step == "hand_confirmed"]

    def accept(self, form: Form, place: int = 0) -> None:
        data = dict([*form.hidden(), (form.buttons()[place].name, form.buttons()[place].value)])
        assert self.phone.post(form.action, data=data, headers=OURS).status_code == 303

    def same_phone(self) -> FlaskClient:
        """Return a client with the present cookies of this phone."""
        client = self.phone.application.test_client()
        assert self.phone._cookies is not None
        assert client._cookies is not None
        client._cookies.update(self.phone._cookies)
        return client

    def sit(self, seat: str) -> int:
        return self.post("/settings/seat", seat=seat)

    def hosts(self) -> set[str]:
        """Return the ids of the host keys."""
        keys = self.phone.get(f"/api/sessions/{self.id}/keys").get_json()["keys"]
        return {key["id"] for key in keys if key["role"] == "host"}

    def recorded(self) -> list[tuple[str, str]]:
        """Return the types of the events, each with its recorder."""
        events = self.phone.get(f"/api/sessions/{self.id}/events").get_json()["events"]
        return [(event["type"], event["by"]) for event in events]


def joined(opener: Opener) -> Opener:
    """Return another host's phone, by a link of the first."""
    other = Opener()
    other.id = opener.id
    page = opener.phone.post(
        f"/t/{opener.id}/settings/link", data={"for": "host"}, headers=OURS
    ).text
    (key,) = set(re.findall(r"/join/([A-Za-z0-9_-]{32})", page))
    assert other.phone.post("/join", data={"key": key}, headers=OURS).status_code == 303
    return other


def test_the_first_seat_is_offered_and_any_other_can_be_chosen() -> None:
    phone = everybodys().application.test_client()
    assert inputs_of(page_of(phone.get("/new")))["mine"] == ["0"]
    kept = page_of(phone.get("/new", query_string={"name": NAMES, "mine": "2"}))
    assert inputs_of(kept)["mine"] == ["2"]


def test_host_accepts_by_one_tap_and_records_by_their_own_name() -> None:
    opener = Opener(game="riparto", mine="1").played()
    others, mine = opener.accepting()
    assert [button.says for button in mine.buttons()] == [{"player": "leo"}]
    assert [button.says["player"] for button in others.buttons()] == ["nina", "mara"]
    opener.accept(mine)
    assert opener.recorded()[2:] == [
        ("hand_started", "leo"), ("bid_made", "leo"), ("points_counted", "leo"),
        ("hand_confirmed", "leo"),
    ]  # fmt: skip
    assert "You have accepted" in opener.get()


def test_acts_that_need_the_hosts_key_are_recorded_by_the_host() -> None:
    """So a later holder of the seat cannot strike these events as their own."""
    opener = Opener(game="riparto", mine="0").played()
    opener.accept(opener.accepting()[0])  # for another
    fine = {"type": "penalty_given", "with:side": '{"side":"leo"}', "n:points": "-1"}
    assert opener.post("/record", **fine, **{"t:reason": "late"}) == 303
    assert opener.post("/undo") == 303
    assert opener.recorded()[5:] == [
        ("hand_confirmed", "keeper"), ("penalty_given", "keeper"), ("event_struck", "keeper"),
    ]  # fmt: skip


def seats_in_use(opener: Opener) -> list[str]:
    keys = opener.phone.get(f"/api/sessions/{opener.id}/keys").get_json()["keys"]
    return [key["player"] for key in keys
            if key["role"] == "seat" and key["last_used"] and not key["revoked"]]  # fmt: skip


@pytest.mark.parametrize("seats", [("leo", "nina"), ("leo", "nina", "leo")])
def test_two_seats_chosen_on_one_page_leave_only_the_last_one_taken(seats: tuple[str, ...]) -> None:
    opener = Opener(game="riparto", mine="0").played()
    (form,) = [form for form in Forms(opener.get("/settings")).forms
               if form.action.endswith("/settings/seat")]  # fmt: skip
    taps = [opener.same_phone() for _ in seats[1:]]  # each tap before the first answer
    for phone, seat in zip([*taps, opener.phone], seats, strict=True):
        data = dict(form.hidden()) | {"seat": seat}
        assert phone.post(form.action, data=data, headers=OURS).status_code == 303
    assert seats_in_use(opener) == [seats[-1]]
    assert opener.sit("mara") == 303
    assert seats_in_use(opener) == ["mara"]


def test_seats_chosen_at_once_on_one_page_leave_one_taken() -> None:
    opener = Opener(game="riparto", mine="none").played()
    (form,) = [form for form in Forms(opener.get("/settings")).forms
               if form.action.endswith("/settings/seat")]  # fmt: skip
    seats = ["mara", "leo", "nina"] * 2
    phones = [opener.same_phone() for _ in seats]

    def choose(phone: FlaskClient, seat: str) -> int:
        data = dict(form.hidden()) | {"seat": seat}
        return phone.post(form.action, data=data, headers=OURS).status_code

    with ThreadPoolExecutor(6) as pool:
        statuses = list(pool.map(choose, phones, seats))
    assert set(statuses) <= {303, 409}
    assert len(seats_in_use(opener)) == 1


def test_host_with_a_seat_disputes_with_a_reason() -> None:
    opener = Opener(game="riparto", mine="0").played()
    (form,) = [form for form in Forms(opener.get("/d/1-1")).forms if form.action.endswith("/open")]
    data = dict(form.hidden()) | {
        control.name: control.value for control in form.controls if control.checked
    }
    sent = opener.phone.post(form.action, data={**data, "reason": "score"}, headers=OURS)
    assert sent.status_code == 303
    assert opener.recorded()[-1] == ("hand_disputed", "mara")


def test_host_with_a_seat_comes_first_at_the_desk_and_for_the_next_match() -> None:
    opener = Opener(game="riparto", mine="1").played()
    desk = page_of(opener.phone.get(f"/t/{opener.id}/d/1-1"))
    speakers = [field["value"] for field in desk.all("input") if field.get("name") == "player"]
    assert speakers == ["leo", "nina", "mara"]
    entry = page_of(opener.phone.get(f"/t/{opener.id}/d/1-1/e/4"))
    offered = [option["value"] for option in entry.all("option") if option["value"] in speakers]
    assert offered == speakers
    counts = [field["name"] for field in page_of(opener.phone.get(f"/t/{opener.id}/d/1-1/e/5")).all(
        "input") if "points" in field.get("name", "")]  # fmt: skip
    assert [count.rpartition(".")[2] for count in counts] == speakers
    again = page_of(opener.phone.get(f"/t/{opener.id}/settings/match"))
    assert [option["value"] for option in again.all("option") if "selected" in option][
        :3
    ] == speakers


@pytest.mark.parametrize("form", [{"mine": "none"}, {}])
def test_host_without_a_seat_signs_only_for_others(form: dict[str, str]) -> None:
    opener = Opener(game="riparto", **form).played()
    (others,) = opener.accepting()
    assert [button.says["player"] for button in others.buttons()] == ["mara", "leo", "nina"]
    opener.accept(others)
    assert {by for _, by in opener.recorded()} == {"keeper"}


def test_other_phones_are_not_offered_the_hosts_seat() -> None:
    opener = Opener(game="riparto", mine="0")
    links = page_of(opener.phone.get(f"/t/{opener.id}/share")).words.split("one for each")[1]
    assert ("Leo" in links, "Mara" in links) == (True, False)
    shown = opener.phone.post(f"/t/{opener.id}/settings/code", headers=OURS).text
    (code,) = re.findall(r'the-code">([A-Z0-9]{6})<', shown)
    seats = Opener().phone.post("/code", data={"code": code, "show": "1"}, headers=OURS)
    assert [button["value"] for button in page_of(seats).all("button")] == ["leo", "nina", ""]
    other = joined(opener)
    assert other.sit("mara") == 409
    assert other.sit("leo") == 303
    assert opener.sit("leo") == 409
    assert "Somebody" in opener.phone.post(
        f"/t/{opener.id}/settings/seat", data={"seat": "leo"}, headers=OURS).text  # fmt: skip


def test_the_seat_can_be_changed_left_and_taken_back() -> None:
    opener = Opener(game="riparto", mine="0").played()
    other = joined(opener)
    assert opener.sit("nina") == 303
    assert opener.accepting()[1].buttons()[0].says == {"player": "nina"}
    assert other.sit("mara") == 303
    assert opener.sit("") == 303
    assert len(opener.accepting()) == 1
    assert other.sit("nina") == 303
    keys = opener.phone.get(f"/api/sessions/{opener.id}/keys").get_json()["keys"]
    (held,) = [key["id"] for key in keys if key["player"] == "nina" and key["last_used"]
               and key["revoked"] is None]  # fmt: skip
    assert opener.post("/settings/revoke", key=held) == 303
    assert len(other.accepting()) == 1
    other.accept(other.accepting()[0])
    assert other.recorded()[-1] == ("hand_confirmed", "keeper")


def test_one_phone_gets_the_seat_of_six_simultaneous_requests() -> None:
    """The phones of two hosts want the same seat, and each sends its form three times."""
    opener = Opener(game="riparto", mine="none")
    held = []
    for own_phone in (opener, joined(opener)):
        cookies = own_phone.phone.get("/").request.headers["Cookie"]
        (field,) = inputs_of(page_of(own_phone.phone.get(f"/t/{opener.id}/settings")))["phone"]
        held.append((cookies, field))
    together = threading.Barrier(6)

    def ask(sent: tuple[str, str]) -> int:
        client = everybodys().application.test_client(use_cookies=False)
        together.wait()
        headers, data = {**OURS, "Cookie": sent[0]}, {"seat": "leo", "phone": sent[1]}
        answer = client.post(f"/t/{opener.id}/settings/seat", data=data, headers=headers)
        return answer.status_code

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(ask, held * 3))
    assert sorted([set(answers[0::2]), set(answers[1::2])], key=min) == [{303}, {409}]


def test_phone_with_a_revoked_key_cannot_select_a_seat() -> None:
    opener = Opener(game="riparto", mine="0").played()
    before_it = opener.hosts()
    other = joined(opener)
    (newest,) = opener.hosts() - before_it
    assert opener.post("/settings/revoke", key=newest) == 303
    before = opener.recorded()
    for path in ("/settings/seat", "/d/1-1/correct"):
        sent = {"seat": "nina", "seq": "4", "version": "5"}
        answer = other.phone.post(f"/t/{opener.id}{path}", data=sent, headers=OURS)
        assert answer.status_code in (401, 403), path
    assert opener.recorded() == before


def test_seat_of_an_unknown_player_is_refused() -> None:
    opener = Opener(game="riparto", mine="0").played()
    for seat in ("ugo", "host", "keeper", "A", "mara ", "../mara"):
        assert opener.sit(seat) in (403, 404, 409, 422), seat
    opener.accept(opener.accepting()[-1])
    assert opener.recorded()[-1] == ("hand_confirmed", "mara")


def test_viewer_cannot_select_a_seat() -> None:
    opener = Opener(game="riparto", mine="0")
    stranger = Opener()
    stranger.id = opener.id
    answer = stranger.phone.post(
        f"/t/{opener.id}/settings/seat", data={"seat": "leo"}, headers=OURS
    )
    assert answer.status_code == 401
