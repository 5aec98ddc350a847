"""``/verify.py``: the tested program, as a download."""

import subprocess
import sys
from pathlib import Path

from flask.testing import FlaskClient

from scorekeeper.exports import verifier
from tests.evenings import a_log, sealed


def test_it_is_the_program_that_was_tested(client: FlaskClient, tmp_path: Path) -> None:
    answer = client.get("/verify.py")
    assert (answer.status_code, answer.mimetype) == (200, "text/x-python")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="verify.py"'
    assert answer.data == Path(verifier.__file__).read_bytes()
    program = tmp_path / "verify.py"
    program.write_bytes(answer.data)
    done = subprocess.run(
        [sys.executable, "-I", str(program), "-"], input=sealed(a_log()), check=True,
        capture_output=True,
    )  # fmt: skip
    assert done.stdout.startswith(b"intact: 11 events, head ")
