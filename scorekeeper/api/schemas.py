"""What goes out and comes in over HTTP, as marshmallow schemas, from which the document is made.

Answers are plain values when they get here. They are documented by their schema and go out as
they are: a key that a game adds to the report is not lost. That they are what the document
says is for the tests to show.
"""

from typing import Any, Final

from marshmallow import EXCLUDE, Schema, fields, validate

from scorekeeper.api.problems import PROBLEMS
from scorekeeper.scoring import SEVERITY, Severity

WHAT_A_HASH_IS: Final = "expected 64 digits 0-9 and a-f"
HASH: Final = (
    validate.Length(equal=64, error=WHAT_A_HASH_IS),
    validate.Regexp("^[0-9a-f]{64}$", error=WHAT_A_HASH_IS),
)
STATUSES: Final = ("source", "found", "ruling")


def words(doc: str, **more: Any) -> fields.String:
    """A text in an answer."""
    return fields.String(required=True, metadata={"description": doc}, **more)


def number(doc: str, **more: Any) -> fields.Integer:
    """A whole number in an answer."""
    return fields.Integer(required=True, strict=True, metadata={"description": doc}, **more)


def flag(doc: str) -> fields.Boolean:
    """True or false in an answer."""
    return fields.Boolean(required=True, metadata={"description": doc})


def one_of(doc: str, values: Any) -> fields.String:
    """One of a few texts."""
    return words(doc, validate=validate.OneOf(list(values)))


def many(of: Any, doc: str, **more: Any) -> fields.List[Any]:
    """A list in an answer."""
    return fields.List(of, required=True, metadata={"description": doc}, **more)


def each(of: Any, doc: str, **more: Any) -> fields.Dict:
    """An object with a value for each key."""
    return fields.Dict(
        keys=fields.String(), values=of, required=True, metadata={"description": doc}, **more
    )


def part(of: type[Schema], **more: Any) -> fields.Nested:
    """An object with a schema of its own."""
    return fields.Nested(of, required=True, **more)


class AnswerSchema(Schema):
    """An answer: documented, and sent as it is."""

    class Meta:
        """Whoever reads an answer passes over members that came later."""

        unknown = EXCLUDE

    def dump(self, obj: Any, *, many: bool | None = None) -> Any:
        return obj


# ---------------------------------------------------------------------------------- problems


class ProblemSchema(AnswerSchema):
    """What was refused, and why (RFC 9457)."""

    type = words("where this kind of problem is explained")
    title = words("what kind of problem it is")
    status = number("the HTTP status")
    code = words(f"what kind of problem it is, for programs: {', '.join(PROBLEMS)}, …")
    detail = words("what was expected, and what came")
    line = fields.Integer(metadata={"description": "the line of the log at fault, from 1"})
    field = fields.String(metadata={"description": "the field or parameter at fault"})


# ------------------------------------------------------------------------------------ report


class PlayerSchema(AnswerSchema):
    """Somebody at the table."""

    id = words("the id that events name the player by")
    name = words("what the others call the player")


class SessionSchema(AnswerSchema):
    """The evening."""

    title = words("what the evening is called")
    place = words("where it is played", allow_none=True)
    players = many(part(PlayerSchema), "who is there")
    closed = flag("whether the evening has ended")
    events = number("how many events the log has")
    head = words("the last hash of a sealed log", allow_none=True)


class LineSchema(AnswerSchema):
    """Points to one side, under one rule, proved by events."""

    side = words("whose points they are")
    points = number("how many, with their sign")
    rule = words("the clause that gives them")
    text = words("why, in words")
    events = many(fields.Integer(), "the seqs of the events that prove it")


