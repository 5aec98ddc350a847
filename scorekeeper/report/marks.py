"""The marks of hands: what is to be known of a hand before its score is relied on, at a glance.

One table of them for pages, paper and workbooks, each with its sign and its word.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from scorekeeper.events.corrections import EventInserted
from scorekeeper.events.disputes import HandConfirmed
from scorekeeper.languages.catalogues import N_
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.session.session import Session

HandNumber = tuple[int, int]  # the numbers of a match and of a hand


class HandMark(NamedTuple):
    """A sign beside a hand, and what it says in English."""

    sign: str
    about: str

    @property
    def word(self) -> str:
        """What it says, in the language that is spoken."""
        return _(self.about)


# In the order in which they stand beside a hand.
MARKS: Final = {
    "disputed": HandMark("⚑", N_("disputed")),
    "unresolved": HandMark("⚐", N_("ended without agreement")),
    "wrong": HandMark("!", N_("wrong")),
    "doubtful": HandMark("?", N_("in doubt")),
    "incomplete": HandMark("…", N_("incomplete")),
    "corrected": HandMark("✎", N_("corrected")),
    "signed": HandMark("✓", N_("accepted by every side")),
    "partly": HandMark("◐", N_("accepted by some")),
    "unsigned": HandMark("○", N_("not accepted yet")),
}
# How a hand or a match stands, in a word; and what the totals of a match are.
STATUS: Final = {
    "open": N_("still open"),
    "incomplete": N_("incomplete"),
    "abandoned": N_("abandoned"),
    "complete": N_("complete"),
    "finished": N_("finished"),
}
COUNTED: Final = {
    "points": N_("Total"), "hands": N_("Hands won"), "games": N_("Games won"),
}  # fmt: skip
GRADES: Final = {"error": "wrong", "warning": "doubtful"}


def collect_marks(session: Session, report: Mapping[str, Any]) -> dict[HandNumber, tuple[str, ...]]:
    """The names of the marks of each hand, in their order."""
    found: dict[HandNumber, set[str]] = {}
    for one in report["findings"]:
        if one["severity"] in GRADES and one["code"] != "incomplete":
            found.setdefault((one["match"], one["hand"]), set()).add(GRADES[one["severity"]])
    last = {(one["match"], one["hand"]): one["state"] for one in report["disputes"]}
    corrected = find_corrected_hands(session)
    told: dict[HandNumber, tuple[str, ...]] = {}
    for match in report["matches"]:
        for hand in match["hands"]:
            place = (match["match"], hand["hand"])
            marks = {*found.get(place, ()), *_of_hand(match, hand)}
            marks |= {"unresolved"} if last.get(place) == "unresolved" else set()
            marks |= {"corrected"} if place in corrected else set()
            told[place] = tuple(name for name in MARKS if name in marks)
    return told


def _of_hand(match: Mapping[str, Any], hand: Mapping[str, Any]) -> Iterator[str]:
    """The marks that the report of a hand gives by itself."""
    if hand["disputed"]:
        yield "disputed"
    if hand["status"] == "incomplete":
        yield "incomplete"
    if hand["status"] == "complete":
        yield get_signature_mark(match, hand)


def get_signature_mark(match: Mapping[str, Any], hand: Mapping[str, Any]) -> str:
    """Whether every side of a match has accepted a complete hand, some have, or nobody."""
    signed = set(hand["confirmed"])
    if not signed:
        return "unsigned"
    every = all(signed.intersection(members) for members in match["sides"].values())
    return "signed" if every else "partly"


def find_corrected_hands(session: Session) -> set[HandNumber]:
    """The hands of which corrections changed what is on record.

    To take back at once what was recorded last is none, nor to accept a hand later.
    """
    segments, back = session.structure.segment_of, session.corrections.taken_back()
    found = set()
    for key in _corrected_places(session):
        segment = segments.get(key)
        changed = key not in back and _reads_otherwise(session, key)
        if changed and segment and segment.hand and segment.match:
            found.add((segment.match.number, segment.hand.number))
    return found


def _corrected_places(session: Session) -> set[int]:
    """The keys of what corrections name, or brought in."""
    return {place for _, places in session.corrections.places() for place in places}


def _reads_otherwise(session: Session, key: int) -> bool:
    said, reading = session.corrections.recorded[key].event, session.corrections.reading(key)
    if isinstance(said, EventInserted):
        return reading is not None and said.type != HandConfirmed.TYPE
    return (reading is None or reading.event is not said) and said.TYPE != HandConfirmed.TYPE
