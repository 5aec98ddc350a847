"""Take back the newest entries of a session without replaying the others.

A replay of a session with many corrections takes seconds, so a refused request must not cause one.
A checkpoint is made before entries are tried. It holds references and lengths and no copies,
because nearly every entry is accepted; only disputes and signatures are copied, when they change.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from scorekeeper.log.corrected import Corrections
from scorekeeper.play.folding import record_entry
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.structure import AUTHORS, Segment, Structure

Undo = Callable[[], None]


class RewindableSession(Protocol):
    """The parts of a session that a checkpoint restores."""

    corrections: Corrections
    structure: Structure


@dataclass(slots=True)
class Rewind:
    """A function that takes an effect back: first on the structure, then on the recorded entries.

    The two parts are independent of each other.
    """

    structure: Undo
    entries: Undo

    def __call__(self) -> None:
        """Take the effect back."""
        self.structure()
        self.entries()

    def forget_structure(self) -> None:
        """Release the structure: an older function puts another one in its place."""
        self.structure = undo_nothing


def undo_nothing() -> None:
    """Undo nothing."""


def checkpoint(session: RewindableSession) -> Rewind:
    """Return a function that removes all entries that are added to the session from now on.

    It does not undo the effect of corrections: each has an undo function of its own. The functions
    must be called newest first.
    """
    corrections = session.corrections
    entries, open_set = corrections.recorded, corrections.open_set
    count, structure = len(entries), session.structure
    restore = checkpoint_structure(structure)

    def restore_structure() -> None:
        session.structure = structure
        restore()

    def forget_entries() -> None:
        while len(entries) > count:
            corrections.forget(next(reversed(entries)))
        corrections.open_set = open_set

    return Rewind(restore_structure, forget_entries)


def checkpoint_structure(structure: Structure) -> Undo:
    """Return a function that restores a structure to which entries are only appended."""
    opened, closed, declared = structure.opened, structure.closed, structure.declared
    disputes, match, last = structure.disputes, structure.matches[-1:], structure.segments[-1]
    players, hands = len(structure.players), len(structure.hand_by_seq)
    renamings = len(structure.renamings)
    matches, segments, keys = len(structure.matches), len(structure.segments), len(last.keys)
    restore = [match_record.checkpoint() for match_record in match]
    at_hand = structure.current_hand is not None
    if last.hand is not None:
        restore.append(checkpoint_hand(structure, last, last.hand))
    structure.disputes_are_shared = True

    def undo() -> None:
        structure.opened, structure.closed, structure.declared = opened, closed, declared
        structure.undo_renamings(renamings)
        structure.disputes, structure.current_hand = disputes, last.hand if at_hand else None
        structure.disputes_are_shared = True  # an older checkpoint may refer to it
        while len(structure.players) > players:
            structure.authors -= {structure.players.popitem()[0]} - {*AUTHORS}
        while len(structure.hand_by_seq) > hands:
            structure.hand_by_seq.popitem()
        del structure.matches[matches:]
        structure.forget_keys(segments, keys)
        for restore_match in restore:
            restore_match()

    return undo


def checkpoint_hand(structure: Structure, segment: Segment, hand: HandRecord) -> Undo:
    """Return a function that restores the last hand to its present number of entries.

    If entries were added, the hand is folded again from its first ones.
    """
    entries, penalties = len(hand.entries), len(hand.penalties)

    def undo() -> None:
        now = segment.hand  # a newer checkpoint may have put another record in place
        if now is not None and len(now.entries) > entries:
            anew = now.make_blank_copy()
            for entry in now.entries[:entries]:
                record_entry(anew.deal, entry, anew.game.fold)
            anew.penalties = now.penalties[:penalties]
            structure.replace_hand(segment, anew)

    return undo
