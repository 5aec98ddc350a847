"""Corrections of any kind, at random: the session is what its corrected log says.

A correction places anew only what it must. That is compared with placing everything anew, and
with a log corrected here once more, from the text of the log format.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.base.errors import UnusableError
from scorekeeper.events.event import Entry
from scorekeeper.games import GAMES
from scorekeeper.log import codec
from scorekeeper.session import session as session_module
from scorekeeper.session.session import Session
from tests.conftest import SOAK
from tests.evenings import Evening, Raw, build_report, event, inserted, replaced, struck
from tests.players.common import evening as played_evening

EXAMPLES = settings(max_examples=1_500 if SOAK else 10)
SEEDS = st.integers(0, 2**32)
HAND_AGREEMENT_EVENTS = {
    "hand_confirmed", "hand_disputed", "correction_proposed", "proposal_signed",
    "proposal_declined", "dispute_settled",
}  # fmt: skip


def an_evening(rng: random.Random) -> list[Raw]:
    """The log of a short evening, at whatever level of detail."""
    game = rng.choice(list(GAMES))
    level = rng.choice([None, "totals", "tricks", "totals"])
    log: list[Raw] = list(played_evening(rng, game, level, hands=3).events)
    players = [player["id"] for player in log[0]["data"]["players"]]
    for _ in range(rng.randrange(3)):
        renamed = event("player_renamed", player=rng.choice(players), name=f"N{rng.random()}")
        described = event("session_described", title=f"T{rng.random()}", date="2020-02-29")
        log.insert(rng.randrange(1, len(log) + 1), rng.choice((renamed, described)))
    return log


def changed(rng: random.Random, event: Raw, log: list[Raw]) -> Raw:
    """An event with one of its values from another place."""
    data = dict(event.get("data", {}))
    others = [other.get("data", {}) for other in log]
    if data:
        name = rng.choice(list(data))
        data[name] = rng.choice([data[name], *(other[name] for other in others if name in other)])
    return {"type": event["type"], "data": data}


def a_correction(rng: random.Random, log: list[Raw]) -> Raw:
    """A correction of some event, often one that can stand."""
    seq = rng.randint(1, len(log))
    plain = [event for event in log if not event["type"].startswith("event_")]
    corrections = [n for n, event in enumerate(log, 1) if event["type"].startswith("event_")]
    what = rng.random()
    if what < 0.25 and corrections:
        return struck(rng.choice(corrections))
    if what < 0.45:
        return struck(seq)
    event = changed(rng, rng.choice(plain[1:]), log)
    if what < 0.7:
        if seq <= len(plain) and rng.random() < 0.7:
            event = changed(rng, log[seq - 1], plain)
        return replaced(seq, event["type"], **event["data"])
    return inserted(seq, event["type"], **event["data"])


def tried(evening: Evening, event: Raw) -> str | None:
    """Why an event was refused; None where it was not."""
    try:
        evening.add(event)
    except UnusableError as error:
        return str(error)
    return None


# --------------------------------------------------------------------------- placing all anew


@EXAMPLES
@given(SEEDS)
def test_placing_a_hand_anew_is_like_placing_all_anew(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    log = an_evening(rng)
    local, whole = Evening(*log), Evening(*log)
    for _ in range(12):
        correction = a_correction(rng, local.log)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(session_module, "is_structural", lambda entry: True)
            refused = tried(whole, correction)
        assert tried(local, correction) == refused
        if rng.random() < 0.3:
            assert local.report == whole.report
    assert local.report == whole.report


# ------------------------------------------------------------------- the log format once more


class Corrected:
    """A log as corrected: its events in their order, each with its seq."""

    def __init__(self, log: list[Raw]) -> None:
        self.log = dict(enumerate(log, start=1))
        self.kind = {seq: event["type"] for seq, event in self.log.items()}
        self.data = {seq: event.get("data", {}) for seq, event in self.log.items()}
        self.standing: list[int] = []  # corrections, the latest first
        for seq in sorted(self.log, reverse=True):
            if self.kind[seq].startswith("event_") and seq not in self.struck():
                self.standing.append(seq)

    def struck(self) -> list[int]:
        """Return the seqs that standing corrections strike."""
        return [self.data[by]["seq"] for by in self.standing if self.kind[by] == "event_struck"]

    def reads(self, seq: int) -> Raw | None:
        if self.kind[seq] == "event_inserted":
            return self.data[seq] if seq in self.standing else None
        by = next((by for by in self.standing if self.data[by].get("seq") == seq), None)
        if self.kind[seq].startswith("event_") or (by and self.kind[by] == "event_struck"):
            return None
        return self.data[by] if by else self.log[seq]

    def events(self, after: int = 0) -> Iterator[tuple[int, Raw]]:
        """Yield the events inserted after an event, each followed by those inserted after it."""
        for seq, kind in self.kind.items():
            if after == (self.data[seq]["after"] if kind == "event_inserted" else 0):
                event = self.reads(seq)
                if event is not None:
                    yield seq, {"type": event["type"], "data": event.get("data", {})}
                yield from self.events(after=seq)


def as_resolved(log: list[Raw]) -> Session:
    """The session of a log as corrected, without corrections.

    Raises `UnusableError` if it is.
    """
    session = Session()
    for seq, raw in Corrected(log).events():
        types = session.game.by_type if session.game else codec.COMMON_TYPES
        event = codec.decode(raw["type"], raw["data"], types)
        session.structure.place(seq, Entry(seq, event), new=False)
    return session


def why_unusable(log: list[Raw]) -> str | None:
    try:
        as_resolved(log)
    except UnusableError as error:
        return str(error)
    return None


def scores(session: Session) -> tuple[Any, Any]:
    """Return the matches and findings of the report."""
    values = build_report(session)
    return values["matches"], values["findings"]


@EXAMPLES
@given(SEEDS)
def test_a_session_is_what_its_corrected_log_says(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    evening = Evening(
        *(event for event in an_evening(rng) if event["type"] not in HAND_AGREEMENT_EVENTS)
    )
    for _ in range(12):
        correction = a_correction(rng, evening.log)
        why = tried(evening, correction)
        unusable = why_unusable([*evening.log, correction] if why else evening.log)
        if why is None:
            assert unusable is None
        elif not any(word in why for word in ("match has ended", "match is over", "cannot be")):
            assert unusable, why
    assert scores(evening.session) == scores(as_resolved(evening.log))


# -------------------------------------------------------------------------- prefix and strike


@EXAMPLES
@given(SEEDS)
def test_no_report_needs_what_comes_later(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    evening = Evening()
    values = []
    for raw in an_evening(rng):
        tried(evening, raw)
        if rng.random() < 0.2 and len(evening.log) > 1:
            tried(evening, a_correction(rng, evening.log))
        if rng.random() < 0.15:
            values.append((len(evening.log), evening.report))
    for length, then in values:
        assert Evening(*evening.log[:length]).report == then


@EXAMPLES
@given(SEEDS)
def test_a_strike_and_the_strike_of_it_change_nothing(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    evening = Evening(*an_evening(rng))
    for _ in range(5):
        tried(evening, a_correction(rng, evening.log))
    before = evening.report
    for seq in rng.sample(range(1, len(evening.log) + 1), min(6, len(evening.log))):
        if tried(evening, struck(seq)) is None:
            evening.strike(len(evening.log))
            after = evening.report
            assert (after["matches"], after["findings"]) == (before["matches"], before["findings"])


@EXAMPLES
@given(SEEDS)
def test_a_refused_event_changes_nothing(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    log = an_evening(rng)
    evening = Evening(*log)
    before = evening.report
    length = len(log)
    for _ in range(25):
        raw = rng.choice([a_correction(rng, log), changed(rng, rng.choice(log[1:]), log)])
        if tried(evening, raw) is None:
            evening = Evening(*log)
        assert len(evening.log) == length
    assert evening.report == before
