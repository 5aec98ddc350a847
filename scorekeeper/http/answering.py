"""Answers that take long, and so are worked out beside what records (``scorekeeper.answers``)."""

import select
from collections.abc import Callable, Hashable
from hashlib import sha256
from typing import Any, Final

from flask import Response, g, request

from scorekeeper.answers.answers import AnswerWork
from scorekeeper.answers.jobs import SessionView
from scorekeeper.http.bodies import JSON
from scorekeeper.http.client import client_address
from scorekeeper.http.extensions import answers, service
from scorekeeper.http.limits import refuse_many_logs
from scorekeeper.http.turns import give_up_turn
from scorekeeper.service import Holder
from scorekeeper.store import Position

# Where the system can tell that the other end was closed before anything is written to it.
CLOSED: Final = getattr(select, "POLLRDHUP", 0)
MASKED: Final = "-masked"  # in the tag of an answer that leaves out what lies face down
SEARCH: Final = 0.5  # of the seconds of an answer, for a search, which then says how far it came


def of_session(session_id: str, work: AnswerWork, *given: Any, key: Hashable = None) -> Response:
    """JSON made of the lines of a session, and the version that it is true of."""
    made, position = made_of(session_id, g.holder, work, *given, key=key)
    return answered(made, position)


def made_of(
    session_id: str, holder: Holder, work: AnswerWork, *given: Any, key: Hashable = None
) -> tuple[bytes, Position]:
    """What ``work`` makes of the lines of a session for a holder, and of what is given beside.

    ``key`` stands for what is given, where that is no key itself.
    """
    position = service().position(session_id, holder)
    beside = given if key is None else key
    named = (session_id, position, holder.sees_all, work.__qualname__, beside)

    def seen() -> tuple[Any, ...]:
        return SessionView(service().lines(session_id, position), holder.sees_all), *given

    return worked_out(session_id, named, work, seen), position


def of_log(work: AnswerWork, log: bytes, *given: Any, key: Hashable = None) -> Response:
    """JSON made of a log that came, for whom no key is asked."""
    return Response(made_of_log(work, log, *given, key=key), content_type=JSON)


def made_of_log(work: AnswerWork, log: bytes, *given: Any, key: Hashable = None) -> bytes:
    """What ``work`` makes of a log that came; RateLimitError after too many from one address."""
    refuse_many_logs()
    named = (sha256(log).digest(), work.__qualname__, given if key is None else key)
    return worked_out(f"address {client_address()}", named, work, lambda: (log, *given))


def worked_out(
    asker: str, key: Hashable, work: AnswerWork, given: Callable[[], tuple[Any, ...]]
) -> bytes:
    """What comes of some work; BusyError, OverBudgetError, whatever it raises."""
    give_up_turn(request.environ)
    return answers().compute(asker, key, work, given, gone())


def search_seconds() -> float:
    """For how long a search may go on before it says how far it came."""
    return SEARCH * answers().seconds


def is_closed(connection: int) -> bool:
    """Whether the other end of a connection, by its file descriptor, was closed."""
    poll = select.poll()
    poll.register(connection, CLOSED)
    return bool(poll.poll(0))


def gone() -> Callable[[], bool]:
    """Whether the client closed its connection, as far as the server lets it be seen."""
    connection = request.environ.get("gunicorn.socket")
    if connection is None:
        return lambda: False
    return lambda: connection.fileno() < 0 or is_closed(connection.fileno())


def answered(body: bytes, position: Position, status: int = 200) -> Response:
    """JSON that is true of a version of a session."""
    return marked(Response(body, status, content_type=JSON), position)


def marked(answer: Response, position: Position) -> Response:
    """An answer, with the version that it is true of."""
    answer.headers["ETag"] = f'"{tag(position.version)}"'
    return answer


def tag(version: int) -> str:
    """What names an answer: its version, whether its reader is masked, and for whom it is written.

    ``g.masked`` is whether the answer leaves out what lies face down, so that nobody is given the
    copy of another reader. ``g.variant`` is what else it depends on; it is empty for a program.
    """
    return f"{version}{MASKED if g.get('masked') else ''}{g.get('variant', '')}"


def bare(status: int) -> Response:
    """An answer that has no body, and so no type of one."""
    answer = Response(status=status)
    del answer.headers["Content-Type"]
    return answer
