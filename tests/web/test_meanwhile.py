"""Forms that are sent after others recorded something: their meaning, and their place.

Tests of ``web.entry.appending``, ``web.entry.notice`` and ``service.meanwhile``.
"""

from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.evenings import event, struck
from tests.web.looking import everybodys
from tests.web.pages import page_of
from tests.web.tapping import Form, Tapped

SEATS: Final = ("mara", "leo", "nina")
BID: Final = event("bid_made", player="leo", points=5)
COUNT: Final = event("points_counted", points={"mara": 4, "leo": 5, "nina": 6})
MATCH: Final = event("match_started", game="riparto", seats=list(SEATS))
NOTE: Final = event("note_added", text="a note")
WHOLE: Final = [
    ("bid_made", "with:player", '{"player":"leo"}'),
    ("bid_made", "with:points", '{"points":5}'),
    ("points_counted", "n:points.mara", "4"),
    ("points_counted", "n:points.leo", "5"),
    ("points_counted", "n:points.nina", "6"),
]


@pytest.fixture
def client() -> FlaskClient:
    return everybodys()


def riparto(client: FlaskClient, *events: Any) -> Tapped:
    """A table at which the first hand of Riparto was dealt."""
    begun = MATCH, event("hand_started", dealer="mara")
    return Tapped.open(client, " ".join(SEATS), *begun, *events)


def complete(client: FlaskClient) -> Tapped:
    """A table at which that hand is complete."""
    return riparto(client, BID, COUNT)


def whole_hand(table: Tapped, *fields: tuple[str, str, str]) -> tuple[Form, list[tuple[str, str]]]:
    """Return the form for a whole hand, and the chosen values."""
    table.level = "totals"
    form = table.form("totals")
    place = {control.value: control.name.partition(".")[0] for control in reversed(form.controls)
             if control.name.endswith(".type")}  # fmt: skip
    return form, [(f"{place[kind]}.{name}", value) for kind, name, value in fields]


def types(table: Tapped, after: int) -> list[str]:
    return [raw["type"] for raw in table.events()[after:]]


def notice(answer: TestResponse) -> dict[str, str]:
    """Return the attributes of the notice on a page."""
    (notices,) = [
        section for section in page_of(answer).all("section") if section.get("id") == "notice"
    ]
    return notices


def is_questioned(answer: TestResponse) -> bool:
    """Return whether the page asks for confirmation, instead of reporting a recorded entry."""
    return answer.status_code == 412


# ------------------------------------------------------------------------------------ the hand


def test_a_hand_entered_twice_is_recognised_and_never_becomes_the_next(client: FlaskClient) -> None:
    table = riparto(client)
    form, chosen = whole_hand(table, *WHOLE)
    table.record(BID, COUNT, event("hand_started", dealer="leo"))
    before = len(table.events())
    answer = table.post(form, chosen)
    assert is_questioned(answer)
    assert {"data-same", "data-over"} <= notice(answer).keys()
    assert "The hand that you entered this for is over" in page_of(answer).words
    assert not [
        button for button in page_of(answer).all("button") if button.get("name") == "as_played"
    ]
    again = [(name, str(before)) if name == "version" else (name, value)
             for name, value in form.hidden()]  # fmt: skip
    data = dict([*again, *chosen])
    forced = client.post(form.action, data=data, headers=table.headers())
    assert forced.status_code == 422
    assert "hand 1 of match 1, which is over" in page_of(forced).words
    assert len(table.events()) == before


@pytest.mark.parametrize("kind", ["bid_made", "trick_taken", "note_added", "hand_confirmed"])
def test_an_entry_never_lands_in_another_hand_or_match(client: FlaskClient, kind: str) -> None:
    """A step for hand 1 is sent while hand 2 is played, or another match."""
    to_come = {"bid_made": (BID, COUNT), "hand_confirmed": ()}.get(kind, (COUNT,))
    table = riparto(client, *(raw for raw in (BID, COUNT) if raw not in to_come))
    who = "leo" if kind == "hand_confirmed" else "host"
    form = table.form(kind, who)
    table.record(*to_come, event("hand_started", dealer="leo"), BID, COUNT)
    table.record(MATCH, event("hand_started", dealer="mara"), BID)
    before = len(table.events())
    data = dict(form.hidden()) | {"version": str(before)}
    chosen = {
        "bid_made": {"with:player": '{"player":"leo"}', "with:points": '{"points":5}'},
        "trick_taken": {"with": '{"player":"leo"}'},
        "note_added": {"t:text": "late"},
        "hand_confirmed": {"with": '{"player":"leo"}'},
    }[kind]
    answer = client.post(form.action, data=data | chosen, headers=table.headers(who))
    if kind == "note_added":
        assert types(table, before) == [kind]
    elif kind == "hand_confirmed":
        assert types(table, before) == ["event_inserted"]
        first, second = table.report()["matches"][0]["hands"]
        assert (first["confirmed"], second["confirmed"]) == (["leo"], [])
    else:
        assert answer.status_code == 422
        assert types(table, before) == []


