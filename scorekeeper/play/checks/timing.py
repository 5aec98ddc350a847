"""Checks of the time of an act: some acts belong before the play, or before a result."""

from collections.abc import Iterable, Iterator

from scorekeeper.play.checks.faults import Act, fault
from scorekeeper.play.deal import Deal
from scorekeeper.play.scoring import Observation


def first_event_of_play(deal: Deal, trick: int = 1) -> int | None:
    """Return the first seq of trick ``trick`` or later, or of a claim of the rest; None if none."""
    tricks = [late for late in deal.tricks.numbered.values() if late.number >= trick]
    seqs = [seq for late in tricks for seq in late.events()]
    return _earliest(deal, [*seqs, *(rest.seq for rest in deal.rests)])


def first_event_of_play_or_result(deal: Deal) -> int | None:
    """Return the first seq among the play, the counts and the outcomes; None without any."""
    begun = first_event_of_play(deal)
    results = [result.seq for result in (*deal.counts, *deal.outcomes)]
    return _earliest(deal, results if begun is None else [begun, *results])


def _earliest(deal: Deal, seqs: Iterable[int]) -> int | None:
    """Return the seq that comes first in the corrected record; None if there are none."""
    return min(seqs, key=deal.places.__getitem__, default=None)


def late_acts(
    template: str, deal: Deal, acts: Iterable[Act | None], end: int | None
) -> Iterator[Observation]:
    """Yield a fault for each act that comes after the entry ``end`` in the corrected record.

    ``end`` is the seq of an entry; with None, no act is late. The act still counts, since it may
    have been recorded late.
    """
    for act in acts if end is not None else ():
        if act is not None and end is not None and deal.places[act.seq] > deal.places[end]:
            yield fault(template, deal, act, end)
