"""Exports of a session: the log, the tables, and the files made of both.

Tests of ``exports.csv``.
"""

# ruff: noqa: RUF001  # formulas in full width are meant

import csv
import io
import itertools
import json
import time
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from scorekeeper.answers import jobs
from scorekeeper.answers.helper import Helper
from scorekeeper.answers.jobs import ReadableLog
from scorekeeper.exports import csv as tables
from scorekeeper.languages.reader import PROGRAM
from scorekeeper.service import Service
from scorekeeper.store import Position
from tests.api.answers import NDJSON, document
from tests.api.asking import Table, hand, match, problem_of
from tests.evenings import event
from tests.thinned import thinned

PATH = "/api/sessions/{session}/"
GOLDEN = Path(__file__).parents[1] / "golden"
FORMULA = tuple("=+-@\t\r\n\0＝＋－＠")
UNSEEN = " \u00a0\u200b\u2060\u3000\ufeff"

# Player names that a spreadsheet might run. Names contain no control characters.
ACTS = (
    "=1+1", "=cmd|'/C calc'!A0", '=HYPERLINK("http://x")', '=IMPORTXML(A1,"//a")', "=A1",
    "=SUM(A1:A9)", '="x"', "='x'", "==1", "=-1", "=", "= 1", "+1", "+1+1", "+A1", "++1", "+",
    "-1", "-1+1", "-A1", "--1", "-", "- 1", "-2+3+cmd|' /C calc'!A0", "@SUM(A1)", "@A1", "@", "@@",
    "＝1+1", "＋1", "－1", "＠A1", "＝", "x,=1+1", "x;=1+1", "x|=1", ";=1", ",=1", ",+1", ";-1",
    "|@A1", "a,b;=c", "a;=b,=c", "a;;=b", '",=1', '"=1', '";=1', '"",=1', 'x","=1', "';=1",
    "0;=1", "1,-1", "a;＝1", "a,－1", "=1;=1", "=a,b", "+a;b", '-a"b', "@a'b", "=🂡", "=ß",
    '=1&"|"', ";@x", '=DDE("a";"b";"c")', " =1", "\u00a0=1+1", "\u200b=A1", "\u2060 +1",
    "\ufeff@A1", "\u3000-1+1",
)  # fmt: skip


# The files that are made once for each version, with their types and file names.
FILES = {
    "results.xlsx": (
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "-results.xlsx"
    ),
    "sheet.pdf": ("application/pdf", "-sheet.pdf"),
    "bundle.zip": ("application/zip", "-bundle.zip"),
    "evening.ics": ("text/calendar", "-evening.ics"),
    "text": ("text/plain", "-text.txt"),
    "picture.png": ("image/png", "-picture.png"),
}  # fmt: skip


def read(data: bytes, delimiter: str = ",") -> list[list[str]]:
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=delimiter))


def is_number(cell: str) -> bool:
    return cell.lstrip("-").isascii() and cell.removeprefix("-").isdigit()


def acts(data: bytes) -> list[str]:
    """Return the cells that a spreadsheet may take as formulas, with any delimiter."""
    return [
        cell
        for delimiter in ",;|\t"
        for row in read(data, delimiter)
        for cell in row
        if cell.lstrip(UNSEEN).startswith(FORMULA) and not is_number(cell)
    ]


def table_with(name: str) -> bytes:
    """Return a table with a text chosen by a user, and a number."""
    return tables.write_csv(("players", "points"), [(name, -17)])


# --------------------------------------------------------------------------------------- the log


def test_exported_log_equals_the_stored_lines(any_table: Table) -> None:
    any_table.do(match(), *hand(), event("note_added", text="È già “tardi”"))
    answer = any_table.get("/log.jsonl")
    assert complaints_of(any_table, answer, "log.jsonl") == []
    lines = answer.data.splitlines(keepends=True)
    assert [json.loads(line)["seq"] for line in lines] == [1, 2, 3, 4, 5, 6]
    assert json.loads(lines[-1])["hash"] == any_table.head
    assert "-friday.jsonl" in answer.headers["Content-Disposition"]


