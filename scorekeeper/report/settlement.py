"""The settlement of a match between its players, and of a session in money.

Points settle match by match, by the rule of the game (G9). With a stake they are worth money, and
then the session settles, each currency apart (G10): points of different games are never added.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, cast

from scorekeeper.base.currencies import MINOR_DIGITS
from scorekeeper.base.parts import in_points, to_parts
from scorekeeper.games.checked import GameFaultError
from scorekeeper.play.match_members import GAMES_OF_MATCH, read_reckoning
from scorekeeper.play.settlement import Amounts, Shares, of_match
from scorekeeper.report.payments import add_balances, compute_payments, is_fewest_known
from scorekeeper.report.views import (
    DoubtView,
    DueView,
    MatchView,
    MoneyView,
    ReportView,
    SettlementView,
)
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session


def settle_match(record: MatchRecord, match: MatchView) -> SettlementView:
    """Return the settlement of a match: with a stake in minor units of its currency, or in points.

    ``match`` is its report. Where scores have parts of a point, so has a settlement in points.
    """
    sides, parts = tuple(record.sides), record.game.parts
    worth = 1 if record.stake is None else record.stake.point
    reckoning = read_reckoning(match.own)
    odd: list[str] = []  # sides
    if reckoning is not None:
        amounts = {side: to_parts(reckoning.points[side], parts) * worth for side in sides}
        dues = [DueView("match", None, None, amounts)]
    else:
        dues = list(_list_hand_dues(record, worth))
        for fine in _group_penalties(record):
            shares = _share_penalty(record, fine, worth)
            dues.append(DueView("penalties", None, next(iter(fine)), shares.amounts))
            odd += shares.odd
    if parts > 1 and record.stake is not None:
        _refuse_unequal(record, [sum(due.amounts.values()) for due in dues])
        dues, rounded_up = _round_dues(dues, sides, parts)
        odd += rounded_up
    if record.stake is not None and match.status == "finished":
        shares = of_match(sides, match.winners, record.stake.match)
        if any(shares.amounts.values()):
            dues.append(DueView("match", None, None, shares.amounts))
            odd += shares.odd
    among = record.game.settlement.of_players(
        record.sides, {side: sum(due.amounts[side] for due in dues) for side in sides}
    )
    _refuse_unequal(record, among.amounts.values())
    if parts > 1 and record.stake is None:
        dues = [replace(due, amounts=_as_points(due.amounts, parts)) for due in dues]
        among = among._replace(amounts=_as_points(among.amounts, parts))
    odd_players = [player for side in odd for player in record.sides[side]]
    return SettlementView(
        balances=among.amounts,
        payments=compute_payments(among.amounts),
        dues=dues,
        odd=list(dict.fromkeys([*odd_players, *among.odd])),
        doubts=list(_list_doubts(match)),
    )


def _refuse_unequal(record: MatchRecord, amounts: Iterable[int]) -> None:
    """Raise `GameFaultError` unless these amounts add up to 0."""
    if sum(amounts):
        raise GameFaultError(record.game.id, "what its players get and pay does not make 0 in all")


def _as_points(amounts: Amounts, parts: int) -> Amounts:
    """Return amounts in ``parts`` of a point as points.

    Their type stays that of money, which is whole: no settlement in points is in a report.
    """
    return cast("Amounts", {key: in_points(amount, parts) for key, amount in amounts.items()})


def _round_dues(
    dues: Iterable[DueView], sides: Sequence[str], parts: int
) -> tuple[list[DueView], list[str]]:
    """Return dues in ``parts`` of a minor unit as whole units, and the sides that got one more.

    The amounts after each of them, added up, are those before rounding, down to whole units. What
    is left goes unit by unit to the sides with the largest rests, equal ones in order of play. So
    no rounding errors add up, and nothing is lost: each due makes 0.
    """
    exact, paid = dict.fromkeys(sides, 0), dict.fromkeys(sides, 0)
    rounded, more = [], []
    for due in dues:
        exact = {side: exact[side] + due.amounts[side] for side in sides}
        down = {side: exact[side] // parts for side in sides}
        by_rest = sorted(sides, key=lambda side: -(exact[side] % parts))
        more = by_rest[: -sum(down.values())]
        after = {side: down[side] + (side in more) for side in sides}
        amounts = {side: after[side] - paid[side] for side in sides}
        rounded.append(replace(due, amounts=amounts))
        paid = after
    return rounded, more


def get_counted_unit(record: MatchRecord) -> Literal["points", "hands", "games"]:
    """Return what the totals of a match count: points, hands won or games won."""
    goal = record.game.goal(record.options)
    if goal is not None and goal.counts == "wins":
        return "hands"
    return "games" if GAMES_OF_MATCH in record.game.describe_match(record.standing(0)) else "points"


def _list_hand_dues(record: MatchRecord, worth: int) -> Iterator[DueView]:
    """Yield the amounts of each hand that changed the totals."""
    for hand in record.hands:
        hand_points = _compute_hand_points(record, hand)
        if any(hand_points.values()):
            amounts = record.game.settlement.of_scores(hand_points, worth)
            yield DueView("hand", hand.number, None, amounts)


def _compute_hand_points(record: MatchRecord, hand: HandRecord) -> dict[str, int]:
    """Return what a hand added to the totals of its match, without the penalties given in it.

    It is in parts of a point, as are all amounts until they are rounded.
    """
    after, before = record.standing(hand.number).totals, record.standing(hand.number - 1).totals
    hand_points = {side: after[side] - before[side] for side in record.sides}
    if record.counts_penalties:
        for _, penalty in hand.penalties:
            hand_points[penalty.side] -= penalty.points
    return {side: to_parts(points, record.game.parts) for side, points in hand_points.items()}


def _group_penalties(record: MatchRecord) -> Iterator[dict[str, int]]:
    """Yield the changes of the totals by penalties, in parts of a point.

    The side that was penalized comes first. A penalty that others share is yielded alone; the other
    penalties of a side are added up.
    """
    if not record.counts_penalties:
        return
    by_event: dict[int, dict[str, int]] = {}
    for penalty in record.penalties:
        points = to_parts(penalty.points, record.game.parts)
        by_event.setdefault(penalty.seq, {})[penalty.side] = points
    alone: dict[str, int] = {}
    for fine in by_event.values():
        if len(fine) > 1:
            yield fine
        else:
            [(side, points)] = fine.items()
            alone[side] = alone.get(side, 0) + points
    yield from ({side: points} for side, points in alone.items() if points)


def _share_penalty(record: MatchRecord, fine: Amounts, worth: int) -> Shares:
    """Return the amounts of a penalty by side."""
    how, sides = record.game.settlement, tuple(record.sides)
    if len(fine) == 1:
        [(side, points)] = fine.items()
        return how.of_penalty(side, points, sides, worth)
    return Shares(how.of_scores({side: fine.get(side, 0) for side in sides}, worth))


def _list_doubts(match: MatchView) -> Iterator[DoubtView]:
    """Yield the reasons why the settlement of a match may change."""
    if match.status == "open":
        yield DoubtView("open", None)
    for hand in match.hands:
        if hand.disputed:
            yield DoubtView("disputed", hand.hand)
        if hand.status == "incomplete":
            yield DoubtView("incomplete", hand.hand)


def settle_matches(session: Session, report: ReportView) -> list[SettlementView]:
    """Return the settlement of each match of a session, with a stake or in points."""
    pairs = zip(session.structure.matches, report.matches, strict=True)
    return [match.settlement or settle_match(record, match) for record, match in pairs]


def settle_evening(matches: Iterable[MatchView]) -> list[MoneyView]:
    """Return the money of the settled matches of a session by currency, in the order of play."""
    by_currency: dict[str, dict[int, SettlementView]] = {}
    for match in matches:
        if match.stake is not None and match.settlement is not None:
            settled = by_currency.setdefault(match.stake.currency, {})
            settled[match.match] = match.settlement
    return [_view_money(currency, settled) for currency, settled in by_currency.items()]


def _view_money(currency: str, settled: Mapping[int, SettlementView]) -> MoneyView:
    """Return the money of a session in one currency, from the settlements of its matches."""
    balances = add_balances(match.balances for match in settled.values())
    return MoneyView(
        currency=currency,
        digits=MINOR_DIGITS[currency],
        matches=list(settled),
        balances=balances,
        payments=compute_payments(balances),
        fewest=is_fewest_known(balances),
        provisional=any(match.doubts for match in settled.values()),
    )
