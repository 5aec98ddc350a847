"""How a check says what it saw: what was done, by whom, and what proves that it was wrong."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from scorekeeper.play.deal import Deal
from scorekeeper.play.scoring import Fact, Observation, Text


class Act(Protocol):
    """What a player did, or what is said of him: a play, an event, cards shown."""

    @property
    def seq(self) -> int:
        """The seq of its event."""

    @property
    def player(self) -> str:
        """Who did it."""


def fault(
    template: str, deal: Deal, act: Act, *proof: int, also: str | None = None, **facts: Fact
) -> Observation:
    """That an act was against a rule, with the seqs of what proves it.

    In the sentence ``{player}`` is who did it. It concerns his side, and that of the player who
    is to blame or was wronged ``also``. Of what is no player's act, such as a count, a check
    makes the :class:`Observation` itself.
    """
    text = Text(template, **{"player": deal.name(act.player), **facts})
    players = (act.player,) if also is None else (act.player, also)
    return Observation((act.seq, *proof), text, sides_of(deal, *players))


def by_another(
    template: str, deal: Deal, acts: Iterable[Act], entitled: Act | None, whose: str
) -> Iterator[Observation]:
    """Acts of others than the player who was entitled to them, as an act of his proves.

    ``whose`` is what the sentence calls him; where nobody is known to be entitled, all may be.
    """
    for act in acts:
        if entitled is not None and act.player != entitled.player:
            name = deal.name(entitled.player)
            yield fault(template, deal, act, entitled.seq, **{whose: name})


def sides_of(deal: Deal, *players: str) -> tuple[str, ...]:
    """The sides of these players, each once."""
    return tuple(dict.fromkeys(deal.table.side_of[player] for player in players))
