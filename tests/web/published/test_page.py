"""``/published/<address>``: a table that strangers read, and what they try with it.

Tests of ``http.public_pages``, ``http.public_seasons``, ``clubs.published``, ``api.published`` and
``web.club.publishing``.
"""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.http import public_pages
from scorekeeper.http.headers import HEADERS
from tests.api.asking import Table, match
from tests.api.clubbing import PEOPLE
from tests.evenings import event
from tests.web.club.visiting import GOLDEN, OWN, Visit, riparto, service
from tests.web.pages import page_of

SEASON: Final = {"name": "Autumn", "from": "2026-10-01", "to": "2026-10-31", "game": ["riparto"],
                 "by": "points"}  # fmt: skip
FOREVER: Final = {**SEASON, "name": 'For <ever> & "ever"', "to": ""}
NAMES: Final = ("Mara Rossi", "Leo Verdi", "Nina Bianchi")
SITE: Final = "https://www.example.org"
PATHS: Final = ("", "/standings.html", "/standings.json")


@pytest.fixture(autouse=True)
def uncached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute each content anew, as after a few seconds."""
    monkeypatch.setattr(public_pages, "FRESH_SECONDS", 0)
    service().extensions["public_contents"] = public_pages.PublicContents()


@pytest.fixture
def club() -> Visit:
    """A club with two evenings in its season."""
    visit = Visit.found(*NAMES)
    names = dict(zip(("mara_rossi", "leo_verdi", "nina_bianchi"), NAMES, strict=True))
    played: dict[str, Any] = {"seats": " ".join(names), "names": names}
    visit.enter(riparto("2026-10-02", "leo_verdi", title="At Ugo’s flat", **played),
                riparto("2026-10-09", "leo_verdi", title="Secret bar", **played))  # fmt: skip
    visit.done("/settings/season", **SEASON)
    return visit


def publish(visit: Visit, **form: Any) -> str:
    """Publish the table of a club as its host does on the page; return the address."""
    fields = visit.page("/settings/public").all("input")
    hidden = {field["name"]: field["value"] for field in fields if field["type"] == "hidden"}
    visit.done("/settings/public", **{"names": "initials", "sites": "", **hidden, **form})
    return address_of(visit)


def address_of(visit: Visit) -> str:
    """Return the public address that the club's page shows."""
    (href,) = {a["href"] for a in visit.page("/settings/public").all("a")
               if "/published/" in a.get("href", "") and a["href"].startswith("http")}  # fmt: skip
    return href.rpartition("/")[2]


def end(visit: Visit, address: str) -> None:
    visit.done("/settings/public/end", address=address)


def stranger() -> FlaskClient:
    """Return a browser that has no key and no cookie."""
    return service().test_client()


def read(address: str, form: str = "", **more: Any) -> TestResponse:
    """Return what a stranger gets at an address."""
    return stranger().get(path_of(address, form), **more)


def path_of(address: str, form: str) -> str:
    if form == "/standings.json":
        return f"/api/published/{address}"
    return f"/published/{address}{form}"


# ------------------------------------------------------------------------------- what is public


def test_a_club_is_private_until_its_host_publishes_it(club: Visit) -> None:
    assert "Nobody outside the club can read its tables" in club.page("/settings/public").words
    address = publish(club)
    answer = read(address)
    assert answer.status_code == 200
    words = page_of(answer).words
    assert "Autumn" in words
    assert "2 evenings" in words
    assert "1. L. V." in words
    assert "Anyone with the public address" in club.page("/settings").words


def test_the_public_table_is_that_of_a_viewer_of_the_club(club: Visit) -> None:
    address = publish(club, names="full")
    public = read(address, "/standings.json").get_json()
    inside = club.other("view").phone.get(f"/api/clubs/{club.club_id}/standings").get_json()
    shared = ("place", "shared", "name", "figure", "shown", "evenings", "matches", "hands", "won",
              "provisional", "parted_by")  # fmt: skip
    assert [{name: row[name] for name in shared} for row in public["rows"]] == [
        {name: row[name] for name in shared} for row in inside["rows"]
    ]
    assert public["season"] == inside["season"]


