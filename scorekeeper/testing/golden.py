"""Golden logs: a log by hand, and its report in a few lines that a person can work out.

``NAME.jsonl`` is a log, ``NAME.txt`` its expectation: comments with the source and the arithmetic,
and between them the digest of the report. ``python -m scorekeeper.testing.golden LOG`` prints that
of a log.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from scorekeeper.base.errors import ScorekeeperError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import to_json_values
from scorekeeper.games.game import Game
from scorekeeper.log.reading import LogFile
from scorekeeper.report.report import view_report
from scorekeeper.session.session import Session


def read_report(log: BinaryIO) -> JsonObject:
    """Return the report of a log, as its JSON has it."""
    return to_json_values(view_report(Session.read(log)))


def find_golden_errors(path: Path) -> Iterator[str]:
    """Yield how the report of a golden log differs from what its expectation says.

    In it, the lines of each hand add up to its scores.
    """
    with path.open("rb") as log:
        report = read_report(log)
    text = path.with_suffix(".txt").read_text("utf-8")
    found = list_digest(report, not_recorded="finding info not_recorded" in text)
    wanted = read_expected(text)
    yield from (f"not expected: {line}" for line in found if line not in wanted)
    yield from (f"expected: {line}" for line in wanted if line not in found)
    if found != wanted and sorted(found) == sorted(wanted):
        yield "the lines are expected in another order"
    for match in report["matches"]:
        for hand in match["hands"]:
            sums = dict.fromkeys(match["sides"], 0)
            for line in hand["lines"]:
                sums[line["side"]] += line["points"]
            if sums != hand["scores"]:
                yield f"the lines of hand {hand['hand']} make {sums}, and not {hand['scores']}"


def find_unused(game: Game, paths: Sequence[Path]) -> Iterator[str]:
    """Yield the types of events and values of options that occur in no golden log of a game."""
    types: set[str] = set()
    values: set[tuple[str, str]] = set()
    for path in paths:
        with path.open("rb") as stream:
            for raw in LogFile(stream):
                types |= {raw.type, raw.data.get("type", raw.type)}
        with path.open("rb") as stream:
            matches = read_report(stream)["matches"]
        for match in matches:
            options = game.options(match["options"], len(match["seats"]))
            values |= {
                (option.name, str(choice))
                for option in game.book.options
                for choice in option.choices
                if _fits(choice, options[option.name])
            }
    for declared in game.events:
        if declared.TYPE not in types:
            yield f"no golden log has the event {declared.TYPE}"
    for option in game.book.options:
        for choice in option.choices:
            if (option.name, str(choice)) not in values:
                yield f"no golden log has the option {option.name} {choice}"


def _fits(choice: Any, value: Any) -> bool:
    """Return whether the value of an option is of a choice."""
    if hasattr(choice, "accepts"):
        return bool(choice.accepts(value))
    return type(choice) is type(value) and bool(choice == value)


def list_digest(report: JsonObject, *, not_recorded: bool = False) -> list[str]:
    """Return the lines of a golden log's expectation: matches, hands, scores and findings."""
    lines = [line for match in report["matches"] for line in _list_match(match)]
    lines += [
        f"money {balances['currency']} {_format_points(balances['balances'])}"
        for balances in report.get("money", ())
    ]
    shown = [f for f in report["findings"] if not_recorded or f["code"] != "not_recorded"]
    return lines + [_format_finding(finding) for finding in shown]


def _list_match(match: JsonObject) -> Iterator[str]:
    """Yield the lines of a match."""
    winners = f": {', '.join(match['winners'])}" if match["status"] == "finished" else ""
    yield f"match {match['match']} {match['game']} {match['status']}{winners}"
    for hand in match["hands"]:
        yield from _list_hand(hand)
    for number, game in enumerate(match.get("games", ()), start=1):
        scores = _format_points(game["scores"])
        winner = game["winner"] or "-"
        yield f"  game {number} {game['name']} {game['target']}: {scores} -> {winner}"
    yield f"  totals {_format_points(match['totals'])}"
    if "reckoning" in match:
        yield f"  settled {_format_points(match['reckoning']['points'])}"


def _list_hand(hand: JsonObject) -> Iterator[str]:
    """Yield the lines of a hand."""
    game = f" game {hand['game']}" if "game" in hand else ""
    yield f"  hand {hand['hand']} dealer {hand['dealer']} {hand['status']} {hand['level']}{game}"
    for line in hand["lines"]:
        yield f"    {line['side']} {line['points']:+d} {line['rule']}"
    if hand["taken"] is not None:
        yield f"    taken {_format_points(hand['taken'])}"
    if hand["winner"] is not None:
        yield f"    winner {hand['winner']}"


def _format_finding(finding: JsonObject) -> str:
    """Return the line of a finding."""
    place = "-" if finding["match"] is None else f"{finding['match']}.{finding['hand']}"
    events = " ".join(map(str, finding["events"]))
    return f"finding {finding['severity']} {finding['code']} {place} {finding['rule']} [{events}]"


def _format_points(points: dict[str, int]) -> str:
    """Return points by side as text."""
    return ", ".join(f"{side} {n}" for side, n in points.items())


def read_expected(text: str) -> list[str]:
    """Return the lines of an expectation that are neither blank nor comments."""
    lines = (line.split(" #")[0].rstrip() for line in text.splitlines())
    return [line for line in lines if line and not line.lstrip().startswith("#")]


if __name__ == "__main__":
    from scorekeeper.testing.packages import IN_USE, package_of

    try:
        IN_USE.switch_to(package_of(Path(sys.argv[1]).resolve()))  # which need not be installed
        with Path(sys.argv[1]).open("rb") as log:
            sys.stdout.writelines(f"{line}\n" for line in list_digest(read_report(log)))
    except OSError as error:
        sys.exit(str(error))
    except ScorekeeperError as error:
        sys.exit(f"{sys.argv[1]}, {error}")
