"""Schemas of the answers about games and their rules."""

from typing import Final

from marshmallow import fields

from scorekeeper.api.schemas import AnswerSchema, each, many, number, one_of, part, words

STATUSES: Final = ("source", "found", "ruling")


class GameSummarySchema(AnswerSchema):
    """A game in a few words."""

    id = words("what a log calls it")
    name = words("what players call it")
    summary = words("what it is about")
    players = many(fields.Integer(), "how many can play")
    direction = one_of("which way the play goes round", ("clockwise", "counter-clockwise"))
    rules = number("the version of its rules that new matches are played under")


class GamesSchema(AnswerSchema):
    """The games."""

    games = many(part(GameSummarySchema), "all of them")


class PackSchema(AnswerSchema):
    """The cards that a match can be played with."""

    suits = each(fields.String(), "the names of its suits by letter")
    ranks = many(fields.String(), "the ranks of a suit, strongest first")
    cards = each(fields.String(), "the names of its cards by code")


class OptionValueSchema(AnswerSchema):
    """One value of an option, or a family of them."""

    text = words("what it means")
    schema = each(fields.Raw(), "the JSON Schema of the value, or of a family of values")


class OptionSchema(AnswerSchema):
    """A ruling on which real tables differ."""

    name = words("what a log calls it")
    clause = words("the clause that it belongs to")
    text = words("the question that it answers")
    note = words("where the default differs from the text of the game, and why; mostly empty")
    default = fields.Raw(required=True, metadata={"description": "where a match says nothing"})
    values = many(part(OptionValueSchema), "the answers")


class ClauseSchema(AnswerSchema):
    """One rule, with its id."""

    id = words("what lines and findings cite")
    text = words("the rule")
    status = one_of("who says so: the source, other rule books, or this project", STATUSES)


class GameSchema(GameSummarySchema):
    """A game with its rules, its options and its events."""

    pack = words("the pack that it is played with, where a match says nothing")
    packs = each(part(PackSchema), "the packs that it can be played with, by name")
    options = many(part(OptionSchema), "what real tables differ on")
    settlement = words("who pays whom for what a match comes to")
    clauses = many(part(ClauseSchema), "the rules, those common to all games last")
    events = each(fields.Raw(), "the JSON Schema of each event of its matches, by type")
