"""``/club/<club_id>/enter``: evenings are entered by link, by code, from the phone and as files.

Tests of ``web.club.bringing``, ``service.club_twins`` and ``web.opening.led``.
"""

import json
import threading
from collections.abc import Callable

import pytest

from scorekeeper.clubs.identities import PlayerIdentities
from scorekeeper.log.chain import seal
from scorekeeper.service import NewEvent
from scorekeeper.service.club_logs import build_entering_events
from scorekeeper.web.club import bringing
from scorekeeper.web.opening.led import find_destination
from tests.api.asking import Table
from tests.api.clubbing import evening
from tests.web.club.visiting import OWN, Visit, riparto, well_formed
from tests.web.pages import Page


@pytest.fixture
def visit() -> Visit:
    return Visit.found()


def table_of(visit: Visit) -> Table:
    return evening(visit.app.test_client(use_cookies=False))


def selects(page: Page) -> list[str]:
    """Return the member that the form selects for each player."""
    chosen = []
    for tag, attrs in page.tags:
        if tag == "select":
            chosen.append("")
        elif tag == "option" and "selected" in attrs:
            chosen[-1] = attrs["value"]
    return chosen


def test_link_offers_each_player_as_the_member_of_the_same_name(visit: Visit) -> None:
    table = table_of(visit)
    link = f"http://table.example/join/{table.keys['view']}?level=cards"
    who = well_formed(visit.post("/enter/who", link=link))
    assert selects(who) == ["mara", "leo", "nina"]
    hidden = {field["name"]: field["value"] for field in who.all("input")}
    assert visit.done("/enter", **hidden, **{"as-mara": "mara", "as-leo": "leo", "as-nina": ""})
    evenings = visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["evenings"]
    assert [evening_["players"] for evening_ in evenings] == [
        {"mara": "mara", "leo": "leo", "nina": None}
    ]
    assert "1 evening" in visit.page().words


def test_new_player_joins_when_the_evening_is_entered(visit: Visit) -> None:
    table = Table.open(visit.app.test_client(use_cookies=False), "mara leo ugo")
    who = well_formed(visit.post("/enter/who", link=f"/t/x/join/{table.keys['host']}"))
    assert selects(who) == ["mara", "leo", "+"]
    visit.done("/enter", link=table.keys["host"],
               **{"as-mara": "mara", "as-leo": "leo", "as-ugo": "+"})  # fmt: skip
    assert "4 members" in visit.page("/settings").words


def test_evening_is_entered_by_the_code_of_a_table(visit: Visit) -> None:
    table = table_of(visit)
    code = visit.app.extensions["service"].store.new_code(table.id, 900)
    well_formed(visit.post("/enter/who", code=code))
    visit.done("/enter", code=code, **{"as-mara": "mara"})
    assert "1 evening" in visit.page().words


def test_session_id_without_a_key_enters_nothing(visit: Visit) -> None:
    """Neither its id nor a code that leads elsewhere gives access to the session."""
    table = table_of(visit)
    for form in ({"session": table.id}, {"link": f"http://localhost/t/{table.id}/results"},
                 {"session": table.id, "code": "abcdef"}, {"session": table.id, "link": "x" * 32},
                 ):  # fmt: skip
        visit.refused("/enter", **form, **{"as-mara": "mara"})
    assert "0 evenings" in visit.page().words


def test_a_table_of_this_phone_is_offered(visit: Visit) -> None:
    visit.phone.post("/new", data={"game": "riparto", "name": ["Mara", "Leo", "Ugo"],
                                   "title": "Thursday"}, headers=OWN)  # fmt: skip
    offered = visit.page("/enter")
    assert "Thursday" in offered.words
    (session_id,) = [b["value"] for b in offered.all("button") if b.get("name") == "session"]
    visit.done("/enter", session=session_id, **{"as-mara": "mara"})
    assert "Thursday" not in visit.page("/enter").words


