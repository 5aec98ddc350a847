"""The log: what a line says, and what is kept out of it.

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
    """What is logged by this project and by the server, as the formatter writes it."""

    def __init__(self, form: Any) -> None:
        self.stream = io.StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(server_log.formatter(form))
        self.handler.addFilter(server_log.discreet)

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture(params=["json"])
def log(request: pytest.FixtureRequest) -> Iterator[Log]:
    log = Log(request.param)
    loggers = [logging.getLogger(name) for name in (server_log.OURS, server_log.SERVER)]
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
    """An application in which a view fails, and a stream breaks off."""
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


def test_all_lines_of_a_request_have_its_id(log: Log, failing: Flask) -> None:
    client = failing.test_client()
    ids = [client.get(f"/fails/{n}", buffered=True).headers["X-Request-ID"] for n in range(2)]
    assert len(set(ids)) == 2
    for mine in ids:
        said = [one["event"] for one in log.records if one["request_id"] == mine]
        assert said == ["it will fail", "a request failed", "request"]
    logging.getLogger("scorekeeper.somewhere").warning("nobody asked")
    assert "request_id" not in log.records[-1]


def test_a_failure_is_one_line_with_its_traceback_and_without_its_path(
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


def test_the_id_stays_until_a_stream_has_ended_and_no_longer(log: Log, failing: Flask) -> None:
    answer = failing.test_client().get("/breaks")
    with pytest.raises(ValueError, match="no good"):
        answer.get_data()
    answer.close()
    logging.getLogger("scorekeeper.somewhere").warning("nobody asked")
    told = {one["event"]: one.get("request_id") for one in log.records}
    mine = answer.headers["X-Request-ID"]
    assert told == {"request": mine, "it breaks off": mine, "nobody asked": None}


@pytest.mark.parametrize(
    ("method", "path", "seen", "route", "status"),
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
def test_what_is_seen_of_a_request(
    log: Log, failing: Flask, method: str, path: str, seen: str, route: str, status: int
) -> None:
    failing.test_client().open(path, method=method)
    (line,) = log.records
    assert (line["method"], line["route"], line["status"]) == (seen, route, status)
    assert 0 < line["ms"] < 60_000


# ----------------------------------------------------------------------------------- secrets


@pytest.mark.parametrize("_", range(20))
def test_what_has_the_form_of_a_key_is_blotted_out(log: Log, _: int) -> None:
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
def test_what_is_no_key_stays(log: Log, word: str) -> None:
    logging.getLogger("scorekeeper.somewhere").error("see %s", word)
    assert log.records[0]["event"] == f"see {word}"


@pytest.mark.parametrize(
    ("said", "values", "told"),
    [
        ("Error handling connection: %s", ("GET /canary",), "Error handling"),
        ("Error in ASGI application", (), "Error in ASGI application"),
        ("Booting worker with pid: %s", (7,), "Booting worker with pid: 7"),
    ],
)  # fmt: skip
def test_what_the_server_tells_of_requests_is_cut(
    log: Log, said: str, values: tuple[Any, ...], told: str
) -> None:
    logging.getLogger(server_log.SERVER).error(said, *values)
    assert log.records[0]["event"] == told


def test_the_server_still_says_it_in_these_words() -> None:
    source = inspect.getsource(import_module("gunicorn.asgi.protocol").ASGIProtocol)
    for said in server_log._TELLS_OF_REQUESTS:
        assert f'"{said}' in source
    told = re.findall(r"self\.log\.(?:info|warning|error|exception|critical)\(", source)
    assert len(told) == 15  # one more would have to be looked at


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
def test_only_this_project_tells_more_than_info(
    level: str, ours: str, servers: str, others: str
) -> None:
    told = server_log.config(level, "json")
    levels = [told["loggers"][server_log.OURS], told["loggers"][server_log.SERVER], told["root"]]
    assert [logging.getLevelName(one["level"]) for one in levels] == [ours, servers, others]


@pytest.mark.parametrize("log", ["text"], indirect=True)
def test_text_is_for_people(log: Log, failing: Flask) -> None:
    failing.test_client().get("/fails/canary")
    lines = log.text.splitlines()
    assert "it will fail" in lines[0]
    assert "Traceback (most recent call last):" in lines
    assert "route=/fails/<what>" in lines[-1]
    assert "canary" not in log.text
