"""Reasons of disputes and corrections: recorded in English, shown in each reader's language.

Typed text stays as it is. An offered reason that was not changed is recorded as the English text,
so that readers of other languages understand it, too.
"""

from collections.abc import Mapping
from typing import Final

from scorekeeper.base.language import language
from scorekeeper.languages.catalogues import NOTE_SEPARATOR, REASON

# The possible faults of a hand, by their names in forms.
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
# Of corrections of whole things.
HAND_UNTRUE: Final = "Not played, or entered twice"
HAND_LEFT_OUT: Final = "A hand was left out"
OTHER_PLAYER: Final = "Another player sat there"
OTHER_DEALER: Final = "Somebody else dealt"
OTHER_SEATS: Final = "The seats were in another order"
OTHER_STAKE: Final = "Another stake was agreed"
OFFERED: Final = (
    *WRONG.values(), LEFT_OUT, MISTAKEN, UNTRUE, HAND_UNTRUE, HAND_LEFT_OUT, OTHER_PLAYER,
    OTHER_DEALER, OTHER_SEATS, OTHER_STAKE,
)  # fmt: skip


def with_note(reason: str, note: str) -> str:
    """Return a reason as it is recorded with a note.

    >>> with_note("Wrong score", "my ace"), with_note("Wrong score", "")
    ('Wrong score: my ace', 'Wrong score')
    """
    return f"{reason}{NOTE_SEPARATOR}{note}" if note else reason


def translate_reason(reason: str) -> str:
    """Return a reason in the reader's language; a note or a typed reason stays as it is."""
    return language().word(REASON, reason)


def reason_of_form(form: Mapping[str, str]) -> str:
    """Return the reason of a form: the offered one, unless it was changed."""
    typed, offered = form.get("reason", ""), form.get("offered", "")
    return offered if offered and typed.strip() == translate_reason(offered) else typed
