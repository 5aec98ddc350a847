"""The settlement of a match between its players, and of a session in money.

Points settle match by match, by the rule of the game (G9). With a stake they are worth money, and
then the session settles, each currency apart (G10): points of different games are never added.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from scorekeeper.base.cached import cached_property
from scorekeeper.base.currencies import MINOR_DIGITS
from scorekeeper.events.common import Stake
from scorekeeper.games.checked import GameFaultError
from scorekeeper.play.settlement import Amounts, Shares, of_match
from scorekeeper.report import views
from scorekeeper.report.payments import Accounts, Payment, compute_payments
from scorekeeper.report.sheet import get_winning_sides
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session


class SettlementItem(NamedTuple):
    """The amounts of one cause, by side: a hand, the penalties of a side, or the won match."""

    what: Literal["hand", "penalties", "match"]
    amounts: Amounts
    hand: int | None = None
    side: str | None = None


class Doubt(NamedTuple):
    """A reason why a settlement may change: an open match, a disputed or incomplete hand."""

    why: Literal["open", "disputed", "incomplete"]
    hand: int | None = None


@dataclass(frozen=True)
class MatchSettlement:
    """The settlement of a match, in points, or with a ``stake`` in minor units of its currency.

    ``counts`` is the unit of the totals. ``dues`` are its items by side, ``balances`` the sums by
    player. ``odd`` are the players who got one unit more because an amount could not be divided.
    """

    match: int
    stake: Stake | None
    dues: tuple[SettlementItem, ...]
    balances: Amounts
    odd: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    counts: Literal["points", "hands", "games"] = "points"

    @cached_property
    def payments(self) -> list[Payment]:
        """The payments between players, by id."""
        return compute_payments(self.balances)


def settle_match(record: MatchRecord, match_values: Mapping[str, Any]) -> MatchSettlement:
    """Return the settlement of a match, from its report ``match_values``."""
    stake, how, sides = record.stake, record.game.settlement, tuple(record.sides)
    worth = 1 if stake is None else stake.point
    reckoning = match_values.get("reckoning")
    if reckoning is not None:
        return _settle_reckoned(record, match_values, reckoning["points"], worth)
    dues = [
        SettlementItem("hand", how.of_scores(hand_points, worth), hand.number)
        for hand in record.hands
        if any((hand_points := _compute_hand_points(record, hand)).values())
    ]
    odd: list[str] = []
    for fine in _group_penalties(record):
        shares = _share_penalty(record, fine, worth)
        dues.append(SettlementItem("penalties", shares.amounts, side=next(iter(fine))))
        odd += shares.odd
    if stake is not None and match_values["status"] == "finished":
        shares = of_match(sides, get_winning_sides(match_values), stake.match)
        if any(shares.amounts.values()):
            dues.append(SettlementItem("match", shares.amounts))
            odd += shares.odd
    among = how.of_players(
        record.sides, {side: sum(due.amounts[side] for due in dues) for side in sides}
    )
    odd_players = [player for side in odd for player in record.sides[side]]
    _refuse_unbalanced(record, among.amounts)
    return MatchSettlement(
        record.number, stake, tuple(dues), among.amounts,
        tuple(dict.fromkeys([*odd_players, *among.odd])), tuple(_list_doubts(match_values)),
        get_counted_unit(record),
    )  # fmt: skip


def get_counted_unit(record: MatchRecord) -> Literal["points", "hands", "games"]:
    """Return what the totals of a match count: points, hands won or games won."""
    goal = record.game.goal(record.options)
    if goal is not None and goal.counts == "wins":
        return "hands"
    return "games" if "games" in record.game.describe_match(record.standing(0)) else "points"


def _settle_reckoned(
    record: MatchRecord, match_values: Mapping[str, Any], points: Amounts, worth: int
) -> MatchSettlement:
    """Return the settlement of a match whose rules compute a result of their own at its end."""
    dues = [SettlementItem("match", {side: points[side] * worth for side in record.sides})]
    odd: tuple[str, ...] = ()
    if record.stake is not None:
        shares = of_match(tuple(record.sides), get_winning_sides(match_values), record.stake.match)
        if any(shares.amounts.values()):
            dues.append(SettlementItem("match", shares.amounts))
        odd = shares.odd
    among = record.game.settlement.of_players(
        record.sides, {side: sum(due.amounts[side] for due in dues) for side in record.sides}
    )
    _refuse_unbalanced(record, among.amounts)
    return MatchSettlement(
        record.number, record.stake, tuple(dues), among.amounts, (*odd, *among.odd),
        tuple(_list_doubts(match_values)), get_counted_unit(record),
    )  # fmt: skip


def _refuse_unbalanced(record: MatchRecord, amounts: Amounts) -> None:
    """Raise `GameFaultError` if the amounts of a game's players do not sum to zero."""
    if sum(amounts.values()):
        raise GameFaultError(record.game.id, "what its players get and pay does not make 0 in all")


