"""A log file as the body of a request."""

import io
from typing import Any, BinaryIO, Final

from flask import request
from werkzeug.exceptions import UnsupportedMediaType

LARGEST: Final = 8 << 20  # bytes

# A log has no registered media type; these are what clients send one as.
LOG_TYPES: Final = ("application/x-ndjson", "application/jsonl", "application/octet-stream",
                    "text/plain")  # fmt: skip

EXAMPLE: Final = (
    '{"type":"session_opened","data":{"title":"Friday",'
    '"players":[{"id":"mara","name":"Mara"},{"id":"leo","name":"Leo"}]}}\n'
)

# The body as the OpenAPI document describes it.
LOG_BODY: Final[dict[str, Any]] = {
    "required": True,
    "description": "A log file, UTF-8, one event a line; at most 8 MiB.",
    "content": {
        name: {"schema": {"type": "string", "minLength": 1}, "example": EXAMPLE}
        for name in LOG_TYPES
    },
}


def log_body() -> BinaryIO:
    """The log that came with the request; refused where it is said to be something else."""
    if request.mimetype not in LOG_TYPES:
        raise UnsupportedMediaType(
            f"expected a log file as {LOG_TYPES[0]}, got {request.mimetype[:80] or 'no type'}"
        )
    encoding = request.headers.get("Content-Encoding", "identity")
    if encoding.lower() != "identity":
        raise UnsupportedMediaType(f"expected a log as it is, got one encoded as {encoding[:80]}")
    return io.BytesIO(request.get_data(cache=False))
