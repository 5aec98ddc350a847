"""``cli.export_one``: export of one session, with a progress bar for long logs on a terminal."""

import pytest
from click._termui_impl import ProgressBar

from scorekeeper.cli import export_one
from scorekeeper.exports.formats import FORMATS, count_parts, export_file
from scorekeeper.languages.reader import PROGRAM
from tests.cli.asking import terminal
from tests.exports.samples import ID, evening_of, log_of, riparto
from tests.thinned import thinned


@pytest.mark.parametrize("form", thinned(FORMATS, 3))
def test_file_is_the_same_with_and_without_a_bar(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stderr = terminal(monkeypatch)
    events = riparto(4)
    log = log_of(events)
    plain = export_one.export_session(log, ID, form, PROGRAM)
    assert plain == export_file(form, evening_of(events), log)
    assert stderr.getvalue() == "", "of a short log"
    monkeypatch.setattr(export_one, "PROGRESS_BAR_MIN_EVENTS", 5)
    assert export_one.export_session(log, ID, form, PROGRAM) == plain
    assert f"Making {form}" in stderr.getvalue()


def test_no_bar_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(export_one, "PROGRESS_BAR_MIN_EVENTS", 0)
    export_one.export_session(log_of(riparto(1)), ID, "text", PROGRAM)
    assert capsys.readouterr().err == ""


def test_bar_advances_with_each_line_and_each_part(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []
    update = ProgressBar.update

    def record_step(self: ProgressBar[int], n_steps: int, current_item: int | None = None) -> None:
        steps.append(n_steps)
        update(self, n_steps, current_item)

    monkeypatch.setattr(ProgressBar, "update", record_step)
    log = log_of(riparto(3))
    export_one.export_session(log, ID, "zip", PROGRAM)
    lines = [len(line) for line in log.splitlines(keepends=True)]
    assert steps[: len(lines)] == lines
    assert sum(step > 0 for step in steps) == len(lines) + count_parts("zip")
    assert sum(steps) <= 2 * len(log)
