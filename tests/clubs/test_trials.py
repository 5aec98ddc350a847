"""Trial events of a club leave no trace, and stored ones are replayed (``log.replayed``)."""

import random
from contextlib import suppress
from copy import deepcopy
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.base.errors import UnusableError
from scorekeeper.clubs.club import Club
from scorekeeper.clubs.state import ClubState
from scorekeeper.log import replayed
from scorekeeper.log.writing import sealed_lines
from tests.conftest import SOAK
from tests.evenings import AT, Raw, event, inserted, replaced, struck

EXAMPLES = settings(max_examples=1_000 if SOAK else 10)
OPENED = event("club_opened", name="Circolo", format=1, currency="EUR")
WHO = ("mara", "leo", "nina", "ugo", "ada")
SEASON = {"name": "Autumn", "games": ["riparto"], "from": "2020-01-01", "ranking": "points"}


def joined(player: str, name: str = "") -> Raw:
    return event("member_joined", id=player, name=name or player.capitalize())


def anything(rng: random.Random, length: int) -> Raw:
    """Any event of a club, often one that can come next."""
    who, other = rng.sample(WHO, 2)
    evening = f"{rng.randint(2, 5)}" * 12
    plain = [
        joined(who),
        event("member_joined", id=who, name=who.capitalize(), guest=True),
        event("member_renamed", member=who, name=other.capitalize()),
        event("member_left", member=who),
        event("members_merged", member=who, into=other),
        event("evening_entered", session=evening, players={"a": who, "b": None}),
        event("evening_withdrawn", session=evening),
        event("tournament_entered", tournament=evening, entrants={"e": {"a": who}, "f": other}),
        event("season_opened", id=f"s{rng.randint(0, 2)}", **SEASON),
        event("season_closed", season="s0", heads={evening: "0" * 64}),
        event("points_adjusted", season="s0", member=who, points=3, reason="x"),
        event("payment_made", to=other, amount=100, **{"from": who}),
        event("house_kept", name="Ours", game="riparto", options={}),
        event("house_dropped", name="Ours", game="riparto"),
        event("note_added", text="x"),
        event("club_changed", currency=rng.choice(["EUR", "CHF"])),
        event("season_changed", season="s0", to=rng.choice([None, "2030-01-01"])),
    ]  # fmt: skip
    raw, seq = rng.choice(plain), rng.randint(2, length + 1)
    return rng.choice(
        [raw, raw, raw, struck(seq), replaced(seq, raw["type"], **raw["data"]),
         inserted(seq, raw["type"], **raw["data"])]
    )  # fmt: skip


def lines_of(events: list[Raw]) -> list[bytes]:
    return [line.rstrip(b"\n") for line in sealed_lines([(raw["type"], raw["data"])
            for raw in events], AT)]  # fmt: skip


def added(club: Club, events: list[Raw], event_: Raw) -> None:
    """Add an event to a club and to its events, unless it is refused."""
    with suppress(UnusableError):
        club.add_stored(lines_of([*events, event_])[-1])
        events.append(event_)


def state(club: Club) -> dict[str, Any]:
    """Everything that a club holds, as values that can be compared."""
    corrections = club.corrections
    return {
        "state": {field.name: getattr(club.state, field.name) for field in fields(ClubState)},
        "order": [list(club.state.members), list(club.state.evenings), list(club.state.seasons)],
        "recorded": list(corrections.recorded.items()),
        "naming": {key: name for key, name in corrections.naming.items() if name},
        "after": {key: place for key, place in corrections.after.items() if place},
        "stands": corrections.stands,
        "inserted": corrections.inserted,
        "end": (club.events, club.head, club._steps),
    }


@EXAMPLES
@given(st.integers(0, 2**32))
def test_trial_leaves_no_trace_and_stored_log_replays_equally(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    club, events = Club(), list[Raw]()
    for event_ in (OPENED, joined("mara"), joined("leo")):
        added(club, events, event_)
    for _ in range(rng.randint(1, 30)):
        added(club, events, anything(rng, len(events)))
        if rng.random() < 0.3:
            before = deepcopy(state(club))
            club.begin_trial()
            tried = list(events)
            for _ in range(rng.randint(1, 5)):
                added(club, tried, anything(rng, len(tried)))
            club.end_trial(take_back=True)
            assert state(club) == before
    kept, lines = Club(), lines_of(events)
    part = rng.randint(0, len(lines))
    kept.add_stored_lines(lines[:part])
    kept.add_stored_lines(lines[part:])
    assert state(kept) == state(club)


def test_stored_log_is_replayed_only_twice_despite_many_corrections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    members = [joined(f"m{n}") for n in range(50)]
    names = [replaced(n + 2, "member_joined", id=f"m{n}", name=f"New {n}") for n in range(50)]
    lines = lines_of([OPENED, *members, *names])
    placed = []
    place = ClubState.apply

    def counted(state: ClubState, entry: Any) -> None:
        placed.append(entry.seq)
        place(state, entry)

    monkeypatch.setattr(ClubState, "apply", counted)
    club = Club()
    club.add_stored_lines(lines)
    assert len(placed) == 2 * (1 + len(members))
    assert club.state.members["m7"].name == "New 7"


def test_too_many_corrections_of_a_stored_log_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = lines_of([OPENED, joined("mara"), *[struck(2)] * 2])
    monkeypatch.setattr(replayed, "MAX_STEPS", -60)
    club = Club()
    with pytest.raises(UnusableError, match="too much work"):
        club.add_stored_lines(lines)
