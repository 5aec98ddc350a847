"""Who pays whom as pages show it: for a match in points or money, for an evening in money."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from scorekeeper.report.payments import Payment
from scorekeeper.report.settlement import Due, Purse, Settled, counts_of
from scorekeeper.report.settlement_words import notes_on_evening, notes_on_match, stake_words
from scorekeeper.session.matches import MatchRecord
from scorekeeper.web.wording.filters import money, plain, signed


class PaidLine(NamedTuple):
    """A payment: the names of who pays and of who gets it, and how much, as it is written."""

    payer: str
    to: str
    amount: str


class PaidRow(NamedTuple):
    """What one thing moved: a hand, penalties of a side, or the match, with a cell for each."""

    what: str
    hand: int | None
    side: str
    cells: Sequence[tuple[str, str]]


class Paid(NamedTuple):
    """What a match comes to: its payments, and for money how they came about.

    ``rows`` have a cell for each of ``columns``, as its sign (``plus``) and the amount.
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
    """What an evening comes to in one currency: the payments, and how they came about.

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
    """What a match is played for, in a sentence; empty where it is not for money."""
    stake = record.stake
    return "" if stake is None else stake_words(stake, counts_of(record), money).say()


def paid(match: Settled, record: MatchRecord) -> Paid:
    """What a match comes to."""
    write, sign = _writers(match)
    sides = {
        side: " & ".join(record.names[player] for player in players)
        for side, players in record.sides.items()
    }
    return Paid(
        lines=lines(match.payments, record.names, write),
        counts=match.counts,
        rule=record.game.settlement.text,
        stake=stake_of(record),
        notes=[one.say() for one in notes_on_match(match, [record.names[o] for o in match.odd])],
        columns=list(sides.values()),
        rows=[] if match.stake is None else [_row(due, sides, sign) for due in match.dues],
        total=[_cell(sum(due.amounts[side] for due in match.dues), sign) for side in sides],
    )


def _writers(match: Settled) -> tuple[WriteAmount, WriteAmount]:
    """How amounts of a match are written, without and with a sign."""
    stake = match.stake
    if stake is None:
        return plain, signed
    currency = stake.currency
    return lambda n: money(n, currency), lambda n: money(n, currency, sign=True)


def _row(due: Due, sides: Mapping[str, str], sign: WriteAmount) -> PaidRow:
    cells = [_cell(due.amounts.get(side, 0), sign) for side in sides]
    return PaidRow(due.what, due.hand, sides.get(due.side or "", ""), cells)


def _cell(amount: int, sign: WriteAmount) -> tuple[str, str]:
    return "plus" if amount > 0 else "minus" if amount < 0 else "nil", sign(amount)


def lines(some: Iterable[Payment], names: Mapping[str, str], write: WriteAmount) -> list[PaidLine]:
    """Payments with names, and amounts as they are written."""
    return [PaidLine(names[one.payer], names[one.to], write(one.amount)) for one in some]


def in_short(match: Settled, names: Mapping[str, str]) -> list[PaidLine]:
    """The payments of a match alone."""
    return lines(match.payments, names, _writers(match)[0])


def paid_evening(purse: Purse, names: Mapping[str, str]) -> PaidEvening:
    """What an evening comes to in one currency."""

    def sign(amount: int) -> str:
        return money(amount, purse.currency, sign=True)

    order = sorted(purse.balances, key=lambda one: -purse.balances[one])
    return PaidEvening(
        currency=purse.currency,
        lines=lines(purse.payments, names, lambda n: money(n, purse.currency)),
        notes=[one.say() for one in notes_on_evening(purse)],
        columns=[names[player] for player in order],
        rows=[
            (match.match, [_cell(match.balances.get(player, 0), sign) for player in order])
            for match in purse.matches
        ],
        total=[_cell(purse.balances[player], sign) for player in order],
    )
