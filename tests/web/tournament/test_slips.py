"""``…/print``: slips with a QR code for players and tables, and older ones that stop working.

Of ``web.tournament.printing`` and ``service.slip_keys``.
"""

import io
import re

import pytest
from pypdf import PdfReader
from werkzeug.test import TestResponse

from tests.api.hall import Hall
from tests.web.pages import page_of
from tests.web.tournament.visiting import Person, opened, service

SIX = ("ada bea ciro", "dora elio fede")
KEY = "of a form, that nobody can guess"


def secrets_of(answer: TestResponse) -> list[str]:
    """Return the keys on the slips of a PDF."""
    assert (answer.status_code, answer.content_type) == (200, "application/pdf"), answer.text
    assert "no-store" in answer.headers["Cache-Control"]
    pages = PdfReader(io.BytesIO(answer.data)).pages
    text = "".join("".join(page.extract_text().split()) for page in pages)
    return re.findall(r"/join/([\w-]{32})", text)


def enters(hall: Hall, secret: str) -> bool:
    """Return whether a phone that scans a slip comes in."""
    phone = Person(hall, None).phone
    return phone.get(f"/join/{secret}", follow_redirects=True).status_code == 200


@pytest.fixture
def hall() -> Hall:
    hall = opened()
    hall.add_key("entrant", "ada")
    hall.draw(1, *SIX)
    hall.publish(1, 2)
    return hall


def test_new_slips_for_players_end_all_older(hall: Hall, caplog: pytest.LogCaptureFixture) -> None:
    director = Person(hall)
    assert "Slips for 5 players without a link" in director.page("/print").words
    form = {"for": "players", "key": KEY}
    first, again = (secrets_of(director.post("/print/slips", **form)) for _ in range(2))
    assert first == again
    assert len(set(first)) == 5
    assert all(enters(hall, secret) for secret in first)
    other = director.post("/print/slips", **{"for": "players", "key": KEY[::-1]})
    assert other.status_code == 409
    assert "There are slips or links already." in page_of(other).words
    renewed = {"for": "players", "key": KEY[::-1], "renew": "yes"}
    new, same = (secrets_of(director.post("/print/slips", **renewed)) for _ in range(2))
    assert new == same
    assert len(set(new)) == 6
    assert not any(enters(hall, secret) for secret in (*first, hall.keys["ada"]))
    assert all(enters(hall, secret) for secret in new)
    assert director.post("/print/slips", **form).status_code == 409  # the old ones stay revoked
    assert director.look("/print").status_code == 200  # the keys of directors stay
    assert not any(secret in caplog.text for secret in new)


def test_a_table_gets_one_slip_with_which_any_phone_records_for_all(hall: Hall) -> None:
    director = Person(hall)
    assert "Slip for 1 table of round 1" in director.page("/print").words  # the other is on paper
    form = {"for": "tables", "key": KEY}
    (secret,), again = (secrets_of(director.post("/print/slips", **form)) for _ in range(2))
    assert [secret] == again
    phone = Person(hall, None)
    at_table = phone.join(secret).headers["Location"]
    assert phone.phone.get(at_table).status_code == 200
    assert phone.look("/direct").status_code == 401  # it is not the director's
    other = {"for": "tables", "key": KEY[::-1]}
    assert director.post("/print/slips", **other).status_code == 409
    renewed = {**other, "renew": "yes"}
    (new,), same = (secrets_of(director.post("/print/slips", **renewed)) for _ in range(2))
    assert [new] == same
    assert (enters(hall, secret), enters(hall, new)) == (False, True)
    assert director.post("/print/slips", **form).status_code == 409
    session = at_table.partition("/t/")[2].partition("?")[0]
    keys = service().extensions["service"].store.keys(session)
    assert [key.revoked is None for key in keys if key.role == "host"] == [True, False, True]


def test_only_directors_print_slips(hall: Hall) -> None:
    hall.add_key("assistant")
    for who in ("assistant", "ada", "view"):
        person = Person(hall, who)
        assert "Slip" not in person.page("/print").words
        for kind in ("players", "tables"):
            assert person.post("/print/slips", **{"for": kind}).status_code == 403
    assert Person(hall).post("/print/slips", **{"for": "hall"}).status_code == 404
