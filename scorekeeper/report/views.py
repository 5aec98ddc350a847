"""The report of a session as declared values: from it follow its JSON and its schema."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.base.currencies import MINOR_DIGITS
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import ExactPoints
from scorekeeper.base.views import DeclaredView, declare, own_members
from scorekeeper.log.schema import SEAL_FIELDS, data_schemas_by_type
from scorekeeper.play.scoring import SEVERITY, Severity

HASH: Final[str] = SEAL_FIELDS["hash"]["pattern"]
CURRENCIES: Final = sorted(MINOR_DIGITS)
HAND_STATUSES: Final = ("open", "complete", "abandoned", "incomplete")
LEVELS: Final = ("totals", "tricks", "cards", "mixed")
DISPUTE_STATES: Final = ("open", "proposed", "signed", "corrected", "upheld", "unresolved")
BALANCES: Final = "the amount that each player gets, or pays if it is negative, in minor units"


def list_event_types() -> list[str]:
    """Return the types of all events, also of the events of installed games."""
    return list(data_schemas_by_type())


@dataclass(frozen=True, slots=True)
class EventView(DeclaredView):
    """An event, as a log by hand has it."""

    type: str = declare("the type of the event", values=list_event_types)
    data: JsonObject = declare("the data of the event")


# ------------------------------------------------------------------------------- the session


@dataclass(frozen=True, slots=True)
class PlayerView(DeclaredView):
    """A player of the session."""

    id: str = declare("the id by which events name the player")
    name: str = declare("the name of the player")


@dataclass(frozen=True, slots=True)
class SessionView(DeclaredView):
    """The evening."""

    title: str = declare("the title")
    place: str | None = declare("the place where it is played")
    players: Sequence[PlayerView] = declare("the players")
    closed: bool = declare("true if the session is closed")
    events: int = declare("the number of events in the log", minimum=0)
    head: str | None = declare("the last hash of a sealed log", pattern=HASH)
    date: str | None = declare(
        "the day of play, such as 2026-11-20, if the log names it", optional=True
    )


# ------------------------------------------------------------------------ matches and hands


@dataclass(frozen=True, slots=True)
class LineView(DeclaredView):
    """Points to one side, under one rule, proved by events."""

    side: str = declare("the side that gets the points")
    points: ExactPoints = declare("the points, with their sign")
    rule: str = declare("the clause that gives them")
    text: str = declare("the reason in words")
    events: Sequence[int] = declare("the seqs of the events that prove it")


@dataclass(frozen=True, slots=True)
class HandView(DeclaredView):
    """One deal and its play."""

    hand: int = declare("its number in the match")
    dealer: str = declare("the dealer")
    status: str = declare("the status of the hand", values=HAND_STATUSES)
    level: str = declare("the level of detail of its record", values=LEVELS)
    scores: Mapping[str, ExactPoints] = declare(
        "the score of each side in the hand: the sum of its lines"
    )
    totals: Mapping[str, ExactPoints] = declare("the totals of the match after it")
    taken: Mapping[str, ExactPoints] | None = declare("the part of the deal that each side took")
    winner: str | None = declare(
        "the side that won the hand; null in a game without a winner of the hand"
    )
    lines: Sequence[LineView] = declare("the points, one by one")
    confirmed: Sequence[str] = declare("the players whose signatures are valid")
    disputed: bool = declare("true if a dispute about the hand is open")
    awaiting: str | None = declare(
        "acceptance, if a seat ended the hand while cards lay face down: its score is shown once "
        "a player accepts it",
        optional=True,
        values=("acceptance",),
    )
    own: JsonObject = own_members("the members that the game adds")


@dataclass(frozen=True, slots=True)
class StakeView(DeclaredView):
    """The stake of a match, in money."""

    currency: str = declare("the code of the currency, by ISO 4217", values=CURRENCIES)
    point: int = declare("the value of a point of the totals, in minor units", minimum=0)
    match: int = declare(
        "the amount that each side that did not win pays for the match, in minor units", minimum=0
    )


@dataclass(frozen=True, slots=True)
class PaymentView(DeclaredView):
    """An amount of money from one player to another."""

    payer: str = declare("the account that pays", key="from")
    to: str = declare("the account that is paid")
    amount: int = declare("the amount in minor units", minimum=0)


@dataclass(frozen=True, slots=True)
class DueView(DeclaredView):
    """The amounts that one hand, the penalties, or the match moved between the sides."""

    what: str = declare("the kind of the amounts", values=("hand", "penalties", "match"))
    hand: int | None = declare("the number of the hand; null for other kinds")
    side: str | None = declare("the side with the penalties; null for other kinds")
    amounts: Mapping[str, int] = declare(
        "the amount that each side gets, or pays if it is negative, in minor units"
    )


@dataclass(frozen=True, slots=True)
class DoubtView(DeclaredView):
    """A reason why payments may still change."""

    why: str = declare("the reason", values=("open", "disputed", "incomplete"))
    hand: int | None = declare("the number of the hand; null if the reason is about the match")


@dataclass(frozen=True, slots=True)
class SettlementView(DeclaredView):
    """The balances and payments between the players of a match."""

    balances: Mapping[str, int] = declare(BALANCES)
    payments: Sequence[PaymentView] = declare("the payments between players")
    dues: Sequence[DueView] = declare("the amounts that make up the balances")
    odd: Sequence[str] = declare(
        "the players who got one unit more, because an amount could not be divided"
    )
    doubts: Sequence[DoubtView] = declare(
        "the reasons why it may still change; empty if it is final"
    )


@dataclass(frozen=True, slots=True)
class MatchView(DeclaredView):
    """One match of one game."""

    match: int = declare("its number in the session")
    game: str = declare("the id of the game")
    rules: int = declare("the version of the game's rules")
    seats: Sequence[str] = declare("the players in order of play")
    sides: Mapping[str, Sequence[str]] = declare("the players of each side")
    options: JsonObject = declare("the value of every option")
    status: str = declare("the status of the match", values=("open", "finished"))
    winners: Sequence[str] = declare(
        "the sides with the highest total; empty until the match is finished, if it is undecided, "
        "and if no hand of it is complete"
    )
    totals: Mapping[str, ExactPoints] = declare("the score of the match, with penalties")
    hands: Sequence[HandView] = declare("its hands")
    own: JsonObject = own_members("the members that the game adds")
    undecided: bool | None = declare(
        "true if the match was interrupted and has no winner; else left out", optional=True
    )
    stake: StakeView | None = declare(
        "the stake; only if the match is played for money", optional=True
    )
    settlement: SettlementView | None = declare(
        "the settlement in money; only with a stake", optional=True
    )


# ------------------------------------------------------------------------------- agreements


@dataclass(frozen=True, slots=True)
class SignatureView(DeclaredView):
    """A player's signature under a hand."""

    match: int = declare("the number of the match")
    hand: int = declare("the number of the hand in it")
    player: str = declare("the player who signed")
    seq: int = declare("the seq of the event that signs", minimum=0)
    head: str | None = declare(
        "the head of the log after that event; null in a log by hand", pattern=HASH
    )
    holds: bool = declare("true if the hand is still as it was signed")
    voided_by: int | None = declare("the seq of the correction that voided it")


