"""The page of a table: its content in every state and role, and the effect of a tap.

Tests of ``web.entry.board``.
Also tests of ``web.entry.board_parts``.
"""

import gzip
import json
from itertools import product
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.play.prompts import LEVELS
from tests.api.asking import client_of
from tests.browser.hands import DICE, log_of
from tests.evenings import Raw, event
from tests.players.common import GAMES
from tests.thinned import thinned_rows
from tests.web.pages import Page, page_of
from tests.web.tapping import FRAGMENT, Forms, Tapped
from tests.web.test_entry_walk import PLAYERS

FOUR: Final = "mara leo nina ugo"
FIVE: Final = f"{FOUR} ada"
HEAVIEST: Final = 14 << 10  # bytes of a page, compressed
LYING: Final = '<span class="lying"><span class="card'


@pytest.fixture(scope="module")
def visited() -> FlaskClient:
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


def start(game: str, players: str, **options: Any) -> Raw:
    return event("match_started", game=game, seats=players.split(), options=options)


def dealt(visited: FlaskClient, game: str = "riparto", *events: Raw, **options: Any) -> Tapped:
    """Return a table at which a hand has begun, dealt by the last seat."""
    players = PLAYERS[game]
    dealer = event("hand_started", dealer=players.split()[-1])
    return Tapped.open(visited, players, start(game, players, **options), dealer, *events)


def bid(player: str, points: int) -> Raw:
    return event("bid_made", player=player, points=points)


def counted(**points: int) -> Raw:
    return event("points_counted", points=points)


MADE: Final = (bid("mara", 5), counted(mara=5, leo=4, nina=3))


def notice(answer: Any) -> str:
    """Return the notice of a response."""
    page = Page.of(answer.text)
    assert page.wrong == []
    return page.words


# ------------------------------------------------------------------------------------ states


def test_a_table_without_a_match_offers_the_host_a_game(visited: FlaskClient) -> None:
    table = Tapped.open(visited, "mara leo")
    page = table.page()
    assert "No match yet" in page.words
    form = table.form("match_started")
    games = [button.says["game"] for button in form.buttons()]
    assert games == ["briscola_regina", "picchetto"]
    assert table.post(form, [(form.buttons()[1].name, form.buttons()[1].value)]).status_code == 303
    assert table.report()["matches"][0]["game"] == "picchetto"


def test_seat_and_viewer_are_not_offered_a_game(visited: FlaskClient) -> None:
    table = Tapped.open(visited, "mara leo")
    assert [form.type for form in table.forms(who="leo")] == [""]  # undo alone
    assert "has not started a match" in table.page(who="leo").words


def test_match_begins_with_the_choice_of_the_dealer(visited: FlaskClient) -> None:
    table = Tapped.open(visited, FOUR, start("riparto", FOUR))
    assert "Who deals?" in table.page().words
    assert table.tap("hand_started", ("with:dealer", '{"dealer":"leo"}')).status_code == 303
    assert table.events()[-1]["data"] == {"dealer": "leo"}
    assert "Leo deals" in table.page().words


def test_open_hand_shows_declarations_and_the_current_trick(visited: FlaskClient) -> None:
    plays = [event("card_played", player=who, card=card)
             for who, card in (("mara", "AS"), ("leo", "KS"))]  # fmt: skip
    table = dealt(visited, "riparto", bid("mara", 5), *plays)
    table.level = "cards"
    page = table.page()
    assert "Mara’s contract: 5" in page.words
    assert "It is Nina’s turn" in page.words
    shown = [element["aria-label"] for element in page.all("span") if element.get("role") == "img"]
    assert {"ace of spades", "king of spades"} <= set(shown)
    assert {"AS", "KS"}.isdisjoint(
        str(button.value) for button in table.form("card_played").buttons()
    )


def test_a_complete_hand_shows_its_result_and_the_pad_of_the_next(visited: FlaskClient) -> None:
    table = dealt(visited, "riparto", *MADE)
    page = table.page()
    assert "declared 5, took 5" in page.words
    assert "Hand 2 · Mara deals" in page.words
    assert table.tap(
        "bid_made", ("with:player", '{"player":"leo"}'), ("with:points", '{"points":4}')
    ).status_code == 303  # fmt: skip
    assert [raw["type"] for raw in table.events()[-2:]] == ["hand_started", "bid_made"]
    assert table.events()[-2]["data"] == {"dealer": "mara"}


