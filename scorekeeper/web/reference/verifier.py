"""``/verify.py``: a program that verifies a log without this service."""

from pathlib import Path
from typing import Final

from flask import Blueprint, Response

from scorekeeper.exports import verifier

blueprint = Blueprint("verifier", __name__)

SOURCE: Final = Path(verifier.__file__).read_bytes()


@blueprint.get("/verify.py")
def program() -> Response:
    """Return the program as a download."""
    answer = Response(SOURCE, content_type="text/x-python; charset=utf-8")
    answer.headers["Content-Disposition"] = 'attachment; filename="verify.py"'
    return answer
