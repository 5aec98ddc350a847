"""Schemas of the answers about audits, what-if questions and explanations."""

from marshmallow import fields

from scorekeeper.api.report_schemas import ReckoningSchema, ReportSchema
from scorekeeper.api.schemas import (
    AnswerSchema,
    EventSchema,
    each,
    flag,
    many,
    number,
    one_of,
    part,
    words,
)


class SuggestionSchema(AnswerSchema):
    """Corrections that would make the record of a hand agree with itself."""

    match = number("the match")
    hand = number("the hand in it")
    corrections = many(part(EventSchema), "the corrections, several to be recorded as a set")
    resolves = many(fields.String(), "the codes of the findings that would be gone")
    leaves = many(fields.String(), "the codes of those that would stay, or come")
    scores = each(fields.Integer(), "what each side would score in the hand")


class SearchedSchema(AnswerSchema):
    """How much of the search for suggestions was done within its time."""

    hands = number("the hands that were searched to the end")
    of = number("the hands that need to be set right")
    tried = number("the corrections that were tried")
    untried = number("those that were not: for lack of time, or because likelier ones sufficed")
    said = fields.String(metadata={"description": "in words, where it did not come to the end"})


class AuditedSchema(ReportSchema):
    """The report, and suggested corrections of its hands."""

    suggestions = many(
        part(SuggestionSchema), "where asked for: for each hand, the best first", required=False
    )
    searched = part(SearchedSchema, "where asked for: how far the search came", required=False)


# ------------------------------------------------------------------------------ what-if


class ChangeSchema(AnswerSchema):
    """How a match, or a hand of it, would differ."""

    match = number("the number of the match")
    hand = number("the number of the hand, null for the match itself", allow_none=True)
    before = each(fields.Raw(), "its members that differ, as they are, with the findings that "
                  "would be gone; null where it is not there", allow_none=True)  # fmt: skip
    after = each(fields.Raw(), "the same as they would be, with the findings that would come; "
                 "null where it would not be there", allow_none=True)  # fmt: skip


class SignaturesSchema(AnswerSchema):
    """The signatures that a proposal needs before it can be carried out."""

    matches = many(fields.Integer(), "the match of the hand, and those that change beside it")
    needed = one_of(
        "of whom in the match of the hand; of the others every seat", ("sides", "seats")
    )
    of = many(fields.String(), "the sides and seats of which a signature is needed")
    missing = many(fields.String(), "those of which it is still missing")


class WhatIfSchema(AnswerSchema):
    """The report of a session under a supposition, and how it differs."""

    report = part(ReportSchema, "the report as it would be")
    difference = many(part(ChangeSchema), "what would be otherwise, in order")
    matches = many(fields.Integer(), "the numbers of the matches that would be otherwise")
    signatures = part(
        SignaturesSchema, "where a proposal of a session is asked about that can be signed",
        required=False,
    )  # fmt: skip


# ------------------------------------------------------------------------------ explanations


class ExplainedEventSchema(AnswerSchema):
    """An event with its corrections applied."""

    seq = number("its place in the log")
    type = words("what happened")
    text = words("the same in words")
    by = words("who recorded it, by name; empty in a log by hand")
    corrected = words("struck, replaced or inserted, where a correction did that", allow_none=True)


class TrickCardSchema(AnswerSchema):
    """A card in its trick."""

    seq = number("the event that played it")
    player = words("who played it")
    card = words("the card")
    did = one_of("what it did there", ("led", "followed", "trumped", "discarded"))
    beaten_by = words("the card that beat it; null where it won or could not win", allow_none=True)


class TrickSchema(AnswerSchema):
    """A trick, its winner, and the reason."""

    trick = number("its number in the hand")
    winner = words("who took it, where that is on record", allow_none=True)
    by = words("what decides it: cards, said (at the table) or rest (claimed)", allow_none=True)
    why = words("why, in words")
    rule = words("the clause", allow_none=True)
    clause = words("its text", allow_none=True)
    led = words("who led to it", allow_none=True)
    suit = words("the suit led", allow_none=True)
    trumps = many(fields.String(), "the suits that could trump it, the best one first")
    cards = many(part(TrickCardSchema), "its cards in their order")
    events = many(part(ExplainedEventSchema), "what is on record of it")


class ExplainedLineSchema(AnswerSchema):
    """Points to one side, down to what proves them."""

    side = words("whose points they are")
    points = number("how many, with their sign")
    text = words("why, in words")
    rule = words("the clause that gives them")
    clause = words("its text")
    events = many(part(ExplainedEventSchema), "the events that prove it, beside tricks")
    tricks = many(fields.Integer(), "the numbers of the tricks that prove it")


class PenaltySchema(AnswerSchema):
    """Points that no hand made."""

    side = words("whose points they are")
    points = number("how many, with their sign")
    reason = words("why it was given")
    seq = number("the event")
    in_totals = flag("whether the totals of the match count it; in Picchetto a game does")
    rule = words("the clause")
    clause = words("its text")


class ExplainedHandSchema(AnswerSchema):
    """A hand, down to its tricks."""

    hand = number("its number in the match")
    dealer = words("who dealt")
    status = one_of("how it stands", ("open", "complete", "abandoned", "incomplete"))
    scores = each(fields.Integer(), "what each side scores in it: the sum of its lines")
    adds = each(fields.Integer(), "what it adds to the totals of the match")
    penalties = many(part(PenaltySchema), "the penalties given in it")
    lines = many(part(ExplainedLineSchema), "the points, one by one")
    tricks = many(part(TrickSchema), "the tricks on record")


class ExplainedGameSchema(AnswerSchema):
    """One of the games that a match of Picchetto is made of."""

    name = one_of("which of them", ("game", "return", "final"))
    target = number("the score that wins it")
    scores = each(fields.Integer(), "its score: that of its hands, and penalties")
    winner = words("who won it", allow_none=True)
    hands = many(fields.Integer(), "the numbers of its hands")
    penalties = each(fields.Integer(), "what penalties made of its score")
    counts = fields.Integer(metadata={"description": "2 where it counts for two games"})


class ExplainedMatchSchema(AnswerSchema):
    """A match: its totals are what its hands add, and the penalties that they count."""

    match = number("its number in the session")
    game = words("the id of the game")
    sides = each(fields.List(fields.String()), "the players of each side")
    status = one_of("how it stands", ("open", "finished"))
    totals = each(fields.Integer(), "the score of the match")
    penalties = many(part(PenaltySchema), "the penalties given before its first hand")
    hands = many(part(ExplainedHandSchema), "its hands, or the one that was asked for")
    games = many(part(ExplainedGameSchema), "in Picchetto: the games of the match")
    reckoning = part(
        ReckoningSchema, "in Picchetto: the reckoning of a match over fixed hands", required=False
    )


class ExplanationSchema(AnswerSchema):
    """The tree from totals down to events and clauses."""

    matches = many(part(ExplainedMatchSchema), "the matches, or the one that was asked for")
