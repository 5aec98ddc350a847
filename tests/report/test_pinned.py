"""The words of the golden logs and what is offered along them: changed only where it is meant."""

from pathlib import Path

import pytest

from scorekeeper.games import GAMES
from tests.evenings import golden_evenings, golden_logs
from tests.report.pinned import offered, offers_file, words, words_file
from tests.thinned import thinned


@pytest.mark.parametrize("game", GAMES)
def test_findings_and_reasons_have_their_words(game: str) -> None:
    assert words(game).splitlines() == words_file(game).read_text(encoding="utf-8").splitlines()


LOGS = thinned(golden_logs(), 6, always=set(golden_evenings()).__contains__)


@pytest.mark.parametrize("path", LOGS, ids=lambda log: f"{log.parent.name}/{log.stem}")
def test_what_is_offered_along_a_log(path: Path) -> None:
    kept = dict(line.split() for line in offers_file(path.parent.name).read_text().splitlines())
    assert kept[path.stem] == offered(path), "if it is meant: python -m tests.report.pinned"