def test_after_an_abandoned_hand_the_dealer_is_chosen(visited: FlaskClient) -> None:
    table = dealt(visited, "riparto", event("hand_abandoned", reason="misdeal"))
    assert table.form("hand_started").buttons()
    assert "Who deals?" in table.page().words


def test_game_that_needs_it_asks_for_the_reason_of_a_void_hand(
    visited: FlaskClient,
) -> None:
    """One tap records both, and the page of the next hand shows what it pays."""
    options = {"next_double": ["weak_hand"], "redeal_max_points": 4}
    table = dealt(visited, "briscola_chiamata", **options)
    notice = {button.value for button in table.form("hand_abandoned").buttons()}
    weak = '{"reason":"a weak hand","kind":"weak_hand"}'
    assert {weak, '{"reason":"misdeal","kind":"misdeal"}'} <= notice
    assert not [line for line in notice if '"kind"' in str(line) and '"reason"' not in str(line)]
    player = ("with:player", '{"player":"mara"}')
    assert table.tap("hand_abandoned", ("with:reason", weak), player).status_code == 303
    assert table.events()[-1]["data"] == {
        "reason": "a weak hand", "player": "mara", "kind": "weak_hand"
    }  # fmt: skip
    dealer = table.events()[-2]["data"]["dealer"]
    table.tap("hand_started", ("with:dealer", f'{{"dealer":"{dealer}"}}'))
    assert "This hand pays 2 times as much" in table.page().words
    plain = dealt(visited, "briscola_chiamata")
    assert "kind" not in str([button.value for button in plain.form("hand_abandoned").buttons()])


def test_player_of_a_redeal_can_be_chosen_before_the_reason(
    visited: FlaskClient,
) -> None:
    options = {"next_double": ["weak_hand"], "redeal_max_points": 4}
    words = dealt(visited, "briscola_chiamata", **options).page().words
    asked = words.index("Who asked for it?")
    assert asked < words.index("Why?", asked) < words.index("A weak hand", asked)


@pytest.mark.parametrize("level", ["tricks", "totals"])
def test_highest_bid_comes_last_with_its_meaning(visited: FlaskClient, level: str) -> None:
    """At many tables the word alone means aces and threes."""
    table = dealt(visited, "briscola_chiamata", carichi="flat")
    assert "6 5 4 2 Carichi, no trumps" in table.page(f"?level={level}").words
    table = dealt(visited, "briscola_col_monte", carichi="points")
    assert "Carichi, no trumps" in table.page(f"?level={level}").words


def test_trump_is_requested_if_named_before_the_card(visited: FlaskClient) -> None:
    bids = [event("bid_made", player="leo", bid=95)]
    bids += [
        event("bid_made", player=player, bid="pass") for player in ("nina", "ugo", "ada", "mara")
    ]
    table = dealt(visited, "briscola_col_monte", *bids, call_time="suit_then_card")
    assert "The call" in table.page().words
    assert "Which card is called?" not in table.page().words
    assert "Trump swords" in table.page().words


def test_penalty_can_be_shared_in_games_without_partners(visited: FlaskClient) -> None:
    table = dealt(visited, "briscola_chiamata")
    shared = ("with:spread", '{"spread":"others"}')
    notice = [("with:side", '{"side":"mara"}'), ("n:points", "-4"), ("t:reason", "talked")]
    form = table.form("penalty_given")
    assert table.post(form, [*notice, shared]).status_code == 303
    assert sorted(table.report()["matches"][0]["totals"].values()) == [-4, 1, 1, 1, 1]
    notice[1] = ("n:points", "-6")
    refused = table.post(table.form("penalty_given"), [*notice, shared])
    assert "-6 points cannot be shared equally by 4 others" in Page.of(refused.text).words
    assert "spread" not in str(dealt(visited, "knock").form("penalty_given"))


