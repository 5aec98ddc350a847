"""What a field, a value and a step are called on a button."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from scorekeeper.base.language import language
from scorekeeper.cards.packs import Pack
from scorekeeper.events.sentences import Voice
from scorekeeper.games import GAMES
from scorekeeper.report.narration import voice_of
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.wording.naming import distinct
from scorekeeper.web.wording.writing import labelled

# What a step is called, by the type of its event and, where one type has several, its category.
TITLES: Final[Mapping[str, Any]] = {
    "match_started": _l("Play"),
    "hand_started": _l("Who deals?"),
    "hand_abandoned": _l("The hand comes to nothing"),
    "points_counted": _l("Count the points"),
    "outcome_recorded": _l("Was the contract made?"),
    "score_claimed": _l("What the table wrote down"),
    "match_ended": _l("End the match here"),
    "session_closed": _l("Close the evening"),
    "card_played": _l("Which card?"),
    "trick_taken": _l("Who took the trick?"),
    "rest_claimed": _l("Who takes all the rest?"),
    "cards_shown": _l("Cards shown"),
    "bid_made": _l("Bid"),
    "bid_raised": _l("Raise the bid"),
    "set_distributed": _l("Insieme handed out"),
    "hierarchy_declared": _l("Hierarchy, strongest first"),
    "bris_called": _l("Bris"),
    "hands_exchanged": _l("Hands exchanged"),
    "white_declared": _l("White"),
    "cards_exchanged": _l("How many cards exchanged?"),
    "declared.point": _l("Point declared"),
    "declared.sequence": _l("Sequence declared"),
    "declared.set": _l("Set declared"),
    "answered": _l("What is the answer?"),
    "shown.point": _l("Point shown"),
    "shown.sequence": _l("Sequence shown"),
    "shown.set": _l("Set shown"),
    "tricks_counted": _l("Count the tricks"),
    "pique_called": _l("Pique"),
    "repique_called": _l("Repique"),
    "cards_laid_away": _l("Cards laid away"),
    "signal_made": _l("Gesture"),
    "fool_paid": _l("Card paid for the Fool"),
    "fool_surrendered": _l("The Fool given up"),
    "card_called": _l("Which card is called?"),
    "partner_revealed": _l("Who is the partner?"),
    "monte_taken": _l("The monte"),
    "called_card_shown": _l("Named card shown"),
    "note_added": _l("Note"),
    "penalty_given": _l("Penalty"),
}
# What a group within a step is called.
FIELDS: Final[Mapping[str, Any]] = {
    "player": _l("Who?"),
    "dealer": _l("Who?"),
    "side": _l("Which side?"),
    "points": _l("Points"),
    "scores": _l("Points"),
    "tricks": _l("Tricks"),
    "last": _l("Last trick to"),
    "bid": _l("Bid"),
    "card": _l("Card"),
    "cards": _l("Cards"),
    "suit": _l("Suit"),
    "suits": _l("Suits"),
    "count": _l("How many?"),
    "value": _l("Sum"),
    "answer": _l("Answer"),
    "signal": _l("Gesture"),
    "reason": _l("Why?"),
    "match": _l("Match"),
    "trumps_shown": _l("Trumps that he shows"),
    "length high": _l("Length and top card"),
    "count rank": _l("Which?"),
    "made": _l("Contract"),
    "kept": _l("Kept"),
    "discarded": _l("Thrown away"),
}
PARTIES: Final = {"bidder": _l("Bidder’s party"), "defenders": _l("Defenders")}


def title_of(kind: str, category: str | None = None) -> str:
    """What a step is called; of an event that has no title of its own, its type in words."""
    key = f"{kind}.{category}" if f"{kind}.{category}" in TITLES else kind
    return str(TITLES[key]) if key in TITLES else language().word("title", in_words(kind))


def field_of(name: str) -> str:
    """What a group is called."""
    return str(FIELDS[name]) if name in FIELDS else language().word("field", in_words(name))


def in_words(name: str) -> str:
    """A name in words, as it is shown where it has no better one."""
    return name.replace("_", " ").capitalize()


def names_at(session: Session) -> dict[str, str]:
    """What the players of a session are called at its table, each otherwise."""
    return distinct(session.structure.players)


def voice_at(session: Session, match: MatchRecord | None) -> Voice:
    """How names, cards and suits are said at the table."""
    names = names_at(session)
    sides = match.sides if match else {}
    said = {side: side_label(side, names, match) for side in sides} | names
    return replace(voice_of(session, match), names=said)


def side_label(side: str, names: Mapping[str, str], match: MatchRecord | None) -> str:
    """What a side is called: by its players, or a party of the hand by what it is."""
    if side in names:
        return names[side]
    members = match.sides.get(side, ()) if match else ()
    return " & ".join(names[one] for one in members) or str(PARTIES.get(side, side))


def label_of(name: str, value: Any, names: Mapping[str, str], pack: Pack | None) -> str:
    """A value of a field, as it stands on its button."""
    if isinstance(value, bool):
        return str(_("Made") if value else _("Lost"))
    if isinstance(value, list):
        return ", ".join(label_of(name, one, names, pack) for one in value)
    return _word(name, value, pack) if isinstance(value, str) else str(value)


def _word(name: str, value: str, pack: Pack | None) -> str:
    if name in ("suit", "suits") and pack is not None:
        return pack.suit_name(value)
    if name in ("bid", "high", "rank"):
        return str(_("Pass")) if value == "pass" else language().word("letter", value)
    if name == "answer":
        return str(ANSWERS[value])
    return language().word(KINDS.get(name, name), value.replace("_", " ")).capitalize()


KINDS: Final = {"signal": "value"}  # a gesture is said as the option that allows it says it
ANSWERS: Final = {"good": _l("Good"), "equal": _l("Equal"), "not_good": _l("Not good")}


def together(data: Mapping[str, Any], names: Mapping[str, str], pack: Pack | None) -> str:
    """Several fields on one button: a sequence, a set, a match."""
    said = {name: label_of(name, value, names, pack) for name, value in data.items()}
    if data.keys() == {"length", "high"}:
        top = language().word("high", data["high"])
        return str(_("%(length)s to the %(high)s", length=said["length"], high=top))
    if data.keys() == {"count", "rank"}:
        return f"{said['count']} × {said['rank']}"
    return " · ".join(said.values())


def match_label(data: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A match on a button: its game, and who plays."""
    players = ", ".join(names[one] for one in data["seats"])
    return f"{labelled(GAMES[data['game']].name)} {players}"
