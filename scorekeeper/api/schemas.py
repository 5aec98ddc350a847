"""The marshmallow schemas of answers, from which the OpenAPI document is made.

A view returns plain values. Its schema documents them and does not change them, so that a key
that a game adds to the report is not lost. The tests check that answers match the document.
"""

import inspect
from typing import Any, Final

from marshmallow import EXCLUDE, Schema, fields, validate

from scorekeeper.clubs.events import CLUB_EVENTS
from scorekeeper.http.problems import PROBLEMS
from scorekeeper.log.schema import SEAL_FIELDS, data_schema, log_schema
from scorekeeper.store.keyring import CLUB_LETTER, ID_LENGTH, LETTERS

EVENTS: Final = log_schema()["$defs"]  # the data of each type of event
OF_CLUBS: Final = {
    event_type.TYPE: {
        "description": inspect.cleandoc(event_type.__doc__ or ""),
        **data_schema(event_type),
    }
    for event_type in CLUB_EVENTS
}  # the same of a club
HASH: Final[str] = SEAL_FIELDS["hash"]["pattern"]
TIME: Final[str] = SEAL_FIELDS["at"]["pattern"]
ID: Final = f"^[{LETTERS}]{{{ID_LENGTH}}}$"
CLUB_ID: Final = f"^{CLUB_LETTER}[{LETTERS}]{{{ID_LENGTH - 1}}}$"


def words(doc: str, **more: Any) -> fields.String:
    """Return the field of a required text; ``doc`` describes it in the OpenAPI document."""
    return fields.String(required=True, metadata={"description": doc}, **more)


def like(pattern: str, doc: str, **more: Any) -> fields.String:
    """Return the field of a required text that matches a pattern; ``doc`` describes it."""
    return fields.String(required=True, metadata={"description": doc, "pattern": pattern}, **more)


def number(doc: str, **more: Any) -> fields.Integer:
    """Return the field of a required whole number; ``doc`` describes it."""
    return fields.Integer(required=True, strict=True, metadata={"description": doc}, **more)


def counted(doc: str, **more: Any) -> fields.Integer:
    """Return the field of a required whole number of at least 0; ``doc`` describes it."""
    return number(doc, validate=validate.Range(0), **more)


def flag(doc: str) -> fields.Boolean:
    """Return the field of a required boolean; ``doc`` describes it."""
    return fields.Boolean(required=True, metadata={"description": doc})


def one_of(doc: str, values: Any) -> fields.String:
    """Return the field of a required text, one of ``values``; ``doc`` describes it."""
    return words(doc, validate=validate.OneOf(list(values)))


def many(of: Any, doc: str, *, required: bool = True, **more: Any) -> fields.List[Any]:
    """Return the field of a list of values with the field ``of``; ``doc`` describes it."""
    return fields.List(of, required=required, metadata={"description": doc}, **more)


def each(of: Any, doc: str, **more: Any) -> fields.Dict:
    """Return the field of a required object whose values have the field ``of``, by any key."""
    return fields.Dict(
        keys=fields.String(), values=of, required=True, metadata={"description": doc}, **more
    )


def part(of: type[Schema], doc: str = "", *, required: bool = True, **more: Any) -> fields.Nested:
    """Return the field of an object with the schema ``of``; ``doc`` describes it."""
    metadata = {"description": doc} if doc else {}
    return fields.Nested(of, required=required, metadata=metadata, **more)


class AnswerSchema(Schema):
    """Base of the schemas of answers, which are documented and sent unchanged."""

    class Meta:
        """Readers ignore unknown members, which later versions may add."""

        unknown = EXCLUDE

    def dump(self, obj: Any, *, many: bool | None = None) -> Any:
        """Return the value unchanged."""
        return obj


class ProblemSchema(AnswerSchema):
    """A refusal and its reason (RFC 9457)."""

    type = words("the address at which this kind of problem is explained")
    title = words("the kind of problem")
    status = number("the HTTP status")
    code = words(f"the kind of problem, for programs: {', '.join(PROBLEMS)}, …")
    detail = words("the expected and the actual value, or another explanation")
    line = fields.Integer(metadata={"description": "the line of the log at fault, from 1"})
    field = fields.String(metadata={"description": "the field or parameter at fault"})
    findings = fields.List(
        fields.Nested("FindingSchema"),
        metadata={"description": "the findings that would be added, if the events break a rule"},
    )
    match = fields.Integer(
        metadata={"description": "the number of the match of the confirmed hand"}
    )
    hand = fields.Integer(metadata={"description": "the number of the confirmed hand in its match"})
    version = fields.Integer(metadata={"description": "the present version of the session"})
    head = fields.String(metadata={"description": "the present head", "pattern": HASH})


class VerdictSchema(AnswerSchema):
    """The verdict on a sealed log."""

    ok = flag("true if the log is intact")
    events = counted("the number of intact events")
    head = words("the hash of the last intact event; empty if there is none")
    first_bad_line = number("the number of the first damaged line", allow_none=True)
    reason = words("the problem in words; empty if there is none")
