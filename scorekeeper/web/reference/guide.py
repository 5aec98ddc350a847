"""``/guide``: the pages of ``docs/`` for players and for directors, and their pictures."""

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, render_template, send_from_directory
from flask_babel import get_locale
from markdown_it import MarkdownIt
from markupsafe import Markup

from scorekeeper.base.paths import resource
from scorekeeper.languages.catalogues import DEFAULT

blueprint = Blueprint("guide", __name__)

FOLDER: Final = resource("docs")
PLAYERS: Final = "players"
TOURNAMENTS: Final = "tournaments"
MARKDOWN: Final = MarkdownIt("commonmark", {"html": False})


@blueprint.get("/guide")
def page() -> str:
    """Show the guide for players."""
    return render_guide(PLAYERS)


@blueprint.get("/guide/tournaments")
def tournaments() -> str:
    """Show the guide for directors of tournaments."""
    return render_guide(TOURNAMENTS)


def render_guide(name: str) -> str:
    """Return the page of a guide in the reader's language, or in English."""
    language = str(get_locale() or DEFAULT)
    path = guide_file(language, name)
    if not path.exists():
        language, path = DEFAULT, guide_file(DEFAULT, name)
    return render_template(
        "guide/page.html", text=render_markdown(path), language=language, name=name
    )


@blueprint.get("/pictures/<name>")
def picture(name: str) -> Response:
    """Return a picture of the guide."""
    return send_from_directory(FOLDER / "pictures", name)


def guide_file(language: str, name: str = PLAYERS) -> Path:
    """Return the file of a guide in a language, which may not exist."""
    return FOLDER / (f"{name}.md" if language == DEFAULT else f"{name}.{language}.md")


def render_markdown(path: Path) -> Markup:
    """Return a Markdown file of this project as HTML."""
    return _render_cached_markdown(path, path.stat().st_mtime_ns)


def heading_id(heading: str) -> str:
    """Return the anchor of a heading, as on GitHub: ``something-is-wrong``."""
    kept = (char for char in heading.lower() if char.isalnum() or char in " -_")
    return "".join(kept).replace(" ", "-")


@cache
def _render_cached_markdown(path: Path, changed: int) -> Markup:
    """Return the text as HTML; ``changed``, its mtime in ns, makes a running server see an edit."""
    tokens = MARKDOWN.parse(path.read_text("utf-8"))
    for opening, content in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", heading_id(content.content))
    html = str(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {}))
    # In docs/ the pictures are beside the text.
    return Markup(html.replace(' src="pictures/', ' src="/pictures/'))  # noqa: S704  # our own text
