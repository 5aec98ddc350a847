"""``/score``: the form, the sheet, and the page for a log that cannot be used.

Tests of ``web.review.scored_log``.
Also tests of ``web.review.log_parts``.
"""

import json
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from scorekeeper.log.writing import sealed_lines
from scorekeeper.web.review import scored_log
from tests.thinned import EACH_LOG
from tests.web.pages import EXAMPLE, log_of, page_of, score

PLAYERS = [{"id": name.lower(), "name": name} for name in ("Mara", "Leo", "Nina")]
OPENED = ("session_opened", {"title": "Friday", "players": PLAYERS})
MATCH = ("match_started", {"game": "riparto", "seats": ["mara", "leo", "nina"]})
DEALT = ("hand_started", {"dealer": "mara"})
BID = ("bid_made", {"player": "leo", "points": 6})
COUNT = ("points_counted", {"points": {"mara": 4, "leo": 6, "nina": 5}})


def words(client: FlaskClient, log: str, status: int = 200) -> str:
    answer = score(client, log)
    assert answer.status_code == status
    return page_of(answer).words


def upload(client: FlaskClient, log: bytes, name: str = "evening.jsonl") -> Any:
    """Send a file as a browser does; werkzeug's own client leaves a large one open on the disk."""
    body = (
        b'--x\r\nContent-Disposition: form-data; name="log"; filename="%s"\r\n\r\n' % name.encode()
        + log
        + b"\r\n--x--\r\n"
    )
    return client.post("/score", data=body, content_type="multipart/form-data; boundary=x")


def test_missing_records_are_listed_one_time_for_all_hands(client: FlaskClient) -> None:
    hands = (DEALT, BID, COUNT, ("hand_started", {"dealer": "leo"}), BID, COUNT)
    text = words(client, log_of(OPENED, MATCH, *hands))
    assert text.count("Not on record, so not checked: ") == 1
    assert "so not checked or not certain: 1" in text


# -------------------------------------------------------------------------------- the form


def test_the_form_takes_a_file_or_text_without_a_script(client: FlaskClient) -> None:
    page = page_of(client.get("/score"))
    assert page.all("form") == [
        {"class": "ask", "id": "ask", "action": "/score", "method": "post",
         "enctype": "multipart/form-data"}
    ]  # fmt: skip
    assert page.all("input")[0]["type"] == "file"
    assert page.all("button")[0]["type"] == "submit"


@pytest.mark.parametrize("text", ["", "  \r\n \n"])
def test_valid_form_asks_no_further_question(client: FlaskClient, text: str) -> None:
    assert "No file or text received" in words(client, text, 422)


def test_a_file_is_read_byte_by_byte_and_a_paste_by_its_lines(client: FlaskClient) -> None:
    """A form turns line feeds into CR LF, and pasted text may lack the last one."""
    events = [json.loads(line) for line in log_of(OPENED, MATCH).splitlines()]
    sealed = b"".join(
        sealed_lines([(e["type"], e["data"]) for e in events], "2026-01-02T20:15:00.000Z", "leo")
    )
    assert "sealed, and intact" in page_of(upload(client, sealed)).words
    assert "sealed, and damaged" in page_of(upload(client, sealed.replace(b"\n", b"\r\n"))).words
    pasted = sealed.decode().replace("\n", "\r\n").removesuffix("\r\n")
    text = words(client, pasted)
    assert "sealed, and intact" in text
    assert "2 January 2026" in text


def test_a_file_comes_before_what_was_pasted(client: FlaskClient) -> None:
    data = {"log": (BytesIO(log_of(OPENED).encode()), "a.jsonl"), "text": "nonsense"}
    assert client.post("/score", data=data).status_code == 200