def _compute_hand_points(record: MatchRecord, hand: HandRecord) -> dict[str, int]:
    """Return what a hand added to the totals of its match, without the penalties given in it."""
    after, before = record.standing(hand.number).totals, record.standing(hand.number - 1).totals
    hand_points = {side: after[side] - before[side] for side in record.sides}
    if record.counts_penalties:
        for _, penalty in hand.penalties:
            hand_points[penalty.side] -= penalty.points
    return hand_points


def _group_penalties(record: MatchRecord) -> Iterator[dict[str, int]]:
    """Yield the changes of the totals by penalties; the side that was penalized comes first.

    A penalty that others share is yielded alone; the other penalties of a side are added up.
    """
    if not record.counts_penalties:
        return
    by_event: dict[int, dict[str, int]] = {}
    for penalty in record.penalties:
        by_event.setdefault(penalty.seq, {})[penalty.side] = penalty.points
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


def _list_doubts(match_values: Mapping[str, Any]) -> Iterator[Doubt]:
    """Yield the reasons why the settlement of a reported match may change."""
    if match_values["status"] == "open":
        yield Doubt("open")
    for hand in match_values["hands"]:
        if hand["disputed"]:
            yield Doubt("disputed", hand["hand"])
        if hand["status"] == "incomplete":
            yield Doubt("incomplete", hand["hand"])


# ------------------------------------------------------------------------------- the evening


@dataclass(frozen=True)
class EveningSettlement(Accounts):
    """The settlement of a session in one currency: balances by player, and the matches.

    Amounts are in minor units; a unit has ten to the power of ``digits`` of them.
    """

    currency: str
    matches: tuple[MatchSettlement, ...]

    @property
    def digits(self) -> int:
        """The number of decimal places of an amount."""
        return MINOR_DIGITS[self.currency]

    @property
    def transfers(self) -> Iterator[Amounts]:
        """The balances by player of each match."""
        return (match.balances for match in self.matches)

    @property
    def provisional(self) -> bool:
        """Whether it may change: a match is open, or a hand is disputed or incomplete."""
        return any(match.doubts for match in self.matches)


def settle_evening(matches: Iterable[MatchSettlement]) -> list[EveningSettlement]:
    """Return the settlement of a session by currency, in the order of play.

    Matches without a stake are left out.
    """
    by_currency: dict[str, list[MatchSettlement]] = {}
    for match in matches:
        if match.stake is not None:
            by_currency.setdefault(match.stake.currency, []).append(match)
    return [EveningSettlement(currency, tuple(played)) for currency, played in by_currency.items()]


def settle_matches(session: Session, report: Mapping[str, Any]) -> list[MatchSettlement]:
    """Return the settlement of each match of a session, from its ``report``."""
    pairs = zip(session.structure.matches, report["matches"], strict=True)
    return [settle_match(record, match) for record, match in pairs]


# -------------------------------------------------------------------------------- the report


def view_stake(match: MatchSettlement) -> views.StakeView | None:
    """Return the stake of a match for the report; None without one."""
    stake = match.stake
    return None if stake is None else views.StakeView(stake.currency, stake.point, stake.match)


def view_settlement(match: MatchSettlement) -> views.SettlementView | None:
    """Return the settlement of a match for the report; None without a stake."""
    if match.stake is None:
        return None
    return views.SettlementView(
        balances=match.balances,
        payments=view_payments(match.payments),
        dues=[views.DueView(item.what, item.hand, item.side, item.amounts) for item in match.dues],
        odd=match.odd,
        doubts=[views.DoubtView(doubt.why, doubt.hand) for doubt in match.doubts],
    )


def view_evening_money(matches: Sequence[MatchSettlement]) -> list[views.MoneyView] | None:
    """Return the money of the session for the report; None without any."""
    return [
        views.MoneyView(
            currency=evening.currency,
            digits=evening.digits,
            matches=[match.match for match in evening.matches],
            balances=evening.balances,
            payments=view_payments(evening.payments),
            fewest=evening.fewest,
            provisional=evening.provisional,
        )
        for evening in settle_evening(matches)
    ] or None


def view_payments(payments: Iterable[Payment]) -> list[views.PaymentView]:
    """Return payments for the report."""
    return [views.PaymentView(*payment) for payment in payments]
