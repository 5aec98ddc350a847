"""``/t/<session_id>/results``: the standings, their course, and the payments."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from flask import Blueprint, render_template, request

from scorekeeper.base.parts import ExactPoints
from scorekeeper.languages.money import with_minus_sign
from scorekeeper.play.match_members import GAMES_OF_MATCH
from scorekeeper.report.evening_sums import EveningSum, list_summed_matches, sum_evening
from scorekeeper.report.footnotes import Section, collect_footnotes
from scorekeeper.report.report import view_report
from scorekeeper.report.settlement import settle_matches
from scorekeeper.report.sheet import (
    GridRow,
    HandRow,
    PenaltyRow,
    RankedSide,
    Sheet,
    SheetStep,
    is_played,
    name_sides,
    rank_sides,
)
from scorekeeper.report.span import find_day
from scorekeeper.report.views import MatchView, ReportView, SessionView, SettlementView
from scorekeeper.service import Holder
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.frame.ring import starting_with
from scorekeeper.web.phone.links import draw_qr_code
from scorekeeper.web.phone.witness import remember_head, witness_url
from scorekeeper.web.review.chart import Chart, draw_chart
from scorekeeper.web.review.log_parts import NarratedMatch
from scorekeeper.web.review.paid import (
    Paid,
    PaidEvening,
    PaidLine,
    payment_lines,
    payments_of_evening,
    payments_of_match,
)
from scorekeeper.web.review.review import cached_part, group_fingerprint, see_as_viewer
from scorekeeper.web.review.scored_log import narrate_matches
from scorekeeper.web.wording.rules_link import rules_as_text

MOST_HANDS: Final = 120  # of a session that is shown in full
MOST_MATCHES: Final = 20  # of a session that is shown in full
MOST_OTHERS: Final = 500  # matches listed in brief on one page

blueprint = Blueprint("results", __name__, url_prefix="/t/<session_id>")
blueprint.after_request(remember_head)


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """Statistics of a player in a match; a figure is None if the record does not have it.

    ``bids`` is the number of contracts that the player bid, ``made`` of those won. ``best`` is the
    highest score of the player's side in a hand, with that hand's number.
    """

    name: str
    dealt: int
    best: tuple[ExactPoints, int] | None
    bids: int | None
    made: int | None
    tricks: int | None
    hands_won: int | None


@dataclass(frozen=True, slots=True)
class MatchShown:
    """A match: its standing, its charts, statistics of its players, and its payments.

    The hands ``shown`` are all, or a part in a long session.
    """

    match: NarratedMatch
    shown: range
    number: int
    places: Sequence[RankedSide]
    charts: Sequence[Chart]
    facts: Sequence[PlayerFacts]
    bidding: bool
    paid: Paid
    rules: str  # its house rules, as in a link
    disputed: Sequence[int]
    summed: bool  # its points are paid with those of other matches

    @property
    def rows(self) -> Iterator[GridRow]:
        """The rows of the score sheet for the hands shown.

        Steps before the first hand belong to that hand.
        """
        hands = range(self.shown.start - (self.shown.start == 1), self.shown.stop)
        return self.match.sheet.grid(hands)

    @property
    def earlier(self) -> int:
        """The last hand before those that are shown; 0 if there is none."""
        return self.shown.start - 1

    @property
    def later(self) -> int:
        """The number of the hand with which the next part ends; 0 if there is none."""
        last, hands = self.shown.stop - 1, len(self.match.sheet.rows)
        return min(last + MOST_HANDS, hands) if last < hands else 0


@dataclass(frozen=True, slots=True)
class MatchInBrief:
    """A match of a long session that has its own page: its standing in one line.

    Without a complete hand it has no ``places``.
    """

    number: int
    game: str
    finished: bool
    undecided: bool
    places: Sequence[RankedSide]
    disputed: Sequence[int]


class SummedMatches(NamedTuple):
    """Matches of one game that are added up, with the name of each player and the payments."""

    added: EveningSum
    names: Mapping[str, str]
    lines: Sequence[PaidLine]


@dataclass(frozen=True, slots=True)
class Results:
    """The content of the results page: some matches in full, the ``others`` in brief.

    With very many matches, only those ``near`` are listed.
    """

    session: SessionView
    began: str
    played: Sequence[MatchShown]
    others: Sequence[MatchInBrief]
    near: range
    matches: int
    won: Sequence[tuple[str, int]]
    sums: Sequence[SummedMatches]
    purses: Sequence[PaidEvening]
    notes: Sequence[Section]


@blueprint.get("/results")
def page(session_id: str) -> str:
    """Show the standings of each match and of the session.

    A long session is shown in parts: by default the last part of the last match, else that with the
    match and hand of the query.
    """
    match, upto = (request.args.get(name, type=int) for name in ("match", "to"))
    title, hands, holder = see_as_viewer(
        session_id,
        lambda session, holder: (session_title(session), hands_per_match(session), holder),
    )
    part = choose_part(hands, match, upto)

    def make(session: Session) -> str:
        seen = build_results(session, holder, *part)
        return render_template("results/told.html", id=session_id, seen=seen)

    # The cache key is the part shown. With the query as key, any viewer could force new renderings.
    end, content = cached_part(session_id, holder, ("results", part), make)
    return render_template(
        "results/page.html", id=session_id, title=title, told=content, end=end,
        groups=group_fingerprint(end.head), qr=draw_qr_code(witness_url(session_id, end)),
    )  # fmt: skip


def session_title(session: Session) -> str:
    """Return the title of the session."""
    return session.structure.opened.title if session.structure.opened else ""


def build_results(
    session: Session, holder: Holder, match: int | None = None, upto: int | None = None
) -> Results:
    """Return the content of the results page.

    A long session shows the part of `match` that ends with hand `upto`, by default the last.
    """
    report = view_report(session)
    opened = _hands_shown(hands_per_match(session), match, upto)
    settlements = settle_matches(session, report)
    matches = zip(opened, narrate_matches(session, report, holder.player, opened), strict=True)
    near, names = _matches_listed(opened), session.structure.players
    sums = sum_evening(session, report)
    summed = list_summed_matches(sums)
    return Results(
        session=report.session,
        began=find_day(session).at,
        played=[
            _match_shown(
                report.matches[number - 1],
                session.structure.matches[number - 1],
                shown_match,
                settlements[number - 1],
                holder.player,
                opened[number],
                summed=number in summed,
            )
            for number, shown_match in matches
        ],
        others=[
            _match_in_brief(*each)
            for each in zip(report.matches, session.structure.matches, strict=True)
            if each[1].number in near and each[1].number not in opened
        ],
        near=near,
        matches=len(report.matches),
        won=_matches_won(session, report),
        sums=[
            SummedMatches(added, names, payment_lines(added.payments, names, with_minus_sign))
            for added in sums
        ],
        purses=[
            payments_of_evening(purse, report, session.structure.players)
            for purse in report.money or ()
        ],
        notes=collect_footnotes(session, report),
    )


def hands_per_match(session: Session) -> list[int]:
    """Return the number of hands of each match, in their order."""
    return [len(match.hands) for match in session.structure.matches]


MatchPart = tuple[int, int] | tuple[None, None]


def choose_part(hands: Sequence[int], match: int | None, upto: int | None) -> MatchPart:
    """Return the match and last hand of the part that is shown; None for both if all is shown.

    Parts are counted from the end of the match. An unknown match or hand stands for the last one.
    """
    if sum(hands) <= MOST_HANDS and len(hands) <= MOST_MATCHES:
        return None, None
    number = match if match is not None and 1 <= match <= len(hands) else len(hands)
    many = hands[number - 1]
    last = upto if upto is not None and 1 <= upto <= many else many
    return number, many - (many - last) // MOST_HANDS * MOST_HANDS


def _hands_shown(hands: Sequence[int], match: int | None, upto: int | None) -> dict[int, range]:
    """Return the hands that are shown in full, by the number of their match."""
    number, last = choose_part(hands, match, upto)
    if number is None or last is None:
        return {number: range(1, many + 1) for number, many in enumerate(hands, 1)}
    return {number: range(max(1, last - MOST_HANDS + 1), last + 1)}


def _matches_listed(opened: Collection[int]) -> range:
    """Return the numbers of the matches that are listed: all, unless there are very many."""
    first = (min(opened, default=1) - 1) // MOST_OTHERS * MOST_OTHERS + 1
    return range(first, first + MOST_OTHERS)


# ------------------------------------------------------------------------------------ a match


def _match_shown(
    match_report: MatchView, record: MatchRecord, match: NarratedMatch, settled: SettlementView,
    me: str | None, shown: range, *, summed: bool,
) -> MatchShown:  # fmt: skip
    """Return a match in full for the results page; `shown` are its hands to show."""
    facts = [
        _player_facts(match_report, record, player) for player in starting_with(record.seats, me)
    ]
    return MatchShown(
        match=match,
        shown=shown,
        number=record.number,
        places=rank_sides(match_report, match.sheet.columns),
        charts=[drawing for drawing in _charts(match_report, record, match.sheet) if drawing],
        facts=facts,
        bidding=any(player_facts.bids is not None for player_facts in facts),
        paid=payments_of_match(settled, record),
        rules=rules_as_text(record.game, record.options),
        disputed=_disputed_hands(match_report),
        summed=summed,
    )


def _match_in_brief(match_report: MatchView, record: MatchRecord) -> MatchInBrief:
    """Return a match that is not shown in full as one line."""
    names = name_sides(record.sides, record.names)
    finished = match_report.status == "finished"
    return MatchInBrief(
        record.number,
        record.game.local_name,
        finished,
        bool(match_report.undecided),
        rank_sides(match_report, names) if is_played(match_report) else [],
        _disputed_hands(match_report),
    )


def _disputed_hands(match_report: MatchView) -> list[int]:
    """Return the numbers of the disputed hands of a match."""
    return [hand.hand for hand in match_report.hands if hand.disputed]


def _charts(match_report: MatchView, record: MatchRecord, sheet: Sheet) -> Iterator[Chart | None]:
    """Yield the chart of a match, or of each of its games up to the game's target."""
    if GAMES_OF_MATCH not in match_report.own:
        dealt = [hand for hand in match_report.hands if hand.status != "open"]
        start, goal = record.standing(0).totals, record.game.goal(record.options)
        totals = {side: [start[side], *(hand.totals[side] for hand in dealt)] for side in start}
        yield draw_chart(
            totals, sheet.columns, goal.figure if goal and goal.counts != "hands" else None
        )
    for game, steps in sheet.parts:
        if game is not None:
            after = next((step.hand - 1 for step in steps if isinstance(step, HandRow)), 0)
            title = record.game.called.get(game.name, game.name)
            yield draw_chart(
                _totals_course(steps), sheet.columns, game.target, name=title, after=after
            )


