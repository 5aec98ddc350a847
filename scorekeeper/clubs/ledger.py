"""The money of a club: balances of its evenings, payments made, and payments still due.

Currencies are separate. Amounts are whole minor units and always sum to zero: one account pays what
another gets. A guest has one account for each evening that they played.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.base.cached import cached_property
from scorekeeper.clubs.evening import PlayedMoney
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.state import RecordedPayment
from scorekeeper.report.payments import add_balances, compute_payments, is_fewest_known
from scorekeeper.report.views import PaymentView


class MatchMoney(NamedTuple):
    """The money of a match with a stake; ``sides`` are those of the match."""

    match: int
    sides: Mapping[str, tuple[str, ...]]
    money: PlayedMoney


class EveningMoney(NamedTuple):
    """The money of an evening in one currency: balances by account, and the matches."""

    session_id: str
    began: str
    balances: Mapping[str, int]
    matches: tuple[MatchMoney, ...]

    @property
    def open(self) -> bool:
        """Whether the balances may still change without a correction."""
        return any(match.money.open for match in self.matches)


@dataclass(frozen=True)
class Ledger:
    """The money of a club in one currency.

    An account is the id of a member, or belongs to a guest; ``guests`` has guests' names by
    account.
    """

    currency: str
    evenings: tuple[EveningMoney, ...]
    paid: tuple[RecordedPayment, ...]
    guests: Mapping[str, str]

    @cached_property
    def balances(self) -> dict[str, int]:
        """The balance of each account, negative if it owes; together they are zero."""
        paid = ({paid.payer: paid.amount, paid.payee: -paid.amount} for paid in self.paid)
        return add_balances([*(evening.balances for evening in self.evenings), *paid])

    @cached_property
    def payments(self) -> list[PaymentView]:
        """The payments that settle all balances."""
        return compute_payments(self.balances)

    @property
    def fewest(self) -> bool:
        """Whether the payments are known to be the fewest possible."""
        return is_fewest_known(self.balances)

    @property
    def open(self) -> bool:
        """Whether the balances may still change without a correction."""
        return any(evening.open for evening in self.evenings)


def compute_ledgers(
    attended: Iterable[AttendedEvening],
    paid: Iterable[RecordedPayment] = (),
    currency: str | None = None,
) -> list[Ledger]:
    """Return the money of a club by currency.

    ``currency`` is that of the payments, and comes first.
    """
    evenings: dict[str, list[EveningMoney]] = {currency: []} if currency else {}
    guests: dict[str, dict[str, str]] = {}
    for attended_evening in attended:
        for currency_code, money in _split_by_currency(attended_evening).items():
            evenings.setdefault(currency_code, []).append(money)
            names = {
                get_account(attended_evening, player): attended_evening.evening.names[player]
                for match in money.matches
                for player in match.money.balances
                if attended_evening.member_of.get(player) is None
            }
            guests.setdefault(currency_code, {}).update(names)
    return [
        Ledger(
            currency_code,
            tuple(some_evenings),
            tuple(paid) if currency_code == currency else (),
            guests.get(currency_code, {}),
        )
        for currency_code, some_evenings in evenings.items()
    ]


def get_account(attended: AttendedEvening, player: str) -> str:
    """Return a player's account: a member's own, or a guest's for that evening."""
    return attended.member_of.get(player) or f"{attended.evening.session_id}/{player}"


def _split_by_currency(attended: AttendedEvening) -> dict[str, EveningMoney]:
    """Return the money of an evening by currency; matches without a stake are left out."""
    matches_by_currency: dict[str, list[MatchMoney]] = {}
    for match in attended.evening.matches:
        if match.money is not None:
            match_money = MatchMoney(match.number, match.sides, match.money)
            matches_by_currency.setdefault(match.money.currency, []).append(match_money)
    return {
        currency_code: _sum_evening(attended, tuple(matches))
        for currency_code, matches in matches_by_currency.items()
    }


def _sum_evening(attended: AttendedEvening, matches: tuple[MatchMoney, ...]) -> EveningMoney:
    """Return the money of these matches of an evening, summed by account."""
    balances = add_balances(
        {get_account(attended, player): amount for player, amount in match.money.balances.items()}
        for match in matches
    )
    return EveningMoney(attended.evening.session_id, attended.evening.began, balances, matches)
