"""Golden logs of Tarot, complete by the same measure as those of Scorekeeper's own games."""

from functools import cache
from pathlib import Path

import pytest

import scorekeeper.games
from tests import evenings
from tests import test_golden as golden
from tests.games import test_facts

FOLDER = Path(__file__).parents[1] / "golden"
LOGS = sorted(FOLDER.glob("*/*.jsonl"))
GAME = {"tarot": scorekeeper.games.GAMES["tarot"]}


@cache
def near_misses() -> golden.Any:
    """Import the tests of near misses, which read the list of games when they are imported."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scorekeeper.games, "GAMES", GAME)
        patch.setattr(evenings, "GOLDEN", FOLDER)
        from tests import test_near_misses

        return test_near_misses


@pytest.fixture(autouse=True)
def _of_tarot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "GOLDEN", FOLDER)
    monkeypatch.setattr(golden, "LOGS", LOGS)


@pytest.mark.parametrize("path", LOGS, ids=golden.name_of)
def test_golden_log_gives_the_expected_digest(path: Path) -> None:
    golden.test_golden_log_gives_the_expected_digest(path)
    golden.test_the_report_is_json_and_its_lines_add_up(path)
    golden.test_sealing_keeps_the_score(path)
    test_facts.test_every_scored_hand_has_a_summary(path)


def test_the_golden_logs_are_complete() -> None:
    golden.test_every_game_has_a_sample_and_a_simulator("tarot")
    golden.test_every_game_has_ten_hands_and_an_evening("tarot")
    golden.test_every_clause_that_scores_appears("tarot")
    golden.test_every_event_type_and_option_value_appears("tarot")


@pytest.mark.parametrize(
    "miss", near_misses().MISSES, ids=lambda miss: f"{miss.check}-{miss.fault}"
)
def test_a_near_miss_is_none(miss: golden.Any) -> None:
    near_misses().test_a_near_miss_is_none(miss)


def test_every_check_has_a_near_miss_and_some_hands_cannot_be_checked() -> None:
    near = near_misses()
    near.test_every_check_has_a_log_that_triggers_it_and_a_near_miss("tarot")
    near.test_finding_of_unrecorded_facts_is_in_some_hands_and_not_in_all("tarot")
