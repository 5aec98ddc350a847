"""The events of a tournament's log, such as entrants who register and rounds that are drawn.

They have the same envelope as those of a session, in a log of their own. Notes and the three
corrections are the same events as in a session. Rounds are numbered through all stages.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import NewPlayer, NoteAdded, Stake
from scorekeeper.events.corrections import CORRECTING
from scorekeeper.events.event import Event, Place
from scorekeeper.events.fields import (
    AMOUNT,
    NAME,
    NAMED_HASH,
    NAMED_ID,
    REASON,
    SEQ,
    TITLE,
    AnyOf,
    Anything,
    Each,
    Exact,
    Flag,
    Many,
    Nested,
    Nothing,
    OneOf,
    PlayerId,
    Whole,
    Words,
    part,
)
from scorekeeper.tournaments.parts import DrawGenerator, Fee, TableSession
from scorekeeper.tournaments.stages import (
    ADVANCE,
    AT_TIME,
    BYE,
    CARRY,
    HANDS,
    MINUTES,
    MISSED,
    POINTS,
    ROUNDS,
    STAGE_NAME,
    TIES,
    Advance,
    PointRule,
    Stage,
    TableRange,
)

MAX_TABLES: Final = 200
MAX_ENTRANTS: Final = 400

ENTRANT: Final = PlayerId()
ROUND: Final = Whole(1, 1_000)
TABLE: Final = Whole(1, MAX_TABLES)
TABLE_KEY: Final = Words(3, name=True)  # the number of a table, as the key of an object
STAGE: Final = Whole(1, 20)
EXACT: Final = Exact()
MAX_SCORE: Final = 1_000_000  # of a table on paper, above and below 0
ENTRANT_KINDS: Final = ("individual", "pairs")
APART: Final = ("first_round", "always")


@dataclass(frozen=True, slots=True)
class TournamentOpened(Event):
    """A tournament begins, with its rules. Always the first event of its log."""

    TYPE: ClassVar = "tournament_opened"
    PLACE: ClassVar = Place.OPENING
    name: str = part(TITLE, "what the tournament is called")
    format: int = part(Whole(1, 1), "the version of this log format")
    game: str = part(NAMED_ID, "the id of the game")
    entrants: str = part(OneOf(ENTRANT_KINDS, words=""), "who enters")
    stages: tuple[Stage, ...] = part(
        Many(Nested(Stage), fewest=1, most=20, unique=False), "the stages, in order"
    )
    options: JsonObject | None = part(Anything(), "the options of every match", optional=True)
    stake: Stake | None = part(Nested(Stake), "what a match is played for", optional=True)
    place: str | None = part(TITLE, "where it is played", optional=True)
    zone: str | None = part(Words(64, name=True), "the time zone, else UTC", optional=True)
    fee: Fee | None = part(Nested(Fee), "what an entrant pays", optional=True)
    prizes: Mapping[str, int | str] | None = part(
        Each(TABLE_KEY, AnyOf((AMOUNT, TITLE))),
        "by place, an amount in minor units or a text",
        optional=True,
    )
    apart: str | None = part(
        OneOf(APART, words=""), "when entrants of one group do not meet", optional=True
    )
    protest_minutes: int | None = part(
        Whole(0, 24 * 60), "how long protests are heard after the close, else 30", optional=True
    )
    club: str | None = part(
        NAMED_ID, "the id of the club that holds it, whose members can be tapped", optional=True
    )


@dataclass(frozen=True, slots=True)
class PlanChanged(Event):
    """A stage has other rules from here on; not for a round that is drawn."""

    TYPE: ClassVar = "plan_changed"
    PLACE: ClassVar = Place.SESSION
    FEWEST_FIELDS: ClassVar = 3  # the stage, the reason, and a change
    stage: int = part(STAGE, "the number of the stage")
    reason: str = part(REASON, "why")
    name: str | None = part(STAGE_NAME, "what it is called now", optional=True)
    rounds: int | None = part(ROUNDS, "how many rounds it has now", optional=True)
    table: TableRange | None = part(Nested(TableRange), "the sizes of its tables", optional=True)
    hands: int | None = part(HANDS, "how many hands each plays in a round", optional=True)
    minutes: int | None = part(MINUTES, "how long a round is", optional=True)
    at_time: str | None = part(AT_TIME, "what happens at the end of the time", optional=True)
    points: str | PointRule | None = part(POINTS, "the points of a round", optional=True)
    ties: tuple[str, ...] | None = part(TIES, "what parts equals, in this order", optional=True)
    bye: str | Fraction | None = part(BYE, "the points of a bye", optional=True)
    missed: Fraction | None = part(MISSED, "the points of a missed round", optional=True)
    carry: str | None = part(CARRY, "which earlier points count", optional=True)
    advance: Advance | None = part(ADVANCE, "who goes on to the next stage", optional=True)


@dataclass(frozen=True, slots=True)
class EntrantRegistered(Event):
    """An individual or a pair enters."""

    TYPE: ClassVar = "entrant_registered"
    PLACE: ClassVar = Place.SESSION
    id: str = part(ENTRANT, "lower-case letters, digits, _ and -, at most 32")
    name: str = part(NAME, "what the standings call the entrant")
    players: tuple[NewPlayer, ...] = part(
        Many(Nested(NewPlayer), fewest=1, most=2, unique=False), "the player, or both of a pair"
    )
    group: str | None = part(NAME, "the club, village or team", optional=True)
    seed: int | None = part(Whole(1, MAX_ENTRANTS), "the rank before the start", optional=True)
    from_round: int | None = part(ROUND, "the first round, for a late entry", optional=True)


@dataclass(frozen=True, slots=True)
class EntrantPresent(Event):
    """An entrant is there. If any is noted so, only those are drawn."""

    TYPE: ClassVar = "entrant_present"
    PLACE: ClassVar = Place.SESSION
    entrant: str = part(ENTRANT, "who")


@dataclass(frozen=True, slots=True)
class EntrantPaid(Event):
    """An entrant has paid the fee."""

    TYPE: ClassVar = "entrant_paid"
    PLACE: ClassVar = Place.SESSION
    entrant: str = part(ENTRANT, "who")


@dataclass(frozen=True, slots=True)
class EntrantWithdrawn(Event):
    """An entrant plays no more; the results stay."""

    TYPE: ClassVar = "entrant_withdrawn"
    PLACE: ClassVar = Place.SESSION
    entrant: str = part(ENTRANT, "who")
    from_round: int = part(ROUND, "the first round without the entrant")
    reason: str | None = part(REASON, "why", optional=True)


@dataclass(frozen=True, slots=True)
class EntrantReplaced(Event):
    """A substitute plays for an entrant; the result belongs to the entrant."""

    TYPE: ClassVar = "entrant_replaced"
    PLACE: ClassVar = Place.SESSION
    entrant: str = part(ENTRANT, "for whom")
    player: str = part(ENTRANT, "which of the entrant's players is away")
    substitute: NewPlayer = part(Nested(NewPlayer), "who plays")
    from_round: int = part(ROUND, "the first round")
    to_round: int | None = part(ROUND, "the last round", optional=True)


@dataclass(frozen=True, slots=True)
class RoundDrawn(Event):
    """The tables of a round are drawn; the latest draw before its publication counts."""

    TYPE: ClassVar = "round_drawn"
    PLACE: ClassVar = Place.SESSION
    HIDDEN: ClassVar = ("tables", "byes", "generator", "heads")
    stage: int = part(STAGE, "the number of the stage")
    round: int = part(ROUND, "the number of the round")
    tables: tuple[tuple[str, ...], ...] = part(
        Many(Many(ENTRANT, fewest=1, most=20, unique=False), most=MAX_TABLES, unique=False),
        "the entrants of each table, in seat order",
    )
    byes: tuple[str, ...] = part(Many(ENTRANT, unique=False), "who sits out")
    generator: DrawGenerator = part(Nested(DrawGenerator), "what drew it")
    heads: Mapping[str, str] = part(
        Each(NAMED_ID, NAMED_HASH),
        "from each session whose result it used to the hash of its last event",
    )
    early: bool | None = part(
        Flag(only_true=True), "true if the round before is not over", optional=True
    )


@dataclass(frozen=True, slots=True)
class DrawKept(Event):
    """A correction changed who advances to a stage, and the draw of its first round stays."""

    TYPE: ClassVar = "draw_kept"
    PLACE: ClassVar = Place.SESSION
    SALTED: ClassVar = True  # before the publication it tells who is in the draw
    round: int = part(ROUND, "the number of the round")
    through: tuple[str, ...] = part(
        Many(ENTRANT, unique=False), "who would advance, and is not in the round"
    )
    out: tuple[str, ...] = part(
        Many(ENTRANT, unique=False), "who is in the round, and would not advance"
    )


@dataclass(frozen=True, slots=True)
class RoundPublished(Event):
    """The hall sees the seating of a round, and its sessions exist."""

    TYPE: ClassVar = "round_published"
    PLACE: ClassVar = Place.SESSION
    round: int = part(ROUND, "the number of the round")
    sessions: Mapping[str, TableSession | None] = part(
        Each(TABLE_KEY, AnyOf((Nested(TableSession), Nothing()))),
        "from each table to its session, or to null for a table on paper",
    )


@dataclass(frozen=True, slots=True)
class RoundStarted(Event):
    """The clock of a round starts, or starts again after a stop."""

    TYPE: ClassVar = "round_started"
    PLACE: ClassVar = Place.SESSION
    round: int = part(ROUND, "the number of the round")
    minutes: int = part(MINUTES, "how long it runs from now")


@dataclass(frozen=True, slots=True)
class TimeAdded(Event):
    """One table, or all, have more time."""

    TYPE: ClassVar = "time_added"
    PLACE: ClassVar = Place.SESSION
    round: int = part(ROUND, "the number of the round")
    minutes: int = part(MINUTES, "how much")
    table: int | None = part(TABLE, "only this table", optional=True)


@dataclass(frozen=True, slots=True)
class ClockStopped(Event):
    """The clock of a round stops; the time that is left is kept."""

    TYPE: ClassVar = "clock_stopped"
    PLACE: ClassVar = Place.SESSION
    round: int = part(ROUND, "the number of the round")


@dataclass(frozen=True, slots=True)
class SeatsExchanged(Event):
    """Two entrants of a round take one another's seats."""

    TYPE: ClassVar = "seats_exchanged"
    PLACE: ClassVar = Place.SESSION
    SALTED: ClassVar = True  # before the publication it is a part of the draw
    round: int = part(ROUND, "the number of the round")
    entrants: tuple[str, ...] = part(Many(ENTRANT, sizes=(2,)), "the two")
    reason: str = part(REASON, "why")


