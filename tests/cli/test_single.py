"""``cli.single``: one file of one session, and a bar only where that takes long, on a terminal."""

import pytest
from click._termui_impl import ProgressBar

from scorekeeper.cli import single
from scorekeeper.exports.formats import FORMATS, export_file, parts_of
from scorekeeper.languages.reader import PROGRAM
from tests.cli.asking import terminal
from tests.exports.samples import ID, evening_of, log_of, riparto


@pytest.mark.parametrize("form", FORMATS)
def test_the_file_is_the_same_with_a_bar_and_without(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = terminal(monkeypatch)
    events = riparto(4)
    log = log_of(events)
    plain = single.made_of(log, ID, form, PROGRAM)
    assert plain == export_file(form, evening_of(events), log)
    assert shown.getvalue() == "", "of a short log"
    monkeypatch.setattr(single, "WITH_PROGRESS", 5)
    assert single.made_of(log, ID, form, PROGRAM) == plain
    assert f"Making {form}" in shown.getvalue()


def test_where_nobody_looks_there_is_no_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(single, "WITH_PROGRESS", 0)
    single.made_of(log_of(riparto(1)), ID, "text", PROGRAM)
    assert capsys.readouterr().err == ""


def test_the_bar_goes_on_with_each_line_and_each_part(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    go_on = ProgressBar.update

    def noted(self: ProgressBar[int], n_steps: int, current_item: int | None = None) -> None:
        steps.append(n_steps)
        go_on(self, n_steps, current_item)

    monkeypatch.setattr(ProgressBar, "update", noted)
    log = log_of(riparto(3))
    single.made_of(log, ID, "zip", PROGRAM)
    lines = [len(line) for line in log.splitlines(keepends=True)]
    assert steps[: len(lines)] == lines
    assert sum(one > 0 for one in steps) == len(lines) + parts_of("zip")
    assert sum(steps) <= 2 * len(log)
