"""Scores in half points on pages, in files, in a club, in a tournament and for money.

Tests of ``base.parts``.
"""

import csv
import re
from collections.abc import Iterator
from fractions import Fraction
from io import BytesIO, StringIO
from typing import Any

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

from scorekeeper.cli.sheet_text import match_table
from scorekeeper.exports.formats import export_file
from scorekeeper.games.checked import GameFaultError
from scorekeeper.games.knock import GAME as KNOCK
from scorekeeper.languages.money import MINUS
from scorekeeper.promises.examination import examine_game
from scorekeeper.report.sheet import make_sheets
from tests.api.asking import Table, client_of, cookie_of
from tests.api.clubbing import Circle
from tests.api.hall import Hall
from tests.evenings import Raw, event
from tests.exports.samples import evening_of
from tests.games import half_points
from tests.tournaments.hall import STAGE
from tests.web.tapping import Forms, Tapped

PLAYERS = "mara leo nina ugo"


@pytest.fixture(autouse=True)
def _in_half_points(monkeypatch: pytest.MonkeyPatch) -> None:
    half_points.install(monkeypatch)


def match(*counts: int, **more: Any) -> Iterator[Raw]:
    """Yield a match in which Mara and Nina count so many halves of 100 in each hand."""
    seats = PLAYERS.split()
    yield event("match_started", game="knock", seats=seats, **more)
    for number, count in enumerate(counts):
        yield event("hand_started", dealer=seats[number % 4])
        yield event("points_counted", points={"A": count})


def played(*counts: int, **more: Any) -> Table:
    """Return a table at which such a match was recorded."""
    table = Table.open(client_of(), PLAYERS)
    table.do(*match(*counts, **more), as_played=True)
    return table


def words_of(table: Table, path: str, language: str = "en") -> str:
    """Return the words of a page of a table."""
    headers = {**table.cookie(), "Accept-Language": language}
    page = table.client.get(f"/t/{table.id}{path}", headers=headers)
    assert page.status_code == 200
    return re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", page.text))


def test_report_has_exact_points() -> None:
    (reported,) = played(61, 44, 81).report()["matches"]
    assert reported["totals"] == {"A": 18, "B": -18}
    scores = [hand["scores"]["A"] for hand in reported["hands"]]
    assert scores == ["11/2", -3, "31/2"]
    assert [hand["totals"]["B"] for hand in reported["hands"]] == ["-11/2", "-5/2", -18]
    assert reported["hands"][0]["lines"][0]["points"] == "11/2"
    assert reported["hands"][0]["taken"] == {"A": "61/2", "B": "39/2"}


@pytest.mark.parametrize(("language", "half"), [("en", "5.5"), ("it", "5,5"), ("fr", "5,5")])
def test_pages_show_points(language: str, half: str) -> None:
    table = played(61)
    strip = words_of(table, "", language)
    assert f"{half} +{half}" in strip
    assert f"{MINUS}{half} {MINUS}{half}" in strip
    for path in ("/h/1-1", "/results"):
        words = words_of(table, path, language)
        assert f"+{half} {half}" in words
        assert f"{MINUS}{half} {MINUS}{half}" in words
        assert "11/2" not in words


def test_files_have_points_as_numbers() -> None:
    people = [{"id": player, "name": player.capitalize()} for player in PLAYERS.split()]
    evening = evening_of([event("session_opened", title="Friday", players=people), *match(61, 44)])
    files = {
        form: export_file(form, evening, b"") for form in ("results", "xlsx", "pdf", "text", "ics")
    }
    rows = list(csv.DictReader(StringIO(files["results"].decode("utf-8-sig"))))
    assert [(row["score"], row["total"], row["taken"]) for row in rows if row["side"] == "A"] == [
        ("5.5", "5.5", "30.5"), ("-3", "2.5", "22"),
    ]  # fmt: skip
    sheet = load_workbook(BytesIO(files["xlsx"])).worksheets[0]
    looks = {(cell.value, cell.number_format) for row in sheet.iter_rows() for cell in row}
    assert {
        (5.5, f"+General;{MINUS}General;0"),
        (-3, f"+0;{MINUS}0;0"),
        (2.5, f"General;{MINUS}General"),
    } <= looks
    for text in (
        files["text"].decode(),
        files["ics"].decode(),
        PdfReader(BytesIO(files["pdf"])).pages[0].extract_text(),
        *map("\n".join, [match_table(make_sheets(evening.report, evening.session)[0], KNOCK)]),
    ):
        assert "2.5" in text
        assert "5/2" not in text


