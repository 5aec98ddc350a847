"""``/demo``: opens a demo table, or shows the demo club, without any setup.

The id of a demo says that it is one, so all other pages are those of any table or club. Only a form
opens a demo. Its phone holds the key under a cookie of its own.
"""

from http import HTTPStatus
from typing import Final

from flask import Blueprint, Flask, redirect, request, url_for
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from scorekeeper.demo.demos import DEMO_HOURS, Demos
from scorekeeper.demo.opening import LEVEL, NAMES, VISITOR
from scorekeeper.http.extensions import DEMO_BLUEPRINT, demos, is_demo_request, own_demos
from scorekeeper.http.limits import count_per_hour
from scorekeeper.web.frame.form_keys import form_attempt
from scorekeeper.web.phone.levels import keep_level
from scorekeeper.web.phone.my_tables import take_key

blueprint = Blueprint(DEMO_BLUEPRINT, __name__, url_prefix="/demo")

DEMOS_AN_HOUR: Final = 60  # of one address, behind which may be a whole school


def init_app(app: Flask) -> None:
    """Let pages say that they are of a demo, and offer one."""
    app.after_request(go_on)
    app.jinja_env.globals.update(
        has_demos=lambda: demos() is not None,
        is_demo=is_demo_request,
        demo_hours=DEMO_HOURS,
        demo_visitor=NAMES[VISITOR],
    )


def go_on(answer: Response) -> Response:
    """Let the others go on at a demo table that is looked at: their process may have ended."""
    if request.endpoint == "table.page" and answer.status_code == HTTPStatus.OK:
        demo = own_demos()
        if demo is not None:
            demo.players.expect((request.view_args or {})["session_id"])
    return answer


@blueprint.post("/table")
def table() -> Response:
    """Open a demo table, give its phone the visitor's seat, and redirect to it."""
    opened = known_demos()
    count_per_hour("demo", DEMOS_AN_HOUR)
    key = opened.open_table(form_attempt())
    answer = redirect(url_for("table.page", session_id=key.stream_id), 303)
    take_key(key)
    keep_level(answer, key.stream_id, LEVEL)
    return answer


@blueprint.post("/club")
def club() -> Response:
    """Redirect to the demo club, which is opened if there is none, and may be looked at."""
    opened = known_demos()
    count_per_hour("demo", DEMOS_AN_HOUR)
    key = opened.open_club()
    take_key(key)
    return redirect(url_for("club.page", club_id=key.stream_id), 303)


def known_demos() -> Demos:
    """Return the demos of this application. Raises `NotFound` if they are switched off."""
    known = demos()
    if known is None:
        raise NotFound
    return known
