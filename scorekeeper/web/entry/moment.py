"""What is the same for all who look at a table: the hand so far, and what can be recorded next."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from scorekeeper.events.common import HandStarted
from scorekeeper.events.playing import PLAY
from scorekeeper.events.sentences import Voice
from scorekeeper.play.deal import Deal
from scorekeeper.play.prompts import LEVELS, Level, Prompt
from scorekeeper.report.next_events import AWAITING, NextEvents, misdeal
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.entry.history import Strip, strip
from scorekeeper.web.entry.labels import names_at, voice_at
from scorekeeper.web.entry.scene import Scene
from scorekeeper.web.entry.steps import Question, Step, Steps, step_of, steps, totals

USUAL: Final[Level] = "tricks"


@dataclass(frozen=True, slots=True)
class Moment:
    """What is the same for all who look: the hand so far, and what can be recorded of the next.

    Nobody comes first in it, and it holds nothing that only some may know. ``dealing`` is who can
    deal where somebody is due to.
    """

    level: Level = USUAL
    strip: Strip | None = None
    steps: Steps = field(default_factory=Steps)
    totals: tuple[Question, ...] = ()
    dealing: tuple[Step, ...] = ()


def moment_of(session: Session, level: Level | None) -> Moment:
    """What is the same for all who may know as much of a session, and record at one level."""
    coming = NextEvents(session)
    match, hand = coming.match, coming.hand
    if match is None:
        return Moment()
    level = level or usual_level(session.structure.matches)
    told = strip(session, match, hand, coming.due(level)) if hand else None
    return Moment(level, told, **_to_record(coming, match, level, told))


def usual_level(matches: Sequence[MatchRecord]) -> Level:
    """The level at which the hand at hand, or else the last one, is recorded."""
    hands = [hand for match in matches[-2:] for hand in match.hands[-2:]]
    for hand in reversed(hands):
        if hand.deal.result.complete or hand.deal.tricks.numbered:
            return _level_of(hand)
    return USUAL


def _level_of(hand: HandRecord) -> Level:
    """The level of the form in which a hand was told: the shortest asks for little."""
    level: Level = next((one for one in LEVELS if one == hand.deal.level), "cards")
    asked = {declared for ask in hand.game.totals for declared in ask.events}
    of_the_game = set(hand.game.events) - set(PLAY)
    more = any(type(entry.event) in of_the_game - asked for entry in hand.entries)
    return "tricks" if level == "totals" and more else level


def _to_record(
    coming: NextEvents, match: MatchRecord, level: Level, strip: Strip | None
) -> dict[str, Any]:
    """The steps of the hand at hand, or of the next one."""
    session, state = coming.session, coming.state
    if state in ("over", "closed", AWAITING):
        return {}
    voice = voice_at(session, match)
    dealing = (_who_deals(scene_of(session, match, None), match, voice),)
    if state in ("first", "again", "wrong"):
        return {"steps": Steps(dealing) if state != "wrong" else Steps((), dealing)}
    hand, to_come = coming.hand, coming.deal_to_come
    scene = scene_of(session, match, to_come or (hand.deal if hand else None), strip)
    begun = to_come is None and hand is not None and bool(hand.entries)
    found = _of_deal(scene, match, coming.goes_on(level), level, voice, begun=begun)
    return {**found, "dealing": dealing if to_come is not None else ()}


def _of_deal(
    scene: Scene,
    match: MatchRecord,
    prompts: Sequence[Prompt],
    level: Level,
    voice: Voice,
    *,
    begun: bool,
) -> dict[str, Any]:
    """The steps of a hand; all of its totals in one form, where nothing of it is on record."""
    form = level == "totals" and not begun
    asked = tuple(totals(match.game.totals, prompts, scene)) if form else ()
    in_form = {step.type for one in asked for step in one.steps}
    rest = [one for one in prompts if one.type not in in_form]
    return {"steps": steps([*rest, misdeal(scene.deal)], scene, voice), "totals": asked}


def _who_deals(scene: Scene, match: MatchRecord, voice: Voice) -> Step:
    """Who deals, whether or not it is his turn."""
    dealers = tuple(HandStarted(seat) for seat in match.seats)
    return step_of(HandStarted, [Prompt(dealers)], scene, voice)


def scene_of(
    session: Session, match: MatchRecord | None, deal: Deal | None, strip: Strip | None = None
) -> Scene:
    """What values of a form are of."""
    names = names_at(session)
    if match is None or strip is None:
        return Scene(names, match, deal)
    alone = len(match.sides) == len(match.seats)
    return Scene(names, match, deal, strip.table, strip.taken if alone else {})
