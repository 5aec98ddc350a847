"""The explanation of scores as declared values: from it follow its JSON and its schema."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import ExactPoints
from scorekeeper.base.views import DeclaredView, declare, own_members
from scorekeeper.report.views import HAND_STATUSES


@dataclass(frozen=True, slots=True)
class ExplainedEventView(DeclaredView):
    """An event with its corrections applied."""

    seq: int = declare("its place in the log")
    type: str = declare("the type of the event")
    text: str = declare("the event as a sentence")
    by: str = declare("the name of the author; empty in a log by hand")
    corrected: str | None = declare(
        "the effect of a correction: struck, replaced or inserted; null without one"
    )


@dataclass(frozen=True, slots=True)
class TrickCardView(DeclaredView):
    """A card in its trick."""

    seq: int = declare("the seq of the event that played it")
    player: str = declare("the player of the card")
    card: str = declare("the card")
    did: str = declare(
        "the role of the card in the trick", values=("led", "followed", "trumped", "discarded")
    )
    beaten_by: str | None = declare("the card that beat it; null if it won or could not win")


@dataclass(frozen=True, slots=True)
class TrickView(DeclaredView):
    """A trick, its winner, and the reason."""

    trick: int = declare("its number in the hand")
    winner: str | None = declare("the player who took it; null if that is not on record")
    by: str | None = declare("the reason: cards, said (declared at the table) or rest (claimed)")
    why: str = declare("the reason in words")
    rule: str | None = declare("the clause")
    clause: str | None = declare("the text of the clause")
    led: str | None = declare("the player who led to it")
    suit: str | None = declare("the suit led")
    trumps: Sequence[str] = declare("the suits that can trump it, the best one first")
    cards: Sequence[TrickCardView] = declare("its cards in their order")
    events: Sequence[ExplainedEventView] = declare("the recorded events of the trick")


@dataclass(frozen=True, slots=True)
class ExplainedLineView(DeclaredView):
    """Points to one side, down to what proves them."""

    side: str = declare("the side that gets the points")
    points: ExactPoints = declare("the points, with their sign")
    text: str = declare("the reason in words")
    rule: str = declare("the clause that gives them")
    clause: str = declare("the text of the clause")
    events: Sequence[ExplainedEventView] = declare("the events that prove it, beside tricks")
    tricks: Sequence[int] = declare("the numbers of the tricks that prove it")


@dataclass(frozen=True, slots=True)
class PenaltyView(DeclaredView):
    """Points that no hand made."""

    side: str = declare("the side that gets the points")
    points: ExactPoints = declare("the points, with their sign")
    reason: str = declare("the reason for the penalty")
    seq: int = declare("the seq of the event")
    in_totals: bool = declare(
        "true if the totals of the match count it; in Picchetto a game counts it"
    )
    rule: str = declare("the clause")
    clause: str = declare("the text of the clause")


@dataclass(frozen=True, slots=True)
class ExplainedHandView(DeclaredView):
    """A hand, down to its tricks."""

    hand: int = declare("its number in the match")
    dealer: str = declare("the dealer")
    status: str = declare("the status of the hand", values=HAND_STATUSES)
    scores: Mapping[str, ExactPoints] = declare(
        "the score of each side in the hand: the sum of its lines"
    )
    adds: Mapping[str, ExactPoints] = declare(
        "the points that the hand adds to the totals of the match, by side"
    )
    penalties: Sequence[PenaltyView] = declare("the penalties given in it")
    lines: Sequence[ExplainedLineView] = declare("the points, one by one")
    tricks: Sequence[TrickView] = declare("the tricks on record")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedGameView(DeclaredView):
    """One of the games that a match of Picchetto is made of."""

    own: JsonObject = own_members("the members that the rules of the match declare")
    hands: Sequence[int] = declare("the numbers of its hands")
    penalties: Mapping[str, int] = declare("the points of its score that are penalties, by player")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedMatchView(DeclaredView):
    """A match: its totals are what its hands add, and the penalties that they count."""

    match: int = declare("its number in the session")
    game: str = declare("the id of the game")
    sides: Mapping[str, Sequence[str]] = declare("the players of each side")
    status: str = declare("the status of the match", values=("open", "finished"))
    totals: Mapping[str, ExactPoints] = declare("the score of the match")
    penalties: Sequence[PenaltyView] = declare("the penalties given before its first hand")
    hands: Sequence[ExplainedHandView] = declare("its hands, or the requested one")
    own: JsonObject = own_members("the members that the game adds")
    games: Sequence[ExplainedGameView] = declare("the games of the match; in Picchetto only")


@dataclass(frozen=True, slots=True)
class ExplanationView(DeclaredView):
    """The tree from totals down to events and clauses."""

    matches: Sequence[ExplainedMatchView] = declare("the matches, or the requested one")
