"""Suggested corrections as declared values: from them follow their JSON and its schema."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.base.parts import ExactPoints
from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.report.views import EventView, ReportView


@dataclass(frozen=True, slots=True)
class SuggestionView(DeclaredView):
    """Corrections that would make the record of a hand agree with itself."""

    match: int = declare("the number of the match")
    hand: int = declare("the number of the hand in it")
    corrections: Sequence[EventView] = declare("the corrections, several to be recorded as a set")
    resolves: Sequence[str] = declare("the codes of the findings that would be gone")
    leaves: Sequence[str] = declare("the codes of the findings that would stay or appear")
    scores: Mapping[str, ExactPoints] = declare(
        "the score of each side in the hand with these corrections"
    )


@dataclass(frozen=True, slots=True)
class HandSearchView(DeclaredView):
    """The suggestions for one hand, and the extent of their search, for the dispute desk."""

    suggestions: Sequence[SuggestionView] = declare("the suggestions, the best first")
    whole: bool = declare("true if the search was complete")
    tried: int = declare("the number of corrections that were tried")
    untried: int = declare("the number of corrections that were not tried")


@dataclass(frozen=True, slots=True)
class SearchedView(DeclaredView):
    """How much of the search for suggestions was done within its time."""

    hands: int = declare("the number of hands that were searched completely")
    of: int = declare("the number of hands that need corrections")
    tried: int = declare("the number of corrections that were tried")
    untried: int = declare(
        "the number of corrections that were not tried: for lack of time, or because "
        "likelier ones sufficed"
    )
    said: str | None = declare(
        "the extent of the search in words, if it is incomplete", optional=True
    )


@dataclass(frozen=True, slots=True)
class AuditedView(ReportView):
    """The report, and suggested corrections of its hands."""

    suggestions: Sequence[SuggestionView] | None = declare(
        "suggestions for each hand, the best first; only if they were requested", optional=True
    )
    searched: SearchedView | None = declare(
        "the extent of the search; only if suggestions were requested", optional=True
    )