def complaints_of(table: Table, answer: Any, name: str) -> list[str]:
    """Return the differences of a text answer from the document."""
    told_of = document(table.client)["paths"][PATH + name]["get"]["responses"]["200"]["content"]
    return [] if answer.mimetype in told_of else [f"{answer.mimetype} is not documented"]


# ----------------------------------------------------------------------------------- the tables


def test_results_are_exported(any_table: Table) -> None:
    any_table.do(match(), *hand(bidder="leo", points=6), *hand("leo", "mara", 4))
    any_table.do(event("penalty_given", side="nina", points=-3, reason="late"))
    any_table.do(event("hand_confirmed", player="nina"), who="nina")
    answer = any_table.get("/results.csv")
    assert complaints_of(any_table, answer, "results.csv") == []
    assert answer.content_type == "text/csv; charset=utf-8"
    head, *rows = read(answer.data)
    assert head[:3] == ["match", "game", "hand"]
    told_of = [dict(zip(head, row, strict=True)) for row in rows]
    assert [(row["hand"], row["side"], row["score"], row["total"]) for row in told_of] == [
        ("1", "mara", "0", "0"), ("1", "leo", "6", "6"), ("1", "nina", "0", "0"),
        ("2", "mara", "4", "4"), ("2", "leo", "0", "6"), ("2", "nina", "0", "0"),
        ("2", "nina", "-3", "-3"),
    ]  # fmt: skip
    assert [row["dealer"] for row in told_of] == ["Mara"] * 3 + ["Leo"] * 3 + [""]
    assert [row["confirmed"] for row in told_of] == ["", "", "", "Nina", "Nina", "Nina", ""]
    assert (told_of[-1]["status"], told_of[-1]["reason"]) == ("penalty", "late")


def test_lines_are_exported(any_table: Table) -> None:
    any_table.do(match(), *hand(bidder="leo", points=6))
    answer = any_table.get("/lines.csv")
    assert complaints_of(any_table, answer, "lines.csv") == []
    head, row = read(answer.data)
    line = dict(zip(head, row, strict=True))
    assert (line["side"], line["points"], line["rule"]) == ("leo", "6", "R12")
    assert line["text"] == "Declared 6 and took 6"
    assert line["events"] == "4 5"


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*/evening.jsonl")),
                         ids=lambda path: path.parent.name)  # fmt: skip
def test_tables_sum_to_the_report(on_memory: FlaskClient, path: Path) -> None:
    answer = on_memory.post("/api/sessions/import", data=path.read_bytes(), content_type=NDJSON)
    table = Table(on_memory, answer.get_json())
    report = table.report()
    head, *rows = read(table.get("/results.csv").data)
    results = [dict(zip(head, row, strict=True)) for row in rows]
    head, *rows = read(table.get("/lines.csv").data)
    lines = [dict(zip(head, row, strict=True)) for row in rows]
    for match_ in report["matches"]:
        figures = [played["scores"] for played in match_.get("games", ())] or [match_["totals"]]
        if {hand_["winner"] for hand_ in match_["hands"]} != {
            None
        }:  # the totals may be of hands won
            figures = [] if sum(match_["totals"].values()) <= len(match_["hands"]) else figures
        for side in match_["sides"] if figures else ():
            here = {"match": str(match_["match"]), "side": side}
            wanted = sum(scores[side] for scores in figures)
            mine = [result for result in results if here.items() <= result.items()]
            assert sum(int(row["score"]) for row in mine) == wanted
            assert int(mine[-1]["total"]) == match_["totals"][side]
            assert (
                sum(int(line["points"]) for line in lines if here.items() <= line.items()) == wanted
            )
        for hand_ in match_["hands"]:
            here = {"match": str(match_["match"]), "hand": str(hand_["hand"])}
            mine = [result for result in results if here.items() <= result.items()]
            assert {
                row["side"]: int(row["score"]) for row in mine if row["status"] != "penalty"
            } == hand_["scores"]
    assert acts(table.get("/results.csv").data) == acts(table.get("/lines.csv").data) == []


