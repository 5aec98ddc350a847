"""Guests on the pages of a club: named as an evening is entered, put together, made members."""

from typing import Any

import pytest

from tests.web.club.visiting import Visit, riparto
from tests.web.pages import inputs_of, page_of

STAKE = {"currency": "EUR", "point": 10, "match": 0}
DAYS = [f"2026-10-{day:02}" for day in range(1, 10)]
THERE = "/settings/guests"


def club_of(visit: Visit) -> Any:
    return visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()


def money(visit: Visit) -> Any:
    (euros,) = visit.phone.get(f"/api/clubs/{visit.club_id}/money").get_json()["money"]
    return euros


def people(visit: Visit) -> dict[str, bool]:
    return {person["id"]: person["guest"] for person in club_of(visit)["members"]}


def record(visit: Visit, *events: tuple[str, dict[str, Any]], **headers: str) -> Any:
    version = club_of(visit)["version"]
    body = {"events": [{"type": kind, "data": data} for kind, data in events]}
    return visit.phone.post(
        f"/api/clubs/{visit.club_id}/events", json=body,
        headers={"Origin": "http://localhost", "If-Match": f'"{version}"', **headers},
    )  # fmt: skip


@pytest.fixture
def club() -> Visit:
    """A club with nine evenings of Gino, who has no account: so it was before guests had one."""
    visit = Visit.found("Mara", "Leo", money="yes", currency="EUR")
    logs = [riparto(day, winner="gino" if day[-1] in "123" else "mara", seats="mara leo gino",
                    stake=STAKE) for day in DAYS]  # fmt: skip
    visit.enter(*logs, join="no")
    for evening in club_of(visit)["evenings"]:
        session = evening["session"]
        withdrawn = ("evening_withdrawn", {"session": session, "reason": "again"})
        players = {**evening["players"], "gino": None}
        entered = ("evening_entered", {"session": session, "players": players})
        assert record(visit, withdrawn, entered).status_code == 201
    return visit


def keys_of(visit: Visit) -> list[str]:
    return [box["value"] for box in visit.page(THERE).all("input") if box.get("name") == "player"]


def test_nine_evenings_are_put_together_and_settled_once(club: Visit) -> None:
    before = money(club)
    assert len([one for one in before["balances"] if one["guest"]]) == 9
    assert all(one["from_name"] != one["to_name"] for one in before["payments"])
    assert "Give a guest of several evenings one account" in club.page("/money").words
    page = club.page(f"{THERE}?all=gino")
    assert "9 evenings without an account." in page.words
    checked = [box["value"] for box in page.all("input") if "checked" in box]
    assert len(checked) == 9
    query = "&".join(f"player={key}" for key in checked)
    preview = club.page(f"{THERE}?{query}&into=&name=Gino R.")
    assert "Money EUR" in preview.words
    assert money(club) == before
    fields = {name: values for name, values in inputs_of(preview).items() if name != "form_key"}
    assert fields["into"][0] == ""
    club.done(THERE, player=checked, into="", name="Gino R.")
    after = money(club)
    (guest,) = [one for one in after["balances"] if one["guest"]]
    assert guest["name"] == "Gino R."
    assert sum(one["amount"] for one in after["balances"]) == 0
    assert guest["amount"] == sum(one["amount"] for one in before["balances"] if one["guest"])
    assert keys_of(club) == []
    assert "Gino R." in club.page("/settings").words


def test_what_was_put_together_can_be_taken_back(club: Visit) -> None:
    before = money(club)
    club.done(THERE, player=keys_of(club), into="gino", name="")
    page = club.page("/settings/recorded")
    assert "Corrected together" in page.words
    assert "Gino (guest-1) is a guest" not in page.words
    events = club.phone.get(f"/api/clubs/{club.club_id}/events").get_json()["events"]
    (begun,) = [one["seq"] for one in events if one["type"] == "correction_begun"]
    refused = club.refused(f"/settings/recorded/{begun}", reason="they are two")
    assert "Gino (guest-1) is the same person as Gino" in refused.words
    (merged,) = [one["seq"] for one in events if one["type"] == "members_merged"]
    for seq in (merged, begun):
        club.done(f"/settings/recorded/{seq}", reason="they are two")
    assert {**money(club), "paid": None} == {**before, "paid": None}
    assert len(keys_of(club)) == 9


