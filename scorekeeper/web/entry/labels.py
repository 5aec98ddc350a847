"""Labels of names, sides and values on buttons."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from flask_babel import lazy_gettext as _l

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.language import language
from scorekeeper.cards.packs import Pack
from scorekeeper.events.event import Event
from scorekeeper.events.fields import Kind, Part, parts_of, word_category
from scorekeeper.events.sentences import SUIT, Voice, facts_in, question_of, standalone_words
from scorekeeper.games import GAMES
from scorekeeper.report.narration import get_voice
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.wording.filters import with_colon
from scorekeeper.web.wording.naming import cache_by_names, distinct_names, short_names, text_width

HIGH: Final = "high"  # the kind of word for a rank after “to the”
AND: Final = " & "
PARTIES: Final = {"bidder": _l("Bidder’s party"), "defenders": _l("Defenders")}


def names_at(session: Session) -> dict[str, str]:
    """Return the displayed names of a session's players, each of them different."""
    return distinct_names(session.structure.players)


@cache_by_names
def marks_of(names: Mapping[str, str]) -> dict[str, str]:
    """Return one or two letters for each player, for fields too small for a name.

    >>> marks_of({"mara": "Mara", "leo": "Leo", "mia": "Mia", "max": "Max"})
    {'mara': 'M1', 'leo': 'L', 'mia': 'Mi', 'max': 'M4'}
    """
    short = {player: name.lstrip("0123456789. ") or name for player, name in names.items()}
    marks = {}
    for place, (player, name) in enumerate(short.items(), start=1):
        others = [other for key, other in short.items() if key != player]
        own = [n for n in (1, 2) if not any(name[:n] == other[:n] for other in others)]
        marks[player] = name[: own[0]] if own else f"{name[:1]}{place}"
    return marks


def voice_at(session: Session, match: MatchRecord | None) -> Voice:
    """Return the voice of the table: how names, cards and suits are worded in sentences."""
    names = names_at(session)
    sides = match.sides if match else {}
    labels = {side: side_label(side, names, match) for side in sides} | names
    return replace(get_voice(session, match), names=labels)


def side_label(side: str, names: Mapping[str, str], match: MatchRecord | None) -> str:
    """Return the label of a side: its players, or the role of a party in the hand."""
    if side in names:
        return names[side]
    members = match.sides.get(side, ()) if match else ()
    return AND.join(names[player] for player in members) or str(PARTIES.get(side, side))


def short_labels(
    sides: Iterable[str], names: Mapping[str, str], match: MatchRecord | None, room: float
) -> dict[str, str]:
    """Return labels of sides or players that fit into a width in em."""
    members = max((len(players) for players in match.sides.values()), default=1) if match else 1
    whole = members == 1 or any(side in names for side in sides)
    names = short_names(
        names, room if whole else (room - text_width(AND) * (members - 1)) / members
    )
    return {side: side_label(side, names, match) for side in sides}


def value_label(kind: Kind, value: object, pack: Pack | None) -> str:
    """Return the label of a value on its button, capitalised unless it is a suit."""
    label = standalone_words(value, kind, pack)
    return label if word_category(kind) == SUIT else label.capitalize()


def part_label(part: Part, value: object, pack: Pack | None) -> str:
    """Return the label of a field's value on its button, which the field may override."""
    called = part.called.get(value) if isinstance(value, str) else None
    return language().say(called) if called else value_label(part.kind, value, pack)


def joint_label(declared: type[Event], data: JsonObject, pack: Pack | None) -> str:
    """Return one label for several fields of an event, joined by dots if no template fits."""
    kinds = {part.name: part.kind for part in parts_of(declared)}
    labels = {name: value_label(kinds[name], value, pack) for name, value in data.items()}
    if declared.TOGETHER is None or not facts_in(declared.TOGETHER.says) <= labels.keys():
        return " · ".join(labels.values())
    labels |= {
        name: language().word(HIGH, value)
        for name, value in data.items()
        if word_category(kinds[name]) == HIGH
    }
    return language().say(declared.TOGETHER.says).format_map(labels)


def joint_question(declared: type[Event], names: Sequence[str]) -> str:
    """Return the question for several fields of an event that one tap chooses together."""
    if declared.TOGETHER is not None:
        return language().say(declared.TOGETHER.asks)
    return " · ".join(question_of(part) for part in parts_of(declared) if part.name in names)


def match_label(data: JsonObject, names: Mapping[str, str]) -> str:
    """Return the label of a match on a button: its game and players."""
    players = ", ".join(names[player] for player in data["seats"])
    return f"{with_colon(GAMES[data['game']].name)} {players}"
