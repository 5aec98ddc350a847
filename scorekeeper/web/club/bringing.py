"""Evenings that come as files: each becomes a session of its own, and is entered in the club."""

import json
from collections.abc import Iterable
from io import BytesIO
from secrets import token_bytes
from typing import NamedTuple

from flask_babel import gettext as _

from scorekeeper.answers import jobs
from scorekeeper.base.errors import ScorekeeperError, UnusableError
from scorekeeper.clubs.events import MemberJoined
from scorekeeper.clubs.roll import Roll
from scorekeeper.clubs.who_is_who import who_is_who
from scorekeeper.http.access import shown
from scorekeeper.http.answering import made_of_log
from scorekeeper.http.bodies import LARGEST
from scorekeeper.http.extensions import clubs, service
from scorekeeper.http.limits import refuse_many_bytes, refuse_many_sessions
from scorekeeper.log.reading import LogFile
from scorekeeper.report.incoming import Incoming
from scorekeeper.service import NewEvent
from scorekeeper.service.club_logs import entering
from scorekeeper.service.club_twins import twin_of
from scorekeeper.store import Answer
from scorekeeper.web.club.visitor import Visitor, see
from scorekeeper.web.frame.form_keys import attempt
from scorekeeper.web.frame.refusals import SAID
from scorekeeper.web.opening.for_club import add_to
from scorekeeper.web.phone.my_tables import take
from scorekeeper.web.wording.filters import labelled
from scorekeeper.web.wording.refused import of_log


class BroughtLogs(NamedTuple):
    """What became of a file: the evening that it is, or why it is none."""

    file: str
    title: str
    wrong: str
    joined: tuple[str, ...] = ()


def bring_in(visitor: Visitor, file: str, log: bytes, *, join: bool) -> BroughtLogs:
    """Add the evening of a log; with ``join`` who is not in the club yet joins it.

    The same form with the same log again finds what it added.
    """
    once = attempt(log)
    try:
        events = list(LogFile(BytesIO(log), LARGEST))
        before = once and clubs().store.answered(visitor.club_id, once.key, once.digest)
        if before:
            return _brought(file, before.answer)
        counted = see(visitor.club_id, lambda books: tuple(books.evenings.values()))
        twin = twin_of(events, counted, clubs().known_logs)
        if twin is not None and twin.forked:
            raise twin.refusal
        if twin is not None:
            return BroughtLogs(file, twin.title, _("This evening counts already."))
        refuse_many_sessions()
        refuse_many_bytes(len(log))
        key = once or token_bytes()
        judged = made_of_log(jobs.validate_log, log, LARGEST, service().now(), key=key)
        new = service().keep(Incoming.parse(judged), once)
        host = next(one for one in new.keys if one.key.role == "host")
        take(host.key)
        players = clubs().evening(new.id).players

        def entered() -> Iterable[NewEvent]:
            who = see(visitor.club_id, lambda books: who_is_who(books, players, join=join))
            return entering(new.id, who)

        sent = once.digest if once else b""
        recorded = add_to(visitor.club_id, visitor.holder, entered, shown([host.secret]), sent)
    except UnusableError as error:
        where = _("Line %(number)s", number=error.line) if error.line else ""
        return BroughtLogs(
            file, "", labelled(where) + " " + of_log(error) if where else of_log(error)
        )
    except ScorekeeperError as error:
        return BroughtLogs(file, "", str(SAID.get(error.code, error)))
    return _brought(file, recorded.answer)


def _brought(file: str, answer: Answer) -> BroughtLogs:
    """What became of a file whose evening was entered, by what the club answered to that."""
    events = json.loads(answer.body)["events"]
    joined = [one["data"]["name"] for one in events if one["type"] == MemberJoined.TYPE]
    session_id = events[-1]["data"]["session"]
    return BroughtLogs(file, clubs().evening(session_id).title, "", tuple(joined))


def ids_used(roll: Roll) -> frozenset[str]:
    """All ids of members that were ever used."""
    return frozenset((*roll.members, *roll.merged))
