"""Every route with a request that it answers well, for tests that ask all of them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from flask import Flask

from tests.api.answers import EVENING, NDJSON
from tests.api.asking import Table, session_body
from tests.evenings import event

NOTE: Final = {"events": [event("note_added", text="a note")]}

SUPPOSED: Final = {
    "corrections": [event("event_inserted", after=1, **NOTE["events"][0], reason="")]
}


@dataclass(frozen=True)
class Request:
    """A request; ``path`` and ``more`` are of the session that it is about."""

    method: str
    rule: str
    path: Callable[[Table], str]
    more: Callable[[Table], dict[str, Any]] = field(default=lambda table: {})

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{self.method} {self.rule}"


def plain(path: str, rule: str = "") -> Request:
    """A GET of an address that is always the same."""
    return Request("GET", rule or path, lambda _: path)


def of_session(rest: str = "", method: str = "GET", **more: Any) -> Request:
    """A request about a session."""
    rule = f"/api/sessions/<session:session>{rest}"
    return Request(method, rule, lambda table: f"{table.path}{rest}", lambda _: dict(more))


REQUESTS: Final = (
    plain("/"),
    plain("/static/style.css", "/static/<path:filename>"),
    plain("/verify.py"),
    plain("/score"),
    Request("POST", "/score", lambda _: "/score", lambda _: {"data": {"text": EVENING.decode()}}),
    plain("/score/example"),
    plain("/rules"),
    plain("/rules/riparto", "/rules/<game>"),
    plain("/api"),
    plain("/api/docs"),
    plain("/api/openapi.json"),
    plain("/api/games"),
    plain("/api/games/riparto", "/api/games/<game>"),
    plain("/healthz"),
    plain("/readyz"),
    Request("POST", "/api/score", lambda _: "/api/score",
            lambda _: {"data": EVENING, "content_type": NDJSON}),
    Request("POST", "/api/verify", lambda _: "/api/verify",
            lambda table: {"data": table.get("/log.jsonl").data, "content_type": NDJSON}),
    Request("POST", "/api/what-if", lambda _: "/api/what-if",
            lambda _: {"json": {"log": EVENING.decode(), "options": {"last_three": "sweep"}}}),
    Request("POST", "/api/sessions", lambda _: "/api/sessions",
            lambda _: {"json": session_body("mara")}),
    Request("POST", "/api/sessions/import", lambda _: "/api/sessions/import",
            lambda _: {"data": EVENING, "content_type": NDJSON}),
    of_session(),
    of_session("/events"),
    of_session("/events", "POST", json=NOTE, headers={"If-Match": '"1"'}),
    of_session("/next"),
    of_session("/audit"),
    of_session("/explain"),
    of_session("/what-if", "POST", json=SUPPOSED),
    of_session("/stream"),
    Request("GET", "/api/sessions/<session:session>/witness", lambda table:
            f"{table.path}/witness?version={table.version}&head={table.head}"),
    of_session("/log.jsonl"),
    of_session("/results.csv"),
    of_session("/lines.csv"),
    of_session("/keys"),
    of_session("/keys", "POST", json={"role": "view"}),
    Request("DELETE", "/api/sessions/<session:session>/keys/<key>",
            lambda table: f"{table.path}/keys/{table.key_ids()['nina'][0]}"),
    Request("GET", "/t/<session>", lambda table: f"/t/{table.id}"),
    Request("GET", "/join/<key>", lambda table: f"/join/{table.keys['leo']}"),
    Request("POST", "/join", lambda _: "/join", lambda table: {"data": {"key": table.keys["leo"]}}),
)  # fmt: skip


def all_routes(app: Flask) -> set[str]:
    """Every route that there is, with each of its methods."""
    return {
        f"{method} {rule.rule}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
