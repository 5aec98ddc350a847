"""What was hidden while a hand was played is asked for after it, and takes effect."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.asking import client_of
from tests.browser.hands import DICE, GAMES, played
from tests.evenings import Raw, event
from tests.web.tapping import Form, Tapped

HIDDEN = {
    "cards_laid_away": ("cards",), "monte_taken": ("cards",),
    "cards_exchanged": ("discarded", "drawn"), "set_distributed": ("kept", "given"),
}  # fmt: skip


@pytest.fixture(scope="module")
def visited() -> FlaskClient:
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


def hand(game: str) -> list[Raw]:
    """A hand with all its cards, as it went."""
    return played(game, DICE[game]).records["cards"]


def bare(one: Raw) -> Raw:
    """An event as it is recorded while nobody may see the rest of it."""
    hidden = HIDDEN.get(one["type"], ())
    return {**one, "data": {key: it for key, it in one["data"].items() if key not in hidden}}


def told(visited: FlaskClient, game: str, *without: str) -> Tapped:
    """A table after that hand, whose hidden cards nobody has said."""
    start = event("match_started", game=game, seats=GAMES[game].split())
    table = Tapped.open(visited, GAMES[game], start)
    table.record(*(bare(one) for one in hand(game) if one["type"] not in without), as_played=True)
    table.level = "cards"
    assert status(table) == "complete"
    return table


def status(table: Tapped) -> Any:
    return table.report()["matches"][0]["hands"][0]["status"]


def codes(table: Tapped) -> set[str]:
    return {one["code"] for one in table.report()["findings"] if one["severity"] == "error"}


def late(table: Tapped, kind: str, of: str = "", who: str = "host") -> list[Form]:
    """The forms of such an event; of corrections those of one type."""
    return [
        one for one in table.forms(who=who)
        if one.type == kind and (not of or one.fixed().get("type") == of)
        and "dealer" not in dict(one.hidden())  # which is for the next hand
    ]  # fmt: skip


def cards(form: Form) -> set[str]:
    return {code for one in form.picks() for code in one.says["cards"]}


@pytest.mark.parametrize("without", [(), ("cards_laid_away",)])
@pytest.mark.parametrize("game", ["knock", "briscola_col_monte"])
def test_cards_laid_away(visited: FlaskClient, game: str, without: tuple[str, ...]) -> None:
    table = told(visited, game, *without)
    said = next(one["data"] for one in hand(game) if one["type"] == "cards_laid_away")
    (form,) = late(table, "cards_laid_away", who=said["player"])
    assert cards(form) == set(said["cards"])  # what is missing from the tricks
    chosen = [(one.name, one.value) for one in form.picks()]
    assert table.post(form, chosen, who=said["player"]).status_code == 303
    recorded = table.events()[-1]["data"]
    assert (recorded["player"], set(recorded["cards"])) == (said["player"], set(said["cards"]))
    assert late(table, "cards_laid_away") == []
    assert (status(table), codes(table)) == ("complete", set())


def test_cards_thrown_away_are_added_by_the_host(visited: FlaskClient) -> None:
    table = told(visited, "picchetto")
    said = next(one["data"] for one in hand("picchetto") if "discarded" in one["data"])
    forms = late(table, "event_replaced", "cards_exchanged")
    (form,) = (one for one in forms if one.fixed()["data"]["player"] == said["player"])
    chosen = [(one.name, one.value) for one in form.picks()
              if one.says["data"]["discarded"] == said["discarded"]]  # fmt: skip
    assert table.post(form, chosen).status_code == 303
    recorded = table.events()[-1]["data"]
    assert recorded["data"]["discarded"] == said["discarded"]
    assert codes(table) == set()
    left = late(table, "event_replaced", "cards_exchanged")
    assert [one.fixed()["data"]["player"] for one in left] != [
        one.fixed()["data"]["player"] for one in forms
    ]


def test_an_insieme_is_added_by_the_host(visited: FlaskClient) -> None:
    table = told(visited, "riparto")
    said = next(one["data"] for one in hand("riparto") if one["type"] == "set_distributed")
    form = late(table, "event_replaced", "set_distributed")[0]
    wanted = [{"kept": said["kept"]}, *({"given": {k: v}} for k, v in said["given"].items())]
    chosen = [(one.name, one.value) for one in form.picks() if one.says["data"] in wanted]
    assert len(chosen) == len(wanted)
    assert table.post(form, chosen).status_code == 303
    recorded = table.events()[-1]["data"]["data"]
    assert (recorded["kept"], recorded["given"]) == (said["kept"], said["given"])
    assert codes(table) == set()


@pytest.mark.parametrize("game", ["picchetto", "riparto"])
def test_nobody_but_the_host_changes_an_event(visited: FlaskClient, game: str) -> None:
    assert late(told(visited, game), "event_replaced", who=GAMES[game].split()[0]) == []


def test_too_many_cards_are_refused_and_stay_chosen(visited: FlaskClient) -> None:
    table = told(visited, "picchetto")
    form = late(table, "event_replaced", "cards_exchanged")[0]
    name = form.picks()[0].name
    twice = json.dumps({"data": {"discarded": ["AS", "AS"]}, "reason": "told after the hand"})
    assert table.post(form, [(name, twice)]).status_code == 422


def test_nothing_is_asked_while_the_hand_is_played(visited: FlaskClient) -> None:
    table = told(visited, "picchetto")
    table.record(event("hand_started", dealer="leo"), as_played=True)
    assert late(table, "event_replaced") == []


def test_nothing_is_asked_of_a_hand_of_which_the_totals_are_known(visited: FlaskClient) -> None:
    start = event("match_started", game="knock", seats=GAMES["knock"].split())
    count = event("points_counted", points={"A": 60, "B": 40})
    table = Tapped.open(visited, GAMES["knock"], start, event("hand_started", dealer="mara"), count)
    table.level = "cards"
    assert late(table, "cards_laid_away") == []
