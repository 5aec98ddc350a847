"""Refuse options of a new match that can have no effect; older logs may contain them."""

from scorekeeper.base.errors import UnusableError
from scorekeeper.events.common import MatchStarted
from scorekeeper.events.event import Event
from scorekeeper.games import GAMES
from scorekeeper.session.structure import find_game


def refuse_conflicts(event: MatchStarted, standing: Event | None = None) -> None:
    """Raise `UnusableError` if an option of a new match can have no effect beside another.

    ``standing`` is the event that is replaced, if any: its options may stay, so that an older match
    can be corrected. Impossible values are not refused here, but by the replay.
    """
    with GAMES.failures_as_not_installed():
        try:
            game, before = find_game(event), None
            game.options(event.options, len(event.seats))
            if isinstance(standing, MatchStarted) and standing.game == event.game:
                before = game.options(standing.options, len(standing.seats))
        except UnusableError:
            return
        game.new_options(event.options, len(event.seats), before)
