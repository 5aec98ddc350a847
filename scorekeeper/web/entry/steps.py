"""The steps of a table page: the next events as forms of groups, made from the game's prompts."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import (
    HandAbandoned,
    MatchEnded,
    MatchStarted,
    ScoreClaimed,
    SessionClosed,
)
from scorekeeper.events.disputes import HandConfirmed
from scorekeeper.events.event import Event
from scorekeeper.events.fields import Each, OneOf, Part, Whole, parts_of
from scorekeeper.events.playing import CardPlayed, CardsShown, RestClaimed, TrickTaken
from scorekeeper.events.sentences import Voice, title_of
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.log import codec
from scorekeeper.log.writing import encode_text
from scorekeeper.play.prompts import Ask, Prompt
from scorekeeper.report.late_events import list_withheld_fields
from scorekeeper.web.forms.scene import Scene, joint_label, joint_question, joint_words, match_label
from scorekeeper.web.forms.widget import MAX_CHIPS, Asked, Chip, Slot
from scorekeeper.web.forms.widgets import json_fragment, slot_of
from scorekeeper.web.wording.filters import say_otherwise

# The steps for these events stand last and are folded, because they are seldom needed.
RARE_EVENTS: Final = (
    CardsShown, ScoreClaimed, HandAbandoned, MatchEnded, SessionClosed,
)  # fmt: skip
PLAYED: Final = (CardPlayed.TYPE, TrickTaken.TYPE)
PLACED_ELSEWHERE: Final = (HandConfirmed, MatchStarted)  # on the page
MAX_NEARBY: Final = 2  # steps with a button of their own beside the first one


@dataclass(frozen=True, slots=True)
class Step:
    """A form: an event type, its fixed data as JSON, and the groups to choose from.

    ``sentence`` describes an event with nothing left to choose. With ``must``, the form is empty
    until cards are chosen. A step ``in_turn`` is for the player whose turn it is; that turn may be
    over if the table records no more of it, such as an auction with only its highest bid.
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
        """Return the step for a player, with their own seat or side first."""
        slots = tuple(slot.turned(me) for slot in self.slots)
        return self if slots == self.slots else replace(self, slots=slots)

    @property
    def free(self) -> tuple[Slot, ...]:
        """The groups in which something has to be chosen."""
        return tuple(slot for slot in self.slots if not slot.filled)

    @property
    def row(self) -> Slot | None:
        """The only group to choose from, if its buttons record at once; else None."""
        free = self.free
        is_row = len(free) == 1 and free[0].shape in ("seats", "chips", "cards", "suits")
        return free[0] if is_row else None

    @property
    def groups(self) -> list[Slot]:
        """The groups in the order of taps: an optional seat stands before the row that records."""
        first = [
            slot for slot in self.slots if slot.optional and slot.shape == "seats" and self.row
        ]
        return [*first, *(slot for slot in self.slots if slot not in first)]

    @property
    def size(self) -> int:
        """The number of buttons."""
        return sum(slot.size for slot in self.slots if not slot.filled)

    @property
    def auto_send(self) -> bool:
        """Whether the form is sent as soon as every group is chosen."""
        typed = any(slot.shape == "numbers" and slot.typed for slot in self.slots)
        several = any(slot.shape == "many" for slot in self.slots)
        return bool(self.free) and not typed and not several


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps that can be due, and others; the page asks one question at a time."""

    open: tuple[Step, ...] = ()
    also: tuple[Step, ...] = ()

    @property
    def nearby(self) -> tuple[Step, ...]:
        """The steps that are opened by one tap beside the first: what comes next, and the play."""
        usual = [step for step in self._hidden if not step.seldom]
        last = [step for step in usual if step.type in PLAYED or step.rest]
        others = [step for step in usual if step not in last]
        return (*others[: MAX_NEARBY - 1], *last) if self.open else ()

    @property
    def rare(self) -> tuple[Step, ...]:
        """All other steps."""
        return tuple(step for step in self._hidden if step not in self.nearby)

    @property
    def _hidden(self) -> list[Step]:
        return [step for step in (*self.open, *self.also) if step not in self.open[:1]]

    def turned(self, me: str | None) -> "Steps":
        """Return the steps for a player, with their own seat or side first."""
        return Steps(turned_steps(self.open, me), turned_steps(self.also, me))


def turned_steps(steps: Iterable[Step], me: str | None) -> tuple[Step, ...]:
    """Return steps for a player, with their own seat or side first."""
    return tuple(step.turned(me) for step in steps)


def build_steps(prompts: Iterable[Prompt], scene: Scene, voice: Voice) -> Steps:
    """Return the prompts as steps, with all prompts of an event type in one step."""
    by_kind: dict[type[Event], list[Prompt]] = {}
    for prompt in prompts:
        by_kind.setdefault(type(prompt.choices[0]), []).append(prompt)
    all_steps = [
        build_step(declared, prompts_of_type, scene, voice)
        for declared, prompts_of_type in by_kind.items()
        if declared not in PLACED_ELSEWHERE
    ]
    return _fold_steps(all_steps)


def _fold_steps(steps: Sequence[Step]) -> Steps:
    """Return the steps with those open that come first, or by which cards and tricks are played."""
    asked = [step for step in steps if not (step.seldom or step.rest)]
    opened = [step for step in asked if step is asked[0] or step.type in PLAYED]
    return Steps(tuple(opened), tuple(other for other in steps if other not in opened))


def build_step(
    declared: type[Event], prompts: Sequence[Prompt], scene: Scene, voice: Voice
) -> Step:
    """Return the step that records one type of event, from the prompts for it."""
    events = [choice for prompt in prompts for choice in prompt.choices]
    choices = [codec.encode(event) for event in events]
    fixed, slots = _fixed_and_slots(declared, choices, scene, prompts)
    return Step(
        declared.TYPE,
        title_of(declared),
        encode_text(fixed),
        tuple(slots),
        sentence=voice.describe(without_hidden_fields(events[0]))
        if all(slot.filled for slot in slots)
        else "",
        seldom=issubclass(declared, RARE_EVENTS) or not any(prompt.needed for prompt in prompts),
        rest=declared is RestClaimed,
        in_turn=prompts[0].in_turn,
    )


def without_hidden_fields(event: Event) -> Event:
    """Return an event without the fields that stay hidden while a hand is played."""
    names = list_withheld_fields(type(event))
    return replace(event, **dict.fromkeys(names)) if names else event  # type: ignore[type-var]


def _max_counts(prompts: Sequence[Prompt]) -> dict[str, int]:
    """Return the highest possible count for each field that holds counts."""
    maxima: dict[str, int] = {}
    for counts in [prompt.counts for prompt in prompts if prompt.counts is not None]:
        maxima[counts.field] = max(maxima.get(counts.field, 0), *counts.most.values())
    return maxima


def _due_player(prompts: Sequence[Prompt]) -> str | None:
    """Return the player whose turn it is, if the first prompt is for that player alone."""
    first = prompts[0]
    shared = len(prompts) > 1 and len(first.levels) > 1 and not first.in_turn
    return None if shared else first.player


# ---------------------------------------------------------------------------------- fields


def _fixed_and_slots(
    declared: type[Event], choices: Sequence[JsonObject], scene: Scene, prompts: Sequence[Prompt]
) -> tuple[JsonObject, list[Slot]]:
    """Return the values that all choices of the prompts agree in, and groups for other fields."""
    if declared is MatchStarted:
        return {}, [_match_slot(choices, scene)]
    combined = _fields_chosen_together(declared, choices)
    most, due = _max_counts(prompts), _due_player(prompts)
    fixed: dict[str, object] = {}
    slots: list[Slot] = []
    for part in parts_of(declared):
        values = [choice.get(part.name) for choice in choices]
        if part.name in list_withheld_fields(declared) or all(value is None for value in values):
            continue
        if part.name in combined:
            if part.name == combined[0]:
                slots.append(_combined_slot(declared, combined, choices, scene))
        elif (part.follows or _is_narrow(part)) and len(set(values)) == 1:
            fixed[part.name] = values[0]
        elif part.follows and (chosen := _add_to_determining_slot(slots, part, choices)):
            slots = chosen
        else:
            left_out = part.optional and any(value is None for value in values)
            acts = None if left_out or part.name != "player" else due
            slot = slot_of(Asked(scene, declared, part, values, most.get(part.name), acts))
            slots += [] if slot is None else [replace(slot, optional=left_out)]
    return fixed, _join_seats_and_suits(slots)


def _join_seats_and_suits(slots: Sequence[Slot]) -> list[Slot]:
    """Return a group of seats and one of suits as one group, in which one tap answers both.

    Other groups are returned as they are, and so are seats of which one is preselected.
    """
    if [slot.shape for slot in slots] != ["seats", "suits"] or any(slot.filled for slot in slots):
        return list(slots)
    seats, suits = slots
    values = tuple(
        suit._replace(
            fragment=encode_text({**json.loads(seat.fragment), **json.loads(suit.fragment)}),
            player=seat.player,
        )
        for seat in seats.values
        for suit in suits.values
    )
    name = f"{seats.name} {suits.name}"
    return [Slot(name, "suits", values, ring=seats.ring, heads=seats.values)]


def _add_to_determining_slot(
    slots: Sequence[Slot], part: Part, choices: Sequence[JsonObject]
) -> list[Slot]:
    """Return the groups with a field added to the group that determines it.

    Returns an empty list if no group determines it.
    """
    for place, slot in enumerate(slots):
        pairs = {
            (json_fragment(slot.name, choice[slot.name]), choice.get(part.name))
            for choice in choices
            if slot.name in choice
        }
        value_of = dict(pairs)
        if len(value_of) == len(pairs) and value_of.keys() == {
            chip.fragment for chip in slot.values
        }:
            values = tuple(
                chip if value_of[chip.fragment] is None
                else chip._replace(fragment=encode_text({**json.loads(chip.fragment),
                                                    part.name: value_of[chip.fragment]}))
                for chip in slot.values
            )  # fmt: skip
            return [*slots[:place], replace(slot, values=values), *slots[place + 1 :]]
    return []


def _is_narrow(part: Part) -> bool:
    """Return whether a field has only one possible value."""
    return isinstance(part.kind, OneOf) and len(part.kind.values) == 1


def _fields_chosen_together(
    declared: type[Event], choices: Sequence[JsonObject]
) -> tuple[str, ...]:
    """Return the fields that are chosen together, such as a length and a rank, if few."""
    names = tuple(
        part.name
        for part in parts_of(declared)
        if isinstance(part.kind, Whole | OneOf)
        and not (part.optional or part.follows or _is_narrow(part))
    )
    combined = {tuple(choice.get(name) for name in names) for choice in choices}
    return names if len(names) > 1 and len(combined) <= MAX_CHIPS else ()


def _combined_slot(
    declared: type[Event],
    names: Sequence[str],
    choices: Sequence[JsonObject],
    scene: Scene,
) -> Slot:
    """Return one group with a button for each combination of values of several fields."""
    fragments = {encode_text({name: choice[name] for name in names}): None for choice in choices}
    values = []
    for text in fragments:
        data = json.loads(text)
        label = joint_label(declared, data, scene.pack)
        fitted = say_otherwise(label, joint_words(declared, data))
        values.append(Chip(text, label, fitted=fitted))
    return Slot(" ".join(names), "chips", tuple(values), asks=joint_question(declared, names))


def _match_slot(choices: Sequence[JsonObject], scene: Scene) -> Slot:
    """Return the choice of a match: the previous one again, or the first possible of each game."""
    values: dict[str, Chip] = {}
    for choice in choices:
        fragment = encode_text(choice)
        values.setdefault(choice["game"], Chip(fragment, match_label(choice, scene.names)))
    return Slot("match", "chips", tuple(values.values()), asks=_("Match"))


# ---------------------------------------------------------------------------------- totals


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the totals form, with one or several steps to answer it."""

    steps: tuple[Step, ...]
    optional: bool
    again: int = 0  # the number of the repetition, 0 for the first answer

    def turned(self, me: str | None) -> "Question":
        """Return the question for a player, with their own seat or side first."""
        return replace(self, steps=turned_steps(self.steps, me))


