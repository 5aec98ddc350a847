"""Templates are compiled once for all processes that use the same folder."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment

from scorekeeper.web.frame.templates import FOLDER
from tests.api.asking import client_of


def loaded_pages(data_dir: Path) -> int:
    """Return how many templates a new application compiles or finds compiled for its home page."""
    client = client_of(data_dir=data_dir)
    assert client.get("/").status_code == 200
    return len(client.application.jinja_env.cache or ())


def test_a_template_is_compiled_for_the_first_application_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert loaded_pages(tmp_path) == len(list((tmp_path / FOLDER).iterdir()))
    assert (tmp_path / FOLDER).stat().st_mode & 0o777 == 0o700
    monkeypatch.setattr(Environment, "compile", None)
    assert loaded_pages(tmp_path)


def test_damaged_code_is_compiled_again(tmp_path: Path) -> None:
    loaded_pages(tmp_path)
    for file in (tmp_path / FOLDER).iterdir():
        file.write_bytes(file.read_bytes()[:100])
    assert loaded_pages(tmp_path)
    assert all(file.stat().st_size > 100 for file in (tmp_path / FOLDER).iterdir())


@pytest.mark.parametrize("folder", ["missing", "file", "file/missing"])
def test_pages_need_no_folder(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").touch()
    assert loaded_pages(tmp_path / folder)
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_compiled_code_depends_on_the_template_alone() -> None:
    """Jinja calls a filter while it compiles if all that the filter needs is in the template.

    Its result, in the language of that moment, would be kept when the filter changes.
    """
    env = client_of().application.jinja_env
    called: list[str] = []

    def noted(name: str, function: Any) -> Callable[..., Any]:
        @wraps(function)  # also what Jinja passes to it
        def note(*_: Any, **__: Any) -> str:
            called.append(name)
            return name

        return note

    for table in (env.filters, env.tests):
        table.update({name: noted(name, function) for name, function in table.items()})
    assert env.loader is not None
    for template in env.list_templates(extensions=["html"]):
        env.compile(env.loader.get_source(env, template)[0], template)
    assert called == []
    env.compile('{{ "a" | upper }}')
    assert called == ["upper"]
