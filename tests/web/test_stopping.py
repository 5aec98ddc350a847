"""The end of a match before its own end, and a hand that is left behind: pages ask about both.

Tests of ``web.forms.stopping`` and ``web.keeping.closing``.
"""

from dataclasses import replace
from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.session.session import Session
from scorekeeper.web.entry.board_parts import Board, is_idle
from scorekeeper.web.forms.stopping import find_open_match, find_unfinished
from tests.evenings import GOLDEN, Evening, Raw, event, opening
from tests.exports.samples import events_of
from tests.samples import SAMPLES
from tests.web.club.visiting import log_of
from tests.web.looking import brought_in, look
from tests.web.pages import Page, page_of
from tests.web.tapping import Form, Forms, Tapped
from tests.web.test_table import visited

__all__ = ["visited"]

SEATS: Final = "mara leo nina"
MATCH: Final = event("match_started", game="riparto", seats=SEATS.split())
DEALT: Final = event("hand_started", dealer="mara")
BID: Final = event("bid_made", player="leo", points=5)
COUNT: Final = event("points_counted", points={"mara": 4, "leo": 5, "nina": 6})
HAND: Final = (DEALT, BID, COUNT)
NEXT: Final = event("hand_started", dealer="leo")
LATE: Final = event("bid_made", player="nina", points=3)


def golden(game: str, hands: int, entries: int) -> list[Raw]:
    """Return the golden evening of a game up to the first ``entries`` of the hand after these."""
    kept: list[Raw] = []
    for raw in events_of(GOLDEN / game / "evening.jsonl"):
        begun = [place for place, one in enumerate(kept) if one["type"] == "hand_started"]
        if len(begun) > hands and len(kept) - begun[hands] > entries:
            break
        kept.append(raw)
    return kept


def seated(visited: FlaskClient, game: str, hands: int, entries: int) -> Tapped:
    """Return the table of a golden evening that was interrupted in the middle of a hand."""
    opened, *events = golden(game, hands, entries)
    players = " ".join(player["id"] for player in opened["data"]["players"])
    table = Tapped.open(visited, players)
    table.record(*events, as_played=True)
    return table


def riparto_table(visited: FlaskClient, *events: Raw) -> Tapped:
    return Tapped.open(visited, SEATS, MATCH, *events)


def settings(table: Tapped, path: str, who: str = "host") -> Page:
    answer = table.client.get(f"/t/{table.id}/settings{path}", headers=table.headers(who))
    assert answer.status_code == 200, answer.text
    page = page_of(answer)
    assert page.wrong == []
    return page


def read_form(table: Tapped, path: str) -> tuple[str, dict[str, Any]]:
    """Return where a form of a page of the settings is sent, and its fields as they are shown."""
    answer = table.client.get(f"/t/{table.id}/settings{path}", headers=table.headers())
    form = next(form for form in Forms(answer.text).forms if form.action.endswith(path))
    fields: dict[str, Any] = {}
    for control in form.controls:
        if control.name and (control.kind in ("hidden", "text") or control.checked):
            fields.setdefault(control.name, []).append(control.value)
    return form.action, fields


def fill(table: Tapped, path: str, **chosen: Any) -> TestResponse:
    """Send the form of a page of the settings with these choices."""
    action, fields = read_form(table, path)
    return table.client.post(action, data={**fields, **chosen}, headers=table.headers())


def events_so_far(table: Tapped) -> list[Any]:
    found: list[Any] = table.client.get(
        f"/api/sessions/{table.id}/events", headers=table.headers()
    ).get_json()["events"]
    return found


def last_events(table: Tapped, count: int) -> list[Raw]:
    return [{"type": raw["type"], "data": raw["data"]} for raw in table.events()[-count:]]


def stop_form(table: Tapped, who: str = "host") -> Form | None:
    return next((form for form in table.forms(who=who) if form.type == "match_ended"), None)


# ------------------------------------------------------------------------------- at the table