@dataclass(frozen=True, slots=True)
class OpenedDisputeView(DeclaredView):
    """The opening of a dispute by a player."""

    seq: int = declare("the seq of the event", minimum=0)
    player: str = declare("the player who disputes the hand")
    reason: str = declare("the reason")


@dataclass(frozen=True, slots=True)
class AgreementView(DeclaredView):
    """A player's signature under a proposal, or their refusal."""

    player: str = declare("the player who signed or declined")
    seq: int = declare("the seq of the event", minimum=0)
    by: str | None = declare("the author of the event: the player, or the keeper for them")


@dataclass(frozen=True, slots=True)
class ProposalView(DeclaredView):
    """Corrections that were proposed."""

    seq: int = declare("the seq of the event", minimum=0)
    hash: str | None = declare("its hash, to which signatures refer", pattern=HASH)
    reason: str = declare("the reason")
    corrections: Sequence[EventView] = declare("the corrections that would be recorded")
    signed: Sequence[AgreementView] = declare("the signatures that count")
    declined: Sequence[AgreementView] = declare("the refusals, of which the first closed it")
    void: bool = declare("true if the hand was changed after it")


@dataclass(frozen=True, slots=True)
class SettledView(DeclaredView):
    """The ruling that settled a dispute."""

    seq: int = declare("the seq of the event", minimum=0)
    text: str = declare("the ruling in words")
    proposal: int | None = declare("the seq of the proposal that settled it")
    by: str | None = declare("the author of the event")


