"""The pages, rendered on the server; they work without scripts, and scripts make them quicker."""

from flask import Flask

from scorekeeper.web import (
    docs,
    home,
    join,
    language,
    rules,
    score,
    statics,
    table,
    verifier,
    writing,
)


def init_app(app: Flask) -> None:
    """Serve the pages."""
    for room in (home, join, table, score, rules, docs, verifier):
        app.register_blueprint(room.blueprint)
    app.jinja_env.filters.update(writing.FILTERS)
    app.jinja_env.globals.update(writing.GLOBALS)
    statics.init_app(app)
    language.init_app(app)
