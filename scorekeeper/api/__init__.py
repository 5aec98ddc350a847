"""The HTTP API: its views decode requests, call the services, and return JSON."""

from flask import Flask

from scorekeeper.api import (
    audit,
    club_figures,
    clubs,
    exports,
    followers,
    games,
    keys,
    live,
    log_formats,
    logs,
    published,
    sessions,
    tournament_exports,
    tournament_rounds,
    tournaments,
    witness,
)
from scorekeeper.api.decorators import SessionId
from scorekeeper.api.document import new_api

PREFIX = "/api"


def init_app(app: Flask) -> None:
    """Serve the API, and the OpenAPI document that describes it, under ``/api``."""
    app.url_map.converters["session"] = SessionId
    api = new_api(app, PREFIX)
    for room in (sessions, live, keys, followers, exports, logs, log_formats, games, audit, witness,
                 clubs, club_figures, published, tournaments, tournament_rounds,
                 tournament_exports):  # fmt: skip
        api.register_blueprint(room.blueprint, url_prefix=PREFIX)