def test_a_hand_that_contradicts_itself_says_so(visited: FlaskClient) -> None:
    table = dealt(visited, "riparto", bid("mara", 5))
    table.record(counted(mara=5, leo=4, nina=3, ugo=9), as_played=True)
    page = table.page()
    assert "This hand contradicts itself" in page.words
    links = {link["href"] for link in page.all("a")}
    assert {f"/t/{table.id}/audit", f"/t/{table.id}/d/1-1"} <= links


def test_the_end_of_a_match_names_the_winner_and_plays_again(visited: FlaskClient) -> None:
    table = dealt(visited, "riparto", *MADE, match_end={"hands": 1})
    assert "Mara wins" in table.page().words
    again = table.form("match_started")
    assert (
        table.post(again, [(button.name, button.value) for button in again.buttons()]).status_code
        == 303
    )
    matches = table.report()["matches"]
    assert [match["game"] for match in matches] == ["riparto", "riparto"]
    assert matches[1]["options"]["match_end"] == {"hands": 1}


def test_a_closed_session_offers_nothing_but_its_results(visited: FlaskClient) -> None:
    table = dealt(visited, "riparto", *MADE, event("session_closed"))
    assert "The evening is closed" in table.page().words
    assert "The evening is closed" in table.get(**FRAGMENT).text
    assert [form.type for form in table.forms()] == [""]


# ------------------------------------------------------------------------------------ weight


@pytest.mark.parametrize(
    ("game", "level", "view"), thinned_rows(product(GAMES, LEVELS, ["entry", "watch", "flat"]), 2)
)
def test_every_page_of_a_table_is_whole_and_light(
    visited: FlaskClient, game: str, level: str, view: str
) -> None:
    table = dealt(visited, game)
    table.level = level
    answer = table.get(f"?view={view}")
    page = Page.of(answer.text)
    assert page.wrong == []
    assert len(page.all("h1")) == 1
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert not any("style" in attrs or "onclick" in attrs for _, attrs in page.tags)
    assert len(gzip.compress(answer.data)) <= HEAVIEST


# ------------------------------------------------------------------------------------- roles


def test_viewer_sees_the_table_without_buttons(visited: FlaskClient) -> None:
    table = dealt(visited, "riparto", *MADE)
    page = table.page(who="view")
    assert "declared 5, took 5" in page.words
    assert Forms(table.get(who="view").text).forms == []
    form = table.form("bid_made")
    answer = table.post(form, [], who="view")
    assert answer.status_code == 403
    assert len(table.events()) == 5


def test_a_stranger_sees_nothing(visited: FlaskClient) -> None:
    table = dealt(visited)
    assert visited.get(f"/t/{table.id}").status_code == 401
    assert visited.post(f"/t/{table.id}/record").status_code in (401, 403)


def test_a_seat_accepts_for_itself_and_the_host_for_anybody(visited: FlaskClient) -> None:
    table = dealt(visited, "riparto", *MADE)
    mine = table.form("hand_confirmed", "leo").buttons()
    assert [button.says for button in mine] == [{"player": "leo"}]
    assert table.tap("hand_confirmed", (mine[0].name, mine[0].value), who="leo").status_code == 303
    left = table.form("hand_confirmed").buttons()
    assert [button.says["player"] for button in left] == ["mara", "nina", "ugo"]
    for button_ in left:
        form = table.form("hand_confirmed")
        assert table.post(form, [(button_.name, button_.value)]).status_code == 303
    hand = table.report()["matches"][0]["hands"][0]
    assert sorted(hand["confirmed"]) == sorted(FOUR.split())
    assert not any(form.type == "hand_confirmed" for form in table.forms())


def test_forbidden_event_of_a_seat_is_refused_with_a_message(visited: FlaskClient) -> None:
    table = dealt(visited, "riparto")
    form = table.form("penalty_given")
    chosen = [("with:side", '{"side":"leo"}'), ("n:points", "-3"), ("t:reason", "late")]
    answer = table.post(form, chosen, who="leo")
    assert answer.status_code == 403
    assert "That cannot be recorded" in notice(answer)
    assert table.post(form, chosen).status_code == 303
    assert table.report()["matches"][0]["totals"]["leo"] == -3


