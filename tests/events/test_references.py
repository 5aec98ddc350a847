"""References in the fields of an event must exist."""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.cards.packs import Card
from scorekeeper.events.common import HandStarted, MatchStarted, NoteAdded, ScoreClaimed
from scorekeeper.events.disputes import ProposalSigned
from scorekeeper.events.event import Event
from scorekeeper.events.fields import Each, Many, Nested, PlayerId, Words, part
from scorekeeper.events.playing import CardPlayed, CardsShown, PointsCounted
from scorekeeper.events.references import Scope, make_refusal, references, refuse_unknown
from tests.events.declared import Named
from tests.refusals import refusal_of

ACE, KING = Card.parse("AS"), Card.parse("KS")
SCOPE = Scope(
    players={"mara", "leo", "nina"},
    seated=("mara", "leo"),
    active=("mara",),
    sides=("A", "B"),
    counted=("bidder", "defenders"),
    cards={ACE},
    shows="the French pack",
)


@dataclass(frozen=True, slots=True)
class StatementMade(Event):
    """An event with references in nested objects and in the keys of an object."""

    TYPE: ClassVar = "statement_made"
    to: dict[str, str] = part(Each(PlayerId(), Words()), "what, by player")
    speaker: Named = part(Nested(Named), "who said so")
    witnesses: tuple[Named, ...] | None = part(Many(Nested(Named)), "who saw it", optional=True)


@pytest.mark.parametrize(
    ("event", "field", "reason"),
    [
        (MatchStarted("x", ("mara", "zoe")), "data.seats.1",
         'expected a player of this session, got "zoe"'),
        (ProposalSigned(1, "zoe"), "data.player", 'expected a player of this session, got "zoe"'),
        (HandStarted("nina"), "data.dealer",
         'expected a player seated in this match (mara, leo), got "nina"'),
        (CardPlayed("leo", ACE), "data.player",
         'expected a player who takes part in this hand (mara), got "leo"'),
        (CardPlayed("mara", KING), "data.card", 'expected a card of the French pack, got "KS"'),
        (CardsShown("mara", (ACE, KING)), "data.cards.1",
         'expected a card of the French pack, got "KS"'),
        (ScoreClaimed({"A": 1, "C": 2}), "data.scores.C", 'expected a side (A, B), got "C"'),
        (PointsCounted({"bidder": 1}, {"A": 2}), "data.tricks.A",
         'expected a side that the count is given for (bidder, defenders), got "A"'),
        (StatementMade({"leo": "x"}, Named("mara")), "data.to.leo",
         'expected a player who takes part in this hand (mara), got "leo"'),
        (StatementMade({}, Named("leo")), "data.speaker.who",
         'expected a player who takes part in this hand (mara), got "leo"'),
        (StatementMade({}, Named("mara"), (Named("mara"), Named("leo"))), "data.witnesses.1.who",
         'expected a player who takes part in this hand (mara), got "leo"'),
    ],
    ids=lambda parameter: parameter.TYPE if isinstance(parameter, Event) else "",
)  # fmt: skip
def test_unknown_reference_is_refused(event: Event, field: str, reason: str) -> None:
    with pytest.raises(UnusableError) as refused:
        refuse_unknown(event, SCOPE)
    with pytest.raises(UnusableError) as in_a_hand:
        make_refusal(type(event), ())(None, event, SCOPE)
    for error in (refused.value, in_a_hand.value):
        assert (error.field, error.reason) == (field, reason)


@pytest.mark.parametrize(
    "event",
    [
        MatchStarted("x", ("mara", "nina")),
        HandStarted("leo"),
        CardPlayed("mara", ACE),
        PointsCounted({"bidder": 1}),
        StatementMade({"mara": "x"}, Named("mara")),
        NoteAdded("zoe"),
    ],
    ids=lambda parameter: parameter.TYPE,
)
def test_known_reference_is_accepted(event: Event) -> None:
    assert refusal_of(refuse_unknown, event, SCOPE) == ""
    assert refusal_of(make_refusal(type(event), ()), None, event, SCOPE) == ""


def test_further_tests_run_after_known_references() -> None:
    calls: list[object] = []

    def more(deal: object, event: object) -> None:
        calls.append((deal, event))

    refuse, event = make_refusal(HandStarted, [more, more]), HandStarted("mara")
    refuse("hand", event, SCOPE)
    assert calls == [("hand", event)] * 2
    with pytest.raises(UnusableError):
        refuse("hand", HandStarted("nobody"), SCOPE)
    assert len(calls) == 2


@pytest.mark.parametrize(
    ("declared", "among"),
    [
        (CardPlayed, {"player": "active", "card": "cards"}),
        (HandStarted, {"dealer": "seated"}),
        (ProposalSigned, {"player": "players"}),
        (CardsShown, {"player": "active", "cards": ""}),
        (NoteAdded, {}),
    ],
)
def test_references_name_the_collection_of_a_single_value(
    declared: type[Event], among: dict[str, Any]
) -> None:
    assert {reference.name: reference.among for reference in references(declared)} == among
    assert references(declared) is references(declared)
