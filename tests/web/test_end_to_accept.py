"""A hand that one seat ends while cards lie face down is accepted by a tap on any phone.

Tests of ``web.entry.handover`` and ``templates/table/to_accept.html``.
"""

import json
import re
from typing import Any, Final

import pytest

from tests.evenings import Raw, event
from tests.samples import SAMPLES
from tests.web.looking import everybodys
from tests.web.tapping import Form, Tapped
from tests.web.test_own_seat import Opener

FIVE: Final = "mara leo nina ugo zoe"
SEATS: Final = FIVE.split()
CHIAMATA: Final = (
    event("match_started", game="briscola_chiamata", seats=SEATS),
    event("hand_started", dealer="mara"),
    event("bid_made", player="leo", bid="K"),
    event("card_called", player="leo", card="KS"),
)
PARTNER: Final = event("partner_revealed", player="nina")
COUNT: Final = event("points_counted", points={"bidder": 75})


def table_of(*more: Raw) -> Tapped:
    """Return a table of Chiamata in the middle of a hand."""
    return Tapped.open(everybodys(), FIVE, *CHIAMATA, *more)


def ended(by: str = "leo") -> Tapped:
    """Return a hand in which Nina recorded that she is the partner, and that a seat ended."""
    table = table_of()
    table.record(PARTNER, who="nina")
    table.record(COUNT, who=by)
    return table


def state(table: Tapped, who: str) -> str:
    """Return the state of the table for a phone."""
    (states,) = re.findall(r'data-state="(\w+)"', table.get(who=who).text)
    return str(states)


def accepting(table: Tapped, who: str) -> list[Form]:
    """Return the forms with which a phone accepts a hand."""
    return [form for form in table.forms(who=who) if form.step == "hand_confirmed"]


def accept(table: Tapped, who: str) -> None:
    """Tap the first button that accepts."""
    form = accepting(table, who)[0]
    button = form.buttons()[0]
    assert table.post(form, [(button.name, button.value)], who).status_code == 303


def undo_of(table: Tapped, who: str) -> Form | None:
    """Return the Undo form, if it can be tapped."""
    (form,) = [form for form in table.forms(who=who) if form.classes == "undo"]
    return form if any(control.kind == "submit" for control in form.controls) else None


@pytest.mark.parametrize("who", ["mara", "leo", "host"])
def test_one_tap_on_any_phone_shows_the_score(who: str) -> None:
    table = ended()
    for reader in (*SEATS, "host", "view"):
        assert state(table, reader) == "awaiting"
        words = table.page(who=reader).words
        assert "Is hand 1 over?" in words
        assert ("You entered its end" if reader == "leo" else "Leo entered its end") in words
        assert "The partner is Nina" not in words
    assert accepting(table, "view") == []
    assert len(accepting(table, "host")[0].buttons()) == len(SEATS)
    accept(table, who)
    assert {state(table, reader) for reader in (*SEATS, "host", "view")} == {"next"}
    assert table.report()["matches"][0]["hands"][0]["status"] == "complete"


def test_the_phone_that_ended_it_takes_that_back_until_it_is_accepted() -> None:
    table = ended()
    assert undo_of(table, "mara") is None
    form = undo_of(table, "leo")
    assert form is not None
    assert table.post(form, [], "leo").status_code == 303
    assert state(table, "mara") == "open"
    table.record(COUNT, who="leo")
    accept(table, "mara")
    assert undo_of(table, "leo") is None


def test_late_page_is_asked_to_accept_first() -> None:
    table = ended()
    form = {"type": "hand_started", "fixed": '{"dealer":"leo"}', "version": "7", "key": "late"}
    answer = table.client.post(f"/t/{table.id}/record", data=form, headers=table.headers("mara"))
    assert answer.status_code == 403
    assert "Accept this hand first" in answer.text


def test_findings_of_an_unaccepted_hand_are_shown_at_the_desk() -> None:
    table = ended()
    desk = table.client.get(f"/t/{table.id}/d/1-1", headers=table.headers("mara"))
    assert desk.status_code == 200
    assert "What is wrong?" in desk.text


