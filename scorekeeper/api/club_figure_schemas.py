"""What the evenings of a club come to, as the document describes it."""

from typing import Final

from marshmallow import fields

from scorekeeper.api.club_schemas import SeasonSchema, figure_of
from scorekeeper.api.event_schemas import ReaderSchema, TableReaderSchema
from scorekeeper.api.report_schemas import DueSchema, PaymentSchema
from scorekeeper.api.schemas import AnswerSchema, counted, each, flag, many, number, part, words
from scorekeeper.clubs.hand import PARTS
from scorekeeper.clubs.records import OF_A_GAME, OF_THE_CLUB

ALL_RECORDS: Final = ", ".join(f"`{one}`" for one in (*OF_A_GAME, *OF_THE_CLUB))


# ------------------------------------------------------------------------------------ queries


class SeasonReaderSchema(SeasonSchema, ReaderSchema):
    """Which season, and for whom a file of it is made."""


class SeasonTableReaderSchema(SeasonSchema, TableReaderSchema):
    """The same of a table."""


class FeedSchema(SeasonSchema, ReaderSchema):
    """Which evenings, and for whom; of all evenings where no season is said."""

    key = fields.String(metadata={"description": "a key to view, in place of the header"})


# ------------------------------------------------------------------------------ of one member


class WhoSchema(AnswerSchema):
    """A member."""

    member = words("the id of the member")
    name = words("what the others call the member")


class WhereSchema(AnswerSchema):
    """Where a figure opens."""

    session = words("the id of its session")
    match = counted("the number of the match in the evening")
    hand = fields.Integer(metadata={"description": "the number of the hand, where it is one's"})
    event = fields.Integer(metadata={"description": "the seq with which that hand began"})


class HandFigureSchema(WhereSchema):
    """What one hand brought."""

    points = number("what it brought")


class RunSchema(AnswerSchema):
    """Matches won one after the other."""

    matches = counted("how many")
    first = part(WhereSchema, "the first of them", data_key="from")
    to = part(WhereSchema, "the last of them")


class FormSchema(AnswerSchema):
    """What one evening came to."""

    session = words("the id of its session")
    began = words("when its first hand was dealt", allow_none=True)
    points = number("the points of its hands")
    hands = counted("how many hands")
    points_a_hand = figure_of("points a hand")


class TallySchema(AnswerSchema):
    """Hands won and not won."""

    hands = counted("how many")
    won = counted("how many of them were won")
    level = counted("how many ended level")
    share = figure_of("the share that was won; what was level counts half")


class FactSchema(AnswerSchema):
    """What a game tells of its hands, counted."""

    fact = words("the id of the fact, as the game declares it")
    label = words("what it is called")
    hands = counted("the hands of which it is known")
    times = fields.Integer(metadata={"description": "how often it was so"})
    average = fields.Float(metadata={"description": "of a number: how much on average"})
    most = fields.Nested(HandFigureSchema, allow_none=True,
                         metadata={"description": "of a number: where it was largest"})  # fmt: skip


class TermsSchema(AnswerSchema):
    """A game on some terms: scores on other terms are never added to these."""

    game = words("the id of the game")
    rules = counted("the version of its rules")
    options = each(fields.Raw(), "the options by which its scores are of one kind")


class GameFiguresSchema(TermsSchema):
    """What a member did in one game on some terms."""

    evenings = counted("how many evenings")
    matches = counted("how many matches")
    finished = counted("how many of them are over")
    hands = counted("how many complete hands")
    won = figure_of("matches won, shared ones in part")
    drawn = counted("matches that were shared")
    points = number("what the hands brought")
    points_a_hand = figure_of("points a hand")
    best = part(HandFigureSchema, "the hand that brought most", allow_none=True)
    worst = part(HandFigureSchema, "the hand that brought least", allow_none=True)
    longest_run = part(RunSchema, "most matches won one after the other", allow_none=True)
    form = many(part(FormSchema), "the last evenings, the latest last")
    parts = each(fields.Nested(TallySchema), f"as {', '.join(PARTS)}, as far as it is known")
    bids = each(fields.Nested(TallySchema), "as bidder, by what was bid")
    facts = many(part(FactSchema), "what the game tells of its hands")
    provisional = flag("whether it may still change by itself")


