"""Errors as messages for players; the errors' own messages are for programs."""

from collections.abc import Mapping
from typing import Any, Final

from flask_babel import lazy_gettext as _l

from scorekeeper.base.errors import Cause, ScorekeeperError
from scorekeeper.base.language import language
from scorekeeper.games import GAMES
from scorekeeper.play.rulebook import Option
from scorekeeper.report.option_words import summarize_value
from scorekeeper.web.wording.refused_clubs import OF_CLUBS
from scorekeeper.web.wording.refused_logs import IN_A_LOG, OF_LOGS
from scorekeeper.web.wording.refused_tournaments import OF_TOURNAMENTS

# Messages at a table, by the reason of the error.
AT_A_TABLE: Final[Mapping[str, str]] = {
    "nothing": _l("Nothing has been entered yet."),
    "too_many_in_all": _l("That already makes %(got)s, but there are only %(all)s in all."),
    "count_not_whole": _l("The count is not complete yet."),
    "out_of_range": _l("This must be a number from %(low)s to %(high)s, not %(got)s."),
    "not_in_parts": _l("Points go in steps of %(step)s here, so %(got)s cannot be right."),
    "no_number": _l("This must be a number, not %(got)s."),
    "missing": _l("You still have to choose something."),
    "not_shared": _l("%(points)s points cannot be shared equally by %(others)s others."),
    "no_hand": _l("No hand has begun. First say who deals."),
    "ended_by_rule": _l("The match has ended already."),
    "match_over": _l("The match is over. Begin another one first."),
    "closed": _l("The evening is closed. Disputes and corrections can still come."),
    "another_cannot_stand": _l("With this correction, event %(seq)s can no longer stay."),
    "nothing_to_take_back": _l("You have nothing to take back in this hand."),
    "undone_already": _l("It has been taken back already."),
    "undo_too_late": _l("The last entry is a different one now."),
    "waits_for_acceptance": _l("Accept this hand first: then the next one can begin."),
    "turned_up": _l("By now everybody has seen the cards. Ask the host to correct this."),
    "round_over": _l(
        "The round was closed before this arrived, so it is not recorded. Tell the director, who "
        "can still enter it."
    ),
    "sits_elsewhere": _l(
        "You no longer sit at this table, so this is not recorded. Tell the director, who can "
        "still enter it."
    ),
    "named_by_another": _l(
        "Another phone has recorded this already, and it stays hidden for now. Only that phone or "
        "the host can correct it."
    ),
    "confirmed": _l(
        "Every side has accepted hand %(hand)s, and this would change it. Dispute the hand instead."
    ),
    "another_hand": _l(
        "This would correct hand %(hand)s of match %(match)s. Open a dispute about that hand."
    ),
    "for_another_hand": _l(
        "This was entered for hand %(hand)s of match %(match)s, which is over. None of it is "
        "recorded."
    ),
    "for_later_hand": _l(
        "This was entered for hand %(hand)s of match %(match)s, and an earlier hand is not over. "
        "None of it is recorded."
    ),
    "another_match": _l(
        "This would correct match %(match)s itself. Open a dispute about a hand of that match."
    ),
    "beyond_the_hand": _l(
        "A proposal corrects a hand or its match, and nothing else. Ask the host to correct this."
    ),
    "signed_already": _l("This signature is already there."),
    "no_matter_of_theirs": _l("Only players of a match that this changes can sign or decline it."),
    "too_few_signed": _l("Not enough players have signed yet. Still missing: %(names)s."),
    "went_on": _l(
        "This changes another match, and the evening has gone on since. Decline it, and propose "
        "it again."
    ),
    "late_without_reason": _l(
        "A correction this late needs a reason. Decline this proposal, and propose it with one."
    ),
    "not_installed": _l(
        "The game “%(game)s” is not installed here, so this evening can only be read. Ask the "
        "people who run Scorekeeper to install it."
    ),
    "game_failed": _l(
        "The game “%(game)s” has a fault, so this evening can only be read. Ask the people who "
        "run Scorekeeper to get it fixed."
    ),
    "too_many_corrections": _l(
        "This needs %(got)s corrections, and at most %(most)s can be made together. Correct the "
        "entries one by one."
    ),
    "build_on_one_another": _l(
        "This belongs to corrections that build on one another. Take back all of them, and correct "
        "the hand again."
    ),
    "still_face_down": _l(
        "Some cards of this still lie face down. Finish the hand and accept it first."
    ),
    "not_these_players": _l("Choose each player of the match one time."),
    "changes_nothing": _l("This changes nothing: it is recorded so already."),
    "proposal_closed": _l("This proposal can no longer be signed."),
    "nothing_proposed": _l("Choose what should be corrected."),
    "proposed_already": _l("A proposal about this hand is open. Sign it or decline it first."),
    "invisible_name": _l("This name has nothing that can be seen. Type one with letters."),
    "damaged_form": _l("The form was incomplete. Load the page again."),
}

