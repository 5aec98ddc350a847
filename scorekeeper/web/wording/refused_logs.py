"""Messages for logs that cannot be used, by the reason of the error."""

from collections.abc import Mapping
from typing import Final

from flask_babel import lazy_gettext as _l

# Errors of a line, independent of its event.
LINES: Final[Mapping[str, str]] = {
    "not_utf8": _l("This line is not UTF-8 at byte %(byte)s. Save the file as UTF-8."),
    "not_json": _l("This line is not valid JSON: look at character %(column)s."),
    "too_deep": _l("Lists and objects are nested too deeply here."),
    "odd_character": _l("There is an invisible character in this text. Delete it."),
    "too_many_marks": _l("A letter has more than %(most)s accents. Delete some of them."),
    "key_twice": _l("This field is twice in the line. Delete one of the two."),
    "number_too_large": _l("This number is too large: %(most)s is the largest."),
    "empty_log": _l("There is no event in it. A log begins with session_opened."),
    "no_event": _l("Each line is an object with “type” and “data”, not %(got)s."),
    "no_type": _l("This must be the type of an event, not %(got)s."),
    "unknown_field": _l("There is no such field here. These are known: %(known)s."),
    "missing_in_sealed": _l("This field is missing: each line of a sealed log has it."),
    "sealed_too_late": _l(
        "This line has a seal, and those before it have none. Delete “hash” here, or download "
        "the log again."
    ),
    "face_down": _l(
        "It lay face down when the log was downloaded. Download it again after the hand."
    ),
    "unknown_author": _l(
        "This must be a player of this evening, or “keeper” or “import”, not %(got)s."
    ),
}

# Errors of a field.
FIELDS: Final[Mapping[str, str]] = {
    "no_value": _l("A value is missing. Leave the field out if there is none."),
    "no_text": _l("This must be a text, not %(got)s."),
    "no_short_text": _l("This must be a text of at most %(most)s characters."),
    "no_name": _l("This must be a text of 1 to %(most)s characters, on one line."),
    "no_flag": _l("true or false goes here, not %(got)s."),
    "not_true": _l("Only true goes here, or leave it out, not %(got)s."),
    "no_such_choice": _l("%(got)s is not possible here. Choose one of these: %(choices)s."),
    "not_fitting": _l("%(got)s is not possible here. The rule book says what is."),
    "no_currency": _l("This must be the code of a currency, such as EUR, not %(got)s."),
    "no_player_id": _l(
        "This must be the id of a player, in small letters and figures, not %(got)s."
    ),
    "no_card": _l("This must be a card, such as AS or 10H, not %(got)s."),
    "no_list": _l("This must be a list, not %(got)s."),
    "list_of_wrong_size": _l("This list has %(size)s entries. It can have: %(sizes)s."),
    "twice_in_list": _l("Something is twice in this list. Delete one of the two."),
    "no_object": _l("This must be an object, not %(got)s."),
    "no_salt": _l("This must be %(letters)s random letters and figures, not %(got)s."),
    "odd_name": _l("This must be a name of letters, figures, _ and -, not %(got)s."),
    "must_be_null": _l("This must be null, not %(got)s."),
    "nothing_changes": _l("This changes nothing. Fill in at least one field."),
    "no_day": _l("This must be a day, such as 2026-11-20, not %(got)s."),
}

# References to things that do not exist.
NAMED: Final[Mapping[str, str]] = {
    "unknown_event": _l("There is no event %(got)s. The rule book of the game lists its events."),
    "of_another_game": _l("This event belongs to another game: %(games)s."),
    "not_in_session": _l("%(got)s is not a player of this evening. The players are: %(known)s."),
    "not_seated": _l("%(got)s does not sit in this match. These do: %(known)s."),
    "not_in_hand": _l("%(got)s does not play in this hand. These do: %(known)s."),
    "no_side": _l("%(got)s is not a side of this match. The sides are: %(known)s."),
    "not_counted": _l("Nothing is counted for %(got)s here, only for: %(known)s."),
    "not_in_pack": _l("The card %(got)s is not in the pack of this match."),
    "no_such_option": _l("The game has no option %(got)s. Its rule book lists them."),
    "no_such_bid": _l("%(got)s is not a bid at this table. Bids go from %(low)s to %(high)s."),
    "no_suit_here": _l("At this table a card is called, and no suit before it."),
    "no_earlier_event": _l("This must be the number of an earlier event, not %(got)s."),
    "no_such_match": _l("There is no match %(got)s yet."),
    "no_such_hand": _l("There is no hand %(got)s in this match yet."),
    "no_such_proposal": _l("Event %(got)s is no proposal."),
    "same_player_name": _l(
        "There is a player called %(name)s already. Add something to tell them apart."
    ),
    "id_taken": _l("The id %(id)s already belongs to %(name)s. Choose another one."),
}