def test_same_form_sent_twice_makes_one_guest(club: Visit) -> None:
    form = {"player": keys_of(club), "into": "", "name": "Gino R."}
    club.done(THERE, **form)
    version = club_of(club)["version"]
    assert "Choose the evenings or names" not in club.page(THERE).words
    again = club.post(THERE, **form)
    assert again.status_code == 422
    assert club_of(club)["version"] == version


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"into": "", "name": "Gino"}, "Choose the evenings or names of one guest."),
        ({"account": ["gino"], "into": "", "name": ""}, "Type a name."),
        ({"account": ["nobody"], "into": "mara"}, "There is no member nobody in this club."),
        ({"account": ["leo"], "into": "gino"}, "remove the name of the guest"),
        ({"account": ["x"] * 201, "into": "mara"}, "Choose at most 200 at a time."),
    ],
)  # fmt: skip
def test_what_cannot_be_put_together_is_told(form: dict[str, Any], says: str) -> None:
    visit = Visit.found("Mara", "Leo")
    visit.enter(riparto(seats="mara leo gino"), join="no")
    assert says in visit.refused(THERE, **form).words


def test_unknown_players_of_an_evening_are_guests_and_chosen_again() -> None:
    visit = Visit.found("Mara", "Leo")
    visit.enter(riparto(seats="mara leo gino"), join="no")
    assert people(visit) == {"mara": False, "leo": False, "gino": True}
    visit.enter(riparto("2026-10-09", seats="mara leo gino"), join="no")
    assert people(visit) == {"mara": False, "leo": False, "gino": True}
    page = visit.page()
    table, _, guests = page.words.partition("Guests")
    assert "Gino" in guests
    assert "Gino" not in table.partition("Member")[2]
    figures = visit.phone.get(f"/api/clubs/{visit.club_id}/members/gino").get_json()
    assert (figures["evenings"], figures["guest"]) == (2, True)
    assert "Gino guest" in visit.page("/member/gino").words


def test_guest_becomes_a_member_with_all_evenings() -> None:
    visit = Visit.found("Mara", "Leo")
    visit.enter(riparto(seats="mara leo gino"), join="no")
    visit.done("/settings/member/gino", act="member", name="Gino")
    standings = visit.phone.get(f"/api/clubs/{visit.club_id}/standings").get_json()
    assert {row["member"] for row in standings["rows"]} == {"mara", "leo", "gino"}
    assert standings["guests"] == []
    words = visit.page("/settings/recorded").words
    assert "Gino is a guest no more, but a member" in words
    assert "Gino is a guest of the club" in words


def test_guest_pays_and_is_paid() -> None:
    visit = Visit.found("Mara", "Leo", money="yes", currency="EUR")
    visit.enter(riparto(seats="mara leo gino", stake=STAKE), join="no")
    before = {one["account"]: one["amount"] for one in money(visit)["balances"]}
    visit.done("/money", **{"from": "gino", "to": "mara", "amount": "0.10"})
    after = {one["account"]: one["amount"] for one in money(visit)["balances"]}
    assert (after["gino"] - before["gino"], after["mara"] - before["mara"]) == (10, -10)


