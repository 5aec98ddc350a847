"""Entries on trial are taken back exactly, whatever they are, without a replay of the others."""

import gc
import random
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.base.errors import BusyError, UnusableError
from scorekeeper.events.event import Entry
from scorekeeper.log.reading import RawEvent
from scorekeeper.session import session as session_module
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.session.structure import Structure
from tests.conftest import SOAK
from tests.evenings import Raw, build_report, event, inserted, play_hand, replaced, riparto, struck
from tests.service.evenings import knock
from tests.session.test_anew import a_correction, an_evening, changed

EXAMPLES = settings(max_examples=1_500 if SOAK else 8)
HAND_AGREEMENT_EVENTS: list[Callable[[random.Random], Raw]] = [
    lambda rng: event("hand_confirmed", player=rng.choice(["mara", "leo", "nina"])),
    lambda _: event("hand_disputed"),
    lambda rng: event("hand_disputed", hand=rng.randint(1, 3)),
    lambda rng: event("correction_proposed", hand=1, reason="x", corrections=[
        {"type": "event_struck", "data": {"seq": rng.randint(3, 12), "reason": "x"}}]),
    lambda rng: event("proposal_signed", proposal=rng.randint(3, 40), player="mara"),
    lambda rng: event("proposal_declined", proposal=rng.randint(3, 40), player="leo"),
    lambda _: event("dispute_settled", ruling="stands"),
]  # fmt: skip
OTHERS = [
    event("match_ended", reason="late"),
    event("session_closed"),
    event("player_joined", id="keeper", name="Keeper"),
    event("player_joined", id="zoe", name="Zoe"),
    event("penalty_given", side="mara", points=-3, reason="revoke"),
    event("note_added", text="Coffee."),
    event("player_renamed", player="mara", name="Zelda"),
    event("player_renamed", player="zoe", name="Zo"),
    event("session_described", title="Else", date="2020-02-29"),
]


def state(session: Session) -> dict[str, Any]:
    """Everything that a session holds, as values that can be compared; no caches."""
    corrections, structure = session.corrections, session.structure
    return {
        "recorded": list(corrections.recorded.items()),
        "naming": {key: name for key, name in corrections.naming.items() if name},
        "after": {key: place for key, place in corrections.after.items() if place},
        "stands": corrections.stands,
        "inserted": corrections.inserted,
        "steps": corrections.steps,
        "covered": session.covered,
        "end": (session.events, session.head),
        "structure": structure_state(structure),
        "report": build_report(session) if session.events else None,
    }


def structure_state(structure: Structure) -> dict[str, Any]:
    disputes, at_hand = structure.disputes, structure.current_hand
    return {
        "ends": (structure.opened, structure.closed, structure.declared),
        "players": (list(structure.players.items()), structure.authors),
        "renamings": list(structure.renamings.items()),
        "matches": [match_state(match) for match in structure.matches],
        "segments": [
            (segment.keys, segment.match and segment.match.number, segment.hand and number(segment))
            for segment in structure.segments
        ],
        "segment_of": {
            key: structure.segments.index(segment) for key, segment in structure.segment_of.items()
        },
        "hand_at": [(seq, hand.match.number, hand.number) for seq, hand
                    in structure.hand_by_seq.items()],
        "at_hand": at_hand and (at_hand.match.number, at_hand.number, list(at_hand.entries)),
        "same": at_hand is None or structure.matches[-1].hands[-1] is at_hand,
        "disputes": (
            disputes.signatures, disputes.unsigned, disputes.disputes_by_hand,
            list(disputes.disputed), disputes.proposals,
        ),
        "first_placements": (
            disputes.first_placements.hands, disputes.first_placements.words,
            disputes.first_placements.signed_hands,
        ),
    }  # fmt: skip


def number(segment: Any) -> int:
    assert segment.hand is segment.match.hands[segment.hand.number - 1]
    return int(segment.hand.number)


def match_state(match: MatchRecord) -> dict[str, Any]:
    return {
        "names": match.names,
        "ended": (match.ended, match.hands_when_ended, match.early, match.standing()),
        "hands": [
            (hand.number, hand.dealer, list(hand.entries), hand.penalties, hand.deal.tricks.total)
            for hand in match.hands
        ],
    }


