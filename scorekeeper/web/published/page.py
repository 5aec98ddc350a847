"""``/published/<address>``: a club's season, or the screen of a tournament's hall, without a key.

The page belongs to whatever stream was published at the address. ``PAGES_OF`` has the page of each
kind of stream.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from flask import Blueprint, Response, current_app, render_template, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import NotFound

from scorekeeper.answers import jobs
from scorekeeper.base.views import to_json_values
from scorekeeper.clubs.published import PublishedStandingsView
from scorekeeper.clubs.season_words import describe_lost, describe_ranking
from scorekeeper.http.answering import compute
from scorekeeper.http.headers import allow_frames
from scorekeeper.http.preferences import request_language
from scorekeeper.http.public_pages import MAX_AGE_SECONDS, find_publication, shared_answer
from scorekeeper.http.public_seasons import public_season
from scorekeeper.languages.catalogues import LANGUAGES
from scorekeeper.log.writing import as_json
from scorekeeper.store import Publication
from scorekeeper.store.keyring import StreamKind, kind_of
from scorekeeper.web.phone.links import absolute_url, origin
from scorekeeper.web.published.hall import hall_page
from scorekeeper.web.published.public_page import PublicPage
from scorekeeper.web.wording.days import writes_month_first

blueprint = Blueprint("published", __name__, url_prefix="/published/<address>")

HTML: Final = "text/html; charset=utf-8"
PNG: Final = "image/png"
STYLES: Final = "published.css"
FILE_NAME: Final = "standings.html"


@blueprint.get("")
def page(address: str) -> Response:
    """Show the published page; the sites that the club allows may show it in a frame."""
    publication = find_publication(address)
    public_page = _find_page(publication)
    key = "page", publication.address, public_page.key
    answer = shared_answer(
        key, HTML, lambda: public_page.render(None).encode(), public_page.max_age
    )
    return public_page.finish(answer)


@blueprint.get(f"/{FILE_NAME}")
def file(address: str) -> Response:
    """Return the page as one file, with its style, that a club puts on its own site."""
    publication = find_publication(address)
    public_page = _find_page(publication)
    key = "file", publication.address, public_page.key
    answer = shared_answer(key, HTML, lambda: public_page.render(_read_styles()).encode())
    answer.headers["Content-Disposition"] = f'attachment; filename="{FILE_NAME}"'
    return answer


@blueprint.get("/picture.png")
def picture(address: str) -> Response:
    """Return a picture of the page, for the preview of its link in a chat."""
    publication = find_publication(address)
    public_page = _find_page(publication)
    return shared_answer(("picture", publication.address, public_page.key), PNG, public_page.draw)


def _find_page(publication: Publication) -> PublicPage:
    """Return the page of a publication, by the kind of its stream. Raises `NotFound`."""
    kind = kind_of(publication.stream_id)
    if kind not in PAGES_OF:
        raise NotFound
    return PAGES_OF[kind](publication)


def _read_styles() -> Markup:
    """Return the style sheet of public pages, to stand in a file."""
    path = Path(current_app.static_folder or "") / STYLES
    return Markup(path.read_text(encoding="utf-8"))  # noqa: S704  # our own


# ------------------------------------------------------------------------------------------ clubs


def _season_page(publication: Publication) -> PublicPage:
    """Return the page with the table of a season of a club."""
    values = public_season(publication, request.args.get("season"))
    # The addresses on the page depend on the host that the request was sent to.
    language = request_language(), _chosen_language(), writes_month_first()
    key = values.season.id, publication.names, language, origin()

    def render(css: Markup | None) -> str:
        return render_template(
            "published/season.html", table=values, notes=list(_list_notes(values)), css=css,
            seasons=[(season, _address_of(publication, season.id)) for season in values.seasons
                     if season.id != values.season.id],
            here=absolute_url(_address_of(publication, values.season.id)),
            picture=absolute_url(_address_of(publication, values.season.id, "published.picture")),
        )  # fmt: skip

    def draw() -> bytes:
        language, shown = request_language(), sha256(as_json(to_json_values(values))).digest()
        picture_key = jobs.draw_published.__qualname__, shown, language
        return compute(
            publication.stream_id, picture_key, jobs.draw_published, lambda: (values, language)
        )

    def finish(answer: Response) -> Response:
        return allow_frames(answer, publication.parents)

    return PublicPage(key, render, draw, finish, MAX_AGE_SECONDS)


def _address_of(publication: Publication, season_id: str, endpoint: str = "published.page") -> str:
    """Return the path of a season's table in the language of the present address."""
    path = url_for(endpoint, address=publication.address)
    query = {"season": season_id, "language": _chosen_language()}
    return f"{path}?{urlencode({name: value for name, value in query.items() if value})}"


def _chosen_language() -> str:
    """Return the language that the address of the request names; empty if it names none."""
    language = request.args.get("language", "")
    return language if language in LANGUAGES else ""


def _list_notes(values: PublishedStandingsView) -> list[str]:
    """Return sentences on how the season ranks, and what its table lacks."""
    return [*describe_ranking(values.season, values.left_out), *describe_lost(values.lost)]


PAGES_OF: Final[Mapping[StreamKind | None, Callable[[Publication], PublicPage]]] = {
    StreamKind.CLUB: _season_page,
    StreamKind.TOURNAMENT: hall_page,
}
