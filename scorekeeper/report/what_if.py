"""Supposed sessions: a session under other options, or with proposed corrections."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from scorekeeper.base import pacing
from scorekeeper.base.errors import UnusableError, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import DeclaredView, to_json_values
from scorekeeper.events.common import MatchStarted
from scorekeeper.events.corrections import (
    CORRECTING,
    CorrectionBegun,
    EventInserted,
    EventReplaced,
)
from scorekeeper.events.disputes import Correction
from scorekeeper.events.event import MAX_CORRECTIONS_IN_SET, Entry, Event
from scorekeeper.games.game import group_by_type
from scorekeeper.log import codec
from scorekeeper.log.corrected import Undecoded
from scorekeeper.report.report import view_report
from scorekeeper.report.views import FindingView, ReportView
from scorekeeper.report.what_if_views import ChangeView, WhatIfView
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session

CORRECTS: Final = group_by_type(CORRECTING)

HandNumbers = tuple[int | None, int | None]  # of a hand before and after; None if it is not there
ReportPlace = tuple[int, int | None]  # the number of a match, and that of a hand in it
FindingsByPlace = Mapping[ReportPlace, Sequence[FindingView]]

# The compared fields of a match and of a hand; totals after a hand follow from earlier scores.
MATCH_FIELDS: Final = (
    "game",
    "seats",
    "options",
    "status",
    "winners",
    "undecided",
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
) -> WhatIfView:
    """Return the report that a session would have, and its differences from the present one.

    ``options`` are for the match of that number, or for every match whose game has all of them;
    ``corrections`` are events ``{"type", "data"}``, which take effect together. Nothing is
    recorded.

    Raises `UnusableError` with the field at fault.
    """
    parsed = [Correction(correction["type"], correction["data"]) for correction in corrections]
    return compare_sessions(session, suppose(session, options, parsed, match))


def compare_agreed(session: Session, seq: int) -> WhatIfView:
    """Return the report and differences that a proposal's corrections would make.

    Raises `UnusableError` if there is no such proposal, or its corrections cannot stand.
    """
    return compare_sessions(*suppose_agreed(session, seq))


def compare_sessions(before: Session, after: Session) -> WhatIfView:
    """Return the second report, its differences from the first, and the matches that differ."""
    report = view_report(after)
    changes = diff_sessions(before, after, report)
    return WhatIfView(report, changes, sorted({change.match for change in changes}))


def suppose_agreed(session: Session, seq: int) -> tuple[Session, Session]:
    """Return a session without and with the corrections of the proposal with this seq.

    The session is the present one if the proposal can be signed, that before the ruling if its
    dispute is settled, and else that before the proposal.

    Raises `UnusableError` if there is no such proposal, or its corrections cannot stand.
    """
    disputes = session.structure.disputes
    proposal = disputes.proposals.get(seq)
    if proposal is None:
        raise UnusableError(expected("the seq of a proposal", seq), field="proposal")
    recorded = session.corrections.recorded
    end = max(recorded) + 1
    if proposal.settled is not None:
        end = proposal.settled[0]
    elif proposal.closed or disputes.is_void(proposal):
        end = seq
    base = Session.of((entry for key, entry in recorded.items() if key < end), session.awaiting)
    base.damage = list(session.damage)
    try:
        return base, suppose(base, corrections=proposal.event.corrections)
    except UnusableError as error:
        raise UnusableError(error.reason, field="proposal") from None


def suppose(
    session: Session,
    options: JsonObject | None = None,
    corrections: Sequence[Correction] = (),
    match: int | None = None,
) -> Session:
    """Return a copy of the session with other options or with corrections applied.

    `options` are for the match of that number, or for every match whose game has all of them.
    Raises `UnusableError` with the field at fault.
    """
    supposed = Session.of(session.corrections.recorded.values(), session.awaiting)
    supposed.damage = list(session.damage)
    _add_corrections(supposed, corrections)
    if not corrections:
        supposed.head = session.head
    if options:
        _apply_options(supposed, options, _select_matches(supposed, options, match))
    elif match is not None:
        _get_match(supposed, match)
    return supposed


# ------------------------------------------------------------------------------- corrections


def _add_corrections(session: Session, corrections: Sequence[Correction]) -> None:
    """Add corrections together; add them one by one if one of them begins a set."""
    if (
        sum(correction.type != CorrectionBegun.TYPE for correction in corrections)
        > MAX_CORRECTIONS_IN_SET
    ):
        raise UnusableError(
            expected(f"at most {MAX_CORRECTIONS_IN_SET}", len(corrections)), field="corrections"
        )
    first, events = max(session.corrections.recorded, default=0) + 1, list[Event]()
    try:
        for correction in corrections:
            events.append(codec.decode(correction.type, correction.data, CORRECTS))
        session.correct(events)
    except UnusableError as error:
        last = min(len(events), len(corrections) - 1)
        place = last if error.culprit is None else error.culprit - first
        field = ".".join(filter(None, ("corrections", str(place), error.field)))
        raise UnusableError(error.reason, field=field) from None


# ----------------------------------------------------------------------------------- options


def _get_match(session: Session, number: int) -> MatchRecord:
    """Return the match with a number. Raises `UnusableError` if there is none."""
    matches = session.structure.matches
    if not 1 <= number <= len(matches):
        raise UnusableError(
            expected("the number of a match that was started", number), field="match"
        )
    return matches[number - 1]


def _select_matches(session: Session, options: JsonObject, number: int | None) -> list[MatchRecord]:
    """Return the match of that number, or all whose game has options of these names."""
    if number is not None:
        return [_get_match(session, number)]
    matches = session.structure.matches
    matching = [match for match in matches if set(options) <= _option_names(match)]
    if not matching:
        known = sorted(set().union(*map(_option_names, matches)))
        wrong = next((name for name in options if name not in known), None)
        if wrong is not None:
            what = "an option of a game played here: " + (", ".join(known) or "there is none")
            raise UnusableError(expected(what, wrong), field=f"options.{wrong}")
        raise UnusableError("no game played here has all of these options", field="options")
    return matching


def _option_names(match: MatchRecord) -> set[str]:
    """Return the names of the options of a match's game."""
    return {option.name for option in match.game.book.options}


