"""What can be recorded next, as steps: forms of groups, made from the prompts of the game."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from scorekeeper.events.common import (
    HandAbandoned,
    MatchEnded,
    MatchStarted,
    ScoreClaimed,
    SessionClosed,
)
from scorekeeper.events.disputes import HandConfirmed
from scorekeeper.events.event import Event
from scorekeeper.events.fields import Each, OneOf, Part, Whole, parts
from scorekeeper.events.playing import CardsShown, RestClaimed
from scorekeeper.events.sentences import Voice, title_of
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.log import codec
from scorekeeper.log.writing import as_text
from scorekeeper.play.prompts import Ask, Prompt
from scorekeeper.report.late_events import kept_back
from scorekeeper.web.entry.groups import MOST_CHIPS, Chip, Slot
from scorekeeper.web.entry.labels import asked_together, match_label, together
from scorekeeper.web.entry.scene import Scene
from scorekeeper.web.entry.slots import fragment, slot_of

# Seldom recorded: they stand last, and have to be opened.
SELDOM: Final = (
    CardsShown, ScoreClaimed, HandAbandoned, MatchEnded, SessionClosed,
)  # fmt: skip
ELSEWHERE: Final = (HandConfirmed, MatchStarted)  # the page has places of their own for them
SMALL: Final = 12  # things to tap in a step that is shown without being opened,
SHOWN: Final = 36  # and in all such steps together
FEW: Final = 2  # steps that are all shown


@dataclass(frozen=True, slots=True)
class Step:
    """One form: an event, what is fixed of it as JSON, and the groups to choose from.

    ``sentence`` tells an event of which nothing is left to choose. With ``must`` it says nothing
    before cards are chosen. A step ``in_turn`` is for whose turn it is, which may be over already
    where the table records no more of it: an auction of which only the highest bid is told.
    """

    type: str
    title: str
    fixed: str
    slots: tuple[Slot, ...]
    sentence: str = ""
    seldom: bool = False
    rest: bool = False
    must: bool = False
    in_turn: bool = False

    def turned(self, me: str | None) -> "Step":
        """The same for a player, who comes first wherever players or sides are in a row."""
        slots = tuple(slot.turned(me) for slot in self.slots)
        return self if slots == self.slots else replace(self, slots=slots)

    @property
    def free(self) -> tuple[Slot, ...]:
        """The groups in which something has to be chosen."""
        return tuple(slot for slot in self.slots if not slot.filled)

    @property
    def row(self) -> Slot | None:
        """The one group whose values are buttons that record at once, if there is just one."""
        free = self.free
        tapped = len(free) == 1 and free[0].shape in ("seats", "chips", "cards", "suits")
        return free[0] if tapped else None

    @property
    def groups(self) -> list[Slot]:
        """The groups as they are tapped: who need not be named stands before what records."""
        first = [one for one in self.slots if one.optional and one.shape == "seats" and self.row]
        return [*first, *(one for one in self.slots if one not in first)]

    @property
    def size(self) -> int:
        """How many things there are to tap."""
        return sum(slot.size for slot in self.slots if not slot.filled)

    @property
    def at_once(self) -> bool:
        """Whether it is recorded as soon as every group is chosen."""
        counted = any(slot.shape == "numbers" and slot.typed for slot in self.slots)
        several = any(slot.shape == "many" for slot in self.slots)
        return bool(self.free) and not counted and not several


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a moment: those to be seen at once, and those to be opened."""

    open: tuple[Step, ...] = ()
    also: tuple[Step, ...] = ()

    def turned(self, me: str | None) -> "Steps":
        """The same for a player, who comes first wherever players or sides are in a row."""
        return Steps(turned_steps(self.open, me), turned_steps(self.also, me))


def turned_steps(some: Iterable[Step], me: str | None) -> tuple[Step, ...]:
    """Steps for a player, who comes first wherever players or sides are in a row."""
    return tuple(one.turned(me) for one in some)


