"""A walker that only follows prompts records sessions without findings: ``promises.walking``."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.games import GAMES as ALL
from scorekeeper.games.game import Game
from scorekeeper.log import codec
from scorekeeper.play.prompts import Level
from scorekeeper.play.rulebook import Preset
from scorekeeper.report.next_events import list_prompts
from tests.conftest import SOAK
from tests.evenings import build_report
from tests.players.common import GAMES, NAMES, event, seeded
from tests.players.walking import LEVELS, Walker, at_levels, walk, walk_at_changing_levels
from tests.thinned import thinned

WALKS = 1000 if SOAK else 2
STEPS = 150 if SOAK else 70  # at most, in a walk
RECORDED = 5 if SOAK else 2  # choices of each prompt
WALKED = [*(pytest.param(level, marks=pytest.mark.soak) for level in LEVELS), None]


@pytest.mark.parametrize("level", WALKED)
@pytest.mark.parametrize("game", thinned(GAMES, 2))
@settings(max_examples=WALKS)
@given(seed=st.integers(0, 2**32))
def test_walk_breaks_no_rule(game: str, level: Level | None, seed: int) -> None:
    walker = walk(seeded(seed), game, level, STEPS)
    assert walker.complaints() == []


@pytest.mark.parametrize("game", thinned(GAMES, 2))
@settings(max_examples=WALKS)
@given(seed=st.integers(0, 2**32))
def test_walk_with_many_undone_steps_breaks_no_rule(game: str, seed: int) -> None:
    rng = seeded(seed)
    walker = walk(rng, game, rng.choice([*LEVELS, None]), STEPS * 2 // 3, undone=0.2)
    assert walker.complaints() == []


@pytest.mark.parametrize("game", thinned(GAMES, 2))
@settings(max_examples=WALKS)
@given(seed=st.integers(0, 2**32))
def test_walk_at_changing_levels_breaks_no_rule(game: str, seed: int) -> None:
    walker = walk_at_changing_levels(seeded(seed), game, STEPS * 2 // 3)
    assert walker.complaints() == []


@pytest.mark.parametrize(("game", "level"), list(at_levels(1)))
def test_walk_completes_hands(game: str, level: Level) -> None:
    walkers = [walk(seeded(seed), game, level, steps=150) for seed in range(3 if SOAK else 2)]
    assert [walker.complaints() for walker in walkers] == [[]] * len(walkers)
    hands = [hand for walker in walkers for hand in hands_of(walker)]
    complete = [hand for hand in hands if hand["status"] == "complete"]
    assert len(complete) > len(hands) / 2
    assert level in {hand["level"] for hand in complete}


HOUSES = [(game, house) for game in ALL.values() for house in game.houses]


@pytest.mark.parametrize(
    ("game", "house", "level"),
    [
        pytest.param(
            game, house, level, id=f"{house.name}-{level}",
            marks=[] if place % len(LEVELS) == number else [pytest.mark.soak],
        )
        for place, (game, house) in enumerate(HOUSES)
        for number, level in enumerate(LEVELS)
    ],
)  # fmt: skip
def test_preset_is_played_by_prompts_without_findings(
    game: Game, house: Preset, level: Level
) -> None:
    seats = sorted(NAMES)[: game.seats[0]]
    players = [{"id": seat, "name": NAMES[seat]} for seat in seats]
    walker = Walker(seeded(7), [
        event("session_opened", title="Friday", players=players),
        event("match_started", game=game.id, seats=seats, options={**house.options}),
    ])  # fmt: skip
    for _ in range(120 if SOAK else 80):
        walker.step(level)
    assert walker.complaints() == []
    assert "complete" in {hand["status"] for hand in hands_of(walker)}


def hands_of(walker: Walker) -> list[dict[str, Any]]:
    return [hand for match in build_report(walker.session)["matches"] for hand in match["hands"]]


@pytest.mark.parametrize("game", thinned(GAMES, 2))
@settings(max_examples=WALKS)
@given(seed=st.integers(0, 2**32))
def test_every_choice_can_be_recorded_unchanged(game: str, seed: int) -> None:
    rng = seeded(seed)
    level = rng.choice([*LEVELS, None])
    walker = walk(rng, game, level, steps=rng.randrange(100))
    for prompt in list_prompts(walker.session):
        for choice in rng.sample(prompt.choices, min(RECORDED, len(prompt.choices))):
            again = Walker(rng, walker.log)
            again.record(event(prompt.type, **codec.encode(choice)))
            assert again.complaints() == []
