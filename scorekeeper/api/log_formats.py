"""``GET /api/schemas/{log_kind}`` and ``GET /api/samples``: the format of logs, and sample logs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from flask import Response, request
from werkzeug.exceptions import NotFound

from scorekeeper.api.document import Blueprint, refuses
from scorekeeper.api.exports import NDJSON, TEXT
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.paths import resource
from scorekeeper.base.views import DeclaredView, declare, to_json_values
from scorekeeper.events.common import MatchStarted
from scorekeeper.games import GAMES
from scorekeeper.log.reading import LogFile
from scorekeeper.service.log_schemas import LOG_SCHEMAS

blueprint = Blueprint("log_formats", __name__, description="The format of logs, and sample logs.")

SCHEMA_JSON: Final = "application/schema+json"
SAMPLES: Final = "samples"  # the folder of the logs
INDEX: Final = "index.json"  # in it: the name, kind and description of each log
KINDS: Final = tuple(LOG_SCHEMAS)


@dataclass(frozen=True, slots=True)
class SampleView(DeclaredView):
    """A sample log."""

    name: str = declare("the name, as in its address")
    about: str = declare("a short description")
    kind: str = declare("the kind of the log", values=KINDS)
    games: Sequence[str] = declare("the ids of the games that are played", values=tuple(GAMES))
    events: int = declare("the number of events", minimum=1)
    sealed: bool = declare("whether the log is sealed; otherwise it is written by hand")


@dataclass(frozen=True, slots=True)
class SamplesView(DeclaredView):
    """The sample logs."""

    samples: Sequence[SampleView] = declare("all sample logs")


@blueprint.route("/schemas/<log_kind>", parameters=[
    {"name": "log_kind", "in": "path", "schema": {"enum": list(KINDS)}, "description": "of logs"},
])  # fmt: skip
@blueprint.response(
    200, {"type": "object"}, content_type=SCHEMA_JSON, description="The JSON Schema."
)
@refuses("not_found")
def get_schema(log_kind: str) -> Response:
    """Return the JSON Schema of one line of a log of this kind, sealed or written by hand.

    It is made of the declarations of the events, of all games that this service knows. Everything
    that it refuses, an import refuses, too. It cannot know which players and events there are.
    """
    if log_kind not in LOG_SCHEMAS:
        raise NotFound(f"expected a kind of log ({', '.join(KINDS)}), got {log_kind[:60]}")
    return _lasting_answer(_encode_schema(log_kind), SCHEMA_JSON)


@blueprint.route("/samples")
@blueprint.response(200, schema_of(SamplesView), description="The sample logs.")
def list_samples() -> JsonObject:
    """List the sample logs: for each game and level of detail, and for corrections and clubs."""
    return to_json_values(SamplesView(list(read_samples().values())))


@blueprint.route("/samples/<sample>.jsonl", parameters=[
    {"name": "sample", "in": "path", "schema": {"type": "string"}, "description": "of the sample"},
])  # fmt: skip
@blueprint.response(200, TEXT, content_type=NDJSON, description="The log.")
@refuses("not_found")
def get_sample(sample: str) -> Response:
    """Return a sample log, as anybody can import, score and verify it."""
    if sample not in read_samples():
        raise NotFound(f"there is no sample {sample[:60]}; GET /api/samples lists them")
    return _lasting_answer((resource(SAMPLES) / f"{sample}.jsonl").read_bytes(), NDJSON)


@cache
def _encode_schema(kind: str) -> bytes:
    """Return the JSON Schema of a kind of log as bytes; cached."""
    return json.dumps(LOG_SCHEMAS[kind](), indent=2, ensure_ascii=False).encode()


def _lasting_answer(body: bytes, content_type: str) -> Response:
    """Return an answer that changes only with the version of the service, or 304."""
    answer = Response(body, content_type=content_type)
    answer.add_etag()
    answer.make_conditional(request)
    return answer


@cache
def read_samples() -> Mapping[str, SampleView]:
    """Return the sample logs by name, in the order of their index; cached."""
    index = json.loads((resource(SAMPLES) / INDEX).read_text("utf-8"))
    return {sample.name: sample for sample in map(_describe_sample, index)}


def _describe_sample(entry: Mapping[str, Any]) -> SampleView:
    """Return the description of a sample, from its entry in the index and its log."""
    with (resource(SAMPLES) / f"{entry['name']}.jsonl").open("rb") as stream:
        file = LogFile(stream)
        events = list(file)
    games = dict.fromkeys(raw.data["game"] for raw in events if raw.type == MatchStarted.TYPE)
    kind = entry.get("kind", KINDS[0])
    return SampleView(
        entry["name"], entry["about"], kind, list(games), len(events), bool(file.sealed)
    )
