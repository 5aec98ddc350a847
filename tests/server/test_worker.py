"""gunicorn's worker as it is set up here."""

from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.glogging import Logger

from scorekeeper.operation.server_log import logging_config
from scorekeeper.server.worker import ServerLog

SETTINGS = Path(__file__, "../../../gunicorn.conf.py").resolve()


@pytest.mark.parametrize(("log", "makes"), [(Logger, True), (ServerLog, False)])
def test_no_line_is_made_of_a_request(log: type[Any], makes: bool) -> None:
    given = Config()
    given.set("logconfig_dict", logging_config("info", "json"))
    made = object.__new__(log)  # to set it up would set up that of the tests
    made.cfg = given
    assert made.access_log_enabled is makes


def test_server_uses_the_logging_configuration() -> None:
    given = Config()
    given.set("logger_class", run_path(str(SETTINGS))["logger_class"])
    assert given.logger_class is ServerLog
