"""Undo: the viewer's last form, if only acceptances followed it, named on the button.

Tests of ``web.entry.undoing``.
"""

import json
import time
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.service import Holder
from scorekeeper.session.session import Session
from scorekeeper.web.entry.undoing import entries_to_undo
from tests.evenings import Raw, event
from tests.web.pages import Page
from tests.web.tapping import Form, Tapped
from tests.web.test_table import visited

__all__ = ["visited"]

SEATS: Final = "mara leo nina"
MATCH: Final = event("match_started", game="riparto", seats=SEATS.split())
START: Final = event("hand_started", dealer="mara")
BID: Final = event("bid_made", player="leo", points=5)
COUNT: Final = event("points_counted", points={"mara": 4, "leo": 5, "nina": 6})
NOTE: Final = event("note_added", text="Coffee")
HIERARCHY: Final = event("hierarchy_declared", player="leo", suits=["S", "H", "D", "C"])
TRICK: Final = event("trick_taken", player="nina")


def accepts(player: str) -> Raw:
    return event("hand_confirmed", player=player)


def table_of(visited: FlaskClient, *steps: tuple[str, Raw]) -> Tapped:
    """Return a table at which each of these players recorded one event.

    Events of one player with the same time are of one form.
    """
    table = Tapped.open(visited, SEATS, MATCH)
    for who, raw in steps:
        table.record(raw, who=who, as_played=True)
        time.sleep(0.001)
    return table


def undo_of(table: Tapped, who: str = "host") -> Form:
    return next(form for form in table.forms(who=who) if "/undo" in form.action)


def offered(table: Tapped, who: str = "host") -> list[int]:
    """Return the seqs that a tap would take back; empty if the button is disabled."""
    form = undo_of(table, who)
    back = dict(form.hidden()).get("back", "")
    can = [control for control in form.controls if control.kind == "submit"]
    assert bool(can) == bool(back)
    return [int(word) for word in back.split()]


def tap(table: Tapped, who: str = "host") -> list[Raw]:
    """Return the events that a tap on Undo records."""
    before = table.report()["version"]
    answer = table.post(undo_of(table, who), [], who=who)
    assert answer.status_code == 303, answer.text
    return [{"type": raw["type"], **raw["data"]} for raw in table.events()[before:]]


def sent(table: Tapped, form: Form, who: str = "host", **fields: str) -> Any:
    """Return the response to a form with changed fields."""
    data = {**dict(form.hidden()), **fields}
    return table.client.post(form.action, data=data, headers=table.headers(who))


# ------------------------------------------------------------------------------- whose, and when


def test_a_seat_does_not_take_back_what_tricks_were_recorded_on(visited: FlaskClient) -> None:
    table = table_of(visited, ("host", START), ("leo", BID), ("leo", HIERARCHY),
                     *[("nina", TRICK)] * 4)  # fmt: skip
    assert offered(table, "leo") == []
    assert table.post(undo_of(table, "leo"), [], who="leo").status_code == 422
    assert offered(table, "nina") == [9]
    for seq in (9, 8, 7, 6):
        (strike,) = tap(table, "nina")
        assert strike["seq"] == seq
    assert offered(table, "nina") == []
    assert offered(table, "leo") == [5]


def test_the_host_does_not_take_back_an_acceptance_of_another(visited: FlaskClient) -> None:
    table = table_of(visited, ("host", START), ("host", BID), ("host", COUNT),
                     ("leo", accepts("leo")), ("nina", accepts("nina")))  # fmt: skip
    assert offered(table) == [5]
    (strike,) = tap(table)
    assert strike["seq"] == 5
    assert table.report()["matches"][0]["hands"][0]["status"] == "open"


def test_the_host_takes_back_no_entry_of_a_seat(visited: FlaskClient) -> None:
    table = table_of(visited, ("host", START), ("host", BID), ("nina", TRICK))
    assert offered(table) == []
    assert table.post(undo_of(table), []).status_code == 422


@pytest.mark.parametrize("who", ["host", "leo"])
def test_notes_of_others_are_no_obstacle(visited: FlaskClient, who: str) -> None:
    table = table_of(visited, ("host", START), (who, BID), ("nina", NOTE), ("mara", NOTE))
    assert offered(table, who) == [4]
    tap(table, who)
    assert table.report()["matches"][0]["hands"][0]["lines"] == []
    assert len([raw for raw in table.events() if raw["type"] == "note_added"]) == 2


def test_ones_own_note_is_taken_back_first(visited: FlaskClient) -> None:
    table = table_of(visited, ("host", START), ("leo", BID), ("leo", NOTE))
    assert [tap(table, "leo")[0]["seq"] for _ in range(2)] == [5, 4]


def test_acceptances_of_the_hand_keep_a_seat_from_its_entry_and_not_the_host(
    visited: FlaskClient,
) -> None:
    steps = [("host", START), ("leo", BID), ("leo", COUNT), ("nina", accepts("nina"))]
    assert offered(table_of(visited, *steps), "leo") == []
    steps = [("host", START), ("host", BID), ("host", COUNT), ("nina", accepts("nina"))]
    assert offered(table_of(visited, *steps)) == [5]


