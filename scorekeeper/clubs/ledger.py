"""The money of a club: balances of its evenings, payments made, and payments still due.

Currencies are separate. Amounts are whole minor units and always sum to zero: one account pays what
another gets. A member has one account, and so has a guest. A player whom an evening maps to nobody
has one for that evening alone.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Final
from zoneinfo import ZoneInfo

from scorekeeper.base.cached import cached_property
from scorekeeper.base.currencies import MINOR_DIGITS
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.money_views import (
    BalanceView,
    EveningMoney,
    LedgerView,
    MatchMoney,
    NamedPaymentView,
    PaidView,
)
from scorekeeper.clubs.values import RecordedPayment
from scorekeeper.clubs.views import Names, has_left, is_guest
from scorekeeper.events.names import fold_name
from scorekeeper.report.payments import add_balances, compute_payments, is_fewest_known
from scorekeeper.report.views import DueView, PaymentView

UTC: Final = ZoneInfo("UTC")


@dataclass(frozen=True)
class Ledger:
    """The money of a club in one currency.

    An account is the id of a member or guest, or belongs to a player of one evening; ``unnamed``
    has the name of such a player and the day by account.
    """

    currency: str
    evenings: tuple[EveningMoney, ...]
    paid: tuple[RecordedPayment, ...]
    unnamed: Mapping[str, tuple[str, str]]

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
        return any(evening.provisional for evening in self.evenings)


def compute_ledgers(
    attended: Iterable[AttendedEvening],
    paid: Iterable[RecordedPayment] = (),
    currency: str | None = None,
    zone: ZoneInfo = UTC,
) -> list[Ledger]:
    """Return the money of a club by currency.

    ``currency`` is that of the payments, and comes first. The days of evenings begin in ``zone``.
    """
    evenings: dict[str, list[EveningMoney]] = {currency: []} if currency else {}
    unnamed: dict[str, dict[str, tuple[str, str]]] = {}
    for attended_evening in attended:
        for currency_code, money in _split_by_currency(attended_evening).items():
            _add_money(evenings.setdefault(currency_code, []), money, attended_evening)
            day = attended_evening.find_day(zone)
            names = {
                get_account(attended_evening, player): (
                    attended_evening.evening.names[player],
                    day,
                )
                for match in money.matches
                for player in match.balances
                if attended_evening.member_of.get(player) is None
            }
            unnamed.setdefault(currency_code, {}).update(names)
    return [
        Ledger(
            currency_code,
            tuple(some_evenings),
            tuple(paid) if currency_code == currency else (),
            unnamed.get(currency_code, {}),
        )
        for currency_code, some_evenings in evenings.items()
    ]


def get_account(attended: AttendedEvening, player: str) -> str:
    """Return a player's account: that of a member or guest, or one for that evening alone."""
    return attended.member_of.get(player) or f"{attended.id}/{player}"


def _split_by_currency(attended: AttendedEvening) -> dict[str, EveningMoney]:
    """Return the money of an evening by currency; matches without a stake are left out."""
    matches_by_currency: dict[str, list[MatchMoney]] = {}
    for match in attended.evening.matches:
        money = match.money
        if money is not None:
            made_of = [DueView(*item) for item in money.made_of]
            match_money = MatchMoney(
                match.number, match.sides, money.balances, made_of, money.odd, money.open,
                attended.evening.session_id if attended.occasion else None,
            )  # fmt: skip
            matches_by_currency.setdefault(money.currency, []).append(match_money)
    return {
        currency_code: _sum_evening(attended, matches)
        for currency_code, matches in matches_by_currency.items()
    }


def _sum_evening(attended: AttendedEvening, matches: Sequence[MatchMoney]) -> EveningMoney:
    """Return the money of these matches of an evening, summed by account."""
    balances = add_balances(
        {get_account(attended, player): amount for player, amount in match.balances.items()}
        for match in matches
    )
    began, provisional = attended.evening.began, any(match.provisional for match in matches)
    return EveningMoney(attended.id, began or None, balances, matches, provisional)


def _add_money(
    evenings: list[EveningMoney], money: EveningMoney, attended: AttendedEvening
) -> None:
    """Add the money of an evening; that of all tables of a tournament is one."""
    if attended.occasion and evenings and evenings[-1].session_id == attended.id:
        before = evenings.pop()
        money = EveningMoney(
            attended.id,
            before.began or money.began,
            add_balances([before.balances, money.balances]),
            [*before.matches, *money.matches],
            before.provisional or money.provisional,
        )
    evenings.append(money)


def view_ledgers(ledgers: Iterable[Ledger], names: Names) -> list[LedgerView]:
    """Return the money of a club with the names of members, each currency apart."""
    return [_view_ledger(ledger, names) for ledger in ledgers]


def name_unnamed(ledger: Ledger, names: Names) -> dict[str, str]:
    """Return a name for each account of one evening, which no other account of the ledger has.

    If another has the player's name, the day is added, and if need be a number.
    """
    counts = Counter(fold_name(name) for name, _ in ledger.unnamed.values())
    taken = {fold_name(name) for name in names.values()}
    distinct: dict[str, str] = {}
    for account, (name, day) in ledger.unnamed.items():
        alone = [name] if counts[fold_name(name)] == 1 else []
        with_day = [f"{name} ({day})"] if day else []
        numbered = (f"{name} ({', '.join(filter(None, (day, str(n))))})" for n in count(2))
        distinct[account] = next(
            candidate
            for candidate in chain(alone, with_day, numbered)
            if fold_name(candidate) not in taken
        )
        taken.add(fold_name(distinct[account]))
    return distinct


def _view_ledger(ledger: Ledger, names: Names) -> LedgerView:
    """Return a ledger with the names of its accounts, the largest balance first."""
    unnamed = name_unnamed(ledger, names)

    def name_of(account: str) -> str:
        return unnamed.get(account) or names.get(account, account)

    return LedgerView(
        currency=ledger.currency,
        digits=MINOR_DIGITS[ledger.currency],
        balances=[
            BalanceView(
                account,
                name_of(account),
                amount,
                account in unnamed or is_guest(names, account),
                has_left(names, account),
            )
            for account, amount in sorted(ledger.balances.items(), key=lambda item: -item[1])
        ],
        payments=[
            NamedPaymentView(due.payer, due.to, due.amount, name_of(due.payer), name_of(due.to))
            for due in ledger.payments
        ],
        fewest=ledger.fewest,
        provisional=ledger.open,
        evenings=ledger.evenings,
        paid=[
            PaidView(
                paid.payer, paid.payee, paid.amount, name_of(paid.payer), name_of(paid.payee),
                paid.note, paid.at or None, paid.seq,
            )
            for paid in ledger.paid
        ],
    )  # fmt: skip