def _apply_options(session: Session, options: JsonObject, matches: Iterable[MatchRecord]) -> None:
    """Replay matches with other options; options that are not named keep their values."""
    restarted = dict(_restart_match(session, match, options) for match in matches)
    try:
        session.replace_entries(restarted)
    except UnusableError as error:
        raise UnusableError(error.reason, field="options") from None


def _restart_match(session: Session, match: MatchRecord, options: JsonObject) -> tuple[int, Entry]:
    """Return the key and the entry that starts a match, with these options."""
    started = cast("MatchStarted", match.started.event)
    all_options = {**(started.options or {}), **options}
    try:
        match.game.options(all_options, len(match.seats))
    except UnusableError as error:
        field = error.field.removeprefix("data.")
        raise UnusableError(f"match {match.number}: {error.reason}", field=field) from None
    key = next(segment.keys[0] for segment in session.structure.segments if segment.match is match)
    reading = cast("Entry", session.corrections.reading(key)).event
    key = reading.source if isinstance(reading, Undecoded) else key
    entry = session.corrections.recorded[key]
    if isinstance(entry.event, EventReplaced | EventInserted):
        data = {**entry.event.data, "options": all_options}
        return key, replace(entry, event=replace(entry.event, data=data))
    return key, replace(entry, event=replace(started, options=all_options))


# -------------------------------------------------------------------------------- difference