def test_tables_of_this_phone_show_their_day(visit: Visit) -> None:
    visit.enter(riparto("2026-10-02", title="Friday"))
    evenings = visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["evenings"]
    visit.done(f"/evenings/{evenings[0]['session']}/withdraw", reason="a trial")
    assert "Friday 2 Oct 2026" in visit.page("/enter").words


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({}, "Paste the link of the evening, or type its code."),
        ({"link": "https://example.org/"}, "This is not the link of an evening or tournament."),
        ({"link": "http://localhost/join/" + "x" * 32}, "This link opens no evening"),
        ({"code": "abcdef"}, "This code does not exist"),
        ({"link": "http://localhost/t/222222222222"}, "You need a key to that evening."),
    ],
)
def test_invalid_link_or_code_is_refused_with_advice(
    visit: Visit, form: dict[str, str], says: str
) -> None:
    assert says in visit.refused("/enter/who", **form).words
    assert says in visit.refused("/enter", **form).words


def test_two_players_cannot_be_one_member(visit: Visit) -> None:
    """The refusal names the players as the evening does, whatever their ids are."""
    table = table_of(visit)
    fields = {"as-mara": "leo", "as-leo": "leo", "as-nina": ""}
    page = visit.refused("/enter", link=table.keys["host"], **fields)
    assert "Mara and Leo played together, so only one of them is Leo." in page.words
    assert selects(page) == ["leo", "leo", ""]


def test_member_enters_an_evening_that_they_host(visit: Visit) -> None:
    leo, table = visit.other("seat", "leo"), table_of(visit)
    refused = leo.refused("/enter", link=table.keys["view"], **{"as-leo": "leo"})
    assert "Members can add the evenings that they host." in refused.words
    leo.done("/enter", link=table.keys["host"], **{"as-leo": "leo"})
    assert "1 evening" in leo.page().words


def test_several_files_are_entered_together(visit: Visit) -> None:
    days = [f"2026-10-{day:02}" for day in range(1, 31)]
    page = visit.enter(*(riparto(day, seats="mara leo nina ugo") for day in days))
    assert "30 evenings were added." in page.words
    assert "Joined: Ugo" in page.words
    assert "4 members" in visit.page("/settings").words