@dataclass(frozen=True, slots=True)
class DisputeView(DeclaredView):
    """A dispute about a hand, from what opened it to the ruling."""

    match: int = declare("the number of the match")
    hand: int = declare("the number of the hand in it")
    state: str = declare(
        "the state: the ruling, or else signed by a player, proposed, or open",
        values=DISPUTE_STATES,
    )
    opened: Sequence[OpenedDisputeView] = declare(
        "the events that opened it; empty if it began with a proposal or ruling"
    )
    proposals: Sequence[ProposalView] = declare("the proposals")
    settled: SettledView | None = declare("the ruling, if there is one")


# -------------------------------------------------------------------- findings, corrections


@dataclass(frozen=True, slots=True)
class FindingView(DeclaredView):
    """A problem that the audit reports."""

    code: str = declare("the code of the problem, for programs", values=tuple(SEVERITY))
    severity: str = declare("the severity", values=tuple(severity.value for severity in Severity))
    match: int | None = declare("the number of the match")
    hand: int | None = declare("the number of the hand")
    events: Sequence[int] = declare("the seqs of the event at fault, and of those that prove it")
    rule: str = declare("the clause")
    message: str = declare("the problem in words")
    sides: Sequence[str] = declare("the sides concerned")


@dataclass(frozen=True, slots=True)
class CorrectionSetView(DeclaredView):
    """A set of corrections that take effect together."""

    seq: int = declare(
        "the seq of the event that begins it; striking that event strikes the whole set"
    )
    reason: str = declare("the reason")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionView(DeclaredView):
    """An event that corrects an earlier one."""

    seq: int = declare("the seq of the correcting event")
    type: str = declare(
        "the type of the correcting event",
        values=("event_struck", "event_replaced", "event_inserted"),
    )
    reason: str = declare("the reason")
    stands: bool = declare("true if it has effect; false if a later correction struck it")
    set: CorrectionSetView | None = declare(
        "the set that it belongs to; only if there is one", optional=True
    )
    names: int = declare("the seq of the event that it strikes, replaces or follows")
    before: EventView | None = declare("the event before the correction")
    after: EventView | None = declare("the event after the correction")


@dataclass(frozen=True, slots=True)
class MoneyView(DeclaredView):
    """The balances and payments of the evening in one currency."""

    currency: str = declare("the code of the currency, by ISO 4217", values=CURRENCIES)
    digits: int = declare("the number of decimals of an amount", minimum=0)
    matches: Sequence[int] = declare("the numbers of the matches with stakes in this currency")
    balances: Mapping[str, int] = declare(BALANCES)
    payments: Sequence[PaymentView] = declare("the payments for the whole evening")
    fewest: bool = declare(
        "true if there can be no fewer payments; false also if that is not known, for "
        "more than 12 players"
    )
    provisional: bool = declare("true if the amounts may still change")


@dataclass(frozen=True, slots=True)
class NotInstalledView(DeclaredView):
    """A game that is not installed here, so that nothing of the session is scored."""

    game: str = declare("the id of the game")
    reason: str = declare("the reason why it cannot be played here")


@dataclass(frozen=True, slots=True)
class ReportView(DeclaredView):
    """The report of a log: scores, findings, signatures and corrections."""

    session: SessionView = declare("the evening")
    matches: Sequence[MatchView] = declare("the matches of the evening")
    findings: Sequence[FindingView] = declare("the findings of the audit")
    signatures: Sequence[SignatureView] = declare("all signatures under hands")
    disputes: Sequence[DisputeView] = declare("the disputes about hands, also settled ones")
    corrections: Sequence[CorrectionView] = declare("the corrections")
    money: Sequence[MoneyView] | None = declare(
        "the balances and payments of the evening by currency; only with a stake", optional=True
    )
    not_installed: NotInstalledView | None = declare(
        "the game that is missing; only if one is, and then there are no matches", optional=True
    )
