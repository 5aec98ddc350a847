"""Files of a tournament over HTTP: the same for all readers, and slips for directors alone."""

import csv
import io

import pytest
from pypdf import PdfReader

from scorekeeper.exports.tournament_formats import TOURNAMENT_FORMATS
from scorekeeper.service.shared import SharedCache
from tests.api.answers import document
from tests.api.asking import client_of, problem_of
from tests.api.hall import Hall
from tests.evenings import event

BEGINS = {"csv": b"\xef\xbb\xbf", "xlsx": b"PK", "json": b"{", "pdf": b"%PDF", "png": b"\x89PNG",
          "html": b"<!DOCTYPE html>", "txt": b"Sagra", "ics": b"BEGIN:VCALENDAR"}  # fmt: skip
SECRET = "https://cards.example.org/join/secret-of-ada"


@pytest.fixture
def hall() -> Hall:
    """Return a tournament with a published round, played on paper, and a second one drawn."""
    hall = Hall.open(client_of())
    hall.add_key("entrant", "ada")
    hall.draw(1, "ada bea ciro", "dora elio fede")
    hall.publish(1, 1, 2)
    hall.do(event("round_started", round=1, minutes=30))
    hall.do(event("result_recorded", round=1, table=1, scores={"ada": 3, "bea": 0, "ciro": 1}))
    hall.do(event("round_closed", stage=1, round=1))
    hall.draw(2, "fede ada dora", "ciro elio bea")
    return hall


def path_of(name: str) -> tuple[str, str]:
    """Return the path of a call as the document has it, and as it is requested."""
    if name.startswith(("standings.", "seating.")):
        return f"/{name.partition('.')[0]}.{{form}}", f"/{name}"
    return "/{form}.pdf", f"/{name}"


def test_each_file_is_served_as_documented(hall: Hall) -> None:
    for name, known in TOURNAMENT_FORMATS.items():
        documented, path = path_of(name)
        who = "host" if name == "road_cards.pdf" else "ada"
        answer = hall.get(path, who)
        assert answer.status_code == 200, answer.text
        assert answer.data.startswith(BEGINS[name.rpartition(".")[2]])
        assert answer.headers["Content-Disposition"].endswith(f'"sagra-{name}"')
        assert answer.mimetype == known.media
        calls = document(hall.client)["paths"][f"/api/tournaments/{{tournament}}{documented}"]
        assert known.media in calls["get"]["responses"]["200"]["content"]
        same = {"If-None-Match": answer.headers["ETag"]}
        assert hall.get(path, who, headers=same).status_code == 304
    tag = {"If-None-Match": hall.get("/standings.txt").headers["ETag"]}
    other = hall.get("/standings.txt?language=it", headers=tag)
    assert (other.status_code, other.headers["Content-Language"]) == (200, "it")


def test_draw_that_is_not_published_is_for_directors_who_ask_for_it(hall: Hall) -> None:
    def rounds(path: str, who: str) -> set[str]:
        data = hall.get(path, who).data.decode("utf-8-sig")
        return {row["round"] for row in csv.DictReader(io.StringIO(data))}

    assert rounds("/seating.csv", "host") == rounds("/seating.csv", "view") == {"1"}
    assert rounds("/seating.csv?round=2", "host") == {"2"}
    for path in ("/seating.csv?round=2", "/seating.pdf?round=2", "/score_sheets.pdf?round=2",
                 "/road_cards.pdf", "/prizes.pdf?round=2"):  # fmt: skip
        for who in ("ada", "view"):
            assert problem_of(hall.get(path, who)) == (422, "unusable"), path
    tags = {who: hall.get("/standings.txt", who).headers["ETag"] for who in ("host", "view")}
    assert tags["host"] != tags["view"]


def test_standings_of_a_round_and_of_a_stage_are_those_of_the_call(hall: Hall) -> None:
    file = hall.get("/standings.json?stage=1&round=1&team=2", "view").get_json()
    assert file == hall.read("/standings?stage=1&round=1&team=2", "view")
    assert problem_of(hall.get("/standings.csv?stage=2")) == (422, "unusable")
    assert problem_of(hall.get("/standings.csv?rounds=2")) == (400, "malformed")
    assert hall.get("/standings.doc").status_code == 404


def test_files_before_the_first_round_are_refused_or_empty(hall: Hall) -> None:
    fresh = Hall.open(hall.client)
    assert fresh.get("/standings.pdf").status_code == 200
    for path in ("/seating.pdf", "/standings.ics"):
        assert problem_of(fresh.get(path)) == (422, "unusable")


# ------------------------------------------------------------------------------------- slips


def test_slips_have_the_addresses_and_nothing_keeps_them(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kept = list[bytes]()
    monkeypatch.setattr(SharedCache, "put", lambda self, key, value: kept.append(value))
    body = {"tables": {"1": f"{SECRET}-1", "2": f"{SECRET}-2"}, "players": {"ada": SECRET}}
    answer = hall.ask("POST", "/slips.pdf", json=body)
    assert (answer.status_code, answer.content_type) == (200, "application/pdf")
    assert "no-store" in answer.headers["Cache-Control"]
    (page,) = PdfReader(io.BytesIO(answer.data)).pages
    text = "".join(page.extract_text().split())
    assert all(f"{SECRET}{end}" in text for end in ("-1", "-2", ""))
    assert answer.data not in kept
    assert "secret-of-ada" not in caplog.text
    assert "secret-of-ada" not in hall.get("/log.jsonl").text


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"tables": {"9": SECRET}}, "tables"), ({"tables": {"one": SECRET}}, "tables"),
        ({"players": {"zoe": SECRET}}, "players"), ({"tables": {"1": SECRET}, "round": 9}, None),
        ({"addresses": {}}, "addresses"),
    ],
)  # fmt: skip
def test_slips_for_nobody_are_refused(
    hall: Hall, body: dict[str, object], field: str | None
) -> None:
    answer = hall.ask("POST", "/slips.pdf", json=body)
    assert problem_of(answer) == (422, "unusable")
    assert field is None or field in answer.get_json()["field"]


def test_slips_are_for_directors(hall: Hall) -> None:
    hall.add_key("assistant")
    for who in ("assistant", "ada", "view"):
        answer = hall.ask("POST", "/slips.pdf", who, json={"players": {"ada": SECRET}})
        assert problem_of(answer) == (403, "forbidden")
