"""``/t/<session>``: the table, for who holds a key to it."""

from flask import Blueprint, render_template

from scorekeeper.api.access import ANY, holder_of, service
from scorekeeper.service.rights import refuse_role
from scorekeeper.web.result import result

blueprint = Blueprint("table", __name__, url_prefix="/t")


@blueprint.get("/<session>")
def page(session: str) -> str:
    """Show what the session comes to."""
    refuse_role(holder_of(session), *ANY)
    return render_template("score/sheet.html", result=service().see(session, result), name="")
