"""What is said of money and payments: the stake, why it may change, what could not be divided."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from scorekeeper.events.common import Stake
from scorekeeper.play.scoring import Text
from scorekeeper.report.narration import spans
from scorekeeper.report.settlement import Doubt, Purse, Settled

Write = Callable[[int, str], str]  # an amount in minor units, and its currency, as it is written

# What a stake is by, by what the totals of the match count.
A_POINT: Final = {
    "points": "{amount} a point",
    "hands": "{amount} for each hand won",
    "games": "{amount} for each game won",
}
# Why a settlement may change: by one hand, and by several.
WHY: Final = {
    "open": "the match is still open",
    "disputed": "hand {hands} is disputed",
    "incomplete": "hand {hands} is incomplete",
}
WHY_MANY: Final = {
    "disputed": "hands {hands} are disputed",
    "incomplete": "hands {hands} are incomplete",
}
MANY: Final = "With this many players there may be a way with fewer payments."


def stake_words(stake: Stake, counts: str, write: Write) -> Text:
    """What a match is played for; ``counts`` is what its totals count, as its sheet says."""
    said = []
    if stake.point or not stake.match:
        said.append(Text(A_POINT[counts], amount=write(stake.point, stake.currency)))
    if stake.match:
        said.append(Text("{amount} for the match", amount=write(stake.match, stake.currency)))
    return Text("Played for money: {stake}.", stake=tuple(said))


def notes_on_match(match: Settled, names: Sequence[str]) -> Iterator[Text]:
    """Why a settlement may change, and to whom fell what could not be divided (``names``)."""
    yield from _doubtful(match.doubts)
    if names:
        yield Text(
            "It cannot be divided evenly: one unit more for {names}.", names=", ".join(names)
        )


def notes_on_evening(purse: Purse) -> Iterator[Text]:
    """Why the money of an evening may change, and whether there may be fewer payments."""
    if purse.provisional:
        numbers = ", ".join(str(match.match) for match in purse.matches if match.doubts)
        yield Text("It may still change by match {numbers}.", numbers=numbers)
    if not purse.fewest:
        yield Text(MANY)


def _doubtful(doubts: Iterable[Doubt]) -> Iterator[Text]:
    by_why: dict[str, list[int]] = {}
    for one in doubts:
        by_why.setdefault(one.why, []).append(one.hand or 0)
    said = tuple(
        Text(WHY_MANY[why] if len(hands) > 1 else WHY[why], hands=spans(hands))
        for why, hands in by_why.items()
    )
    if said:
        yield Text("It may still change: {reasons}.", reasons=said)
