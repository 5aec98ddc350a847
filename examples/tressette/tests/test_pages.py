"""Whole hands of Tressette on the pages, by taps on the forms that they offer."""

import json
from random import Random

import pytest
from flask.testing import FlaskClient
from markupsafe import escape
from scorekeeper_tressette.events import SameRankDeclared

from scorekeeper.base.language import speaking
from scorekeeper.events.fields import parts_of
from scorekeeper.events.playing import PLAY
from scorekeeper.events.sentences import label_of, noun_of
from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import LANGUAGES, get_language
from tests.api.asking import Table, client_of
from tests.evenings import Raw, event
from tests.web import test_entry_walk as walk
from tests.web.looking import forms, look
from tests.web.tapping import Form
from tests.web.test_dispute_page import DESK, dispute, done, entry_form, preview_of

PLAYERS = "mara leo nina ugo"
Chosen = list[tuple[str, str]]


def few(form: Form, rng: Random) -> Chosen:
    """Choose values in the groups of a form, with at most two declarations."""
    chosen: Chosen = walk_choices(form, rng)
    blocks = sorted({name.partition(".")[0] for name, _ in chosen if name[0].isdigit()}, key=int)
    kept = {*rng.sample(blocks[:-1], min(rng.randrange(3), len(blocks[:-1]))), *blocks[-1:]}
    return [(name, value) for name, value in chosen
            if not name[0].isdigit() or name.partition(".")[0] in kept]  # fmt: skip


walk_choices = walk.choices


@pytest.fixture(scope="module")
def walking() -> FlaskClient:
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


def test_hands_by_tapping_end_without_a_fault(
    walking: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walk, "choices", few)
    walk.tap_hands(walking, "tressette", "tricks", "mara leo nina ugo")


@pytest.mark.parametrize("declarations", ["first_trick", "none"])
def test_the_table_shows_a_declaration_and_what_it_scores(
    walking: FlaskClient, declarations: str
) -> None:
    table = Table.open(walking, PLAYERS)
    table.do(
        event(
            "match_started", game="tressette", seats=PLAYERS.split(),
            options={"declarations": declarations},
        ),
        event("hand_started", dealer="ugo"),
    )  # fmt: skip
    declaration = event("same_rank_declared", player="leo", count=4, rank="A")
    answer = table.append(declaration)
    if declarations == "none":
        assert answer.status_code == 422, answer.text
        assert answer.get_json()["findings"][0]["rule"] == "T7"
        table.do(declaration, as_played=True)
    table.do(event("points_counted", points={"A": 5}))
    (hand,) = table.report()["matches"][0]["hands"]
    assert hand["scores"] == {"A": 5, "B": 6 if declarations == "none" else 10}


# ---------------------------------------------------------------------------- the dispute desk


@pytest.fixture
def disputed(walking: FlaskClient) -> Table:
    """Return a table with a hand that Leo disputes, in which Leo declared three aces."""
    table = Table.open(walking, PLAYERS)
    table.do(
        event("match_started", game="tressette", seats=PLAYERS.split()),
        event("hand_started", dealer="ugo"),
        event("same_rank_declared", player="leo", count=3, rank="A", suit="S"),
        event("points_counted", points={"A": 5}),
    )
    dispute(table)
    return table


def scores(table: Table) -> dict[str, int]:
    scores_of_hand: dict[str, int] = table.report()["matches"][0]["hands"][0]["scores"]
    return scores_of_hand


def correct(table: Table, form: dict[str, str]) -> Raw:
    """Propose the correction in a form of the desk, let all players sign it, and return it."""
    proposal = forms(preview_of(table, form))["propose"]
    done(table, "propose", "leo", **{**proposal, "reason": "as we remember it"})
    for player in PLAYERS.split():
        done(table, "sign", player)
    (correction,) = json.loads(proposal["corrections"])
    return dict(correction["data"])


def test_declaration_can_be_replaced_at_the_desk(disputed: Table) -> None:
    form = entry_form(disputed, 4)
    assert (form["f.player"], form["f.count"], form["f.rank"], form["f.suit"]) == (
        "leo", "3", "A", "S",
    )  # fmt: skip
    assert scores(disputed) == {"A": 5, "B": 9}
    correction = correct(disputed, {**form, "f.count": "4", "f.suit": ""})
    assert correction["data"] == {"player": "leo", "count": 4, "rank": "A"}
    assert scores(disputed) == {"A": 5, "B": 10}


def test_missing_declaration_can_be_inserted_at_the_desk(disputed: Table) -> None:
    form = entry_form(disputed, 4, insert="napoletana_declared")
    correction = correct(disputed, {**form, "f.player": "ugo", "f.suit": "C"})
    assert correction["type"] == "napoletana_declared"
    assert scores(disputed) == {"A": 5, "B": 12}


@pytest.mark.parametrize("language", LANGUAGES)
def test_desk_has_the_words_of_the_game(disputed: Table, language: str) -> None:
    own_events = [kind for kind in GAMES["tressette"].events if kind not in PLAY]
    with speaking(get_language(language)):
        words = {noun_of(kind) for kind in own_events}
        words |= {label_of(part) for part in parts_of(SameRankDeclared) if not part.follows}
    page = look(disputed, f"{DESK}/e/4", prefs=f"lang={language}").text
    assert [word for word in words if f">{escape(word)}<" not in page] == []
