"""``/t/<session_id>/results``: the standings, how they came about, and who pays whom."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from flask import Blueprint, render_template

from scorekeeper.base.json_object import JsonObject
from scorekeeper.http.extensions import service
from scorekeeper.report.report import report as report_of
from scorekeeper.report.sheet import sides_that_won
from scorekeeper.service import Holder
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.frame.ring import turned
from scorekeeper.web.phone.links import drawn
from scorekeeper.web.phone.witness import remember, witness_url
from scorekeeper.web.review.chart import Chart, chart
from scorekeeper.web.review.common import groups_of, look
from scorekeeper.web.review.payments import Payment, balances, payments
from scorekeeper.web.review.scored_log import Match, Result, result

blueprint = Blueprint("results", __name__, url_prefix="/t/<session_id>")
blueprint.after_request(remember)


@dataclass(frozen=True, slots=True)
class Standing:
    """A side's place in a match; sides with the same total share theirs."""

    rank: int
    name: str
    total: int
    winner: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """What the record gives of one player in a match; None where it does not.

    ``bids`` are the contracts that he played, ``made`` those he made. ``best`` is the highest
    score of his side in one hand, with the number of that hand.
    """

    name: str
    dealt: int
    best: tuple[int, int] | None
    bids: int | None
    made: int | None
    tricks: int | None
    hands_won: int | None


@dataclass(frozen=True, slots=True)
class Played:
    """One match: its standing, its drawings, what is known of its players, who pays whom."""

    match: Match
    number: int
    places: Sequence[Standing]
    charts: Sequence[Chart]
    facts: Sequence[Facts]
    bidding: bool
    payments: Sequence[Payment]
    disputed: Sequence[int]


@dataclass(frozen=True, slots=True)
class Balance:
    """What a player won or lost in the matches played for points."""

    name: str
    points: int
    won: int


@dataclass(frozen=True, slots=True)
class Results:
    """All that the page shows."""

    shown: Result
    played: Sequence[Played]
    evening: Sequence[Balance]
    payments: Sequence[Payment]


@blueprint.get("/results")
def page(session_id: str) -> str:
    """Show the standings of each match and of the evening."""
    seen = look(session_id, results)
    end = service().store.position(session_id)
    return render_template(
        "results/page.html", id=session_id, seen=seen, groups=groups_of(end.head), end=end,
        qr=drawn(witness_url(session_id, end)),
    )  # fmt: skip


def results(session: Session, holder: Holder) -> Results:
    """What a session comes to, for who looks."""
    report, shown = report_of(session), result(session, holder.player)
    played = [
        _played(told, record, match, holder.player)
        for told, record, match in zip(
            report["matches"], session.structure.matches, shown.matches, strict=True
        )
    ]
    evening = _evening(session, report, shown)
    names = session.structure.players
    owed = {key: one.points for key, one in evening.items()}
    return Results(
        shown=shown,
        played=played,
        evening=sorted(evening.values(), key=lambda one: -one.points),
        payments=_named(payments(owed), names),
    )


# ------------------------------------------------------------------------------------ a match


def _played(told: JsonObject, record: MatchRecord, match: Match, me: str | None) -> Played:
    names = match.sheet.columns
    facts = [_facts(told, record, player) for player in turned(record.seats, me)]
    return Played(
        match=match,
        number=record.number,
        places=_places(told["totals"], names, sides_that_won(told)),
        charts=[one for one in _charts(told, record, names) if one],
        facts=facts,
        bidding=any(one.bids is not None for one in facts),
        payments=_named(payments(balances(told["totals"])), names),
        disputed=[hand["hand"] for hand in told["hands"] if hand["disputed"]],
    )


def _places(
    totals: Mapping[str, int], names: Mapping[str, str], winners: Sequence[str]
) -> list[Standing]:
    return [
        Standing(1 + sum(other > total for other in totals.values()), names[side], total,
              side in winners)
        for side, total in sorted(totals.items(), key=lambda one: -one[1])
    ]  # fmt: skip


def _charts(
    told: JsonObject, record: MatchRecord, names: Mapping[str, str]
) -> Iterator[Chart | None]:
    """The way of a match; where games are won, that of each by its points, up to its target."""
    scored = [hand for hand in told["hands"] if hand["status"] == "complete"]
    if "games" not in told:
        start, goal = record.standing(0).totals, record.game.goal(record.options)
        totals = {side: [start[side], *(hand["totals"][side] for hand in scored)] for side in start}
        yield chart(totals, names, goal.figure if goal and goal.counts != "hands" else None)
    for number, game in enumerate(told.get("games", ()), 1):
        hands = [hand["scores"] for hand in scored if hand["game"] == number]
        totals = {side: [*accumulate((one[side] for one in hands), initial=0)] for side in names}
        after = sum(hand["game"] < number for hand in scored)
        called = record.game.called.get(game["name"], game["name"])
        yield chart(totals, names, game["target"], name=called, after=after)


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


def _named(some: Sequence[Payment], names: Mapping[str, str]) -> list[Payment]:
    return [Payment(names[one.payer], names[one.to], one.points) for one in some]


# ---------------------------------------------------------------------------------- the evening


def _evening(session: Session, report: JsonObject, shown: Result) -> dict[str, Balance]:
    """What each player won or lost in all matches for points, and the matches won."""
    points = dict.fromkeys(session.structure.players, 0)
    won = dict.fromkeys(session.structure.players, 0)
    for told, match in zip(report["matches"], shown.matches, strict=True):
        sides = told["sides"]
        for player in (one for side in sides_that_won(told) for one in sides[side]):
            won[player] += 1
        owed = balances(told["totals"]) if match.sheet.counts == "points" else {}
        for side, figure in owed.items():
            for player in sides[side]:  # each has the balance of the side
                points[player] += figure
    seated = {one for told in report["matches"] for one in told["seats"]}
    return {
        player: Balance(name, points[player], won[player])
        for player, name in session.structure.players.items()
        if player in seated
    }
