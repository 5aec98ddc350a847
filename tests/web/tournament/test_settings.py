"""``…/settings``: links by role, a code by which players join as themselves, and taking back."""

import re

import pytest

from tests.api.hall import Hall
from tests.web.club.visiting import OWN
from tests.web.pages import Page, page_of
from tests.web.tournament.visiting import Person, opened, service

SIX = ("ada bea ciro", "dora elio fede")


def link_of(director: Person, role: str, **more: str) -> str:
    """Make a link, and return its secret."""
    page = page_of(director.post("/settings/link", **{"for": role}, **more))
    (secret,) = {a["href"].rpartition("/")[2] for a in page.all("a") if "/join/" in a["href"]}
    return secret


def joined(hall: Hall, secret: str) -> Person:
    """Return a phone that came in by a link."""
    person = Person(hall, None)
    person.join(secret)
    return person


@pytest.mark.parametrize(
    ("role", "more", "statuses"),
    [
        ("director", {}, (200, 200)),
        ("assistant", {}, (200, 403)),
        ("entrant", {"player": "ada"}, (403, 403)),
        ("view", {}, (403, 403)),
    ],
)
def test_a_link_has_the_rights_of_its_role_until_it_is_taken_back(
    role: str, more: dict[str, str], statuses: tuple[int, int]
) -> None:
    hall = opened()
    director = Person(hall)
    person = joined(hall, link_of(director, role, **more))
    assert (person.look("/direct").status_code, person.look("/settings").status_code) == statuses
    key = hall.key_ids()[more.get("player", role)][-1]
    assert "Take this link back?" in director.page(f"/settings/key/{key}").words
    director.done("/settings/revoke", key=key)
    assert person.look().status_code == 401
    assert "key_gone" not in person.look().text


def test_players_join_by_a_code_and_their_name() -> None:
    hall = opened()
    director = Person(hall)
    hall.draw(1, *SIX)
    hall.publish()
    page = page_of(director.post("/settings/code"))
    (code,) = re.findall(r"type: (\w{6})\b", page.words)
    phone = service().test_client()
    seats = page_of(phone.get(f"/code?code={code}"))
    assert "Ada" in seats.words
    answer = phone.post("/code", data={"code": code, "seat": "ada"}, headers=OWN)
    assert answer.headers["Location"] == f"/tournament/{hall.id}"
    assert "Table 1, seat 1" in page_of(phone.get(answer.headers["Location"])).words
    again = page_of(phone.get(f"/code?code={code}"))
    assert "This phone is already in the tournament." in again.words
    other = service().test_client()
    assert other.post("/code", data={"code": code, "seat": "ada"}, headers=OWN).status_code == 409
    assert "1 of 6 has a phone here." in director.page("/settings").words


def test_the_last_key_of_the_directors_stays_and_no_stranger_gets_one() -> None:
    hall = opened()
    director = Person(hall)
    (key,) = hall.key_ids()["director"]
    assert director.post("/settings/revoke", key=key).status_code == 409
    unknown: Page = page_of(director.post("/settings/link", **{"for": "entrant", "player": "zoe"}))
    assert "There is no such player" in unknown.words or unknown.words
    assert "zoe" not in hall.key_ids()
    assert director.look("/settings/key/none").status_code == 404
