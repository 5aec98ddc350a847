"""``/t/<session_id>/results``: the standings, how they came about, and who pays whom."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, render_template, request

from scorekeeper.base.json_object import JsonObject
from scorekeeper.report.footnotes import Section, footnotes
from scorekeeper.report.report import report as report_of
from scorekeeper.report.settlement import Settled, purses, settlements
from scorekeeper.report.sheet import HandRow, PenaltyRow, Sheet, sides_that_won
from scorekeeper.report.span import began
from scorekeeper.service import Holder
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.frame.ring import turned
from scorekeeper.web.phone.links import drawn
from scorekeeper.web.phone.witness import remember, witness_url
from scorekeeper.web.review.chart import Chart, chart
from scorekeeper.web.review.paid import Paid, PaidEvening, paid, paid_evening
from scorekeeper.web.review.review import groups_of, look, seen_by_many
from scorekeeper.web.review.scored_log import Match, matches_of
from scorekeeper.web.wording.naming import short
from scorekeeper.web.wording.rules_link import as_text

IN_A_ROW: Final = 10.0  # em, for the name of a player beside his figures
MOST_HANDS: Final = 120  # of an evening, up to which all its matches are shown in full
MOST_MATCHES: Final = 20  # likewise
MOST_OTHERS: Final = 500  # matches of which one page says how they stand

blueprint = Blueprint("results", __name__, url_prefix="/t/<session_id>")
blueprint.after_request(remember)


@dataclass(frozen=True, slots=True)
class SidePlace:
    """A side's place in a match; sides with the same total share theirs."""

    rank: int
    name: str
    total: int
    winner: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """What the record gives of one player in a match; None where it does not.

    ``bids`` are the contracts that he played, ``made`` those he made. ``best`` is the highest
    score of his side in one hand, with the number of that hand; ``short`` his name cut to fit.
    """

    name: str
    short: str
    dealt: int
    best: tuple[int, int] | None
    bids: int | None
    made: int | None
    tricks: int | None
    hands_won: int | None


@dataclass(frozen=True, slots=True)
class MatchShown:
    """One match: its standing, its drawings, what is known of its players, what it comes to.

    The hands ``shown`` are all, or of a long evening some.
    """

    match: Match
    shown: range
    number: int
    places: Sequence[SidePlace]
    charts: Sequence[Chart]
    facts: Sequence[Facts]
    bidding: bool
    paid: Paid
    rules: str  # its house rules, as a link has them
    disputed: Sequence[int]

    @property
    def parts(self) -> Iterator[tuple[Mapping[str, Any] | None, list[HandRow | PenaltyRow]]]:
        """Its games with their steps, as far as they are of hands that are shown, or between them.

        What stands before the first hand is with that.
        """
        here = range(self.shown.start - (self.shown.start == 1), self.shown.stop)
        for game, steps in self.match.sheet.parts:
            some = [one for one in steps if one.hand in here]
            if some:
                yield game, some

    @property
    def earlier(self) -> int:
        """The last of the hands before those that are shown; 0 where there is none."""
        return self.shown.start - 1

    @property
    def later(self) -> int:
        """The last of the hands to be shown after these; 0 where there is none."""
        last, hands = self.shown.stop - 1, len(self.match.sheet.rows)
        return min(last + MOST_HANDS, hands) if last < hands else 0


@dataclass(frozen=True, slots=True)
class InBrief:
    """A match of a long evening that another page shows: how it stands, in one line."""

    number: int
    game: str
    finished: bool
    places: Sequence[SidePlace]
    disputed: Sequence[int]


@dataclass(frozen=True, slots=True)
class Results:
    """All that the page shows: some matches in full, the ``others`` in brief.

    Of very many, only those ``near`` are said.
    """

    session: JsonObject
    began: str | None
    played: Sequence[MatchShown]
    others: Sequence[InBrief]
    near: range
    matches: int
    won: Sequence[tuple[str, int]]
    purses: Sequence[PaidEvening]
    notes: Sequence[Section]