def test_an_acceptance_of_the_hand_before_is_no_obstacle(visited: FlaskClient) -> None:
    deals = event("hand_started", dealer="leo")
    table = table_of(visited, ("host", START), ("host", BID), ("host", COUNT), ("leo", deals),
                     ("nina", accepts("nina")))  # fmt: skip
    assert offered(table, "leo") == [6]
    tap(table, "leo")
    assert len(table.report()["matches"][0]["hands"]) == 1


def test_undone_entry_of_another_does_not_prevent_undo(visited: FlaskClient) -> None:
    table = table_of(visited, ("host", START), ("leo", BID), ("nina", TRICK))
    tap(table, "nina")
    assert offered(table, "leo") == [4]
    api = event("event_struck", seq=4, reason="mistyped")
    table.record(api, who="leo")
    assert offered(table) == [3]


def test_the_host_takes_back_an_acceptance_recorded_on_this_phone(visited: FlaskClient) -> None:
    table = table_of(visited, ("host", START), ("host", BID), ("host", COUNT),
                     ("host", accepts("leo")))  # fmt: skip
    assert "Leo" in undo_words(table)
    (strike,) = tap(table)
    assert strike["seq"] == 6
    assert table.report()["matches"][0]["hands"][0]["confirmed"] == []


def test_closed_session_takes_back_only_its_close(visited: FlaskClient) -> None:
    table = table_of(visited, ("host", START), ("host", BID), ("host", event("session_closed")))
    for who, status in (("leo", 422), ("host", 303)):
        data = {"version": table.report()["version"], "key": "x"}
        headers = table.headers(who)
        answer = table.client.post(f"/t/{table.id}/undo", headers=headers, data=data)
        assert answer.status_code == status
    assert table.events()[-1]["data"]["seq"] == 5


# ------------------------------------------------------------------------------------- its name


def undo_words(table: Tapped, who: str = "host", language: str = "en") -> str:
    headers = {**table.headers(who), "Accept-Language": language}
    html: str = table.client.get(f"/t/{table.id}", headers=headers).text
    return html.split('class="undo"', 1)[1].split("</form>", 1)[0]


@pytest.mark.parametrize(("language", "words"), [
    ("en", ("Undo", "Leo bid 5", "Mara 4, Leo 5, Nina 6")),
    ("it", ("Annulla", "Leo", "Mara 4, Leo 5, Nina 6")),
    ("fr", ("Annuler", "Leo", "Mara 4, Leo 5, Nina 6")),
])  # fmt: skip
def test_it_names_all_that_it_takes_back(
    visited: FlaskClient, language: str, words: tuple[str, ...]
) -> None:
    table = table_of(visited, ("host", START))
    table.record(BID, COUNT)
    words_ = undo_words(table, language=language)
    assert [word for word in words if word not in words_] == []
    assert "</span> <small>" in words_, "what waits on a phone is named by both, as two words"


# ------------------------------------------------------------------------------ one form, one tap


def test_a_whole_hand_at_totals_is_one_undo(visited: FlaskClient) -> None:
    table = table_of(visited)
    table.record(START, BID, COUNT)
    assert offered(table) == [5, 4, 3]
    assert "Hand 1 · 3 entries<" in undo_words(table)
    begun, *strikes = tap(table)
    assert begun == {"type": "correction_begun", "count": 3, "reason": "taken back at the table"}
    assert [strike["seq"] for strike in strikes] == [5, 4, 3]
    assert table.report()["matches"][0]["hands"] == []
    assert offered(table) == []


def test_the_first_of_two_hands_stays_where_the_second_is_taken_back(visited: FlaskClient) -> None:
    table = table_of(visited)
    table.record(START, BID, COUNT)
    table.record(event("hand_started", dealer="leo"), BID, COUNT)
    tap(table)
    assert len(table.report()["matches"][0]["hands"]) == 1
    assert offered(table) == [5, 4, 3]
    tap(table)
    assert table.report()["matches"][0]["hands"] == []


def test_undone_hand_offers_its_form_again(
    visited: FlaskClient,
) -> None:
    table = table_of(visited, ("host", START))
    table.level = "totals"
    before = [form.step for form in table.forms()]
    table.record(BID, COUNT)
    tap(table)
    assert before[0] == "totals"
    assert [form.step for form in table.forms()] == before
    assert "together" not in table.page().words


def test_a_seat_takes_back_its_own_form(visited: FlaskClient) -> None:
    table = table_of(visited)
    table.record(START, BID, COUNT, who="leo")
    assert [raw["type"] for raw in tap(table, "leo")] == ["correction_begun"] + ["event_struck"] * 3
    assert {raw["by"] for raw in table.events()[5:]} == {"leo"}


def test_an_undone_form_is_not_taken_back_again(visited: FlaskClient) -> None:
    table = table_of(visited, ("host", START), ("leo", BID))
    table.record(HIERARCHY, TRICK, who="leo")
    tap(table, "leo")
    assert offered(table, "leo") == [4]
    tap(table, "leo")
    assert offered(table, "leo") == []
    assert offered(table) == [3]


