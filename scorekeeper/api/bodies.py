"""A log file as the body of a request."""

import io
from typing import Any, BinaryIO, Final

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

LARGEST: Final = 8 << 20  # bytes
MOST_PASSED_OVER: Final = 64 << 20  # bytes

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
    return io.BytesIO(whole_body())


def whole_body() -> bytes:
    """The body of the request; refused where it is too large.

    A body that comes in chunks has no length to look at beforehand, and what is read of it
    simply ends at the limit: so one byte more is read, that a log is never scored in part.
    """
    limit = request.max_content_length or LARGEST
    request.max_content_length = limit + 1
    body = request.get_data(cache=False)
    if len(body) > limit:
        raise RequestEntityTooLarge
    return body


def pass_over() -> None:
    """Read what a client still sends of a body that is too large, so that it hears the answer."""
    length = request.content_length or 0
    if length <= LARGEST and not request.environ.get("wsgi.input_terminated"):
        return  # nobody knows how much is still to come
    stream = request.environ["wsgi.input"]
    left = min(length or MOST_PASSED_OVER, MOST_PASSED_OVER)
    while left > 0 and (chunk := stream.read(min(left, 1 << 16))):
        left -= len(chunk)