def test_enough_formulas_are_tested() -> None:
    assert len(set(ACTS)) >= 60


@pytest.mark.parametrize(
    "name", [*ACTS, "\t=1", "\r=1", "\n=1", "\0=1", "a\n=1", "a\t=1", "\r\n@x"]
)
def test_no_cell_is_a_formula(name: str) -> None:
    table = table_with(name)
    assert acts(table) == []
    head, row = read(table)
    assert len(row) == len(head)
    assert row[1] == "-17"  # a number stays a number
    assert row[0].replace("'", "") in (name, name.replace("'", ""))


def test_unescaped_table_contains_formulas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "escape_formula", lambda cell, reader: cell)
    assert all(acts(table_with(name)) for name in ("=1+1", "x;=1", "@A1", "-A1"))


def test_names_that_are_formulas_are_escaped(on_memory: FlaskClient) -> None:
    for start in range(0, len(ACTS), 20):
        names = ACTS[start : start + 20]
        players = [{"id": f"p{n}", "name": name} for n, name in enumerate(names)]
        opened = event("session_opened", title="=1+1", players=players)
        imported = on_memory.post(  # some of the names look alike
            "/api/sessions/import", data=json.dumps(opened), content_type="application/x-ndjson"
        )
        table = Table(on_memory, imported.get_json())
        for first in range(0, len(names) - 2, 3):
            seats = [f"p{n}" for n in range(first, first + 3)]
            table.do(match(" ".join(seats)), event("hand_started", dealer=seats[0]),
                     event("bid_made", player=seats[1], points=15),
                     event("points_counted", points={seats[1]: 15, seats[0]: 0}))  # fmt: skip
        for path in ("/results.csv", "/lines.csv"):
            assert acts(table.get(path).data) == []


# ------------------------------------------------------------------------------ the other files


STORES = ("sqlite", "postgresql", "memory")


# In the suite each file on one store.
@pytest.mark.parametrize(
    ("any_client", "name"),
    [
        pytest.param(store, name, marks=[] if n % len(STORES) == m else [pytest.mark.soak])
        for n, name in enumerate(FILES)
        for m, store in enumerate(STORES)
    ],
    indirect=["any_client"],
)
def test_file_belongs_to_a_version(any_table: Table, name: str) -> None:
    any_table.do(match(), *hand(bidder="leo", points=6))
    media, called = FILES[name]
    answer = any_table.get(f"/{name}")
    assert complaints_of(any_table, answer, name) == []
    assert answer.mimetype == media
    assert f'-friday{called}"' in answer.headers["Content-Disposition"]
    assert answer.headers["ETag"] == f'"{any_table.version}"'
    again = any_table.get(f"/{name}")
    assert again.data == answer.data
    known = any_table.get(f"/{name}", If_None_Match=answer.headers["ETag"])
    assert (known.status_code, known.data) == (304, b"")
    any_table.do(*hand("leo", "mara", 4))
    later = any_table.get(f"/{name}", If_None_Match=answer.headers["ETag"])
    assert later.status_code == 200
    assert later.data != answer.data


@pytest.mark.parametrize("any_client", thinned(STORES, len(STORES)), indirect=True)
def test_archive_contains_the_present_log(any_table: Table) -> None:
    any_table.do(match(), *hand(bidder="leo", points=6))
    with zipfile.ZipFile(io.BytesIO(any_table.get("/bundle.zip").data)) as archive:
        assert archive.read("log.jsonl") == any_table.get("/log.jsonl").data
        assert archive.read("report.json") == any_table.get().data
        assert archive.read("lines.csv") == any_table.get("/lines.csv").data
        for name in ("results.xlsx", "sheet.pdf"):
            assert archive.read(name) == any_table.get(f"/{name}").data