@pytest.mark.parametrize("game", SAMPLES)
def test_table_asks_once_whether_the_match_is_decided(game: str, visited: FlaskClient) -> None:
    for answer, data in (("{}", {}), ('{"undecided":true}', {"undecided": True})):
        table = seated(visited, game, 1, 0)
        form = stop_form(table)
        assert form is not None
        assert [button.value for button in form.buttons()] == ["{}", '{"undecided":true}']
        assert table.post(form, [("with", answer)]).status_code == 303
        assert last_events(table, 1) == [event("match_ended", **data)]
        match = table.report()["matches"][0]
        assert bool(match["winners"]) is not bool(data)
        assert match["status"] == "finished"
        over = table.page().words
        assert ("Undecided: nobody has won it" in over) is bool(data)
        assert table.post(form, [("with", answer)]).status_code in (303, 422)
        assert len(table.events()) == table.report()["version"] == len(golden(game, 1, 0)) + 1


@pytest.mark.parametrize("game", SAMPLES)
def test_table_names_the_hand_that_is_left_behind(game: str, visited: FlaskClient) -> None:
    table = seated(visited, game, 1, 1)
    words = table.page().words
    assert "Hand 2 is not finished, and scores nothing. Missing: " in words
    form = stop_form(table)
    assert form is not None
    assert dict(form.hidden())["leaves"] == "1-2"
    assert table.post(form, [("with", '{"undecided":true}')]).status_code == 303
    assert last_events(table, 1) == [event("match_ended", undecided=True)]
    assert table.report()["matches"][0]["hands"][1]["status"] == "incomplete"


def test_hand_that_has_begun_since_the_page_was_drawn_is_asked_about(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND)
    form = stop_form(table)
    assert form is not None
    table.record(NEXT, LATE)
    fields = {**dict(form.hidden()), "with": "{}", "version": str(table.report()["version"])}
    asked = table.client.post(form.action, data=fields, headers=table.headers())
    assert asked.status_code == 422
    words = page_of(asked).words
    assert "Record it as it happened?" in words
    assert "Missing: the count or whether the contract was made." in words
    again = next(form for form in Forms(asked.text).forms if any(
        control.name == "as_played" for control in form.controls))  # fmt: skip
    assert table.post(again, [("as_played", "1")]).status_code == 303
    assert last_events(table, 1) == [event("match_ended")]


def test_end_from_an_old_page_is_questioned_first(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND)
    form = stop_form(table)
    assert form is not None
    table.record(NEXT)
    assert table.post(form, [("with", "{}")]).status_code == 412


def test_next_hand_after_one_that_contradicts_itself_is_asked_about(visited: FlaskClient) -> None:
    table = riparto_table(visited)
    table.record(DEALT, BID, event("points_counted", points={"mara": 1, "leo": 1, "nina": 1}),
                 as_played=True)  # fmt: skip
    form = table.form("hand_started")
    asked = table.post(form, [("with", '{"dealer":"leo"}')])
    assert asked.status_code == 422
    assert "happened? Hand 1 contradicts itself, and scores nothing." in page_of(asked).words
    assert table.report()["version"] == 5
    again = next(form for form in Forms(asked.text).forms if any(
        control.name == "as_played" for control in form.controls))  # fmt: skip
    assert table.post(again, [("as_played", "1")]).status_code == 303
    assert last_events(table, 1) == [NEXT]


@pytest.mark.parametrize("who", ["leo", "view"])
def test_only_a_host_is_offered_the_end_of_a_match(who: str, visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND)
    assert stop_form(table, who) is None


def test_match_without_a_complete_hand_is_ended_without_a_question(visited: FlaskClient) -> None:
    table = riparto_table(visited)
    form = stop_form(table)
    assert form is not None
    assert form.buttons() == []
    assert table.post(form, []).status_code == 303
    assert last_events(table, 1) == [event("match_ended")]
    assert "No result: no hand was completed" in table.page().words
    assert stop_form(table) is None


# ------------------------------------------------------------------------------- in the settings


@pytest.mark.parametrize(("answer", "data"), [("decided", {}), ("undecided", {"undecided": True})])
def test_page_of_the_end_asks_and_takes_a_reason(
    answer: str, data: Raw, visited: FlaskClient
) -> None:
    table = riparto_table(visited, *HAND)
    assert "Decided: won by Leo" in settings(table, "/end").words
    refused = fill(table, "/end", reason="Late")
    assert refused.status_code == 422
    assert "Choose one of the two." in page_of(refused).words
    assert "Late" in refused.text
    assert fill(table, "/end", result=answer, reason="Late").location == f"/t/{table.id}"
    assert last_events(table, 1) == [event("match_ended", reason="Late", **data)]
    assert "No match is open." in settings(table, "/end").words


