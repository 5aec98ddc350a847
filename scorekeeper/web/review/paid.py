"""Payments as pages show them: of a match in points or money, of a session in money."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from scorekeeper.languages.money import with_minus_sign
from scorekeeper.report.settlement import get_counted_unit
from scorekeeper.report.settlement_words import describe_stake, list_evening_notes, list_match_notes
from scorekeeper.report.views import DueView, MoneyView, PaymentView, ReportView, SettlementView
from scorekeeper.session.matches import MatchRecord
from scorekeeper.web.wording.filters import format_money, with_sign


class PaidLine(NamedTuple):
    """A payment: the names of payer and payee, and the formatted amount."""

    payer: str
    to: str
    amount: str


class PaidRow(NamedTuple):
    """The amounts that one item moved: a hand, penalties of a side, or the match."""

    what: str
    hand: int | None
    side: str
    cells: Sequence[tuple[str, str]]


class Paid(NamedTuple):
    """The payments of a match and, for money, their calculation.

    `rows` have a cell for each of `columns`: the name of its sign (`plus`, `minus`, `nil`) and the
    amount.
    """

    lines: Sequence[PaidLine]
    counts: str
    rule: str
    stake: str
    notes: Sequence[str]
    columns: Sequence[str]
    rows: Sequence[PaidRow]
    total: Sequence[tuple[str, str]]


class PaidEvening(NamedTuple):
    """The payments of a session in one currency, and their calculation.

    ``rows`` are its matches by their numbers, with a cell for each of ``columns``.
    """

    currency: str
    lines: Sequence[PaidLine]
    notes: Sequence[str]
    columns: Sequence[str]
    rows: Sequence[tuple[int, Sequence[tuple[str, str]]]]
    total: Sequence[tuple[str, str]]


WriteAmount = Callable[[int], str]


def stake_of(record: MatchRecord) -> str:
    """Return a sentence about a match's stake; empty if it is not for money."""
    stake = record.stake
    return (
        "" if stake is None else describe_stake(stake, get_counted_unit(record), format_money).say()
    )


def payments_of_match(match: SettlementView, record: MatchRecord) -> Paid:
    """Return the payments of a match with their calculation, as pages show them."""
    write, sign = _amount_formatters(record)
    sides = {
        side: " & ".join(record.names[player] for player in players)
        for side, players in record.sides.items()
    }
    return Paid(
        lines=payment_lines(match.payments, record.names, write),
        counts=get_counted_unit(record),
        rule=record.game.settlement.text,
        stake=stake_of(record),
        notes=[
            note.say()
            for note in list_match_notes(match, [record.names[side] for side in match.odd])
        ],
        columns=list(sides.values()),
        rows=[] if record.stake is None else [_paid_row(due, sides, sign) for due in match.dues],
        total=[_amount_cell(sum(due.amounts[side] for due in match.dues), sign) for side in sides],
    )


def _amount_formatters(record: MatchRecord) -> tuple[WriteAmount, WriteAmount]:
    """Return the formatters for amounts of a match, without and with a sign."""
    stake = record.stake
    if stake is None:
        return with_minus_sign, with_sign
    currency = stake.currency
    return lambda n: format_money(n, currency), lambda n: format_money(n, currency, sign=True)


def _paid_row(due: DueView, sides: Mapping[str, str], sign: WriteAmount) -> PaidRow:
    """Return a row of the calculation: the amount of one item for each side."""
    cells = [_amount_cell(due.amounts.get(side, 0), sign) for side in sides]
    return PaidRow(due.what, due.hand, sides.get(due.side or "", ""), cells)


def _amount_cell(amount: int, sign: WriteAmount) -> tuple[str, str]:
    """Return the name of an amount's sign (`plus`, `minus`, `nil`), and the formatted amount."""
    return "plus" if amount > 0 else "minus" if amount < 0 else "nil", sign(amount)


def payment_lines(
    payments: Iterable[PaymentView], names: Mapping[str, str], write: WriteAmount
) -> list[PaidLine]:
    """Return payments with the names of the players and formatted amounts."""
    return [
        PaidLine(names[payment.payer], names[payment.to], write(payment.amount))
        for payment in payments
    ]


def payments_in_short(match: SettlementView, record: MatchRecord) -> list[PaidLine]:
    """Return the payments of a match without their calculation."""
    return payment_lines(match.payments, record.names, _amount_formatters(record)[0])


def payments_of_evening(
    purse: MoneyView, report: ReportView, names: Mapping[str, str]
) -> PaidEvening:
    """Return the payments of a session in one currency, with their calculation."""

    def sign(amount: int) -> str:
        return format_money(amount, purse.currency, sign=True)

    settlements = [(number, report.matches[number - 1].settlement) for number in purse.matches]
    order = sorted(purse.balances, key=lambda player: -purse.balances[player])
    return PaidEvening(
        currency=purse.currency,
        lines=payment_lines(purse.payments, names, lambda n: format_money(n, purse.currency)),
        notes=[note.say() for note in list_evening_notes(purse, report)],
        columns=[names[player] for player in order],
        rows=[
            (number, [_amount_cell(match.balances.get(player, 0), sign) for player in order])
            for number, match in settlements
            if match is not None
        ],
        total=[_amount_cell(purse.balances[player], sign) for player in order],
    )
