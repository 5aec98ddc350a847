"""The number of taps for a hand with all its cards, counted on the forms of its pages."""

from typing import Final

import pytest
from flask.testing import FlaskClient

from tests.api.asking import client_of
from tests.browser.hands import DICE, GAMES, played, recorded_events, truth
from tests.evenings import Raw, event
from tests.samples import SAMPLES
from tests.thinned import thinned
from tests.web.tapping import Form, Tapped
from tests.web.test_entry_walk import composed
from tests.web.test_table import dealt

WHO: Final = "with:player"
DUE: Final = '{"player":"*"}'


@pytest.fixture(scope="module")
def visited() -> FlaskClient:
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


def form_for(table: Tapped, raw: Raw) -> Form:
    """Return the form on the page that records an event."""
    return next(
        form for form in table.forms()
        if form.type == raw["type"]
        and form.fixed().get("category") == raw["data"].get("category")
    )  # fmt: skip


def taps_of(form: Form, chosen: list[tuple[str, str]]) -> int:
    """Return the taps that choose these values and send them, including those that open sections.

    A preselected value needs no tap; a typed number needs one for every digit.
    """
    done = {(control.name, control.value) for control in form.controls if control.checked}
    known = {(control.name, control.value): control for control in form.controls}
    typed = {text.name for text in form.texts()}
    needed = [control for control in chosen if control not in done]
    used = [known[control] for control in needed if control in known]
    digits = [len(value) for name, value in needed if (name, value) not in known and name in typed]
    assert len(used) + len(digits) == len(needed)
    sent = form.auto or any(control.kind == "submit" for control in used)
    save = [control for control in form.controls if control.kind == "submit" and not control.name]
    opened = max(
        [control.folded for control in used] + [control.folded for control in save if not needed],
        default=0,
    )
    return len(used) + sum(digits) + opened + (0 if sent and needed else 1)


@pytest.mark.parametrize("game", thinned(GAMES, 2))
def test_a_hand_with_all_its_cards_takes_no_more_taps_than_it_may(
    visited: FlaskClient, game: str
) -> None:
    """Nobody has to choose the player of a card: it is recorded for the player who is due."""
    seats = GAMES[game].split()
    dealer = event("hand_started", dealer=played(game, DICE[game]).dealer)
    table = Tapped.open(
        visited, GAMES[game], event("match_started", game=game, seats=seats), dealer
    )
    table.level = "cards"
    taps, recorded = 0, []
    for raw in recorded_events(game, "cards", DICE[game]):
        form = form_for(table, raw)
        chosen = composed(form, raw["data"])
        taps += taps_of(form, chosen)
        if raw["type"] == "card_played":
            chosen = [*(pair for pair in chosen if pair[0] != WHO), (WHO, DUE)]
        answer = table.post(form, [*chosen, ("as_played", "1")])
        assert answer.status_code == 303, answer.text
        recorded.append({**form.fixed(), **raw["data"]})
    assert [shown["data"] for shown in table.events()[-len(recorded) :]] == recorded
    hand = table.report()["matches"][0]["hands"][0]
    assert hand["status"] == "complete"
    assert hand["scores"] == truth(game, DICE[game])
    assert taps <= SAMPLES[game].most_taps["cards"]


BRIS: Final = {"player": "leo", "suit": "C"}


def test_a_bris_is_one_tap_on_its_opened_question(visited: FlaskClient) -> None:
    table = dealt(visited, "briscola_regina", event("trick_taken", player="leo"))
    form = table.form("bris_called")
    chosen = composed(form, BRIS)
    assert taps_of(form, chosen) == 2
    assert table.post(form, chosen).status_code == 303
    assert table.events()[-1]["data"] == BRIS


def test_rows_of_a_bris_begin_with_the_viewers(visited: FlaskClient) -> None:
    table = dealt(visited, "briscola_regina", event("trick_taken", player="leo"))
    form = table.form("bris_called", who="nina")
    callers = [button.says["player"] for button in form.buttons()]
    assert list(dict.fromkeys(callers)) == ["nina", "ugo", "mara", "leo"]


def test_after_the_last_trick_the_count_is_asked_first(visited: FlaskClient) -> None:
    tricks = [event("trick_taken", player="mara")] * 10
    table = dealt(visited, "briscola_regina", *tricks)
    assert next(form.type for form in table.forms() if form.step) == "points_counted"


def test_own_exchange_is_asked_before_the_own_card(visited: FlaskClient) -> None:
    table = dealt(visited, "picchetto")
    table.level = "cards"
    asked = [form.type for form in table.forms(who="mara") if form.step]
    assert asked.index("cards_exchanged") < asked.index("card_played")


def test_a_card_after_the_last_of_a_hand_begins_the_next_with_whoever_leads_there(
    visited: FlaskClient,
) -> None:
    table = dealt(visited, "briscola_regina")
    form = form_for(table, event("trick_taken", player="mara"))
    table.record(event("points_counted", points={"A": 70}))
    card = [("type", "card_played"), ("with:card", '{"card":"AS"}'), (WHO, DUE), ("dealer", "*")]
    form.controls = [control for control in form.controls if control.name in ("fixed", "key")]
    version = ("version", str(len(table.events())))
    assert table.post(form, [*card, version]).status_code == 303
    dealt_by, played_by = (raw["data"] for raw in table.events()[-2:])
    assert dealt_by == {"dealer": "mara"}
    assert played_by == {"player": "leo", "card": "AS"}


@pytest.mark.parametrize("kind", ["trick_taken", "bris_called", "rest_claimed", "hand_confirmed"])
def test_player_must_be_chosen_if_none_is_due(visited: FlaskClient, kind: str) -> None:
    table = dealt(visited, "briscola_regina")
    form = form_for(table, event("trick_taken", player="mara"))
    form.controls = [control for control in form.controls if control.name != "type"]
    before = table.events()
    answer = table.post(form, [("type", kind), (WHO, DUE), ("with:suit", '{"suit":"S"}')])
    assert answer.status_code == 422
    assert table.events() == before