@pytest.mark.parametrize(
    "later", [(event("match_ended"), MATCH), (MATCH, *HAND), (NEXT,), (NEXT, LATE)]
)
@pytest.mark.parametrize("path", ["/end", "/match"])
def test_form_shown_before_the_table_played_on_ends_and_begins_nothing(
    path: str, later: tuple[Raw, ...], visited: FlaskClient
) -> None:
    """The table has begun another match or hand since then, on another phone."""
    table = riparto_table(visited, *HAND)
    action, fields = read_form(table, path)
    table.record(*later)
    before = events_so_far(table)
    sent = {**fields, "seat": SEATS.split(), "result": "decided", "leaves": "1-2"}
    asked = table.client.post(action, data=sent, headers=table.headers())
    assert asked.status_code == 409
    assert "Something was recorded meanwhile." in page_of(asked).words
    assert events_so_far(table) == before
    assert fill(table, path, **{**sent, "moment": read_form(table, path)[1]["moment"][0],
                                "key": "again" * 5}).status_code == 303  # fmt: skip
    assert len(events_so_far(table)) > len(before)


def test_note_and_acceptance_leave_a_form_as_it_was_meant(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND)
    action, fields = read_form(table, "/match")
    table.record(event("note_added", text="Late"), event("hand_confirmed", player="leo"))
    sent = {**fields, "seat": SEATS.split(), "result": "decided"}
    assert table.client.post(action, data=sent, headers=table.headers()).status_code == 303


def test_six_forms_shown_at_the_same_moment_begin_one_match(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND, event("match_ended"))
    forms = [read_form(table, "/match") for _ in range(6)]
    statuses = [
        table.client.post(
            action, data={**fields, "seat": SEATS.split()}, headers=table.headers()
        ).status_code
        for action, fields in forms
    ]
    assert statuses == [303, *[409] * 5]
    assert len(table.report()["matches"]) == 2


@pytest.mark.parametrize(("answer", "data"), [("decided", {}), ("undecided", {"undecided": True})])
def test_closing_asks_and_records_the_end_of_the_match(
    answer: str, data: Raw, visited: FlaskClient
) -> None:
    table = riparto_table(visited, *HAND, NEXT, LATE)
    words = settings(table, "/close").words
    assert "How does match 1 end?" in words
    assert "Hand 2 is not finished, and scores nothing. Missing: the count" in words
    refused = fill(table, "/close")
    assert refused.status_code == 422
    assert "Choose one of the two." in page_of(refused).words
    assert fill(table, "/close", result=answer).status_code == 303
    assert last_events(table, 2) == [event("match_ended", **data), event("session_closed")]
    assert bool(table.report()["matches"][0]["winners"]) is not bool(data)


@pytest.mark.parametrize("last", [(), (event("match_ended"),)])
def test_closing_asks_nothing_without_a_match_to_decide(
    last: tuple[Raw, ...], visited: FlaskClient
) -> None:
    table = riparto_table(visited, *last)
    assert "How does match" not in settings(table, "/close").words
    assert fill(table, "/close").status_code == 303
    ends = [event("match_ended"), event("session_closed")]
    assert last_events(table, 2) == ends


@pytest.mark.parametrize(("answer", "data"), [("decided", {}), ("undecided", {"undecided": True})])
def test_another_match_asks_and_records_the_end_of_the_match(
    answer: str, data: Raw, visited: FlaskClient
) -> None:
    table = riparto_table(visited, *HAND)
    refused = fill(table, "/match", game="riparto", seat=SEATS.split())
    assert refused.status_code == 422
    assert "How does match 1 end?" in page_of(refused).words
    done = fill(table, "/match", game="riparto", seat=SEATS.split(), result=answer)
    assert done.status_code == 303
    ended, started = last_events(table, 2)
    assert ended == event("match_ended", **data)
    assert started["type"] == "match_started"
    assert bool(table.report()["matches"][0]["winners"]) is not bool(data)


def test_another_match_keeps_the_answer_while_it_asks_about_the_hand(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND, NEXT, LATE)
    asked = fill(table, "/match", game="riparto", seat=SEATS.split(), result="undecided")
    assert asked.status_code == 422
    form = next(form for form in Forms(asked.text).forms if form.action.endswith("/match"))
    checked = [control.value for control in form.controls if control.checked]
    assert "undecided" in checked
    [leaves] = [control for control in form.controls if control.name == "leaves"]
    done = fill(table, "/match", game="riparto", seat=SEATS.split(), result="undecided",
                leaves=leaves.value)  # fmt: skip
    assert done.status_code == 303
    assert table.report()["matches"][0]["undecided"] is True