@pytest.mark.parametrize("form", PATHS)
@pytest.mark.parametrize("names", ["initials", "full"])
def test_nothing_of_the_club_but_the_table_is_public(club: Visit, form: str, names: str) -> None:
    club.done("/settings/member/mara-rossi/points", season="autumn", points="-3",
              reason="came drunk")  # fmt: skip
    known = club.phone.get(f"/api/clubs/{club.club_id}").get_json()
    text = read(publish(club, names=names), form).text
    evenings = [evening["session"] for evening in known["evenings"]]
    secret = [
        club.club_id,
        *evenings,
        "Ugo’s flat",
        "Secret bar",
        "drunk",
        "mara-rossi",
        "mara_rossi",
    ]
    secret += ["Rossi", "Nina"] if names == "initials" else []
    assert len(evenings) == 2
    assert [word for word in secret if word in text] == []
    assert not re.findall(r'(?:href|src|action)="[^"]*/(?:t|club|join)/', text)
    if form != "/standings.json":
        assert "<script" not in text


def test_guests_have_initials_even_where_members_are_named(club: Visit) -> None:
    names = {"mara_rossi": "Mara Rossi", "leo_verdi": "Leo Verdi", "zoe": "Zoe Neri"}
    club.enter(riparto("2026-10-16", "zoe", seats=" ".join(names), names=names, title="Third"))
    standings = club.phone.get(f"/api/clubs/{club.club_id}/standings").get_json()
    joined = [row["member"] for row in standings["rows"] if row["name"] == "Zoe Neri"]
    assert joined  # she is a member; now a guest of another club
    guest = Visit.found("Mara Rossi", "Leo Verdi")
    guest.enter(riparto("2026-10-16", "zoe", seats=" ".join(names), names=names), join="")
    text = read(publish(guest, names="full")).text
    assert "Mara Rossi" in text
    assert "Zoe" not in text


def test_equal_initials_are_numbered() -> None:
    visit = Visit.found("Mara Rossi", "Mauro Renzi", "Leo Verdi")
    names = {"mara": "Mara Rossi", "mauro": "Mauro Renzi", "leo": "Leo Verdi"}
    visit.enter(riparto("2026-10-02", "leo", seats="mara mauro leo", names=names))
    shown = [row["name"] for row in read(publish(visit), "/standings.json").get_json()["rows"]]
    assert sorted(shown) == ["L. V.", "M. R. 1", "M. R. 2"]


def test_html_in_names_stays_text() -> None:
    names = {"a": "<img src=x onerror=alert(1)>", "b": "</style><script>", "c": '" onload="x'}
    visit = Visit.found(*names.values(), name="<b>Club</b></title><script>alert(1)</script>")
    visit.enter(riparto("2026-10-02", "b", seats="a b c", names=names))
    visit.done("/settings/season", **FOREVER)
    address = publish(visit, names="full")
    for form in PATHS[:2]:
        answer = read(address, form)
        page = page_of(answer)
        assert page.wrong == [], form
        assert page.all("script") == page.all("img") == page.all("b") == [], form
        assert "<img src=x onerror=alert(1)>" in page.words, form
    rows = read(address, "/standings.json")
    assert rows.content_type == "application/json"
    assert rows.headers["X-Content-Type-Options"] == "nosniff"
    assert {row["name"] for row in rows.get_json()["rows"]} == set(names.values())


