"""One hand in review: its score line by line, its tricks, its findings and its disputes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.base.parts import ExactPoints
from scorekeeper.games.game import Game
from scorekeeper.play.rulebook import Clause
from scorekeeper.report.masking import is_over
from scorekeeper.report.narration import NarratedEvent, NarratedTrick, narrate_tricks
from scorekeeper.report.reasons import DecidedTrick, LaidCard, explain_tricks
from scorekeeper.report.report import view_report
from scorekeeper.report.views import DisputeView, ReportView, SessionView, SignatureView
from scorekeeper.service.amending import is_disputable
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.web.review.log_parts import (
    NOT_RECORDED,
    CorrectedWords,
    NarratedHand,
    NarratedMatch,
    Remark,
)
from scorekeeper.web.review.review import places_around_table
from scorekeeper.web.review.scored_log import list_corrections, narrate_matches
from scorekeeper.web.wording.filters import clause_of


@dataclass(frozen=True, slots=True)
class TrickSeat:
    """A seat in the drawing of a trick: its player, and the card that was laid, with its order.

    ``at`` counts seats counter-clockwise from the viewer; ``tricks`` is the number taken so far.
    """

    player: str
    name: str
    at: int
    laid: LaidCard | None
    order: int
    won: bool
    tricks: int


@dataclass(frozen=True, slots=True)
class ReplayedTrick:
    """A trick of the replay, the reason for its winner, and whether a finding cites it."""

    number: int
    places: Sequence[TrickSeat]
    why: str
    clause: Clause | None
    led: str
    by: str | None
    contested: bool


@dataclass(frozen=True, slots=True)
class SideScore:
    """A side's score: before the hand, its change, and after it."""

    name: str
    before: ExactPoints
    points: ExactPoints
    penalty: ExactPoints
    after: ExactPoints
    winner: bool


@dataclass(frozen=True, slots=True)
class SignatureLine:
    """A signature of the hand; ``by`` is the recorder, if that was not the player.

    ``voided_by`` is the correction after which it no longer counts.
    """

    player: str
    seq: int
    at: str
    by: str
    holds: bool
    voided_by: int | None


@dataclass(frozen=True, slots=True)
class HandReview:
    """The content of a hand's page."""

    session: SessionView
    match: NarratedMatch
    hand: NarratedHand
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
    disputes: Sequence[DisputeView]
    over: bool
    is_disputable: bool
    hands: int
    several: bool

    @property
    def trick_numbers(self) -> frozenset[int]:
        """The tricks whose cards can be shown."""
        return frozenset(trick.number for trick in self.tricks)

    @property
    def first_trick(self) -> ReplayedTrick | None:
        """The trick to show first: the first with a finding, or else the first."""
        return next(
            (trick for trick in self.tricks if trick.contested), next(iter(self.tricks), None)
        )


def review_hand(session: Session, record: HandRecord, viewer: str | None) -> HandReview:
    """Return the content of a hand's page, seen from the seat of `viewer`, if they have one."""
    report = view_report(session)
    only = {record.match.number: range(record.number, record.number + 1)}
    [match] = narrate_matches(session, report, viewer, only)
    [hand] = match.hands
    at_fault = frozenset(remark.cites[0].seq for remark in hand.remarks if remark.cites)
    return HandReview(
        session=report.session,
        match=match,
        hand=hand,
        number=record.match.number,
        game=record.game,
        dealer=record.table.names[record.dealer],
        accounts=list(_side_scores(report, match, record)),
        counts=match.sheet.counts,
        tricks=list(replay_tricks(record, viewer, at_fault)),
        table=narrate_tricks(record),
        seats=len(record.table.players),
        events=hand.story.events if hand.story else (),
        remarks=hand.found,
        unchecked=[remark for remark in hand.remarks if remark.code == NOT_RECORDED],
        signatures=list(_signature_lines(session, report, record)),
        corrections=list(_corrections_of_hand(session, report, record)),
        disputes=[dispute for dispute in report.disputes if is_about(dispute, record)],
        over=is_over(record),
        is_disputable=is_disputable(record),
        hands=len(record.match.hands),
        several=len(report.matches) > 1,
    )


