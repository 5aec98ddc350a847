"""The public page of a tournament: the screen of its hall, and its standings as a file.

The screen shows one page after the other: by a script, or without scripts by a refresh. Its content
is computed once for each change of the tournament or of a table, whatever the number of screens.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from flask import Response, render_template, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import NotFound

from scorekeeper.http.extensions import tournaments
from scorekeeper.http.headers import HALL_POLICY
from scorekeeper.http.preferences import request_language
from scorekeeper.http.public_pages import public_contents
from scorekeeper.store import Publication
from scorekeeper.web.phone.links import absolute_url, origin
from scorekeeper.web.published.hall_view import HallView, view_hall
from scorekeeper.web.published.public_page import PublicPage

# Standings are on the screens within a second of an append: a screen asks twice a second, and is
# told of changes of the last moment but this.
TAG_SECONDS: Final = 0.3
STANDINGS: Final = "standings"
NOW: Final = "X-Now"  # the time of the server, by which screens correct theirs


def hall_page(publication: Publication) -> PublicPage:
    """Return the screen of a tournament's hall; ``page`` in the query counts from 1."""
    stream_id, shows = publication.stream_id, publication.left_out != STANDINGS
    _position, tag = tournaments().state(stream_id, TAG_SECONDS)
    view: HallView = public_contents().get(
        ("hall", stream_id, tag, shows),
        lambda: tournaments().see(stream_id, lambda snapshot: view_hall(snapshot, standings=shows)),
    )
    place = max(request.args.get("page", 1, type=int) - 1, 0) % len(view.slides)
    # A screen of another language has another address for the next page.
    language, chosen = request_language(), request.args.get("language", "")
    key = tag, shows, place, language, bool(chosen), origin()

    def address(of_place: int) -> str:
        query = {"page": str(of_place + 1), **({"language": language} if chosen else {})}
        return f"{url_for('published.page', address=publication.address)}?{urlencode(query)}"

    def render(css: Markup | None) -> str:
        if css is not None:
            return _render_file(publication, view, css)
        return render_template(
            "published/hall.html", hall=view, slide=view.slides[place], here=address(place),
            next=address((place + 1) % len(view.slides)), at=_to_zone(view.zone),
        )  # fmt: skip

    return PublicPage(key, render, _refuse_picture, _finish, 0)


def _render_file(publication: Publication, view: HallView, css: Markup) -> str:
    """Return the standings as one file. Raises `NotFound` if they are hidden."""
    if publication.left_out == STANDINGS:
        raise NotFound
    rows = [row for slide in view.slides if slide.kind == STANDINGS
            for column in slide.columns for row in column]  # fmt: skip
    here = absolute_url(url_for("published.page", address=publication.address))
    return render_template(
        "published/tournament.html", hall=view, rows=rows, css=css, here=here,
        made=_to_zone(view.zone)(datetime.now(UTC)),
    )  # fmt: skip


def _refuse_picture() -> bytes:
    """Raise `NotFound`: a screen has no picture."""
    raise NotFound


def _finish(answer: Response) -> Response:
    """Let the script of the screen run, and name the time of the server."""
    answer.headers["Content-Security-Policy"] = HALL_POLICY
    answer.headers[NOW] = tournaments().now()
    return answer


def _to_zone(zone: str) -> Callable[[datetime], str]:
    """Return a function that formats a time in a time zone as hours and minutes."""
    return lambda at: f"{at.astimezone(ZoneInfo(zone)):%H:%M}"