MESSAGES: Final[Mapping[str, str]] = {**OF_TOURNAMENTS, **OF_LOGS, **OF_CLUBS, **AT_A_TABLE}

# Descriptions of values, by their names in messages for programs.
SHAPES: Final[Mapping[str, str]] = {
    "an object": _l("an object"),
    "an empty object": _l("an empty object"),
    "a list": _l("a list"),
    "an empty list": _l("an empty list"),
    "a very large number": _l("a very large number"),
}


# Messages beside an option that conflicts with another.
BESIDE_AN_OPTION: Final = {
    "no_such_choice": _l("This does not fit what is chosen elsewhere."),
}


def message_for_players(error: ScorekeeperError) -> str:
    """Return the message for players at a table.

    It is the error's own text if no tap can cause the error.
    """
    return _message_of_error(error, MESSAGES)


def message_beside_option(error: ScorekeeperError) -> str:
    """Return the message beside an option of a form that conflicts with another."""
    return _message_of_error(error, {**MESSAGES, **BESIDE_AN_OPTION})


def message_in_tournament(error: ScorekeeperError) -> str:
    """Return the message on a page of a tournament, some of whose reasons a club has, too."""
    return _message_of_error(error, {**MESSAGES, **OF_TOURNAMENTS})


def message_for_log(error: ScorekeeperError) -> str:
    """Return the message for a log that cannot be used."""
    return _message_of_error(error, {**MESSAGES, **IN_A_LOG})


def _message_of_error(error: ScorekeeperError, messages: Mapping[str, str]) -> str:
    """Return the message from `messages` for the error's cause, else the error's own text."""
    reason = error.args[0]
    if not (isinstance(reason, Cause) and reason.why in messages):
        return str(reason)
    facts = dict(reason.facts)
    if reason.why == "no_effect":
        facts = _conflict_facts(facts)
    for about in ("game", "games"):
        if about in facts:
            facts[about] = ", ".join(map(_local_name, str(facts[about]).split(", ")))
    if facts.get("got") in SHAPES:
        facts["got"] = SHAPES[str(facts["got"])]
    return str(messages[reason.why]) % facts


def _local_name(game: str) -> str:
    """Return the name of a game in the current language, given by its id or its English name.

    That of an unknown game is returned as it is.
    """
    return next(
        (known.local_name for id_, known in GAMES.items() if game in (id_, known.name)), game
    )


def _conflict_facts(facts: Mapping[str, Any]) -> dict[str, object]:
    """Return the two conflicting options by their questions, with their chosen values."""
    options = {known.name: known for known in GAMES[facts["game"]].book.options}
    option, other = options[facts["option"]], options[facts["other"]]
    return {
        "question": language().say(option.text),
        "chosen": _chosen_answer(option, facts["value"]),
        "other": language().say(other.text),
        "beside": _chosen_answer(other, facts["beside"]),
    }


def _chosen_answer(option: Option, value: object) -> str:
    """Return the value of an option in words: briefly if it has figures, else by its meaning."""
    if isinstance(value, bool | str):
        return language().say(option.meaning(value))
    return summarize_value(option, value)
