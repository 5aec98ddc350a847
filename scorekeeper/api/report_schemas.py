"""Schemas of the report."""

from marshmallow import fields, validate

from scorekeeper.api.schemas import (
    HASH,
    AnswerSchema,
    EventSchema,
    counted,
    each,
    flag,
    like,
    many,
    number,
    one_of,
    part,
    words,
)
from scorekeeper.base.currencies import MINOR_DIGITS
from scorekeeper.play.scoring import SEVERITY, Severity


class PlayerSchema(AnswerSchema):
    """A player of the session."""

    id = words("the id by which events name the player")
    name = words("the name of the player")


class SessionSchema(AnswerSchema):
    """The evening."""

    title = words("the title")
    place = words("the place where it is played", allow_none=True)
    players = many(part(PlayerSchema), "the players")
    closed = flag("true if the session is closed")
    events = counted("the number of events in the log")
    head = like(HASH, "the last hash of a sealed log", allow_none=True)


class LineSchema(AnswerSchema):
    """Points to one side, under one rule, proved by events."""

    side = words("the side that gets the points")
    points = number("the points, with their sign")
    rule = words("the clause that gives them")
    text = words("the reason in words")
    events = many(fields.Integer(), "the seqs of the events that prove it")


class SignatureSchema(AnswerSchema):
    """A player's signature under a hand."""

    match = number("the number of the match")
    hand = number("the number of the hand in it")
    player = words("the player who signed")
    seq = counted("the seq of the event that signs")
    head = like(
        HASH, "the head of the log after that event; null in a log by hand", allow_none=True
    )
    holds = flag("true if the hand is still as it was signed")
    voided_by = number("the seq of the correction that voided it", allow_none=True)


class OpenedDisputeSchema(AnswerSchema):
    """The opening of a dispute by a player."""

    seq = counted("the seq of the event")
    player = words("the player who disputes the hand")
    reason = words("the reason")


class AgreementSchema(AnswerSchema):
    """A player's signature under a proposal, or their refusal."""

    player = words("the player who signed or declined")
    seq = counted("the seq of the event")
    by = words("the author of the event: the player, or the keeper for them", allow_none=True)


class ProposalSchema(AnswerSchema):
    """Corrections that were proposed."""

    seq = counted("the seq of the event")
    hash = like(HASH, "its hash, to which signatures refer", allow_none=True)
    reason = words("the reason")
    corrections = many(part(EventSchema), "the corrections that would be recorded")
    signed = many(part(AgreementSchema), "the signatures that count")
    declined = many(part(AgreementSchema), "the refusals, of which the first closed it")
    void = flag("true if the hand was changed after it")


class SettledSchema(AnswerSchema):
    """The ruling that settled a dispute."""

    seq = counted("the seq of the event")
    text = words("the ruling in words")
    proposal = number("the seq of the proposal that settled it", allow_none=True)
    by = words("the author of the event", allow_none=True)


class DisputeSchema(AnswerSchema):
    """A dispute about a hand, from what opened it to the ruling."""

    match = number("the number of the match")
    hand = number("the number of the hand in it")
    state = one_of(
        "the state: the ruling, or else signed by a player, proposed, or open",
        ("open", "proposed", "signed", "corrected", "upheld", "unresolved"),
    )
    opened = many(
        part(OpenedDisputeSchema),
        "the events that opened it; empty if it began with a proposal or ruling",
    )
    proposals = many(part(ProposalSchema), "the proposals")
    settled = part(SettledSchema, "the ruling, if there is one", allow_none=True)


class HandSchema(AnswerSchema):
    """One deal and its play."""

    hand = number("its number in the match")
    game = fields.Integer(metadata={"description": "in Picchetto: the number of its game"})
    dealer = words("the dealer")
    status = one_of("the status of the hand", ("open", "complete", "abandoned", "incomplete"))
    level = one_of("the level of detail of its record", ("totals", "tricks", "cards", "mixed"))
    scores = each(fields.Integer(), "the score of each side in the hand: the sum of its lines")
    totals = each(fields.Integer(), "the totals of the match after it")
    taken = each(fields.Integer(), "the part of the deal that each side took", allow_none=True)
    winner = words(
        "the side that won the hand; null in a game without a winner of the hand", allow_none=True
    )
    lines = many(part(LineSchema), "the points, one by one")
    confirmed = many(fields.String(), "the players whose signatures are valid")
    disputed = flag("true if a dispute about the hand is open")
    awaiting = fields.String(
        metadata={
            "description": "acceptance, if a seat ended the hand while cards lay face down: its "
            "score is shown once a player accepts it"
        },
        validate=validate.OneOf(("acceptance",)),
    )


class GameOfMatchSchema(AnswerSchema):
    """One of the games that a match of Picchetto is made of."""

    name = one_of("the game of the match", ("game", "return", "final"))
    target = number("the score that wins it")
    scores = each(fields.Integer(), "the score of each player, with penalties")
    winner = words("the winner", allow_none=True)
    counts = fields.Integer(metadata={"description": "2 if it counts for two games"})


class ReckoningSchema(AnswerSchema):
    """The reckoning at the end of a match of a fixed number of hands."""

    points = each(fields.Integer(), "the points that each player won or lost")
    rule = words("the clause")
    text = words("the calculation in words")


class StakeSchema(AnswerSchema):
    """The stake of a match, in money."""

    currency = one_of("the code of the currency, by ISO 4217", sorted(MINOR_DIGITS))
    point = counted("the value of a point of the totals, in minor units")
    match = counted("the amount that each side that did not win pays for the match, in minor units")


