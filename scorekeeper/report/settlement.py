"""What a match comes to between its players, and an evening in money.

Points settle match by match, by the rule of the game (G9). With a stake they are worth money, and
then the evening settles, each currency by itself (G10): points of different games are never added.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from scorekeeper.base.cached import cached_property
from scorekeeper.base.currencies import MINOR_DIGITS
from scorekeeper.events.common import Stake
from scorekeeper.games.checked import GameFaultError
from scorekeeper.play.settlement import Amounts, Shares, of_match
from scorekeeper.report.payments import Accounts, Payment, compute_payments
from scorekeeper.report.sheet import get_winning_sides
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session


class SettlementItem(NamedTuple):
    """What one thing moved between the sides: a hand, the penalties of a side, the match won."""

    what: Literal["hand", "penalties", "match"]
    amounts: Amounts
    hand: int | None = None
    side: str | None = None


class Doubt(NamedTuple):
    """Why a settlement may change: the match is open, or a hand is disputed or incomplete."""

    why: Literal["open", "disputed", "incomplete"]
    hand: int | None = None


@dataclass(frozen=True)
class MatchSettlement:
    """What a match comes to, in points, or with a ``stake`` in minor units of its currency.

    ``counts`` is what its totals count. ``dues`` are what it is made of, by side; ``balances``
    what each player gets or pays in all; ``odd`` those to whom one unit more fell because it
    could not be divided.
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
        """Who pays whom, by the ids of players."""
        return compute_payments(self.balances)


def settle_match(record: MatchRecord, told: Mapping[str, Any]) -> MatchSettlement:
    """What a match comes to between its players; ``told`` is what the report says of it."""
    stake, how, sides = record.stake, record.game.settlement, tuple(record.sides)
    worth = 1 if stake is None else stake.point
    reckoning = told.get("reckoning")
    if reckoning is not None:
        return _settle_reckoned(record, told, reckoning["points"], worth)
    dues = [
        SettlementItem("hand", how.of_scores(made, worth), hand.number)
        for hand in record.hands
        if any((made := _compute_hand_points(record, hand)).values())
    ]
    odd: list[str] = []
    for fine in _group_penalties(record):
        shares = _share_penalty(record, fine, worth)
        dues.append(SettlementItem("penalties", shares.amounts, side=next(iter(fine))))
        odd += shares.odd
    if stake is not None and told["status"] == "finished":
        shares = of_match(sides, get_winning_sides(told), stake.match)
        if any(shares.amounts.values()):
            dues.append(SettlementItem("match", shares.amounts))
            odd += shares.odd
    among = how.of_players(
        record.sides, {side: sum(due.amounts[side] for due in dues) for side in sides}
    )
    fell_to = [player for side in odd for player in record.sides[side]]
    _refuse_unbalanced(record, among.amounts)
    return MatchSettlement(
        record.number, stake, tuple(dues), among.amounts,
        tuple(dict.fromkeys([*fell_to, *among.odd])), tuple(_list_doubts(told)),
        get_counted_unit(record),
    )  # fmt: skip


def get_counted_unit(record: MatchRecord) -> Literal["points", "hands", "games"]:
    """What the totals of a match count: points, hands won or games won."""
    goal = record.game.goal(record.options)
    if goal is not None and goal.counts == "wins":
        return "hands"
    return "games" if "games" in record.game.describe_match(record.standing(0)) else "points"


def _settle_reckoned(
    record: MatchRecord, told: Mapping[str, Any], points: Amounts, worth: int
) -> MatchSettlement:
    """A match whose rules say what it comes to at its end, whatever its hands have made."""
    dues = [SettlementItem("match", {side: points[side] * worth for side in record.sides})]
    odd: tuple[str, ...] = ()
    if record.stake is not None:
        shares = of_match(tuple(record.sides), get_winning_sides(told), record.stake.match)
        if any(shares.amounts.values()):
            dues.append(SettlementItem("match", shares.amounts))
        odd = shares.odd
    among = record.game.settlement.of_players(
        record.sides, {side: sum(due.amounts[side] for due in dues) for side in record.sides}
    )
    _refuse_unbalanced(record, among.amounts)
    return MatchSettlement(
        record.number, record.stake, tuple(dues), among.amounts, (*odd, *among.odd),
        tuple(_list_doubts(told)), get_counted_unit(record),
    )  # fmt: skip


