"""The money of a club: what its evenings came to, what was paid, and who owes whom.

Each currency stands by itself. Amounts are whole minor units and add up to nothing at every
moment: what one gets another pays. A guest has an account of the evening at which he played.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.clubs.evening import PlayedMoney
from scorekeeper.clubs.figures import Attended
from scorekeeper.clubs.roll import RecordedPayment as Paid
from scorekeeper.report.payments import Balanced, added


class MatchMoney(NamedTuple):
    """A match with a stake, by its number, and what it came to; sides are those of the match."""

    match: int
    sides: Mapping[str, tuple[str, ...]]
    money: PlayedMoney


class EveningMoney(NamedTuple):
    """What an evening came to in one currency: by account, and by the matches that made it."""

    session_id: str
    began: str
    balances: Mapping[str, int]
    matches: tuple[MatchMoney, ...]

    @property
    def open(self) -> bool:
        """Whether it may still change by itself."""
        return any(one.money.open for one in self.matches)


@dataclass(frozen=True)
class Ledger(Balanced):
    """The money of a club in one currency.

    An account is a member's, by his id, or a guest's; ``guests`` has their names by account.
    """

    currency: str
    evenings: tuple[EveningMoney, ...]
    paid: tuple[Paid, ...]
    guests: Mapping[str, str]

    @property
    def moved(self) -> Iterator[Mapping[str, int]]:
        """What each evening came to, and each payment."""
        yield from (evening.balances for evening in self.evenings)
        yield from ({one.payer: one.amount, one.payee: -one.amount} for one in self.paid)

    @property
    def open(self) -> bool:
        """Whether it may still change by itself."""
        return any(one.open for one in self.evenings)


def ledgers(
    attended: Iterable[Attended], paid: Iterable[Paid] = (), currency: str | None = None
) -> list[Ledger]:
    """The money of a club by currency; ``currency`` is that of its payments, and comes first."""
    evenings: dict[str, list[EveningMoney]] = {currency: []} if currency else {}
    guests: dict[str, dict[str, str]] = {}
    for one in attended:
        for of, money in _by_currency(one).items():
            evenings.setdefault(of, []).append(money)
            names = {
                account_of(one, player): one.evening.names[player]
                for match in money.matches
                for player in match.money.balances
                if one.whose.get(player) is None
            }
            guests.setdefault(of, {}).update(names)
    return [
        Ledger(of, tuple(some), tuple(paid) if of == currency else (), guests.get(of, {}))
        for of, some in evenings.items()
    ]


def account_of(one: Attended, player: str) -> str:
    """The account of a player of an evening: his own as a member, or that of a guest."""
    return one.whose.get(player) or f"{one.evening.session_id}/{player}"


def _by_currency(one: Attended) -> dict[str, EveningMoney]:
    found: dict[str, list[MatchMoney]] = {}
    for match in one.evening.matches:
        if match.money is not None:
            made = MatchMoney(match.number, match.sides, match.money)
            found.setdefault(match.money.currency, []).append(made)
    return {of: _evening(one, tuple(matches)) for of, matches in found.items()}


def _evening(one: Attended, matches: tuple[MatchMoney, ...]) -> EveningMoney:
    balances = added(
        {account_of(one, player): amount for player, amount in match.money.balances.items()}
        for match in matches
    )
    return EveningMoney(one.evening.session_id, one.evening.began, balances, matches)
