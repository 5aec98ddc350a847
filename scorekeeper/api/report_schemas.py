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

    id = words("the id that events name the player by")
    name = words("what the others call the player")


class SessionSchema(AnswerSchema):
    """The evening."""

    title = words("what the evening is called")
    place = words("where it is played", allow_none=True)
    players = many(part(PlayerSchema), "who is there")
    closed = flag("whether the evening has ended")
    events = counted("how many events the log has")
    head = like(HASH, "the last hash of a sealed log", allow_none=True)


class LineSchema(AnswerSchema):
    """Points to one side, under one rule, proved by events."""

    side = words("whose points they are")
    points = number("how many, with their sign")
    rule = words("the clause that gives them")
    text = words("why, in words")
    events = many(fields.Integer(), "the seqs of the events that prove it")


class SignatureSchema(AnswerSchema):
    """A player's signature under a hand."""

    match = number("the match of the hand")
    hand = number("the number of the hand in it")
    player = words("who signed")
    seq = counted("the event by which it was signed")
    head = like(HASH, "the head of the log with it, where it is sealed", allow_none=True)
    holds = flag("whether the hand still stands as it was signed")
    voided_by = number("the correction that voided it", allow_none=True)


class OpenedDisputeSchema(AnswerSchema):
    """The opening of a dispute by a player."""

    seq = counted("the event by which it was opened")
    player = words("who disputes the hand")
    reason = words("why")


class AgreementSchema(AnswerSchema):
    """A player's signature under a proposal, or their refusal."""

    player = words("who signed or declined it")
    seq = counted("the event")
    by = words("who recorded it: the player, or the keeper instead", allow_none=True)


class ProposalSchema(AnswerSchema):
    """Corrections that were proposed."""

    seq = counted("the event by which they were proposed")
    hash = like(HASH, "its hash, which is what is signed", allow_none=True)
    reason = words("why")
    corrections = many(part(EventSchema), "the events that would be recorded")
    signed = many(part(AgreementSchema), "the signatures that count")
    declined = many(part(AgreementSchema), "who declined it, which closed it")
    void = flag("whether the hand was changed after it")


class SettledSchema(AnswerSchema):
    """The ruling that settled a dispute."""

    seq = counted("the event")
    text = words("the ruling in words")
    proposal = number("the proposal that settled it", allow_none=True)
    by = words("who recorded it", allow_none=True)


class DisputeSchema(AnswerSchema):
    """A dispute about a hand, from what opened it to the ruling."""

    match = number("the match of the hand")
    hand = number("the number of the hand in it")
    state = one_of(
        "how it stands: settled, or else signed by somebody, proposed, or merely open",
        ("open", "proposed", "signed", "corrected", "upheld", "unresolved"),
    )
    opened = many(part(OpenedDisputeSchema), "who opened it; empty where nobody did")
    proposals = many(part(ProposalSchema), "what was proposed")
    settled = part(SettledSchema, "the ruling, if there is one", allow_none=True)


class HandSchema(AnswerSchema):
    """One deal and its play."""

    hand = number("its number in the match")
    game = fields.Integer(metadata={"description": "in Picchetto: the number of its game"})
    dealer = words("who dealt")
    status = one_of("how it stands", ("open", "complete", "abandoned", "incomplete"))
    level = one_of("the level of detail of its record", ("totals", "tricks", "cards", "mixed"))
    scores = each(fields.Integer(), "what each side scores in it: the sum of its lines")
    totals = each(fields.Integer(), "the totals of the match after it")
    taken = each(fields.Integer(), "what each side took of the deal", allow_none=True)
    winner = words("the side that won the hand, where hands are won", allow_none=True)
    lines = many(part(LineSchema), "the points, one by one")
    confirmed = many(fields.String(), "the players who signed it as it stands")
    disputed = flag("whether a dispute about it is open")
    awaiting = fields.String(
        metadata={
            "description": "acceptance, where one seat ended it while something lay face down: "
            "its score is shown once a player accepts it"
        },
        validate=validate.OneOf(("acceptance",)),
    )


class GameOfMatchSchema(AnswerSchema):
    """One of the games that a match of Picchetto is made of."""

    name = one_of("which of them", ("game", "return", "final"))
    target = number("the score that wins it")
    scores = each(fields.Integer(), "the score of each player, with penalties")
    winner = words("who won it", allow_none=True)
    counts = fields.Integer(metadata={"description": "2 where it counts for two games"})


class ReckoningSchema(AnswerSchema):
    """The reckoning at the end of a match of a fixed number of hands."""

    points = each(fields.Integer(), "what each player has won, and lost")
    rule = words("the clause that it rests on")
    text = words("how it was figured, in words")


