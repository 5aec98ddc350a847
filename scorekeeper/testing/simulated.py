"""A match of a simulated player against the code of its game.

The player is a module that an author writes from the rules alone, and not from the code:

* ``SEATS``, the numbers of players, and ``random_options(rng, seats)``, some options;
* ``Match(rng, seats, options)`` with ``play_hand()``, ``over``, ``winners`` and ``totals`` by side.

A hand has ``scores`` by side, and ``records``: by name, events that an honest table records of it.
``expected`` has for each record the members of the hand in the report that the record decides.
"""

from collections.abc import Iterator
from io import BytesIO
from json import dumps
from pathlib import Path
from random import Random
from typing import Any, Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.promises.play import NAMES
from scorekeeper.testing.golden import read_report
from scorekeeper.testing.packages import load_player

HANDS: Final = 4  # of a match, at most


def find_errors_of_match(game: str, path: Path, seed: int) -> Iterator[str]:
    """Yield how the reports of a match, and of each record of its hands, are not as played."""
    player, rng = load_player(path), Random(seed)  # noqa: S311  # no secret
    seats = tuple(name.lower() for name in NAMES[: rng.choice(player.SEATS)])
    options = player.random_options(rng, len(seats))
    match, log = player.Match(rng, seats, options), _open(game, seats, options)
    for _ in range(HANDS):
        if match.over:
            break
        hand = match.play_hand()
        for name, record in hand.records.items():
            report = _read([*log, *record])
            yield from _compare(f"seed {seed}, a record by {name}", report, hand.expected[name])
        sure = [name for name in hand.records if hand.expected[name].get("scores") == hand.scores]
        log += hand.records[rng.choice(sure)]
    (scored,) = _read(log)["matches"]
    if scored["totals"] != match.totals or scored["winners"] != match.winners:
        yield (
            f"seed {seed}: the match is {match.totals}, won by {match.winners}, and not "
            f"{scored['totals']}, won by {scored['winners']}"
        )


def _open(game: str, seats: tuple[str, ...], options: JsonObject) -> list[JsonObject]:
    """Return the events that open a session with a match."""
    players = [{"id": seat, "name": seat.title()} for seat in seats]
    match = {"game": game, "seats": list(seats), "options": options}
    return [
        {"type": "session_opened", "data": {"title": "Trial", "players": players}},
        {"type": "match_started", "data": match},
    ]


def _compare(name: str, report: JsonObject, expected: dict[str, Any]) -> Iterator[str]:
    """Yield how the last hand of a report is not as expected, and its findings."""
    hand = report["matches"][0]["hands"][-1]
    yield from (
        f"{name}: {member} is {hand[member]}, and not {value}"
        for member, value in expected.items()
        if hand[member] != value
    )
    yield from (
        f"{name}: the finding {finding['code']}: {finding['message']}"
        for finding in report["findings"]
        if finding["severity"] != "info"
    )


def _read(log: list[JsonObject]) -> JsonObject:
    """Return the report of events."""
    return read_report(BytesIO("".join(dumps(event) + "\n" for event in log).encode()))
