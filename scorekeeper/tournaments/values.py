"""The values of a tournament's state: entrants, rounds and their tables, calls."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.base.parts import ExactPoints
from scorekeeper.tournaments.parts import DrawGenerator, TableSession


class Substitution(NamedTuple):
    """A substitute who plays in some rounds; ``last`` is None if there is no last round."""

    player: str
    substitute: str
    name: str
    first: int
    last: int | None

    def covers(self, number: int) -> bool:
        """Return whether the substitute plays in a round."""
        return self.first <= number and (self.last is None or number <= self.last)


@dataclass(frozen=True, slots=True)
class Entrant:
    """An entrant: the players by id, and from which round on until before which they play."""

    id: str
    name: str
    players: Mapping[str, str]
    seq: int
    group: str | None = None
    seed: int | None = None
    from_round: int = 1
    withdrawn_from: int | None = None
    present: bool = False
    paid: bool = False
    substitutions: tuple[Substitution, ...] = ()

    def plays_in(self, number: int) -> bool:
        """Return whether the entrant has entered and not withdrawn in a round."""
        gone = self.withdrawn_from is not None and number >= self.withdrawn_from
        return self.from_round <= number and not gone

    def list_players(self, number: int) -> list[str]:
        """Return the players of a round, with substitutes in the places of those away."""
        players = list(self.players)
        for substitution in self.substitutions:
            if substitution.covers(number) and substitution.player in players:
                players[players.index(substitution.player)] = substitution.substitute
        return players

    def all_players(self) -> Iterator[tuple[str, str]]:
        """Yield the ids and names of all players, substitutes included."""
        yield from self.players.items()
        for substitution in self.substitutions:
            yield substitution.substitute, substitution.name


class ClockChange(NamedTuple):
    """A change of a round's clock: ``start``, ``add`` or ``stop``, with its minutes."""

    kind: str
    minutes: int
    table: int | None
    at: str
    seq: int


class PaperResult(NamedTuple):
    """The result of a table on paper, by entrant."""

    scores: Mapping[str, ExactPoints]
    hands: int | None
    seq: int


class AssignedResult(NamedTuple):
    """Points that the director set, in place of those that were played."""

    points: Fraction
    reason: str
    seq: int


class Ruling(NamedTuple):
    """A ruling whether a hand counts."""

    counts: bool
    reason: str
    seq: int


@dataclass(frozen=True, slots=True)
class TournamentRound:
    """A round: its tables in seat order, who sits out, and all that was recorded about it.

    ``sessions`` is None until the round is published; tables have numbers from 1 on. ``seating``
    has, by table, the entrants of players who sat otherwise than drawn. ``kept`` is the change of
    those who advance in spite of which the director keeps the draw: who is in, and who is out.
    """

    number: int
    stage: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    generator: DrawGenerator
    heads: Mapping[str, str]
    seq: int
    sessions: Mapping[int, TableSession | None] | None = None
    closed: bool = False
    clock: tuple[ClockChange, ...] = ()
    seating: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    paper: Mapping[int, PaperResult] = field(default_factory=dict)
    assigned: Mapping[str, AssignedResult] = field(default_factory=dict)
    rulings: Mapping[tuple[int, int], Ruling] = field(default_factory=dict)
    kept: tuple[frozenset[str], frozenset[str]] | None = None

    @property
    def published(self) -> bool:
        """Whether the hall sees its seating."""
        return self.sessions is not None

    def find_table(self, entrant: str) -> int | None:
        """Return the number of the table at which an entrant is drawn; None if at none."""
        return next(
            (number for number, table in enumerate(self.tables, 1) if entrant in table), None
        )

    def list_seated(self) -> Iterator[str]:
        """Yield the entrants who are drawn at a table."""
        for table in self.tables:
            yield from table

    @property
    def running(self) -> bool:
        """Whether its clock runs."""
        changes = [change.kind for change in self.clock if change.kind != "add"]
        return bool(changes) and changes[-1] == "start"


class PointAdjustment(NamedTuple):
    """Points that the director gave an entrant, or took; ``round`` is None for the whole."""

    entrant: str
    round: int | None
    points: Fraction
    reason: str
    seq: int


class DirectorCall(NamedTuple):
    """A call of a table, with its answer; ``answered`` is the seq of the answer."""

    round: int
    table: int
    caller: str | None
    about: str
    seq: int
    at: str
    answered: int | None = None
    answer: str | None = None
