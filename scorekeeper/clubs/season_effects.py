"""The evenings that an event would let enter or leave the seasons of a club."""

from dataclasses import replace
from typing import NamedTuple

from scorekeeper.clubs.season import select_season_evenings
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.values import Season
from scorekeeper.events.event import Entry, Event
from scorekeeper.log.face_down import KEEPER
from scorekeeper.log.replayed import copy_state


class SeasonEffect(NamedTuple):
    """The evenings that enter and leave an open season, in the order of play."""

    name: str
    entering: tuple[str, ...]
    leaving: tuple[str, ...]


def apply_on_trial(snapshot: ClubSnapshot, *events: Event) -> ClubSnapshot:
    """Return a club as it would be after these events.

    Raises `UnusableError` if one of them is not possible.
    """
    state = copy_state(snapshot.state)
    for seq, event in enumerate(events, start=snapshot.events + 1):
        state.apply(Entry(seq, event, by=KEEPER))
    return replace(snapshot, state=state)


def preview_effects(snapshot: ClubSnapshot, event: Event) -> list[SeasonEffect]:
    """Return the open seasons whose evenings an event would change.

    Raises `UnusableError` if the event is not possible.
    """
    changed = apply_on_trial(snapshot, event)
    effects = []
    for season in snapshot.state.seasons.values():
        if season.heads is None:
            before = list_played_ids(snapshot, season)
            after = list_played_ids(changed, changed.state.seasons[season.id])
            entering = tuple(session_id for session_id in after if session_id not in before)
            leaving = tuple(session_id for session_id in before if session_id not in after)
            if entering or leaving:
                effects.append(SeasonEffect(season.name, entering, leaving))
    return effects


def list_played_ids(snapshot: ClubSnapshot, season: Season) -> dict[str, None]:
    """Return the evenings of an open season with a hand in one of its games, as an ordered set."""
    return {
        attended.id: None
        for attended in select_season_evenings(season, snapshot.list_attended(), snapshot.zone)
        if any(match.game in season.games and match.hands for match in attended.evening.matches)
    }
