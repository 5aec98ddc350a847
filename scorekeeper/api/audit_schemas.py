"""Schemas of the answers about audits, what-if questions and explanations."""

from marshmallow import fields

from scorekeeper.api.schemas import (
    AnswerSchema,
    each,
    flag,
    many,
    number,
    one_of,
    part,
    words,
)
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.games.picchetto.views import ReckoningView
from scorekeeper.report import views


class SuggestionSchema(AnswerSchema):
    """Corrections that would make the record of a hand agree with itself."""

    match = number("the number of the match")
    hand = number("the number of the hand in it")
    corrections = many(
        part(schema_of(views.EventView)), "the corrections, several to be recorded as a set"
    )
    resolves = many(fields.String(), "the codes of the findings that would be gone")
    leaves = many(fields.String(), "the codes of the findings that would stay or appear")
    scores = each(fields.Integer(), "the score of each side in the hand with these corrections")


class SearchedSchema(AnswerSchema):
    """How much of the search for suggestions was done within its time."""

    hands = number("the number of hands that were searched completely")
    of = number("the number of hands that need corrections")
    tried = number("the number of corrections that were tried")
    untried = number(
        "the number of corrections that were not tried: for lack of time, or because "
        "likelier ones sufficed"
    )
    said = fields.String(
        metadata={"description": "the extent of the search in words, if it is incomplete"}
    )


class AuditedSchema(schema_of(views.ReportView)):  # type: ignore[misc]
    """The report, and suggested corrections of its hands."""

    suggestions = many(
        part(SuggestionSchema),
        "suggestions for each hand, the best first; only if they were requested",
        required=False,
    )
    searched = part(
        SearchedSchema,
        "the extent of the search; only if suggestions were requested",
        required=False,
    )


# ------------------------------------------------------------------------------ explanations


class ExplainedEventSchema(AnswerSchema):
    """An event with its corrections applied."""

    seq = number("its place in the log")
    type = words("the type of the event")
    text = words("the event as a sentence")
    by = words("the name of the author; empty in a log by hand")
    corrected = words(
        "the effect of a correction: struck, replaced or inserted; null without one",
        allow_none=True,
    )


class TrickCardSchema(AnswerSchema):
    """A card in its trick."""

    seq = number("the seq of the event that played it")
    player = words("the player of the card")
    card = words("the card")
    did = one_of("the role of the card in the trick", ("led", "followed", "trumped", "discarded"))
    beaten_by = words("the card that beat it; null if it won or could not win", allow_none=True)


class TrickSchema(AnswerSchema):
    """A trick, its winner, and the reason."""

    trick = number("its number in the hand")
    winner = words("the player who took it; null if that is not on record", allow_none=True)
    by = words("the reason: cards, said (declared at the table) or rest (claimed)", allow_none=True)
    why = words("the reason in words")
    rule = words("the clause", allow_none=True)
    clause = words("the text of the clause", allow_none=True)
    led = words("the player who led to it", allow_none=True)
    suit = words("the suit led", allow_none=True)
    trumps = many(fields.String(), "the suits that can trump it, the best one first")
    cards = many(part(TrickCardSchema), "its cards in their order")
    events = many(part(ExplainedEventSchema), "the recorded events of the trick")


class ExplainedLineSchema(AnswerSchema):
    """Points to one side, down to what proves them."""

    side = words("the side that gets the points")
    points = number("the points, with their sign")
    text = words("the reason in words")
    rule = words("the clause that gives them")
    clause = words("the text of the clause")
    events = many(part(ExplainedEventSchema), "the events that prove it, beside tricks")
    tricks = many(fields.Integer(), "the numbers of the tricks that prove it")


class PenaltySchema(AnswerSchema):
    """Points that no hand made."""

    side = words("the side that gets the points")
    points = number("the points, with their sign")
    reason = words("the reason for the penalty")
    seq = number("the seq of the event")
    in_totals = flag("true if the totals of the match count it; in Picchetto a game counts it")
    rule = words("the clause")
    clause = words("the text of the clause")


class ExplainedHandSchema(AnswerSchema):
    """A hand, down to its tricks."""

    hand = number("its number in the match")
    dealer = words("the dealer")
    status = one_of("the status of the hand", ("open", "complete", "abandoned", "incomplete"))
    scores = each(fields.Integer(), "the score of each side in the hand: the sum of its lines")
    adds = each(
        fields.Integer(), "the points that the hand adds to the totals of the match, by side"
    )
    penalties = many(part(PenaltySchema), "the penalties given in it")
    lines = many(part(ExplainedLineSchema), "the points, one by one")
    tricks = many(part(TrickSchema), "the tricks on record")


class ExplainedGameSchema(AnswerSchema):
    """One of the games that a match of Picchetto is made of."""

    name = one_of("the game of the match", ("game", "return", "final"))
    target = number("the score that wins it")
    scores = each(fields.Integer(), "the score of each player, with penalties")
    winner = words("the winner", allow_none=True)
    hands = many(fields.Integer(), "the numbers of its hands")
    penalties = each(fields.Integer(), "the points of its score that are penalties, by player")
    counts = fields.Integer(metadata={"description": "2 if it counts for two games"})


class ExplainedMatchSchema(AnswerSchema):
    """A match: its totals are what its hands add, and the penalties that they count."""

    match = number("its number in the session")
    game = words("the id of the game")
    sides = each(fields.List(fields.String()), "the players of each side")
    status = one_of("the status of the match", ("open", "finished"))
    totals = each(fields.Integer(), "the score of the match")
    penalties = many(part(PenaltySchema), "the penalties given before its first hand")
    hands = many(part(ExplainedHandSchema), "its hands, or the requested one")
    games = many(part(ExplainedGameSchema), "the games of the match; in Picchetto only")
    reckoning = part(
        schema_of(ReckoningView),
        "in Picchetto: the reckoning of a match over fixed hands",
        required=False,
    )


class ExplanationSchema(AnswerSchema):
    """The tree from totals down to events and clauses."""

    matches = many(part(ExplainedMatchSchema), "the matches, or the requested one")
