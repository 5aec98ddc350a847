"""The names of whole corrections on pages, and the reasons that their forms offer."""

from typing import Final, NamedTuple

from flask_babel import lazy_gettext as _l

from scorekeeper.web.wording.dispute_reasons import (
    HAND_LEFT_OUT,
    HAND_UNTRUE,
    OTHER_DEALER,
    OTHER_PLAYER,
    OTHER_SEATS,
    OTHER_STAKE,
    WRONG,
)


class WholeWords(NamedTuple):
    """What is wrong in words, as a link and as a heading; and the reason that a form offers."""

    wrong: str
    heading: str
    reason: str


WHOLE_WORDS: Final = {
    "remove_hand": WholeWords(
        _l("This hand was not played, or was entered twice"),
        _l("Remove this hand"),
        HAND_UNTRUE,
    ),
    "add_hand_after": WholeWords(
        _l("A hand is missing after this one"), _l("Add a hand after this one"), HAND_LEFT_OUT
    ),
    "add_hand_before": WholeWords(
        _l("A hand is missing before this one"), _l("Add a hand before this one"), HAND_LEFT_OUT
    ),
    "exchange_player": WholeWords(
        _l("The wrong player sat here"), _l("Another player sat here"), OTHER_PLAYER
    ),
    "change_dealer": WholeWords(
        _l("Somebody else dealt this hand"), _l("Another dealer"), OTHER_DEALER
    ),
    "reorder_seats": WholeWords(
        _l("The seats were in another order"), _l("Another order of the seats"), OTHER_SEATS
    ),
    "change_rules": WholeWords(
        _l("Other rules were agreed for this match"), _l("Other rules"), WRONG["rules"]
    ),
    "change_stake": WholeWords(
        _l("Another stake was agreed for this match"), _l("Another stake"), OTHER_STAKE
    ),
}