def is_about(item: DisputeView | SignatureView, record: HandRecord) -> bool:
    """Return whether an item of the report is about a hand."""
    return (item.match, item.hand) == (record.match.number, record.number)


def _side_scores(
    report: ReportView, match: NarratedMatch, record: HandRecord
) -> Iterator[SideScore]:
    """Yield each side's score before and after a hand; within a game of Picchetto, its points."""
    match_report = report.matches[record.match.number - 1]
    hand = match_report.hands[record.number - 1]
    row = match.sheet.rows[record.number - 1]
    before = record.match.standing(record.number - 1).totals
    for side, name in match.sheet.columns.items():
        points, after = hand.scores[side], hand.totals[side]
        cell = row.cells[side]
        if match.sheet.counts == "games":
            after = cell.total or 0
            yield SideScore(name, after - points, points, 0, after, winner=False)
        else:
            gained = points if match.sheet.counts == "points" else after - before[side]
            penalty = after - before[side] - gained
            yield SideScore(name, before[side], points, penalty, after, winner=row.winner == side)


# ------------------------------------------------------------------------------------- tricks


def replay_tricks(
    record: HandRecord, viewer: str | None, about: frozenset[int] = frozenset()
) -> Iterator[ReplayedTrick]:
    """Yield the tricks of a hand with recorded cards, seen from the seat of `viewer`.

    `about` are the seqs that findings cite.
    """
    at = places_around_table(record.table.players, record.game.direction, viewer)
    taken = dict.fromkeys(record.table.players, 0)
    for trick in explain_tricks(record):
        if trick.winner in taken:
            taken[trick.winner] += 1
        if trick.laid:
            yield ReplayedTrick(
                number=trick.number,
                places=[
                    _trick_seat(record, trick, player, at[player], taken[player]) for player in at
                ],
                why=_as_sentence(trick.why, record.table.names.get(trick.winner or "", "")),
                clause=clause_of(record.game, trick.rule) if trick.rule else None,
                led=record.table.names[trick.laid[0].player],
                by=trick.by,
                contested=not about.isdisjoint(trick.events),
            )


def _as_sentence(why: str, name: str) -> str:
    """Capitalise a reason, unless it begins with a name."""
    return why if name and why.startswith(name) else why[:1].upper() + why[1:]


def _trick_seat(
    record: HandRecord, trick: DecidedTrick, player: str, at: int, tricks: int
) -> TrickSeat:
    """Return a player's seat in the drawing of a trick.

    `at` is its place, `tricks` the number of tricks that the player took so far.
    """
    order, laid = next(
        ((n, card_laid) for n, card_laid in enumerate(trick.laid, 1) if card_laid.player == player),
        (0, None),
    )
    return TrickSeat(
        player, record.table.names[player], at, laid, order, trick.winner == player, tricks
    )


# --------------------------------------------------------------------------------- signatures


def _signature_lines(
    session: Session, report: ReportView, record: HandRecord
) -> Iterator[SignatureLine]:
    """Yield the signatures of a hand."""
    for signature in report.signatures:
        if is_about(signature, record):
            entry = session.corrections.recorded[signature.seq]
            yield SignatureLine(
                player=session.structure.players[signature.player],
                seq=signature.seq,
                at=entry.at,
                by="" if entry.by == signature.player else entry.by,
                holds=signature.holds,
                voided_by=signature.voided_by,
            )


def _corrections_of_hand(
    session: Session, report: ReportView, record: HandRecord
) -> Iterator[CorrectedWords]:
    """Yield the corrections of a hand."""
    for correction in list_corrections(session, report):
        segment = session.structure.segment_of.get(
            correction.seq if correction.inserted else correction.names
        )
        if segment is not None and segment.hand is record:
            yield correction
