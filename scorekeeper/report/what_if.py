"""What might have been: a session under other options, or with corrections that are proposed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from scorekeeper.base.errors import UnusableError, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import MatchStarted
from scorekeeper.events.corrections import (
    CORRECTING,
    CorrectionBegun,
    EventInserted,
    EventReplaced,
)
from scorekeeper.events.event import MOST_IN_A_SET, Entry, Event
from scorekeeper.games.game import by_type
from scorekeeper.log import codec
from scorekeeper.log.corrected import Undecoded
from scorekeeper.report.report import build_report
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session

CORRECTS: Final = by_type(CORRECTING)

# What of a match and of a hand is compared; the totals after a hand follow from those before.
MATCH_FIELDS: Final = (
    "game",
    "seats",
    "options",
    "status",
    "winners",
    "totals",
    "games",
    "reckoning",
    "stake",
)
HAND_FIELDS: Final = (
    "dealer", "status", "level", "scores", "taken", "winner", "lines", "confirmed", "disputed",
    "game",
)  # fmt: skip


def compare_supposed(
    session: Session,
    options: JsonObject | None = None,
    corrections: Sequence[JsonObject] = (),
    match: int | None = None,
) -> dict[str, Any]:
    """The report that would be, and how it differs from the one that is.

    ``options`` are for the match of that number, or for each whose game knows them all;
    ``corrections`` are events ``{"type", "data"}``, which take effect together. Nothing is
    recorded.

    Raises `UnusableError` with the field at fault.
    """
    return compare_sessions(session, suppose(session, options, corrections, match))


def compare_agreed(session: Session, seq: int) -> dict[str, Any]:
    """The same of the proposal with this seq: what its corrections change.

    Raises `UnusableError`.
    """
    return compare_sessions(*suppose_agreed(session, seq))


def compare_sessions(session: Session, supposed: Session) -> dict[str, Any]:
    """The report that would be, how it differs, and the numbers of the matches that do."""
    told = build_report(supposed)
    changes = diff_reports(build_report(session), told)
    matches = sorted({change["match"] for change in changes})
    return {"report": told, "difference": changes, "matches": matches}


def suppose_agreed(session: Session, seq: int) -> tuple[Session, Session]:
    """A session without and with the corrections of the proposal with this seq.

    Raises `UnusableError`.

    While it can be signed, that is the session as it is; once its dispute is settled, as it was
    before the ruling; else as it was when it was proposed.
    """
    said = session.structure.disputes
    proposal = said.proposals.get(seq)
    if proposal is None:
        raise UnusableError(expected("the seq of a proposal", seq), field="proposal")
    recorded = session.corrections.recorded
    end = max(recorded) + 1
    if proposal.settled is not None:
        end = proposal.settled[0]
    elif proposal.closed or said.is_void(proposal):
        end = seq
    then = Session.of((one for key, one in recorded.items() if key < end), session.awaiting)
    then.damage = list(session.damage)
    corrections = [{"type": one.type, "data": one.data} for one in proposal.event.corrections]
    try:
        return then, suppose(then, corrections=corrections)
    except UnusableError as error:
        raise UnusableError(error.reason, field="proposal") from None


def suppose(
    session: Session,
    options: JsonObject | None = None,
    corrections: Sequence[JsonObject] = (),
    match: int | None = None,
) -> Session:
    """Another session: this one as it would be.

    Raises `UnusableError` with the field at fault.
    """
    supposed = Session.of(session.corrections.recorded.values(), session.awaiting)
    supposed.damage = list(session.damage)
    _correct(supposed, corrections)
    if not corrections:
        supposed.head = session.head
    if options:
        _apply_options(supposed, options, _select_matches(supposed, options, match))
    elif match is not None:
        _get_match(supposed, match)
    return supposed


# ------------------------------------------------------------------------------- corrections


def _correct(session: Session, corrections: Sequence[JsonObject]) -> None:
    """Let corrections come next, together, or one by one and set by set where a set is begun."""
    if sum(one["type"] != CorrectionBegun.TYPE for one in corrections) > MOST_IN_A_SET:
        raise UnusableError(
            expected(f"at most {MOST_IN_A_SET}", len(corrections)), field="corrections"
        )
    first, events = max(session.corrections.recorded, default=0) + 1, list[Event]()
    try:
        for one in corrections:
            events.append(codec.decode(one["type"], one["data"], CORRECTS))
        session.correct(events)
    except UnusableError as error:
        last = min(len(events), len(corrections) - 1)
        place = last if error.culprit is None else error.culprit - first
        field = ".".join(filter(None, ("corrections", str(place), error.field)))
        raise UnusableError(error.reason, field=field) from None


# ----------------------------------------------------------------------------------- options


def _get_match(session: Session, number: int) -> MatchRecord:
    matches = session.structure.matches
    if not 1 <= number <= len(matches):
        raise UnusableError(
            expected("the number of a match that was started", number), field="match"
        )
    return matches[number - 1]


def _select_matches(session: Session, options: JsonObject, number: int | None) -> list[MatchRecord]:
    """The match of that number, or all those whose game has options of these names."""
    if number is not None:
        return [_get_match(session, number)]
    matches = session.structure.matches
    found = [match for match in matches if set(options) <= _names(match)]
    if not found:
        known = sorted(set().union(*map(_names, matches)))
        wrong = next((name for name in options if name not in known), None)
        if wrong is not None:
            what = "an option of a game played here: " + (", ".join(known) or "there is none")
            raise UnusableError(expected(what, wrong), field=f"options.{wrong}")
        raise UnusableError("no game played here has all of these options", field="options")
    return found


def _names(match: MatchRecord) -> set[str]:
    return {option.name for option in match.game.book.options}


def _apply_options(session: Session, options: JsonObject, matches: Iterable[MatchRecord]) -> None:
    """Read matches as begun under other options; those not named stay as they were said."""
    otherwise = dict(_restart_match(session, match, options) for match in matches)
    try:
        session.replace_entries(otherwise)
    except UnusableError as error:
        raise UnusableError(error.reason, field="options") from None


def _restart_match(session: Session, match: MatchRecord, options: JsonObject) -> tuple[int, Entry]:
    """The entry, and its key, in which a match is begun, as it would be with these options."""
    started = cast("MatchStarted", match.started.event)
    given = {**(started.options or {}), **options}
    try:
        match.game.options(given, len(match.seats))
    except UnusableError as error:
        field = error.field.removeprefix("data.")
        raise UnusableError(f"match {match.number}: {error.reason}", field=field) from None
    key = next(one.keys[0] for one in session.structure.segments if one.match is match)
    reading = cast("Entry", session.corrections.reading(key)).event
    key = reading.source if isinstance(reading, Undecoded) else key
    entry = session.corrections.recorded[key]
    if isinstance(entry.event, EventReplaced | EventInserted):
        data = {**entry.event.data, "options": given}
        return key, replace(entry, event=replace(entry.event, data=data))
    return key, replace(entry, event=replace(started, options=given))


# -------------------------------------------------------------------------------- difference


def diff_reports(before: JsonObject, after: JsonObject) -> list[dict[str, Any]]:
    """How one report differs from another: match by match, each followed by its hands.

    Of each its members that differ, and the findings that the other does not have; None where
    there is no such match or hand at all.
    """
    found = []
    for number, (one, other) in _pair_by_number(before["matches"], after["matches"], "match"):
        found.append(_describe_change((number, None), (one, other), (before, after), MATCH_FIELDS))
        hands = [match["hands"] if match else [] for match in (one, other)]
        for hand, pair in _pair_by_number(hands[0], hands[1], "hand"):
            found.append(_describe_change((number, hand), pair, (before, after), HAND_FIELDS))
    return [change for change in found if change["before"] != change["after"]]


def _pair_by_number(
    before: Iterable[JsonObject], after: Iterable[JsonObject], name: str
) -> Iterator[tuple[int, tuple[JsonObject | None, JsonObject | None]]]:
    """What has the same number in two reports, in order of the numbers."""
    one, other = ({each[name]: each for each in told} for told in (before, after))
    for number in sorted({*one, *other}):
        yield number, (one.get(number), other.get(number))


def _describe_change(
    place: tuple[int, int | None],
    pair: tuple[JsonObject | None, JsonObject | None],
    reports: tuple[JsonObject, JsonObject],
    members: Sequence[str],
) -> dict[str, Any]:
    """What was, and what would be, of a match or hand."""
    one, other = pair
    told: dict[str, Any] = {"match": place[0], "hand": place[1]}
    if one is None or other is None:
        whole = [None if each is None else _members(each, members) for each in pair]
        return {**told, "before": whole[0], "after": whole[1]}
    differ = [name for name in members if one.get(name) != other.get(name)]
    sides = [_members(one, differ), _members(other, differ)]
    findings = [_findings(each, place) for each in reports]
    if findings[0] != findings[1]:
        for side, mine, others in zip(sides, findings, reversed(findings), strict=True):
            side["findings"] = [finding for finding in mine if finding not in others]
    return {**told, "before": sides[0], "after": sides[1]}


def _members(told: JsonObject, names: Iterable[str]) -> dict[str, Any]:
    return {name: told[name] for name in names if name in told}


def _findings(told: JsonObject, place: tuple[int, int | None]) -> list[JsonObject]:
    return [one for one in told["findings"] if (one["match"], one["hand"]) == place]
