"""``/api/published/<address>``: the table that a club publishes, for programs of any site."""

from typing import Final

from flask import Response

from scorekeeper.api.club_schemas import SeasonSchema
from scorekeeper.api.decorators import IF_NONE_MATCH, UNCHANGED
from scorekeeper.api.document import Blueprint, asks, refuses, text_header
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import to_json_values
from scorekeeper.clubs.published import PublishedStandingsView
from scorekeeper.http.bodies import JSON
from scorekeeper.http.public_pages import find_publication, shared_answer
from scorekeeper.http.public_seasons import public_season
from scorekeeper.log.writing import as_json
from scorekeeper.store.keyring import ADDRESS_PATTERN

blueprint = Blueprint(
    "public_seasons", __name__, description="Tables that clubs publish; nobody needs a key."
)

ADDRESS: Final = {
    "name": "address", "in": "path", "schema": {"type": "string", "pattern": ADDRESS_PATTERN},
    "description": "the public address, which the host of the club hands out",
}  # fmt: skip
ANY_SITE: Final = "Access-Control-Allow-Origin"
HEADERS: Final = {
    "ETag": text_header("changes with the table", '^"[0-9a-f]+"$'),
    ANY_SITE: text_header("any site", r"^\*$"),
}


@blueprint.route("/published/<address>", parameters=[ADDRESS])
@blueprint.response(
    200, schema_of(PublishedStandingsView), description="The table.", headers=HEADERS
)
@asks(IF_NONE_MATCH)
@Blueprint.doc(responses={304: {**UNCHANGED, "headers": HEADERS}})
@refuses("malformed", "not_found", "busy", "storage_unavailable")
@blueprint.query(SeasonSchema)
def get_published(asked: JsonObject, address: str) -> Response:
    """Return the table that a club publishes at an address; scripts of any site may read it.

    It is at most 30 seconds old. An address that the club has taken back is not found.
    """
    publication = find_publication(address)
    values = public_season(publication, asked.get("season"))
    key = publication.address, publication.names, values.season.id
    answer = shared_answer(key, JSON, lambda: as_json(to_json_values(values)))
    answer.headers[ANY_SITE] = "*"
    return answer
