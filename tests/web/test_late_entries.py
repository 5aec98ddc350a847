"""Hidden facts of a hand are requested after it, and take effect."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.web.forms.widget import MAX_LIKELY_CARDS
from tests.api.asking import client_of
from tests.browser.hands import DICE, GAMES, played
from tests.evenings import Raw, event
from tests.samples import SAMPLES
from tests.web.pages import Page
from tests.web.tapping import FRAGMENT, Form, Tapped

HIDDEN = {
    "cards_laid_away": ("cards",), "monte_taken": ("cards",),
    "cards_exchanged": ("discarded", "drawn"), "set_distributed": ("kept", "given"),
}  # fmt: skip


@pytest.fixture(scope="module")
def visited() -> FlaskClient:
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


def hand(game: str) -> list[Raw]:
    """A hand with all its cards, as it was played."""
    return played(game, DICE[game]).records["cards"]


def without_hidden_data(raw: Raw) -> Raw:
    """Return an event without its hidden fields, as during the hand."""
    hidden = HIDDEN.get(raw["type"], ())
    return {**raw, "data": {key: value for key, value in raw["data"].items() if key not in hidden}}


def table_after(visited: FlaskClient, game: str, *without: str) -> Tapped:
    """A table after that hand, without its hidden cards."""
    start = event("match_started", game=game, seats=GAMES[game].split())
    table = Tapped.open(visited, GAMES[game], start)
    table.record(
        *(without_hidden_data(raw) for raw in hand(game) if raw["type"] not in without),
        as_played=True,
    )
    table.level = "cards"
    assert status(table) == "complete"
    return table


def status(table: Tapped) -> Any:
    return table.report()["matches"][0]["hands"][0]["status"]


def codes(table: Tapped) -> set[str]:
    return {
        finding["code"] for finding in table.report()["findings"] if finding["severity"] == "error"
    }


def late(table: Tapped, kind: str, of: str = "", who: str = "host") -> list[Form]:
    """Return the forms of such an event; of corrections those of one type."""
    return [
        form for form in table.forms(who=who)
        if form.type == kind and (not of or form.fixed().get("type") == of)
        and "dealer" not in dict(form.hidden())  # which is for the next hand
    ]  # fmt: skip


def cards(form: Form) -> set[str]:
    return {code for tap in form.picks() for code in tap.says["cards"]}


@pytest.mark.parametrize("without", [(), ("cards_laid_away",)])
@pytest.mark.parametrize("game", ["knock", "briscola_col_monte"])
def test_cards_laid_away(visited: FlaskClient, game: str, without: tuple[str, ...]) -> None:
    table = table_after(visited, game, *without)
    laid = next(raw["data"] for raw in hand(game) if raw["type"] == "cards_laid_away")
    (form,) = late(table, "cards_laid_away", who=laid["player"])
    assert cards(form) == set(laid["cards"])  # what is missing from the tricks
    chosen = [(tap.name, tap.value) for tap in form.picks()]
    assert table.post(form, chosen, who=laid["player"]).status_code == 303
    recorded = table.events()[-1]["data"]
    assert (recorded["player"], set(recorded["cards"])) == (laid["player"], set(laid["cards"]))
    assert late(table, "cards_laid_away") == []
    assert (status(table), codes(table)) == ("complete", set())


def test_cards_thrown_away_are_added_by_the_host(visited: FlaskClient) -> None:
    table = table_after(visited, "picchetto")
    exchange = next(raw["data"] for raw in hand("picchetto") if "discarded" in raw["data"])
    forms = late(table, "event_replaced", "cards_exchanged")
    (form,) = (form for form in forms if form.fixed()["data"]["player"] == exchange["player"])
    chosen = [(tap.name, tap.value) for tap in form.picks()
              if tap.says["data"]["discarded"] == exchange["discarded"]]  # fmt: skip
    assert table.post(form, chosen).status_code == 303
    recorded = table.events()[-1]["data"]
    assert recorded["data"]["discarded"] == exchange["discarded"]
    assert codes(table) == set()
    left = late(table, "event_replaced", "cards_exchanged")
    assert [form.fixed()["data"]["player"] for form in left] != [
        form.fixed()["data"]["player"] for form in forms
    ]


def test_an_insieme_is_added_by_the_host(visited: FlaskClient) -> None:
    table = table_after(visited, "riparto")
    distributed = next(raw["data"] for raw in hand("riparto") if raw["type"] == "set_distributed")
    form = late(table, "event_replaced", "set_distributed")[0]
    wanted = [
        {"kept": distributed["kept"]},
        *({"given": {k: v}} for k, v in distributed["given"].items()),
    ]
    chosen = [(tap.name, tap.value) for tap in form.picks() if tap.says["data"] in wanted]
    assert len(chosen) == len(wanted)
    assert table.post(form, chosen).status_code == 303
    recorded = table.events()[-1]["data"]["data"]
    assert (recorded["kept"], recorded["given"]) == (distributed["kept"], distributed["given"])
    assert codes(table) == set()


@pytest.mark.parametrize("game", ["picchetto", "riparto"])
def test_only_the_host_changes_an_event(visited: FlaskClient, game: str) -> None:
    assert late(table_after(visited, game), "event_replaced", who=GAMES[game].split()[0]) == []


def test_too_many_cards_are_refused_and_stay_chosen(visited: FlaskClient) -> None:
    table = table_after(visited, "picchetto")
    form = late(table, "event_replaced", "cards_exchanged")[0]
    name = form.picks()[0].name
    twice = json.dumps({"data": {"discarded": ["AS", "AS"]}, "reason": "told after the hand"})
    assert table.post(form, [(name, twice)]).status_code == 422


def test_hidden_facts_are_not_requested_during_the_hand(visited: FlaskClient) -> None:
    table = table_after(visited, "picchetto")
    table.record(event("hand_started", dealer="leo"), as_played=True)
    assert late(table, "event_replaced") == []


def test_hidden_facts_are_not_requested_for_a_hand_by_totals(visited: FlaskClient) -> None:
    start = event("match_started", game="knock", seats=GAMES["knock"].split())
    count = event("points_counted", points={"A": 60, "B": 40})
    table = Tapped.open(visited, GAMES["knock"], start, event("hand_started", dealer="mara"), count)
    table.level = "cards"
    assert late(table, "cards_laid_away") == []


# ------------------------------------------------------------------- beside the result


def test_late_forms_stand_beside_the_result(visited: FlaskClient) -> None:
    table = table_after(visited, "knock", "fool_paid")
    page = table.get().text
    (fool,), (away,) = late(table, "fool_paid"), late(table, "cards_laid_away")
    assert {control.folded for control in fool.controls if control.name == "with:side"} == {0}
    suits = [control.folded for control in fool.controls if control.name == "with:card"]
    assert suits.count(0) <= MAX_LIKELY_CARDS < len(suits), (
        "the likely ones; of others the suit first"
    )
    assert {control.folded for control in away.controls if control.name == "with:cards"} <= {1, 2}
    assert page.index('value="fool_paid"') < page.index('class="hand-on"')
    assert page.count('value="fool_paid"') == 1
    assert table.form("score_claimed").controls[0].folded > 1, "that is behind More"
    assert 'value="fool_paid"' not in table.get("?view=watch").text


# --------------------------------------------------------------------- nothing chosen


@pytest.mark.parametrize(
    ("game", "kind", "of"),
    [(game, *sample.late) for game, sample in SAMPLES.items() if sample.late],
)
def test_a_form_in_which_nothing_is_chosen_asks_for_the_cards(
    visited: FlaskClient, game: str, kind: str, of: str
) -> None:
    table = table_after(visited, game)
    before = table.events()
    answer = table.post(late(table, kind, of)[0], [])
    assert answer.status_code == 422
    assert "Choose the cards first" in Page.of(answer.text).words
    assert table.events() == before


def test_lay_away_without_cards_is_accepted_during_the_hand(visited: FlaskClient) -> None:
    seats = GAMES["knock"].split()
    table = Tapped.open(visited, GAMES["knock"], event("match_started", game="knock", seats=seats))
    table.record(event("hand_started", dealer="ben"))
    table.level = "cards"
    assert table.tap("cards_laid_away").status_code == 303
    assert table.events()[-1]["data"] == {"player": "ben"}


# --------------------------------------------------------------------- left out altogether


def exchanges() -> list[Raw]:
    """The exchanges of the hand, elder's first."""
    return [raw["data"] for raw in hand("picchetto") if raw["type"] == "cards_exchanged"]