def test_member_who_joined_meanwhile_is_matched_by_name(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = visit.other("host")

    def entered(session_id: str, who: PlayerIdentities) -> tuple[NewEvent, ...]:
        if who.new_members:
            joins.start()
            joins.join()
        return build_entering_events(session_id, who)

    joins = threading.Thread(target=lambda: other.done("/settings/add", names="Zoe"))
    monkeypatch.setattr(bringing, "build_entering_events", entered)
    page = visit.enter(riparto(seats="mara leo zoe"))
    club = visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()
    assert [member["name"] for member in club["members"]].count("Zoe") == 1
    assert club["evenings"][-1]["players"]["zoe"] == "zoe", page.words


def test_player_who_does_not_join_is_a_guest(visit: Visit) -> None:
    visit.enter(riparto(seats="mara leo ugo"), join="")
    leo = visit.other("seat", "leo")
    leo.enter(riparto("2026-10-09", seats="mara leo ugo"))
    assert "3 members" in visit.page("/settings").words


def by_hand(day: str) -> bytes:
    """Return a log without seals, whose players hide nothing."""
    lines = (json.loads(line) for line in riparto(day).splitlines())
    raws = ({name: line[name] for name in ("type", "data")} for line in lines)
    return b"".join(json.dumps(raw).encode() + b"\n" for raw in raws)


@pytest.mark.parametrize("make", [riparto, by_hand])
def test_repeated_file_is_entered_only_one_time(visit: Visit, make: Callable[[str], bytes]) -> None:
    log = make("2026-10-02")
    visit.enter(log)
    shorter = b"".join(log.splitlines(keepends=True)[:-1])
    again = visit.enter(log, make("2026-10-09"))
    assert "1 evening was added." in again.words
    assert "This evening already counts." in again.words
    assert "2 evenings" in visit.page().words
    if make is riparto:
        assert "This evening already counts." in visit.enter(shorter).words


@pytest.mark.parametrize("make", [riparto, by_hand])
@pytest.mark.parametrize("form", [{}, {"key": "k" * 22}])
def test_equal_files_of_one_form_are_counted_once(
    visit: Visit, make: Callable[[str], bytes], form: dict[str, str]
) -> None:
    log = make("2026-10-02")
    for _ in range(2 if form else 1):  # a form with a key that is sent again has the same results
        page = visit.enter(log, make("2026-10-09"), log, log, **form)
        assert "2 evenings were added." in page.words
        assert page.words.count("This evening already counts.") == 2
    assert "2 evenings" in visit.page().words


def test_players_of_equal_files_join_once(visit: Visit) -> None:
    page = visit.enter(*[riparto(seats="mara leo ugo")] * 6, key="k" * 22)
    assert "1 evening was added." in page.words
    assert page.words.count("Joined: Ugo") == 1


def test_diverging_file_is_refused_with_advice(visit: Visit) -> None:
    log = riparto("2026-10-02")
    *alike, last = log.splitlines(keepends=True)[:-1]
    decoded = json.loads(last)
    data = {"text": "another end"}
    end = seal(
        decoded["hash"], decoded["seq"] + 1, "note_added", data, decoded["at"], decoded["by"]
    )
    forked = b"".join((*alike, last, end.line + b"\n"))
    visit.enter(log)
    store = visit.app.extensions["service"].store
    before = len(store.sessions())
    words = visit.enter(forked).words
    assert "goes on differently. Hands that would count twice:" in words
    assert "If this one is right, withdraw the other first." in words
    assert len(store.sessions()) == before
    assert "1 evening" in visit.page().words


def hand_of(kind: bytes) -> bytes:
    """Return a log without seals whose second event is of this type."""
    first = riparto().splitlines()[0]
    opened = json.loads(first)
    del opened["at"], opened["by"], opened["hash"], opened["seq"]
    return json.dumps(opened).encode() + b'\n{"type": "%b", "data": {}}\n' % kind


def test_invalid_log_is_refused_with_its_bad_line(visit: Visit) -> None:
    page = visit.enter(b"hello\n", hand_of(b"hand_begun"))
    assert "No evening was added." in page.words
    assert "Line 1" in page.words
    assert "Line 2" in page.words
    assert "Choose the files" in visit.refused("/enter/files").words


def test_a_key_to_the_club_opens_the_reports_of_its_evenings_and_no_table(visit: Visit) -> None:
    visit.enter(riparto())
    (session,) = (
        evening_["session"]
        for evening_ in visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["evenings"]
    )
    looker = visit.other("view").phone
    for path in ("results", "h/1-1", "audit"):
        page = well_formed(looker.get(f"/t/{session}/{path}"))
        bar = [a["href"] for a in page.all("a") if a.get("href", "").startswith(("/t/", "/club/"))]
        assert f"/club/{visit.club_id}" in bar
        assert f"/t/{session}/settings" not in bar
    for path in ("", "/settings", "/export", "/log", "/share", "/chat"):
        assert looker.get(f"/t/{session}{path}").status_code == 401
    visit.done(f"/evenings/{session}/withdraw", reason="a friendly game")
    assert looker.get(f"/t/{session}/results").status_code == 401


def test_a_key_to_a_session_opens_nothing_of_the_club(visit: Visit) -> None:
    table = table_of(visit)
    visit.done("/enter", link=table.keys["host"], **{"as-mara": "mara"})
    for who in table.keys:
        cookie = table.cookie(who)
        stranger = visit.app.test_client(use_cookies=False)
        for path in ("", "/evenings", "/member/mara", "/settings", "/enter"):
            assert stranger.get(f"/club/{visit.club_id}{path}", headers=cookie).status_code == 401


def test_id_distinguishes_a_club_from_a_session(visit: Visit) -> None:
    table = table_of(visit)
    with visit.app.test_request_context():
        club, session = find_destination(visit.club_id), find_destination(table.id)
        assert (club.club, club.title, list(club.names)) == (
            True,
            "Circolo",
            ["leo", "mara", "nina"],
        )
        assert (session.club, session.address) == (False, f"/t/{table.id}")
        assert club.address == f"/club/{visit.club_id}"
