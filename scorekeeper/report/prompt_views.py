"""Prompts as declared values: from them follow their JSON and their schema."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.play.prompts import LEVELS, Counts
from scorekeeper.report.views import list_event_types


@dataclass(frozen=True, slots=True)
class PromptView(DeclaredView):
    """A type of event that can be recorded next, with its choices."""

    type: str = declare("the type of the event", values=list_event_types)
    player: str | None = declare("the player who acts; null if the event is not one player's")
    levels: Sequence[str] = declare("the levels of detail to which it belongs", values=LEVELS)
    choices: Sequence[JsonObject] = declare(
        "the likeliest first", of_items="the whole data of the event"
    )
    counts: Counts | None = declare(
        "the range of counts, if more can be chosen than are listed", optional=True
    )
