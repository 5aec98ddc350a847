"""A report in a few lines that a person can work out by hand, for the golden logs.

``python -m tests.digest LOG`` prints that of a log.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scorekeeper.base.errors import ScorekeeperError
from scorekeeper.session.session import Session
from tests.evenings import build_report


def digest(report: dict[str, Any], *, not_recorded: bool = False) -> list[str]:
    """Return the lines of a golden log's expectation: matches, hands, scores and findings."""
    lines = [line for match in report["matches"] for line in _match(match)]
    lines += [
        f"money {balances['currency']} {_pairs(balances['balances'])}"
        for balances in report.get("money", ())
    ]
    shown = [f for f in report["findings"] if not_recorded or f["code"] != "not_recorded"]
    return lines + [_finding(finding) for finding in shown]


def _match(match: dict[str, Any]) -> Iterator[str]:
    winners = f": {', '.join(match['winners'])}" if match["status"] == "finished" else ""
    yield f"match {match['match']} {match['game']} {match['status']}{winners}"
    for hand in match["hands"]:
        yield from _hand(hand)
    for number, game in enumerate(match.get("games", ()), start=1):
        scores = _pairs(game["scores"])
        winner = game["winner"] or "-"
        yield f"  game {number} {game['name']} {game['target']}: {scores} -> {winner}"
    yield f"  totals {_pairs(match['totals'])}"
    if "reckoning" in match:
        yield f"  settled {_pairs(match['reckoning']['points'])}"


def _hand(hand: dict[str, Any]) -> Iterator[str]:
    game = f" game {hand['game']}" if "game" in hand else ""
    yield f"  hand {hand['hand']} dealer {hand['dealer']} {hand['status']} {hand['level']}{game}"
    for line in hand["lines"]:
        yield f"    {line['side']} {line['points']:+d} {line['rule']}"
    if hand["taken"] is not None:
        yield f"    taken {_pairs(hand['taken'])}"
    if hand["winner"] is not None:
        yield f"    winner {hand['winner']}"


def _finding(finding: dict[str, Any]) -> str:
    place = "-" if finding["match"] is None else f"{finding['match']}.{finding['hand']}"
    events = " ".join(map(str, finding["events"]))
    return f"finding {finding['severity']} {finding['code']} {place} {finding['rule']} [{events}]"


def _pairs(points: dict[str, int]) -> str:
    return ", ".join(f"{side} {n}" for side, n in points.items())


def expected(text: str) -> list[str]:
    """Return the lines of an expectation that are neither blank nor comments."""
    lines = (line.split(" #")[0].rstrip() for line in text.splitlines())
    return [line for line in lines if line and not line.lstrip().startswith("#")]


if __name__ == "__main__":
    try:
        with Path(sys.argv[1]).open("rb") as log:
            sys.stdout.writelines(f"{line}\n" for line in digest(build_report(Session.read(log))))
    except OSError as error:
        sys.exit(str(error))
    except ScorekeeperError as error:
        sys.exit(f"{sys.argv[1]}, {error}")