def test_an_event_in_an_open_hand_changes_nothing_for_strangers(club: Visit) -> None:
    """Neither the table nor its ETag tells that a hand goes on."""
    address, table = publish(club), Table.open(stranger())
    entered = event("evening_entered", session=table.id, players=dict.fromkeys(PEOPLE))
    circle = f"/api/clubs/{club.club_id}/events"
    answer = club.phone.post(
        circle, json={"events": [entered], "keys": [table.keys["host"]]},
        headers={"If-Match": f'"{club.phone.get(circle).get_json()["version"]}"', **OWN},
    )  # fmt: skip
    assert answer.status_code == 201, answer.text
    before = {form: read(address, form) for form in PATHS}
    tag = club.phone.get(f"/api/clubs/{club.club_id}/standings").headers["ETag"]
    table.do(match(), event("hand_started", dealer="mara"))
    assert club.phone.get(f"/api/clubs/{club.club_id}/standings").headers["ETag"] != tag
    for form, answer in before.items():
        now = read(address, form)
        assert now.data == answer.data, form
        assert now.headers["ETag"] == answer.headers["ETag"], form


def test_seasons_are_one_tap_away_and_others_do_not_exist(club: Visit) -> None:
    club.done("/settings/season", **{**SEASON, "name": "Winter", "from": "2026-12-01", "to": ""})
    address = publish(club)
    page = page_of(read(address))
    assert "Winter" in page.words
    (link,) = [a["href"] for a in page.all("a") if "season=" in a["href"]]
    assert "2 evenings" in page_of(stranger().get(link)).words
    for form in PATHS:
        for season in ("spring", "ever", "", "'", "x" * 5000):
            answer = read(address, form, query_string={"season": season})
            assert answer.status_code in (400, 404, 422), (form, season)


def test_a_club_without_seasons_publishes_all_evenings() -> None:
    visit = Visit.found(*NAMES)
    assert "No evening counts here yet." in page_of(read(publish(visit))).words
    visit.enter(riparto())
    assert "All evenings" in page_of(read(address_of(visit))).words


def test_a_closed_season_says_that_it_was_corrected_later(club: Visit) -> None:
    closed = club.page("/settings/season/autumn/close").all("input")
    club.done("/settings/season/autumn/close",
              **{field["name"]: field["value"] for field in closed})  # fmt: skip
    address = publish(club)
    assert read(address, "/standings.json").get_json()["after_the_close"] == 0
    evening = club.phone.get(f"/api/clubs/{club.club_id}").get_json()["evenings"][0]["session"]
    club.done(f"/evenings/{evening}/withdraw", reason="a friendly game")
    assert "1 evening was corrected after the close." in page_of(read(address)).words


# ------------------------------------------------------------------------- the end of an address


def test_an_address_that_ended_answers_as_if_it_never_was(club: Visit) -> None:
    address = publish(club)
    assert read(address).status_code == 200
    end(club, address)
    for form in PATHS:
        gone, never = read(address, form), read("z" * 26, form)
        assert gone.status_code == never.status_code == 404, form
        hide = {"Date", "Content-Length", "X-Request-ID"}
        assert [item for item in gone.headers if item[0] not in hide] == [
            item for item in never.headers if item[0] not in hide
        ]
        assert gone.text.replace(address, "z" * 26) == never.text
        assert "Circolo" not in gone.text
    again = publish(club)
    assert again != address
    assert read(again).status_code == 200
    assert read(address).status_code == 404


def test_a_copy_that_was_made_before_the_end_is_not_confirmed(club: Visit) -> None:
    address = publish(club)
    known = {"If-None-Match": read(address).headers["ETag"]}
    assert read(address, headers=known).status_code == 304
    end(club, address)
    assert read(address, headers=known).status_code == 404


def test_a_form_that_is_sent_again_publishes_nothing_again(club: Visit) -> None:
    form = {"names": "full", "sites": "", "after": "0"}
    club.done("/settings/public", **form)
    address = address_of(club)
    club.done("/settings/public", **form)
    assert address_of(club) == address
    changed = {"names": "full", "sites": "", "address": address}
    end(club, address)
    for late in (form, changed):
        club.done("/settings/public", **late)
        assert "Nobody outside the club" in club.page("/settings/public").words
    second = publish(club)
    club.done("/settings/public/end", address=address)
    assert read(second).status_code == 200


