"""Evenings that come as files: each becomes a session of its own, and is entered in the club."""

from collections.abc import Mapping
from functools import partial
from secrets import token_bytes
from typing import NamedTuple

from flask_babel import gettext as _

from scorekeeper.answers import jobs
from scorekeeper.base.errors import ScorekeeperError, Unusable
from scorekeeper.clubs.events import EveningEntered, MemberJoined
from scorekeeper.clubs.roll import Roll, plain
from scorekeeper.http.access import shown
from scorekeeper.http.answering import made_of_log
from scorekeeper.http.bodies import LARGEST
from scorekeeper.http.extensions import clubs, service
from scorekeeper.http.limits import refuse_many_bytes, refuse_many_sessions
from scorekeeper.report.incoming import Incoming
from scorekeeper.service import NewEvent
from scorekeeper.web.club.common import Visitor, record, see
from scorekeeper.web.club.twins import twin_of
from scorekeeper.web.frame.refusals import SAID
from scorekeeper.web.opening.draft import ids_of
from scorekeeper.web.opening.for_club import known_members
from scorekeeper.web.phone.my_tables import take
from scorekeeper.web.wording.refused import of_log
from scorekeeper.web.wording.writing import labelled


class Brought(NamedTuple):
    """What became of a file: the evening that it is, or why it is none."""

    file: str
    title: str
    wrong: str
    joined: tuple[str, ...] = ()


def bring_in(visitor: Visitor, file: str, log: bytes, *, join: bool) -> Brought:
    """Add the evening of a log; with ``join`` who is not in the club yet joins it."""
    try:
        twin = see(visitor.club, partial(twin_of, log))
        if twin:
            return Brought(file, twin, _("This evening counts already."))
        refuse_many_sessions()
        refuse_many_bytes(len(log))
        judged = made_of_log(jobs.judged, log, LARGEST, service().now(), key=token_bytes())
        new = service().keep(Incoming.parse(judged))
        host = next(one for one in new.keys if one.key.role == "host")
        take(host.key)
        evening = clubs().evening(new.id)
        events, joined = entering(visitor, new.id, evening.players, join=join)
        record(visitor, *events, shown=shown([host.secret]))
    except Unusable as error:
        where = _("Line %(number)s", number=error.line) if error.line else ""
        return Brought(file, "", labelled(where) + " " + of_log(error) if where else of_log(error))
    except ScorekeeperError as error:
        return Brought(file, "", str(SAID.get(error.code, error)))
    return Brought(file, evening.title, "", joined)


def entering(
    visitor: Visitor, session: str, players: Mapping[str, str], *, join: bool
) -> tuple[list[NewEvent], tuple[str, ...]]:
    """What enters an evening, each player as the member of his name, and the names of who joins."""
    known = clubs().roll(visitor.club, known_members)
    taken = clubs().roll(visitor.club, ids_used)
    who, events, joined = dict[str, str | None](), list[NewEvent](), list[str]()
    used: set[str] = set()
    for player, name in players.items():
        member = known.get(plain(name))
        if member is None and join and plain(name) not in used:
            member = ids_of([name], {*taken, *(one for one in who.values() if one)})[name]
            events.append(NewEvent(MemberJoined.TYPE, {"id": member, "name": name}))
            joined.append(name)
        who[player] = member if member not in who.values() else None
        used.add(plain(name))
    events.append(NewEvent(EveningEntered.TYPE, {"session": session, "players": who}))
    return events, tuple(joined)


def ids_used(roll: Roll) -> frozenset[str]:
    """All ids of members that were ever used."""
    return frozenset((*roll.members, *roll.merged))
