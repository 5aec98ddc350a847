"""Why something cannot be recorded, for whoever taps: the messages themselves are for programs."""

import re
from typing import Final

from flask_babel import lazy_gettext as _l

from scorekeeper.errors import Unusable

GOT: Final = r', got "?(?P<got>.+?)"?'
# What a message says, and what is said of it at a table.
SAID: Final = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        ("no event to record", _l("Nothing has been entered yet.")),
        (f"expected at most (?P<all>[0-9]+) in all, .+{GOT}",
         _l("That makes %(got)s already, and there are only %(all)s in all.")),
        ("expected a count for .+", _l("The count is not whole yet.")),
        (f"expected a whole number from (?P<low>[0-9]+) to (?P<high>[0-9]+){GOT}",
         _l("A number from %(low)s to %(high)s goes here, not %(got)s.")),
        (f"expected a whole number.*?{GOT}", _l("A number goes here, not %(got)s.")),
        ("missing, expected .+", _l("Something is still to be chosen.")),
        ("(no hand of this match has been started|say first who deals)",
         _l("No hand has begun. Say first who deals.")),
        ("the match has ended; .+", _l("The match is over. Begin another one first.")),
        ("the session has been closed",
         _l("The evening is closed. Disputes and corrections can still come.")),
        ("there is nothing of yours to take back in this hand",
         _l("There is nothing of yours to take back in this hand.")),
        ("the form came back damaged; .+", _l("The form was not whole. Load the page again.")),
    )
)  # fmt: skip


def in_words(error: Unusable) -> str:
    """What to say of it at the table; its own words where a tap cannot lead to it."""
    for pattern, words in SAID:
        found = pattern.fullmatch(error.reason)
        if found is not None:
            return str(words) % found.groupdict()
    return error.reason
