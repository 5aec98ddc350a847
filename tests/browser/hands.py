"""A plain hand of each game as it truly went, and the events that tell it at each level."""

import importlib
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from tests.conftest import SOAK
from tests.players.common import Event, PlayedHand, report_of, seeded
from tests.samples import SAMPLES, SEATED

GAMES: Final = {game: " ".join(SEATED.split()[: one.seats]) for game, one in SAMPLES.items()}
# The dice of a hand that has what is usual in its game.
DICE: Final = {game: one.dice for game, one in SAMPLES.items()}
UNSAID: Final = {
    "trick_taken": ("number",), "shown": ("cards",), "points_counted": ("tricks",),
    "cards_exchanged": ("drawn", "discarded"),
}  # fmt: skip
ENOUGH: Final = 5  # cards or tricks that the suite enters on a page, before the last ones
BEFORE: Final = ("cards_exchanged",)
CATEGORIES: Final = ("point", "sequence", "set")  # in the order in which they are declared
PASSES: Final = ("pass", 0)


@cache
def played(game: str, seed: int) -> PlayedHand:
    """A hand by the usual rules that somebody played with these dice."""
    module = importlib.import_module(f"tests.players.{game}")
    hand: PlayedHand = module.Match(seeded(seed), tuple(GAMES[game].split()), {}).play_hand()
    return hand


def told(game: str, level: str, seed: int) -> list[Event]:
    """The events of a hand at a level, without what need not be said, and who dealt."""
    record, kinds = SAMPLES[game].records[level]
    events = [_plain(one) for one in played(game, seed).records[record] if one["type"] in kinds]
    events = [_counted(game, seed, one) for one in _needed(events)]
    shown = [one for one in events if one["type"] == "shown"]
    first = [one for one in events if one["type"] in BEFORE]
    return [
        *first,
        *sorted(shown, key=_category),
        *(one for one in events if one not in first and one not in shown),
    ]


def _category(one: Event) -> int:
    return CATEGORIES.index(one["data"]["category"])


def _counted(game: str, seed: int, one: Event) -> Event:
    """A count of points with all who count."""
    taken = played(game, seed).taken
    if one["type"] != "points_counted" or taken is None or set(one["data"]["points"]) == set(taken):
        return one
    return {**one, "data": {"points": taken}}


def _plain(one: Event) -> Event:
    unsaid = UNSAID.get(one["type"], ())
    return {**one, "data": {key: it for key, it in one["data"].items() if key not in unsaid}}


def _needed(events: list[Event]) -> Iterator[Event]:
    """Of the bids the last that stands, and everything else once."""
    bids = [one for one in events if one["type"] == "bid_made"]
    standing = [one for one in bids if next(reversed(one["data"].values())) not in PASSES]
    for place, one in enumerate(events):
        again = one["type"] in ("partner_revealed", "points_counted") and one["type"] in {
            later["type"] for later in events[place + 1 :]
        }
        if not again and (one["type"] != "bid_made" or one in standing[-1:]):
            yield one


def parts(events: list[Event]) -> tuple[list[Event], list[Event], list[Event]]:
    """What of a hand is entered on a page, is recorded elsewhere, and is entered at the end.

    The soak enters all of it. The suite leaves out what is as what was entered before.
    """
    if SOAK:
        return events, [], []
    first = next(n for n, one in enumerate(events) if one["type"] in ("card_played", "trick_taken"))
    return events[: first + ENOUGH], events[first + ENOUGH : -2], events[-2:]


def truth(game: str, seed: int) -> dict[str, int]:
    """What the hand truly scores."""
    return played(game, seed).scores


def log_of(game: str, level: str, seed: int) -> list[Event]:
    """A session with that hand alone."""
    seats = GAMES[game].split()
    players = [{"id": one, "name": one} for one in seats]
    return [
        {"type": "session_opened", "data": {"title": "Friday", "players": players}},
        {"type": "match_started", "data": {"game": game, "seats": seats}},
        {"type": "hand_started", "data": {"dealer": played(game, seed).dealer}},
        *told(game, level, seed),
    ]


def scored(game: str, level: str, seed: int) -> Any:
    """What the hand scores by that record, without a browser."""
    hand = report_of(log_of(game, level, seed))["matches"][0]["hands"][0]
    return hand.get("scores") if hand["status"] == "complete" else hand["status"]