def _refuse_unbalanced(record: MatchRecord, amounts: Amounts) -> None:
    """Raise GameFaultError if a game lets its players pay more or less than others get."""
    if sum(amounts.values()):
        raise GameFaultError(record.game.id, "what its players get and pay does not make 0 in all")


def _compute_hand_points(record: MatchRecord, hand: HandRecord) -> dict[str, int]:
    """What a hand added to the totals of its match, beside the penalties given in it."""
    after, before = record.standing(hand.number).totals, record.standing(hand.number - 1).totals
    made = {side: after[side] - before[side] for side in record.sides}
    if record.counts_penalties:
        for _, penalty in hand.penalties:
            made[penalty.side] -= penalty.points
    return made


def _group_penalties(record: MatchRecord) -> Iterator[dict[str, int]]:
    """What penalties changed in the totals, first of the side that each was given to.

    Those that the others share already stand by themselves; of the rest a side's come together.
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
    """What a penalty comes to between the sides."""
    how, sides = record.game.settlement, tuple(record.sides)
    if len(fine) == 1:
        [(side, points)] = fine.items()
        return how.of_penalty(side, points, sides, worth)
    return Shares(how.of_scores({side: fine.get(side, 0) for side in sides}, worth))


def _list_doubts(told: Mapping[str, Any]) -> Iterator[Doubt]:
    if told["status"] == "open":
        yield Doubt("open")
    for hand in told["hands"]:
        if hand["disputed"]:
            yield Doubt("disputed", hand["hand"])
        if hand["status"] == "incomplete":
            yield Doubt("incomplete", hand["hand"])


# ------------------------------------------------------------------------------- the evening


@dataclass(frozen=True)
class EveningSettlement(Accounts):
    """What an evening comes to in one currency: what each player gets or pays, and by which match.

    Amounts are in minor units, of which there are ten to the power of ``digits`` in a unit.
    """

    currency: str
    matches: tuple[MatchSettlement, ...]

    @property
    def digits(self) -> int:
        """How many digits of an amount stand after the point."""
        return MINOR_DIGITS[self.currency]

    @property
    def transfers(self) -> Iterator[Amounts]:
        """What each match came to."""
        return (match.balances for match in self.matches)

    @property
    def provisional(self) -> bool:
        """Whether it may change: a match is open, or a hand disputed or incomplete."""
        return any(match.doubts for match in self.matches)


def settle_evening(matches: Iterable[MatchSettlement]) -> list[EveningSettlement]:
    """The money of an evening, each currency by itself, in the order in which they were played for.

    Matches without a stake are not in it.
    """
    found: dict[str, list[MatchSettlement]] = {}
    for match in matches:
        if match.stake is not None:
            found.setdefault(match.stake.currency, []).append(match)
    return [EveningSettlement(currency, tuple(played)) for currency, played in found.items()]


def settle_matches(session: Session, told: Mapping[str, Any]) -> list[MatchSettlement]:
    """What each match of a session comes to; ``told`` is the report of it."""
    pairs = zip(session.structure.matches, told["matches"], strict=True)
    return [settle_match(record, match) for record, match in pairs]


# -------------------------------------------------------------------------------- the report


def report_match_money(match: MatchSettlement) -> dict[str, Any]:
    """What the report says of a match that is played for money; of any other, nothing."""
    if match.stake is None:
        return {}
    stake = match.stake
    return {
        "stake": {"currency": stake.currency, "point": stake.point, "match": stake.match},
        "settlement": {
            "balances": dict(match.balances),
            "payments": list_payments(match.payments),
            "dues": [
                {"what": due.what, "hand": due.hand, "side": due.side, "amounts": dict(due.amounts)}
                for due in match.dues
            ],
            "odd": list(match.odd),
            "doubts": [{"why": one.why, "hand": one.hand} for one in match.doubts],
        },
    }


def report_evening_money(matches: Sequence[MatchSettlement]) -> dict[str, Any]:
    """What the report says of the money of an evening; without any, nothing."""
    found = [
        {
            "currency": purse.currency,
            "digits": purse.digits,
            "matches": [match.match for match in purse.matches],
            "balances": purse.balances,
            "payments": list_payments(purse.payments),
            "fewest": purse.fewest,
            "provisional": purse.provisional,
        }
        for purse in settle_evening(matches)
    ]
    return {"money": found} if found else {}


def list_payments(some: Iterable[Payment]) -> list[dict[str, Any]]:
    """Payments as the report has them."""
    return [{"from": one.payer, "to": one.to, "amount": one.amount} for one in some]
