"""Any file is scored, or refused with one of three errors."""

import io
import json
import random
import unicodedata
from contextlib import suppress
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper.base.errors import NotALogError, TooLargeError, UnusableError
from scorekeeper.events.fields import parts_of
from scorekeeper.games import GAMES
from scorekeeper.log.reading import LogFile, verify
from scorekeeper.session.session import Session
from tests.conftest import SOAK
from tests.evenings import Raw, build_report, by_hand, event, golden_logs, opening, sealed
from tests.making import EVERY_EVENT, JSON, data_of
from tests.players.common import evening as played_evening

SEATS = ["mara", "leo", "nina", "ugo", "ada"]


def cases(suite: int) -> settings:
    """Return settings with 12 examples for each of ``suite`` in the soak, and 0.2 in the suite."""
    return settings(
        max_examples=suite * 12 if SOAK else suite // 5,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


def read(log: bytes) -> tuple[Session | None, str]:
    """Return the session of a log, or None and why it is refused."""
    try:
        return Session.read(io.BytesIO(log)), ""
    except (UnusableError, TooLargeError) as error:
        return None, str(error)


def survives(log: bytes) -> str:
    """Read and score a file; return ``scored`` or ``refused``, and pass on any other error."""
    with suppress(NotALogError):
        assert verify(io.BytesIO(log)).ok in (True, False)
    session, why = read(log)
    if session is None:
        assert not any(unicodedata.category(char) == "Cc" for char in why)
        return "refused"
    report = build_report(session)
    json.dumps(report)
    for match in report["matches"]:
        for hand in match["hands"]:
            assert sum(hand["scores"].values()) == sum(line["points"] for line in hand["lines"])
    return "scored"


# ------------------------------------------------------------------------- lines of any kind

WORDS = st.sampled_from(
    ["type", "data", "seq", "hash", "at", "by", "player", "note_added", "session_opened", "mara",
     "event_struck", "AS", "points", "__proto__", "9f", "2026-11-21T20:14:03.250Z", "keeper"]
)  # fmt: skip
SCRAPS = st.sampled_from(
    ["{", "}", "[", "]", ",", ":", '"', "\\", "\\u0000", "\\ud800", "NaN", "1e999", "-0", "1.5",
     "9007199254740992", "null", "true", "\x00", "\ufeff", "\u2028", "é", "🂡", " ", "\r", "\n"]
)  # fmt: skip
JSON_ISH = st.one_of(
    JSON.map(lambda value: json.dumps(value).encode()),
    st.dictionaries(WORDS, JSON | WORDS, max_size=6).map(
        lambda members: json.dumps(members).encode()
    ),
    st.lists(SCRAPS | WORDS, max_size=12).map(lambda value: "".join(value).encode()),
    st.binary(max_size=40),
)


@cases(600)
@given(st.lists(JSON_ISH, max_size=4), st.booleans(), st.sampled_from([b"\n", b"\r\n", b"\n\n"]))
def test_lines_of_any_kind(lines: list[bytes], opened: bool, end: bytes) -> None:
    first = [by_hand([opening("mara")]).rstrip()] if opened else []
    survives(end.join([*first, *lines]))


# ------------------------------------------------------------------------ events of any kind


def with_players(value: Any, rng: random.Random) -> Any:
    """Return the same data, with players at the table for many texts that could be players."""
    if isinstance(value, dict):
        return {
            rng.choice(SEATS) if rng.random() < 0.5 and name not in KNOWN else name:
            with_players(inner, rng) for name, inner in value.items()
        }  # fmt: skip
    if isinstance(value, list):
        return [with_players(inner, rng) for inner in value]
    if isinstance(value, str) and rng.random() < 0.4 and value not in KNOWN:
        return rng.choice(SEATS)
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.7:
        return rng.randint(0, 12)
    return value


KNOWN = {part.name for declared, _ in EVERY_EVENT for part in parts_of(declared)}
KNOWN |= {declared.TYPE for declared, _ in EVERY_EVENT} | {"A", "B", "bidder", "defenders"}


@cases(200)
@given(st.sampled_from(list(GAMES)), st.integers(0, 2**32), st.data())
def test_events_of_any_kind(game: str, seed: int, data: st.DataObject) -> None:
    """Each event that is not refused stays in the log to which the next is added."""
    rng = random.Random(seed)  # noqa: S311
    seats = SEATS[: GAMES[game].seats[0]]
    events = [opening(*SEATS), event("match_started", game=game, seats=seats)]
    events.append(event("hand_started", dealer=seats[0]))
    types = [declared for declared, at in EVERY_EVENT if at in (None, GAMES[game])]
    for declared in data.draw(st.lists(st.sampled_from(types), min_size=4, max_size=10)):
        values = with_players(data.draw(data_of(declared)), rng)
        events.append(event(declared.TYPE, **values))
        if survives(by_hand(events)) == "refused":
            events.pop()


# ------------------------------------------------------------------------------ broken logs

LOGS = [path.read_bytes() for path in golden_logs() if path.stat().st_size < 6_000]


def a_log(rng: random.Random) -> bytes:
    """Return a golden log or that of a simulated evening, by hand or sealed."""
    if LOGS and rng.random() < 0.8:
        log = rng.choice(LOGS)
    else:
        log = by_hand(played_evening(rng, rng.choice(list(GAMES)), "totals", hands=2).events)
    if rng.random() < 0.5:
        log = sealed([{"type": raw.type, "data": raw.data} for raw in LogFile(io.BytesIO(log))])
    return log


def broken(rng: random.Random, log: bytes) -> bytes:
    """Return a log with random changes, one or several."""
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        at = rng.randrange(len(log) or 1)
        lines = log.splitlines(keepends=True)
        index, other_index = (rng.randrange(len(lines) or 1) for _ in range(2))
        what = rng.randrange(6)
        if what == 0:
            log = log[:at] + bytes([rng.randrange(256)]) + log[at + 1 :]
        elif what == 1:
            log = log[:at] + log[at + rng.choice([1, 1, 7, 300]) :]
        elif what == 2:
            log = log[:at] + rng.choice([b"\n", b"0", b'"', b"\x00", b"9" * 20]) + log[at:]
        elif what == 3 and lines:
            log = b"".join([*lines[:index], *lines[index + 1 :]])
        elif what == 4 and lines:
            log = b"".join([*lines[:index], lines[other_index], *lines[index:]])
        else:
            log = log[:at]
    return log


@cases(900)
@given(st.integers(0, 2**32))
def test_broken_logs(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    survives(broken(rng, a_log(rng)))


@cases(300)
@given(st.integers(0, 2**32))
def test_logs_with_values_from_elsewhere(seed: int) -> None:
    """Values of fields are copied between events of an otherwise valid log."""
    rng = random.Random(seed)  # noqa: S311
    log = played_evening(rng, rng.choice(list(GAMES)), None, hands=2).events
    values = [value for raw in log for value in raw.get("data", {}).values()]
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(log))
        changed: Raw = json.loads(json.dumps(log[at]))
        if changed["data"]:
            changed["data"][rng.choice(list(changed["data"]))] = rng.choice(values)
        log = [*log[:at], changed, *log[at + 1 :]]
    survives(by_hand(log))
