"""Evenings from log files: each becomes a session of its own, and is entered in the club."""

import json
from collections.abc import Iterable
from io import BytesIO
from secrets import token_bytes
from typing import NamedTuple

from flask_babel import gettext as _

from scorekeeper.answers import jobs
from scorekeeper.base.errors import ScorekeeperError, UnusableError
from scorekeeper.clubs.events import MemberJoined
from scorekeeper.clubs.identities import identify_players
from scorekeeper.clubs.state import ClubState
from scorekeeper.http.access import shown_keys
from scorekeeper.http.answering import compute_from_log
from scorekeeper.http.bodies import MAX_LOG_BYTES
from scorekeeper.http.extensions import clubs, service
from scorekeeper.http.limits import refuse_many_bytes, refuse_many_sessions
from scorekeeper.log.reading import LogFile
from scorekeeper.report.incoming import IncomingLog
from scorekeeper.service import NewEvent
from scorekeeper.service.club_logs import build_entering_events
from scorekeeper.service.club_twins import twin_of
from scorekeeper.store import Answer
from scorekeeper.web.club.visitor import Visitor, see_club
from scorekeeper.web.frame.form_keys import form_attempt
from scorekeeper.web.frame.refusals import MESSAGES
from scorekeeper.web.opening.for_club import append_to_club
from scorekeeper.web.phone.my_tables import take_key
from scorekeeper.web.wording.filters import with_colon
from scorekeeper.web.wording.refused import message_for_log


class FileResult(NamedTuple):
    """The result for a log file: the title of its evening, or in `wrong` why it was refused.

    `joined` are the names of players who became members.
    """

    file: str
    title: str
    wrong: str
    joined: tuple[str, ...] = ()


def import_and_enter(visitor: Visitor, file: str, log: bytes, *, join: bool) -> FileResult:
    """Import a log file and enter its evening; with `join`, unknown players become members.

    Refusals are returned as the result. The same form with the same log again returns the first
    result.
    """
    attempt_at_log = form_attempt(log)
    try:
        events = list(LogFile(BytesIO(log), MAX_LOG_BYTES))
        before = attempt_at_log and clubs().find_answer(
            visitor.club_id, attempt_at_log.key, attempt_at_log.digest
        )
        if before:
            return _result_of_entered(file, before.answer)
        counted = see_club(visitor.club_id, lambda snapshot: tuple(snapshot.evenings.values()))
        twin = twin_of(events, counted, clubs().known_logs)
        if twin is not None and twin.forked:
            raise twin.refusal
        if twin is not None:
            return _result_of_counted(file, twin.title)
        refuse_many_sessions()
        refuse_many_bytes(len(log))
        key = attempt_at_log or token_bytes()
        validated = compute_from_log(
            jobs.validate_log, log, MAX_LOG_BYTES, service().now(), key=key
        )
        new = service().create_from_log(IncomingLog.parse(validated), attempt_at_log)
        host = next(new_key for new_key in new.keys if new_key.key.role == "host")
        take_key(host.key)
        players = clubs().evening(new.id).players

        def entered() -> Iterable[NewEvent]:
            identities = see_club(
                visitor.club_id, lambda snapshot: identify_players(snapshot, players, join=join)
            )
            return build_entering_events(new.id, identities)

        sent = attempt_at_log.digest if attempt_at_log else b""
        recorded = append_to_club(
            visitor.club_id, visitor.holder, entered, shown_keys([host.secret]), sent
        )
    except UnusableError as error:
        return FileResult(file, "", locate_in_log(error))
    except ScorekeeperError as error:
        return FileResult(file, "", str(MESSAGES.get(error.code, error)))
    return _result_of_entered(file, recorded.answer)


def locate_in_log(error: UnusableError) -> str:
    """Return the message about a log that cannot be used, with its line and field."""
    said = message_for_log(error)
    if not error.line:
        return said
    place = _("Line %(number)s", number=error.line)
    if error.field:
        place = _("Line %(number)s, field %(field)s", number=error.line, field=error.field)
    return f"{with_colon(place)} {said}"


def _result_of_entered(file: str, answer: Answer) -> FileResult:
    """Return the result for a file whose evening was entered, from the club's response."""
    events = json.loads(answer.body)["events"]
    joined = [
        event["data"]["name"]
        for event in events
        if event["type"] == MemberJoined.TYPE and not event["data"].get("guest")
    ]
    session_id = events[-1]["data"]["session"]
    return FileResult(file, clubs().evening(session_id).title, "", tuple(joined))


def result_of_equal_file(file: str, first: FileResult) -> FileResult:
    """Return the result for a file that equals an earlier one of the same form."""
    return first._replace(file=file) if first.wrong else _result_of_counted(file, first.title)


def _result_of_counted(file: str, title: str) -> FileResult:
    """Return the result for a file whose evening counts already."""
    return FileResult(file, title, _("This evening already counts."))


def ids_used(state: ClubState) -> frozenset[str]:
    """Return all member ids that were ever used."""
    return frozenset((*state.members, *state.merged))
