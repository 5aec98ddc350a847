"""``…/entrants``: a pasted list, the check-in, and what can be changed of an entrant."""

from typing import Any

from tests.api.hall import Hall
from tests.evenings import event
from tests.web.pages import page_of
from tests.web.tournament.visiting import Person, opened

SIX = ("ada bea ciro", "dora elio fede")
WIDE = "\N{FULLWIDTH LATIN CAPITAL LETTER W}" * 60


def read(hall: Hall) -> dict[str, Any]:
    """Return the entrants by id."""
    return {entrant["id"]: entrant for entrant in hall.read()["registered"]}


def test_a_pasted_list_is_registered_as_a_whole_or_not_at_all() -> None:
    hall = opened()
    director = Person(hall)
    director.done("/entrants/add", text=f"Name; Group\nUgo; Bologna\n{WIDE}; {WIDE}\n")
    assert {entrant["name"] for entrant in read(hall).values()} >= {"Ugo", WIDE}
    assert WIDE in director.page("/entrants").words
    page = page_of(director.post("/entrants/add", text="Ivo\nUgo"))
    assert "Line 2: " in page.words
    assert "Ivo" in page.words  # the text is still there
    assert len(read(hall)) == 8


def test_the_row_is_the_button_and_only_those_who_are_here_are_drawn() -> None:
    hall = opened(fee={"amount": 500, "currency": "EUR"})
    director = Person(hall)
    for _ in range(2):  # a second tap, as by another phone, changes nothing
        director.done("/entrants/check-in", present="ada")
        director.done("/entrants/check-in", paid="ada")
    page = director.page("/entrants")
    assert "6 entrants · 1 is here · 1 has paid" in page.words
    assert {b["value"] for b in page.all("button") if b.get("name") == "present"} == {
        "bea", "ciro", "dora", "elio", "fede",
    }  # fmt: skip
    director.done("/entrants/ada", act="absent")
    director.done("/entrants/ada", act="unpaid")
    assert (read(hall)["ada"]["present"], read(hall)["ada"]["paid"]) == (False, False)


def test_an_entrant_withdraws_comes_back_and_has_a_substitute() -> None:
    hall = opened()
    director = Person(hall)
    hall.draw(1, *SIX)
    hall.publish()
    refused = page_of(director.post("/entrants/ada", act="withdraw", from_round="1"))
    assert "ada" in refused.words.casefold()
    director.done("/entrants/ada", act="withdraw", from_round="2", reason="ill")
    assert read(hall)["ada"]["withdrawn_from"] == 2
    director.done("/entrants/ada", act="back")
    director.done("/entrants/ada", act="substitute", name="Zoe", from_round="2", to_round="2")
    assert read(hall)["ada"]["players"] == {"ada": "Ada", "zoe": "Zoe"}
    assert "Zoe plays for Ada from round 2 on until round 2" in director.page("/entrants/ada").words
    director.done("/entrants/ada", act="alone")
    assert list(read(hall)["ada"]["players"]) == ["ada"]


def test_a_mistyped_name_is_corrected_and_a_mistaken_entrant_removed() -> None:
    hall = opened(fee={"amount": 500, "currency": "EUR"})
    director = Person(hall)
    director.done("/entrants/ada", act="rename", **{"name.ada": "Adele", "group": "Lucca"})
    assert read(hall)["ada"]["name"] == "Adele"
    assert read(hall)["ada"]["players"] == {"ada": "Adele"}
    director.done("/entrants/check-in", present="bea")
    director.done("/entrants/check-in", paid="bea")
    director.done("/entrants/bea", act="remove")
    assert "bea" not in read(hall)
    hall.version = hall.read()["version"]
    hall.do(event("entrant_present", entrant="ciro"))
    assert director.post("/entrants/bea", act="rename").status_code == 404
    assert director.post("/entrants/ada", act="rename", **{"name.ada": "Ciro"}).status_code == 422
