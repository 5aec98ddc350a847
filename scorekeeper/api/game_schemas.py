"""Schemas of the answers about games and their rules."""

from typing import Final

from marshmallow import fields

from scorekeeper.api.schemas import AnswerSchema, each, many, number, one_of, part, words

STATUSES: Final = ("source", "found", "ruling")


class GameSummarySchema(AnswerSchema):
    """A game in a few words."""

    id = words("the id, as in a log")
    name = words("the name")
    summary = words("a short description")
    players = many(fields.Integer(), "the possible numbers of players")
    direction = one_of("the direction of play", ("clockwise", "counter-clockwise"))
    rules = number("the version of the rules for new matches")


class GamesSchema(AnswerSchema):
    """The games."""

    games = many(part(GameSummarySchema), "all games")


class PackSchema(AnswerSchema):
    """The cards that a match can be played with."""

    suits = each(fields.String(), "the names of its suits by letter")
    ranks = many(fields.String(), "the ranks of a suit, strongest first")
    cards = each(fields.String(), "the names of its cards by code")


class OptionValueSchema(AnswerSchema):
    """One value of an option, or a family of them."""

    text = words("the meaning of the value")
    schema = each(fields.Raw(), "the JSON Schema of the value, or of a family of values")


class OptionSchema(AnswerSchema):
    """A ruling on which real tables differ."""

    name = words("the name, as in a log")
    clause = words("the clause that it belongs to")
    text = words("the question that it answers")
    note = words(
        "the reason why the default differs from the text of the game; empty if it does not"
    )
    default = fields.Raw(
        required=True, metadata={"description": "the value if a match does not declare one"}
    )
    values = many(part(OptionValueSchema), "the possible values")


class ClauseSchema(AnswerSchema):
    """One rule, with its id."""

    id = words("the id, which lines and findings cite")
    text = words("the text of the rule")
    status = one_of(
        "the origin: the source of the game, other rule books, or a ruling of this project",
        STATUSES,
    )


class GameSchema(GameSummarySchema):
    """A game with its rules, its options and its events."""

    pack = words("the pack if a match does not declare one")
    packs = each(part(PackSchema), "the possible packs, by name")
    options = many(part(OptionSchema), "the options, on which real tables differ")
    settlement = words("the rule by which the result of a match is paid")
    clauses = many(part(ClauseSchema), "the rules, those common to all games last")
    events = each(fields.Raw(), "the JSON Schema of each event of its matches, by type")