def steps(prompts: Iterable[Prompt], scene: Scene, voice: Voice) -> Steps:
    """The prompts as steps, those of one kind of event joined into one."""
    by_kind: dict[type[Event], list[Prompt]] = {}
    for prompt in prompts:
        by_kind.setdefault(type(prompt.choices[0]), []).append(prompt)
    made = [
        step_of(declared, several, scene, voice)
        for declared, several in by_kind.items()
        if declared not in ELSEWHERE
    ]
    return _parted(made)


def _parted(made: Sequence[Step]) -> Steps:
    """The first steps open, and after them the small ones; the others are opened by a tap."""
    common = [step for step in made if not step.seldom]
    shown, budget = list(common) if len(common) <= FEW else [], SHOWN
    for place, step in enumerate(common if not shown else ()):
        big = step.size > SMALL
        alone = not any(one.size > SMALL and not one.in_turn for one in shown)
        first = place == 0 or (place == 1 and alone)
        if first or (not big and step.size <= budget):
            shown.append(step)
            budget -= 0 if big else step.size
    shown.sort(key=lambda step: step.rest)
    return Steps(tuple(shown), tuple(one for one in made if one not in shown))


def step_of(declared: type[Event], prompts: Sequence[Prompt], scene: Scene, voice: Voice) -> Step:
    """The step in which one kind of event is recorded."""
    events = [choice for prompt in prompts for choice in prompt.choices]
    choices = [told(event) for event in events]
    fixed, found = _fields(declared, choices, scene, _most(prompts))
    slots = _preselected(found, prompts)
    return Step(
        declared.TYPE,
        title_of(declared),
        as_text(fixed),
        slots,
        sentence=voice.describe(masked(events[0])) if all(slot.filled for slot in slots) else "",
        seldom=declared in SELDOM or not any(one.needed for one in prompts),
        rest=declared is RestClaimed,
        in_turn=prompts[0].in_turn,
    )


def masked(event: Event) -> Event:
    """An event without what is kept back while a hand is played."""
    names = kept_back(type(event))
    return replace(event, **dict.fromkeys(names)) if names else event  # type: ignore[type-var]


def told(event: Event) -> dict[str, Any]:
    """The data of an event, without what is kept back while a hand is played."""
    return codec.encode(masked(event))


def _most(prompts: Sequence[Prompt]) -> dict[str, int]:
    """The most that somebody can count, by the field that holds the counts."""
    found: dict[str, int] = {}
    for one in [prompt.counts for prompt in prompts if prompt.counts is not None]:
        found[one.field] = max(found.get(one.field, 0), *one.most.values())
    return found


def _preselected(slots: Sequence[Slot], prompts: Sequence[Prompt]) -> tuple[Slot, ...]:
    """Whose turn it is, chosen already where the first prompt is for that player alone."""
    first, due = prompts[0], prompts[0].player
    if due is None or (len(prompts) > 1 and len(first.levels) > 1 and not first.in_turn):
        return tuple(slots)
    return tuple(
        replace(slot, values=tuple(one._replace(chosen=one.player == due) for one in slot.values))
        if slot.name == "player" and not slot.optional
        else slot
        for slot in slots
    )


# ---------------------------------------------------------------------------------- fields


def _fields(
    declared: type[Event],
    choices: Sequence[Mapping[str, Any]],
    scene: Scene,
    most: Mapping[str, int],
) -> tuple[dict[str, Any], list[Slot]]:
    """What all choices agree in, and groups for the rest."""
    if declared is MatchStarted:
        return {}, [_matches(choices, scene)]
    several = _joined(declared, choices)
    fixed: dict[str, Any] = {}
    slots: list[Slot] = []
    for part in parts(declared):
        values = [choice.get(part.name) for choice in choices]
        if part.name in kept_back(declared) or all(value is None for value in values):
            continue
        if part.name in several:
            if part.name == several[0]:
                slots.append(_combined(declared, several, choices, scene))
        elif _agreed(part, values):
            fixed[part.name] = values[0]
        elif part.follows and (chosen := _said_with(slots, part, choices)):
            slots = chosen
        else:
            slot = slot_of(scene, declared, part, values, most.get(part.name))
            left_out = part.optional and any(value is None for value in values)
            slots += [] if slot is None else [replace(slot, optional=left_out)]
    return fixed, slots


