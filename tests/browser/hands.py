"""A plain hand of each game as played, and the events that record it at each level."""

import importlib
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from tests.conftest import SOAK
from tests.players.common import Event, PlayedHand, report_of, seeded
from tests.samples import SAMPLES, SEATED

GAMES: Final = {game: " ".join(SEATED.split()[: sample.seats]) for game, sample in SAMPLES.items()}
# The seed of a hand with the usual events of its game.
DICE: Final = {game: sample.dice for game, sample in SAMPLES.items()}
OMITTED: Final = {
    "trick_taken": ("number",), "shown": ("cards",), "points_counted": ("tricks",),
    "cards_exchanged": ("drawn", "discarded"),
}  # fmt: skip
ENOUGH: Final = 5  # cards or tricks that the suite enters on a page before the last ones
BEFORE: Final = ("cards_exchanged",)
AFTER: Final = ("partner_revealed", "points_counted")  # asked after the last trick
CATEGORIES: Final = ("point", "sequence", "set")  # in the order in which they are declared
PASSES: Final = ("pass", 0)


@cache
def played(game: str, seed: int) -> PlayedHand:
    """Return a hand by the default rules, played with this seed."""
    module = importlib.import_module(f"tests.players.{game}")
    hand: PlayedHand = module.Match(seeded(seed), tuple(GAMES[game].split()), {}).play_hand()
    return hand


def recorded_events(game: str, level: str, seed: int) -> list[Event]:
    """Return the necessary events of a hand at a level, in the order in which a page asks for them.

    The dealer is left out.
    """
    record, kinds = SAMPLES[game].records[level]
    events = [
        _plain(event) for event in played(game, seed).records[record] if event["type"] in kinds
    ]
    events = [_counted(game, seed, raw) for raw in _needed(events)]
    shown = [event for event in events if event["type"] == "shown"]
    first = [event for event in events if event["type"] in BEFORE]
    last = [event for event in events if event["type"] in AFTER] if level == "tricks" else []
    return [
        *first,
        *sorted(shown, key=_category),
        *(event for event in events if event not in (*first, *shown, *last)),
        *sorted(last, key=_asked_after),
    ]


def _asked_after(event: Event) -> int:
    return AFTER.index(event["type"])


def _category(event: Event) -> int:
    return CATEGORIES.index(event["data"]["category"])


def _counted(game: str, seed: int, event: Event) -> Event:
    """Return a count of points that includes all counting players."""
    taken = played(game, seed).taken
    if (
        event["type"] != "points_counted"
        or taken is None
        or set(event["data"]["points"]) == set(taken)
    ):
        return event
    return {**event, "data": {"points": taken}}


def _plain(event: Event) -> Event:
    unsaid = OMITTED.get(event["type"], ())
    return {**event, "data": {key: it for key, it in event["data"].items() if key not in unsaid}}


def _needed(events: list[Event]) -> Iterator[Event]:
    """Yield the last valid bid, and every other event once."""
    bids = [event for event in events if event["type"] == "bid_made"]
    standing = [bid for bid in bids if next(reversed(bid["data"].values())) not in PASSES]
    for place, raw in enumerate(events):
        again = raw["type"] in ("partner_revealed", "points_counted") and raw["type"] in {
            later["type"] for later in events[place + 1 :]
        }
        if not again and (raw["type"] != "bid_made" or raw in standing[-1:]):
            yield raw


def parts(events: list[Event]) -> tuple[list[Event], list[Event], list[Event]]:
    """Split a hand into events to enter on a page, to record over the API, and to enter at the end.

    The soak enters all events. The suite skips events that resemble those before.
    """
    if SOAK:
        return events, [], []
    first = next(
        n for n, event in enumerate(events) if event["type"] in ("card_played", "trick_taken")
    )
    return events[: first + ENOUGH], events[first + ENOUGH : -2], events[-2:]


def truth(game: str, seed: int) -> dict[str, int]:
    """Return the true score of the hand."""
    return played(game, seed).scores


def log_of(game: str, level: str, seed: int) -> list[Event]:
    """Return a session with only that hand."""
    seats = GAMES[game].split()
    players = [{"id": seat, "name": seat} for seat in seats]
    return [
        {"type": "session_opened", "data": {"title": "Friday", "players": players}},
        {"type": "match_started", "data": {"game": game, "seats": seats}},
        {"type": "hand_started", "data": {"dealer": played(game, seed).dealer}},
        *recorded_events(game, level, seed),
    ]


def scored(game: str, level: str, seed: int) -> Any:
    """Return the score of the hand by that record, without a browser."""
    hand = report_of(log_of(game, level, seed))["matches"][0]["hands"][0]
    return hand.get("scores") if hand["status"] == "complete" else hand["status"]
