"""Schemas of the figures of a club: members, records and money."""

from typing import Final

from marshmallow import fields

from scorekeeper.api.club_schemas import SeasonSchema, figure_of
from scorekeeper.api.event_schemas import ReaderSchema, TableReaderSchema
from scorekeeper.api.schemas import AnswerSchema, counted, each, flag, many, number, part, words
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.clubs.hand import PARTS
from scorekeeper.clubs.records import CLUB_RECORDS, GAME_RECORDS
from scorekeeper.report import views

ALL_RECORDS: Final = ", ".join(f"`{record_name}`" for record_name in (*GAME_RECORDS, *CLUB_RECORDS))


# ------------------------------------------------------------------------------------ queries


class SeasonReaderSchema(SeasonSchema, ReaderSchema):
    """The season of a file, and the reader's language, time zone and number format."""


class SeasonTableReaderSchema(SeasonSchema, TableReaderSchema):
    """The season of a table as a file, and the format of its values."""


class FeedSchema(SeasonSchema, ReaderSchema):
    """The season of a calendar, all evenings if none is named, and its reader."""

    key = fields.String(metadata={"description": "a key to view, instead of the header"})


# ------------------------------------------------------------------------------ of one member


class WhoSchema(AnswerSchema):
    """A member."""

    member = words("the id of the member")
    name = words("the name of the member")


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

    points = number("the points of the hand")


class RunSchema(AnswerSchema):
    """A run of matches that a member won one after the other."""

    matches = counted("the number of matches")
    first = part(WhereSchema, "the first match", data_key="from")
    to = part(WhereSchema, "the last match")


class FormSchema(AnswerSchema):
    """A member's result in one evening."""

    session = words("the id of its session")
    began = words("the time at which the first hand was dealt", allow_none=True)
    points = number("the points of its hands")
    hands = counted("the number of hands")
    points_a_hand = figure_of("points a hand")


class TallySchema(AnswerSchema):
    """How many hands were won, lost and level."""

    hands = counted("the number of hands")
    won = counted("the number of hands that were won")
    level = counted("the number of hands that ended level")
    share = figure_of("the share of hands that were won; a level hand counts half")


class FactSchema(AnswerSchema):
    """A fact that a game declares of its hands, counted."""

    fact = words("the id of the fact, as the game declares it")
    label = words("the name of the fact")
    hands = counted("the number of hands for which it is known")
    times = fields.Integer(
        metadata={"description": "of a yes-or-no fact: the number of hands for which it is true"}
    )
    average = fields.Float(metadata={"description": "of a number: its average"})
    most = fields.Nested(
        HandFigureSchema,
        allow_none=True,
        metadata={"description": "of a number: the hand in which it was largest"},
    )


class TermsSchema(AnswerSchema):
    """A game on some terms: scores on other terms are never added to these."""

    game = words("the id of the game")
    rules = counted("the version of its rules")
    options = each(fields.Raw(), "the options that distinguish these terms")


class GameFiguresSchema(TermsSchema):
    """A member's figures in one game on some terms."""

    evenings = counted("the number of evenings")
    matches = counted("the number of matches")
    finished = counted("the number of finished matches")
    hands = counted("the number of complete hands")
    won = figure_of("the number of matches won; a shared one counts in part")
    drawn = counted("the number of shared matches")
    points = number("the points of the hands")
    points_a_hand = figure_of("points a hand")
    best = part(HandFigureSchema, "the hand with most points", allow_none=True)
    worst = part(HandFigureSchema, "the hand with fewest points", allow_none=True)
    longest_run = part(RunSchema, "the longest run of matches won", allow_none=True)
    form = many(part(FormSchema), "the last evenings, the latest last")
    parts = each(fields.Nested(TallySchema), f"hands by part ({', '.join(PARTS)}), if it is known")
    bids = each(fields.Nested(TallySchema), "hands as bidder, by the bid")
    facts = many(part(FactSchema), "the facts that the game declares of its hands")
    provisional = flag("true if the figures may still change")


