"""Why a hand is disputed or corrected: recorded in English, shown in the language of each reader.

What somebody types stays as it was typed. What was offered and left as it stood is recorded as the
text that was offered, so that those who read another language understand it, too.
"""

from collections.abc import Mapping
from typing import Final

from scorekeeper.base.language import language
from scorekeeper.languages.catalogues import NOTE_SEPARATOR, REASON

# What can be wrong with a hand, by the name that a form gives it.
WRONG: Final = {
    "score": "Wrong score",
    "tricks": "Wrong number of tricks",
    "irregular": "Revoke or irregularity",
    "rules": "Other rules were agreed",
    "other": "Something else",
}
LEFT_OUT: Final = "Left out"
MISTAKEN: Final = "Recorded wrongly"
UNTRUE: Final = "It did not happen"
OFFERED: Final = (*WRONG.values(), LEFT_OUT, MISTAKEN, UNTRUE)


def with_note(reason: str, note: str) -> str:
    """A reason as it is recorded with a note.

    >>> with_note("Wrong score", "my ace"), with_note("Wrong score", "")
    ('Wrong score: my ace', 'Wrong score')
    """
    return f"{reason}{NOTE_SEPARATOR}{note}" if note else reason


def shown(reason: str) -> str:
    """A reason for whoever reads it; a note, or a text of its own, as it was typed."""
    return language().word(REASON, reason)


def reason_of(form: Mapping[str, str]) -> str:
    """The reason of a form: what it offered, unless something else was typed over it."""
    typed, offered = form.get("reason", ""), form.get("offered", "")
    return offered if offered and typed.strip() == shown(offered) else typed
