"""Evenings that come as files: each becomes a session of its own, and is entered in the club."""

from collections.abc import Iterable
from io import BytesIO
from secrets import token_bytes
from typing import NamedTuple

from flask_babel import gettext as _

from scorekeeper.answers import jobs
from scorekeeper.base.errors import ScorekeeperError, Unusable
from scorekeeper.clubs.roll import Roll
from scorekeeper.clubs.who_is_who import WhoIsWho, who_is_who
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
from scorekeeper.web.club.visitor import Visitor, record_meant, see
from scorekeeper.web.frame.refusals import SAID
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
    """Add the evening of a log; with ``join`` who is not in the club yet joins it."""
    try:
        events = list(LogFile(BytesIO(log), LARGEST))
        counted = see(visitor.club_id, lambda books: tuple(books.evenings.values()))
        twin = twin_of(events, counted, clubs().known_logs)
        if twin is not None and twin.forked:
            raise twin.refusal
        if twin is not None:
            return BroughtLogs(file, twin.title, _("This evening counts already."))
        refuse_many_sessions()
        refuse_many_bytes(len(log))
        judged = made_of_log(jobs.judged, log, LARGEST, service().now(), key=token_bytes())
        new = service().keep(Incoming.parse(judged))
        host = next(one for one in new.keys if one.key.role == "host")
        take(host.key)
        evening = clubs().evening(new.id)
        who = WhoIsWho()

        def entered() -> Iterable[NewEvent]:
            nonlocal who
            who = see(visitor.club_id, lambda books: who_is_who(books, evening.players, join=join))
            return entering(new.id, who)

        record_meant(visitor, entered, shown([host.secret]))
    except Unusable as error:
        where = _("Line %(number)s", number=error.line) if error.line else ""
        return BroughtLogs(
            file, "", labelled(where) + " " + of_log(error) if where else of_log(error)
        )
    except ScorekeeperError as error:
        return BroughtLogs(file, "", str(SAID.get(error.code, error)))
    return BroughtLogs(file, evening.title, "", tuple(who.joining.values()))


def ids_used(roll: Roll) -> frozenset[str]:
    """All ids of members that were ever used."""
    return frozenset((*roll.members, *roll.merged))