def diff_sessions(
    before: Session, after: Session, after_report: ReportView | None = None
) -> list[ChangeView]:
    """Return the differences of two reports: match by match, each followed by its hands.

    A hand is compared with itself, also where its number differs. A difference has the fields that
    differ, and the findings that the other report does not have. It is None on the side where the
    match or hand does not exist. ``after_report`` is the report of ``after``, if it is known.
    """
    reports = view_report(before), after_report or view_report(after)
    matches = before.structure.matches, after.structure.matches
    findings = _group_findings(reports[0]), _group_findings(reports[1])
    changes = []
    for number in range(1, max(map(len, matches)) + 1):
        pair = _item(reports[0].matches, number), _item(reports[1].matches, number)
        places = (number, None), (number, None)
        changes.append(_describe_change(places, pair, findings, MATCH_FIELDS))
        records = _item(matches[0], number), _item(matches[1], number)
        for numbers in pair_hands(*records):
            hands = [
                _item(match.hands, hand) if match and hand else None
                for match, hand in zip(pair, numbers, strict=True)
            ]
            of_hand = (number, numbers[0]), (number, numbers[1])
            pacing.step(pacing.STEPS_PER_HAND)
            changes.append(_describe_change(of_hand, (hands[0], hands[1]), findings, HAND_FIELDS))
    return [change for change in changes if change and change.before != change.after]


def pair_hands(before: MatchRecord | None, after: MatchRecord | None) -> list[HandNumbers]:
    """Return the number of each hand in two versions of a match, in order of play.

    A hand is recognised by its hand_started. The number is None where the hand does not exist.
    """
    olds, news = (
        {hand.started.seq: hand.number for hand in match.hands} if match else {}
        for match in (before, after)
    )
    removed = [(number, None) for seq, number in olds.items() if seq not in news]
    stay = [(olds.get(seq), number) for seq, number in news.items()]
    return sorted((*stay, *removed), key=lambda pair: (pair[1] or pair[0] or 0, pair[1] or 0))


T = TypeVar("T")


def _item(items: Sequence[T], number: int) -> T | None:
    """Return the match or hand with a number; None if there is none."""
    return items[number - 1] if number <= len(items) else None


def _describe_change(
    places: tuple[ReportPlace, ReportPlace],
    pair: tuple[DeclaredView | None, DeclaredView | None],
    findings: tuple[FindingsByPlace, FindingsByPlace],
    names: Sequence[str],
) -> ChangeView | None:
    """Return the fields of a match or hand that differ, before and after; None if none does."""
    (match, hand), (_, number) = places
    found = [by_place.get(place, ()) for by_place, place in zip(findings, places, strict=True)]
    unplaced = [[replace(finding, hand=None) for finding in each] for each in found]
    if pair[0] == pair[1] and unplaced[0] == unplaced[1]:
        return None
    old, new = (None if item is None else to_json_values(item) for item in pair)
    if old is None or new is None:
        whole = [None if item is None else _select_fields(item, names) for item in (old, new)]
        return ChangeView(match, hand or number, whole[0], whole[1])
    differ = [name for name in names if old.get(name) != new.get(name)]
    sides = [_select_fields(old, differ), _select_fields(new, differ)]
    if unplaced[0] != unplaced[1]:
        for side, mine, others in zip(sides, found, reversed(unplaced), strict=True):
            side["findings"] = [
                to_json_values(finding)
                for finding in mine
                if replace(finding, hand=None) not in others
            ]
    becomes = number if number != hand else None
    return ChangeView(match, hand, sides[0], sides[1], becomes)


def _select_fields(members: JsonObject, names: Iterable[str]) -> dict[str, Any]:
    """Return the fields with these names that a match or hand has."""
    return {name: members[name] for name in names if name in members}


def _group_findings(report: ReportView) -> FindingsByPlace:
    """Return the findings of a report about each match and hand."""
    by_place: dict[ReportPlace, list[FindingView]] = defaultdict(list)
    for finding in report.findings:
        if finding.match is not None:
            by_place[finding.match, finding.hand].append(finding)
    return by_place