def test_api_is_asked_nothing(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND)
    table.record(MATCH)
    table.record(*HAND)
    table.record(event("session_closed"))
    matches = table.report()["matches"]
    assert [match["winners"] for match in matches] == [["leo"], ["leo"]]
    assert [match["status"] for match in matches] == ["finished", "finished"]


# ----------------------------------------------------------------------------- what is missing


def missing_of(*events: Raw, game: str, seats: str) -> list[str]:
    table = seats.split()
    evening = Evening(opening(*table), event("match_started", game=game, seats=table), *events)
    unfinished = find_unfinished(evening.session)
    return list(unfinished.missing) if unfinished else []


FIVE: Final = "mara leo nina ugo ada"
CALLED: Final = (event("hand_started", dealer="ada"), event("bid_made", player="mara", bid=70))


@pytest.mark.parametrize(
    ("game", "seats", "events", "missing"),
    [
        ("riparto", SEATS, (DEALT,), ["a bid", "the count or whether the contract was made"]),
        ("riparto", SEATS, (DEALT, BID), ["the count or whether the contract was made"]),
        ("riparto", SEATS, HAND, []),
        ("picchetto", "mara leo", (DEALT,), ["the count"]),
        ("knock", "mara leo nina ugo", (DEALT,), ["the count"]),
        ("briscola_regina", "mara leo", (DEALT,), ["the count"]),
        ("briscola_chiamata", FIVE, (event("hand_started", dealer="ada"),
            event("bid_made", player="mara", bid="pass")),
         ["a bid", "the partner", "the count or whether the contract was made"]),
        ("briscola_chiamata", FIVE, CALLED,
         ["the partner", "the count or whether the contract was made"]),
        ("briscola_chiamata", FIVE, (*CALLED, event("partner_revealed", player="leo")),
         ["the count or whether the contract was made"]),
        ("briscola_col_monte", FIVE, CALLED,
         ["the partner", "the count or whether the contract was made"]),
    ],
)  # fmt: skip
def test_missing_parts_are_those_that_the_hand_still_needs(
    game: str, seats: str, events: tuple[Raw, ...], missing: list[str]
) -> None:
    assert missing_of(*events, game=game, seats=seats) == missing


def test_session_without_a_match_or_with_one_over_has_none_open() -> None:
    assert find_open_match(Session()) is None
    evening = Evening(opening(*SEATS.split()), MATCH, *HAND)
    match = find_open_match(evening.session)
    assert match is not None
    assert (list(match.winners), match.decidable, match.unfinished) == (["Leo"], True, None)
    evening.say("match_ended")
    assert find_open_match(evening.session) is None


# ------------------------------------------------------------------- a table that was left open


@pytest.mark.parametrize(
    ("hour", "more", "who", "offers"),
    [
        ("2026-10-02T20", (), "host", True),
        ("2026-10-02T20", (), "leo", False),
        ("2026-10-02T20", (event("session_closed"),), "host", False),
    ],
)
def test_table_without_entries_for_twelve_hours_offers_to_close(
    hour: str, more: tuple[Raw, ...], who: str, offers: bool
) -> None:
    table = brought_in(log_of([opening(*SEATS.split()), MATCH, *HAND, *more], hour))
    page = page_of(look(table, "", who))
    assert ("Nothing was recorded here for 12 hours." in page.words) is offers
    links = [a["href"] for a in page.all("a") if a.get("href", "").endswith("/settings/close")]
    assert bool(links) is offers
    assert not table.report()["session"]["closed"] or more


def test_table_in_use_does_not_offer_to_close(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND)
    assert "for 12 hours" not in table.page().words
    page = Board(title="", version=1, head="", recorded_at="2026-10-02T08:00:00.000Z", role="host",
                 me=None, names={}, state="next")  # fmt: skip
    assert not is_idle(page, "2026-10-02T19:59:59.999Z")
    assert is_idle(page, "2026-10-02T20:00:00.000Z")
    assert not is_idle(replace(page, recorded_at=""), "2026-10-02T20:00:00.000Z")