@pytest.mark.parametrize("cut", [0, 1, 40])
def test_truncated_upload_is_not_scored(client: FlaskClient, cut: int) -> None:
    """A paste may be cut at the end of a line, and then look complete."""
    log = urlencode({"text": EXAMPLE}).encode()
    answer = client.post(
        "/score", data=log[: len(log) - cut], content_type="application/x-www-form-urlencoded",
        # As of a server that gives no more than came.
        environ_overrides={"wsgi.input_terminated": True, "CONTENT_LENGTH": str(len(log))},
    )  # fmt: skip
    assert answer.status_code == (400 if cut else 200)


def test_a_file_that_is_too_large_is_refused_as_a_page(client: FlaskClient) -> None:
    answer = upload(client, b"x" * (8 << 20))
    assert answer.status_code == 413
    page = page_of(answer)
    assert "A log may have 8 MB at most." in page.words
    assert "/score" in {link["href"] for link in page.all("a") if link.get("class") == "button"}


# -------------------------------------------------------------------------------- the sheet


@EACH_LOG
def test_every_golden_log_has_its_sheet(client: FlaskClient, path: Path) -> None:
    answer = upload(client, path.read_bytes())
    page = page_of(answer)
    assert answer.status_code == 200
    assert page.wrong == []
    assert "{" not in page.words
    assert "None" not in page.words


def test_the_sheet_says_who_won_by_what_and_why(client: FlaskClient) -> None:
    text = words(client, log_of(OPENED, MATCH, DEALT, BID, COUNT, ("match_ended", {})))
    assert "Won by Leo" in text
    assert "Leo declared 6, took 6" in text
    assert "R12" in text
    assert "4 Leo bid 6" in text
    assert "5 Points counted: Mara 4, Leo 6, Nina 5" in text
    assert "Taken Mara 4 Leo 6 Nina 5" in text


def test_the_evening_with_a_mistake_shows_what_a_sheet_can_show(client: FlaskClient) -> None:
    text = page_of(client.get("/score/mistake")).words
    for text_ in (
        "Won by Mara", "tied for most: the last trick decides",
        "The hand was abandoned by Ugo", "Penalty",
        "1 thing is wrong in this log", "still held", "Event 114 was replaced",
        "before Points counted", "Nina & Ugo", "hands won", "Ugo called Bris in cups",
        "Not on record, so not checked", "signed", "corrected", "tricks 1–9",
    ):  # fmt: skip
        assert text_ in text


def test_nothing_is_wrong_in_the_evening_to_look_at(client: FlaskClient) -> None:
    page = page_of(client.get("/score/example"))
    assert "Won by Mara" in page.words
    assert "Won by Nina & Ugo" in page.words
    grades = {element.get("class") for element in page.all("p")} & {"strip error", "strip warning"}
    assert grades == set()
    for text in ("wrong", "doubt", "abandoned", "Penalty", "disputed", "replaced"):
        assert text not in page.words


def test_cards_have_labels_for_screen_readers(client: FlaskClient) -> None:
    page = page_of(client.get("/score/mistake"))
    cards = [
        element for element in page.all("span") if element.get("class", "").startswith("card ")
    ]
    assert len(cards) == 4 * 9 * 3 + 4 * 10 * 3
    labels = {card["aria-label"] for card in cards}
    assert "ace of diamonds, led, took the trick" in labels
    assert all(card["role"] == "img" for card in cards)


def test_options_are_shown_where_they_differ_from_the_defaults(client: FlaskClient) -> None:
    data = {**MATCH[1], "options": {"last_three": "sweep", "bid_tie": "first"}}
    text = words(client, log_of(OPENED, ("match_started", data)))
    board = text.split("Played with these options")[0]
    assert "points · all of the last three" in board
    assert "Whose is the highest bid" not in board


def test_a_match_without_hands_and_a_log_without_matches(client: FlaskClient) -> None:
    assert "No hand of it has been dealt yet" in words(client, log_of(OPENED, MATCH))
    assert "No match has been started" in words(client, log_of(OPENED))