def add(table: Tapped, exchange: Raw) -> Any:
    """Return the response to adding an exchange with its cards."""
    form = next(form for form in late(table, "event_inserted", "cards_exchanged")
                if form.fixed()["data"]["player"] == exchange["player"])  # fmt: skip
    thrown = exchange.get("discarded", ())
    data = [(tap, tap.says["data"]) for tap in (*form.picks(), *form.buttons())]
    chosen = [
        (tap.name, tap.value)
        for tap, says in data
        if says.get("count") == exchange["count"] or says.get("discarded", [""])[0] in thrown
    ]
    return table.post(form, chosen)


def test_host_adds_unrecorded_exchanges(visited: FlaskClient) -> None:
    table = table_after(visited, "picchetto", "cards_exchanged")
    scores = table.report()["matches"][0]["hands"][0]["scores"]
    for exchange in exchanges():  # elder's first, as at the table
        assert len(late(table, "event_inserted")) == 1
        assert add(table, exchange).status_code == 303
        inserted = table.events()[-1]["data"]["data"]
        assert bool(inserted.pop("salt", "")) is ("discarded" in inserted)
        assert {**inserted, "discarded": set(inserted.get("discarded", ()))} == {
            "player": exchange["player"],
            "count": exchange["count"],
            "discarded": set(exchange.get("discarded", ())),
        }
    assert late(table, "event_inserted") == []
    assert (status(table), codes(table)) == ("complete", set())
    assert table.report()["matches"][0]["hands"][0]["scores"] == scores