# ----------------------------------------------------------------------------- what a tap does


def test_irregular_event_is_questioned_one_time_and_recorded(
    visited: FlaskClient,
) -> None:
    table = dealt(visited, "briscola_chiamata", event("bid_made", player="mara", bid="K"))
    table.level = "cards"
    before = len(table.events())
    answer = table.tap("bid_made", ("with:bid", '{"bid":"3"}'))
    assert answer.status_code == 422
    assert "Record it as it happened?" in notice(answer)
    assert "not higher than" in notice(answer)
    assert len(table.events()) == before
    ask = next(form for form in Forms(answer.text).forms if "choices-row" in form.classes)
    played = table.post(ask, [(button.name, button.value) for button in ask.buttons()])
    assert played.status_code == 303
    assert table.events()[-1]["data"] == {"player": "leo", "bid": "3"}
    assert [finding["code"] for finding in table.report()["findings"]] == ["bad_bid"]


def test_slower_phone_sees_the_new_entries_and_sends_again(visited: FlaskClient) -> None:
    table = dealt(visited, "riparto", *MADE)
    form = table.form("bid_made")
    leo = [("with:player", '{"player":"leo"}'), ("with:points", '{"points":4}')]
    nina = [("with:player", '{"player":"nina"}'), ("with:points", '{"points":6}')]
    assert table.post(form, nina, who="nina").status_code == 303
    answer = table.post(form, leo)
    assert answer.status_code == 412
    assert "Nina: Nina bid 6" in notice(answer)
    again = next(form for form in Forms(answer.text).forms if "choices-row" in form.classes)
    assert table.post(again, []).status_code in (303, 422)  # a second bid may break a rule
    hands = table.report()["matches"][0]["hands"]
    assert [hand["status"] for hand in hands] == ["complete", "open"]


def test_a_slower_tap_that_began_the_hand_goes_on_with_it(visited: FlaskClient) -> None:
    table = Tapped.open(visited, PLAYERS["knock"], start("knock", PLAYERS["knock"]),
                        event("hand_started", dealer="ugo"),
                        event("points_counted", points={"A": 60}))  # fmt: skip
    form = table.form("trick_taken")
    assert table.post(form, [("with", '{"player":"mara"}')]).status_code == 303
    stale = table.post(form, [("with", '{"player":"leo"}')])
    assert stale.status_code == 412
    again = next(form for form in Forms(stale.text).forms if "choices-row" in form.classes)
    assert table.post(again, []).status_code == 303
    kinds = [raw["type"] for raw in table.events()]
    assert kinds.count("hand_started") == 2
    assert kinds[-2:] == ["trick_taken", "trick_taken"]


def test_repeated_tap_is_recorded_one_time(visited: FlaskClient) -> None:
    table = dealt(visited, "knock")
    form = table.form("trick_taken")
    for _ in range(2):
        answer = table.post(form, [("with", '{"player":"mara"}')])
        assert answer.status_code == 303
    assert [raw["type"] for raw in table.events()].count("trick_taken") == 1


def test_invalid_form_is_refused_and_keeps_its_values(visited: FlaskClient) -> None:
    table = dealt(visited, "knock")
    table.level = "totals"
    answer = table.tap("totals", ("0.n:points.A", "160"))
    assert answer.status_code == 422
    assert "That cannot be recorded" in notice(answer)
    typed = next(form for form in Forms(answer.text).forms if form.step == "totals").texts()
    assert [control.value for control in typed] == ["160", ""]


@pytest.mark.parametrize(
    ("entered", "words"),
    [
        ([], "Non hai ancora inserito niente."),
        ([("0.n:points.A", "160")], "Così fa già 160, e in tutto ce ne sono solo 100."),
        ([("0.n:points.A", "sei")], "Qui va un numero, non sei."),
    ],
)  # fmt: skip
def test_errors_at_the_table_are_worded_for_players(
    visited: FlaskClient, entered: list[tuple[str, str]], words: str
) -> None:
    table = dealt(visited, "knock")
    table.level = "totals"
    in_italian = {"Accept-Language": "it"}
    assert words in notice(table.post(table.form("totals"), entered, **in_italian))


