"""One hand in hindsight: its score line by line, its tricks one by one, all that was said of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.base.json_object import JsonObject
from scorekeeper.games.game import Game
from scorekeeper.play.rulebook import Clause
from scorekeeper.report.masking import is_over
from scorekeeper.report.narration import NarratedEvent, NarratedTrick, tricks_of
from scorekeeper.report.reasons import Decided, Laid, decided
from scorekeeper.report.report import report as report_of
from scorekeeper.service.amending import disputable
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.review.review import round_the_table
from scorekeeper.web.review.scored_log import (
    NOT_RECORDED,
    CorrectedWords,
    Hand,
    Match,
    Remark,
    corrections,
    matches_of,
)
from scorekeeper.web.wording.filters import clause_of


@dataclass(frozen=True, slots=True)
class TrickSeat:
    """A seat in the drawing of one trick: where, whose, what was laid there and when.

    ``at`` is counted counter-clockwise from who looks; ``tricks`` are those taken so far.
    """

    player: str
    name: str
    at: int
    laid: Laid | None
    order: int
    won: bool
    tricks: int


@dataclass(frozen=True, slots=True)
class ReplayedTrick:
    """One trick of the replay, why it went where it went, and whether a finding is about it."""

    number: int
    places: Sequence[TrickSeat]
    why: str
    clause: Clause | None
    led: str
    by: str | None
    contested: bool


@dataclass(frozen=True, slots=True)
class SideScore:
    """A side's score: before the hand, what it added, and after it."""

    name: str
    before: int
    points: int
    penalty: int
    after: int
    winner: bool


@dataclass(frozen=True, slots=True)
class SignatureLine:
    """A signature under the hand; ``by`` is who recorded it, where that was another.

    ``voided_by`` is the correction after which it no longer counts.
    """

    player: str
    seq: int
    at: str
    by: str
    holds: bool
    voided_by: int | None


@dataclass(frozen=True, slots=True)
class Hindsight:
    """All that a page shows of one hand."""

    session: JsonObject
    match: Match
    hand: Hand
    number: int
    game: Game
    dealer: str
    accounts: Sequence[SideScore]
    counts: str
    tricks: Sequence[ReplayedTrick]
    table: Sequence[NarratedTrick]
    seats: int
    events: Sequence[NarratedEvent]
    remarks: Sequence[Remark]
    unchecked: Sequence[Remark]
    signatures: Sequence[SignatureLine]
    corrections: Sequence[CorrectedWords]
    disputes: Sequence[JsonObject]
    over: bool
    disputable: bool
    hands: int
    several: bool

    @property
    def trick_numbers(self) -> frozenset[int]:
        """The tricks of which the cards can be looked at."""
        return frozenset(trick.number for trick in self.tricks)

    @property
    def first_trick(self) -> ReplayedTrick | None:
        """The trick to look at first: one that a finding is about, or else the first."""
        return next((one for one in self.tricks if one.contested), next(iter(self.tricks), None))


def hindsight(session: Session, record: HandRecord, looks: str | None) -> Hindsight:
    """A hand as it is seen by ``looks``, a player or somebody else."""
    report = report_of(session)
    only = {record.match.number: range(record.number, record.number + 1)}
    [match] = matches_of(session, report, looks, only)
    [hand] = match.hands
    at_fault = frozenset(one.cites[0].seq for one in hand.remarks if one.cites)
    return Hindsight(
        session=report["session"],
        match=match,
        hand=hand,
        number=record.match.number,
        game=record.game,
        dealer=record.table.names[record.dealer],
        accounts=list(_accounts(report, match, record)),
        counts=match.sheet.counts,
        tricks=list(tricks(record, looks, at_fault)),
        table=tricks_of(record),
        seats=len(record.table.players),
        events=hand.story.events if hand.story else (),
        remarks=hand.found,
        unchecked=[one for one in hand.remarks if one.code == NOT_RECORDED],
        signatures=list(_signatures(session, report, record)),
        corrections=list(_corrections(session, report, record)),
        disputes=[one for one in report["disputes"] if is_about(one, record)],
        over=is_over(record),
        disputable=disputable(record),
        hands=len(record.match.hands),
        several=len(report["matches"]) > 1,
    )


def is_about(told: JsonObject, record: HandRecord) -> bool:
    """Whether something that the report tells is about a hand."""
    return (told["match"], told["hand"]) == (record.match.number, record.number)


def _accounts(report: JsonObject, match: Match, record: HandRecord) -> Iterator[SideScore]:
    """What each side had, made and has: in a game of Picchetto that game's points."""
    told = report["matches"][record.match.number - 1]
    hand = told["hands"][record.number - 1]
    row = match.sheet.rows[record.number - 1]
    before = record.match.standing(record.number - 1).totals
    for side, name in match.sheet.columns.items():
        points, after = hand["scores"][side], hand["totals"][side]
        cell = row.cells[side]
        if match.sheet.counts == "games":
            after = cell.total or 0
            yield SideScore(name, after - points, points, 0, after, winner=False)
        else:
            made = points if match.sheet.counts == "points" else after - before[side]
            fine = after - before[side] - made
            yield SideScore(name, before[side], points, fine, after, winner=row.winner == side)


# ------------------------------------------------------------------------------------- tricks


def tricks(
    record: HandRecord, looks: str | None, about: frozenset[int] = frozenset()
) -> Iterator[ReplayedTrick]:
    """The tricks of a hand of which cards are on record, drawn as the one who looks sits.

    ``about`` is what was found there.
    """
    at = round_the_table(record.table.players, record.game.direction, looks)
    taken = dict.fromkeys(record.table.players, 0)
    for one in decided(record):
        if one.winner in taken:
            taken[one.winner] += 1
        if one.laid:
            yield ReplayedTrick(
                number=one.number,
                places=[_place(record, one, player, at[player], taken[player]) for player in at],
                why=_begun(one.why, record.table.names.get(one.winner or "", "")),
                clause=clause_of(record.game, one.rule) if one.rule else None,
                led=record.table.names[one.laid[0].player],
                by=one.by,
                contested=not about.isdisjoint(one.events),
            )


def _begun(why: str, name: str) -> str:
    """A reason as it begins a sentence; a name at its beginning stays as it is written."""
    return why if name and why.startswith(name) else why[:1].upper() + why[1:]


def _place(record: HandRecord, trick: Decided, player: str, at: int, tricks: int) -> TrickSeat:
    order, laid = next(
        ((n, one) for n, one in enumerate(trick.laid, 1) if one.player == player), (0, None)
    )
    return TrickSeat(
        player, record.table.names[player], at, laid, order, trick.winner == player, tricks
    )


# ------------------------------------------------------------------------- what was said of it


def _signatures(
    session: Session, report: JsonObject, record: HandRecord
) -> Iterator[SignatureLine]:
    for one in report["signatures"]:
        if is_about(one, record):
            entry = session.corrections.recorded[one["seq"]]
            yield SignatureLine(
                player=session.structure.players[one["player"]],
                seq=one["seq"],
                at=entry.at,
                by="" if entry.by == one["player"] else entry.by,
                holds=one["holds"],
                voided_by=one["voided_by"],
            )


def _corrections(
    session: Session, report: JsonObject, record: HandRecord
) -> Iterator[CorrectedWords]:
    """The corrections that bear on a hand."""
    for one in corrections(session, report):
        segment = session.structure.segment_of.get(one.seq if one.inserted else one.names)
        if segment is not None and segment.hand is record:
            yield one
