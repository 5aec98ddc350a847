"""The house rules of a club: saved at a new table, offered there, removed in the settings.

Tests of ``web.club.houses`` and ``web.opening.club_houses``.
"""

import json
from typing import Any

import pytest

from scorekeeper.service import Clubs, Service
from tests.web.club.visiting import OWN, Visit, well_formed
from tests.web.pages import Page, inputs_of

CHIAMATA = "briscola_chiamata"
KEEP, DROP = "/settings/houses", "/settings/houses/drop"


def form(visit: Visit, query: str = f"&game={CHIAMATA}") -> Page:
    return well_formed(visit.phone.get(f"/new?club={visit.club_id}{query}"))


def filled(visit: Visit, name: str, query: str = f"&game={CHIAMATA}&house=1") -> dict[str, Any]:
    """Return the form of a new table with the rules of a preset, and a name for them."""
    return {**inputs_of(form(visit, query)), "club-house": name}


def keep(visit: Visit, name: str, query: str = f"&game={CHIAMATA}&house=1") -> str:
    """Save the rules of a new table in the club; return the response."""
    return visit.done(KEEP, **filled(visit, name, query))


def houses(visit: Visit) -> Any:
    return visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["houses"]


def offered(page: Page) -> dict[str, bool]:
    """Return the rules that the club offers at a new table, and whether they are chosen."""
    return {
        json.dumps(json.loads(button["value"])): button["aria-pressed"] == "true"
        for button in page.all("button") if button.get("name") == "rules"
    }  # fmt: skip


def test_the_rules_of_a_new_table_are_saved_and_the_form_stays_as_it_was() -> None:
    visit = Visit.found()
    fields = filled(visit, "Fridays") | {"name": ["Mara", "", "Leo"], "title": "Round the oven"}
    there = visit.done(KEEP, **fields)
    page = well_formed(visit.phone.get(there))
    assert "The club has these rules now." in page.words
    assert offered(page) == {'{"bands": [70, 80]}': True}
    again = inputs_of(page)
    assert (again["name"][:3], again["title"]) == (["Mara", "", "Leo"], ["Round the oven"])
    assert houses(visit) == [
        {"name": "Fridays", "game": CHIAMATA, "options": {"bands": [70, 80]}, "unusable": None}
    ]


def test_a_new_table_begins_with_the_one_house_of_its_game() -> None:
    """Two sets are offered at a tap; without a club or for another game, all rules are as usual."""
    visit = Visit.found()
    keep(visit, "Fridays")
    assert offered(form(visit)) == {'{"bands": [70, 80]}': True}
    assert "House rules 1 is not as usual" in form(visit).words
    assert offered(form(visit, f"&game={CHIAMATA}&house=0")) == {'{"bands": [70, 80]}': False}
    assert offered(form(visit, "&game=knock")) == {}
    assert "House rules as usual" in form(visit, "&game=knock").words
    alone = well_formed(visit.phone.get(f"/new?game={CHIAMATA}"))
    assert offered(alone) == {}
    assert "House rules as usual" in alone.words
    keep(visit, "Sundays", f"&game={CHIAMATA}&house=4")
    assert list(offered(form(visit)).values()) == [False, False]
    assert "House rules as usual" in form(visit).words


def test_a_table_is_opened_by_the_rules_of_the_club_at_one_tap() -> None:
    visit = Visit.found("Mara", "Leo", "Nina", "Ugo", "Zoe")
    keep(visit, "Fridays")
    keep(visit, "Sundays", f"&game={CHIAMATA}&house=4")
    leo = visit.other("seat", "leo")
    text = next(button["value"] for button in form(leo).all("button")
                if button.get("name") == "rules" and "Sundays" not in button)  # fmt: skip
    tapped = well_formed(leo.phone.get("/new", query_string={
        "club": visit.club_id, "game": CHIAMATA, "rules": text}))  # fmt: skip
    fields = inputs_of(tapped) | {"name": ["Mara", "Leo", "Nina", "Ugo", "Zoe"]}
    answer = leo.phone.post("/new", data=fields, headers=OWN)
    assert answer.status_code == 303
    session_id = answer.headers["Location"].split("/")[2]
    (match,) = leo.phone.get(f"/api/sessions/{session_id}").get_json()["matches"]
    assert match["options"]["bands"] == [70, 80]


def test_the_next_match_of_an_evening_of_the_club_is_offered_them_too() -> None:
    """The same game continues as before; another game begins with its one set of rules."""
    visit = Visit.found("Mara", "Leo", "Nina", "Ugo", "Zoe")
    keep(visit, "Fridays")
    fields = inputs_of(form(visit, "&game=knock")) | {"name": ["Mara", "Leo", "Nina", "Ugo"]}
    answer = visit.phone.post("/new", data=fields, headers=OWN)
    again = f"/t/{answer.headers['Location'].split('/')[2]}/settings/match"
    assert offered(well_formed(visit.phone.get(again))) == {}
    other = well_formed(visit.phone.get(again, query_string={"pick": CHIAMATA}))
    assert offered(other) == {'{"bands": [70, 80]}': True}
    assert "Fridays" in other.words
    tapped = {**inputs_of(other), "seat": ["mara", "leo"], "house": 0}
    page = well_formed(visit.phone.get(again, query_string=tapped))
    assert offered(page) == {'{"bands": [70, 80]}': False}
    apart = visit.phone.post("/new", data={name: value for name, value in fields.items()
                                           if name != "club"}, headers=OWN)  # fmt: skip
    elsewhere = f"/t/{apart.headers['Location'].split('/')[2]}/settings/match?pick={CHIAMATA}"
    assert offered(well_formed(visit.phone.get(elsewhere))) == {}