@blueprint.get("/results")
def page(session_id: str) -> str:
    """Show the standings of each match and of the evening.

    Of many hands some are shown, the last ones of a match: that in the query, else the last; those
    with the hand in the query.
    """
    match, upto = (request.args.get(name, type=int) for name in ("match", "to"))
    title, hands, holder = look(
        session_id, lambda session, holder: (title_of(session), hands_of(session), holder)
    )
    part = part_of(hands, match, upto)

    def make(session: Session) -> str:
        seen = results(session, holder, *part)
        return render_template("results/told.html", id=session_id, seen=seen)

    # Kept by what is shown: by its address, anybody with a key could have it made again and again.
    end, told = seen_by_many(session_id, holder, ("results", part), make)
    return render_template(
        "results/page.html", id=session_id, title=title, told=told, end=end,
        groups=groups_of(end.head), qr=drawn(witness_url(session_id, end)),
    )  # fmt: skip


def title_of(session: Session) -> str:
    """What the session is called."""
    return session.structure.opened.title if session.structure.opened else ""


def results(
    session: Session, holder: Holder, match: int | None = None, upto: int | None = None
) -> Results:
    """What a session comes to, for whoever looks, and asks for a match and the last hand to see."""
    report = report_of(session)
    opened = _opened(hands_of(session), match, upto)
    found = settlements(session, report)
    matches = zip(opened, matches_of(session, report, holder.player, opened), strict=True)
    near = _near(opened)
    return Results(
        session=report["session"],
        began=began(session),
        played=[
            _played(report["matches"][number - 1], session.structure.matches[number - 1], one,
                    found[number - 1], holder.player, opened[number])
            for number, one in matches
        ],
        others=[
            _in_brief(*each)
            for each in zip(report["matches"], session.structure.matches, strict=True)
            if each[1].number in near and each[1].number not in opened
        ],
        near=near,
        matches=len(report["matches"]),
        won=_won(session, report),
        purses=[paid_evening(one, session.structure.players) for one in purses(found)],
        notes=footnotes(session, report),
    )  # fmt: skip


def hands_of(session: Session) -> list[int]:
    """How many hands each match has."""
    return [len(one.hands) for one in session.structure.matches]


MatchPart = tuple[int, int] | tuple[None, None]


def part_of(hands: Sequence[int], match: int | None, upto: int | None) -> MatchPart:
    """Which part of an evening is shown by a match and a hand of the query; none where all is.

    It is a match, and the last hand of the part that has the hand: parts are counted from the end
    of the match. Where there is no such match or hand it is the last.
    """
    if sum(hands) <= MOST_HANDS and len(hands) <= MOST_MATCHES:
        return None, None
    number = match if match is not None and 1 <= match <= len(hands) else len(hands)
    many = hands[number - 1]
    last = upto if upto is not None and 1 <= upto <= many else many
    return number, many - (many - last) // MOST_HANDS * MOST_HANDS


def _opened(hands: Sequence[int], match: int | None, upto: int | None) -> dict[int, range]:
    """The hands that are shown, by the number of their match."""
    number, last = part_of(hands, match, upto)
    if number is None or last is None:
        return {number: range(1, many + 1) for number, many in enumerate(hands, 1)}
    return {number: range(max(1, last - MOST_HANDS + 1), last + 1)}


def _near(opened: Collection[int]) -> range:
    """The numbers of the matches of which something is said, all of them where they are few."""
    first = (min(opened, default=1) - 1) // MOST_OTHERS * MOST_OTHERS + 1
    return range(first, first + MOST_OTHERS)


# ------------------------------------------------------------------------------------ a match


def _played(
    told: JsonObject, record: MatchRecord, match: Match, settled: Settled, me: str | None,
    shown: range,
) -> MatchShown:  # fmt: skip
    facts = [_facts(told, record, player) for player in turned(record.seats, me)]
    return MatchShown(
        match=match,
        shown=shown,
        number=record.number,
        places=_places(told, match.sheet.columns),
        charts=[one for one in _charts(told, record, match.sheet) if one],
        facts=facts,
        bidding=any(one.bids is not None for one in facts),
        paid=paid(settled, record),
        rules=as_text(record.game, record.options),
        disputed=_disputed(told),
    )