class MeetingSchema(WhoSchema):
    """A member's hands with another member, and against them."""

    hands = counted("the number of hands in which both played")
    together = part(TallySchema, "the hands in which they were partners, or in one party")
    against = part(TallySchema, "the hands in which they were opponents")


class MemberFiguresSchema(WhoSchema):
    """The figures of a member."""

    evenings = counted("the number of evenings")
    matches = counted("the number of matches")
    hands = counted("the number of complete hands")
    won = figure_of("the number of matches won; a shared one counts in part")
    games = many(
        part(GameFiguresSchema), "the figures by game and terms, those with most hands first"
    )
    met = many(part(MeetingSchema), "the results with each other member, most hands first")
    best_partners = many(
        part(MeetingSchema), "the partners with the largest share of hands won, of enough hands"
    )
    nemeses = many(part(MeetingSchema), "the opponents who won most often, of enough hands")
    enough_hands = counted("the fewest hands for these two lists")


# -------------------------------------------------------------------------------- the records


class RecordSchema(AnswerSchema):
    """The best figure of its kind in the club."""

    what = words(f"the kind of record: {ALL_RECORDS}")
    figure = figure_of("the figure")
    members = many(part(WhoSchema), "the member who had it first, or all who have it")
    place = part(
        WhereSchema, "the place in a session; null for a figure of many evenings", allow_none=True
    )


class GameRecordsSchema(TermsSchema):
    """The records of one game on some terms."""

    records = many(part(RecordSchema), "its records")


class RecordsSchema(AnswerSchema):
    """The records of a club."""

    games = many(part(GameRecordsSchema), "the records by game and terms")
    club = many(part(RecordSchema), "the records over all games")


# ---------------------------------------------------------------------------------- the money


class BalanceSchema(AnswerSchema):
    """The balance of an account: a member, or a guest of one evening."""

    account = words("the id of the member, or of a guest for that evening alone")
    name = words("the name of the member or guest")
    amount = number("the amount that the account is owed; if negative, the amount that it owes")
    guest = flag("true for a guest")


class NamedPaymentSchema(schema_of(views.PaymentView)):  # type: ignore[misc]
    """A payment, with the names of both accounts."""

    from_name = words("the name of the account that pays")
    to_name = words("the name of the account that is paid")


class PaidSchema(NamedPaymentSchema):
    """A payment that was made."""

    note = words("the purpose of the payment", allow_none=True)
    at = words("the time at which it was recorded", allow_none=True)
    event = counted("its seq in the log of the club")


class MatchMoneySchema(AnswerSchema):
    """The balances of a match, in minor units."""

    match = counted("its number in the evening")
    sides = each(fields.List(fields.String()), "its players by side")
    balances = each(fields.Integer(), "the balance of each player")
    made_of = many(part(schema_of(views.DueView)), "the amounts that make up the balances")
    odd = many(
        fields.String(), "the accounts that got one unit more, because the sum could not be divided"
    )
    provisional = flag("true if the amounts may still change")


class EveningMoneySchema(AnswerSchema):
    """The balances of an evening in one currency, in minor units."""

    session = words("the id of its session")
    began = words("the time at which the first hand was dealt", allow_none=True)
    balances = each(fields.Integer(), "the balance of each account")
    matches = many(part(MatchMoneySchema), "its matches")
    provisional = flag("true if the amounts may still change")


class LedgerSchema(AnswerSchema):
    """The money of a club in one currency."""

    currency = words("the code of the currency")
    digits = counted("the number of decimals of its minor unit")
    balances = many(part(BalanceSchema), "the balances of all accounts, whose sum is 0")
    payments = many(part(NamedPaymentSchema), "payments that settle all balances")
    fewest = flag(
        "true if there can be no fewer payments; false also if that is not known, "
        "because there are many accounts"
    )
    provisional = flag("true if the amounts may still change")
    evenings = many(part(EveningMoneySchema), "the evenings that make up the balances")
    paid = many(part(PaidSchema), "the payments that were made")


class ClubMoneySchema(AnswerSchema):
    """The money of a club."""

    money = many(part(LedgerSchema), "the ledgers by currency, that of the club first")
