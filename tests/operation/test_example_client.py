"""The example of a client runs as it stands, against a real server."""

import ast
import json
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.operation.serving import CHECKOUT, Server, serving

EXAMPLE = CHECKOUT / "examples" / "client.py"
MAX_LINES = 100


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("example")) as server:
        yield server


def start(address: str) -> subprocess.Popen[str]:
    """Start the example with no package of this project on its path."""
    command = [sys.executable, "-I", str(EXAMPLE), address]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_example_is_short_and_needs_only_the_standard_library() -> None:
    source = EXAMPLE.read_text("utf-8")
    assert len(source.splitlines()) <= MAX_LINES
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
        )
    }  # fmt: skip
    assert imported <= sys.stdlib_module_names


def test_the_example_records_a_hand_and_follows_the_table(server: Server) -> None:
    with start(server.origin) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "leo +5: Declared 5 and took 5 (R12)\n"
        _, table, *key = process.stdout.readline().split()
        body = json.dumps({"events": [{"type": "note_added", "data": {"text": "from a phone"}}]})
        answer = server.get(f"/api{table}/events", "POST", body, Content_Type="application/json",
                            If_Match='"5"', Authorization=" ".join(key))  # fmt: skip
        assert answer.status == 201, answer.body
        assert process.stdout.readline() == "6 note_added {'text': 'from a phone'}\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.parametrize("path", ["/nowhere", "/api"])
def test_the_example_says_what_the_service_refused(server: Server, path: str) -> None:
    with start(f"{server.origin}{path}") as process:
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (1, "")
    assert err.startswith(f"{server.origin}{path}/api/sessions: HTTP Error 40"), err
    assert "Traceback" not in err