def test_a_penalty_stands_where_it_was_given(client: FlaskClient) -> None:
    early = ("penalty_given", {"side": "leo", "points": -3, "reason": "came late"})
    late = ("penalty_given", {"side": "nina", "points": 2, "reason": "owed"})
    text = words(client, log_of(OPENED, MATCH, early, DEALT, BID, COUNT, late))
    assert "Penalty \N{MINUS SIGN}3 \N{MINUS SIGN}3 G7 came late" in text
    assert "Penalty +2 2 G7 owed" in text
    assert text.index("came late") < text.index("Declared 6 and took 6") < text.index("owed")
    assert "Total 0 3 2" in text


def test_a_shared_match_names_all_its_winners(client: FlaskClient) -> None:
    even = ("penalty_given", {"side": "leo", "points": -6, "reason": "to be even"})
    text = words(client, log_of(OPENED, MATCH, DEALT, BID, COUNT, even, ("match_ended", {})))
    assert "Shared by Mara, Leo and Nina" in text


def test_a_struck_event_and_a_note_stay_on_record(client: FlaskClient) -> None:
    wrong = ("bid_made", {"player": "nina", "points": 9})
    struck = ("event_struck", {"seq": 5, "reason": "Nina passed it on"})
    note = ("note_added", {"text": "The window was open"})
    text = words(client, log_of(OPENED, MATCH, DEALT, BID, wrong, note, COUNT, struck))
    assert "5 Nina bid 9 crossed out" in text
    assert "6 Note: The window was open" in text
    assert "8 Correction, event 5 crossed out: Nina passed it on" in text
    assert "Event 5 was crossed out: Nina passed it on" in text


def test_a_long_log_has_its_sheet_but_not_every_card(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scored_log, "MOST_SHOWN", 4)
    text = words(client, log_of(OPENED, MATCH, DEALT, BID, COUNT))
    assert "Leo declared 6, took 6" in text
    assert "events 4–5" in text
    assert "so long that its hands are not shown card by card" in text


# ------------------------------------------------------------------------- an unusable log


def test_bad_line_field_and_value_are_shown(client: FlaskClient) -> None:
    bad = ("bid_made", {"player": "leo", "points": "six"})
    answer = score(client, log_of(OPENED, MATCH, DEALT, bad, COUNT))
    page = page_of(answer)
    assert answer.status_code == 422
    assert "This log cannot be used Line 4 contains something impossible" in page.words
    assert "Field data.points" in page.words
    assert "This must be a number from 0 to 15, not six." in page.words
    lines = [item for item in page.all("li") if "value" in item]
    assert [line["value"] for line in lines] == ["2", "3", "4", "5"]
    assert [line.get("aria-current") for line in lines] == [None, None, "true", None]
    assert "<mark>&#34;points&#34;</mark>" in answer.get_data(as_text=True)


def test_it_can_be_mended_in_the_form(client: FlaskClient) -> None:
    log = log_of(OPENED, ("hand_started", {"dealer": "mara"}))
    assert log.splitlines()[1] in page_of(score(client, log)).text
    assert "up to 8 MB" in page_of(upload(client, log.encode())).words


@pytest.mark.parametrize(
    ("log", "shown"),
    [
        (b"\x00\x1b[31m\n", "␀␛[31m"),
        (b"\xff\xfe\n", "\ufffd\ufffd"),
        (b"", "No file or text received"),
        (b"x" * 5000, "x" * 2000 + " …"),
        (b"[" * 100_000, "[[["),
        ("\u202e".encode(), "not valid JSON"),
    ],
)
def test_any_bytes_can_be_shown(client: FlaskClient, log: bytes, shown: str) -> None:
    answer = upload(client, log)
    assert answer.status_code == 422
    assert shown in page_of(answer).words
    assert "\x00" not in answer.get_data(as_text=True)


def test_a_line_that_is_too_long_for_any_event(client: FlaskClient) -> None:
    assert upload(client, b"x" * (1 << 20) + b"x").status_code == 413
