"""Answers and their ETags; long ones are computed in another process (``scorekeeper.answers``)."""

import select
from collections.abc import Callable, Hashable
from hashlib import sha256
from typing import Final

from flask import Response, g, request

from scorekeeper.answers.answer_queue import Requester
from scorekeeper.answers.answers import AnswerWork
from scorekeeper.answers.jobs import ReadableLog
from scorekeeper.http.bodies import JSON
from scorekeeper.http.client import client_address
from scorekeeper.http.extensions import answers, service
from scorekeeper.http.limits import refuse_many_logs
from scorekeeper.http.turns import give_up_turn
from scorekeeper.service import Holder
from scorekeeper.store import Position

# Only some systems report that the peer closed a connection before anything is written to it.
CLOSED_BY_PEER: Final = getattr(select, "POLLRDHUP", 0)
MASKED_SUFFIX: Final = "-masked"  # of the ETag of an answer without the data that lies face down
SEARCH_SHARE: Final = 0.5  # of the time limit of an answer; a search stops then and reports it


def computed_session_answer(
    session_id: str, work: AnswerWork, *arguments: object, key: Hashable = None
) -> Response:
    """Return a JSON answer that ``work`` computes from a session, with its version as ETag.

    The holder is ``g.holder``; see `compute_from_session`.
    """
    body, position = compute_from_session(session_id, g.holder, work, *arguments, key=key)
    return json_answer(body, position)


def compute_from_session(
    session_id: str, holder: Holder, work: AnswerWork, *arguments: object, key: Hashable = None
) -> tuple[bytes, Position]:
    """Return the bytes that ``work`` computes from a session, in another process.

    ``work`` gets a `ReadableLog` of the lines up to the last one that ``holder`` may see, and the
    arguments. ``view.session()`` hides face-down cards from the holder; ``view.lines`` still has
    them. Equal requests share one result: ``work`` is identified by its qualified name, and ``key``
    identifies the arguments if they are not hashable. The second value is the position of the
    session that the result is about. Raises the errors of `compute`.
    """
    position = service().position(session_id, holder)
    argument_key = arguments if key is None else key
    result_key = (session_id, position, holder.sees_all, work.__qualname__, argument_key)

    def load() -> tuple[object, ...]:
        return ReadableLog(service().lines(session_id, position), holder.sees_all), *arguments

    return compute(session_id, result_key, work, load), position


def computed_log_answer(
    work: AnswerWork, log: bytes, *arguments: object, key: Hashable = None
) -> Response:
    """Return a JSON answer that ``work`` computes from a log in the request."""
    return Response(compute_from_log(work, log, *arguments, key=key), content_type=JSON)


def compute_from_log(
    work: AnswerWork, log: bytes, *arguments: object, key: Hashable = None
) -> bytes:
    """Return the bytes that ``work`` computes from a log in the request, which needs no key.

    Equal requests share one result. Raises `RateLimitError` after too many from one address.
    """
    refuse_many_logs()
    argument_key = arguments if key is None else key
    result_key = (sha256(log).digest(), work.__qualname__, argument_key)
    return compute(f"address {client_address()}", result_key, work, lambda: (log, *arguments))


def compute_secret(subject: str, work: AnswerWork, *arguments: object) -> bytes:
    """Return the bytes that ``work`` computes from arguments with secrets: no cache has them.

    See `compute`.
    """
    give_up_turn(request.environ)
    requester = Requester(client_address(), subject)
    return answers().compute(
        requester, object(), work, lambda: arguments, disconnection_check(), kept=False
    )


def compute(
    subject: str, key: Hashable, work: AnswerWork, load: Callable[[], tuple[object, ...]]
) -> bytes:
    """Return the bytes that ``work`` computes, in another process, from what ``load`` returns.

    ``subject`` is the session, club or address that the answer is about. One client address may use
    a part of the places to wait for each subject. Results with the same ``key`` are shared. The
    request gives up its turn. Raises `BusyError`, `OverBudgetError`, and the errors of ``work``.
    """
    give_up_turn(request.environ)
    requester = Requester(client_address(), subject)
    return answers().compute(requester, key, work, load, disconnection_check())


def search_seconds() -> float:
    """Return the time limit of a search in seconds."""
    return SEARCH_SHARE * answers().seconds


def is_closed(connection: int) -> bool:
    """Return whether the peer has closed the connection with this file descriptor."""
    poll = select.poll()
    poll.register(connection, CLOSED_BY_PEER)
    return bool(poll.poll(0))


def disconnection_check() -> Callable[[], bool]:
    """Return a function that returns whether the client has closed its connection.

    On a server that does not expose the connection it always returns False.
    """
    connection = request.environ.get("gunicorn.socket")
    if connection is None:
        return lambda: False
    return lambda: connection.fileno() < 0 or is_closed(connection.fileno())


def json_answer(body: bytes, position: Position, status: int = 200) -> Response:
    """Return an answer with this JSON, and with the version of the position as ETag."""
    return with_version(Response(body, status, content_type=JSON), position)


def with_version(answer: Response, position: Position) -> Response:
    """Set the ETag of an answer about a version of a session, and return the answer."""
    answer.headers["ETag"] = f'"{tag(position.version)}"'
    return answer


def tag(version: int) -> str:
    """Return the text of an ETag: the version, a suffix if masked, and the variant of the answer.

    ``g.masked`` is true if the answer leaves out what lies face down, so that a cache never gives a
    viewer the answer for the host. ``g.variant`` names the language and format of the answer; it is
    empty for a program.
    """
    return f"{version}{MASKED_SUFFIX if g.get('masked') else ''}{g.get('variant', '')}"


def bodiless_answer(status: int) -> Response:
    """Return an answer without a body and without a content type."""
    answer = Response(status=status)
    del answer.headers["Content-Type"]
    return answer
