"""Corrections as events, and what a session comes to with them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from scorekeeper.base.errors import Unusable
from scorekeeper.events.corrections import EventInserted, EventReplaced, EventStruck
from scorekeeper.events.event import Entry
from scorekeeper.events.playing import CardPlayed, TrickTaken
from scorekeeper.log import codec
from scorekeeper.log.sets import Corrects
from scorekeeper.play.scoring import Severity, add_up
from scorekeeper.repair.trials import Candidate, Edit, Trial
from scorekeeper.report.findings import hand_findings
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session

Suggestion = dict[str, Any]
KEEPER: Final = "keeper"


@dataclass(frozen=True, slots=True)
class TriedCandidate:
    """A candidate that was tried, with what it comes to."""

    candidate: Candidate
    entries: Sequence[Entry]
    trial: Trial

    @property
    def rank(self) -> tuple[float, ...]:
        """What is sorted by: what is left, how unlikely, how small."""
        return (*self.trial.wrong, self.candidate.cost, len(self.candidate.edits))


class Scratch:
    """A second copy of a session, on which corrections are tried as they would be recorded."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._made: Session | None = None

    @property
    def _copy(self) -> Session:
        if self._made is None:
            self._made = Session.of(
                self.session.corrections.recorded.values(), self.session.awaiting
            )
        return self._made

    def confirm(
        self, match: MatchRecord, hand: HandRecord, found: TriedCandidate, before: Sequence[str]
    ) -> Suggestion | None:
        """The suggestion of a candidate; None where no log with it can be used."""
        for corrections in ways(found, hand, self.session.corrections.inserted):
            added = 0
            try:
                for event in corrections:
                    self._add(event)
                    added += 1
                told = self._tell(match, hand, corrections, before)
            except Unusable:
                continue
            finally:
                self._take_back(added)
            if not set(told["leaves"]) - {*found.trial.grave, *found.trial.slight}:
                return told
        return None

    def _add(self, event: Corrects) -> None:
        self._copy.add(Entry(self._copy.events + 1, event, by=KEEPER))

    def _take_back(self, many: int) -> None:
        last = self._copy.events
        try:
            for seq in range(last, last - many, -1):
                self._add(EventStruck(seq, ""))
        except Unusable:
            self._made = None

    def _tell(
        self, match: MatchRecord, hand: HandRecord, corrections: Sequence[Corrects],
        before: Sequence[str],
    ) -> Suggestion:  # fmt: skip
        there = self._copy.structure.matches[match.number - 1]
        anew = there.hands[hand.number - 1]
        after = [
            one.code for one in hand_findings(there, anew) if one.severity is not Severity.INFO
        ]
        lines = anew.deal.result.lines if there.complete(anew) else ()
        return {
            "match": match.number,
            "hand": hand.number,
            "corrections": [{"type": one.TYPE, "data": codec.encode(one)} for one in corrections],
            "resolves": [
                code for code in dict.fromkeys(before) if after.count(code) < before.count(code)
            ],
            "leaves": list(dict.fromkeys(after)),
            "scores": add_up(lines, there.sides),
        }


# -------------------------------------------------------------------- from edits to events


def ways(
    found: TriedCandidate, hand: HandRecord, inserted: Collection[int]
) -> Iterator[list[Corrects]]:
    """The ways to record a candidate; each event must leave a log that can be used."""
    reason, edits = found.candidate.reason, found.candidate.edits
    plain = [event for edit in edits for event in of_edit(edit, reason, inserted)]
    yield plain
    if len(edits) > 1:
        yield plain[::-1]
    if _turned(edits, hand):
        yield from _moved(found, hand, reason)
    by_way = _by_way_of_a_third(edits, hand)
    if by_way is not None:
        steps = (by_way, *reversed(edits))
        yield [event for edit in steps for event in of_edit(edit, reason, inserted)]


def of_edit(edit: Edit, reason: str, inserted: Collection[int]) -> Iterator[Corrects]:
    """What is recorded for an edit; what was inserted is struck and inserted anew."""
    event = edit.event
    if event is None:
        yield EventStruck(edit.seq, reason)
        return
    data = codec.encode(event)
    if edit.insert or edit.seq in inserted:
        if not edit.insert:
            yield EventStruck(edit.seq, reason)
        yield EventInserted(edit.seq, event.TYPE, data, reason)
    else:
        yield EventReplaced(edit.seq, event.TYPE, data, reason)


def _by_way_of_a_third(edits: Sequence[Edit], hand: HandRecord) -> Edit | None:
    """Another card for the first of two plays of one player, whose cards change places.

    No card can stand twice with one player, not even between two corrections.
    """
    events = [edit.event for edit in edits]
    if len(events) != 2 or not all(isinstance(event, CardPlayed) for event in events):
        return None
    first, second = cast("list[CardPlayed]", events)
    his = {play.card for play in hand.deal.plays if play.player == first.player}
    free = next((card for card in hand.match.pack.cards if card not in his), None)
    if first.player != second.player or free is None:
        return None
    return edits[0]._replace(event=CardPlayed(first.player, free))


def _turned(edits: Sequence[Edit], hand: HandRecord) -> bool:
    """Whether the edits put two entries in each other's place."""
    said = {entry.seq: entry.event for entry in hand.entries}
    return len(edits) == 2 and [edit.event for edit in edits] == [
        said.get(edit.seq) for edit in reversed(edits)
    ]


def _moved(found: TriedCandidate, hand: HandRecord, reason: str) -> Iterator[list[Corrects]]:
    """One of two neighbours struck, and inserted on the other side of the other.

    A card cannot stand twice, so that two replacements may not do. Where the trick would then
    take in the first card of the next, its winner is recorded first.
    """
    one, other = found.candidate.edits
    seqs = [hand.started.seq, *(entry.seq for entry in hand.entries)]
    before = seqs[seqs.index(one.seq) - 1]
    for struck, after, event in ((one, other.seq, other.event), (other, before, one.event)):
        if event is None:
            continue
        move: list[Corrects] = [
            EventStruck(struck.seq, reason),
            EventInserted(after, event.TYPE, codec.encode(event), reason),
        ]
        yield move
        winner = _winner(found, hand, struck.seq)
        if winner is not None:
            yield [winner, *move]


def _winner(found: TriedCandidate, hand: HandRecord, seq: int) -> Corrects | None:
    """Who took the trick of a play, put down after its last card; None where that was said."""
    for trick in hand.deal.tricks:
        anew = found.trial.hand.deal.tricks.numbered.get(trick.number)
        if (
            seq in trick.events()
            and anew
            and not trick.named_winners
            and hand.deal.tricks.is_full(trick)
        ):
            player = found.trial.hand.deal.winner(anew).player
            data = codec.encode(TrickTaken(player))
            return EventInserted(trick.plays[-1].seq, TrickTaken.TYPE, data, "for what follows")
    return None
