"""Checks of the time of an act: some acts belong before the play, or before a result."""

from collections.abc import Iterable, Iterator

from scorekeeper.play.checks.faults import Act, fault
from scorekeeper.play.deal import Deal
from scorekeeper.play.scoring import Observation


def play_begun(deal: Deal, trick: int = 1) -> int | None:
    """Return the seq of the first entry of that trick or a later one, or of a claim of the rest."""
    tricks = [late for late in deal.tricks.numbered.values() if late.number >= trick]
    seqs = [seq for late in tricks for seq in late.events()]
    return _first(deal, [*seqs, *(rest.seq for rest in deal.rests)])


def play_or_result(deal: Deal) -> int | None:
    """Return the seq of the first of these: an entry of the play, a count, an outcome."""
    begun = play_begun(deal)
    results = [result.seq for result in (*deal.counts, *deal.outcomes)]
    return _first(deal, results if begun is None else [begun, *results])


def _first(deal: Deal, seqs: Iterable[int]) -> int | None:
    return min(seqs, key=deal.places.__getitem__, default=None)


def late_acts(
    template: str, deal: Deal, acts: Iterable[Act | None], end: int | None
) -> Iterator[Observation]:
    """Yield the acts that come after the entry ``end`` in the corrected record.

    Each counts as if it had come in time, since it may have been recorded late.
    """
    for act in acts if end is not None else ():
        if act is not None and end is not None and deal.places[act.seq] > deal.places[end]:
            yield fault(template, deal, act, end)