def picchetto(visited: FlaskClient, *without: Raw, first: tuple[Raw, ...] = ()) -> Tapped:
    """A table after that hand without these exchanges, which began with these events."""
    seats = GAMES["picchetto"].split()
    start = event("match_started", game="picchetto", seats=seats)
    table = Tapped.open(visited, GAMES["picchetto"], start)
    dealer, *rest = [
        without_hidden_data(raw) for raw in hand("picchetto") if raw["data"] not in without
    ]
    table.record(dealer, *first, *rest, as_played=True)
    table.level = "cards"
    return table


def test_elders_is_added_before_that_of_younger(visited: FlaskClient) -> None:
    elder, _ = exchanges()
    table = picchetto(visited, elder)
    assert add(table, elder).status_code == 303
    assert table.events()[-1]["data"]["after"] == 3  # the deal
    assert codes(table) == set()


@pytest.mark.parametrize(("whose", "after"), [(0, (4, 4)), (1, (3, 4))])
def test_a_white_is_declared_before_ones_own_exchange(
    visited: FlaskClient, whose: int, after: tuple[int, int]
) -> None:
    elder, younger = exchanges()
    white = event("white_declared", player=(elder, younger)[whose]["player"])
    table = picchetto(visited, elder, younger, first=(white,))
    (form,) = late(table, "event_inserted")
    assert form.fixed()["after"] == after[0]
    assert form.fixed()["data"] == {"player": elder["player"]}
    table = picchetto(visited, younger, first=(white,))
    (form,) = late(table, "event_inserted")
    exchange = next(raw["seq"] for raw in table.events() if raw["type"] == "cards_exchanged")
    assert form.fixed()["after"] == max(exchange, after[1])


def test_how_many_were_exchanged_is_enough(visited: FlaskClient) -> None:
    table = table_after(visited, "picchetto", "cards_exchanged")
    form = late(table, "event_inserted", "cards_exchanged")[0]
    three = next(button for button in form.buttons() if button.says["data"] == {"count": 3})
    assert table.post(form, [(three.name, three.value)]).status_code == 303
    assert table.events()[-1]["data"]["data"] == {"player": form.fixed()["data"]["player"],
                                                  "count": 3}  # fmt: skip


def test_exchange_of_too_many_cards_is_questioned(visited: FlaskClient) -> None:
    table = table_after(visited, "picchetto", "cards_exchanged")
    elder = exchanges()[0]["player"]
    form = next(form for form in late(table, "event_inserted", "cards_exchanged")
                if form.fixed()["data"]["player"] == elder)  # fmt: skip
    eight = next(button for button in form.buttons() if button.says["data"] == {"count": 8})
    answer = table.post(form, [(eight.name, eight.value)])
    assert answer.status_code == 422
    assert "may exchange 5 at most" in Page.of(answer.text).words