@dataclass(frozen=True, slots=True)
class SeatingCorrected(Event):
    """Entrants sat otherwise than drawn, as somebody found later; all points follow."""

    TYPE: ClassVar = "seating_corrected"
    PLACE: ClassVar = Place.SESSION
    round: int = part(ROUND, "the number of the round")
    table: int = part(TABLE, "the number of the table")
    players: Mapping[str, str] = part(
        Each(PlayerId(), ENTRANT), "from players of the table's session to entrants"
    )


@dataclass(frozen=True, slots=True)
class ResultRecorded(Event):
    """The result of a table that is played on paper."""

    TYPE: ClassVar = "result_recorded"
    PLACE: ClassVar = Place.SESSION
    round: int = part(ROUND, "the number of the round")
    table: int = part(TABLE, "the number of the table")
    scores: Mapping[str, Fraction] = part(
        Each(ENTRANT, Exact(MAX_SCORE)), "the score of each entrant"
    )
    hands: int | None = part(HANDS, "how many hands were played", optional=True)


@dataclass(frozen=True, slots=True)
class ResultAssigned(Event):
    """The director sets the points of an entrant in a round, whatever was played."""

    TYPE: ClassVar = "result_assigned"
    PLACE: ClassVar = Place.SESSION
    round: int = part(ROUND, "the number of the round")
    entrant: str = part(ENTRANT, "whose points")
    points: Fraction = part(EXACT, "the points")
    reason: str = part(REASON, "why")


