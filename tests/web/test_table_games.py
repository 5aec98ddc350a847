"""Game-specific content on the page of a table."""

import json
from typing import Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.games import GAMES
from scorekeeper.languages.money import MINUS
from scorekeeper.play.match import goal_of
from scorekeeper.play.prompts import LEVELS
from tests.api.asking import Table, client_of
from tests.evenings import Raw, event
from tests.web.looking import look
from tests.web.tapping import Form, Tapped
from tests.web.test_table import dealt


@pytest.fixture(scope="module")
def visited() -> FlaskClient:
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


def offered(form: Form, field: str) -> list[str]:
    """Return the values that a form offers for a field."""
    choices = [
        json.loads(control.value) for control in form.controls if control.value.startswith("{")
    ]
    return [choice[field] for choice in choices if field in choice]


# ---------------------------------------------------------------------------- Briscola Regina


def bris(player: str, suit: str) -> Raw:
    return event("bris_called", player=player, suit=suit)


@pytest.mark.parametrize("level", LEVELS)
def test_a_suit_that_was_called_is_not_offered_for_bris(visited: FlaskClient, level: str) -> None:
    table = dealt(visited, "briscola_regina")
    table.level = level
    table.record(bris("mara", "C"))
    assert sorted(set(offered(table.form("bris_called"), "suit"))) == ["B", "D", "S"]
    table.record(bris("leo", "S"))
    assert sorted(set(offered(table.form("bris_called"), "suit"))) == ["B", "D"]


def test_no_card_but_the_fool_itself_pays_for_the_fool(visited: FlaskClient) -> None:
    """Neither on the pad, nor in its rare choices, nor at the desk."""
    won = [event("trick_taken", player=player) for player in ["mara"] * 12 + ["leo"]]
    table = dealt(visited, "knock", *won)
    cards = offered(table.form("fool_paid"), "card")
    assert {"KS", "T1"} <= set(cards)
    assert "FOOL" not in cards
    table.record(event("points_counted", points={"A": 70}))
    page = table.page("/d/1-1/e/16?insert=fool_paid")
    values = [attrs.get("value", "") for tag, attrs in page.tags if tag == "option"]
    assert "KS" in values
    assert "FOOL" not in values


def suits_at_the_desk(table: Tapped, entry: str) -> list[str]:
    """Return the suits of Bris that the dispute desk offers for an entry."""
    page = table.page(f"/d/1-1/e/{entry}")
    values = [attrs.get("value", "") for tag, attrs in page.tags if tag == "option"]
    return sorted(value for value in values if len(value) == 1)


def test_the_desk_offers_for_bris_the_suits_of_the_pack_that_were_not_called(
    visited: FlaskClient,
) -> None:
    count = event("points_counted", points={"A": 70})
    calls = bris("mara", "H"), bris("leo", "S")
    table = dealt(visited, "briscola_regina", *calls, count, pack="french")
    assert suits_at_the_desk(table, "3?insert=bris_called") == ["C", "D"]
    assert suits_at_the_desk(table, "4") == ["C", "D", "H"]


# ------------------------------------------------------------------------- what is played to


@pytest.mark.parametrize(
    ("game", "options", "target"),
    [
        ("briscola_regina", {}, "Briscola Regina · Hand 1 · Ugo deals first to win 2 hands"),
        ("briscola_regina", {"match": {"points": 200}}, "Ugo deals to 200 points"),
        ("briscola_regina", {"match": "open"}, "Briscola Regina · Hand 1 · Ugo deals"),
        ("riparto", {"match_end": {"target": 21}}, "Ugo deals to 21 points"),
        ("knock", {}, "Knock! · Hand 1 of 4 · Ugo deals"),
    ],
)
def test_header_names_the_target(
    visited: FlaskClient, game: str, options: Raw, target: str
) -> None:
    assert target in dealt(visited, game, **options).page().words


@pytest.mark.parametrize(
    ("lang", "words"), [("en", f"to {MINUS}21 points"), ("fr", f"en {MINUS}21 points")]
)
def test_where_points_are_lost_it_says_so(
    visited: FlaskClient, monkeypatch: pytest.MonkeyPatch, lang: str, words: str
) -> None:
    monkeypatch.setitem(GAMES["riparto"].__dict__, "goal", goal_of("match_end", lost=True))
    table = Table.open(visited, "mara leo zoe")
    options = {"match_end": {"target": 21}}
    table.do(event("match_started", game="riparto", seats=["mara", "leo", "zoe"], options=options))
    assert words in look(table, "", prefs=f"lang={lang}").text


# ------------------------------------------------------------------------------------- Knock!


def test_after_the_last_trick_the_count_comes_first_and_the_fool_is_opened(
    visited: FlaskClient,
) -> None:
    table = dealt(visited, "knock", *[event("trick_taken", player="mara")] * 12,
                  event("trick_taken", player="leo"))  # fmt: skip
    forms = [form for form in table.forms() if form.type]
    assert forms[0].type == "points_counted"
    assert all(
        control.folded for control in table.form("fool_paid").controls if control.kind == "submit"
    )


# ------------------------------------------------------------------------------ who has won