def test_penalty_and_claim_are_typed_in_points() -> None:
    table = Tapped.open(client_of(), PLAYERS, *match(61))
    side = ("with:side", '{"side":"A"}')
    assert (
        table.tap("penalty_given", side, ("n2:points", "-1½"), ("t:reason", "late")).status_code
        == 303
    )
    assert table.events()[-1]["data"] == {"side": "A", "points": -3, "reason": "late"}
    assert table.report()["matches"][0]["totals"] == {"A": 4, "B": "-11/2"}
    refused = table.tap("penalty_given", side, ("n2:points", "0.3"), ("t:reason", "late")).text
    assert "steps of 1/2" in refused
    table.record(event("score_claimed", scores={"A": 10, "B": -11}), as_played=True)
    found = [
        finding["message"]
        for finding in table.report()["findings"]
        if finding["severity"] == "error"
    ]
    assert found == ["The score on paper differs (on paper / scored): Mara & Nina +5 / +5.5"]


def test_stake_loses_no_cent() -> None:
    """At 5 cents a point, half points are half cents: they are rounded so that none adds up."""
    stake = {"currency": "EUR", "point": 5, "match": 0}
    (reported,) = played(61, 62, 51, 60, stake=stake).report()["matches"]
    settled = reported["settlement"]
    assert reported["totals"]["A"] == 17
    assert [due["amounts"]["A"] for due in settled["dues"]] == [28, 30, 2, 25]
    assert all(sum(due["amounts"].values()) == 0 for due in settled["dues"])
    assert sum(settled["balances"].values()) == 0
    assert settled["balances"]["mara"] + settled["balances"]["nina"] == 5 * 17


def test_club_counts_points() -> None:
    table = played(61, 44)
    circle = Circle.open(table.client, *PLAYERS.split())
    table.do(event("match_ended"))
    circle.enter(table)
    assert circle.figures() == {"mara": 2.5, "nina": 2.5, "leo": -2.5, "ugo": -2.5}
    member = circle.get("/members/mara").get_json()["games"][0]
    assert (member["points"], member["best"]["points"]) == ("5/2", "11/2")
    (fact,) = (fact for fact in member["facts"] if fact["fact"] == "taken")
    assert (fact["average"], fact["most"]["points"]) == (26.25, "61/2")
    records = circle.get("/records").get_json()["games"][0]["records"]
    assert {record["what"]: record["figure"] for record in records}["highest_match"] == 2.5
    cookie = cookie_of(circle.client, circle.keys["host"])
    for path in ("", "/member/mara", "/records"):
        page = circle.client.get(f"/club/{circle.id}{path}", headers=cookie)
        assert page.status_code == 200
        assert "2.5" in page.text
        assert "1/2" not in page.text


def test_tournament_counts_points() -> None:
    stage = {**STAGE, "rounds": 1, "table": {"from": 4, "to": 4}, "points": "score"}
    hall = Hall.open(client_of(), *PLAYERS.split(), game="knock", stages=[stage])
    hall.draw(1, PLAYERS)
    hall.publish(1, 1)
    scores = {"mara": "11/2", "leo": "-11/2", "nina": 3, "ugo": "1/2"}
    assert "add up to 0, got 3.5" in hall.append(paper(scores)).text
    assert "steps of 1/2" in hall.append(paper({**scores, "ugo": "1/3"})).text
    path = f"/tournament/{hall.id}/direct/1/1"
    phone = {**cookie_of(hall.client, hall.keys["host"]), "Sec-Fetch-Site": "same-origin"}
    forms = Forms(hall.client.get(path, headers=phone).text).forms
    (form,) = (form for form in forms if form.action == f"{path}/result")
    typed = {"score.mara": "5½", "score.leo": "-5,5", "score.nina": "3", "score.ugo": "-3"}
    hall.client.post(form.action, data={**dict(form.hidden()), **typed}, headers=phone)
    assert hall.read("/events")["events"][-1]["data"]["scores"] == {**scores, "ugo": -3}
    rows = {row["entrant"]: row for row in hall.read("/standings")["rows"]}
    assert rows["mara"]["points"] == rows["mara"]["rounds"][0]["score"] == "11/2"


def paper(scores: Raw) -> Raw:
    return event("result_recorded", round=1, table=1, scores=scores, hands=1)


def test_score_that_is_not_in_the_unit_is_a_fault_of_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    half_points.install(monkeypatch, Fraction(1, 3))
    people = [{"id": player, "name": player.capitalize()} for player in PLAYERS.split()]
    words = "score: expected points in parts of 1/2, got a part of 1/3"
    with pytest.raises(GameFaultError, match=words) as caught:
        evening_of([event("session_opened", title="Friday", players=people), *match(61)])
    assert caught.value.game == "knock"


@pytest.mark.soak
def test_games_check_finds_nothing_in_a_game_in_half_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    half_points.install(monkeypatch)
    assert list(examine_game("knock", (half_points.in_halves(),))) == []