@pytest.mark.parametrize("hand", ["1-2", "1-10", "2-1"])
def test_an_entry_for_a_later_hand_is_refused_until_then(client: FlaskClient, hand: str) -> None:
    """It can still be recorded, so the page does not say that its hand is over."""
    table = riparto(client, BID)
    form = table.form("trick_taken")
    data = dict(form.hidden()) | {"hand": hand, "with": '{"player":"leo"}'}
    answer = client.post(form.action, data=data, headers=table.headers())
    assert answer.status_code == 422
    assert "data-over" not in notice(answer)
    assert "an earlier hand is not over" in page_of(answer).words
    assert types(table, 4) == []


def test_second_phone_that_begins_the_hand_continues_it(client: FlaskClient) -> None:
    table = complete(client)
    form, chosen = whole_hand(table, *WHOLE)
    version = len(table.events())
    table.record(event("hand_started", dealer="leo"))
    stale = table.post(form, chosen)
    assert is_questioned(stale)
    assert "data-over" not in notice(stale)
    data = dict(form.hidden()) | {"version": str(version + 1)} | dict(chosen)
    assert client.post(form.action, data=data, headers=table.headers()).status_code == 303
    assert types(table, version) == ["hand_started", "bid_made", "points_counted"]


def test_two_phones_that_begin_a_hand_begin_one(client: FlaskClient) -> None:
    table = Tapped.open(client, " ".join(SEATS),
                        MATCH)  # fmt: skip
    form = table.form("hand_started")
    deals = [("with:dealer", '{"dealer":"mara"}')]
    assert table.post(form, deals).status_code == 303
    data = dict(form.hidden()) | dict(deals) | {"version": "3", "key": "another"}
    assert client.post(form.action, data=data, headers=table.headers()).status_code == 422
    assert types(table, 2) == ["hand_started"]


def test_struck_entry_does_not_count_as_the_same(client: FlaskClient) -> None:
    table = riparto(client)
    form, chosen = whole_hand(table, *WHOLE)
    table.record(BID, COUNT)
    table.record(struck(4), struck(5))
    assert "data-same" not in notice(table.post(form, chosen))


# ------------------------------------------------------------------- what does not contradict


def test_simultaneous_acceptances_are_all_recorded(client: FlaskClient) -> None:
    table = complete(client)
    forms = {seat: table.form("hand_confirmed", seat) for seat in SEATS}
    before = len(table.events())
    table.record(NOTE, event("hand_started", dealer="leo"))
    for player, form in forms.items():
        answer = table.post(form, [("with", f'{{"player":"{player}"}}')], player)
        assert answer.status_code == 303, page_of(answer).words
    assert sorted(types(table, before + 2)) == ["hand_confirmed"] * 3
    assert table.report()["matches"][0]["hands"][0]["confirmed"]


DEALT: Final = event("hand_started", dealer="leo")
BID_OF_NINA: Final = event("bid_made", player="nina", points=5)
ABANDONED: Final = event("hand_abandoned", reason="misdeal")


@pytest.mark.parametrize("since", [
    [("host", DEALT), ("nina", ABANDONED)],
    [("host", DEALT), ("nina", ABANDONED), ("nina", struck(7))],
    [("host", DEALT), ("host", struck(6))],
    [("host", DEALT), ("nina", BID_OF_NINA), ("host", COUNT)],
    [("host", DEALT), ("nina", BID_OF_NINA), ("host", MATCH)],
    [("host", DEALT), ("host", event("penalty_given", side="mara", points=-1, reason="late"))],
    [("host", event("player_joined", id="ugo", name="Ugo")), ("host", event("match_ended"))],
])  # fmt: skip
def test_entries_in_later_hands_do_not_prevent_an_acceptance(
    client: FlaskClient, since: list[tuple[str, Any]]
) -> None:
    table = complete(client)
    form = table.form("hand_confirmed", "leo")
    for who, raw in since:
        table.record(raw, who=who, as_played=True)
    answer = table.post(form, [("with", '{"player":"leo"}')], "leo")
    assert answer.status_code == 303, page_of(answer).words
    hands = table.report()["matches"][0]["hands"]
    assert [hand["confirmed"] for hand in hands] == [["leo"], []][: len(hands)]


def test_the_hand_before_one_that_a_seat_abandons_face_down_is_accepted(
    client: FlaskClient,
) -> None:
    seats = [*SEATS, "ugo", "zoe"]
    hands = [
        event("hand_started", dealer="mara"), event("bid_made", player="leo", bid="K"),
        event("card_called", player="leo", card="KS"),
        event("partner_revealed", player="nina"), event("points_counted", points={"bidder": 75}),
        event("hand_started", dealer="leo"), event("bid_made", player="nina", bid="K"),
        event("card_called", player="nina", card="KS"),
    ]  # fmt: skip
    chiamata = event("match_started", game="briscola_chiamata", seats=seats)
    table = Tapped.open(client, " ".join(seats), chiamata, *hands)
    table.record(event("partner_revealed", player="ugo"), who="ugo")
    table.record(ABANDONED, who="zoe")
    form = next(form for form in table.forms(who="mara") if form.step == "hand_confirmed")
    button = form.buttons()[0]
    answer = table.post(form, [(button.name, button.value)], "mara")
    assert answer.status_code == 303, page_of(answer).words
    assert [hand["confirmed"] for hand in table.report()["matches"][0]["hands"]] == [["mara"], []]