def test_six_forms_at_once_make_one_address(club: Visit) -> None:
    form = {"names": "initials", "sites": "", "after": "0"}
    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(lambda _: club.done("/settings/public", **form), range(6)))
    assert read(address_of(club)).status_code == 200
    assert 'name="address"' in club.look("/settings/public").text


def test_six_strangers_at_once_get_the_same(club: Visit) -> None:
    address = publish(club)
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: read(address), range(6)))
    assert len({answer.data for answer in answers}) == 1
    assert {answer.status_code for answer in answers} == {200}


def test_another_clubs_host_ends_and_changes_nothing(club: Visit) -> None:
    address, other = publish(club), Visit.found("Eve")
    other.done("/settings/public/end", address=address)
    other.done("/settings/public", address=address, names="full", sites="")
    assert "Mara" not in read(address).text
    assert read(address).status_code == 200


def test_only_a_host_publishes_and_members_see_that_it_is_public(club: Visit) -> None:
    address = publish(club)
    for who in (club.other("member", "leo-verdi"), club.other("view")):
        page = who.page("/settings/public")
        assert page.all("textarea") == []
        assert address in who.look("/settings/public").text
        assert "Anyone with the public address" in who.page("/settings").words
        assert who.post("/settings/public", names="full", sites="").status_code == 403
        assert who.post("/settings/public/end", address=address).status_code == 403
    nobody = Visit(service(), club.club_id)
    assert nobody.look("/settings/public").status_code == 401
    assert read(address).status_code == 200


# ---------------------------------------------------------------------------- frames and headers


def ancestors(answer: TestResponse) -> str:
    (policy,) = answer.headers.getlist("Content-Security-Policy")
    return policy.rpartition("frame-ancestors ")[2]


def test_only_the_sites_of_the_club_may_frame_its_public_page(club: Visit) -> None:
    address = publish(club)
    assert ancestors(read(address)) == "'none'"
    publish(club, sites=f"{SITE}/club/table\nwww.circolo-perù.it\n{SITE.upper()}")
    assert ancestors(read(address)) == f"{SITE} https://www.xn--circolo-per-2gb.it"
    policy = read(address).headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'self'; img-src 'self'")
    assert "script" not in policy
    others = [read(address, form) for form in PATHS[1:]] + [read("z" * 26), stranger().get("/")]
    assert [ancestors(answer) for answer in others] == ["'none'"] * 4
    assert ancestors(club.look()) == "'none'"
    assert ancestors(read(address, query_string={"season": "spring"})) == "'none'"
    publish(club)
    assert ancestors(read(address)) == "'none'"


@pytest.mark.parametrize("site", [
    "*", "https://*", "https://*.example.org", "'self'", "data:", "https:", "javascript:alert(1)",
    "https://a.example; script-src *", "https://a.example script-src", "https://a.example,b.example",
    "ftp://a.example", "https://user@a.example", "https://", "club", "https://a.example:99999",
    "//", "\x00", "https://a..example", f"https://{'a' * 64}.example", f"{'a.' * 200}example",
    "\n".join(f"https://{n}.example" for n in range(11)),
])  # fmt: skip
def test_other_texts_are_no_sites(club: Visit, site: str) -> None:
    page = club.refused("/settings/public", names="full", sites=site, after="0")
    assert "One thing is not right yet." in page.words
    assert page.all("textarea")[0]["aria-invalid"] == "true"
    (chosen,) = [field for field in page.all("input") if "checked" in field]
    assert chosen["value"] == "full"
    assert "Nobody outside the club" in club.page("/settings/public").words


def test_no_other_header_is_weaker_than_elsewhere(club: Visit) -> None:
    address = publish(club, sites=SITE)
    for form in PATHS:
        answer = read(address, form)
        for name, value in HEADERS.items():
            if (name, form) != ("Content-Security-Policy", ""):
                assert answer.headers.getlist(name) == [value], (form, name)


