"""Undo of the end of a match, of another match, and of the close: one tap takes a form back.

Tests of ``web.entry.undoing``.
"""

from typing import Final

import pytest
from flask.testing import FlaskClient

from tests.evenings import Raw, event
from tests.samples import SAMPLES
from tests.web.tapping import Tapped
from tests.web.test_stopping import DEALT, HAND, LATE, MATCH, NEXT, SEATS, fill, seated, stop_form
from tests.web.test_table import visited
from tests.web.test_undo import offered, tap, undo_of

__all__ = ["visited"]

ANOTHER: Final = {"game": "riparto", "seat": SEATS.split(), "result": "undecided"}


def riparto_table(visited: FlaskClient, *events: Raw) -> Tapped:
    return Tapped.open(visited, SEATS, MATCH, *events)


def ends(table: Tapped) -> list[tuple[str, list[str]]]:
    return [(match["status"], match["winners"]) for match in table.report()["matches"]]


def strikes(*seqs: int) -> list[Raw]:
    reason = "taken back at the table"
    if len(seqs) == 1:
        return [{"type": "event_struck", "seq": seqs[0], "reason": reason}]
    begun = {"type": "correction_begun", "count": len(seqs), "reason": reason}
    return [begun, *({"type": "event_struck", "seq": seq} for seq in seqs)]


@pytest.mark.parametrize("game", SAMPLES)
def test_end_of_a_match_is_taken_back(game: str, visited: FlaskClient) -> None:
    table = seated(visited, game, 1, 0)
    before, end = table.report(), stop_form(table)
    assert end is not None
    table.post(end, [("with", '{"undecided":true}')])
    seq = table.report()["version"]
    assert "undecided" in table.page().words.partition("Undo")[2]
    assert offered(table) == [seq]
    assert tap(table) == strikes(seq)
    assert table.report()["matches"] == before["matches"]
    assert stop_form(table) is not None


def test_another_match_is_taken_back_with_the_end_of_the_one_before(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND)
    fill(table, "/match", **ANOTHER)
    assert ends(table) == [("finished", []), ("open", [])]
    assert offered(table) == [7, 6]
    assert tap(table) == strikes(7, 6)
    assert ends(table) == [("open", [])]
    table.record(NEXT, LATE)
    assert table.report()["matches"][0]["hands"][1]["status"] == "open"


def test_close_is_taken_back_with_the_end_of_the_match(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND)
    fill(table, "/close", result="decided")
    assert table.report()["session"]["closed"]
    assert offered(table) == [7, 6]
    assert tap(table) == strikes(7, 6)
    assert not table.report()["session"]["closed"]
    assert ends(table) == [("open", [])]
    table.record(NEXT)


def test_close_of_a_match_that_was_over_is_taken_back_alone(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND, event("match_ended"))
    fill(table, "/close")
    assert offered(table) == [7]
    assert tap(table) == strikes(7)
    assert ends(table) == [("finished", ["leo"])]
    assert offered(table)[:1] == [6], "the end of the match can be taken back next"
    tap(table)
    assert ends(table) == [("open", [])]


def test_evening_without_a_match_is_opened_again(visited: FlaskClient) -> None:
    table = Tapped.open(visited, SEATS)
    fill(table, "/close")
    assert offered(table) == [2]
    tap(table)
    assert not table.report()["session"]["closed"]


def test_rematch_is_taken_back(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND)
    table.record(event("match_ended"))
    form = next(form for form in table.forms() if form.type == "match_started")
    again = form.buttons()[0]
    assert table.post(form, [(again.name, again.value)]).status_code == 303
    assert offered(table) == [7]
    tap(table)
    assert ends(table) == [("finished", ["leo"])]


def test_first_match_is_not_taken_back(visited: FlaskClient) -> None:
    assert offered(riparto_table(visited)) == []


@pytest.mark.parametrize(
    ("recorded", "offers"),
    [
        (DEALT, False),
        (event("player_joined", id="ugo", name="Ugo"), False),
        (event("note_added", text="Coffee"), False),  # it is the last entry of the same phone
    ],
)
def test_match_is_not_taken_back_under_a_later_entry(
    recorded: Raw, offers: bool, visited: FlaskClient
) -> None:
    table = riparto_table(visited, *HAND)
    fill(table, "/match", **ANOTHER)
    form = undo_of(table)
    table.record(recorded)
    assert (7 in offered(table)) is offers
    answer = table.post(form, [])
    assert answer.status_code == 422
    assert ends(table) == [("finished", []), ("open", [])]


@pytest.mark.parametrize(
    "recorded", [event("note_added", text="Coffee"), event("hand_confirmed", player="leo")]
)
def test_note_or_acceptance_of_another_does_not_stop_undo(
    recorded: Raw, visited: FlaskClient
) -> None:
    table = riparto_table(visited, *HAND, event("match_ended"))
    table.record(recorded, who="leo")
    assert offered(table) == [6]
    assert tap(table) == strikes(6)
    assert ends(table) == [("open", [])]


def test_close_is_not_taken_back_after_a_dispute(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND)
    fill(table, "/close", result="decided")
    table.record(event("hand_disputed", player="leo", reason="no"), who="leo")
    assert offered(table) == []


@pytest.mark.parametrize("who", ["leo", "mara"])
def test_seat_takes_back_no_end_that_a_host_recorded(who: str, visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND)
    fill(table, "/close", result="decided")
    assert offered(table, who) == []


def test_second_tap_on_undo_takes_back_nothing_more(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND, event("match_ended"))
    fill(table, "/close")
    form = undo_of(table)
    assert table.post(form, []).status_code == 303
    version = table.report()["version"]
    assert table.post(form, []).status_code == 303
    assert table.report()["version"] == version
    assert ends(table) == [("finished", ["leo"])]
