"""A season of thirty real evenings: golden logs of all games, with twelve recurring players."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from scorekeeper.games import GAMES
from scorekeeper.log.writing import sealed_lines
from tests.evenings import GOLDEN, Raw

TWELVE: Final = (
    "Mara", "Leo", "Nina", "Ugo", "Zoe", "Ada", "Ivo", "Bruno", "Carla", "Dario", "Elio", "Fosca",
)  # fmt: skip
EACH: Final = 5  # evenings of each game
CORRECTED: Final = "equal-bids"  # always included: tests correct a count in it
STAKE: Final = {"currency": "EUR", "point": 10, "match": 100}


class Played(NamedTuple):
    """A golden log as an evening on a day, with the names of its players."""

    source: Path
    day: str
    events: tuple[Raw, ...]

    @property
    def log(self) -> bytes:
        """The sealed log."""
        events = [(event["type"], event["data"]) for event in self.events]
        return b"".join(sealed_lines(events, at=f"{self.day}T20:15:00.000Z", by="keeper"))


def thirty() -> list[Played]:
    """Return the evenings, two or three a week, alternating between games."""
    return [
        played(source, f"2025-{10 + at // 10}-{2 + at % 10 * 3:02}", at)
        for at, source in enumerate(sources())
    ]


def sources() -> Iterator[Path]:
    """Yield the evening of each game and some more logs, at all levels of detail."""
    games = sorted(path.parent for path in GOLDEN.glob("*/evening.jsonl"))
    logs = [[game / "evening.jsonl", *others(game)] for game in games]
    for some in zip(*logs, strict=True):
        yield from some


def others(game: Path) -> list[Path]:
    """Return evenly chosen other golden logs of a game."""
    there = sorted(path for path in game.glob("*.jsonl") if path.stem != "evening")
    chosen = [there[at * len(there) // (EACH - 1)] for at in range(EACH - 1)]
    missing = [path for path in there if path.stem == CORRECTED and path not in chosen]
    return [chosen[0], *(missing or chosen[1:2]), *chosen[2:]]


def played(source: Path, day: str, at: int) -> Played:
    """Return a golden log on a day with players of the twelve; every third one is for money."""
    lines = filter(None, source.read_text("utf-8").splitlines())
    events = [{"data": {}, **json.loads(line)} for line in lines]
    ids = {player: name.lower() for player, name in called(events, at).items()}
    events = renamed(events, ids)
    for event in events:
        data = event["data"]
        for player in data.get("players", [data] if event["type"] == "player_joined" else []):
            player["name"] = player["id"].capitalize()
        if event["type"] == "session_opened":
            data["title"] = f"{source.parent.name} {source.stem}".replace("_", " ").capitalize()
        if event["type"] == "match_started" and (at + at // len(GAMES)) % 3 == 0:
            data.setdefault("stake", STAKE)
    return Played(source, day, tuple(events))


def called(events: list[Raw], at: int) -> dict[str, str]:
    """Return the name of each player; the players change from evening to evening."""
    early = events[0]["data"]["players"]
    later = [event["data"] for event in events if event["type"] == "player_joined"]
    ids = [player["id"] for player in (*early, *later)]
    first = at * 5 + at // len(GAMES)
    return {player: TWELVE[(first + place) % len(TWELVE)] for place, player in enumerate(ids)}


def renamed(value: Any, ids: Mapping[str, str]) -> Any:
    """Return a value of a log with renamed players, as keys and as values."""
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, list):
        return [renamed(element, ids) for element in value]
    if isinstance(value, dict):
        return {renamed(key, ids): renamed(part, ids) for key, part in value.items()}
    return value