def test_slower_phone_with_the_same_entry_can_drop_it(visited: FlaskClient) -> None:
    table = dealt(visited, "knock")
    form = table.form("trick_taken")
    table.record(event("trick_taken", player="mara"), who="leo")
    same = table.post(form, [("with", '{"player":"mara"}')])
    other = table.post(form, [("with", '{"player":"leo"}')])
    notice_ = "<b>Somebody else has just recorded the same.</b> Yours"
    assert (same.status_code, notice_ in same.text, notice_ in other.text) == (412, True, False)
    assert 'class="button">Send it again' in other.text
    assert 'class="button quiet">Send it again' in same.text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("with", "not json"), ("with", "[1]"), ("with", "[" * 2000), ("fixed", '"x"'),
        ("version", "x"), ("version", ""), ("key", "ü" * 3), ("type", ""), ("type", "no_such"),
        ("with", '{"player": {"a": {"b": 1}}}'), ("n:player", "7"), ("n:a.b.c.d.e.f", "7"),
        ("dealer", "nobody"), ("t:player", "\x00"), ("n:points", "9" * 30),
    ],
)  # fmt: skip
def test_a_damaged_form_is_refused_and_nothing_is_recorded(
    visited: FlaskClient, name: str, value: str
) -> None:
    table = dealt(visited, "knock")
    before = len(table.events())
    form = {"type": "trick_taken", "version": str(before), "key": "k", name: value}
    if name == "dealer":
        table.record(event("points_counted", points={"A": 60}))
        before += 1
        form["version"] = str(before)
    answer = visited.post(f"/t/{table.id}/record", data=form, headers=table.headers())
    assert answer.status_code in (412, 422)
    assert len(table.events()) == before


# -------------------------------------------------------------------------------------- undo


def undo(table: Tapped, who: str = "host") -> Any:
    form = next(form for form in table.forms(who=who) if form.classes == "undo")
    return table.post(form, [], who=who)


def test_undo_takes_back_ones_own_events_of_the_hand(visited: FlaskClient) -> None:
    table = dealt(visited, "knock")
    for player in ("mara", "leo"):
        table.tap("trick_taken", ("with", json.dumps({"player": player})))
    assert undo(table).status_code == 303
    assert undo(table).status_code == 303
    assert [correction["names"] for correction in table.report()["corrections"]] == [5, 4]
    assert undo(table).status_code == 303  # the deal
    assert undo(table).status_code == 422
    assert table.report()["matches"][0]["hands"] == []


def test_undo_that_is_sent_again_gets_the_first_answer(visited: FlaskClient) -> None:
    table = Tapped.open(visited, FOUR, start("knock", FOUR))
    table.record(event("hand_started", dealer="mara"))
    form = next(form for form in table.forms() if form.classes == "undo")
    first = table.post(form, [], **FRAGMENT)
    again = table.post(form, [], **FRAGMENT)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.headers["ETag"] == again.headers["ETag"]
    assert len(table.report()["corrections"]) == 1


def test_undo_does_not_reach_the_previous_hand(visited: FlaskClient) -> None:
    table = dealt(visited, "riparto", *MADE)
    table.tap("bid_made", ("with:player", '{"player":"leo"}'), ("with:points", '{"points":4}'),
              who="leo")  # fmt: skip
    assert undo(table, "leo").status_code == 303
    assert undo(table, "mara").status_code == 422


# -------------------------------------------------------------------------- with a script


def test_script_gets_only_the_changing_part(visited: FlaskClient) -> None:
    table = dealt(visited, "knock")
    form = table.form("trick_taken")
    answer = table.post(form, [("with", '{"player":"mara"}')], **FRAGMENT)
    assert answer.status_code == 200
    assert answer.text.lstrip().startswith('<div id="table"')
    page = Page.of(answer.text)
    assert page.wrong == []
    state = next(element for element in page.all("div") if element.get("id") == "table")
    assert state["data-version"] == "4"
    assert state["data-said"] == "Mara took trick 1."
    assert state["data-head"] == table.events()[-1]["hash"]
    assert table.get(**FRAGMENT).text.lstrip().startswith('<div id="table"')


