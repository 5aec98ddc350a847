"""Who opens the table says which seat is his: he accepts and disputes by his name, and is the host.

Tests of ``web.phone.own_seat``.
"""

import re
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
    """The phone of somebody, which keeps its cookies."""

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
        said = {"version": self.phone.get(f"/api/sessions/{self.id}").headers["ETag"].strip('"')}
        return self.phone.post(f"/t/{self.id}{path}", data=said | data, headers=OURS).status_code

    def played(self) -> "Opener":
        assert self.post("/record", dealer="mara", **TOTALS) == 303
        return self

    def accepting(self) -> list[Form]:
        return [one for one in Forms(self.get()).forms if one.step == "hand_confirmed"]

    def accept(self, form: Form, place: int = 0) -> None:
        data = dict([*form.hidden(), (form.buttons()[place].name, form.buttons()[place].value)])
        assert self.phone.post(form.action, data=data, headers=OURS).status_code == 303

    def sit(self, seat: str) -> int:
        return self.post("/settings/seat", seat=seat)

    def said(self) -> list[tuple[str, str]]:
        """The types of the events, each with who recorded it."""
        events = self.phone.get(f"/api/sessions/{self.id}/events").get_json()["events"]
        return [(one["type"], one["by"]) for one in events]


def joined(opener: Opener) -> Opener:
    """Another host's phone, by a link of the first."""
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


def test_he_accepts_by_one_tap_and_what_he_records_bears_his_name() -> None:
    opener = Opener(game="riparto", mine="1").played()
    others, mine = opener.accepting()
    assert [one.says for one in mine.buttons()] == [{"player": "leo"}]
    assert [one.says["player"] for one in others.buttons()] == ["nina", "mara"]
    opener.accept(mine)
    assert opener.said()[2:] == [
        ("hand_started", "leo"), ("bid_made", "leo"), ("points_counted", "leo"),
        ("hand_confirmed", "leo"),
    ]  # fmt: skip
    assert "You have accepted" in opener.get()


def test_what_needs_the_hosts_key_is_the_hosts() -> None:
    """So nobody who sits there later strikes it as his own."""
    opener = Opener(game="riparto", mine="0").played()
    opener.accept(opener.accepting()[0])  # for another
    fine = {"type": "penalty_given", "with:side": '{"side":"leo"}', "n:points": "-1"}
    assert opener.post("/record", **fine, **{"t:reason": "late"}) == 303
    assert opener.post("/undo") == 303
    assert opener.said()[5:] == [
        ("hand_confirmed", "keeper"), ("penalty_given", "keeper"), ("event_struck", "keeper"),
    ]  # fmt: skip


def test_he_disputes_by_a_flag_and_a_reason() -> None:
    opener = Opener(game="riparto", mine="0").played()
    (form,) = [one for one in Forms(opener.get("/d/1-1")).forms if one.action.endswith("/open")]
    data = dict(form.hidden()) | {one.name: one.value for one in form.controls if one.checked}
    sent = opener.phone.post(form.action, data={**data, "reason": "score"}, headers=OURS)
    assert sent.status_code == 303
    assert opener.said()[-1] == ("hand_disputed", "mara")


@pytest.mark.parametrize("form", [{"mine": "none"}, {}])
def test_who_only_keeps_the_score_signs_for_others_alone(form: dict[str, str]) -> None:
    opener = Opener(game="riparto", **form).played()
    (others,) = opener.accepting()
    assert [one.says["player"] for one in others.buttons()] == ["mara", "leo", "nina"]
    opener.accept(others)
    assert {by for _, by in opener.said()} == {"keeper"}


def test_nobody_else_is_offered_his_seat() -> None:
    opener = Opener(game="riparto", mine="0")
    links = page_of(opener.phone.get(f"/t/{opener.id}/share")).words.split("one for each")[1]
    assert ("Leo" in links, "Mara" in links) == (True, False)
    shown = opener.phone.post(f"/t/{opener.id}/settings/code", headers=OURS).text
    (code,) = re.findall(r'the-code">([A-Z0-9]{6})<', shown)
    seats = Opener().phone.post("/code", data={"code": code, "show": "1"}, headers=OURS)
    assert [one["value"] for one in page_of(seats).all("button")] == ["leo", "nina", ""]
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
    (held,) = [one["id"] for one in keys if one["player"] == "nina" and one["last_used"]
               and one["revoked"] is None]  # fmt: skip
    assert opener.post("/settings/revoke", key=held) == 303
    assert len(other.accepting()) == 1
    other.accept(other.accepting()[0])
    assert other.said()[-1] == ("hand_confirmed", "keeper")


def test_who_looks_on_has_no_seat_to_say() -> None:
    opener = Opener(game="riparto", mine="0")
    stranger = Opener()
    stranger.id = opener.id
    answer = stranger.phone.post(
        f"/t/{opener.id}/settings/seat", data={"seat": "leo"}, headers=OURS
    )
    assert answer.status_code == 401
