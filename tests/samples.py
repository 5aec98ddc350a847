"""Facts of a game for the tests: one literal beside its golden logs, ``golden/GAME/game.py``.

The tests find all else in the registry. A game without that file is in no test but the one that
fails and lists the fields to write.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from runpy import run_path
from typing import Annotated, Any, Final, NamedTuple, get_type_hints

from scorekeeper.games import GAMES
from tests.evenings import GOLDEN, Raw, event

SEATED: Final = "mara leo zoe ben ada"  # in this order, as many as sit at the table of a game
Taps = Sequence[tuple[str, ...]]


# ---------------------------------------------------------------------------------- two worlds


class Step(NamedTuple):
    """Events in one append, in each of the two worlds."""

    one: tuple[Raw, ...]
    other: tuple[Raw, ...]
    who: str = "host"


class Worlds(NamedTuple):
    """Two worlds up to the middle of a hand, and the events that end it.

    ``betrayed``: a player and cards, one of which lies face down with another player in the first
    world, so that a seat that plays it is not asked to confirm.
    """

    players: str
    steps: Sequence[Step]
    end: Step
    betrayed: tuple[str, str] | None = None


def same(*events: Raw, who: str = "host") -> Step:
    """Return a step that is the same in both worlds."""
    return Step(events, events, who)


def apart(one: Raw, other: Raw, who: str = "host") -> Step:
    """Return a step with cards face down, which differ between the worlds."""
    return Step((one,), (other,), who)


def begun(game: str, seats: str, dealer: str) -> Step:
    """Return a step with the start of a match and of its first hand."""
    return same(
        event("match_started", game=game, seats=seats.split()), event("hand_started", dealer=dealer)
    )


def played(cards: str) -> Step:
    """Return a step with played cards, each ``player:card``."""
    pairs = [pair.split(":") for pair in cards.split()]
    return same(*(event("card_played", player=who, card=card) for who, card in pairs))


def laid(player: str, one: str, other: str, who: str = "host") -> Step:
    """Return a step with different cards laid away in each world."""
    return apart(
        event("cards_laid_away", player=player, cards=one.split()),
        event("cards_laid_away", player=player, cards=other.split()),
        who,
    )


# ---------------------------------------------------------------------------------- the literal


def tricks(winners: str) -> Taps:
    """Return the taps that record the winners of tricks."""
    return [("trick_taken", winner) for winner in winners.split()]


@dataclass(frozen=True, kw_only=True)
class Sample:
    """Facts of a game for the tests; those with ``None`` need games with cards face down."""

    seats: Annotated[int, "how many sit at its usual table"]
    cards: Annotated[int, "how many cards its usual pack has"]
    scores: Annotated[str, "the clauses under which points are written down"]
    counts: Annotated[tuple[int, ...], "what the sides take of a hand adds up to, one of these"]
    zero_sum: Annotated[bool, "whether the scores of a hand add up to nothing"] = False
    short: Annotated[Mapping[str, Any], "options of a match that is over after a few hands"]
    dice: Annotated[int, "the seed of a hand that has what is usual"]
    secret: Annotated[int | None, "the seed of a hand in which cards are laid face down"] = None
    records: Annotated[
        Mapping[str, tuple[str, Sequence[str]]],
        "by level: the record of that hand that a table keeps, and its types of events",
    ]
    levels: Annotated[Mapping[str, str], "by level: that of the report, where it is another"] = (
        field(default_factory=dict)
    )
    most_taps: Annotated[Mapping[str, int], "by level: the most taps that such a hand takes"]
    taps: Annotated[
        Mapping[str, Taps],
        "by level: the taps of a hand, each a step of the page and what stands there, with its "
        "group where a step says the same twice",
    ]
    auction: Annotated[
        tuple[Sequence[Raw], int, Sequence[Raw], int] | None,
        "an auction in which all speak, with its taps, and the rest of that hand by its tricks, "
        "with their taps",
    ] = None
    last_total: Annotated[
        str, "the last field of its form of totals, where a phone shows all of that at once"
    ] = ""
    late: Annotated[
        tuple[str, str] | None, "the form that asks for such cards later, and what it replaces"
    ] = None
    worlds: Annotated[Worlds | None, "two worlds that differ only in what lies face down"] = None


def samples_in(folder: Path) -> dict[str, Sample]:
    """Return the samples of the games with a folder there, in the order of the registry."""
    files = {game: folder / game / "game.py" for game in GAMES}
    return {game: run_path(str(path))["SAMPLE"] for game, path in files.items() if path.exists()}


SAMPLES: Final = samples_in(GOLDEN)


def what_to_write(game: str) -> str:
    """Return which file to write for a game without a sample, and its fields."""
    hints = get_type_hints(Sample, include_extras=True)
    asked = "".join(f"\n    {name}: {hint.__metadata__[0]}" for name, hint in hints.items())
    return (
        f"the tests know nothing of {game}: write golden/{game}/game.py beside its golden logs, "
        f"with SAMPLE = Sample(...) of tests/samples.py, and a Match that plays it at random, as "
        f"those in tests/players do. A sample has{asked}"
    )