def test_only_the_host_adds_an_exchange(visited: FlaskClient) -> None:
    table = table_after(visited, "picchetto", "cards_exchanged")
    assert late(table, "event_inserted", who="leo") == []


def test_hand_without_cards_requests_no_exchange(visited: FlaskClient) -> None:
    seats = GAMES["picchetto"].split()
    winners = [event("trick_taken", player="mara")] * 12
    table = Tapped.open(visited, GAMES["picchetto"],
                        event("match_started", game="picchetto", seats=seats),
                        event("hand_started", dealer="leo"), *winners)  # fmt: skip
    assert status(table) == "complete"
    assert late(table, "event_inserted") == []


# --------------------------------------------------------------------- when the match is over


@pytest.mark.parametrize(
    ("game", "kind"), [(game, sample.late[0]) for game, sample in SAMPLES.items() if sample.late]
)
def test_hidden_facts_of_the_last_hand_are_requested_at_the_end(
    visited: FlaskClient, game: str, kind: str
) -> None:
    table = table_after(visited, game)
    table.record(event("match_ended"))
    assert 'data-state="over"' in table.get().text
    forms = [form for form in table.forms() if form.type == kind]
    assert forms
    assert not any(form.type in ("match_ended", "penalty_given") for form in table.forms())
    table.record(event("session_closed"))
    assert [form.type for form in table.forms()] == [""]


def test_after_the_end_it_takes_effect(visited: FlaskClient) -> None:
    table = table_after(visited, "knock", "cards_laid_away")
    table.record(event("match_ended"))
    laid = next(raw["data"] for raw in hand("knock") if raw["type"] == "cards_laid_away")
    (form,) = late(table, "cards_laid_away", who=laid["player"])
    chosen = [(tap.name, tap.value) for tap in form.picks()]
    assert table.post(form, chosen, who=laid["player"]).status_code == 303
    assert late(table, "cards_laid_away") == []
    assert (status(table), codes(table)) == ("complete", set())


def test_abandoned_hand_requests_no_hidden_facts(visited: FlaskClient) -> None:
    seats = GAMES["knock"].split()
    table = Tapped.open(visited, GAMES["knock"], event("match_started", game="knock", seats=seats))
    table.record(
        event("hand_started", dealer="ben"), event("card_played", player="mara", card="KS")
    )
    table.record(event("match_ended"), as_played=True)
    table.level = "cards"
    assert {form.type for form in table.forms()} <= {"", "match_started"}


def test_undo_strikes_the_added_event_and_no_card(visited: FlaskClient) -> None:
    table = picchetto(visited, exchanges()[1])
    (form,) = late(table, "event_inserted")
    three = form.buttons()[2]
    played = [raw for raw in table.events() if raw["type"] == "card_played"]
    for _ in range(2):
        assert table.post(form, [(three.name, three.value), ("as_played", "1")]).status_code == 303
        assert "exchanged 3" in table.page().words
        undo = next(form for form in table.forms() if form.classes == "undo")
        assert table.post(undo, []).status_code == 303
        assert table.events()[-1]["data"]["seq"] == table.events()[-2]["seq"]
        (form,) = late(table, "event_inserted")
    assert status(table) == "complete"
    assert [raw for raw in table.events() if raw["type"] == "card_played"] == played


def test_added_event_is_announced_as_a_sentence(visited: FlaskClient) -> None:
    table = picchetto(visited, exchanges()[1])
    (form,) = late(table, "event_inserted")
    three = form.buttons()[2]
    player = form.fixed()["data"]["player"].capitalize()
    chosen = [(three.name, three.value), ("as_played", "1")]
    announced = Page.of(table.post(form, chosen, **FRAGMENT).text).all("div")[0]["data-said"]
    assert announced.startswith(f"{player} exchanged 3. Hand 1: ")
    undo = next(form for form in table.forms() if form.classes == "undo")
    announced = Page.of(table.post(undo, [], **FRAGMENT).text).all("div")[0]["data-said"]
    assert announced.startswith("Taken back: A correction")
