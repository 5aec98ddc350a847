"""The words of a table that are heard: what was recorded, the result of a hand, and the score.

A screen reader reads them, or the phone's own voice. They contain no signs, such as those of suits.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from flask_babel import gettext as _
from flask_babel import ngettext

from scorekeeper.base.parts import ExactPoints, format_points, format_signed
from scorekeeper.events.corrections import CorrectionBegun
from scorekeeper.events.event import Entry
from scorekeeper.events.playing import TrickTaken
from scorekeeper.events.sentences import Voice
from scorekeeper.log.face_down import KEEPER
from scorekeeper.report.narration import narrate_tricks
from scorekeeper.service import Holder
from scorekeeper.service.permissions import recorded_by
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.entry.board_parts import Board, Side
from scorekeeper.web.entry.history import describe_entry
from scorekeeper.web.forms.scene import AND, names_at, voice_at
from scorekeeper.web.wording.filters import with_colon

MAX_ENTRIES: Final = 60  # since the version that a phone shows
MAX_SENTENCES: Final = (
    8  # about entries; of more entries only the number is said, and the last ones
)
LAST_SENTENCES: Final = 3
_SIGN = re.compile(r"(?<![\w.,])[+\u2212-](?=\d)")  # before a number, not between two


def say_since(session: Session, version: int | None, holder: Holder, board: Board) -> str:
    """Return what was recorded after a version, and by whom; the result if it ended a hand.

    The recorder is named unless it was this phone, or a player who recorded of themselves. The text
    is empty without a version, and for one that is older than `MAX_ENTRIES` entries.
    """
    if version is None or version < session.events - MAX_ENTRIES:
        return ""
    entries = [
        entry
        for entry in session.corrections.recorded.values()
        if entry.seq > version and not isinstance(entry.event, CorrectionBegun)
    ]
    if not entries:
        return ""
    sentences = list(_sentences_with_recorders(session, entries, holder))
    if _ends_hand(session, entries):
        sentences += _result_sentences(board)
    return _joined(sentences)


def say_score(board: Board) -> str:
    """Return the score of each side, the number of the hand, its dealer, and whose turn it is."""
    sentences = list(_score_sentences(board))
    if board.state in ("over", "closed"):
        return _joined([*sentences, *_winner_sentences(board)])
    sentences.append(_("Hand %(number)s", number=board.hand))
    if board.dealer:
        sentences.append(_("%(name)s deals", name=board.names[board.dealer]))
    if board.next_up:
        sentences.append(_("It is %(name)s’s turn", name=board.names[board.next_up]))
    return _joined(sentences)


# --------------------------------------------------------------------------------- entries


def _sentences_with_recorders(
    session: Session, entries: Sequence[Entry], holder: Holder
) -> Iterator[str]:
    """Yield the sentences of entries; before those of one recorder stands the recorder's name."""
    if len(entries) > MAX_SENTENCES:
        earlier = len(entries) - LAST_SENTENCES
        yield ngettext("%(num)d earlier entry", "%(num)d earlier entries", earlier)
        entries = entries[-LAST_SENTENCES:]
    match = session.structure.matches[-1] if session.structure.matches else None
    voice, tricks = _spoken_voice(session, match), _tricks_by_seq(match)
    before = ""
    for entry in entries:
        recorder = _recorder_of(session, entry, holder)
        for sentence in _sentences_of(session, entry, voice, tricks):
            known = recorder in ("", before)
            yield sentence if known else f"{with_colon(recorder)} {sentence}"
            before = recorder


def _recorder_of(session: Session, entry: Entry, holder: Holder) -> str:
    """Return who recorded an entry; empty for this phone, and for players who record of themselves.

    The recorder of some events is hidden.
    """
    names = names_at(session)
    of_themselves = getattr(entry.event, "player", None) == entry.by
    own = holder.role != "view" and recorded_by(session, entry.seq, holder)
    if of_themselves or own:
        return ""
    host = _("Host") if entry.by == KEEPER and not entry.event.AUTHOR_HIDDEN else ""
    return names.get(entry.by, host)