class PaymentSchema(AnswerSchema):
    """An amount of money from one player to another."""

    from_ = words("the account that pays", data_key="from")
    to = words("the account that is paid")
    amount = counted("the amount in minor units")


class DueSchema(AnswerSchema):
    """The amounts that one hand, the penalties, or the match moved between the sides."""

    what = one_of("the kind of the amounts", ("hand", "penalties", "match"))
    hand = number("the number of the hand; null for other kinds", allow_none=True)
    side = words("the side with the penalties; null for other kinds", allow_none=True)
    amounts = each(
        fields.Integer(),
        "the amount that each side gets, or pays if it is negative, in minor units",
    )


class DoubtSchema(AnswerSchema):
    """A reason why payments may still change."""

    why = one_of("the reason", ("open", "disputed", "incomplete"))
    hand = number("the number of the hand; null if the reason is about the match", allow_none=True)


class SettlementSchema(AnswerSchema):
    """The balances and payments between the players of a match."""

    balances = each(
        fields.Integer(),
        "the amount that each player gets, or pays if it is negative, in minor units",
    )
    payments = many(part(PaymentSchema), "the payments between players")
    dues = many(part(DueSchema), "the amounts that make up the balances")
    odd = many(
        fields.String(), "the players who got one unit more, because an amount could not be divided"
    )
    doubts = many(part(DoubtSchema), "the reasons why it may still change; empty if it is final")


class MoneySchema(AnswerSchema):
    """The balances and payments of the evening in one currency."""

    currency = one_of("the code of the currency, by ISO 4217", sorted(MINOR_DIGITS))
    digits = counted("the number of decimals of an amount")
    matches = many(fields.Integer(), "the numbers of the matches with stakes in this currency")
    balances = each(
        fields.Integer(),
        "the amount that each player gets, or pays if it is negative, in minor units",
    )
    payments = many(part(PaymentSchema), "the payments for the whole evening")
    fewest = flag(
        "true if there can be no fewer payments; false also if that is not known, for "
        "more than 12 players"
    )
    provisional = flag("true if the amounts may still change")


class MatchSchema(AnswerSchema):
    """One match of one game."""

    match = number("its number in the session")
    game = words("the id of the game")
    rules = number("the version of the game's rules")
    seats = many(fields.String(), "the players in order of play")
    sides = each(fields.List(fields.String()), "the players of each side")
    options = each(fields.Raw(), "the value of every option")
    status = one_of("the status of the match", ("open", "finished"))
    winners = many(
        fields.String(), "the sides with the highest total; empty until the match is finished"
    )
    totals = each(fields.Integer(), "the score of the match, with penalties")
    hands = many(part(HandSchema), "its hands")
    games = many(
        part(GameOfMatchSchema), "the games of the match; in Picchetto only", required=False
    )
    reckoning = part(
        ReckoningSchema, "in Picchetto: the reckoning of a match over fixed hands", required=False
    )
    stake = part(StakeSchema, "the stake; only if the match is played for money", required=False)
    settlement = part(
        SettlementSchema, "the settlement in money; only with a stake", required=False
    )


class FindingSchema(AnswerSchema):
    """A problem that the audit reports."""

    code = one_of("the code of the problem, for programs", SEVERITY)
    severity = one_of("the severity", [severity.value for severity in Severity])
    match = number("the number of the match", allow_none=True)
    hand = number("the number of the hand", allow_none=True)
    events = many(fields.Integer(), "the seqs of the event at fault, and of those that prove it")
    rule = words("the clause")
    message = words("the problem in words")
    sides = many(fields.String(), "the sides concerned")


class CorrectionSetSchema(AnswerSchema):
    """A set of corrections that take effect together."""

    seq = number("the seq of the event that begins it; striking that event strikes the whole set")
    reason = words("the reason")


class CorrectionSchema(AnswerSchema):
    """An event that corrects an earlier one."""

    seq = number("the seq of the correcting event")
    type = one_of(
        "the type of the correcting event", ("event_struck", "event_replaced", "event_inserted")
    )
    reason = words("the reason")
    stands = flag("true if it has effect; false if a later correction struck it")
    names = number("the seq of the event that it strikes, replaces or follows")
    before = part(EventSchema, "the event before the correction", allow_none=True)
    after = part(EventSchema, "the event after the correction", allow_none=True)
    set = part(
        CorrectionSetSchema, "the set that it belongs to; only if there is one", required=False
    )


class NotInstalledSchema(AnswerSchema):
    """A game that is not installed here, so that nothing of the session is scored."""

    game = words("the id of the game")
    reason = words("the reason why it cannot be played here")


class ReportSchema(AnswerSchema):
    """The report of a log: scores, findings, signatures and corrections."""

    session = part(SessionSchema, "the evening")
    matches = many(part(MatchSchema), "the matches of the evening")
    findings = many(part(FindingSchema), "the findings of the audit")
    signatures = many(part(SignatureSchema), "all signatures under hands")
    disputes = many(part(DisputeSchema), "the disputes about hands, also settled ones")
    corrections = many(part(CorrectionSchema), "the corrections")
    money = many(
        part(MoneySchema),
        "the balances and payments of the evening by currency; only with a stake",
        required=False,
    )
    not_installed = part(
        NotInstalledSchema,
        "the game that is missing; only if one is, and then there are no matches",
        required=False,
    )