def _in_brief(told: JsonObject, record: MatchRecord) -> InBrief:
    names = {
        side: " & ".join(record.names[player] for player in members)
        for side, members in record.sides.items()
    }
    finished = told["status"] == "finished"
    return InBrief(record.number, record.game.name, finished, _places(told, names), _disputed(told))


def _disputed(told: JsonObject) -> list[int]:
    return [hand["hand"] for hand in told["hands"] if hand["disputed"]]


def _places(told: JsonObject, names: Mapping[str, str]) -> list[SidePlace]:
    """The sides of a match by their totals, the highest first."""
    totals, winners = told["totals"], sides_that_won(told)
    return [
        SidePlace(1 + sum(other > total for other in totals.values()), names[side], total,
              side in winners)
        for side, total in sorted(totals.items(), key=lambda one: -one[1])
    ]  # fmt: skip


def _charts(told: JsonObject, record: MatchRecord, sheet: Sheet) -> Iterator[Chart | None]:
    """The way of a match; where games are won, that of each by its points, up to its target."""
    if "games" not in told:
        dealt = [hand for hand in told["hands"] if hand["status"] != "open"]
        start, goal = record.standing(0).totals, record.game.goal(record.options)
        totals = {side: [start[side], *(hand["totals"][side] for hand in dealt)] for side in start}
        yield chart(totals, sheet.columns, goal.figure if goal and goal.counts != "hands" else None)
    for game, steps in sheet.parts:
        if game is not None:
            after = next((step.hand - 1 for step in steps if isinstance(step, HandRow)), 0)
            called = record.game.called.get(game["name"], game["name"])
            yield chart(_way(steps), sheet.columns, game["target"], name=called, after=after)


def _way(steps: Sequence[HandRow | PenaltyRow]) -> dict[str, list[int]]:
    """The totals of a game before its first hand and after each, with the penalties given by then.

    One that was given after a hand is in what that hand led to.
    """
    hands = [step for step in steps if isinstance(step, HandRow)]
    now = dict.fromkeys(steps[0].cells, 0)
    way, last = {side: [0] for side in now}, hands[0].hand - 1 if hands else 0
    for step in steps:
        now |= {side: one.total for side, one in step.cells.items() if one.total is not None}
        dealt = isinstance(step, HandRow) and step.status != "open"
        for side, total in now.items():
            if dealt:
                way[side].append(total)
            elif isinstance(step, PenaltyRow) and step.hand <= last:
                way[side][-1] = total
        last = step.hand if isinstance(step, HandRow) else last
    return way


def _facts(told: JsonObject, record: MatchRecord, player: str) -> Facts:
    scored = [one for one in record.hands if record.complete(one)]
    side = next(one for one, members in record.sides.items() if player in members)
    scores = [
        (hand["scores"][side], hand["hand"])
        for hand in told["hands"]
        if hand["status"] == "complete"
    ]
    winners = [hand["winner"] for hand in told["hands"] if hand["winner"] is not None]
    bids = [one for one in scored if bidder(one) == player]
    known = [one for one in scored if one.deal.all_tricks]
    return Facts(
        name=record.names[player],
        short=short(record.names, IN_A_ROW)[player],
        dealt=sum(one.dealer == player for one in record.hands),
        best=max(scores, key=lambda one: one[0], default=None),
        bids=len(bids) if any(bidder(one) for one in scored) else None,
        made=sum(one.deal.contract_ended() is True for one in bids),
        tricks=sum(len(one.deal.tricks_by(player)) for one in known) if known else None,
        hands_won=winners.count(side) if winners else None,
    )


def bidder(hand: HandRecord) -> str | None:
    """Whose contract a hand was played for; None in games without one, or where it is unknown."""
    contract = hand.deal.contract
    return contract and contract.player


# ---------------------------------------------------------------------------------- the evening


def _won(session: Session, report: JsonObject) -> list[tuple[str, int]]:
    """The players who sat in a match, and how many matches each won, most first."""
    seated = [one for told in report["matches"] for one in told["seats"]]
    won = {one: 0 for one in session.structure.players if one in seated}
    for told in report["matches"]:
        for player in (one for side in sides_that_won(told) for one in told["sides"][side]):
            won[player] += 1
    names = session.structure.players
    return sorted(((names[one], many) for one, many in won.items()), key=lambda one: -one[1])
