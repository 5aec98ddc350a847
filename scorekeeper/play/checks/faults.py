"""Build the observation of a player's fault: the act, the player, and the events that prove it."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from scorekeeper.play.deal import Deal
from scorekeeper.play.scoring import Fact, Observation, Text


class Act(Protocol):
    """An act of a player, or a record about a player: a play, an event, shown cards."""

    @property
    def seq(self) -> int:
        """The seq of the act's event."""

    @property
    def player(self) -> str:
        """The player who did the act, or about whom it was recorded."""


def fault(
    template: str, deal: Deal, act: Act, *other_proof: int, also: str | None = None, **facts: Fact
) -> Observation:
    """Return the observation that an act broke a rule.

    The event of the act proves it, together with those of the seqs ``other_proof``.
    In the template ``{player}`` is the player of the act. The observation concerns the side of
    that player, and of the player ``also``, who shares the blame or was wronged. For anything
    that is no player's act, such as a count, a check creates an :class:`Observation` directly.
    """
    text = Text(template, **{"player": deal.name(act.player), **facts})
    players = (act.player,) if also is None else (act.player, also)
    return Observation((act.seq, *other_proof), text, sides_of(deal, *players))


def acts_by_others(
    template: str, deal: Deal, acts: Iterable[Act], entitled: Act | None, whose: str
) -> Iterator[Observation]:
    """Find acts of players who were not entitled; the act ``entitled`` proves it.

    ``whose`` is the name of the entitled player's field in the template. If ``entitled`` is
    None, any player may be entitled.
    """
    for act in acts:
        if entitled is not None and act.player != entitled.player:
            name = deal.name(entitled.player)
            yield fault(template, deal, act, entitled.seq, **{whose: name})


def sides_of(deal: Deal, *players: str) -> tuple[str, ...]:
    """Return the sides of these players, each once."""
    return tuple(dict.fromkeys(deal.table.side_of[player] for player in players))