class StakeSchema(AnswerSchema):
    """The stake of a match, in money."""

    currency = one_of("the code of the currency, by ISO 4217", sorted(MINOR_DIGITS))
    point = counted("what a point of the totals is worth, in minor units")
    match = counted("what each side that did not win pays for the match, in minor units")


class PaymentSchema(AnswerSchema):
    """An amount of money from one player to another."""

    from_ = words("who pays", data_key="from")
    to = words("who gets it")
    amount = counted("how much, in minor units")


class DueSchema(AnswerSchema):
    """The amounts that one hand, the penalties, or the match moved between the sides."""

    what = one_of("what it is", ("hand", "penalties", "match"))
    hand = number("the number of the hand, if it is one", allow_none=True)
    side = words("whose penalties, if it is such", allow_none=True)
    amounts = each(fields.Integer(), "what each side gets, or below 0 pays, in minor units")


class DoubtSchema(AnswerSchema):
    """A reason why payments may still change."""

    why = one_of("why", ("open", "disputed", "incomplete"))
    hand = number("the hand, if it is about one", allow_none=True)


class SettlementSchema(AnswerSchema):
    """The balances and payments between the players of a match."""

    balances = each(fields.Integer(), "what each player gets, or below 0 pays, in minor units")
    payments = many(part(PaymentSchema), "who pays whom")
    dues = many(part(DueSchema), "what it is made of: they add up to what each side gets")
    odd = many(fields.String(), "who got one unit more of what cannot be divided")
    doubts = many(part(DoubtSchema), "why it may still change; empty where it is final")


class MoneySchema(AnswerSchema):
    """The balances and payments of the evening in one currency."""

    currency = one_of("the code of the currency, by ISO 4217", sorted(MINOR_DIGITS))
    digits = counted("how many digits of an amount stand after the point")
    matches = many(fields.Integer(), "the numbers of the matches that were played for it")
    balances = each(fields.Integer(), "what each player gets, or below 0 pays, in minor units")
    payments = many(part(PaymentSchema), "who pays whom for the whole evening")
    fewest = flag("whether there can be no fewer payments; not known of more than 12 players")
    provisional = flag("whether it may still change")


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
    games = many(part(GameOfMatchSchema), "in Picchetto: the games of the match", required=False)
    reckoning = part(
        ReckoningSchema, "in Picchetto: the reckoning of a match over fixed hands", required=False
    )
    stake = part(
        StakeSchema, "what it is played for; only where it is played for money", required=False
    )
    settlement = part(
        SettlementSchema, "what it comes to in money; only with a stake", required=False
    )


class FindingSchema(AnswerSchema):
    """A problem that the audit reports."""

    code = one_of("what is wrong, for programs", SEVERITY)
    severity = one_of("how grave it is", [severity.value for severity in Severity])
    match = number("the match that it is about", allow_none=True)
    hand = number("the hand that it is about", allow_none=True)
    events = many(fields.Integer(), "the event at fault, then those that prove it")
    rule = words("the clause that it rests on")
    message = words("what is wrong, in words")
    sides = many(fields.String(), "whom it concerns")


class CorrectionSetSchema(AnswerSchema):
    """A set of corrections that take effect together."""

    seq = number("the event that begins it, by which the whole set is struck")
    reason = words("why")


class CorrectionSchema(AnswerSchema):
    """An event that corrects an earlier one."""

    seq = number("the event that corrects")
    type = one_of("how", ("event_struck", "event_replaced", "event_inserted"))
    reason = words("why")
    stands = flag("whether it has effect: it has none where a later one struck it")
    names = number("the event that it strikes or replaces, or comes after")
    before = part(EventSchema, "what was said", allow_none=True)
    after = part(EventSchema, "what is said instead", allow_none=True)
    set = part(CorrectionSetSchema, "the set that it belongs to; only in one", required=False)


class NotInstalledSchema(AnswerSchema):
    """A game that is not installed here, so that nothing of the session is scored."""

    game = words("the id of the game")
    reason = words("why it cannot be played here")


class ReportSchema(AnswerSchema):
    """The report of a log: scores, findings, signatures and corrections."""

    session = part(SessionSchema, "the evening")
    matches = many(part(MatchSchema), "the matches of the evening")
    findings = many(part(FindingSchema), "what is wrong, irregular or in doubt")
    signatures = many(part(SignatureSchema), "all signatures under hands")
    disputes = many(part(DisputeSchema), "the disputes about hands, the settled ones too")
    corrections = many(part(CorrectionSchema), "what was corrected")
    money = many(
        part(MoneySchema), "the evening in money, by currency; only with a stake", required=False
    )
    not_installed = part(
        NotInstalledSchema, "only where a game of the session is missing: then no match is",
        required=False,
    )  # fmt: skip