@pytest.mark.parametrize(
    ("language", "winner", "two"),
    [
        ("en", "Mara wins", "Mara & Nina win"),
        ("it", "Vince Mara", "Vincono Mara & Nina"),
        ("fr", "Mara gagne", "Mara & Nina gagnent"),
    ],
)
def test_who_wins_is_one_or_several(
    visited: FlaskClient, language: str, winner: str, two: str
) -> None:
    count = event("points_counted", points={"mara": 5, "leo": 4, "nina": 3})
    alone = dealt(visited, "riparto", event("bid_made", player="mara", points=5), count,
                  match_end={"hands": 1})  # fmt: skip
    partners = dealt(visited, "briscola_regina", event("points_counted", points={"A": 70}),
                     match={"points": 60})  # fmt: skip
    assert heading(alone, language) == winner
    assert heading(partners, language) == two


def heading(table: Tapped, language: str) -> str:
    """Return the text at the end of a match."""
    words = table.client.get(
        f"/t/{table.id}", headers={**table.headers(), "Accept-Language": language}
    ).text
    inside = words.split('class="card-box over"><h2>')[1].split("</h2>")[0]
    return inside.replace("<bdi>", "").replace("</bdi>", "").replace("&amp;", "&").strip()


# --------------------------------------------------------------------- bids by the house rules


@pytest.mark.parametrize(
    ("game", "options", "ranks", "numbers"),
    [
        ("briscola_chiamata", {}, "A3KNJ76542", "62–120"),
        ("briscola_chiamata", {"ladder": "points", "max_bid": 115}, "", "61–115"),
        ("briscola_chiamata", {"ladder": "two"}, "2", "61–120"),
        ("briscola_chiamata", {"ladder": "ranks"}, "A3KNJ76542", None),
        ("briscola_col_monte", {"min_bid": 70}, "", "70–120"),
    ],
)
def test_the_bids_on_the_page_are_those_of_the_table(
    visited: FlaskClient, game: str, options: dict[str, object], ranks: str, numbers: str | None
) -> None:
    table = dealt(visited, game, **options)
    table.level = "totals"
    form = table.form("totals")
    offer = [prompt for prompt in offered(form, "bid") if prompt != "pass"]
    assert "".join(offer) == ranks
    page = table.page("")
    typed = [attrs["placeholder"] for tag, attrs in page.tags if "placeholder" in attrs]
    assert [value for value in typed if value.endswith(("120", "115")) and value[0] != "0"] == (
        [numbers] if numbers else []
    )


# --------------------------------------------------------------------------------- Picchetto


def test_count_of_the_hand_includes_declarations_without_points(
    visited: FlaskClient,
) -> None:
    point = event("declared", player="mara", category="point", value=51)
    good = event("answered", player="leo", category="point", answer="good")
    sequence = event("declared", player="mara", category="sequence", length=4, high="K")
    lower = event("answered", player="leo", category="sequence", answer="not_good")
    table = dealt(visited, "picchetto", point)
    assert "this hand Mara 0 Leo 0 Mara Point of 51: not answered yet" in table.page().words
    table.record(good, sequence, lower)
    for who in ("host", "mara", "leo", "view"):
        words = table.page(who=who).words
        assert "Mara 25 more for repique or pique" in words
        assert "+5 Mara Point of 51: 5 cards" in words
        assert "Mara Sequence of 4 to the king: not good" in words


GAMES_WON: Final = (
    (event("points_counted", points={"mara": 150, "leo": 20}), "mara"),
    (event("points_counted", points={"mara": 10, "leo": 160}), "leo"),
)


def test_return_game_and_final_are_named(visited: FlaskClient) -> None:
    table = dealt(visited, "picchetto")
    assert "Picchetto · Hand 1" in table.page().words
    for (count, dealer), now in zip(GAMES_WON, ("Return game", "Final"), strict=True):
        table.record(count, event("hand_started", dealer=dealer), as_played=True)
        assert f"Picchetto · {now} · Hand" in table.page().words


def test_the_results_show_each_game_by_itself_with_its_target(visited: FlaskClient) -> None:
    table = dealt(visited, "picchetto")
    for count, dealer in GAMES_WON:
        table.record(count, event("hand_started", dealer=dealer), as_played=True)
    page = table.page("/results")
    assert "1 Mara 1 game 1 Leo 1 game" in page.words
    assert len([element for element in page.all("line") if element.get("class") == "target"]) == 2
    for text in ("Game to 150", "Return game to 150", "target 150"):
        assert text in page.words
    assert len(page.all("polyline")) == 4


def test_units_stand_beside_the_standings(visited: FlaskClient) -> None:
    count = event("points_counted", points={"mara": 5, "leo": 4, "nina": 3})
    bid = event("bid_made", player="mara", points=5)
    words = dealt(visited, "riparto", bid, count).page("/results").words
    assert "1 Mara 5 points 2 Leo 0 points" in words
    won = dealt(visited, "briscola_regina", event("points_counted", points={"A": 70}))
    assert "Mara & Nina 1 hand 2 Leo & Ugo 0 hands" in won.page("/results").words


# ------------------------------------------------------------------------- Briscola col Monte


def test_pad_stays_unchanged_after_the_first_trick(visited: FlaskClient) -> None:
    """Else the next element would move under the thumb, and the next tap would be lost."""
    table = dealt(visited, "briscola_col_monte")
    leo = "leo"
    table.record(event("bid_made", player=leo, bid=70), event("card_called", player=leo, card="AS"),
                 as_played=True)  # fmt: skip

    def unfolded() -> list[str]:
        forms = [form for form in table.forms() if form.step]
        return [form.step for form in forms if any(not control.folded for control in form.controls)]

    before = unfolded()
    assert table.form("called_card_shown").controls[0].folded
    table.record(event("trick_taken", player=leo), as_played=True)
    assert unfolded() == before
