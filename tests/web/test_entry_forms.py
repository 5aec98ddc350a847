"""Forms decoded as events, and the steps made from the prompts of a game.

Tests of ``web.forms.sent``, ``web.forms.scene``, ``web.forms.widget``, ``web.forms.widgets`` and
``web.entry.steps``.
"""

from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from scorekeeper.base.errors import UnusableError
from scorekeeper.events.event import Event
from scorekeeper.games import GAMES
from scorekeeper.games.picchetto.events import Answered, SequenceDeclared, SetDeclared
from scorekeeper.streams.requests import NewEvent
from scorekeeper.web.forms.scene import joint_label, joint_question
from scorekeeper.web.forms.sent import complete_order, decode_form
from scorekeeper.web.forms.widget import Chip, Slot
from tests.api.asking import Table
from tests.evenings import Raw, event
from tests.web.looking import everybodys, page
from tests.web.tapping import Tapped
from tests.web.test_entry_walk import PLAYERS
from tests.web.test_table import dealt, visited

__all__ = ["visited"]

BASE: Final = [("version", "7"), ("key", "k")]


def events_of(*fields: tuple[str, str]) -> list[Raw]:
    """Return the events of such a form."""
    events = decode_form(MultiDict([*BASE, *fields])).events
    return [{"type": event_.type, "data": event_.data} for event_ in events]


# -------------------------------------------------------------------------------------- forms


def test_fixed_and_chosen_data_make_one_event() -> None:
    fields = [("type", "shown"), ("fixed", '{"category":"sequence"}'),
              ("with:player", '{"player":"mara"}'),
              ("with", '{"length":3,"high":"K"}')]  # fmt: skip
    data = {"category": "sequence", "player": "mara", "length": 3, "high": "K"}
    assert events_of(*fields) == [{"type": "shown", "data": data}]


def test_lists_go_on_and_numbers_and_texts_have_their_place() -> None:
    fields = [("type", "x"), ("with:cards", '{"cards":["AS"]}'), ("with:cards", '{"cards":["KS"]}'),
              ("n:points.A", " 62 "), ("n:points.B", ""), ("t:reason", " a tie ")]  # fmt: skip
    data = {"cards": ["AS", "KS"], "points": {"A": 62}, "reason": "a tie"}
    assert events_of(*fields) == [{"type": "x", "data": data}]


@pytest.mark.parametrize(("typed", "number"), [("-5", -5), ("\N{MINUS SIGN}5", -5), ("007", 7)])
def test_numbers_as_people_type_them(typed: str, number: int) -> None:
    assert events_of(("type", "x"), ("n:points", typed))[0]["data"] == {"points": number}


def test_invalid_number_is_left_for_the_codec_to_reject() -> None:
    assert events_of(("type", "x"), ("n:points", "4.5"))[0]["data"] == {"points": "4.5"}


def test_one_form_records_several_events_and_leaves_out_what_was_not_chosen() -> None:
    fields = [("1.type", "bris_called"), ("0.type", "bid_made"), ("0.n:points", "4"),
              ("1.with:player", ""), ("2.type", "points_counted"),
              ("2.n:points.mara", "4")]  # fmt: skip
    assert [raw["type"] for raw in events_of(*fields)] == ["bid_made", "points_counted"]


def test_the_same_form_has_the_same_digest_at_any_version() -> None:
    fields = [("type", "trick_taken"), ("with", '{"player":"mara"}')]
    decoded = decode_form(MultiDict([("version", "7"), ("key", "a"), *fields]))
    other = decode_form(MultiDict([("version", "9"), ("key", "a"), *fields]))
    assert decoded.digest == other.digest
    assert decoded.digest != decode_form(MultiDict([*BASE, *fields, ("as_played", "1")])).digest


@pytest.mark.parametrize("bad", ["", "x", "-1", "1e3", "9" * 20])
def test_form_without_a_version_is_refused(bad: str) -> None:
    with pytest.raises(UnusableError):
        decode_form(MultiDict([("version", bad), ("type", "x")]))


def test_too_many_fields_are_refused() -> None:
    with pytest.raises(UnusableError):
        decode_form(MultiDict([*BASE, *((f"with:{n}", "{}") for n in range(1000))]))


@pytest.mark.parametrize(
    ("suits", "order"),
    [(["S", "H", "D"], ["S", "H", "D", "C"]), ([], []), (["S", "H"], ["S", "H"]),
     (["S", "S", "H"], ["S", "S", "H"])],
)  # fmt: skip
def test_last_item_of_an_order_is_filled_in(suits: list[str], order: list[str]) -> None:
    new = NewEvent("hierarchy_declared", {"player": "mara", "suits": suits})
    assert complete_order(new, GAMES["riparto"].by_type).data["suits"] == order


# -------------------------------------------------------------------------------------- steps


@pytest.mark.parametrize(
    ("declared", "data", "button"),
    [
        (SetDeclared, {"count": 3, "rank": "K"}, "3 × K"),
        (SequenceDeclared, {"length": 3, "high": "K"}, "3 to the K"),
        (SetDeclared, {"category": "set", "count": 3}, "Set · 3"),
        (Answered, {"category": "set", "answer": "not_good"}, "Set · Not good"),
    ],
)
def test_several_fields_stand_on_one_button(
    declared: type[Event], data: dict[str, Any], button: str
) -> None:
    assert joint_label(declared, data, None) == button


