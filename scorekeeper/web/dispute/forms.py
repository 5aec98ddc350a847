"""What the forms of the desk say, and addresses: read, cleaned, and refused where it is none."""

from typing import Final

from flask import request, url_for
from flask_babel import gettext as _

from scorekeeper.base.errors import IrregularError, NoQuorumError, UnusableError
from scorekeeper.events.corrections import CORRECTIONS
from scorekeeper.events.event import MOST_IN_A_SET
from scorekeeper.log import canonical
from scorekeeper.session.matches import HandRecord
from scorekeeper.web.dispute.desk import Raw
from scorekeeper.web.wording.refused import in_words

LONGEST: Final = 2000  # characters of a reason
CORRECT: Final = {one.TYPE for one in CORRECTIONS}


def desk_of(session_id: str, match: int, hand: int) -> str:
    """The address of the desk."""
    return url_for("dispute.page", session_id=session_id, match=match, hand=hand)


def speaker() -> str:
    """For whom somebody speaks: the service refuses whom he may not speak for."""
    return request.form.get("player", "")


def at(record: HandRecord) -> Raw:
    """Which hand, as events name it."""
    return {"match": record.match.number, "hand": record.number}


def typed(name: str) -> str:
    """A text that was typed, in one line or several."""
    return cleaned(request.form.get(name, ""))


def cleaned(text: str) -> str:
    """A text as it is recorded: normalized, without blanks around it."""
    text = text.replace("\r\n", "\n").strip()
    return str(canonical.normalized(text))[:LONGEST]


def whole(text: str) -> int:
    """A whole number of a form.

    Raises `UnusableError`.
    """
    if not text.isdecimal() or len(text) > 15:
        raise UnusableError(_("The form was incomplete. Load the page again."))
    return int(text)


def read_corrections(text: str) -> list[Raw]:
    """Corrections as a form or an address holds them.

    Raises `UnusableError`.
    """
    try:
        found = canonical.decode(text.encode("utf-8"))
    except UnicodeEncodeError:
        found = None
    if not isinstance(found, list) or not 0 < len(found) <= MOST_IN_A_SET:
        raise UnusableError(_("Choose what should be corrected."))
    for one in found:
        if not isinstance(one, dict) or set(one) != {"type", "data"} or one["type"] not in CORRECT:
            raise UnusableError(_("Choose what should be corrected."))
    return list(canonical.normalized(found))


def reason_of(error: UnusableError | NoQuorumError | IrregularError) -> str:
    """What was wrong, for people."""
    if isinstance(error, IrregularError):
        return " ".join(str(one["message"]) for one in error.findings)
    return in_words(error)