class MeetingSchema(WhoSchema):
    """How a member does with another, and against the other."""

    hands = counted("hands in which they met")
    together = part(TallySchema, "as partners, or in one party")
    against = part(TallySchema, "against one another")


class MemberFiguresSchema(WhoSchema):
    """What a member did."""

    evenings = counted("how many evenings")
    matches = counted("how many matches")
    hands = counted("how many complete hands")
    won = figure_of("matches won, shared ones in part")
    games = many(part(GameFiguresSchema), "by game and terms, that with most hands first")
    met = many(part(MeetingSchema), "each other member who was met, most hands first")
    best_partners = many(part(MeetingSchema), "with whom most was won, of enough hands")
    nemeses = many(part(MeetingSchema), "who was most often in front, of enough hands")
    enough_hands = counted("how many hands are enough for these two")


# -------------------------------------------------------------------------------- the records


class RecordSchema(AnswerSchema):
    """A figure that nobody has surpassed."""

    what = words(f"of what: {ALL_RECORDS}")
    figure = figure_of("how much")
    members = many(part(WhoSchema), "who had it first, or all who have it")
    place = part(WhereSchema, "where; null of what grew over many evenings", allow_none=True)


class GameRecordsSchema(TermsSchema):
    """The records of one game on some terms."""

    records = many(part(RecordSchema), "its records")


class RecordsSchema(AnswerSchema):
    """The records of a club."""

    games = many(part(GameRecordsSchema), "by game and terms")
    club = many(part(RecordSchema), "over all games")


# ---------------------------------------------------------------------------------- the money


class BalanceSchema(AnswerSchema):
    """What somebody is owed, or owes."""

    account = words("the id of the member; of a guest one of that evening alone")
    name = words("what the others call him")
    amount = number("what is owed to him, below 0 what he owes")
    guest = flag("whether it is a guest")


class NamedPaymentSchema(PaymentSchema):
    """Who pays whom, with their names."""

    from_name = words("what who pays is called")
    to_name = words("what who gets it is called")


class PaidSchema(NamedPaymentSchema):
    """A payment that was made."""

    note = words("what for", allow_none=True)
    at = words("when it was recorded", allow_none=True)
    event = counted("its seq in the log of the club")


class MatchMoneySchema(AnswerSchema):
    """What a match came to in money."""

    match = counted("its number in the evening")
    sides = each(fields.List(fields.String()), "its players by side")
    balances = each(fields.Integer(), "by player")
    made_of = many(part(DueSchema), "what moved it")
    odd = many(fields.String(), "to whom one unit more fell, as it could not be divided")
    provisional = flag("whether it may still change by itself")


class EveningMoneySchema(AnswerSchema):
    """What an evening came to in one currency."""

    session = words("the id of its session")
    began = words("when its first hand was dealt", allow_none=True)
    balances = each(fields.Integer(), "by account")
    matches = many(part(MatchMoneySchema), "its matches")
    provisional = flag("whether it may still change by itself")


class LedgerSchema(AnswerSchema):
    """The money of a club in one currency."""

    currency = words("which")
    digits = counted("decimals of its minor unit")
    balances = many(part(BalanceSchema), "of all accounts, together nothing")
    payments = many(part(NamedPaymentSchema), "those after which nobody owes anything")
    fewest = flag("whether there can be no fewer; of many accounts that is not known")
    provisional = flag("whether it may still change by itself")
    evenings = many(part(EveningMoneySchema), "the evenings that make it")
    paid = many(part(PaidSchema), "what was paid")


class ClubMoneySchema(AnswerSchema):
    """The money of a club."""

    money = many(part(LedgerSchema), "by currency, that of the club first")
