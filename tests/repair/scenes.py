"""Hands of Riparto with something wrong in them, and the scene of what is wrong."""

from collections.abc import Iterable
from typing import Any, Final

from scorekeeper.base.views import to_json_values
from scorekeeper.events.disputes import Correction
from scorekeeper.log.codec import encode
from scorekeeper.repair.suggestion_views import SuggestionView
from scorekeeper.repair.suspects import Suspects, find_suspects
from scorekeeper.repair.trials import Candidate
from scorekeeper.report.findings import list_hand_findings
from tests.evenings import Evening, Raw, event, riparto

Said = tuple[int, str, Any]

# Of a hand 4 is the first seq.
BID: Final = event("bid_made", player="leo", points=5)


def plays(script: str) -> list[Raw]:
    """Cards played, each ``player:card``."""
    pairs = (word.split(":") for word in script.split())
    return [event("card_played", player=player, card=card) for player, card in pairs]


# Nina plays a seven of hearts, and later shows that she still held one of spades.
REVOKE: Final = plays("leo:AS nina:7H mara:6S leo:KS nina:7S mara:QS")


def table(*events: Raw) -> Evening:
    """An evening with one hand, that Mara dealt."""
    walker = riparto()
    walker.say("hand_started", dealer="mara")
    for raw in events:
        walker.add(raw)
    return walker


def scene(*events: Raw) -> Suspects:
    """Return the suspects of the one hand of an evening."""
    match = table(*events).session.structure.matches[0]
    return find_suspects(match, match.hands[0], list_hand_findings(match, match.hands[0]))


def list_edits(candidate: Candidate) -> list[Said]:
    """The edits of a candidate: where, what is done there or which event comes, and its data."""
    return [
        (edit.seq, edit.event.TYPE + "+" * edit.insert, encode(edit.event))
        if edit.event
        else (edit.seq, "", None)
        for edit in candidate.edits
    ]


def list_corrections(suggestion: SuggestionView) -> list[Raw]:
    """Return the corrections of a suggestion as plain events."""
    return [to_json_values(correction) for correction in suggestion.corrections]


def list_proposed(suggestion: SuggestionView) -> list[Correction]:
    """Return the corrections of a suggestion as they are proposed."""
    return [Correction(event.type, event.data) for event in suggestion.corrections]


def cheapest(candidates: Iterable[Candidate]) -> list[list[Said]]:
    """Return the edits of the cheapest candidates, all with the same cost."""
    ordered = sorted(candidates, key=lambda candidate: candidate.cost)
    return [list_edits(candidate) for candidate in ordered if candidate.cost == ordered[0].cost]