def add(session: Session, raw: Raw) -> None:
    """Record an event unless it is refused."""
    seq = session.events + 1
    hash_, data = f"{seq:064}", raw.get("data", {})
    with suppress(UnusableError):
        session.add_line(RawEvent(seq, seq, raw["type"], data, by="keeper", hash=hash_))


def anything(rng: random.Random, log: list[Raw]) -> Raw:
    """Any event, often one that can come next."""
    chance = rng.random()
    if chance < 0.3:
        return a_correction(rng, log)
    if chance < 0.5:
        return rng.choice(HAND_AGREEMENT_EVENTS)(rng)
    if chance < 0.65:
        return rng.choice(OTHERS)
    return changed(rng, rng.choice(log[1:]), log) if chance < 0.75 else rng.choice(log[1:])


@EXAMPLES
@given(st.integers(0, 2**32))
def test_whatever_was_on_trial_is_taken_back(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311  # no secret
    log = an_evening(rng)
    trial, untouched = Session(), Session()
    for place, raw in enumerate(log):
        mixed = [raw]
        if place > 2 and rng.random() < 0.25:
            mixed.append(anything(rng, log[: place + 1]))
        for each in mixed:
            add(trial, each)
            add(untouched, each)
        if place and rng.random() < 0.2:
            trial.begin_trial()
            following = log[place + 1 : place + 1 + rng.randint(0, 4)]
            for each in (*following, *(anything(rng, log) for _ in range(rng.randint(0, 5)))):
                add(trial, each)
            trial.end_trial(take_back=True)
            assert state(trial) == state(untouched)
    assert state(trial) == state(untouched)


def test_a_refused_trial_replays_no_earlier_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    session = knock(event("hand_started", dealer="mara"))
    before = state(session)
    placed: list[int] = []
    place = Structure.place

    def counted(self: Structure, key: int, entry: Entry | None, *, new: bool = True) -> None:
        placed.append(key)
        place(self, key, entry, new=new)

    monkeypatch.setattr(Structure, "place", counted)
    session.begin_trial()
    add(session, event("note_added", text="one"))
    add(session, event("note_added", text="two"))
    session.end_trial(take_back=True)
    assert placed == [session.events + 1, session.events + 2]
    assert state(session) == before


def test_kept_entries_are_not_taken_back_by_the_next_trial() -> None:
    session = knock()
    session.begin_trial()
    add(session, event("note_added", text="kept"))
    session.end_trial()
    kept = state(session)
    session.begin_trial()
    add(session, replaced(4, "points_counted", points={"A": 70, "B": 30}))
    add(session, struck(5))
    session.end_trial(take_back=True)
    assert state(session) == kept
    session.end_trial(take_back=True)  # no trial is on
    assert state(session) == kept


def test_an_error_of_another_kind_in_a_correction_leaves_the_session_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = knock()
    before = state(session)

    def busy(*args: object, **more: object) -> None:
        raise BusyError("too long")

    with monkeypatch.context() as patch:
        patch.setattr(session_module.Session, "_add_to_hand", busy)
        with pytest.raises(BusyError):
            add(session, replaced(4, "points_counted", points={"A": 70, "B": 30}))
    assert state(session) == before


def test_a_trial_holds_no_structure_that_it_replaced_except_the_first() -> None:
    """Each is as large as the session: hundreds of corrections on trial would fill the memory."""
    evening = riparto()
    play_hand(evening, "mara")
    session, before = evening.session, state(evening.session)
    first, replaced_structures = session.structure, []
    session.begin_trial()
    for number in range(6):
        replaced_structures.append(weakref.ref(session.structure))
        evening.add(inserted(2, "note_added", text=str(number)))
        evening.add(event("note_added", text="between"))
        evening.add(replaced(4, "bid_made", player="mara", points=number))
    gc.collect()
    assert [ref() for ref in replaced_structures] == [first, *[None] * 5]
    session.end_trial(take_back=True)
    assert session.structure is first
    assert state(session) == before
