"""Schemas of the figures of a club: members, records and money."""

from typing import Final

from marshmallow import fields

from scorekeeper.api.club_schemas import SeasonSchema, figure_of
from scorekeeper.api.event_schemas import ReaderSchema, TableReaderSchema
from scorekeeper.api.report_schemas import DueSchema, PaymentSchema
from scorekeeper.api.schemas import AnswerSchema, counted, each, flag, many, number, part, words
from scorekeeper.clubs.hand import PARTS
from scorekeeper.clubs.records import CLUB_RECORDS, GAME_RECORDS

ALL_RECORDS: Final = ", ".join(f"`{record_name}`" for record_name in (*GAME_RECORDS, *CLUB_RECORDS))


# ------------------------------------------------------------------------------------ queries


class SeasonReaderSchema(SeasonSchema, ReaderSchema):
    """The season of a file, and the reader's language, time zone and number format."""


class SeasonTableReaderSchema(SeasonSchema, TableReaderSchema):
    """The season of a table as a file, and the format of its values."""


class FeedSchema(SeasonSchema, ReaderSchema):
    """The season of a calendar, all evenings if none is named, and its reader."""

    key = fields.String(metadata={"description": "a key to view, in place of the header"})


# ------------------------------------------------------------------------------ of one member


class WhoSchema(AnswerSchema):
    """A member."""

    member = words("the id of the member")
    name = words("what the others call the member")


class WhereSchema(AnswerSchema):
    """The place in a session that a figure comes from."""

    session = words("the id of its session")
    match = counted("the number of the match in the evening")
    hand = fields.Integer(
        metadata={"description": "the number of the hand, if the figure is one of a hand"}
    )
    event = fields.Integer(metadata={"description": "the seq with which that hand began"})


class HandFigureSchema(WhereSchema):
    """The points of a member in one hand."""

    points = number("what it brought")


class RunSchema(AnswerSchema):
    """A run of matches that a member won one after the other."""

    matches = counted("how many")
    first = part(WhereSchema, "the first of them", data_key="from")
    to = part(WhereSchema, "the last of them")


class FormSchema(AnswerSchema):
    """A member's result in one evening."""

    session = words("the id of its session")
    began = words("when its first hand was dealt", allow_none=True)
    points = number("the points of its hands")
    hands = counted("how many hands")
    points_a_hand = figure_of("points a hand")


class TallySchema(AnswerSchema):
    """How many hands were won, lost and level."""

    hands = counted("how many")
    won = counted("how many of them were won")
    level = counted("how many ended level")
    share = figure_of("the share that was won; what was level counts half")


class FactSchema(AnswerSchema):
    """A fact that a game declares of its hands, counted."""

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
    """A member's figures in one game on some terms."""

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
    """A member's hands with another member, and against them."""

    hands = counted("hands in which they met")
    together = part(TallySchema, "as partners, or in one party")
    against = part(TallySchema, "against one another")


class MemberFiguresSchema(WhoSchema):
    """The figures of a member."""

    evenings = counted("how many evenings")
    matches = counted("how many matches")
    hands = counted("how many complete hands")
    won = figure_of("matches won, shared ones in part")
    games = many(part(GameFiguresSchema), "by game and terms, that with most hands first")
    met = many(part(MeetingSchema), "each other member who was met, most hands first")
    best_partners = many(
        part(MeetingSchema), "the partners with the largest share of hands won, of enough hands"
    )
    nemeses = many(part(MeetingSchema), "the opponents who won most often, of enough hands")
    enough_hands = counted("how many hands are enough for these two")


# -------------------------------------------------------------------------------- the records


class RecordSchema(AnswerSchema):
    """The best figure of its kind in the club."""

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
    """The balance of an account: a member, or a guest of one evening."""

    account = words("the id of the member; of a guest one of that evening alone")
    name = words("what the others call them")
    amount = number("what the account is owed; below 0, what it owes")
    guest = flag("whether it is a guest")


class NamedPaymentSchema(PaymentSchema):
    """A payment, with the names of both accounts."""

    from_name = words("the name of the account that pays")
    to_name = words("the name of the account that is paid")


class PaidSchema(NamedPaymentSchema):
    """A payment that was made."""

    note = words("what for", allow_none=True)
    at = words("when it was recorded", allow_none=True)
    event = counted("its seq in the log of the club")


class MatchMoneySchema(AnswerSchema):
    """The balances of a match, in minor units."""

    match = counted("its number in the evening")
    sides = each(fields.List(fields.String()), "its players by side")
    balances = each(fields.Integer(), "by player")
    made_of = many(part(DueSchema), "what moved it")
    odd = many(
        fields.String(), "the accounts that got one unit more, because the sum could not be divided"
    )
    provisional = flag("whether it may still change by itself")


class EveningMoneySchema(AnswerSchema):
    """The balances of an evening in one currency, in minor units."""

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
    payments = many(part(NamedPaymentSchema), "payments that settle all balances")
    fewest = flag("whether there can be no fewer; of many accounts that is not known")
    provisional = flag("whether it may still change by itself")
    evenings = many(part(EveningMoneySchema), "the evenings that make it")
    paid = many(part(PaidSchema), "what was paid")


class ClubMoneySchema(AnswerSchema):
    """The money of a club."""

    money = many(part(LedgerSchema), "by currency, that of the club first")
