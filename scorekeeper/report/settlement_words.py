"""What is said of money and payments: the stake, why it may change, what could not be divided."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from scorekeeper.events.common import Stake
from scorekeeper.play.scoring import Text
from scorekeeper.report.narration import format_ranges
from scorekeeper.report.settlement import Doubt, EveningSettlement, MatchSettlement

FormatAmount = Callable[
    [int, str], str
]  # an amount in minor units, and its currency, as it is written

# What a stake is by, by what the totals of the match count.
STAKE_TEXTS: Final = {
    "points": "{amount} a point",
    "hands": "{amount} for each hand won",
    "games": "{amount} for each game won",
}
# Why a settlement may change: by one hand, and by several.
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
    """What a match is played for; ``counts`` is what its totals count, as its sheet says."""
    said = []
    if stake.point or not stake.match:
        said.append(Text(STAKE_TEXTS[counts], amount=write(stake.point, stake.currency)))
    if stake.match:
        said.append(Text("{amount} for the match", amount=write(stake.match, stake.currency)))
    return Text("Played for money: {stake}.", stake=tuple(said))


def list_match_notes(match: MatchSettlement, names: Sequence[str]) -> Iterator[Text]:
    """Why a settlement may change, and to whom fell what could not be divided (``names``)."""
    yield from _describe_doubts(match.doubts)
    if names:
        yield Text(
            "It cannot be divided evenly: one unit more for {names}.", names=", ".join(names)
        )


def list_evening_notes(purse: EveningSettlement) -> Iterator[Text]:
    """Why the money of an evening may change, and whether there may be fewer payments."""
    if purse.provisional:
        numbers = ", ".join(str(match.match) for match in purse.matches if match.doubts)
        yield Text("It may still change by match {numbers}.", numbers=numbers)
    if not purse.fewest:
        yield Text(MAYBE_FEWER_PAYMENTS)


def _describe_doubts(doubts: Iterable[Doubt]) -> Iterator[Text]:
    by_why: dict[str, list[int]] = {}
    for one in doubts:
        by_why.setdefault(one.why, []).append(one.hand or 0)
    said = tuple(
        Text(
            DOUBT_TEXTS_MANY[why] if len(hands) > 1 else DOUBT_TEXTS[why],
            hands=format_ranges(hands),
        )
        for why, hands in by_why.items()
    )
    if said:
        yield Text("It may still change: {reasons}.", reasons=said)