def test_the_level_is_remembered_for_this_table(visited: FlaskClient) -> None:
    table = dealt(visited, "riparto")
    answer = table.get("?level=cards")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith(f"level-{table.id[:32]}=cards;")
    assert f"Path=/t/{table.id}" in cookie
    cookies = table.get("?level=nonsense").headers.getlist("Set-Cookie")
    assert not any(cookie.startswith("level-") for cookie in cookies)


def test_flat_on_the_table_every_seat_takes_a_trick(visited: FlaskClient) -> None:
    table = dealt(visited, "knock")
    form = next(form for form in table.forms("?view=flat") if "felt" in form.classes)
    assert [button.says["player"] for button in form.buttons()] == FOUR.split()
    answer = table.post(form, [(form.buttons()[2].name, form.buttons()[2].value)])
    assert answer.location.endswith("?view=flat")
    assert table.events()[-1]["data"] == {"player": "nina"}


@pytest.mark.parametrize("headers", [{}, FRAGMENT])
def test_log_is_fetched_only_when_opened(visited: FlaskClient, headers: dict[str, str]) -> None:
    """Its placeholder is the address to fetch it from, which is a page, too."""
    table = dealt(visited, "riparto", event("bid_made", player="mara", points=5))
    table.record(event("note_added", text="Coffee, black."))
    table.record(event("note_added", text="Water."))
    for view in ("", "?view=watch", "?view=flat"):
        shown = page_of(table.get(view, **headers))
        logs = [attrs for tag, attrs in shown.tags if tag == "details" and "data-from" in attrs]
        assert [log["data-from"] for log in logs] == [f"/t/{table.id}/log"]
        assert "Coffee, black." not in shown.words
    answer = table.get("/log", **headers)
    assert "Coffee, black." in answer.text
    assert ("<!doctype" in answer.text) is (headers == {})
    table.record(event("note_added", text="Tea, green."))
    assert "Tea, green." in table.get("/log", **headers).text


# ------------------------------------------------------------------------------------ secrecy


def test_cards_laid_away_are_shown_only_after_the_hand(visited: FlaskClient) -> None:
    laid = event("cards_laid_away", player="ugo", cards=["9S", "9C"])
    table = dealt(visited, "knock", laid)
    table.level = "cards"
    hidden = table.page("/log")
    assert "Ugo laid away cards" in hidden.words
    assert "9 of swords" not in hidden.words
    offered = {button.value for button in table.form("card_played").buttons()}
    assert {'{"card":"9S"}', '{"card":"9C"}'} <= offered
    table.record(event("points_counted", points={"A": 60}))
    assert "Ugo laid away 9 of swords, 9 of cups" in table.page("/log").words


def test_forms_request_no_hidden_facts_during_the_hand(visited: FlaskClient) -> None:
    table = dealt(visited, "picchetto")
    table.level = "cards"
    names = {control.name for form in table.forms() for control in form.controls}
    assert not any("discarded" in name or "drawn" in name for name in names)


def test_names_are_shown_as_text(visited: FlaskClient) -> None:
    hostile = '<b onclick="x">"\'&\N{RIGHT-TO-LEFT OVERRIDE}'
    body = {
        "title": hostile,
        "players": [{"id": "mara", "name": hostile}, {"id": "leo", "name": "🂡" * 60}],
    }
    opened = visited.post("/api/sessions", json=body).get_json()
    table = Tapped(visited, opened)
    table.record(start("picchetto", "mara leo"), event("hand_started", dealer="leo"))
    for level in LEVELS:
        table.level = level
        page = table.page()
        assert page.wrong == []
        assert not any("onclick" in attrs for _, attrs in page.tags)
        assert hostile in page.text


def test_pad_of_the_next_hand_shows_no_card_of_the_last_one(visited: FlaskClient) -> None:
    _, *events = log_of("briscola_regina", "cards", DICE["briscola_regina"])
    table = Tapped.open(visited, "mara leo zoe ben", *events[:-2])
    assert LYING in table.get("?level=cards").text
    table.record(*events[-2:])
    html = table.get("?level=cards").text
    assert 'class="next-hand"' in html
    assert 'data-step="card_played"' in html
    assert LYING not in html
