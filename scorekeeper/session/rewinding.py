"""Take back the newest entries of a session without replaying the others.

A replay of a session with many corrections takes seconds, so a refused request must not cause one.
A checkpoint is made before entries are tried. It holds references and lengths and no copies,
because nearly every entry is accepted; only what is said of hands is copied, when it changes.
"""

from collections.abc import Callable
from typing import Protocol

from scorekeeper.log.corrected import Corrections
from scorekeeper.play.folding import record_entry
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.structure import AUTHORS, Segment, Structure

Undo = Callable[[], None]


class Replayed(Protocol):
    """A session as far as it is restored here."""

    corrections: Corrections
    structure: Structure


def checkpoint(session: Replayed) -> Undo:
    """Return a function that removes all entries that were added since.

    The effect of corrections is undone by functions of their own. All are called newest first.
    """
    corrections = session.corrections
    entries, open_set = corrections.recorded, corrections.open_set
    count, structure = len(entries), session.structure
    restore = structure_checkpoint(structure)

    def undo() -> None:
        while len(entries) > count:
            corrections.forget(next(reversed(entries)))
        corrections.open_set = open_set
        session.structure = structure
        restore()

    return undo


def structure_checkpoint(structure: Structure) -> Undo:
    """Return a function that restores a structure to which entries were only appended."""
    opened, closed, declared = structure.opened, structure.closed, structure.declared
    said, match, last = structure.said, structure.matches[-1:], structure.segments[-1]
    players, hands = len(structure.players), len(structure.hand_at)
    matches, segments, keys = len(structure.matches), len(structure.segments), len(last.keys)
    restore = [one.checkpoint() for one in match]
    at_hand = structure.hand_at_hand is not None
    if last.hand is not None:
        restore.append(hand_checkpoint(structure, last, last.hand))
    structure.said_is_shared = True

    def undo() -> None:
        structure.opened, structure.closed, structure.declared = opened, closed, declared
        structure.said, structure.hand_at_hand = said, last.hand if at_hand else None
        structure.said_is_shared = True  # an older checkpoint may refer to it
        while len(structure.players) > players:
            structure.authors -= {structure.players.popitem()[0]} - {*AUTHORS}
        while len(structure.hand_at) > hands:
            structure.hand_at.popitem()
        del structure.matches[matches:]
        structure.forget_keys(segments, keys)
        for one in restore:
            one()

    return undo


def hand_checkpoint(structure: Structure, segment: Segment, hand: HandRecord) -> Undo:
    """Return a function that restores the last hand, which is folded again if it went on."""
    entries, penalties = len(hand.entries), len(hand.penalties)

    def undo() -> None:
        now = segment.hand  # a newer checkpoint may have put another record in place
        if now is not None and len(now.entries) > entries:
            anew = now.again()
            for entry in now.entries[:entries]:
                record_entry(anew.deal, entry, anew.game.fold)
            anew.penalties = now.penalties[:penalties]
            structure.put_in_place(segment, anew)

    return undo