@dataclass(frozen=True, slots=True)
class EntrantPointsAdjusted(Event):
    """The director gives an entrant points, or takes some."""

    TYPE: ClassVar = "points_adjusted"
    PLACE: ClassVar = Place.SESSION
    entrant: str = part(ENTRANT, "whose points")
    points: Fraction = part(EXACT, "by how much, with its sign")
    reason: str = part(REASON, "why")
    round: int | None = part(ROUND, "in this round", optional=True)


@dataclass(frozen=True, slots=True)
class HandRuled(Event):
    """The director rules whether a hand after time counts."""

    TYPE: ClassVar = "hand_ruled"
    PLACE: ClassVar = Place.SESSION
    round: int = part(ROUND, "the number of the round")
    table: int = part(TABLE, "the number of the table")
    hand: int = part(Whole(1, 1_000), "the number of the hand")
    counts: bool = part(Flag(), "whether it counts")
    reason: str = part(REASON, "why")


@dataclass(frozen=True, slots=True)
class DirectorCalled(Event):
    """A table calls the director."""

    TYPE: ClassVar = "director_called"
    PLACE: ClassVar = Place.SESSION
    round: int = part(ROUND, "the number of the round")
    table: int = part(TABLE, "the number of the table")
    about: str = part(REASON, "what about")
    caller: str | None = part(PlayerId(), "the player who calls", optional=True)