def _totals_course(steps: Sequence[SheetStep]) -> dict[str, list[ExactPoints]]:
    """Return the totals of a game before its first hand and after each, including penalties.

    A penalty after a hand is part of that hand's total.
    """
    hands = [step for step in steps if isinstance(step, HandRow)]
    totals: dict[str, ExactPoints] = dict.fromkeys(steps[0].cells, 0)
    course: dict[str, list[ExactPoints]] = {side: [0] for side in totals}
    last = hands[0].hand - 1 if hands else 0
    for step in steps:
        totals |= {side: cell.total for side, cell in step.cells.items() if cell.total is not None}
        dealt = isinstance(step, HandRow) and step.status != "open"
        for side, total in totals.items():
            if dealt:
                course[side].append(total)
            elif isinstance(step, PenaltyRow) and step.hand <= last:
                course[side][-1] = total
        last = step.hand if isinstance(step, HandRow) else last
    return course


def _player_facts(match_report: MatchView, record: MatchRecord, player: str) -> PlayerFacts:
    """Return the statistics of a player in a match."""
    scored = [hand_record for hand_record in record.hands if record.is_complete(hand_record)]
    side = next(name for name, members in record.sides.items() if player in members)
    scores = [
        (hand.scores[side], hand.hand) for hand in match_report.hands if hand.status == "complete"
    ]
    winners = [hand.winner for hand in match_report.hands if hand.winner is not None]
    bids = [hand for hand in scored if contract_player(hand) == player]
    known = [hand for hand in scored if hand.deal.all_tricks]
    return PlayerFacts(
        name=record.names[player],
        dealt=sum(hand.dealer == player for hand in record.hands),
        best=max(scores, key=lambda score: score[0], default=None),
        bids=len(bids) if any(contract_player(hand) for hand in scored) else None,
        made=sum(hand.deal.contract_ended() is True for hand in bids),
        tricks=sum(len(hand.deal.tricks_by(player)) for hand in known) if known else None,
        hands_won=winners.count(side) if winners else None,
    )


def contract_player(hand: HandRecord) -> str | None:
    """Return the player whose contract a hand was played for; None without contract."""
    contract = hand.deal.contract
    return contract and contract.player


# ---------------------------------------------------------------------------------- the evening


def _matches_won(session: Session, report: ReportView) -> list[tuple[str, int]]:
    """Return the players who sat in a match with the number of matches won, most first."""
    seated = [player for match_report in report.matches for player in match_report.seats]
    won = {player: 0 for player in session.structure.players if player in seated}
    for match_report in report.matches:
        for side in match_report.winners:
            for player in match_report.sides[side]:
                won[player] += 1
    names = session.structure.players
    rows = ((names[player], count) for player, count in won.items())
    return sorted(rows, key=lambda row: -row[1])
