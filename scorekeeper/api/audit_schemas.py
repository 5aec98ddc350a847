"""Schemas of the answers about audits, what-if questions and explanations."""

from marshmallow import fields

from scorekeeper.api.schemas import (
    AnswerSchema,
    each,
    many,
    number,
    part,
)
from scorekeeper.api.view_schemas import schema_of
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
