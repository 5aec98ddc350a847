"""The server log: one line for each record of the process, without secrets.

Modules use the logging of the standard library. Of a request only the method, the template of the
route, the status and the time are logged, because paths, query strings, headers and bodies may
contain keys.
"""

import logging
import re
from typing import Final, Literal

import structlog
from structlog.contextvars import bind_contextvars, merge_contextvars, unbind_contextvars
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level, add_logger_name
from structlog.typing import EventDict, Processor

from scorekeeper.base.json_object import JsonObject

OWN_LOGGER: Final = "scorekeeper"
SERVER_LOGGER: Final = "gunicorn.error"

# The form of a capability key: 32 characters, with lower and upper case letters.
_LIKE_A_KEY: Final = re.compile(
    r"(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{32}(?![\w-])", re.ASCII
)
# Beginnings of messages of the server that continue with data sent by the client.
_QUOTES_THE_CLIENT: Final = ("Error handling connection",)

logger = logging.getLogger(f"{OWN_LOGGER}.requests")


# --------------------------------------------------------------------------------------- format


def logging_config(level: str, form: Literal["json", "text"]) -> JsonObject:
    """Return a configuration for ``logging.config.dictConfig``, which gunicorn also takes.

    Levels below ``info`` apply to this package only, because other packages then log paths.
    """
    own_level = logging.getLevelNamesMapping()[level.upper()]
    server_level = max(own_level, logging.INFO)
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": lambda: create_formatter(form)}},
        "filters": {"request": {"()": lambda: drop_request_details}},
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "filters": ["request"],
            }
        },
        "root": {"level": max(own_level, logging.WARNING), "handlers": ["console"]},
        "loggers": {
            OWN_LOGGER: {"level": own_level},
            SERVER_LOGGER: {"level": server_level, "handlers": [], "propagate": True},
        },
    }


def create_formatter(form: Literal["json", "text"]) -> ProcessorFormatter:
    """Create a formatter that replaces everything that looks like a key.

    It writes one line for each record, and in ``text`` also the lines of a traceback.
    """
    renderer: Processor = (
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
            mask_keys,
            renderer,
        ],
    )


def mask_keys(_: object, __: str, event: EventDict) -> EventDict:
    """Replace strings with the form of a key by ``[key]`` in all values: a structlog processor."""
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = _LIKE_A_KEY.sub("[key]", value)
    return event


def drop_request_details(record: logging.LogRecord) -> bool:
    """Remove paths and client data from records of gunicorn and flask; a logging filter.

    Always returns true, so each record is kept.
    """
    message = str(record.msg)
    if record.name == SERVER_LOGGER and message.startswith(_QUOTES_THE_CLIENT):
        record.msg, record.args = " ".join(message.split()[:2]), ()
    elif record.name == OWN_LOGGER and message.startswith("Exception on"):  # flask, with the path
        record.msg, record.args = "a request failed", ()
    return True


# ----------------------------------------------------------------------------------- requests


def bind_request_id(request_id: str) -> None:
    """Add the id of a request to all records of this context from now on."""
    bind_contextvars(request_id=request_id)


def unbind_request_id() -> None:
    """Add no request id any more."""
    unbind_contextvars("request_id")


def log_request(method: str, route: str, status: int, seconds: float) -> None:
    """Log one line about a request at level info."""
    if logger.isEnabledFor(logging.INFO):
        ms = round(seconds * 1000, 1)
        facts = {"method": method, "route": route, "status": status, "ms": ms}
        logger.info("request", extra=facts)
