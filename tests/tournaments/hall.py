"""Tournaments made up for tests."""

from collections.abc import Iterable, Sequence
from typing import Any

from scorekeeper.events.event import Entry
from scorekeeper.log import codec
from scorekeeper.tournaments.tournament import TYPES, Tournament
from tests.evenings import Raw, event

HASH = "0" * 64
STAGE: dict[str, Any] = {"name": "Rounds", "draw": "balanced", "rounds": 4, "points": "places"}
GENERATOR = {"name": "balanced", "version": 1, "seed": 1}


def opening(*stages: dict[str, Any], **more: Any) -> Raw:
    """Return the opening of a tournament of Chiamata; a stage has what `STAGE` does not say."""
    data = {"name": "Sagra", "format": 1, "game": "briscola_chiamata", "entrants": "individual",
            "stages": [{**STAGE, **stage} for stage in stages or ({},)], **more}  # fmt: skip
    return event("tournament_opened", **data)


def registered(entrant: str, *players: str, **more: Any) -> Raw:
    """Return the registration of an entrant, alone as a player of the same id."""
    listed = [{"id": player, "name": player.capitalize()} for player in players or (entrant,)]
    return event(
        "entrant_registered", id=entrant, name=entrant.capitalize(), players=listed, **more
    )


def registrations(number: int) -> list[Raw]:
    """Return the registrations of the entrants e1, e2 and so on."""
    return [registered(f"e{place}") for place in range(1, number + 1)]


def drawn(number: int, *tables: Sequence[int], byes: Iterable[int] = (), **more: Any) -> Raw:
    """Return the draw of a round; 3 is for the entrant e3."""
    data = {
        "stage": 1, "round": number, "tables": [[f"e{n}" for n in table] for table in tables],
        "byes": [f"e{n}" for n in byes], "generator": GENERATOR, "heads": {}, **more,
    }  # fmt: skip
    return event("round_drawn", **data)


def published(number: int, *sessions: str | None) -> Raw:
    """Return the publication of a round; a table without a session is on paper."""
    listed = {
        str(table): session_id and {"session": session_id, "first_hash": HASH}
        for table, session_id in enumerate(sessions, start=1)
    }
    return event("round_published", round=number, sessions=listed)


def closed(number: int, stage: int = 1) -> Raw:
    """Return the close of a round."""
    return event("round_closed", stage=stage, round=number)


def entry(seq: int, raw: Raw, by: str = "keeper") -> Entry:
    """Return an event in its place."""
    at = f"2026-11-21T20:{seq // 60:02}:{seq % 60:02}.000Z"
    return Entry(seq, codec.decode(raw["type"], raw["data"], TYPES), at, by)


def tournament(*events: Raw) -> Tournament:
    """Return the tournament of a log."""
    return Tournament.of(entry(seq, raw) for seq, raw in enumerate(events, start=1))


def add(held: Tournament, raw: Raw, by: str = "keeper") -> None:
    """Add an event to a tournament. Raises `UnusableError` if it is refused."""
    held.add(entry(held.events + 1, raw, by))
