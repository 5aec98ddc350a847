"""All events that are declared, and a declaration of no game."""

from dataclasses import dataclass

from scorekeeper.events.common import COMMON
from scorekeeper.events.fields import Declared, PlayerId, part
from scorekeeper.events.playing import PLAY
from scorekeeper.games import GAMES

EVERY_EVENT = list(
    dict.fromkeys(
        (*COMMON, *PLAY, *(event_type for game in GAMES.values() for event_type in game.events))
    )
)


@dataclass(frozen=True, slots=True)
class Named(Declared):
    """Somebody."""

    who: str = part(PlayerId(), "who")
