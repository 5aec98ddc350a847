"""Whole hands of Tressette on the pages, by somebody who taps on what they offer."""

from random import Random

import pytest
from flask.testing import FlaskClient

from scorekeeper.play.prompts import LEVELS
from tests.api.asking import Table, client_of
from tests.evenings import event
from tests.web import test_entry_walk as walk
from tests.web.tapping import Form

PLAYERS = "mara leo nina ugo"
Chosen = list[tuple[str, str]]


def few(form: Form, rng: Random) -> Chosen:
    """Something chosen in the groups of a form; of all that can be declared, two things at most."""
    chosen: Chosen = walk_choices(form, rng)
    blocks = sorted({name.partition(".")[0] for name, _ in chosen if name[0].isdigit()}, key=int)
    kept = {*rng.sample(blocks[:-1], min(rng.randrange(3), len(blocks[:-1]))), *blocks[-1:]}
    return [(name, value) for name, value in chosen
            if not name[0].isdigit() or name.partition(".")[0] in kept]  # fmt: skip


walk_choices = walk.choices


@pytest.fixture(scope="module")
def walking() -> FlaskClient:
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


@pytest.mark.parametrize("level", LEVELS)
def test_hands_by_tapping_end_without_a_fault(
    walking: FlaskClient, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walk, "choices", few)
    walk.test_hands_by_tapping_end_without_a_fault(walking, "tressette", level)


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
    said = event("same_rank_declared", player="leo", count=4, rank="A")
    answer = table.append(said)
    if declarations == "none":
        assert answer.status_code == 422, answer.text
        assert answer.get_json()["findings"][0]["rule"] == "T7"
        table.do(said, as_played=True)
    table.do(event("points_counted", points={"A": 5}))
    (hand,) = table.report()["matches"][0]["hands"]
    assert hand["scores"] == {"A": 5, "B": 6 if declarations == "none" else 10}