# Events in the wrong place.
PLACES: Final[Mapping[str, str]] = {
    "not_opened": _l("A log begins with session_opened, not with %(type)s."),
    "opened_twice": _l("session_opened may be only the first event of a log."),
    "no_match_yet": _l("No match has begun. Write match_started first."),
    "wrong_number_of_players": _l(
        "%(game)s needs another number of players (%(numbers)s), not %(got)s."
    ),
    "played_before": _l("%(name)s has already played %(card)s in this hand (event %(seq)s)."),
    "played_to_this_trick": _l(
        "%(name)s has already played %(card)s to this trick (event %(seq)s)."
    ),
    "penalty_too_late": _l("The match is over, so a penalty no longer counts in any game."),
    "no_points_in_match": _l(
        "This match is played for hands won, so there are no points to take away."
    ),
    "not_each_for_himself": _l("The others share a penalty only where everybody plays alone."),
    "no_complete_hand": _l("No hand of this match is complete yet."),
    "hand_gone": _l("The hand that this is about is not there any more."),
    "of_another_hand": _l("The proposal is about another hand."),
    "no_dispute": _l("No dispute is open."),
    "cannot_be_corrected": _l("The event %(type)s can be neither crossed out nor replaced."),
    "correction_in_correction": _l("A correction cannot contain another correction."),
    "inside_a_set": _l(
        "These corrections belong together and are not complete: record the %(left)s others first."
    ),
    "set_unfinished": _l(
        "The log ends among corrections that belong together: %(left)s more are missing."
    ),
    "set_incomplete": _l("Corrections that are not complete yet cannot be crossed out."),
    "member_of_set": _l(
        "Event %(seq)s belongs to several corrections that were made together. Cross out event "
        "%(begun)s, and all of them are crossed out."
    ),
    "not_as_agreed": _l(
        "Put the corrections that were agreed to here, in their order, and no others."
    ),
    "too_many_hands": _l("An evening has at most %(most)s hands. Begin another one."),
    "too_much_work": _l("There are too many corrections, or a hand is too long, to work this out."),
}

# Options that conflict with one another.
OPTIONS: Final[Mapping[str, str]] = {
    "bids_crossed": _l("The lowest bid, %(low)s, is above the highest, %(high)s."),
    "nothing_drawn": _l("With 60 points the bidder loses here, so no drawn hand doubles the next."),
    "sweep_pays_less": _l("A sweep would pay %(pay)s, and the highest bid without one %(most)s."),
    "no_bids_of_points": _l("Bids are ranks here, so the last player cannot have to bid points."),
    "no_two_before_points": _l(
        "Points can be bid only after the 2, and there are no bids of both here."
    ),
    "last_bids_before_two": _l(
        "The last player would have to bid points, but points can be bid only after the 2."
    ),
    "last_bids_too_much": _l(
        "The last player must bid %(least)s, which is more than the highest bid, %(most)s."
    ),
    "no_effect": _l(
        "“%(question)s” (%(chosen)s) can have no effect beside “%(other)s” (%(beside)s). Change "
        "one of the two."
    ),
    "no_monte": _l("At this table there is no monte."),
    "named_after_no_monte": _l(
        "Without a monte the card is named before the play: there is no later moment."
    ),
    "no_carte_rouge": _l("At this table a carte rouge marks nothing."),
    "no_figures": _l("At this table four kings or knights are worth nothing of their own."),
}

OF_LOGS: Final[Mapping[str, str]] = {**LINES, **FIELDS, **NAMED, **PLACES, **OPTIONS}

# Messages that differ for a log from those at a table, where there is a form to fill in.
IN_A_LOG: Final[Mapping[str, str]] = {
    "missing": _l("This field is missing."),
    "not_installed": _l(
        "The game “%(game)s” is not installed here, or not in this version of its rules. Ask the "
        "people who run Scorekeeper to install it."
    ),
    "closed": _l("The evening is closed before this line. Delete the line, or the closing."),
    "ended_by_rule": _l("The match has ended by its own rule before this line."),
    "match_over": _l("The match is over before this line. Begin another one with match_started."),
    "no_hand": _l("No hand has begun. Write hand_started first."),
    "count_not_whole": _l("A side is missing from this count."),
}
