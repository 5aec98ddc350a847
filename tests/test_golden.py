"""Golden logs: logs by hand, and the expected report of each, worked out by hand.

``NAME.jsonl`` is a log, ``NAME.txt`` its expectation: comments with the source and the
arithmetic, and between them the digest of the report. Tests of
``testing.golden``.
"""

import io
import json
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from scorekeeper.events.common import COMMON
from scorekeeper.events.playing import PLAY
from scorekeeper.games import GAMES
from scorekeeper.log.reading import LogFile, verify
from scorekeeper.log.writing import sealed_lines
from scorekeeper.session.session import Session
from scorekeeper.testing import golden
from scorekeeper.testing.golden import find_golden_errors, find_unused
from tests.evenings import build_report
from tests.samples import SAMPLES, what_to_write
from tests.thinned import EACH_LOG

GOLDEN = Path(__file__).parent / "golden"
OPENED = '{"type": "session_opened", "data": {"title": "Friday", "players": []}}'
LOGS = sorted(GOLDEN.glob("*/*.jsonl"))


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def report_of(path: Path) -> dict[str, Any]:
    with path.open("rb") as stream:
        return build_report(Session.read(stream))


@pytest.mark.parametrize("path", LOGS, ids=name_of)
def test_golden_log_gives_the_expected_digest(path: Path) -> None:
    assert list(find_golden_errors(path)) == []


@pytest.mark.parametrize("path", LOGS, ids=name_of)
def test_the_report_is_json_and_its_lines_add_up(path: Path) -> None:
    report = json.loads(json.dumps(report_of(path)))
    for match in report["matches"]:
        clauses = {c.id for c in GAMES[match["game"]].book.clauses}
        for hand in match["hands"]:
            sums = dict.fromkeys(match["sides"], 0)
            for line in hand["lines"]:
                sums[line["side"]] += line["points"]
                assert line["rule"] in clauses
                assert line["text"]
                assert line["events"], "a line cites what proves it"
                assert "{" not in line["text"]
            assert sums == hand["scores"]
    for finding in report["findings"]:
        assert finding["rule"]
        assert "{" not in finding["message"]


@EACH_LOG
def test_sealing_keeps_the_score(path: Path) -> None:
    with path.open("rb") as stream:
        events = [(raw.type, raw.data) for raw in LogFile(stream)]
    sealed = b"".join(sealed_lines(events, at="2026-01-02T20:15:00.000Z"))
    assert verify(io.BytesIO(sealed)).ok
    report = build_report(Session.read(io.BytesIO(sealed)))
    by_hand = report_of(path)
    assert (report["matches"], report["findings"]) == (by_hand["matches"], by_hand["findings"])


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["not a log"], "line 1: "),
        (
            [OPENED, '{"type": "match_started", "data": {"game": "whist"}}'],
            "line 2, field data.seats",
        ),
        (None, "No such file"),
    ],
)
def test_the_digest_says_in_a_line_why_a_log_is_refused(
    lines: list[str] | None, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "evening.jsonl"
    if lines is not None:
        path.write_text("".join(f"{line}\n" for line in lines))
    monkeypatch.setattr("sys.argv", ["scorekeeper.testing.golden", str(path)])
    with pytest.raises(SystemExit) as ended:
        run_path(golden.__file__, run_name="__main__")
    message = str(ended.value.code)
    assert says in message
    assert str(path) in message
    assert "\n" not in message


# ------------------------------------------------------------------------------ completeness


def logs_of(game: str) -> list[Path]:
    return [path for path in LOGS if path.parent.name == game]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_ten_hands_and_an_evening(game: str) -> None:
    assert GOLDEN / game / "evening.jsonl" in logs_of(game), f"write golden/{game}/evening.jsonl"
    hands = [h for path in logs_of(game) for m in report_of(path)["matches"] for h in m["hands"]]
    assert len(hands) >= 10, f"write ten hands in the golden logs of {game}"
    evening = report_of(GOLDEN / game / "evening.jsonl")
    hands = [hand for match in evening["matches"] for hand in match["hands"]]
    assert len(hands) >= 8, f"write eight of them in golden/{game}/evening.jsonl"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_sample_and_a_simulator(game: str) -> None:
    assert game in SAMPLES, what_to_write(game)
    assert find_spec(f"tests.players.{game}"), what_to_write(game)


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_that_scores_appears(game: str) -> None:
    rules = {
        line["rule"]
        for path in logs_of(game)
        for match in report_of(path)["matches"]
        for hand in match["hands"]
        for line in hand["lines"]
    }
    scores = set(SAMPLES[game].scores.split())
    assert rules == scores, f"all scores in golden/{game}/game.py, and no others, in its logs"


@pytest.mark.parametrize("game", GAMES)
def test_every_event_type_and_option_value_appears(game: str) -> None:
    assert list(find_unused(GAMES[game], logs_of(game))) == []


def test_every_common_event_type_appears() -> None:
    types = set()
    for path in LOGS:
        with path.open("rb") as stream:
            types |= {raw.type for raw in LogFile(stream)}
    assert {declared.TYPE for declared in (*COMMON, *PLAY)} - types == set()
