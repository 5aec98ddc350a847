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

from scorekeeper.errors import Unusable
from scorekeeper.events import Entry
from scorekeeper.games import GAMES
from scorekeeper.log import codec
from scorekeeper.replay import Session, report
from scorekeeper.replay import session as session_module
from tests.conftest import SOAK
from tests.evenings import Evening, Raw, inserted, replaced, struck
from tests.play.common import evening as played_evening

EXAMPLES = settings(max_examples=1_500 if SOAK else 25)
SEEDS = st.integers(0, 2**32)
ABOUT_A_HAND = {
    "hand_confirmed", "hand_disputed", "correction_proposed", "proposal_signed",
    "proposal_declined", "dispute_settled",
}  # fmt: skip


def an_evening(rng: random.Random) -> list[Raw]:
    """The log of a short evening, at whatever level of detail."""
    game = rng.choice(list(GAMES))
    level = rng.choice([None, "totals", "tricks", "totals"])
    return played_evening(rng, game, level, hands=3).events


def changed(rng: random.Random, one: Raw, log: list[Raw]) -> Raw:
    """An event with one of its values from another place."""
    data = dict(one.get("data", {}))
    others = [other.get("data", {}) for other in log]
    if data:
        name = rng.choice(list(data))
        data[name] = rng.choice([data[name], *(other[name] for other in others if name in other)])
    return {"type": one["type"], "data": data}


def a_correction(rng: random.Random, log: list[Raw]) -> Raw:
    """A correction of some event, often one that can stand."""
    seq = rng.randint(1, len(log))
    plain = [one for one in log if not one["type"].startswith("event_")]
    corrections = [n for n, one in enumerate(log, 1) if one["type"].startswith("event_")]
    what = rng.random()
    if what < 0.25 and corrections:
        return struck(rng.choice(corrections))
    if what < 0.45:
        return struck(seq)
    one = changed(rng, rng.choice(plain[1:]), log)
    if what < 0.7:
        if seq <= len(plain) and rng.random() < 0.7:
            one = changed(rng, log[seq - 1], plain)
        return replaced(seq, one["type"], **one["data"])
    return inserted(seq, one["type"], **one["data"])


def tried(evening: Evening, one: Raw) -> str | None:
    """Why an event was refused; None where it was not."""
    try:
        evening.add(one)
    except Unusable as error:
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
        one = a_correction(rng, local.log)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(session_module, "shapes", lambda entry: True)
            refused = tried(whole, one)
        assert tried(local, one) == refused
        if rng.random() < 0.3:
            assert local.report == whole.report
    assert local.report == whole.report


# ------------------------------------------------------------------- the log format once more


def resolved(log: list[Raw]) -> Iterator[tuple[int, Raw]]:
    """The events of a log as corrected, in their order, each with its seq."""
    data = {seq: one.get("data", {}) for seq, one in enumerate(log, 1)}
    kind = {seq: one["type"] for seq, one in enumerate(log, 1)}
    stands: dict[int, bool] = {}
    for seq in sorted(kind, reverse=True):
        stands[seq] = not any(
            kind[by] == "event_struck" and data[by]["seq"] == seq and stands[by] for by in stands
        )

    def reads(seq: int) -> Raw | None:
        if kind[seq] == "event_inserted":
            return data[seq] if stands[seq] else None
        if kind[seq].startswith("event_"):
            return None
        by = [b for b in kind if kind[b] in ("event_struck", "event_replaced")
              and data[b]["seq"] == seq and stands[b]]  # fmt: skip
        if not by:
            return log[seq - 1]
        return data[by[-1]] if kind[by[-1]] == "event_replaced" else None

    def from_(seq: int) -> Iterator[tuple[int, Raw]]:
        one = reads(seq)
        if one is not None:
            yield seq, {"type": one["type"], "data": one.get("data", {})}
        for later in kind:
            if kind[later] == "event_inserted" and data[later]["after"] == seq:
                yield from from_(later)

    for seq in kind:
        if kind[seq] != "event_inserted":
            yield from from_(seq)


def as_resolved(log: list[Raw]) -> Session:
    """The session of a log as corrected, without corrections; Unusable where it is."""
    session = Session()
    for seq, one in resolved(log):
        types = session.game.by_type if session.game else codec.COMMON_TYPES
        event = codec.decode(one["type"], one["data"], types)
        session.record.place(seq, Entry(seq, event), new=False)
    return session


def scores(session: Session) -> tuple[Any, Any]:
    """What a report says of the matches and of what is wrong."""
    told = report(session)
    return told["matches"], told["findings"]


@EXAMPLES
@given(SEEDS)
def test_a_session_is_what_its_corrected_log_says(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    evening = Evening(*(one for one in an_evening(rng) if one["type"] not in ABOUT_A_HAND))
    for _ in range(12):
        one = a_correction(rng, evening.log)
        why = tried(evening, one)
        try:
            as_resolved([*evening.log, one] if why else evening.log)
        except Unusable as unusable:
            assert why, f"recorded, and the log is unusable: {unusable}"
        except KeyError:
            assert why, "it names what is not there"
        else:
            assert why is None or any(
                word in why
                for word in ("match has ended", "match is over", "cannot be")
            ), why  # fmt: skip
    assert scores(evening.session) == scores(as_resolved(evening.log))


# -------------------------------------------------------------------------- prefix and strike


@EXAMPLES
@given(SEEDS)
def test_no_report_needs_what_comes_later(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    evening = Evening()
    told = []
    for one in an_evening(rng):
        tried(evening, one)
        if rng.random() < 0.2 and len(evening.log) > 1:
            tried(evening, a_correction(rng, evening.log))
        if rng.random() < 0.15:
            told.append((len(evening.log), evening.report))
    for length, then in told:
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
        one = rng.choice([a_correction(rng, log), changed(rng, rng.choice(log[1:]), log)])
        if tried(evening, one) is None:
            evening = Evening(*log)
        assert len(evening.log) == length
    assert evening.report == before
