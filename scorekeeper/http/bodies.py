"""The bodies of requests: log files, JSON and forms, and their limits."""

from io import BytesIO
from typing import IO, Any, Final

from flask import Request, g, request
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, UnsupportedMediaType
from werkzeug.formparser import FormDataParser

from scorekeeper.base.errors import UnusableError, printable
from scorekeeper.log import canonical

MAX_LOG_BYTES: Final = 8 << 20
MAX_JSON_BYTES: Final = 2 << 20  # decoded, it takes tens of times as many bytes in memory
MAX_BYTES_OUTSIDE_TEXTS: Final = 256 << 10  # of JSON: these cost time and memory to decode

# The longest form of ours assigns each of a thousand players.
MAX_FORM_FIELDS: Final = 4000
MAX_FIELD_CHARACTERS: Final = 64 << 10  # of a field other than a log
LOG_FIELD: Final = "text"  # contains a pasted log, whose reader has its own limits

JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"

# A log has no registered media type. Clients send one of these.
LOG_TYPES: Final = ("application/x-ndjson", "application/jsonl", "application/octet-stream",
                    "text/plain")  # fmt: skip


class BoundedFormParser(FormDataParser):
    """A parser of forms that limits the number of fields and their texts.

    Our forms stay far below these limits. Normalising a text takes time that grows with the square
    of the number of combining marks on one letter.
    """

    def parse(
        self,
        stream: IO[bytes],
        mimetype: str,
        content_length: int | None,
        options: dict[str, str] | None = None,
    ) -> Any:
        """Return the rest of the stream, the fields and the files of a form.

        Raises `RequestEntityTooLarge` for too many fields or a field that is too long, and
        `BadRequest` for a field without a name, or a text with too many combining marks.
        """
        if mimetype == FORM:
            body = stream.read()
            if body.count(b"&") >= MAX_FORM_FIELDS:
                raise RequestEntityTooLarge(f"expected at most {MAX_FORM_FIELDS} fields in a form")
            stream = BytesIO(body)
        rest, fields, files = super().parse(stream, mimetype, content_length, options)
        for name, text in fields.items(multi=True):
            _refuse_costly_field(name, text)
        return rest, fields, files


def _refuse_costly_field(name: str | None, text: str) -> None:
    """Raise the errors of `BoundedFormParser.parse` for one field."""
    if name is None:  # a part of a multipart form need not have one
        raise BadRequest("expected a name for each field of a form")
    try:
        for part in (name, text) if name != LOG_FIELD else ():
            if len(part) > MAX_FIELD_CHARACTERS:
                raise RequestEntityTooLarge(f"expected at most {MAX_FIELD_CHARACTERS} characters")
            canonical.refuse_many_marks(part)
    except UnusableError as error:
        raise BadRequest(str(error)) from None


class BoundedRequest(Request):
    """A request whose form has a bounded number of fields."""

    form_data_parser_class = BoundedFormParser


def drop_routing_error(error: BaseException | None) -> None:
    """Forget why no route was found, once a request is answered.

    The error refers to the request by its traceback: with this cycle, the body would stay in memory
    until the next garbage collection.
    """
    request.routing_exception = None


def log_body() -> bytes:
    """Return the log in the body. Raises `UnsupportedMediaType` for another content type."""
    refuse_other_types(f"a log file as {LOG_TYPES[0]}", LOG_TYPES)
    return whole_body(MAX_LOG_BYTES)


def refuse_other_types(what: str, types: tuple[str, ...]) -> None:
    """Raise `UnsupportedMediaType` if the body has none of these content types, or is encoded.

    ``what`` names the expected body in the message.
    """
    header = request.environ.get("CONTENT_TYPE")  # usually exact; parsed only if it is not
    if header not in types and request.mimetype not in types:
        raise UnsupportedMediaType(f"expected {what}, got {request.mimetype[:80] or 'no type'}")
    encoding: str = request.environ.get("HTTP_CONTENT_ENCODING", "identity")
    if encoding.lower() != "identity":
        raise UnsupportedMediaType(f"expected it as it is, got it encoded as {encoding[:80]}")


def json_body(largest: int = MAX_JSON_BYTES) -> Any:
    """Return the decoded JSON body, with its texts in NFC; ``g.body`` is set to its bytes.

    Raises `UnusableError` if a value has no canonical form, `BadRequest` if the body is no JSON,
    and `RequestEntityTooLarge` if it is longer than ``largest`` or has too much outside of texts.
    """
    refuse_other_types(JSON, (JSON,))
    body = g.body = whole_body(largest)
    if len(body) > MAX_BYTES_OUTSIDE_TEXTS and bytes_outside_texts(body) > MAX_BYTES_OUTSIDE_TEXTS:
        raise RequestEntityTooLarge(
            f"expected at most {MAX_BYTES_OUTSIDE_TEXTS >> 10} KiB beside texts"
        )
    try:
        return canonical.normalize_line(body, canonical.decode(body))
    except UnusableError as error:
        if error.field:
            raise
        raise BadRequest(str(error)) from None


def bytes_outside_texts(body: bytes) -> int:
    """Return the number of bytes of a JSON body outside of its texts, including their quotes.

    If there are too many quotes, their number is returned. The time is linear for any input: a text
    without an end quote reaches to the end of the body.
    """
    bare = body.replace(b"\\\\", b"").replace(b'\\"', b"")  # escapes exist only in texts
    quotes = bare.count(b'"')
    if quotes > MAX_BYTES_OUTSIDE_TEXTS:
        return quotes
    return quotes + sum(map(len, bare.split(b'"')[::2]))


def load_body(schema: Schema, value: Any) -> Any:
    """Return a value as the schema loads it. Raises `UnusableError` if it does not match."""
    if type(value) is dict and len(value) > len(schema.fields):  # marshmallow collects all of them
        known = {field.data_key or name for name, field in schema.fields.items()}
        unknown = next(name for name in value if name not in known)
        raise first_error(schema, {unknown: ["Unknown field."]})
    try:
        return schema.load(value)
    except ValidationError as error:
        raise first_error(schema, error.messages) from None


def first_error(schema: Schema, messages: Any) -> UnusableError:
    """Return the first of marshmallow's nested messages as an error with the path of its field."""
    path = []
    while isinstance(messages, dict):
        name, messages = next(iter(messages.items()))
        if name != "_schema":
            path.append(printable(str(name)))
    message = str(messages[0])
    if message == "Unknown field.":
        message = f"unknown field; expected {', '.join(schema.fields)}"
    return UnusableError(message, field=".".join(path))


def whole_body(limit: int) -> bytes:
    """Return the body of the request. Raises `RequestEntityTooLarge` above ``limit`` bytes.

    A chunked body declares no length, and Werkzeug cuts it at the limit. One byte more is read, so
    that a log is never scored in part.
    """
    request.max_content_length = limit + 1
    try:
        body = request.get_data(cache=False)
    except RequestEntityTooLarge:
        body = None
    if body is None or len(body) > limit:
        raise RequestEntityTooLarge(f"expected at most {limit >> 20} MiB")
    refuse_cut(body)
    return body


def refuse_cut(body: bytes) -> None:
    """Raise `BadRequest` if the body is shorter than its declared length."""
    if len(body) < (request.content_length or 0):
        raise BadRequest("the connection ended before the body did")
