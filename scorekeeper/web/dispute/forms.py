"""Values and addresses of the desk's forms: parsed, normalized and validated."""

from typing import Final

from flask import request, url_for
from flask_babel import gettext as _

from scorekeeper.base.errors import IrregularError, NoQuorumError, UnusableError
from scorekeeper.events.corrections import CORRECTIONS
from scorekeeper.events.event import MAX_CORRECTIONS_IN_SET
from scorekeeper.log import canonical
from scorekeeper.service import Holder
from scorekeeper.session.matches import HandRecord
from scorekeeper.web.dispute.desk_parts import Raw
from scorekeeper.web.phone.viewer import viewer_of
from scorekeeper.web.wording.refused import message_for_players

MAX_REASON_CHARACTERS: Final = 2000
CORRECT: Final = {declared.TYPE for declared in CORRECTIONS}


def desk_url(session_id: str, match: int, hand: int) -> str:
    """Return the address of the dispute desk of a hand."""
    return url_for("dispute.page", session_id=session_id, match=match, hand=hand)


def acting_player() -> str:
    """Return the id of the player for whom the viewer acts, from the form.

    The service checks their right.
    """
    return request.form.get("player", "")


def acting_viewer() -> Holder:
    """Return the viewer who sent the form."""
    return viewer_of(str((request.view_args or {}).get("session_id", "")))


def hand_reference(record: HandRecord) -> Raw:
    """Return the match and hand number of a hand, as events name it."""
    return {"match": record.match.number, "hand": record.number}


def typed_text(name: str) -> str:
    """Return the text of a form field, normalized, stripped and cut to the longest reason."""
    return clean_text(request.form.get(name, ""))


def clean_text(text: str) -> str:
    """Return a text normalized, stripped and cut to the longest reason."""
    text = text.replace("\r\n", "\n").strip()
    return str(canonical.normalize(text))[:MAX_REASON_CHARACTERS]


def parse_whole_number(text: str) -> int:
    """Return a whole number of a form.

    Raises `UnusableError` if it is not one.
    """
    if not text.isdecimal() or len(text) > 15:
        raise UnusableError(_("The form was incomplete. Load the page again."))
    return int(text)


def read_corrections(text: str) -> list[Raw]:
    """Return corrections from a form or an address.

    Raises `UnusableError` if they are malformed.
    """
    try:
        corrections = canonical.decode(text.encode("utf-8"))
    except UnicodeEncodeError:
        corrections = None
    if not isinstance(corrections, list) or not 0 < len(corrections) <= MAX_CORRECTIONS_IN_SET:
        raise UnusableError(_("Choose what should be corrected."))
    for correction in corrections:
        if (
            not isinstance(correction, dict)
            or set(correction) != {"type", "data"}
            or correction["type"] not in CORRECT
        ):
            raise UnusableError(_("Choose what should be corrected."))
    return list(canonical.normalize(corrections))


def reason_of(error: UnusableError | NoQuorumError | IrregularError) -> str:
    """Return the message for players about why something was not recorded."""
    if isinstance(error, IrregularError):
        return " ".join(finding.message for finding in error.findings)
    return message_for_players(error)