def test_programs_of_any_site_read_the_table_without_credentials(club: Visit) -> None:
    address = publish(club)
    answer = read(address, "/standings.json", headers={"Origin": "https://evil.example"})
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    others = [read(address), read(address, "/standings.html"), club.look("/settings/public"),
              club.phone.get(f"/api/clubs/{club.club_id}/standings")]  # fmt: skip
    assert [answer.headers.get("Access-Control-Allow-Origin") for answer in others] == [None] * 4


@pytest.mark.parametrize("form", PATHS)
def test_copies_are_shared_and_hold_no_cookie_of_a_phone(club: Visit, form: str) -> None:
    address = publish(club)
    path = path_of(address, form)
    club.phone.set_cookie("prefs", "theme=dark&lang=it&size=largest")
    own, other = club.phone.get(path), read(address, form)
    assert own.headers["Cache-Control"] == "public, max-age=30"
    assert "Set-Cookie" not in own.headers
    assert "Cookie" not in own.headers.get("Vary", "")
    assert own.data == other.data
    assert read(address, form, headers={"If-None-Match": own.headers["ETag"]}).data == b""


def test_the_page_speaks_the_language_of_the_reader_or_of_the_address(
    club: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # what one reader asks for is shared with the next
    service().extensions["public_contents"] = public_pages.PublicContents()
    address, header = publish(club), {"Accept-Language": "fr"}
    odd = read(address, query_string={"language": "../x"}, headers=header)
    french = read(address, headers=header)
    italian = read(address, query_string={"language": "it"}, headers=header)
    assert '<html lang="fr">' in french.text
    assert '<html lang="it">' in italian.text
    assert "language=it" in italian.text
    assert odd.text == french.text
    assert "Accept-Language" in french.headers["Vary"]


def test_a_strange_host_is_in_no_copy_for_others(club: Visit) -> None:
    address = publish(club)
    evil = read(address, "/standings.html", headers={"Host": "evil.example"})
    assert evil.status_code in (200, 400)
    assert "evil.example" not in evil.text
    assert "evil.example" not in read(address, "/standings.html").text


def test_the_file_is_whole_and_links_to_the_table_as_it_is_now(club: Visit) -> None:
    address = publish(club)
    answer = read(address, "/standings.html")
    page = page_of(answer)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="standings.html"'
    assert [link["rel"] for link in page.all("link")] == ["canonical"]
    assert "prefers-color-scheme" in answer.text
    (link,) = page.all("a")
    assert link["href"].startswith("http")
    assert address in link["href"]


def test_a_content_is_computed_once_for_readers_of_the_same_seconds(
    club: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    service().extensions["public_contents"] = public_pages.PublicContents()
    address = publish(club)
    before = read(address).data
    names = {"mara_rossi": "Mara Rossi", "leo_verdi": "Leo Verdi", "nina_bianchi": "Nina Bianchi"}
    club.enter(riparto("2026-10-16", "mara_rossi", seats=" ".join(names), names=names))
    assert read(address).data == before  # the copy of the last five seconds
    end(club, address)
    assert read(address).status_code == 404  # at once


def test_the_largest_season_is_a_small_page() -> None:
    names = [f"Member{n:03} Surname{n:03}" for n in range(299)]
    visit = Visit.found("Mara Rossi", *names)
    address = publish(visit, names="full")
    assert read(address).status_code == 200
    assert json.loads(read(address, "/standings.json").data)["rows"] == []


def test_golden_evenings_with_a_hidden_partner_publish_only_what_the_table_knows() -> None:
    visit = Visit.found("Mara", "Leo", "Nina", "Ugo", "Zoe")
    log = GOLDEN / "briscola_chiamata"
    files = sorted(log.glob("*.jsonl"))[:3]
    assert files
    visit.enter(*files)
    public = read(publish(visit, names="full"), "/standings.json").get_json()
    inside = visit.other("view").phone.get(f"/api/clubs/{visit.club_id}/standings").get_json()
    assert [row["figure"] for row in public["rows"]] == [row["figure"] for row in inside["rows"]]