def test_a_hand_that_was_changed_meanwhile_is_not_accepted_unseen(client: FlaskClient) -> None:
    table = complete(client)
    form = table.form("hand_confirmed", "leo")
    table.record(struck(5), event("points_counted", points={"mara": 9, "leo": 0, "nina": 6}))
    assert is_questioned(table.post(form, [("with", '{"player":"leo"}')], "leo"))


def test_acceptance_by_another_phone_is_not_repeated(client: FlaskClient) -> None:
    table = complete(client)
    form = table.form("hand_confirmed", "leo")
    table.record(event("hand_confirmed", player="leo"))
    before = table.events()
    answer = table.post(form, [("with", '{"player":"leo"}')], "leo")
    assert answer.status_code == 303
    assert table.events() == before


@pytest.mark.parametrize("meanwhile", [[NOTE], [event("hand_confirmed", player="nina"), NOTE]])
def test_note_or_acceptance_does_not_prevent_the_next_hand(
    client: FlaskClient, meanwhile: list[Any]
) -> None:
    table = complete(client)
    form, chosen = whole_hand(table, *WHOLE)
    table.record(*meanwhile)
    assert table.post(form, chosen).status_code == 303
    assert types(table, 5 + len(meanwhile)) == ["hand_started", "bid_made", "points_counted"]


def test_a_note_comes_beside_what_is_played(client: FlaskClient) -> None:
    table = riparto(client)
    form = table.form("note_added", "nina")
    table.record(BID)
    assert table.post(form, [("t:text", "loud")], "nina").status_code == 303


def test_trick_winner_from_two_phones_is_questioned(client: FlaskClient) -> None:
    """Two simultaneous taps may be about one trick or about two."""
    table = riparto(client, BID)
    forms = {player: table.form("trick_taken", player) for player in ("leo", "nina")}
    assert table.post(forms["leo"], [("with", '{"player":"leo"}')], "leo").status_code == 303
    for other in ("leo", "nina"):
        chosen = [("with", f'{{"player":"{other}"}}')]
        assert is_questioned(table.post(forms["nina"], chosen, "nina"))


def test_irregular_entry_is_questioned_again_after_other_entries(client: FlaskClient) -> None:
    table = complete(client)
    form = table.form("hand_confirmed", "leo")
    table.record(NOTE)
    chosen = [("with", '{"player":"leo"}'), ("as_played", "1")]
    assert is_questioned(table.post(form, chosen, "leo"))


# ----------------------------------------------------------------------------- cards in turn

REGINA: Final = ("mara", "leo", "zoe", "ben")
TRICK: Final = (("leo", "AS"), ("zoe", "3S"), ("ben", "2S"), ("mara", "4S"))


@pytest.fixture
def cards(client: FlaskClient) -> Tapped:
    """Four phones at a hand recorded card by card; Leo leads."""
    table = Tapped.open(
        client, " ".join(REGINA),
        event("match_started", game="briscola_regina", seats=list(REGINA)),
        event("hand_started", dealer="mara"),
    )  # fmt: skip
    table.level = "cards"
    return table


def play(table: Tapped, form: Form, who: str, card: str) -> TestResponse:
    return table.post(form, [("with", f'{{"card":"{card}"}}')], who)


def test_phone_may_play_before_it_received_the_previous_card(cards: Tapped) -> None:
    """Its page shows the turn of the previous player, but the card is its own."""
    forms = {TRICK[0][0]: cards.form("card_played", TRICK[0][0])}
    for (who, card), (after, _) in zip(TRICK, (*TRICK[1:], ("", "")), strict=True):
        if after:
            forms[after] = cards.form("card_played", after)
        answer = play(cards, forms[who], who, card)
        assert answer.status_code == 303, page_of(answer).words
    played = [(raw["data"]["player"], raw["data"]["card"]) for raw in cards.events()[3:]]
    assert played == list(TRICK)


def test_same_card_from_two_phones_is_questioned(cards: Tapped) -> None:
    forms = {player: cards.form("card_played", player) for player in ("leo", "zoe")}
    assert play(cards, forms["leo"], "leo", "AS").status_code == 303
    answer = play(cards, forms["zoe"], "zoe", "AS")
    assert is_questioned(answer)
    assert "data-same" in notice(answer)


def test_card_out_of_turn_is_questioned(cards: Tapped) -> None:
    form = cards.form("card_played", "ben")
    assert play(cards, cards.form("card_played", "leo"), "leo", "AS").status_code == 303
    assert is_questioned(play(cards, form, "ben", "2S"))


def test_shared_phone_is_asked_for_the_player_of_a_card(cards: Tapped) -> None:
    form = cards.form("card_played")
    assert play(cards, cards.form("card_played", "leo"), "leo", "AS").status_code == 303
    assert is_questioned(play(cards, form, "host", "3S"))
