"""The money of a club as declared values: from them follow their JSON and their schemas."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.clubs.views import BEGAN, COUNTED, LEFT, TABLE_SESSION
from scorekeeper.report.views import DueView, PaymentView

MAY_CHANGE: Final = "true if the amounts may still change"


@dataclass(frozen=True, slots=True)
class BalanceView(DeclaredView):
    """The balance of an account: of a member or guest, or of a player of one evening."""

    account: str = declare("the id of the member or guest, or of a player for an evening alone")
    name: str = declare("the name, which no other account of the currency has")
    amount: int = declare(
        "the amount that the account is owed; if negative, the amount that it owes"
    )
    guest: bool = declare("true for a guest")
    left: bool = declare(LEFT)


@dataclass(frozen=True, slots=True)
class NamedPaymentView(PaymentView):
    """A payment, with the names of both accounts."""

    from_name: str = declare("the name of the account that pays")
    to_name: str = declare("the name of the account that is paid")


@dataclass(frozen=True, slots=True)
class PaidView(NamedPaymentView):
    """A payment that was made."""

    ORDER = ("payer", "from_name", "to", "to_name", "amount", "note", "at", "event")

    note: str | None = declare("the purpose of the payment")
    at: str | None = declare("the time at which it was recorded")
    event: int = declare("its seq in the log of the club", minimum=0)


@dataclass(frozen=True, slots=True)
class MatchMoney(DeclaredView):
    """The balances of a match, in minor units."""

    match: int = declare("its number in the evening", minimum=0)
    sides: Mapping[str, Sequence[str]] = declare("its players by side")
    balances: Mapping[str, int] = declare("the balance of each player")
    made_of: Sequence[DueView] = declare("the amounts that make up the balances")
    odd: Sequence[str] = declare(
        "the accounts that got one unit more, because the sum could not be divided"
    )
    provisional: bool = declare(MAY_CHANGE)
    session_id: str | None = declare(TABLE_SESSION, key="session", optional=True)


@dataclass(frozen=True, slots=True)
class EveningMoney(DeclaredView):
    """The balances of an evening in one currency, in minor units."""

    session_id: str = declare(COUNTED, key="session")
    began: str | None = declare(BEGAN)
    balances: Mapping[str, int] = declare("the balance of each account")
    matches: Sequence[MatchMoney] = declare("its matches")
    provisional: bool = declare(MAY_CHANGE)


@dataclass(frozen=True, slots=True)
class LedgerView(DeclaredView):
    """The money of a club in one currency."""

    currency: str = declare("the code of the currency")
    digits: int = declare("the number of decimals of its minor unit", minimum=0)
    balances: Sequence[BalanceView] = declare("the balances of all accounts, whose sum is 0")
    payments: Sequence[NamedPaymentView] = declare("payments that settle all balances")
    fewest: bool = declare(
        "true if there can be no fewer payments; false also if that is not known, "
        "because there are many accounts"
    )
    provisional: bool = declare(MAY_CHANGE)
    evenings: Sequence[EveningMoney] = declare("the evenings that make up the balances")
    paid: Sequence[PaidView] = declare("the payments that were made")


@dataclass(frozen=True, slots=True)
class ClubMoneyView(DeclaredView):
    """The money of a club."""

    money: Sequence[LedgerView] = declare("the ledgers by currency, that of the club first")