def _sentences_of(
    session: Session, entry: Entry, voice: Voice, tricks: Mapping[int, TrickTaken]
) -> Iterator[str]:
    """Yield the sentence of an entry, and of the trick that it completes."""
    trick = tricks.get(entry.seq)
    if trick is None or not isinstance(entry.event, TrickTaken):
        yield describe_entry(session, voice, entry)
    if trick is not None:
        yield voice.describe(trick)


def _tricks_by_seq(match: MatchRecord | None) -> dict[int, TrickTaken]:
    """Return the won tricks of the last hand, each by the seq of its last entry."""
    hand = match.hands[-1] if match and match.hands else None
    return {
        max(trick.events): TrickTaken(trick.winner, trick.number)
        for trick in (narrate_tricks(hand) if hand else ())
        if trick.winner and trick.events
    }


def _spoken_voice(session: Session, match: MatchRecord | None) -> Voice:
    """Return the voice of the table with cards in words."""
    voice = voice_at(session, match)
    return replace(voice, show=match.pack.speak) if match else voice


# ---------------------------------------------------------------------------------- results


def _ends_hand(session: Session, entries: Iterable[Entry]) -> bool:
    """Return whether one of the entries belongs to the last hand, and that hand is complete."""
    match = session.structure.matches[-1] if session.structure.matches else None
    hand = match.last_complete() if match else None
    if match is None or hand is None or hand is not match.hands[-1]:
        return False
    changed = {session.corrections.place_of(entry.seq) for entry in entries}
    return not changed.isdisjoint(entry.seq for entry in hand.entries)


def _result_sentences(board: Board) -> Iterator[str]:
    """Yield the points of each side in the last hand, then the score, and who won the match."""
    if board.state not in ("next", "over", "closed"):
        return
    if board.outcome:
        points = {side.name: board.outcome.accounts[side.id].change for side in board.sides}
        counted = format_points if board.counts == "hands" else _points_won
        won = ", ".join(f"{name} {counted(change)}" for name, change in points.items())
        yield f"{with_colon(_('Hand %(number)s', number=board.outcome.number))} {won}"
    yield from _score_sentences(board)
    if board.state != "next":
        yield from _winner_sentences(board)


def _points_won(points: ExactPoints) -> str:
    """Return the points of a hand in words."""
    if points == 0:
        return str(_("nothing"))
    return format_signed(points)


def _score_sentences(board: Board) -> Iterator[str]:
    """Yield the score; if several hands or games are won, how many each side has won."""
    sides: Sequence[Side] = board.sides
    scores = ", ".join(f"{side.name} {format_points(side.total)}" for side in sides)
    if board.counts == "hands":
        yield _("Hands won: %(scores)s", scores=scores)
    elif board.target:
        yield _("The score: %(scores)s, of %(target)s", scores=scores, target=board.target)
    elif sides:
        yield _("The score: %(scores)s", scores=scores)
    if any(side.games for side in sides):
        won = ", ".join(f"{side.name} {side.games}" for side in sides)
        yield _("Games won: %(scores)s", scores=won)


def _winner_sentences(board: Board) -> Iterator[str]:
    """Yield who has won the match, or that nobody has."""
    winners = board.winners
    if len(winners) == 1:
        yield ngettext("%(name)s wins", "%(name)s win", winners[0].players, name=winners[0].name)
    elif winners:
        *names, last = (side.name for side in winners)
        yield f"{_('Shared by')} {', '.join(names)} {_('and')} {last}"
    elif board.state == "over":
        yield _("Undecided: nobody has won it")


# ------------------------------------------------------------------------------------ words


def _joined(sentences: Iterable[str]) -> str:
    """Return sentences one after another, with words in place of signs."""
    text = " ".join(f"{sentence.rstrip('.')}." for sentence in sentences)
    return _SIGN.sub(_sign_word, text).replace(AND, f" {_('and')} ")


def _sign_word(sign: re.Match[str]) -> str:
    """Return the word for the sign of a number, and a space."""
    word = _("plus") if sign[0] == "+" else _("minus")
    return f"{word} "