@pytest.mark.parametrize(
    ("declared", "names", "question"),
    [
        (SetDeclared, ("count", "rank"), "Which?"),
        (Answered, ("category", "answer"), "What · Answer"),
    ],
)
def test_several_fields_share_one_question(
    declared: type[Event], names: tuple[str, ...], question: str
) -> None:
    assert joint_question(declared, names) == question


def test_a_hierarchy_takes_three_taps_and_none_takes_one(visited: FlaskClient) -> None:
    for chosen, suits in (
        ([(f"with:suits{n}", f'{{"suits":["{suit}"]}}') for n, suit in enumerate("HSC")], "HSCD"),
        ([("with:suits", '{"suits":[]}')], ""),
    ):
        table = dealt(visited, "riparto", event("bid_made", player="mara", points=5))
        assert table.tap("hierarchy_declared", *chosen).status_code == 303
        assert table.events()[-1]["data"]["suits"] == list(suits)


def totals(table: Tapped, *chosen: tuple[str, str, str]) -> list[Raw]:
    """Return the events of the totals form, with these values of fields."""
    table.level = "totals"
    before = len(table.events())
    form = table.form("totals")
    place = {control.value: control.name.partition(".")[0] for control in reversed(form.controls)
             if control.name.endswith(".type")}  # fmt: skip
    answer = table.post(form, [(f"{place[kind]}.{name}", value) for kind, name, value in chosen])
    assert answer.status_code == 303, answer.text
    return [{raw["type"]: raw["data"]} for raw in table.events()[before:]]


def player(kind: str, player_id: str) -> tuple[str, str, str]:
    return kind, "with:player", f'{{"player":"{player_id}"}}'


def points(side: str, number: int) -> tuple[str, str, str]:
    return "points_counted", f"n:points.{side}", str(number)


def test_one_form_records_a_hand_of_riparto(visited: FlaskClient) -> None:
    table = dealt(visited, "riparto")
    bid = player("bid_made", "mara"), ("bid_made", "with:points", '{"points":5}')
    recorded = totals(table, *bid, points("mara", 5), points("leo", 4), points("nina", 3))
    assert recorded == [
        {"bid_made": {"player": "mara", "points": 5}},
        {"points_counted": {"points": {"mara": 5, "leo": 4, "nina": 3}}},
    ]
    assert table.report()["matches"][0]["hands"][0]["status"] == "complete"


def test_the_next_hand_begins_in_the_same_append(visited: FlaskClient) -> None:
    table = dealt(visited, "knock")
    totals(table, points("A", 62))
    recorded = totals(table, points("A", 48))
    assert recorded == [
        {"hand_started": {"dealer": "mara"}},
        {"points_counted": {"points": {"A": 48}}},
    ]


def test_a_bris_or_none_and_the_count_make_a_hand_of_regina(visited: FlaskClient) -> None:
    table = dealt(visited, "briscola_regina")
    assert totals(table, points("A", 65)) == [{"points_counted": {"points": {"A": 65}}}]
    suit = "bris_called", "with:suit", '{"suit":"C"}'
    recorded = totals(table, player("bris_called", "leo"), suit, points("A", 65))
    assert recorded[1:] == [
        {"bris_called": {"player": "leo", "suit": "C"}},
        {"points_counted": {"points": {"A": 65}}},
    ]


@pytest.mark.parametrize(
    ("game", "bid"),
    [("briscola_chiamata", ("with:bid", '{"bid":"3"}')), ("briscola_col_monte", ("n:bid", "65"))],
)
@pytest.mark.parametrize("value", ["true", "false"])
def test_a_contract_made_or_lost_is_a_hand(
    visited: FlaskClient, game: str, bid: tuple[str, str], value: str
) -> None:
    table = dealt(visited, game)
    recorded = totals(
        table,
        player("bid_made", "leo"),
        ("bid_made", *bid),
        player("partner_revealed", "nina"),
        ("outcome_recorded", "with:made", f'{{"made":{value}}}'),
    )
    kinds = [kind for part in recorded for kind in part]
    assert kinds == ["bid_made", "outcome_recorded", "partner_revealed"]
    assert table.report()["matches"][0]["hands"][0]["status"] == "complete"


@pytest.mark.parametrize("game", GAMES)
def test_the_totals_of_a_game_are_events_of_the_game(game: str) -> None:
    totals = GAMES[game].totals
    assert not callable(totals)
    asked = {declared for ask in totals for declared in ask.events}
    assert asked <= set(GAMES[game].events)
    assert PLAYERS[game]


def test_where_a_sweep_can_be_counted_no_more_tricks_are_than_a_hand_has() -> None:
    """The points of the same count go up to 120."""
    players = "mara leo nina ugo zoe"
    table = Table.open(everybodys(), players)
    table.do(
        event("match_started", game="briscola_chiamata", seats=players.split()),
        event("hand_started", dealer="mara"),
        event("bid_made", player="leo", bid=89),
        event("card_called", player="leo", card="2C"),
        *[event("trick_taken", player="zoe")] * 8,
        event("partner_revealed", player="leo"),
    )
    shown = page(table, "?level=tricks", "host").all("input")
    tricks = [control for control in shown if control.get("name") == "n:tricks.defenders"]
    points = [control for control in shown if control.get("name") == "n:points.defenders"]
    assert [control.get("data-high") for control in tricks] == ["8"]
    assert [control.get("data-high") for control in points] == ["120"]


@pytest.mark.parametrize(("label", "wide"), [("120", False), ("Garde contre", True)])
def test_chips_of_words_that_a_narrow_column_would_break_are_wider(label: str, wide: bool) -> None:
    assert Slot("bid", "chips", (Chip("", label),)).long == wide
