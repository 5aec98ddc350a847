"""The explanation of scores as declared values: from it follow its JSON and its schema."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import DeclaredView, figure, own_members
from scorekeeper.report.views import HAND_STATUSES


@dataclass(frozen=True, slots=True)
class ExplainedEventView(DeclaredView):
    """An event with its corrections applied."""

    seq: int = figure("its place in the log")
    type: str = figure("the type of the event")
    text: str = figure("the event as a sentence")
    by: str = figure("the name of the author; empty in a log by hand")
    corrected: str | None = figure(
        "the effect of a correction: struck, replaced or inserted; null without one"
    )


@dataclass(frozen=True, slots=True)
class TrickCardView(DeclaredView):
    """A card in its trick."""

    seq: int = figure("the seq of the event that played it")
    player: str = figure("the player of the card")
    card: str = figure("the card")
    did: str = figure(
        "the role of the card in the trick", values=("led", "followed", "trumped", "discarded")
    )
    beaten_by: str | None = figure("the card that beat it; null if it won or could not win")


@dataclass(frozen=True, slots=True)
class TrickView(DeclaredView):
    """A trick, its winner, and the reason."""

    trick: int = figure("its number in the hand")
    winner: str | None = figure("the player who took it; null if that is not on record")
    by: str | None = figure("the reason: cards, said (declared at the table) or rest (claimed)")
    why: str = figure("the reason in words")
    rule: str | None = figure("the clause")
    clause: str | None = figure("the text of the clause")
    led: str | None = figure("the player who led to it")
    suit: str | None = figure("the suit led")
    trumps: Sequence[str] = figure("the suits that can trump it, the best one first")
    cards: Sequence[TrickCardView] = figure("its cards in their order")
    events: Sequence[ExplainedEventView] = figure("the recorded events of the trick")


@dataclass(frozen=True, slots=True)
class ExplainedLineView(DeclaredView):
    """Points to one side, down to what proves them."""

    side: str = figure("the side that gets the points")
    points: int = figure("the points, with their sign")
    text: str = figure("the reason in words")
    rule: str = figure("the clause that gives them")
    clause: str = figure("the text of the clause")
    events: Sequence[ExplainedEventView] = figure("the events that prove it, beside tricks")
    tricks: Sequence[int] = figure("the numbers of the tricks that prove it")


@dataclass(frozen=True, slots=True)
class PenaltyView(DeclaredView):
    """Points that no hand made."""

    side: str = figure("the side that gets the points")
    points: int = figure("the points, with their sign")
    reason: str = figure("the reason for the penalty")
    seq: int = figure("the seq of the event")
    in_totals: bool = figure(
        "true if the totals of the match count it; in Picchetto a game counts it"
    )
    rule: str = figure("the clause")
    clause: str = figure("the text of the clause")


@dataclass(frozen=True, slots=True)
class ExplainedHandView(DeclaredView):
    """A hand, down to its tricks."""

    hand: int = figure("its number in the match")
    dealer: str = figure("the dealer")
    status: str = figure("the status of the hand", values=HAND_STATUSES)
    scores: Mapping[str, int] = figure("the score of each side in the hand: the sum of its lines")
    adds: Mapping[str, int] = figure(
        "the points that the hand adds to the totals of the match, by side"
    )
    penalties: Sequence[PenaltyView] = figure("the penalties given in it")
    lines: Sequence[ExplainedLineView] = figure("the points, one by one")
    tricks: Sequence[TrickView] = figure("the tricks on record")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedGameView(DeclaredView):
    """One of the games that a match of Picchetto is made of."""

    own: JsonObject = own_members("the members that the rules of the match declare")
    hands: Sequence[int] = figure("the numbers of its hands")
    penalties: Mapping[str, int] = figure("the points of its score that are penalties, by player")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedMatchView(DeclaredView):
    """A match: its totals are what its hands add, and the penalties that they count."""

    match: int = figure("its number in the session")
    game: str = figure("the id of the game")
    sides: Mapping[str, Sequence[str]] = figure("the players of each side")
    status: str = figure("the status of the match", values=("open", "finished"))
    totals: Mapping[str, int] = figure("the score of the match")
    penalties: Sequence[PenaltyView] = figure("the penalties given before its first hand")
    hands: Sequence[ExplainedHandView] = figure("its hands, or the requested one")
    own: JsonObject = own_members("the members that the game adds")
    games: Sequence[ExplainedGameView] = figure("the games of the match; in Picchetto only")


@dataclass(frozen=True, slots=True)
class ExplanationView(DeclaredView):
    """The tree from totals down to events and clauses."""

    matches: Sequence[ExplainedMatchView] = figure("the matches, or the requested one")
