"""Templates are compiled one time, and beside the processes that serve requests."""

from pathlib import Path

import pytest
from jinja2 import Environment

from scorekeeper.web.frame.templates import load_templates
from tests.api.asking import client_of
from tests.operation.serving import START_SECONDS, environment
from tests.operation.warm import forked


def test_a_template_is_compiled_for_the_first_application_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = client_of(), client_of()
    assert first.get("/").status_code == 200
    monkeypatch.setattr(Environment, "compile", None)
    assert second.get("/").status_code == 200


def test_all_pages_can_be_made_ready_beforehand() -> None:
    app = client_of().application
    load_templates(app)
    ready = {name for _, name in app.jinja_env.cache or ()}
    assert {"home/index.html", "table/play.html", "results/page.html"} <= ready


def test_templates_are_compiled_by_a_process_that_ends(tmp_path: Path) -> None:
    logged = tmp_path / "logged"
    with logged.open("wb") as log:
        variables = environment(database_url="memory:")
        process = forked(["tests.web.compiling"], tmp_path, variables, log, log)
    assert process.wait(START_SECONDS) == 0, logged.read_text()
