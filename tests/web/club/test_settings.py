"""``/club/<club_id>/settings``: members join, leave and are renamed; links are made and revoked."""

import pytest

from tests.web.club.visiting import OWN, Visit, riparto
from tests.web.pages import page_of


def test_people_join_one_on_each_line() -> None:
    visit = Visit.found()
    assert visit.done("/settings/add", names="Ugo\r\nZoë\r\n").endswith("done=joined")
    words = visit.page("/settings?done=joined").words
    assert "5 members" in words
    assert "They can be chosen at the next table." in words


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ("", "Type a name."),
        ("Ugo\nUGO", "Two players are called UGO."),
        ("x" * 61, "is longer than 60 letters"),
        ("leo", "There is a member called Leo already."),
    ],
)
def test_invalid_names_are_refused_with_a_message(names: str, says: str) -> None:
    visit = Visit.found()
    assert says in visit.refused("/settings/add", names=names).words
    assert "3 members" in visit.page("/settings").words


def test_a_member_is_renamed_leaves_and_comes_back() -> None:
    visit = Visit.found()
    visit.enter(riparto())
    visit.done("/settings/member/leo", act="rename", name="Leonardo")
    assert "Leonardo" in visit.page().words
    visit.done("/settings/member/leo", act="leave")
    assert "1 has left" in visit.page("/settings").words
    assert "Leonardo" in visit.page().words  # stays in the table of the evenings
    visit.done("/settings/member/leo", act="back", name="Leo")
    assert "3 members" in visit.page("/settings").words


def test_invalid_changes_of_a_member_are_refused_with_a_message() -> None:
    visit = Visit.found()
    assert "Type a name." in visit.refused("/settings/member/leo", act="rename", name=" ").words
    assert visit.look("/settings/member/nobody").status_code == 404
    assert visit.post("/settings/member/leo", act="vanish").status_code == 404
    visit.done("/settings/member/leo", act="leave")
    again = visit.refused("/settings/member/leo", act="leave")
    assert "Leo has left the club already." in again.words


def test_a_code_leads_members_to_their_names() -> None:
    visit = Visit.found()
    code = page_of(visit.post("/settings/code"))
    letters = next(w for w in code.words.split() if len(w) == 6 and w.isalnum() and w == w.upper())
    other = visit.app.test_client()
    seats = page_of(other.post("/code", data={"code": letters, "show": "seats"}, headers=OWN))
    assert "Mara is here already" in seats.words
    answer = other.post("/code", data={"code": letters, "seat": "nina"}, headers=OWN)
    assert answer.headers["Location"] == f"/club/{visit.club_id}"
    assert "Nina this phone" in page_of(other.get(f"/club/{visit.club_id}/settings")).words
    third = visit.app.test_client()
    taken = third.post("/code", data={"code": letters, "seat": "nina"}, headers=OWN)
    assert taken.status_code == 409


def test_a_link_that_was_taken_back_opens_nothing() -> None:
    visit = Visit.found()
    other = visit.other("seat", "leo")
    assert "Circolo" in other.page().words
    person = visit.page("/settings/member/leo")
    (key,) = [a["href"].rpartition("/")[2] for a in person.all("a") if "/key/" in a.get("href", "")]
    assert "Take this link back?" in visit.page(f"/settings/key/{key}").words
    store = visit.app.extensions["clubs"].store
    code = store.new_code(visit.club_id, 900)
    visit.done("/settings/revoke", key=key)
    assert other.look().status_code == 401
    assert store.find_code(code) is None


def test_host_selects_their_own_member_only_if_it_is_free() -> None:
    visit = Visit.found()
    visit.other("seat", "leo")
    visit.done("/settings/me", member="nina")
    assert "Nina this phone" in visit.page("/settings").words
    answer = visit.post("/settings/me", member="leo")
    assert answer.status_code == 409
    assert "Another phone already speaks for this member." in page_of(answer).words
    visit.done("/settings/me", member="")
    assert "Nina this phone" not in visit.page("/settings").words


def test_a_member_sees_who_is_there_and_changes_nothing() -> None:
    visit = Visit.found()
    words = visit.other("seat", "leo").page("/settings").words
    assert "Leo this phone" in words
    assert "Only the host of the club adds members" in words
    assert "New link" not in words
