"""The form of a new match drawn anew, with what was typed in it, at an address without its secrets.

A button that chooses a game, a name or a set of rules sends the form like any other. Sent by GET
it would put the form's key and the phone's next secret into the address: into histories and logs.
"""

from typing import Final
from urllib.parse import urlencode

from flask import redirect, request
from werkzeug.wrappers import Response

from scorekeeper.web.frame.form_keys import KEY
from scorekeeper.web.phone.secret import FIELD

CHOOSES: Final = ("pick", "again", "sit", "rules", "house")  # the names of these buttons
SECRETS: Final = (KEY, FIELD)
LONGEST: Final = 400  # characters of a field that the form has again


def redrawn(address: str) -> Response | None:
    """Return the way back to the form at ``address`` if a button was tapped that redraws it."""
    return to_form(address) if any(name in request.form for name in CHOOSES) else None


def to_form(address: str, without: tuple[str, ...] = (), **more: str) -> Response:
    """Return the way to a form with what was typed in it and ``more``, without its secrets."""
    left_out = (*SECRETS, *without)
    typed = [
        (field, value if field in CHOOSES else value[:LONGEST])
        for field, value in request.form.items(multi=True)
        if field not in left_out
    ]
    return redirect(f"{address}?{urlencode([*typed, *more.items()])}", 303)
