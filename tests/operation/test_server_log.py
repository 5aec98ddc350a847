"""The server log: the content of its lines, and no secrets in them.

Tests of ``http.monitoring``.
"""

import inspect
import io
import json
import logging
import re
import secrets
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from flask import Flask, Response

from scorekeeper.app import create_app
from scorekeeper.config import read_settings
from scorekeeper.operation import server_log
from scorekeeper.store import MemoryStore


class Log:
    """The formatted log records of this package and of the server."""

    def __init__(self, form: Any) -> None:
        self.stream = io.StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(server_log.create_formatter(form))
        self.handler.addFilter(server_log.drop_request_details)

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture(params=["json"])
def log(request: pytest.FixtureRequest) -> Iterator[Log]:
    log = Log(request.param)
    loggers = [
        logging.getLogger(name) for name in (server_log.OWN_LOGGER, server_log.SERVER_LOGGER)
    ]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(log.handler)
        logger.setLevel(logging.INFO)
    yield log
    for logger, level in zip(loggers, levels, strict=True):
        logger.removeHandler(log.handler)
        logger.setLevel(level)


@pytest.fixture
def failing() -> Flask:
    """Return an application with a view that fails and a stream that breaks off."""
    app = create_app(read_settings(), MemoryStore())

    def fail(what: str) -> Response:
        logging.getLogger("scorekeeper.somewhere").warning("it will fail")
        raise ValueError("no good")

    def break_off() -> Response:
        def body() -> Iterator[bytes]:
            yield b"x"
            logging.getLogger("scorekeeper.somewhere").warning("it breaks off")
            raise ValueError("no good")

        return Response(body())

    app.add_url_rule("/fails/<what>", view_func=fail)
    app.add_url_rule("/breaks", view_func=break_off)
    return app


# --------------------------------------------------------------------------------- requests


def test_all_records_of_a_request_have_its_id(log: Log, failing: Flask) -> None:
    client = failing.test_client()
    ids = [client.get(f"/fails/{n}", buffered=True).headers["X-Request-ID"] for n in range(2)]
    assert len(set(ids)) == 2
    for id_ in ids:
        messages = [record["event"] for record in log.records if record["request_id"] == id_]
        assert messages == ["it will fail", "a request failed", "request"]
    logging.getLogger("scorekeeper.somewhere").warning("outside")
    assert "request_id" not in log.records[-1]


def test_failure_is_one_line_with_a_traceback_and_without_the_path(
    log: Log, failing: Flask
) -> None:
    answer = failing.test_client().get("/fails/canary?and=canary")
    assert answer.status_code == 500
    _, failure, request = log.records
    assert failure["level"] == "error"
    assert "Traceback" in failure["exception"]
    assert failure["exception"].endswith("ValueError: no good")
    assert (request["route"], request["status"]) == ("/fails/<what>", 500)
    assert "canary" not in log.text


def test_request_id_is_logged_until_its_stream_ends(log: Log, failing: Flask) -> None:
    answer = failing.test_client().get("/breaks")
    with pytest.raises(ValueError, match="no good"):
        answer.get_data()
    answer.close()
    logging.getLogger("scorekeeper.somewhere").warning("outside")
    ids = {record["event"]: record.get("request_id") for record in log.records}
    id_ = answer.headers["X-Request-ID"]
    assert ids == {"request": id_, "it breaks off": id_, "outside": None}


@pytest.mark.parametrize(
    ("method", "path", "logged", "route", "status"),
    [
        ("GET", "/", "GET", "/", 200),
        ("HEAD", "/", "HEAD", "/", 200),
        ("GET", "/rules/knock", "GET", "/rules/<game>", 200),
        ("GET", "/rules/nothing", "GET", "/rules/<game>", 404),
        ("GET", "/nothing", "GET", "", 404),
        ("DELETE", "/", "DELETE", "", 405),
        ("MADEUP", "/", "other", "", 405),
        ("GET", "/api/games/nothing", "GET", "/api/games/<game>", 404),
    ],
)
def test_request_is_logged_with_method_route_and_status(
    log: Log, failing: Flask, method: str, path: str, logged: str, route: str, status: int
) -> None:
    failing.test_client().open(path, method=method)
    (line,) = log.records
    assert (line["method"], line["route"], line["status"]) == (logged, route, status)
    assert 0 < line["ms"] < 60_000


# ----------------------------------------------------------------------------------- secrets


@pytest.mark.parametrize("_", range(20))
def test_strings_with_the_form_of_a_key_are_masked(log: Log, _: int) -> None:
    key = secrets.token_urlsafe(24)
    logger = logging.getLogger("scorekeeper.somewhere")
    logger.error("/join/%s failed", key, extra={"said": f"key={key}"})
    error = ValueError(f"no key\n{key}: '{key}'")
    logger.error("%s", key, exc_info=error)
    assert log.text.count("[key]") == 5
    assert key not in log.text


@pytest.mark.parametrize(
    "word", ["a" * 32, "0" * 64, "test_that_is_thirty_two_long_now", "CamelCaseIsNotThirtyTwo"]
)
def test_other_words_are_not_masked(log: Log, word: str) -> None:
    logging.getLogger("scorekeeper.somewhere").error("see %s", word)
    assert log.records[0]["event"] == f"see {word}"


@pytest.mark.parametrize(
    ("message", "values", "logged"),
    [
        ("Error handling connection: %s", ("GET /canary",), "Error handling"),
        ("Error in ASGI application", (), "Error in ASGI application"),
        ("Booting worker with pid: %s", (7,), "Booting worker with pid: 7"),
    ],
)  # fmt: skip
def test_messages_of_the_server_that_quote_a_client_are_truncated(
    log: Log, message: str, values: tuple[Any, ...], logged: str
) -> None:
    logging.getLogger(server_log.SERVER_LOGGER).error(message, *values)
    assert log.records[0]["event"] == logged


def test_messages_of_the_server_have_not_changed() -> None:
    source = inspect.getsource(import_module("gunicorn.asgi.protocol").ASGIProtocol)
    for message in server_log._QUOTES_THE_CLIENT:
        assert f'"{message}' in source
    calls = re.findall(r"self\.log\.(?:info|warning|error|exception|critical)\(", source)
    assert len(calls) == 15  # check any new call for data of the client


# ------------------------------------------------------------------------------------ levels


@pytest.mark.parametrize(
    ("level", "ours", "servers", "others"),
    [
        ("debug", "DEBUG", "INFO", "WARNING"),
        ("info", "INFO", "INFO", "WARNING"),
        ("warning", "WARNING", "WARNING", "WARNING"),
        ("error", "ERROR", "ERROR", "ERROR"),
    ],
)
def test_only_this_package_logs_below_info(
    level: str, ours: str, servers: str, others: str
) -> None:
    config = server_log.logging_config(level, "json")
    own, server = (
        config["loggers"][name] for name in (server_log.OWN_LOGGER, server_log.SERVER_LOGGER)
    )
    levels = [logging.getLevelName(logger["level"]) for logger in (own, server, config["root"])]
    assert levels == [ours, servers, others]


@pytest.mark.parametrize("log", ["text"], indirect=True)
def test_text_format_has_tracebacks_on_lines_of_their_own(log: Log, failing: Flask) -> None:
    failing.test_client().get("/fails/canary")
    lines = log.text.splitlines()
    assert "it will fail" in lines[0]
    assert "Traceback (most recent call last):" in lines
    assert "route=/fails/<what>" in lines[-1]
    assert "canary" not in log.text
