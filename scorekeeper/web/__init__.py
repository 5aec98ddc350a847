"""The pages, rendered on the server; they work without scripts, and scripts make them quicker."""

from typing import Final

from flask import Flask

from scorekeeper.web import (
    audit,
    closing,
    code,
    dispute,
    docs,
    export,
    hand,
    home,
    join,
    language,
    manifest,
    nav,
    new,
    offline,
    prefs,
    reading,
    rematch,
    results,
    rules,
    score,
    settings,
    share,
    statics,
    table,
    verifier,
    verify,
    writing,
)

ROOMS: Final = (
    home, new, share, join, code, table, settings, rematch, closing, hand, audit, dispute, results,
    score, rules, prefs, docs, export, verify, verifier, manifest, offline,
)  # fmt: skip


def init_app(app: Flask) -> None:
    """Serve the pages."""
    for room in ROOMS:
        app.register_blueprint(room.blueprint)
    app.jinja_env.globals.update(reading.GLOBALS)
    app.jinja_env.filters.update(writing.FILTERS)
    app.jinja_env.globals.update(writing.GLOBALS)
    nav.init_app(app)
    prefs.init_app(app)
    statics.init_app(app)
    language.init_app(app)
