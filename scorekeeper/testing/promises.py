"""The promises that every game keeps, as tests.

A test file of a package asks for them by one line: ``from scorekeeper.testing.promises import *``.
:mod:`scorekeeper.testing.plugin` runs them for each of its games. The work of each is bounded: it
plays as many hands as ``--scorekeeper-hands`` says, with numbers of players and options at random.
"""

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from scorekeeper.games import GAMES
from scorekeeper.games.complaints import find_errors
from scorekeeper.games.game import Game
from scorekeeper.play.prompts import Level
from scorekeeper.promises.catalogues import find_catalogue_errors, languages_of
from scorekeeper.promises.first_hands import find_failures
from scorekeeper.promises.play import PROMISES, TrialHand, list_trials
from scorekeeper.testing.browser import find_errors_on_pages
from scorekeeper.testing.golden import find_golden_errors, find_unused
from scorekeeper.testing.near_misses import NearMiss, find_missed, find_near_miss_errors
from scorekeeper.testing.packages import IN_USE, GamePackage, GoldenLog
from scorekeeper.testing.simulated import find_errors_of_match

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = [
    "package",
    "test_catalogues_are_complete",
    "test_game_is_declared_without_errors",
    "test_golden_log_gives_its_expectation",
    "test_golden_logs_have_every_event_option_and_check",
    "test_hand_is_recorded_in_a_browser",
    "test_hands_are_told_and_add_up",
    "test_near_miss_is_none",
    "test_other_records_of_a_hand_score_the_same",
    "test_simulated_match_is_scored_as_played",
    "test_steps_leave_no_finding_and_no_trace",
]


@pytest.fixture(scope="module")
def package() -> GamePackage:
    """Return the package whose tests run."""
    assert IN_USE.package is not None
    return IN_USE.package


def find_game(game_id: str) -> Game:
    """Return a game of the package, whose values are checked; fail if it was refused."""
    assert game_id in GAMES, GAMES.why_missing(game_id)
    return GAMES[game_id]


def choose_trials(game_id: str, level: Level, hands: int) -> list[TrialHand]:
    """Return so many trials at a level: the defaults, and others at random."""
    trials = [trial for trial in list_trials(find_game(game_id), [0]) if trial.level == level]
    random = Random(f"{game_id} {level}")  # noqa: S311  # no secret
    others = [random.choice(trials)._replace(seed=seed) for seed in range(1, hands)]
    return [trials[0], *others]


def find_broken(promise: str, game_id: str, level: Level, hands: int) -> list[str]:
    """Return the messages of a promise about random hands."""
    trials = choose_trials(game_id, level, hands)
    return [message for trial in trials for message in PROMISES[promise](trial)]


def test_game_is_declared_without_errors(game_id: str) -> None:
    """The loader accepts the game, and a hand can be completed at each level."""
    game = find_game(game_id)
    assert list(find_errors(game_id, GAMES.versions(game_id))) == []
    assert list(find_failures(game)) == []


def test_hands_are_told_and_add_up(game_id: str, level: Level, random_hands: int) -> None:
    """Points are whole and add up, facts are of their kind, and the audit finds nothing."""
    assert find_broken("hand", game_id, level, random_hands) == []


def test_other_records_of_a_hand_score_the_same(game_id: str, random_hands: int) -> None:
    """A record by tricks or by the count can have the score of that by the cards."""
    assert find_broken("levels", game_id, "cards", random_hands) == []


def test_steps_leave_no_finding_and_no_trace(game_id: str, level: Level, random_hands: int) -> None:
    """A session by the prompts has no findings, and what is taken back leaves no trace."""
    assert find_broken("walk", game_id, level, random_hands) == []


def test_catalogues_are_complete(game_id: str) -> None:
    """Each language that the package has a catalogue of has every text."""
    game = find_game(game_id)
    if not languages_of(game):
        pytest.skip("the package has no catalogues")
    assert list(find_catalogue_errors(game)) == []


def test_golden_log_gives_its_expectation(golden_log: GoldenLog) -> None:
    """The report of a golden log is as worked out by hand."""
    assert list(find_golden_errors(golden_log.path)) == []


def test_golden_logs_have_every_event_option_and_check(game_id: str, package: GamePackage) -> None:
    """Every event and option occurs in a golden log, and every check has a near miss.

    Near misses are asked for only if the package has a file of them.
    """
    folder = package.golden(game_id)
    logs = sorted(folder.glob("*.jsonl"))
    if not logs:
        pytest.skip(f"there are no golden logs in {folder}")
    missing = [*find_unused(find_game(game_id), logs)]
    misses = [miss for miss in package.list_near_misses() if miss.folder == folder]
    if misses:
        missing += find_missed(find_game(game_id), misses)
    assert missing == []


def test_near_miss_is_none(near_miss: NearMiss) -> None:
    """A check finds nothing in a log that is right but for a little."""
    assert list(find_near_miss_errors(near_miss)) == []


def test_simulated_match_is_scored_as_played(
    simulated_game: str, package: GamePackage, random_hands: int
) -> None:
    """The score is that of a player who is written from the rules alone, however it is recorded."""
    find_game(simulated_game)
    path: Path = package.player_file(simulated_game)
    errors = [
        error
        for seed in range(random_hands)
        for error in find_errors_of_match(simulated_game, path, seed)
    ]
    assert errors == []


# ------------------------------------------------------------------------------ in a browser


@pytest.mark.browser
def test_hand_is_recorded_in_a_browser(game_id: str, level: Level, chromium: "Browser") -> None:
    """A hand is recorded on a phone, whose pages fit it and have no errors."""
    assert list(find_errors_on_pages(chromium, find_game(game_id), level)) == []