class HandSchema(AnswerSchema):
    """One deal and its play."""

    hand = number("its number in the match")
    game = fields.Integer(metadata={"description": "in Picchetto: the number of its game"})
    dealer = words("who dealt")
    status = one_of("how it stands", ("open", "complete", "abandoned", "incomplete"))
    level = one_of("how fine its record is", ("totals", "tricks", "cards", "mixed"))
    scores = each(fields.Integer(), "what each side scores in it: the sum of its lines")
    totals = each(fields.Integer(), "the totals of the match after it")
    taken = each(fields.Integer(), "what each side took of the deal", allow_none=True)
    winner = words("the side that won the hand, where hands are won", allow_none=True)
    lines = many(part(LineSchema), "the points, one by one")
    confirmed = many(fields.String(), "the players who signed it as it stands")
    disputed = flag("whether a dispute about it is open")


class GameOfMatchSchema(AnswerSchema):
    """One of the games that a match of Picchetto is made of."""

    name = one_of("which of them", ("game", "return", "final"))
    target = number("the score that wins it")
    scores = each(fields.Integer(), "the score of each player, with penalties")
    winner = words("who won it", allow_none=True)


class MatchSchema(AnswerSchema):
    """One match of one game."""

    match = number("its number in the session")
    game = words("the id of the game")
    rules = number("the version of the game's rules that it is played under")
    seats = many(fields.String(), "the players in order of play")
    sides = each(fields.List(fields.String()), "the players of each side")
    options = each(fields.Raw(), "every option, with the value that it is played with")
    status = one_of("how it stands", ("open", "finished"))
    winners = many(fields.String(), "of a finished match, all sides with the highest total")
    totals = each(fields.Integer(), "the score of the match, with penalties")
    hands = many(part(HandSchema), "its hands")
    games = fields.List(
        part(GameOfMatchSchema), metadata={"description": "in Picchetto: the games of the match"}
    )


class FindingSchema(AnswerSchema):
    """Something wrong, irregular or in doubt."""

    code = one_of("what is wrong, for programs", SEVERITY)
    severity = one_of("how grave it is", [one.value for one in Severity])
    match = number("the match that it is about", allow_none=True)
    hand = number("the hand that it is about", allow_none=True)
    events = many(fields.Integer(), "the event at fault, then those that prove it")
    rule = words("the clause that it rests on")
    message = words("what is wrong, in words")
    sides = many(fields.String(), "whom it concerns")


class EventSchema(AnswerSchema):
    """An event, as a log by hand has it."""

    type = words("what happened")
    data = each(fields.Raw(), "its facts")


class CorrectionSchema(AnswerSchema):
    """An event that corrects an earlier one."""

    seq = number("the event that corrects")
    type = one_of("how", ("event_struck", "event_replaced", "event_inserted"))
    reason = words("why")
    stands = flag("whether it has effect: it has none where a later one struck it")
    names = number("the event that it strikes or replaces, or comes after")
    before = part(EventSchema, allow_none=True, metadata={"description": "what was said"})
    after = part(EventSchema, allow_none=True, metadata={"description": "what is said instead"})


class ReportSchema(AnswerSchema):
    """What a log comes to."""

    session = part(SessionSchema, metadata={"description": "the evening"})
    matches = many(part(MatchSchema), "the matches of the evening")
    findings = many(part(FindingSchema), "what is wrong, irregular or in doubt")
    corrections = many(part(CorrectionSchema), "what was corrected")


# ----------------------------------------------------------------------------------- verdict


class RememberedSchema(Schema):
    """How a log ended, as somebody remembers it."""

    head = fields.String(validate=HASH, metadata={"description": "its last hash"})
    count = fields.Integer(
        validate=validate.Range(0, 2**53 - 1, error="expected a whole number from 0 on"),
        error_messages={"invalid": "expected a whole number from 0 on"},
        metadata={"description": "how many events it had"},
    )


class VerdictSchema(AnswerSchema):
    """Whether a sealed log is whole."""

    ok = flag("whether the log is whole")
    events = number("how many events are whole")
    head = words("the hash of the last whole event, empty where there is none")
    first_bad_line = number("the first line that is not as it was written", allow_none=True)
    reason = words("what is wrong with it, empty where nothing is")


# ------------------------------------------------------------------------------------- games


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
    clauses = many(part(ClauseSchema), "the rules, those common to all games last")
    events = each(fields.Raw(), "the JSON Schema of each event of its matches, by type")