def test_the_usual_rules_can_be_saved_too() -> None:
    """A game without other presets gets a button for them, and one for the usual rules."""
    visit = Visit.found()
    keep(visit, "By the book", "&game=riparto")
    assert offered(form(visit, "&game=riparto")) == {"{}": True}
    assert "Usual rules" in form(visit, "&game=riparto").words
    assert "Riparto · as usual" in visit.page("/settings").words


def test_repeated_form_saves_one_set_of_rules() -> None:
    visit = Visit.found()
    fields = filled(visit, "Fridays")
    assert visit.done(KEEP, **fields) == visit.done(KEEP, **fields)
    assert len(houses(visit)) == 1


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("", "Type a name."),
        ("\u200b \u3164", "Type a name."),
        ("x" * 61, "This is longer than 60 letters."),
        ("FRIDAYS", "There are house rules called Fridays already."),
    ],
)
def test_invalid_name_is_refused_and_the_form_keeps_its_values(name: str, says: str) -> None:
    visit = Visit.found()
    keep(visit, "Fridays")
    fields = filled(visit, name, f"&game={CHIAMATA}&house=4") | {"name": ["Mara"]}
    page = visit.refused(KEEP, **fields)
    assert says in page.words
    assert inputs_of(page)["name"][0] == "Mara"
    assert inputs_of(page)["o-bands"] == fields["o-bands"]
    assert len(houses(visit)) == 1


def test_invalid_rules_are_refused_with_a_message() -> None:
    visit = Visit.found()
    fields = filled(visit, "Fridays", f"&game={CHIAMATA}") | {"o-bands": "8", "o-bands-8": "90 80"}
    assert "Rising numbers" in visit.refused(KEEP, **fields).words
    assert houses(visit) == []


def test_a_name_of_sixty_letters_or_with_a_script_is_a_name() -> None:
    visit = Visit.found()
    for name in ("\U0001f600" * 60, "<script>alert(1)</script>", "مرحبا \u202e {{ 7*7 }}"):
        keep(visit, name)
        for path in ("/settings", "/settings/recorded"):
            assert name in visit.page(path).words
        assert "<script>alert" not in visit.look("/settings").text
        assert "<script>alert" not in visit.phone.get(f"/new?club={visit.club_id}").text
        visit.done(DROP, name=name, game=CHIAMATA)
        assert houses(visit) == []


def test_they_are_listed_in_one_line_and_removed() -> None:
    visit = Visit.found()
    assert "None yet. At a new table choose your house rules" in visit.page("/settings").words
    keep(visit, "Fridays")
    words = visit.page("/settings").words
    assert "Fridays Briscola Chiamata · stakes at 70, 80 Remove" in words
    visit.done(DROP, name="Fridays", game=CHIAMATA)
    assert "stakes at 70" not in visit.page("/settings").words
    again = visit.refused(DROP, name="Fridays", game=CHIAMATA)
    assert 'The club has no house rules called "Fridays".' in again.words
    recorded = visit.page("/settings/recorded").words
    assert "House rules removed: Fridays (Briscola Chiamata)" in recorded


def test_only_the_host_saves_and_removes_them() -> None:
    visit = Visit.found()
    keep(visit, "Fridays")
    member, looker = visit.other("seat", "leo"), visit.other("view")
    for other in (member, looker):
        assert "stakes at 70, 80" in other.page("/settings").words
        assert DROP not in other.look("/settings").text
        assert other.post(DROP, name="Fridays", game=CHIAMATA).status_code == 403
        assert other.post(KEEP, **filled(visit, "Mondays")).status_code == 403
    assert KEEP not in member.phone.get(f"/new?club={visit.club_id}").text
    assert offered(form(member)) == {'{"bands": [70, 80]}': True}
    assert "/new?" not in looker.look("/settings").text
    assert len(houses(visit)) == 1


def test_rules_of_a_missing_game_are_listed_and_stay() -> None:
    """The log of another program has a missing game, and an unknown option."""
    visit = Visit.found()
    store = visit.app.extensions["service"].store
    lines: list[tuple[str, dict[str, Any]]] = [
        ("club_opened", {"name": "Circolo", "format": 1}),
        ("house_kept", {"name": "Bidding", "game": "bridge", "options": {"vulnerable": "both"}}),
        ("house_kept", {"name": "Minds", "game": CHIAMATA, "options": {"telepathy": True}}),
        ("house_kept", {"name": "Tens", "game": CHIAMATA, "options": {"bands": [70, 80]}}),
    ]
    log = b"".join(
        json.dumps({"type": kind, "data": data}).encode() + b"\n" for kind, data in lines
    )
    imported = Clubs(Service(store)).import_log(log, len(log))
    host = next(key.secret for key in imported.keys if key.key.role == "host")
    visit.club_id = imported.id
    assert visit.phone.post("/join", data={"key": host}, headers=OWN).status_code == 303
    words = visit.page("/settings").words
    assert "Bidding bridge · This game is not installed here." in words
    assert (
        "Nobody can play by these rules here. A newer program may know them. The game has no "
        'option "telepathy".' in words
    )
    page = form(visit)
    assert offered(page) == {'{"bands": [70, 80]}': False}  # it is not the only one
    assert "Minds Nobody can play by these rules here." in page.words
    unusable = {house["name"]: house["unusable"] for house in houses(visit)}
    assert 'no game "bridge" is installed' in unusable["Bidding"]
    assert "telepathy" in unusable["Minds"]
    assert unusable["Tens"] is None
    options = [house["options"] for house in houses(visit)]
    assert options == [data["options"] for _, data in lines[1:]]
    visit.done(DROP, name="Bidding", game="bridge")
