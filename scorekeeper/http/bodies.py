"""What comes as the body of a request: a log file, or JSON of some schema."""

from io import BytesIO
from typing import IO, Any, Final

from flask import Request, g, request
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, UnsupportedMediaType
from werkzeug.formparser import FormDataParser

from scorekeeper.base.errors import UnusableError, printable
from scorekeeper.log import canonical

LARGEST: Final = 8 << 20  # bytes of a log
LARGEST_JSON: Final = 2 << 20  # bytes; a value takes tens of times as many in memory
MOST_BESIDE_TEXTS: Final = 256 << 10  # bytes of a JSON outside of its texts

# Fields of a form: the longest one asks who each of a thousand players is.
MOST_FIELDS: Final = 4000
MOST_CHARACTERS: Final = 64 << 10  # of a field that is no log
LOG_FIELD: Final = "text"  # in which a log is pasted; its reader has limits of its own

JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"

# A log has no registered media type; these are what clients send one as.
LOG_TYPES: Final = ("application/x-ndjson", "application/jsonl", "application/octet-stream",
                    "text/plain")  # fmt: skip


class BoundedFormParser(FormDataParser):
    """Reads a form with limits on its fields and their texts.

    Our forms stay far below these limits. To normalise a text takes time that grows with the
    square of the number of marks on one letter.
    """

    def parse(
        self,
        stream: IO[bytes],
        mimetype: str,
        content_length: int | None,
        options: dict[str, str] | None = None,
    ) -> Any:
        """Return what is left of the stream, the fields and the files."""
        if mimetype == FORM:
            body = stream.read()
            if body.count(b"&") >= MOST_FIELDS:
                raise RequestEntityTooLarge(f"expected at most {MOST_FIELDS} fields in a form")
            stream = BytesIO(body)
        rest, fields, files = super().parse(stream, mimetype, content_length, options)
        for name, text in fields.items(multi=True):
            _refuse_costly_field(name, text)
        return rest, fields, files


def _refuse_costly_field(name: str, text: str) -> None:
    try:
        for part in (name, text) if name != LOG_FIELD else ():
            if len(part) > MOST_CHARACTERS:
                raise RequestEntityTooLarge(f"expected at most {MOST_CHARACTERS} characters")
            canonical.refuse_many_marks(part)
    except UnusableError as error:
        raise BadRequest(str(error)) from None


class BoundedRequest(Request):
    """A request whose form has a bounded number of fields."""

    form_data_parser_class = BoundedFormParser


def log_body() -> bytes:
    """The log that came with the request; refused where it is said to be something else."""
    refuse_other_types(f"a log file as {LOG_TYPES[0]}", LOG_TYPES)
    return whole_body(LARGEST)


def refuse_other_types(what: str, types: tuple[str, ...]) -> None:
    """Refuse a body that is said to be of another type, or is encoded."""
    said = request.environ.get("CONTENT_TYPE")  # as most say it: parsed only where it is said else
    if said not in types and request.mimetype not in types:
        raise UnsupportedMediaType(f"expected {what}, got {request.mimetype[:80] or 'no type'}")
    encoding: str = request.environ.get("HTTP_CONTENT_ENCODING", "identity")
    if encoding.lower() != "identity":
        raise UnsupportedMediaType(f"expected it as it is, got it encoded as {encoding[:80]}")


def json_body(largest: int = LARGEST_JSON) -> Any:
    """The JSON that came, its texts in NFC; ``g.body`` holds its bytes.

    UnusableError where a value has no canonical form; what is no JSON at all is malformed. What
    stands outside of its texts is bounded: it is what takes time and memory to read.
    """
    refuse_other_types(JSON, (JSON,))
    body = g.body = whole_body(largest)
    if len(body) > MOST_BESIDE_TEXTS and beside_texts(body) > MOST_BESIDE_TEXTS:
        raise RequestEntityTooLarge(f"expected at most {MOST_BESIDE_TEXTS >> 10} KiB beside texts")
    try:
        return canonical.settled(body, canonical.decode(body))
    except UnusableError as error:
        if error.field:
            raise
        raise BadRequest(str(error)) from None


def beside_texts(body: bytes) -> int:
    """How many bytes of JSON stand outside of its texts, or more than that is allowed.

    One look at each byte, whatever came: a text that does not end reaches to the end.
    """
    bare = body.replace(b"\\\\", b"").replace(b'\\"', b"")  # only in texts is anything escaped
    quotes = bare.count(b'"')
    if quotes > MOST_BESIDE_TEXTS:
        return quotes
    return quotes + sum(map(len, bare.split(b'"')[::2]))


def loaded(schema: Schema, value: Any) -> Any:
    """A value as a schema reads it.

    Raises `UnusableError`.
    """
    if type(value) is dict and len(value) > len(schema.fields):  # marshmallow notes all of them
        known = {field.data_key or name for name, field in schema.fields.items()}
        unknown = next(name for name in value if name not in known)
        raise unusable(schema, {unknown: ["Unknown field."]})
    try:
        return schema.load(value)
    except ValidationError as error:
        raise unusable(schema, error.messages) from None


def unusable(schema: Schema, messages: Any) -> UnusableError:
    """The first of marshmallow's messages, with the path of its field."""
    path = []
    while isinstance(messages, dict):
        name, messages = next(iter(messages.items()))
        if name != "_schema":
            path.append(printable(str(name)))
    said = str(messages[0])
    if said == "Unknown field.":
        said = f"unknown field; expected {', '.join(schema.fields)}"
    return UnusableError(said, field=".".join(path))


def whole_body(limit: int) -> bytes:
    """The body of the request; refused where it is too large.

    A body that comes in chunks has no length to look at beforehand, and what is read of it
    simply ends at the limit: so one byte more is read, that a log is never scored in part.
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
    """Refuse what came of a body of which more was to come."""
    if len(body) < (request.content_length or 0):
        raise BadRequest("the connection ended before the body did")