def test_a_match_is_not_taken_back_with_its_first_hand(visited: FlaskClient) -> None:
    table = Tapped.open(visited, SEATS, MATCH, START, BID)
    assert offered(table) == [4, 3]


# --------------------------------------------------------------------------- two phones, two taps


def test_simultaneous_undo_of_two_phones_strikes_one_form(visited: FlaskClient) -> None:
    table = table_of(visited, ("host", START), ("host", BID), ("host", HIERARCHY))
    first, second = undo_of(table), undo_of(table)
    assert table.post(first, []).status_code == 303
    again = sent(table, second, key="other")
    assert again.status_code == 422
    assert "It has been taken back already" in again.text
    assert [correction["names"] for correction in table.report()["corrections"]] == [5]


@pytest.mark.parametrize("named", [True, False])
def test_a_tap_that_comes_after_another_entry_takes_back_nothing(
    visited: FlaskClient, named: bool
) -> None:
    table = table_of(visited, ("host", START), ("host", BID))
    late = undo_of(table)
    table.record(TRICK)
    answer = sent(table, late, **({} if named else {"back": ""}))
    assert answer.status_code == 422
    page = Page.of(answer.text)
    assert "Nothing was taken back The last entry is a different one now" in page.words
    assert "Nina took the trick" in page.words
    assert "again" not in [field.get("value", "")[-5:] for field in page.all("input")]
    assert table.report()["corrections"] == []


def test_an_acceptance_since_does_not_keep_the_tap_from_what_it_named(visited: FlaskClient) -> None:
    table = table_of(visited, ("host", START), ("host", BID), ("host", COUNT))
    late = undo_of(table)
    table.record(accepts("leo"), who="leo")
    table.record(NOTE, who="nina")
    assert sent(table, late).status_code == 303
    assert [correction["names"] for correction in table.report()["corrections"]] == [5]


@pytest.mark.parametrize("back", ["x", "4,5", "-1", " ".join(["1"] * 200), "9" * 40])
def test_a_damaged_form_is_refused(visited: FlaskClient, back: str) -> None:
    table = table_of(visited, ("host", START))
    answer = sent(table, undo_of(table), back=back)
    assert answer.status_code == 422
    assert table.report()["corrections"] == []


# -------------------------------------------------------------------------------------- the desk


def test_a_correction_of_the_desk_is_taken_back_as_it_was_made(visited: FlaskClient) -> None:
    table = table_of(visited, ("host", START), ("leo", BID))
    added = {"after": 4, "type": "bid_made", "data": {"player": "nina", "points": 7}}
    table.record(event("event_inserted", reason="heard", **added))
    assert offered(table) == [5]
    assert offered(table, "leo") == []
    assert "Nina bid 7" in undo_words(table)
    tap(table)
    assert offered(table) == []
    assert offered(table, "leo") == [4]


def test_a_set_of_the_desk_is_taken_back_whole(visited: FlaskClient) -> None:
    table = table_of(visited, ("host", START), ("leo", BID), ("leo", COUNT))
    before = table.report()["matches"]
    table.record(
        event("correction_begun", count=2, reason="heard"),
        event("event_replaced", seq=4, type="bid_made", data={"player": "leo", "points": 4}),
        event("event_struck", seq=5),
    )
    assert offered(table) == [6]
    assert "heard" in undo_words(table)
    (strike,) = tap(table)
    assert strike["seq"] == 6
    assert table.report()["matches"] == before


def test_a_strike_of_the_desk_is_taken_back(visited: FlaskClient) -> None:
    table = table_of(visited, ("host", START), ("leo", BID), ("nina", TRICK))
    table.record(event("event_struck", seq=4, reason="not heard"))
    assert offered(table) == [6]
    assert "Leo bid 5" in undo_words(table)
    tap(table)
    assert table.report()["matches"][0]["hands"][0]["status"] == "open"


def test_the_host_of_a_seat_takes_back_what_he_recorded_as_either() -> None:
    session = Session()
    for line in _as(("mara", START), ("keeper", event("penalty_given", side="mara", points=-1,
                                                      reason="late"))):  # fmt: skip
        session.add_line(line)
    both = Holder("host", "mara")
    assert [entry.seq for entry in entries_to_undo(session, both)] == [4, 3]
    assert entries_to_undo(session, Holder("seat", "mara")) == []
    assert entries_to_undo(session, Holder("view")) == []


def _as(*steps: tuple[str, Raw]) -> Any:
    from scorekeeper.log.reading import RawEvent
    from tests.evenings import AT, opening

    steps_before = [("keeper", opening(*SEATS.split())), ("keeper", MATCH), *steps]
    for seq, (by, raw) in enumerate(steps_before, start=1):
        at = AT if seq > 2 else "2026-11-21T20:00:00.000Z"
        yield RawEvent(seq, seq, raw["type"], json.loads(json.dumps(raw["data"])), at, by)
