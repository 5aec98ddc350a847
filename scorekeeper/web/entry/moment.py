"""The parts of a table page that are equal for all viewers: the hand so far, and the next steps."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import HandStarted
from scorekeeper.events.playing import PLAY
from scorekeeper.events.sentences import Voice
from scorekeeper.play.deal import Deal
from scorekeeper.play.prompts import LEVELS, Level, Prompt
from scorekeeper.report.narration import voice_of_hand
from scorekeeper.report.next_events import AWAITING, NextEvents, prompt_misdeal
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.entry.history import Strip, build_strip
from scorekeeper.web.entry.steps import (
    Question,
    Step,
    Steps,
    build_step,
    build_steps,
    totals_questions,
)
from scorekeeper.web.forms.scene import Scene, names_at, voice_at

USUAL: Final[Level] = "tricks"


@dataclass(frozen=True, slots=True)
class Moment:
    """The parts of a table page that are equal for all viewers with the same access.

    Seats are in their recorded order, and hidden cards are left out. ``dealing`` has the choice of
    the dealer if a hand can begin.
    """

    level: Level = USUAL
    strip: Strip | None = None
    steps: Steps = field(default_factory=Steps)
    totals: tuple[Question, ...] = ()
    dealing: tuple[Step, ...] = ()


def build_moment(session: Session, level: Level | None) -> Moment:
    """Return what all viewers with the same access share, at one level of recording.

    `level` is by default the level of the last hand.
    """
    coming = NextEvents(session)
    match, hand = coming.match, coming.hand
    if match is None:
        return Moment()
    level = level or usual_level(session.structure.matches)
    hand_so_far = build_strip(session, match, hand, coming.prompt_hand(level)) if hand else None
    return Moment(level, hand_so_far, **_step_fields(coming, match, level, hand_so_far))


def usual_level(matches: Sequence[MatchRecord]) -> Level:
    """Return the level at which the current hand, or else the last one, is recorded."""
    hands = [hand for match in matches[-2:] for hand in match.hands[-2:]]
    for hand in reversed(hands):
        if hand.deal.result.complete or hand.deal.tricks.numbered:
            return _level_of_hand(hand)
    return USUAL


def _level_of_hand(hand: HandRecord) -> Level:
    """Return the level at which a hand was recorded; the totals form covers only its own events."""
    level: Level = next((known for known in LEVELS if known == hand.deal.level), "cards")
    in_form = {declared for form in hand.game.questions(hand.deal) for declared in form.events}
    of_the_game = set(hand.game.events) - set(PLAY)
    more = any(type(entry.event) in of_the_game - in_form for entry in hand.entries)
    return "tricks" if level == "totals" and more else level


def _step_fields(
    coming: NextEvents, match: MatchRecord, level: Level, strip: Strip | None
) -> JsonObject:
    """Return the fields of `Moment` with the steps of the current hand, or of the next one.

    They are empty if nothing can be recorded now.
    """
    session, state = coming.session, coming.state
    if state in ("over", "closed", AWAITING):
        return {}
    voice, to_come = voice_at(session, match), coming.next_deal
    dealing: tuple[Step, ...] = ()
    waits = state in ("first", "again", "wrong")
    if waits or to_come is not None:
        dealers = Prompt(tuple(HandStarted(seat) for seat in match.seats))
        dealing = (build_step(HandStarted, [dealers], scene_of(session, match, None), voice),)
    if waits:
        return {"steps": Steps(dealing) if state != "wrong" else Steps((), dealing)}
    hand = coming.hand
    scene = scene_of(
        session, match, to_come or (hand.deal if hand else None), None if to_come else strip
    )
    begun = to_come is None and hand is not None and bool(hand.entries)
    voice = voice_of_hand(voice, hand if begun else None)
    deal_steps = _steps_of_deal(scene, match, coming.prompt_level(level), level, voice, begun=begun)
    return {**deal_steps, "dealing": dealing}


def _steps_of_deal(
    scene: Scene,
    match: MatchRecord,
    prompts: Sequence[Prompt],
    level: Level,
    voice: Voice,
    *,
    begun: bool,
) -> JsonObject:
    """Return the fields `steps` and `totals` of `Moment` for a deal.

    The totals form is offered if the level is totals and no event of the hand is recorded yet.
    """
    form = level == "totals" and not begun
    asks = match.game.questions(scene.deal) if form and scene.deal else ()
    questions = tuple(totals_questions(asks, prompts, scene))
    in_form = {step.type for question in questions for step in question.steps}
    rest = [prompt for prompt in prompts if prompt.type not in in_form]
    return {
        "steps": build_steps([*rest, prompt_misdeal(scene.deal)], scene, voice),
        "totals": questions,
    }


def scene_of(
    session: Session, match: MatchRecord | None, deal: Deal | None, strip: Strip | None = None
) -> Scene:
    """Return the context of the values in a form.

    Without a `strip`, the cards on the table and the tricks taken are left out.
    """
    names = names_at(session)
    if match is None or strip is None:
        return Scene(names, match, deal)
    alone = len(match.sides) == len(match.seats)
    return Scene(names, match, deal, strip.table, strip.taken if alone else {})