def test_a_phone_offers_to_take_back_the_partner_that_it_recorded_and_no_other_does() -> None:
    table = table_of()
    table.record(PARTNER, who="nina")
    for other in ("mara", "leo", "ugo", "zoe"):
        assert undo_of(table, other) is None
    form = undo_of(table, "nina")
    assert form is not None
    assert "stays hidden" in table.page(who="nina").words
    assert table.post(form, [], "nina").status_code == 303
    assert [raw["by"] for raw in table.events()[-2:]] == ["keeper", "keeper"]


def test_an_abandoned_hand_needs_no_acceptance_to_go_on() -> None:
    table = table_of()
    table.record(PARTNER, who="nina")
    table.record(event("hand_abandoned", reason="misdeal"), who="leo")
    assert state(table, "leo") == "again"
    assert accepting(table, "mara") == []
    assert "once another player enters something" in table.page(who="mara").words
    table.record(event("hand_started", dealer="leo"), who="leo")
    assert table.get(who="mara").status_code == 200
    table.record(event("bid_made", player="nina", bid="A"), who="nina")
    partner = next(raw for raw in table.events() if raw["type"] == "partner_revealed")
    seen = table.client.get(f"/api/sessions/{table.id}/events", headers=table.headers("mara"))
    assert seen.get_json()["events"][partner["seq"] - 1]["data"] == partner["data"]


# --------------------------------------------------------------- the usual evening, tap for tap


TOTALS: Final = {"0.type": "bid_made", "0.with:player": '{"player":"leo"}',
                 "0.with:bid": '{"bid":"K"}', "1.type": "partner_revealed",
                 "1.with:player": '{"player":"nina"}', "2.type": "points_counted",
                 "2.n:points.bidder": "75"}  # fmt: skip


@pytest.mark.parametrize("who", ["host", "leo"])
def test_a_hand_by_its_totals_is_over_with_its_one_form(who: str) -> None:
    """The count precedes the partner, so that nothing lies face down."""
    table = Tapped.open(everybodys(), FIVE, CHIAMATA[0])
    form: dict[str, Any] = {"version": "2", "key": "whole", "dealer": "mara", **TOTALS}
    answer = table.client.post(f"/t/{table.id}/record", data=form, headers=table.headers(who))
    assert answer.status_code == 303, answer.text
    assert {state(table, reader) for reader in ("mara", "leo", "host", "view")} == {"next"}
    partner = next(raw for raw in table.events() if raw["type"] == "partner_revealed")
    assert partner["by"] == ("keeper" if who == "host" else "leo")


@pytest.mark.parametrize("game", sorted(game for game, sample in SAMPLES.items() if sample.worlds))
def test_a_table_of_one_phone_needs_no_acceptance(game: str) -> None:
    """A host with a seat ends the hand: it counts as the host's act, and all cards are shown."""
    script = SAMPLES[game].worlds
    assert script is not None
    seats = script.players.split()[: SAMPLES[game].seats]
    names = [seat.title() for seat in seats]
    opener = Opener(game=game, mine="0", name=names)
    for step in script.steps[:1]:
        opener_record(opener, *step.one[1:])
    for step in script.steps[1:]:
        opener_record(opener, *step.one)
    opener_record(opener, *script.end.one)
    assert 'data-state="awaiting"' not in opener.get()
    report = opener.phone.get(f"/api/sessions/{opener.id}").get_json()
    assert "awaiting" not in report["matches"][0]["hands"][0]
    assert opener.recorded()[-1][1] == "keeper"
    events = opener.phone.get(f"/api/sessions/{opener.id}/events").get_json()["events"]
    assert all(raw["data"] for raw in events)


def opener_record(opener: Opener, *events: Raw) -> None:
    """Record events as the page of that phone does."""
    for raw in events:
        form = {"type": raw["type"], "fixed": json.dumps(raw["data"]), "as_played": "1"}
        assert opener.post("/record", **form) == 303, raw


@pytest.mark.parametrize("file", ["text", "picture.png", "results.csv", "payments.csv",
                                  "sheet.pdf", "results.xlsx"])  # fmt: skip
def test_files_of_the_host_show_no_hand_before_it_is_accepted(file: str) -> None:
    table = ended()

    def made(who: str) -> bytes:
        headers = {"Authorization": f"Bearer {table.keys[who]}"}
        answer = table.client.get(f"/api/sessions/{table.id}/{file}", headers=headers)
        assert answer.status_code == 200, answer.text
        return bytes(answer.data)

    before = made("host")
    assert before == made("view")
    accept(table, "mara")
    assert made("host") != before