def test_archive_is_computed_one_time_for_equal_requests(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second answer is the cached copy."""
    table.do(match(), *hand())
    first = table.get("/bundle.zip", "host")

    def again(*args: object) -> bytes:
        raise AssertionError("it is made again")

    monkeypatch.setattr(Helper, "run", again)
    assert table.get("/bundle.zip", "host").data == first.data
    known = {"If-None-Match": first.headers["ETag"]}
    assert table.get("/bundle.zip", "host", **known).status_code == 304


@pytest.mark.parametrize("any_client", thinned(STORES[::-1], 2), indirect=True)
def test_cached_file_equals_a_fresh_one_after_any_history(any_table: Table) -> None:
    """After strikes, replacements and insertions no outdated value is shown."""
    service, seen = any_table.client.application.extensions["service"], set()
    bid = {"player": "leo", "points": 6}
    for step in (
        (match(), *hand(bidder="leo", points=6)),
        (event("penalty_given", side="mara", points=-3, reason="slip"),),
        (event("event_struck", seq=any_table.version + 5, reason="slip"),),
        (event("event_replaced", seq=4, type="bid_made", data=bid, reason="slip"),),
        (event("event_inserted", after=5, type="note_added", data={"text": "x"}, reason="slip"),),
    ):
        any_table.do(*step)
        lines = service.lines(any_table.id, service.store.position(any_table.id))
        for form, name in (("results", "results.csv"), ("lines", "lines.csv"), ("text", "text")):
            for who in ("host", "view"):
                view = ReadableLog(lines, sees_all=who == "host")
                alone = jobs.export_session(view, any_table.id, form, PROGRAM)
                shown = [any_table.get(f"/{name}", who).data for _ in range(2)]
                assert shown == [alone, alone]
                seen.add(alone)
    assert len(seen) > 5


def test_event_recorded_in_the_meantime_is_not_in_the_archive(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It contains one version, even if the log grows before it is read."""
    table.do(match())
    version = table.version

    lines_of = Service.lines

    def lines(self: Service, session_id: str, end: Position) -> tuple[bytes, ...]:
        table.do(event("note_added", text="late"))
        return lines_of(self, session_id, end)

    monkeypatch.setattr(Service, "lines", lines)
    answer = table.get("/bundle.zip")
    assert answer.headers["ETag"] == f'"{version}"'
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        assert len(archive.read("log.jsonl").splitlines()) == version


def test_file_made_during_a_restoration_is_not_cached(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of the replaced log is not shown for the restored one, nor the reverse."""
    table.do(match())
    names = ("bundle.zip", "results.csv", "text")
    with monkeypatch.context() as patched:
        before = Position(table.version, "0" * 64)
        store = table.client.application.extensions["service"].store
        patched.setattr(store, "position", lambda session_id: before)
        for _, name in itertools.product(range(2), names):
            assert table.get(f"/{name}").status_code == 503
    for name in names:
        assert table.get(f"/{name}").status_code == 200


def test_session_without_a_hand_is_exported(table: Table) -> None:
    for name in FILES:
        assert table.get(f"/{name}").status_code == 200


ASKS = (
    {"Accept_Language": "it"},
    {"Cookie": "prefs=lang=it"},
    {"Accept_Language": "fr", "Cookie": "prefs=lang=it"},
)


def test_files_are_in_the_language_of_the_request(table: Table) -> None:
    table.do(match(), *hand())
    plain = table.get("/lines.csv")
    assert (plain.headers["Content-Language"], plain.headers["ETag"]) == ("en", '"5"')
    asked = table.get("/lines.csv?language=it&separator=%3B", Accept_Language="fr")
    assert read(asked.data, ";")[1][7] == "Dichiarazione 5, fatti 5"
    answers = [table.get("/lines.csv", **asks) for asks in ASKS]
    assert {answer.data for answer in answers} == {table.get("/lines.csv?language=it").data}
    assert {answer.headers["Content-Language"] for answer in answers} == {"it"}
    assert {answer.headers["ETag"] for answer in (plain, asked, *answers)} == {
        '"5"', '"5-it-UTC-;."', '"5-it-UTC-,."',
    }  # fmt: skip
    assert all(
        {"Accept-Language", "Cookie"} <= set(answer.vary) for answer in (plain, asked, *answers)
    )


def test_entity_tag_of_one_language_does_not_match_another(table: Table) -> None:
    known = table.get("/lines.csv", Accept_Language="it").headers["ETag"]
    assert table.get("/lines.csv", If_None_Match=known, Accept_Language="it").status_code == 304
    assert table.get("/lines.csv", If_None_Match=known).status_code == 200


def test_log_and_report_are_always_english(table: Table) -> None:
    table.do(match(), *hand())
    with zipfile.ZipFile(
        io.BytesIO(table.get("/bundle.zip?language=fr&zone=Europe/Paris").data)
    ) as archive:
        assert archive.read("log.jsonl") == table.get("/log.jsonl", Accept_Language="fr").data
        assert archive.read("report.json") == table.get().data
        assert "Europe" not in archive.read("README.txt").decode()
        assert "journal" in archive.read("README.txt").decode()
        assert "Déclaration 5, faits 5" in archive.read("lines.csv").decode()


ZONE_AT_FAULT = ("Mars/Base", "", "../etc/passwd", "/etc/localtime", "Europe", "UTC\0", "x" * 5000,
                 "Europe/Rome\r\nX: 1", "٣", "%")  # fmt: skip


@pytest.mark.parametrize("zone", ZONE_AT_FAULT)
def test_unknown_time_zone_is_refused_in_a_query_and_ignored_in_a_cookie(
    table: Table, zone: str
) -> None:
    assert problem_of(table.get(f"/results.csv?zone={quote(zone)}")) == (400, "malformed")
    assert table.get("/results.csv", Cookie=f"zone={quote(zone)}").headers["ETag"] == '"1"'


@pytest.mark.parametrize(
    "query",
    ["language=de", "language=", "separator=x", "separator=%0A", "x=1",
     "decimal=;", "zone"],
)  # fmt: skip
def test_unknown_language_and_separator_are_refused(table: Table, query: str) -> None:
    assert problem_of(table.get(f"/results.csv?{query}"))[1] == "malformed"


def test_workbook_refuses_a_separator(table: Table) -> None:
    assert problem_of(table.get("/results.xlsx?separator=;")) == (400, "malformed")


def test_times_use_the_time_zone_of_the_phone(table: Table) -> None:
    """The page sets the cookie; a query has priority over it."""
    table.do(match(), *hand())
    rome = table.get("/bundle.zip", Cookie="zone=Europe/Rome")
    assert rome.headers["ETag"] == '"5-en-Europe/Rome-,."'
    tokyo = table.get("/bundle.zip?zone=Asia/Tokyo", Cookie="zone=Europe/Rome")
    for answer, zone in ((rome, "CE"), (tokyo, "JST")):
        with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
            assert zone in archive.read("README.txt").decode().splitlines()[1]


def test_long_session_is_exported_in_a_second(table: Table) -> None:
    """Forty hands, in processor time of this process, as the machine may be busy."""
    seats = ("mara", "leo", "nina")
    dealt = [hand(seats[n % 3], seats[(n + 1) % 3]) for n in range(40)]
    table.do(match(match_end="open"), *(raw for events in dealt for raw in events))
    for name in FILES:
        began = time.process_time()
        assert table.get(f"/{name}").status_code == 200
        assert time.process_time() - began < 1.5


def test_exports_need_a_key(table: Table) -> None:
    table.do(match(), *hand())
    for name in ("log.jsonl", "results.csv", "lines.csv", *FILES):
        assert problem_of(table.get(f"/{name}", "")) == (401, "no_key")
        assert table.get(f"/{name}", "view").status_code == 200
