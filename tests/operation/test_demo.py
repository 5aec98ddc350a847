"""A real service with demos: nothing of them stays on the disk.

Tests of ``cli.demo``.
"""

import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.operation.serving import Answer, Server, serving

AT_ONCE = 6
DEMO = (sys.executable, "-m", "scorekeeper", "demo")


def open_table(server: Server) -> Answer:
    """Open a demo table."""
    return server.get("/demo/table", "POST", Sec_Fetch_Site="same-origin")


def look_at(server: Server, answer: Answer) -> Answer:
    """Return the page of a demo table that was just opened."""
    cookies = "; ".join(line.partition(";")[0] for line in answer.cookies)
    return server.get(answer.headers["Location"], Cookie=cookies)


def test_command_serves_a_demo_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    real = tmp_path / "real.db"
    with serving(tmp_path, command=DEMO, database_url=f"sqlite:///{real}", workers=4) as server:
        assert look_at(server, open_table(server)).status == 200
        assert list((tmp_path / "tmp").iterdir())
        assert server.origin.removeprefix("http://") in server.printed.read_text()
        server.stop()
    assert list((tmp_path / "tmp").iterdir()) == []
    assert not real.exists()
    assert not (tmp_path / "var").exists()


def test_demos_of_several_processes_are_gone_after_a_crash_and_after_an_end(tmp_path: Path) -> None:
    file = tmp_path / "var" / "demo" / "demo.db"
    with serving(tmp_path, workers=2) as server:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            opened = list(pool.map(lambda _: open_table(server), range(AT_ONCE)))
        assert [look_at(server, answer).status for answer in opened] == [200] * AT_ONCE
        server.stop(signal.SIGKILL)
    used = file.stat().st_size
    with serving(tmp_path, workers=2) as server:
        assert file.stat().st_size < used
        assert look_at(server, opened[0]).status == 410
        server.stop()
    assert not file.parent.exists()
