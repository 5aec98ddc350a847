"""Between two hands: the result of the last one, the tasks of this phone, and accepting.

Tests of ``web.entry.handover``, ``web.entry.to_do`` and ``web.review.acceptance``.
"""

from collections.abc import Sequence
from typing import Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.languages.money import MINUS
from tests.evenings import Raw, event
from tests.web.pages import Page
from tests.web.tapping import Form, Forms, Tapped
from tests.web.test_table import visited

__all__ = ["visited"]

SEATS: Final = ("mara", "leo", "nina")
MATCH: Final = event("match_started", game="riparto", seats=list(SEATS))


def hand(dealer: str, bidder: str, points: int, *taken: int) -> list[Raw]:
    return [
        event("hand_started", dealer=dealer),
        event("bid_made", player=bidder, points=points),
        event("points_counted", points=dict(zip(SEATS, taken, strict=True))),
    ]


FIRST: Final = hand("mara", "leo", 5, 4, 5, 6)  # events 3 to 5
SECOND: Final = hand("leo", "nina", 5, 5, 6, 4)
THIRD: Final = hand("nina", "mara", 4, 4, 6, 5)


def played(visited: FlaskClient, *hands: Sequence[Raw]) -> Tapped:
    table = Tapped.open(visited, " ".join(SEATS), MATCH)
    for raws in hands:
        table.record(*raws)
    return table


def section(table: Tapped, name: str, who: str) -> str:
    """Return the words of a section of the page."""
    text = table.get(who=who).text
    if f'class="{name}"' not in text:
        return ""
    return Page.of(text.split(f'class="{name}"')[1].split("</section>")[0].partition(">")[2]).words


def confirmed(table: Tapped) -> list[list[str]]:
    return [hand_["confirmed"] for hand_ in table.report()["matches"][0]["hands"]]


def accepting(table: Tapped, who: str) -> list[Form]:
    return [form for form in table.forms(who=who) if form.classes == "accepts"]


# ------------------------------------------------------------------------------------ the card


@pytest.mark.parametrize("who", ["host", "leo", "view"])
def test_the_card_has_each_sides_change_its_reasons_and_its_new_total(
    visited: FlaskClient, who: str
) -> None:
    table = played(visited, FIRST, SECOND)
    words = section(table, "handover", who)
    assert "Hand 2" in words
    assert "Mara 0 0" in words
    assert "Nina declared 5, took 4 · Leo had the most points of the others" in words
    assert "Leo +6 11" in words
    assert f"Nina {MINUS}5 {MINUS}5" in words


def test_several_reasons_are_all_there_with_their_points(visited: FlaskClient) -> None:
    table = Tapped.open(visited, "mara leo", event("match_started", game="picchetto",
                        seats=["mara", "leo"]), event("hand_started", dealer="leo"))  # fmt: skip
    table.record(event("shown", player="mara", category="point", count=5),
                 event("shown", player="mara", category="sequence", length=4, high="K"),
                 event("tricks_counted", tricks={"mara": 7, "leo": 5}, last="mara"))  # fmt: skip
    (hand_,) = table.report()["matches"][0]["hands"]
    lines = [line for line in hand_["lines"] if line["side"] == "mara"]
    words = section(table, "handover", "leo")
    assert len(lines) > 2
    assert all(f"+{line['points']} {line['text']}" in words for line in lines)


def test_findings_of_the_hand_are_shown_as_sentences(visited: FlaskClient) -> None:
    table = played(visited, FIRST)
    table.record(event("score_claimed", scores={"leo": 7}), as_played=True)
    (claimed,) = [
        finding for finding in table.report()["findings"] if finding["code"] == "claim_mismatch"
    ]
    assert claimed["message"] in section(table, "handover", "leo")


def test_a_penalty_stands_beside_the_points(visited: FlaskClient) -> None:
    table = played(visited, FIRST)
    table.record(event("penalty_given", side="mara", points=-2, reason="late"))
    assert f"Mara 0 {MINUS}2 {MINUS}2 penalty: late" in section(table, "handover", "leo")


def test_the_card_goes_when_the_next_hand_begins(visited: FlaskClient) -> None:
    table = played(visited, FIRST, SECOND[:1])
    assert section(table, "handover", "leo") == ""
    assert "Hand 1" in section(table, "to-do", "leo")


SHUT: Final = 'class="next-hand" data-keep="next-1-2">'
OPENED: Final = 'class="next-hand" data-keep="next-1-2" open>'


