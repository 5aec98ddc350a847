"""The audit page: whether the log is intact, this phone's memory, and missing checks."""

import re
import sys
from itertools import count
from pathlib import Path

import pytest
from werkzeug.http import parse_cookie

from tests.api.asking import NO_KEY, Table, hand, match
from tests.evenings import by_hand, event, opening, replaced
from tests.thinned import EACH_LOG
from tests.web.looking import brought_in, everybodys, look, page, report_of
from tests.web.pages import EXAMPLE, page_of


def table() -> Table:
    """A hand of Riparto in events 3 to 5."""
    table_ = Table.open(everybodys())
    table_.do(match(), *hand())
    return table_


def remembered(answer: object) -> str:
    """Return the position that a phone is made to remember."""
    cookies = getattr(answer, "headers").getlist("Set-Cookie")  # noqa: B009
    seen = [cookie for cookie in cookies if cookie.startswith("seen-")]
    return next(iter(parse_cookie(seen[0].partition(";")[0]).values())) if seen else ""


@EACH_LOG
def test_every_finding_is_on_the_page_and_every_hand_in_the_list(path: Path) -> None:
    log = path.read_bytes()
    here = brought_in(log)
    audit_page = page(here, "/audit")
    hrefs = {a["href"] for a in audit_page.all("a") if "href" in a}
    for finding in report_of(log)["findings"]:
        assert finding["message"] in audit_page.words
    for match_ in report_of(log)["matches"]:
        for finding in match_["hands"]:
            assert f"/t/{here.id}/h/{match_['match']}-{finding['hand']}" in hrefs


def test_a_whole_log_is_called_whole_with_its_fingerprint() -> None:
    here = brought_in(EXAMPLE)
    words = page(here, "/audit").words
    assert "Intact" in words
    assert "312 events, each linked to all before it. 1 correction, nothing erased." in words
    assert here.head in words.replace(" ", "")


def test_a_phone_remembers_where_the_log_ended() -> None:
    here = table()
    first = look(here, "/audit", "leo")
    assert "From now on this phone remembers" in page_of(first).words
    seen = remembered(first)
    assert seen == f"{here.version}.{here.head}"
    name = f"seen-{here.id[:32]}"
    here.do(event("hand_confirmed", player="leo"))
    again = look(here, "/audit", "leo", **{name: seen})
    assert "This phone saw event 5 last, and the log still contains it" in page_of(again).words
    assert remembered(again) == f"{here.version}.{here.head}"


@pytest.mark.parametrize("path", ["/h/1-1", "/results", "/d/1-1", "/audit"])
def test_every_page_that_looks_back_is_a_witness(path: str) -> None:
    here = table()
    assert remembered(look(here, path, "view")) == f"{here.version}.{here.head}"


def test_rewritten_log_is_reported_and_the_remembered_head_stays() -> None:
    here = table()
    seen = f"5.{'0' * 64}"
    answer = look(here, "/audit", "leo", **{f"seen-{here.id[:32]}": seen})
    assert "This phone saw event 5 with another fingerprint" in page_of(answer).words
    assert remembered(answer) == ""


def test_cut_log_is_reported() -> None:
    here = table()
    answer = look(here, "/audit", "leo", **{f"seen-{here.id[:32]}": f"99.{here.head}"})
    assert "This phone saw event 99 with another fingerprint" in page_of(answer).words


@pytest.mark.parametrize("value", ["", "x", "0.ab", "5." + "g" * 64, "5." + "0" * 63, "<script>"])
def test_malformed_memory_is_ignored(value: str) -> None:
    here = table()
    answer = look(here, "/audit", "leo", **{f"seen-{here.id[:32]}": value})
    assert answer.status_code == 200
    assert "From now on" in page_of(answer).words


def test_head_of_another_phone_is_compared() -> None:
    here = table()
    good = f"/audit?version={here.version}&head={here.head}"
    assert "The log still contains what you brought: event 5" in page(here, good).words
    spaced = "+".join(re.findall("....", here.head.upper()))
    assert "still contains" in page(here, f"/audit?version=5&head={spaced}").words
    wrong = f"/audit?version=4&head={here.head}"
    assert "The log does not contain what you brought" in page(here, wrong).words
    for bad in ("version=x&head=y", "version=1&head=z", "version=&head=%3Cscript%3E"):
        assert "This is not the number of an event" in page(here, f"/audit?{bad}").words


def test_the_square_holds_an_address_of_this_page() -> None:
    assert any(drawing.get("class") == "qr" for drawing in page(table(), "/audit").all("svg"))


def test_open_disputes_are_listed_until_they_are_settled() -> None:
    here = table()
    assert "Open disputes None." in page(here, "/audit").words
    here.do(event("hand_disputed", player="leo", reason="no"), who="leo")
    audit_page = page(here, "/audit")
    assert "Hand 1 Nobody has proposed a correction yet." in audit_page.words
    assert f"/t/{here.id}/d/1-1" in {a.get("href") for a in audit_page.all("a")}
    here.do(event("dispute_settled", ruling="upheld", text="it is right"))
    assert "Open disputes None." in page(here, "/audit").words


def test_checks_are_listed_hand_by_hand() -> None:
    here = table()
    here.do(event("score_claimed", scores={"leo": 9}), as_played=True)
    here.do(event("hand_confirmed", player="leo"), who="leo")
    words = page(here, "/audit").words
    assert "✗ 1 differs ✓ kept as far as recorded ✓ 1 3–7" in words
    here.do(replaced(6, "score_claimed", scores={"leo": 5}), as_played=True)
    words = page(here, "/audit").words
    assert "✓ agree ✓ kept as far as recorded none 1 void 3–8" in words


def test_missing_checks_name_the_facts_that_would_settle_them() -> None:
    words = page(table(), "/audit").words
    assert "What could not be checked" in words
    assert "To check this, record" in words


def test_a_key_is_needed() -> None:
    here = table()
    assert look(here, "/audit", NO_KEY).status_code == 401
    for who in ("host", "view", "leo"):
        assert look(here, "/audit", who).status_code == 200


def test_an_evening_of_many_matches_is_audited_with_the_work_of_its_hands() -> None:
    """The work must not be multiplied by the number of matches."""
    few, many = calls_of(40), calls_of(160)
    assert many < 4 * few


def calls_of(matches: int) -> int:
    """Return the number of function calls for the audit of so many matches."""
    evening = [match(), *hand()] * matches
    here = brought_in(by_hand([opening("mara", "leo", "nina"), *evening]))
    page(here, "/audit")  # whatever is made once
    counted = count()
    sys.setprofile(lambda _frame, what, _arg: next(counted) if what == "call" else None)
    look(here, "/audit")
    sys.setprofile(None)
    return next(counted)
