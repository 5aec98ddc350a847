"""The holder of a key: on whose behalf a request acts."""

from dataclasses import dataclass, field
from typing import Final

from scorekeeper.log.face_down import KEEPER
from scorekeeper.store import Key, Position, Role


@dataclass(frozen=True, slots=True)
class Holder:
    """The holder of a key: its role, and its player if it has a seat.

    A host may have a seat, too: ``player`` is the seat on whose behalf the host acts. Events are
    written only if ``key`` is still valid in that transaction. ``at_table`` is true for pages,
    which show only what the table knows, because other players see the screen. A holder with
    ``until`` sees nothing after that position. A holder who ``only_signs`` accepts, disputes and
    signs for their player, and records nothing else.
    """

    role: Role
    player: str | None = None
    key: Key | None = field(default=None, compare=False)
    at_table: bool = False
    until: Position | None = None
    only_signs: bool = False

    @property
    def by(self) -> str:
        """The author of the holder's events; ``keeper`` for a host and for a viewer."""
        return KEEPER if self.player is None or self.role == "host" else self.player

    @property
    def sees_all(self) -> bool:
        """Whether the holder sees what lies face down."""
        return self.role == "host" and not self.at_table


THE_TABLE: Final = Holder("view", at_table=True)