def test_only_a_refused_entry_of_the_next_hand_opens_its_pad(visited: FlaskClient) -> None:
    table = played(visited, FIRST)
    assert SHUT in table.get(who="leo").text
    leo = ("with:player", '{"player":"leo"}')
    bid, accept = table.form("bid_made", "leo"), table.form("hand_confirmed", "leo")
    table.record(event("penalty_given", side="mara", points=-2, reason="late"))
    stale = table.post(bid, [leo, ("n:points", "4")], who="leo")
    assert "Somebody was quicker" in stale.text
    assert SHUT in stale.text
    late = table.post(accept, [("with", '{"player":"nina"}')], who="leo")
    assert late.status_code == 412
    assert SHUT in late.text
    refused = table.post(table.form("bid_made", "leo"), [leo, ("n:points", "99")], who="leo")
    assert refused.status_code == 422
    assert OPENED in refused.text


# ----------------------------------------------------------------------------- what is to be done


def test_hands_not_accepted_wait_until_they_are(visited: FlaskClient) -> None:
    """Also earlier ones: their signatures are inserted at their places in the record."""
    table = played(visited, FIRST, SECOND, THIRD)
    assert "2 hands not yet accepted Hand 2" in section(table, "to-do", "leo")
    assert f"Leo +6 Nina {MINUS}5 Mara 0" in section(table, "to-do", "leo")
    assert section(table, "to-do", "host") == ""
    for left in (2, 1, 0):
        mine = accepting(table, "leo")
        assert len(mine) == left + 1
        (button,) = mine[0].buttons()
        assert table.post(mine[0], [(button.name, button.value)], who="leo").status_code == 303
    assert confirmed(table) == [["leo"], ["leo"], ["leo"]]
    assert section(table, "to-do", "leo") == ""
    assert "You have accepted" in section(table, "handover", "leo")
    report = table.report()
    assert {signature["player"] for signature in report["signatures"]} == {"leo"}
    assert all(signature["holds"] for signature in report["signatures"])


@pytest.mark.parametrize("number", [1, 2])
def test_a_hand_is_accepted_on_its_page(visited: FlaskClient, number: int) -> None:
    table = played(visited, FIRST, SECOND)
    assert [len(on_the_page(table, number, who)) for who in ("host", "view", "leo")] == [0, 0, 1]
    (form,) = on_the_page(table, number, "leo")
    (button,) = form.buttons()
    assert table.post(form, [(button.name, button.value)], who="leo").status_code == 303
    assert confirmed(table)[number - 1] == ["leo"]
    assert on_the_page(table, number, "leo") == []


def on_the_page(table: Tapped, number: int, who: str) -> list[Form]:
    """Return the forms of a hand's page that record something."""
    text = table.client.get(f"/t/{table.id}/h/1-{number}", headers=table.headers(who)).text
    return [form for form in Forms(text).forms if form.action.endswith("/record")]


def test_an_acceptance_that_came_later_is_no_correction(visited: FlaskClient) -> None:
    table = played(visited, FIRST, SECOND)
    later = accepting(table, "leo")[0]
    table.post(later, [(button.name, button.value) for button in later.buttons()], who="leo")
    assert confirmed(table) == [["leo"], []]
    for path in ("/h/1-1", "/audit", "/results"):
        text = table.client.get(f"/t/{table.id}{path}", headers=table.headers()).text
        assert ">corrected<" not in text
        assert 'title="corrected"' not in text
        assert "nothing erased" not in text


@pytest.mark.parametrize("place", [0, -1])
def test_hand_that_is_accepted_already_is_not_accepted_again(
    visited: FlaskClient, place: int
) -> None:
    """The form comes under a new key: once of the page as it was, once of the page as it is."""
    table = played(visited, FIRST, SECOND)
    form = accepting(table, "leo")[place]
    fields = dict(form.hidden()) | {button.name: button.value for button in form.buttons()}
    headers = table.headers("leo") | {"X-Fragment": "1"}

    def accept(version: int) -> tuple[int, str | None]:
        again = {**fields, "version": str(version), "key": f"at-{version}"}
        answer = table.client.post(form.action, data=again, headers=headers)
        assert 'id="notice"' not in answer.text
        return answer.status_code, answer.headers.get("ETag")

    first = int(fields["version"])
    assert accept(first) == (200, f'"{first + 1}-masked"')
    before = table.events()
    for version in (first - 1, first + 1):
        assert accept(version) == (200, f'"{first + 1}-masked"')
    assert table.events() == before
    table.record(event("event_struck", seq=first + 1, reason="not yet"))
    accept(first + 2)
    assert len(table.events()) == first + 3


def test_acceptance_of_one_player_counts_for_the_side(visited: FlaskClient) -> None:
    seats = ["mara", "leo", "nina", "ugo"]
    table = Tapped.open(visited, " ".join(seats), event("match_started", game="knock", seats=seats))
    for dealer in ("mara", "leo"):
        table.record(event("hand_started", dealer=dealer),
                     event("points_counted", points={"A": 60}))  # fmt: skip
        if dealer == "mara":
            table.record(event("hand_confirmed", player="mara"), who="mara")
    assert section(table, "to-do", "nina") == ""
    assert "1 hand not yet accepted" in section(table, "to-do", "ugo")


