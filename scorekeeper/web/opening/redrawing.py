"""Redraw the form of a new match with its typed values, at an address without its secrets.

A button that chooses a game, a name or a preset posts the form like any other. A GET would put the
form's key and the phone's next secret into the address, and so into histories and logs.
"""

from typing import Final
from urllib.parse import urlencode

from flask import redirect, request
from werkzeug.wrappers import Response

from scorekeeper.web.frame.form_keys import KEY
from scorekeeper.web.phone.secret import FIELD

CHOOSES: Final = ("pick", "again", "sit", "rules", "house")  # names of buttons that redraw the form
SECRETS: Final = (KEY, FIELD)
MAX_REPEATED_CHARACTERS: Final = 400  # of a field, in the form


def redirect_if_redrawn(address: str) -> Response | None:
    """Return a redirection to the form if the tapped button only redraws it, else None.

    `address` is the address of the form.
    """
    return redirect_to_form(address) if any(name in request.form for name in CHOOSES) else None


def redirect_to_form(address: str, without: tuple[str, ...] = (), **more: str) -> Response:
    """Return a redirection to a form with its typed values and ``more``, without its secrets."""
    left_out = (*SECRETS, *without)
    typed = [
        (field, value if field in CHOOSES else value[:MAX_REPEATED_CHARACTERS])
        for field, value in request.form.items(multi=True)
        if field not in left_out
    ]
    return redirect(f"{address}?{urlencode([*typed, *more.items()])}", 303)