def test_guest_gets_no_key_and_is_no_player_of_this_phone() -> None:
    visit = Visit.found("Mara", "Leo")
    visit.enter(riparto(seats="mara leo gino"), join="no")
    assert visit.post("/settings/link", **{"for": "as gino"}).status_code == 422
    assert visit.post("/settings/me", member="gino").status_code == 422
    assert 'value="as gino"' not in visit.look("/settings/member/gino").text
    key = {"role": "member", "member": "gino"}
    keys, origin = f"/api/clubs/{visit.club_id}/keys", {"Origin": "http://localhost"}
    assert visit.phone.post(keys, json=key, headers=origin).status_code == 422
    code = visit.app.extensions["clubs"].store.new_code(visit.club_id, 900)
    stranger = visit.app.test_client()
    offered = page_of(stranger.get(f"/code?code={code}"))
    assert "Leo" in offered.words
    assert "Gino" not in offered.words


def test_member_names_guests_of_an_evening_and_nobody_else() -> None:
    visit = Visit.found("Mara", "Leo")
    leo = visit.other("seat", "leo")
    guest = ("member_joined", {"id": "gino", "name": "Gino", "guest": True})
    member = ("member_joined", {"id": "gino", "name": "Gino"})
    for events in ([guest], [member], [guest, ("note_added", {"text": "x"})]):
        assert record(leo, *events).status_code == 403
    assert people(visit) == {"mara": False, "leo": False}
    page_of(leo.phone.post(
        "/new", headers={"Origin": "http://localhost"},
        data={"club": leo.club_id, "game": "riparto", "name": ["Leo", "Mara", "Gino"]},
    ))  # fmt: skip
    assert people(visit) == {"mara": False, "leo": False, "gino": True}
    for events in ([guest], [member]):
        assert record(leo, *events).status_code == 403
    for path in (THERE, "/settings/member/gino"):
        assert leo.look(path).status_code == 403
    assert leo.post(THERE, account=["gino"], into="mara").status_code == 403


def test_member_who_left_is_marked_in_every_table() -> None:
    visit = Visit.found("Mara", "Leo", "Nina", money="yes", currency="EUR")
    visit.enter(riparto(stake=STAKE))
    visit.done("/settings/member/mara", act="leave")
    for path in ("", "/money", "/records", "/member/leo", "/member/mara"):
        assert "Mara has left" in visit.page(path).words.replace(" You ", " "), path
    api = f"/api/clubs/{visit.club_id}"
    rows = visit.phone.get(f"{api}/standings").get_json()["rows"]
    assert {row["member"]: row["left"] for row in rows}["mara"] is True
    assert {one["account"]: one["left"] for one in money(visit)["balances"]}["mara"] is True
    text = visit.phone.get(f"{api}/exports/text").text
    assert "(has left)" in text
    head, first, *_ = visit.phone.get(f"{api}/exports/csv").text.splitlines()
    assert head.lstrip("\ufeff").split(",")[-2:] == ["left", "guest"]
    assert first.endswith(",1,0")


def test_latecomer_of_an_evening_gets_an_account() -> None:
    visit = Visit.found("Mara", "Leo", "Nina")
    names = {"club": visit.club_id, "game": "riparto", "name": ["Mara", "Leo", "Nina"]}
    origin = {"Origin": "http://localhost"}
    session_id = (
        visit.phone.post("/new", data=names, headers=origin).headers["Location"].split("/")[2]
    )
    path = f"/api/sessions/{session_id}"
    version = visit.phone.get(path).headers["ETag"]
    late = {"events": [{"type": "player_joined", "data": {"id": "ugo", "name": "Ugo"}}]}
    answer = visit.phone.post(f"{path}/events", json=late, headers={**origin, "If-Match": version})
    assert answer.status_code == 201
    assert keys_of(visit) == [f"{session_id}/ugo"]
    visit.done(THERE, player=keys_of(visit), into="", name="Ugo")
    (evening,) = club_of(visit)["evenings"]
    assert evening["players"] == {"mara": "mara", "leo": "leo", "nina": "nina", "ugo": "guest-1"}
    assert evening["followed"] is True
    assert keys_of(visit) == []
