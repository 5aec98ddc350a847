"""The texts about money and payments: the stake, reasons for changes, and rests of divisions."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from scorekeeper.events.common import Stake
from scorekeeper.play.scoring import Text
from scorekeeper.report.narration import format_ranges
from scorekeeper.report.views import DoubtView, MoneyView, ReportView, SettlementView

FormatAmount = Callable[[int, str], str]  # formats an amount in minor units of a currency

# The text of a stake, by the unit of the match's totals.
STAKE_TEXTS: Final = {
    "points": "{amount} a point",
    "hands": "{amount} for each hand won",
    "games": "{amount} for each game won",
}
# Reasons why a settlement may change, for one hand and for several.
DOUBT_TEXTS: Final = {
    "open": "the match is still open",
    "disputed": "hand {hands} is disputed",
    "incomplete": "hand {hands} is incomplete",
}
DOUBT_TEXTS_MANY: Final = {
    "disputed": "hands {hands} are disputed",
    "incomplete": "hands {hands} are incomplete",
}
MAYBE_FEWER_PAYMENTS: Final = "With this many players there may be a way with fewer payments."


def describe_stake(stake: Stake, counts: str, write: FormatAmount) -> Text:
    """Return the sentence about a stake; ``counts`` is the unit of the match's totals."""
    parts = []
    if stake.point or not stake.match:
        parts.append(Text(STAKE_TEXTS[counts], amount=write(stake.point, stake.currency)))
    if stake.match:
        parts.append(Text("{amount} for the match", amount=write(stake.match, stake.currency)))
    return Text("Played for money: {stake}.", stake=tuple(parts))


def list_match_notes(match: SettlementView, names: Sequence[str]) -> Iterator[Text]:
    """Yield the reasons why a settlement may change, and who got more of an uneven division.

    ``names`` are the players who got one unit more.
    """
    yield from _describe_doubts(match.doubts)
    if names:
        yield Text(
            "It cannot be divided evenly: one unit more for {names}.", names=", ".join(names)
        )


def list_evening_notes(money: MoneyView, report: ReportView) -> Iterator[Text]:
    """Yield the matches by which the money may change, and a note if fewer payments may do."""
    if money.provisional:
        settled = ((number, report.matches[number - 1].settlement) for number in money.matches)
        numbers = ", ".join(str(number) for number, match in settled if match and match.doubts)
        yield Text("It may still change through match {numbers}.", numbers=numbers)
    if not money.fewest:
        yield Text(MAYBE_FEWER_PAYMENTS)


def _describe_doubts(doubts: Iterable[DoubtView]) -> Iterator[Text]:
    """Yield one sentence with the reasons why a settlement may change; none without reasons."""
    by_why: dict[str, list[int]] = {}
    for doubt in doubts:
        by_why.setdefault(doubt.why, []).append(doubt.hand or 0)
    reasons = tuple(
        Text(
            DOUBT_TEXTS_MANY[why] if len(hands) > 1 else DOUBT_TEXTS[why],
            hands=format_ranges(hands),
        )
        for why, hands in by_why.items()
    )
    if reasons:
        yield Text("It may still change: {reasons}.", reasons=reasons)
