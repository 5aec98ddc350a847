"""What the pages that look back on a session share: who looks, at which hand, in what words."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.exceptions import NotFound

from scorekeeper.api.access import ANY, holder_of, service
from scorekeeper.events import EventInserted, EventReplaced
from scorekeeper.games import GAMES
from scorekeeper.replay import Session
from scorekeeper.replay.audit import is_left
from scorekeeper.replay.records import HandRecord
from scorekeeper.replay.report import status
from scorekeeper.replay.telling import Story, Told
from scorekeeper.service import Holder
from scorekeeper.service.rights import refuse_role

T = TypeVar("T")

# What lies face down until a hand is over: who recorded it knows it, and nobody else.
FACE_DOWN: Final = frozenset(
    event.TYPE for game in GAMES.values() for event in game.events if event.HIDDEN
)


def look(session: str, make: Callable[[Session, Holder], T]) -> T:
    """What is made of a session for who looks at it; UnknownSession, NoKey, Forbidden."""
    holder = holder_of(session)
    refuse_role(holder, *ANY)
    return service().see(session, lambda found: make(found, holder))


def copy_of(session: str) -> tuple[Session, Holder]:
    """A copy of a session, to be worked with for long while others record; and who asks."""
    entries, holder = look(
        session, lambda found, holder: (list(found.corrections.recorded.values()), holder)
    )
    return Session.of(entries), holder


def hand_at(session: Session, match: int | None, hand: int) -> HandRecord:
    """A hand by its numbers, without a match of the last one; NotFound."""
    matches = session.record.matches
    number = len(matches) if match is None else match
    if not 1 <= number <= len(matches) or not 1 <= hand <= len(matches[number - 1].hands):
        raise NotFound(_("There is no such hand in this session."))
    return matches[number - 1].hands[hand - 1]


# -------------------------------------------------------------------------------- face down


def is_over(hand: HandRecord) -> bool:
    """Whether all that belongs to a hand may be seen: it is complete, given up, or left."""
    complete = hand.match.complete(hand)
    return complete or hand.deal.result.abandoned or is_left(hand.match, hand)


def disputable(hand: HandRecord) -> bool:
    """Whether a hand can be disputed: it is over, or its record contradicts itself."""
    return is_over(hand) or status(hand.match, hand) == "incomplete"


def face_down(session: Session, hand: HandRecord) -> frozenset[int]:
    """The seqs of what must not be seen of a hand yet."""
    if is_over(hand):
        return frozenset()
    recorded = session.corrections.recorded.values()
    hidden = {entry.seq for entry in recorded if type_of(entry.event) in FACE_DOWN}
    own = {one for one in hidden if _hand_of(session, one) is hand}
    naming = {
        entry.seq for entry in recorded
        if isinstance(entry.event, EventReplaced) and entry.event.seq in own
    }  # fmt: skip
    return frozenset(own | naming)


def _hand_of(session: Session, seq: int) -> HandRecord | None:
    segment = session.record.segment_of.get(seq)
    return segment.hand if segment else None


def type_of(event: object) -> str:
    """The type of an event, of an inserted or replacing one the type of what it puts there."""
    if isinstance(event, EventInserted | EventReplaced):
        return event.type
    return str(getattr(event, "TYPE", ""))


def veiled(story: Story | None, hidden: frozenset[int]) -> tuple[Told, ...]:
    """The events of a hand in words, those that lie face down without what they say."""
    events = story.events if story else ()
    words = _("Cards that lie face down until the hand is over")
    return tuple(replace(one, words=words) if one.seq in hidden else one for one in events)


# -------------------------------------------------------------------------------------- seats


def round_the_table(
    players: tuple[str, ...], direction: str, nearest: str | None
) -> dict[str, int]:
    """Where players sit, by places counted counter-clockwise from the one who looks."""
    first = players.index(nearest) if nearest in players else 0
    many = len(players)
    steps = {player: (place - first) % many for place, player in enumerate(players)}
    if direction == "clockwise":
        return {player: -step % many for player, step in steps.items()}
    return steps


def groups_of(head: str) -> list[str]:
    """A fingerprint in groups of four letters, to be read aloud and compared."""
    return [head[place : place + 4] for place in range(0, len(head), 4)]


GLOBALS: Final = {
    "HOW": {
        "struck": _l("struck"),
        "replaced": _l("replaced"),
        "inserted": _l("inserted"),
    },
    "STATE": {
        "open": _l("Nobody has proposed a correction yet. The score keeps standing."),
        "proposed": _l(
            "A correction is proposed, and waits for signatures. The score keeps standing."
        ),
        "signed": _l(
            "A correction is signed by some, and waits for the others. The score keeps standing."
        ),
        "corrected": _l("Settled: the hand was corrected."),
        "upheld": _l("Settled: the score is right as it was recorded."),
        "unresolved": _l("Ended without agreement: the recorded score stands."),
    },
    "BY": {"keeper": _l("the host"), "import": _l("an import")},
}
