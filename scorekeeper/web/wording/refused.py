"""Why something cannot be recorded, for whoever taps: the messages themselves are for programs."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

from scorekeeper.errors import Cause, Unusable

# By why something is unusable, what is said of it at a table.
SAID: Final[Mapping[str, str]] = {
    "nothing": _l("Nothing has been entered yet."),
    "too_many_in_all": _l("That makes %(got)s already, and there are only %(all)s in all."),
    "count_not_whole": _l("The count is not whole yet."),
    "out_of_range": _l("A number from %(low)s to %(high)s goes here, not %(got)s."),
    "no_number": _l("A number goes here, not %(got)s."),
    "missing": _l("Something is still to be chosen."),
    "no_hand": _l("No hand has begun. Say first who deals."),
    "match_over": _l("The match is over. Begin another one first."),
    "closed": _l("The evening is closed. Disputes and corrections can still come."),
    "another_cannot_stand": _l("With this correction, event %(seq)s can no longer stand."),
    "nothing_to_take_back": _l("There is nothing of yours to take back in this hand."),
    "damaged_form": _l("The form was not whole. Load the page again."),
}


def in_words(error: Unusable) -> str:
    """What to say of it at the table; its own words where a tap cannot lead to it."""
    reason = error.reason
    if isinstance(reason, Cause) and reason.why in SAID:
        return str(SAID[reason.why]) % reason.facts
    return reason
