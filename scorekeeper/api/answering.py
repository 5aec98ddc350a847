"""Answers that take long, and so are worked out beside what records (``scorekeeper.answers``)."""

from collections.abc import Callable, Hashable
from hashlib import sha256
from typing import Any, Final

from flask import Response, current_app, g, request

from scorekeeper.answers.answers import Answers, Work
from scorekeeper.answers.jobs import SessionView
from scorekeeper.api.access import AN_HOUR, refuse_many, service
from scorekeeper.api.bodies import JSON
from scorekeeper.api.document import refuses
from scorekeeper.api.reading import answered
from scorekeeper.live.streams import is_closed
from scorekeeper.operation.client import client_address
from scorekeeper.operation.turns import give_up_turn
from scorekeeper.service import Holder
from scorekeeper.store import Position

SEARCH: Final = 0.5  # of the seconds of an answer, for a search, which then says how far it came
CODES: Final = ("busy", "over_budget")


def takes_long(view: Any) -> Any:
    """Document that an answer takes long, so that there may be no room for it."""
    return refuses(*CODES)(view)


def of_session(session: str, work: Work, *given: Any, key: Hashable = None) -> Response:
    """JSON made of the lines of a session, and the version that it is true of."""
    made, position = made_of(session, g.holder, work, *given, key=key)
    return answered(made, position)


def made_of(
    session: str, holder: Holder, work: Work, *given: Any, key: Hashable = None
) -> tuple[bytes, Position]:
    """What ``work`` makes of the lines of a session for a holder, and of what is given beside.

    ``key`` stands for what is given, where that is no key itself.
    """
    position = service().store.position(session)
    named = (session, position, holder.sees_all, work.__qualname__, given if key is None else key)

    def seen() -> tuple[Any, ...]:
        return SessionView(service().lines(session, position.version), holder.sees_all), *given

    return worked_out(session, named, work, seen), position


def of_log(work: Work, log: bytes, *given: Any, key: Hashable = None) -> Response:
    """JSON made of a log that came, for whom no key is asked."""
    return Response(made_of_log(work, log, *given, key=key), content_type=JSON)


def made_of_log(work: Work, log: bytes, *given: Any, key: Hashable = None) -> bytes:
    """What ``work`` makes of a log that came; TooOften after so many from one address."""
    refuse_many_logs()
    named = (sha256(log).digest(), work.__qualname__, given if key is None else key)
    return worked_out(f"address {client_address()}", named, work, lambda: (log, *given))


def refuse_many_logs() -> None:
    """Count a log that is to be worked out for whoever asks; TooOften."""
    refuse_many("logs by address", client_address(), "COMPUTATIONS_AN_HOUR", AN_HOUR)


def worked_out(
    asker: str, key: Hashable, work: Work, given: Callable[[], tuple[Any, ...]]
) -> bytes:
    """What comes of some work; Busy, OverBudget, whatever it raises."""
    give_up_turn(request.environ)
    return answers().ask(asker, key, work, given, gone())


def answers() -> Answers:
    """What works answers out for this application."""
    found: Answers = current_app.extensions["answers"]
    return found


def search_seconds() -> float:
    """For how long a search may go on before it says how far it came."""
    return SEARCH * answers().seconds


def gone() -> Callable[[], bool]:
    """Whether the client closed its connection, as far as the server lets it be seen."""
    connection = request.environ.get("gunicorn.socket")
    if connection is None:
        return lambda: False
    return lambda: connection.fileno() < 0 or is_closed(connection.fileno())