def _agreed(part: Part, values: Sequence[Any]) -> bool:
    """Whether a field says the same whatever is chosen, and cannot say anything else."""
    return (part.follows or _is_narrow(part)) and len(set(values)) == 1


def _said_with(
    slots: Sequence[Slot], part: Part, choices: Sequence[Mapping[str, Any]]
) -> list[Slot]:
    """The groups, where what is chosen in one says what a field is; none where none does."""
    for place, slot in enumerate(slots):
        told = {(fragment(slot.name, one[slot.name]), one.get(part.name)) for one in choices
                if slot.name in one}  # fmt: skip
        says = dict(told)
        if len(says) == len(told) and says.keys() == {one.fragment for one in slot.values}:
            values = tuple(
                one if says[one.fragment] is None
                else one._replace(fragment=as_text({**json.loads(one.fragment),
                                                    part.name: says[one.fragment]}))
                for one in slot.values
            )  # fmt: skip
            return [*slots[:place], replace(slot, values=values), *slots[place + 1 :]]
    return []


def _is_narrow(part: Part) -> bool:
    return isinstance(part.kind, OneOf) and len(part.kind.values) == 1


def _joined(declared: type[Event], choices: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The fields that are chosen together: a length and a rank, say, where they are few."""
    names = tuple(
        part.name
        for part in parts(declared)
        if isinstance(part.kind, Whole | OneOf)
        and not (part.optional or part.follows or _is_narrow(part))
    )
    combined = {tuple(choice.get(name) for name in names) for choice in choices}
    return names if len(names) > 1 and len(combined) <= MOST_CHIPS else ()


def _combined(
    declared: type[Event],
    names: Sequence[str],
    choices: Sequence[Mapping[str, Any]],
    scene: Scene,
) -> Slot:
    """Several fields as one group."""
    found = {as_text({name: choice[name] for name in names}): None for choice in choices}
    values = tuple(Chip(one, together(declared, json.loads(one), scene.pack)) for one in found)
    return Slot(" ".join(names), "chips", values, asks=asked_together(declared, names))


def _matches(choices: Sequence[Mapping[str, Any]], scene: Scene) -> Slot:
    """The match before once more, and each game with the first who can play it."""
    values: dict[str, Chip] = {}
    for choice in choices:
        fragment = as_text(choice)
        values.setdefault(choice["game"], Chip(fragment, match_label(choice, scene.names)))
    return Slot("match", "chips", tuple(values.values()), asks=_("Match"))


# ---------------------------------------------------------------------------------- totals


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that a totals form asks: one or several ways to say it."""

    steps: tuple[Step, ...]
    optional: bool
    again: int = 0  # how often more it can be said

    def turned(self, me: str | None) -> "Question":
        """The same for a player, who comes first wherever players or sides are in a row."""
        return replace(self, steps=turned_steps(self.steps, me))


def totals(asks: Iterable[Ask], prompts: Sequence[Prompt], scene: Scene) -> Iterator[Question]:
    """What one form asks of a hand of which only the totals are recorded."""
    for ask in asks:
        found = tuple(_total_step(declared, prompts, scene) for declared in ask.events)
        for time in range(ask.times):
            yield Question(found, optional=ask.optional or time > 0, again=time)


def _total_step(declared: type[Event], prompts: Sequence[Prompt], scene: Scene) -> Step:
    """The groups for an event: of what is prompted now, or of all that it can say."""
    now = [one for one in prompts if type(one.choices[0]) is declared]
    choices = [told(choice) for prompt in now for choice in prompt.choices]
    slots: list[Slot] = []
    for part in parts(declared):
        if part.optional:
            continue
        values = [choice.get(part.name) for choice in choices]
        said = [] if _everybody(part) else values
        slot = slot_of(scene, declared, part, said, _most(now).get(part.name))
        slots += [] if slot is None else [slot]
    return Step(declared.TYPE, title_of(declared), "{}", tuple(slots))


def _everybody(part: Part) -> bool:
    """Whether a field is asked of all, whatever is prompted now."""
    return part.name == "player" or isinstance(part.kind, Each)