@dataclass(frozen=True, slots=True)
class CallAnswered(Event):
    """The director has answered a call; the answers are the book of rulings."""

    TYPE: ClassVar = "call_answered"
    PLACE: ClassVar = Place.SESSION
    call: int = part(SEQ, "the seq of the call")
    text: str | None = part(REASON, "the answer", optional=True)


@dataclass(frozen=True, slots=True)
class LotDrawn(Event):
    """Entrants who are equal have drawn cards: this is their order."""

    TYPE: ClassVar = "lot_drawn"
    PLACE: ClassVar = Place.SESSION
    order: tuple[str, ...] = part(Many(ENTRANT, fewest=2), "the first of them, and so on")


@dataclass(frozen=True, slots=True)
class RoundClosed(Event):
    """A round is over."""

    TYPE: ClassVar = "round_closed"
    PLACE: ClassVar = Place.SESSION
    stage: int = part(STAGE, "the number of the stage")
    round: int = part(ROUND, "the number of the round")


@dataclass(frozen=True, slots=True)
class TournamentClosed(Event):
    """The tournament is over: its final standings are those of these sessions as they stood."""

    TYPE: ClassVar = "tournament_closed"
    PLACE: ClassVar = Place.SESSION
    heads: Mapping[str, str] = part(
        Each(NAMED_ID, NAMED_HASH), "from each of its sessions to the hash of its last event"
    )


TOURNAMENT_EVENTS: Final[tuple[type[Event], ...]] = (
    TournamentOpened, PlanChanged, EntrantRegistered, EntrantPresent, EntrantPaid,
    EntrantWithdrawn, EntrantReplaced, RoundDrawn, DrawKept, RoundPublished, RoundStarted,
    TimeAdded, ClockStopped, SeatsExchanged, SeatingCorrected, ResultRecorded, ResultAssigned,
    EntrantPointsAdjusted, HandRuled, DirectorCalled, CallAnswered, LotDrawn, RoundClosed,
    TournamentClosed, NoteAdded, *CORRECTING,
)  # fmt: skip
