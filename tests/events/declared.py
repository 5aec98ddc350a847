"""A declaration of no game, for tests of what is derived from one."""

from dataclasses import dataclass

from scorekeeper.events.fields import Declared, PlayerId, part


@dataclass(frozen=True, slots=True)
class Named(Declared):
    """Somebody."""

    who: str = part(PlayerId(), "who")
