"""No match comes on record with an option that can have no effect; older logs may have one."""

from scorekeeper.base.errors import UnusableError
from scorekeeper.events.common import MatchStarted
from scorekeeper.events.event import Event
from scorekeeper.games import GAMES
from scorekeeper.session.structure import find_game


def refuse_conflicts(event: MatchStarted, standing: Event | None = None) -> None:
    """Refuse options of a match of which one can have no effect beside another.

    Raises `UnusableError`.

    ``standing`` is the event in whose place it comes, if any: what that has already may stay, so
    that an older match can be corrected. Options that cannot be at all are left to the replay.
    """
    with GAMES.missing_where_they_fail():
        try:
            game, before = find_game(event), None
            game.options(event.options, len(event.seats))
            if isinstance(standing, MatchStarted) and standing.game == event.game:
                before = game.options(standing.options, len(standing.seats))
        except UnusableError:
            return
        game.new_options(event.options, len(event.seats), before)