@pytest.mark.parametrize("data", [
    {"type": "hand_confirmed", "data": {"player": "nina"}},
    {"type": "bid_made", "data": {"player": "leo", "points": 9}},
    {"type": "hand_disputed", "data": {"player": "leo", "reason": "heard"}},
])  # fmt: skip
def test_seat_inserts_only_its_own_acceptance_into_an_earlier_hand(
    visited: FlaskClient, data: Raw
) -> None:
    table = played(visited, FIRST, SECOND)
    inserted = event("event_inserted", after=5, reason="later", **data)
    assert append(table, inserted, "leo") == (403, "forbidden")
    assert append(table, inserted, "view") == (403, "forbidden")


def test_closed_session_takes_no_acceptance(visited: FlaskClient) -> None:
    table = played(visited, FIRST, SECOND)
    table.record(event("session_closed"))
    own = {"type": "hand_confirmed", "data": {"player": "leo"}}
    assert append(table, event("event_inserted", after=5, reason="later", **own), "leo") == (
        403, "forbidden",
    )  # fmt: skip
    assert accepting(table, "leo") == []
    assert "not yet accepted" not in table.page(who="leo").words


def append(table: Tapped, raw: Raw, who: str) -> tuple[int, str]:
    answer = table.client.post(
        f"/api/sessions/{table.id}/events", json={"events": [raw]},
        headers={"Authorization": f"Bearer {table.keys[who]}",
                 "If-Match": f'"{table.report()["version"]}"'},
    )  # fmt: skip
    return answer.status_code, answer.get_json()["code"]


# ---------------------------------------------------------------------------------- the flag


@pytest.mark.parametrize("who", ["host", "leo", "view"])
def test_an_open_dispute_is_flagged_everywhere(visited: FlaskClient, who: str) -> None:
    table = played(visited, FIRST, SECOND)
    dispute = event("hand_disputed", player="mara", reason="Wrong score", match=1, hand=1)
    table.record(dispute, who="mara")
    desk = f'href="/t/{table.id}/d/1-1"'
    for query in ("", "?view=watch", "?view=flat"):
        text = table.get(query, who).text
        assert desk in text.split('class="to-do"')[1].split("</section>")[0]
        assert "Hand 1 is disputed" in Page.of(text).words
    assert desk in table.client.get(f"/t/{table.id}/log", headers=table.headers(who)).text
    for path in ("/results", "/h/1-1"):
        text = table.client.get(f"/t/{table.id}{path}", headers=table.headers(who)).text
        assert "⚑" in text.split("<article")[1].split("</section>")[0]


def test_a_wanted_signature_is_a_tap_away_until_it_is_given(visited: FlaskClient) -> None:
    table = played(visited, FIRST, SECOND)
    of = {"match": 1, "hand": 1}
    anew = event("event_replaced", seq=4, type="bid_made", data={"player": "leo", "points": 9},
                 reason="heard")  # fmt: skip
    table.record(event("hand_disputed", player="mara", reason="heard", **of))
    table.record(event("correction_proposed", corrections=[anew], reason="heard", **of))
    assert "Please sign hand 1" in section(table, "to-do", "leo")
    assert f'href="/t/{table.id}/d/1-1#offer"' in table.get(who="leo").text
    assert "Hand 1 is disputed" in section(table, "to-do", "view")
    table.record(event("proposal_signed", proposal=table.report()["version"], player="leo"),
                 who="leo")  # fmt: skip
    assert "Hand 1 is disputed" in section(table, "to-do", "leo")
    assert "Please sign hand 1" in section(table, "to-do", "nina")


def test_hand_of_an_earlier_match_names_that_match(visited: FlaskClient) -> None:
    table = played(visited, FIRST)
    table.record(event("hand_disputed", player="mara", reason="heard"))
    table.record(MATCH)
    assert "Hand 1 of match 1 is disputed" in section(table, "to-do", "leo")


def test_players_with_the_same_summary_stand_in_the_order_of_the_table(
    visited: FlaskClient,
) -> None:
    start = event("match_started", game="picchetto", seats=["mara", "leo"])
    counted = event("points_counted", points={"mara": 15, "leo": 20})
    table = Tapped.open(visited, "mara leo", start, event("hand_started", dealer="mara"), counted)
    assert "Mara, Leo points marked, as counted" in section(table, "handover", "mara")
    assert "Leo, Mara points marked, as counted" in section(table, "handover", "leo")


def test_result_of_a_match_names_all_winners_and_has_no_empty_bar(visited: FlaskClient) -> None:
    tied = hand("leo", "nina", 5, 5, 5, 5)
    table = played(visited, FIRST, tied)
    table.record(event("match_ended"))
    html = table.get(who="host").text
    assert 'class="hand-on"' not in html
    words = Page.of(html).words
    assert "Shared by Leo and Nina" in words
    assert 'class="hand-on"' in table.get(who="leo").text
