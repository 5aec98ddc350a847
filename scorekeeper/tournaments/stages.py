"""The rules of a stage, as they are declared in the log: its draw, its points and its ties."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from scorekeeper.events.fields import (
    TITLE,
    AnyOf,
    Declared,
    Each,
    Exact,
    Flag,
    Many,
    Nested,
    OneOf,
    Whole,
    Words,
    part,
)

DRAWS: Final = ("balanced", "random", "ranked", "mitchell", "all_play_all", "partners", "knockout",
                "by_hand")  # fmt: skip
REMATCHES: Final = ("allowed", "not_next", "never")
TIE_RULES: Final = ("points", "score", "difference", "scored", "conceded", "wins", "hands_won",
                    "contracts_made", "best_hand", "best_round", "countback", "head_to_head",
                    "opponents", "lot", "shared")  # fmt: skip
DEFAULT_TIES: Final = ("points", "score", "head_to_head", "best_round", "shared")
AVERAGE: Final = "average"
NOTHING: Final = "nothing"
SCORE, PLACES, MATCH = "score", "places", "match"

ROUNDS: Final = Whole(1, 60)
HANDS: Final = Whole(1, 1_000)
MINUTES: Final = Whole(1, 24 * 60)
STAGE_NAME: Final = TITLE
AT_TIME: Final = OneOf(("finish", "one_more", "stop", "play_out"), words="")
TIES: Final = Many(OneOf(TIE_RULES, words=""), fewest=1)
BYE: Final = AnyOf((OneOf((AVERAGE, NOTHING), words=""), Exact()))
MISSED: Final = Exact()
CARRY: Final = OneOf(("none", "all", "half"), words="")


@dataclass(frozen=True, slots=True)
class TableRange(Declared):
    """The sizes that tables may have, in entrants."""

    smallest: int = part(Whole(2, 20), "the smallest", log_name="from")
    to: int = part(Whole(2, 20), "the largest")


@dataclass(frozen=True, slots=True)
class ScaleStep(Declared):
    """The points of a side that is ahead by at least so much."""

    difference: int = part(Whole(0, 1_000_000), "the difference of the scores", log_name="from")
    points: Fraction = part(Exact(), "the points of the side that is ahead")
    other: Fraction = part(Exact(), "the points of the other side")


@dataclass(frozen=True, slots=True)
class PointRule(Declared):
    """How the points of a round follow from the scores of its tables."""

    by: str = part(OneOf((SCORE, PLACES, MATCH), words=""), "what counts")
    per_hand: bool | None = part(Flag(), "of score: divided by the number of hands", optional=True)
    tables: Mapping[str, tuple[Fraction, ...]] | None = part(
        Each(Words(2, name=True), Many(Exact(), fewest=2, most=20, unique=False)),
        "of places: by the number of entrants, what the first, the second and so on gets",
        optional=True,
    )
    won: Fraction | None = part(Exact(), "of match: what the winner gets, else 2", optional=True)
    drawn: Fraction | None = part(Exact(), "of match: what each gets, else 1", optional=True)
    lost: Fraction | None = part(Exact(), "of match: what the loser gets, else 0", optional=True)
    scale: tuple[ScaleStep, ...] | None = part(
        Many(Nested(ScaleStep), fewest=1, unique=False),
        "of match: the points by the difference, the smallest first",
        optional=True,
    )


@dataclass(frozen=True, slots=True)
class Advance(Declared):
    """Who goes on to the next stage."""

    overall: int | None = part(Whole(1, 400), "so many of all", optional=True)
    each: int | None = part(Whole(1, 400), "so many of each table or group", optional=True)
    best: int | None = part(Whole(1, 400), "and so many of the next ones", optional=True)
    places: str | None = part(OneOf(("all",), words=""), "finals for every place", optional=True)


POINTS: Final = AnyOf((OneOf((SCORE, PLACES, MATCH), words=""), Nested(PointRule)))
ADVANCE: Final = Nested(Advance)


@dataclass(frozen=True, slots=True)
class Stage(Declared):
    """A stage of a tournament: rounds that are drawn in the same way and added up."""

    name: str = part(STAGE_NAME, "what it is called")
    draw: str = part(OneOf(DRAWS, words=""), "how its rounds are drawn")
    rounds: int = part(ROUNDS, "how many rounds it has")
    points: str | PointRule = part(POINTS, "the points of a round")
    table: TableRange | None = part(
        Nested(TableRange), "the sizes of its tables, else those of the game", optional=True
    )
    hands: int | None = part(HANDS, "how many hands each plays in a round", optional=True)
    minutes: int | None = part(MINUTES, "how long a round is", optional=True)
    at_time: str | None = part(AT_TIME, "what happens at the end of the time", optional=True)
    ties: tuple[str, ...] | None = part(TIES, "what parts equals, in this order", optional=True)
    bye: str | Fraction | None = part(BYE, "the points of a bye, else average", optional=True)
    missed: Fraction | None = part(
        MISSED, "the points of a missed round, else those of the last place", optional=True
    )
    carry: str | None = part(CARRY, "which earlier points count, else none", optional=True)
    best: int | None = part(ROUNDS, "how many rounds count, the best", optional=True)
    advance: Advance | None = part(ADVANCE, "who goes on to the next stage", optional=True)
    rematch: str | None = part(
        OneOf(REMATCHES, words=""), "of ranked: whether the same may meet again", optional=True
    )
    group: int | None = part(
        Whole(2, 20), "of all_play_all: so many in a group, or one more", optional=True
    )
    lives: int | None = part(Whole(1, 2), "of knockout: so many lost matches end it", optional=True)
    third_place: bool | None = part(
        Flag(), "of knockout: whether the third place is played for", optional=True
    )

    @property
    def rule(self) -> PointRule:
        """The rule of its points."""
        return self.points if isinstance(self.points, PointRule) else PointRule(self.points)

    @property
    def tie_rules(self) -> tuple[str, ...]:
        """The chain of its tie-breaks."""
        return self.ties or DEFAULT_TIES