def totals_questions(
    asks: Iterable[Ask], prompts: Sequence[Prompt], scene: Scene
) -> Iterator[Question]:
    """Yield the questions of the form for a hand of which only totals are recorded.

    `asks` declares the questions of the game.
    """
    for ask in asks:
        answers = tuple(_total_step(declared, prompts, scene) for declared in ask.events)
        for time in range(ask.times):
            yield Question(answers, optional=ask.optional or time > 0, again=time)


def _total_step(declared: type[Event], prompts: Sequence[Prompt], scene: Scene) -> Step:
    """Return the step for an event, with the prompted values or all possible ones."""
    prompted = [prompt for prompt in prompts if type(prompt.choices[0]) is declared]
    choices = [codec.encode(choice) for prompt in prompted for choice in prompt.choices]
    slots: list[Slot] = []
    for part in parts_of(declared):
        if part.optional:
            continue
        values = [choice.get(part.name) for choice in choices]
        of_all_players = part.name == "player" or isinstance(part.kind, Each)
        offered = [] if of_all_players else values
        most = _max_counts(prompted).get(part.name)
        slot = slot_of(Asked(scene, declared, part, offered, most))
        slots += [] if slot is None else [slot]
    return Step(declared.TYPE, title_of(declared), "{}", tuple(slots))
