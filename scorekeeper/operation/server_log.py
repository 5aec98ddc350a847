"""The log: one line a record, from everything in the process, and no secret in any.

Modules log as the standard library has it. Of a request only the method, the route's template,
the status and the time are written down: a path may hold a link that is itself a key, as may a
query string, a header or a body.
"""

import logging
import re
from typing import Any, Final, Literal

import structlog
from structlog.contextvars import bind_contextvars, merge_contextvars, unbind_contextvars
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level, add_logger_name
from structlog.typing import EventDict, Processor

OURS: Final = "scorekeeper"
SERVER: Final = "gunicorn.error"

# What has the form of a capability key: 32 characters, small and capital letters among them.
_LIKE_A_KEY: Final = re.compile(
    r"(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{32}(?![\w-])", re.ASCII
)
# How the server begins a message that goes on with what a client sent.
_TELLS_OF_REQUESTS: Final = ("Error handling connection",)

logger = logging.getLogger(f"{OURS}.requests")


# ------------------------------------------------------------------------------- what is written


def config(level: str, form: Literal["json", "text"]) -> dict[str, Any]:
    """A configuration for ``logging.config.dictConfig``, which gunicorn takes, too.

    What is less than ``info`` is told by this project only: others tell of paths then.
    """
    ours = logging.getLevelNamesMapping()[level.upper()]
    theirs = max(ours, logging.INFO)
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": lambda: formatter(form)}},
        "filters": {"discreet": {"()": lambda: discreet}},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["discreet"],
            }
        },
        "root": {"level": max(ours, logging.WARNING), "handlers": ["console"]},
        "loggers": {
            OURS: {"level": ours},
            SERVER: {"level": theirs, "handlers": [], "propagate": True},
        },
    }


def formatter(form: Literal["json", "text"]) -> ProcessorFormatter:
    """Makes one line of a record, or in ``text`` some where there is a traceback."""
    last: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if form == "json"
        else structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        )
    )
    return ProcessorFormatter(
        foreign_pre_chain=[merge_contextvars, add_logger_name, add_log_level, ExtraAdder()],
        processors=[
            ProcessorFormatter.remove_processors_meta,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            masked,
            last,
        ],
    )


def masked(_: Any, __: str, event: EventDict) -> EventDict:
    """Blot out what has the form of a key, wherever it is said; a traceback may quote one."""
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = _LIKE_A_KEY.sub("[key]", value)
    return event


def discreet(record: logging.LogRecord) -> bool:
    """Drop from a record what others would tell of a request; the record itself stays."""
    said = str(record.msg)
    if record.name == SERVER and said.startswith(_TELLS_OF_REQUESTS):
        record.msg, record.args = " ".join(said.split()[:2]), ()
    elif record.name == OURS and said.startswith("Exception on"):  # flask, of an unforeseen error
        record.msg, record.args = "a request failed", ()
    return True


# ----------------------------------------------------------------------------------- requests


def begin_request(request_id: str) -> None:
    """Let all that is logged from here on bear the id of a request."""
    bind_contextvars(request_id=request_id)


def end_request() -> None:
    """Let it bear none."""
    unbind_contextvars("request_id")


def log_request(method: str, route: str, status: int, seconds: float) -> None:
    """Write one line about a request."""
    if logger.isEnabledFor(logging.INFO):
        ms = round(seconds * 1000, 1)
        facts = {"method": method, "route": route, "status": status, "ms": ms}
        logger.info("request", extra=facts)
