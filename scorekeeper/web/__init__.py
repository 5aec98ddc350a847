"""The pages, rendered on the server; they work without scripts, and scripts make them quicker."""

from typing import Final

from flask import Flask

from scorekeeper.web.club import PAGES as CLUB_PAGES
from scorekeeper.web.club import page as club
from scorekeeper.web.dispute import page as dispute
from scorekeeper.web.entry import table
from scorekeeper.web.frame import drawings, form_keys, manifest, nav, offline, scripts, statics
from scorekeeper.web.keeping import chat, closing, export, names, new_host, rematch, settings
from scorekeeper.web.opening import code, demo, join, new, share
from scorekeeper.web.phone import language, links, my_tables, prefs, secret
from scorekeeper.web.published import page as published
from scorekeeper.web.reference import docs, guide, home, rules, score, verifier, verify, well_known
from scorekeeper.web.review import audit, hand, results, review
from scorekeeper.web.tournament import PAGES as TOURNAMENT_PAGES
from scorekeeper.web.wording import filters

PAGES: Final = (
    home, demo, new, share, join, code, table, settings, new_host, names, rematch, closing, hand,
    audit, dispute, results, score, rules, prefs, docs, guide, export, chat, verify, verifier,
    manifest, offline, scripts, published, well_known, *CLUB_PAGES,
    *TOURNAMENT_PAGES,
)  # fmt: skip


def init_app(app: Flask) -> None:
    """Register the pages of the web interface and their template values with the app."""
    for page in PAGES:
        app.register_blueprint(page.blueprint)
    app.jinja_env.globals.update(review.GLOBALS)
    app.jinja_env.globals.update(club.GLOBALS)
    language.add_filters(app, club.FILTERS)
    language.add_filters(app, filters.FILTERS)
    app.jinja_env.globals.update(filters.GLOBALS)
    app.jinja_env.globals.update(absolute_url=links.absolute_url)
    nav.init_app(app)
    demo.init_app(app)
    form_keys.init_app(app)
    prefs.init_app(app)
    secret.init_app(app)
    my_tables.init_app(app)
    statics.init_app(app)
    drawings.init_app(app)
    language.init_app(app)
