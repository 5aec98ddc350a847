"""What names, sides and values are called on a button."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from flask_babel import lazy_gettext as _l

from scorekeeper.base.language import language
from scorekeeper.cards.packs import Pack
from scorekeeper.events.event import Event
from scorekeeper.events.fields import Kind, Part, parts, words_of
from scorekeeper.events.sentences import SUIT, Voice, alone, facts_in, question_of
from scorekeeper.games import GAMES
from scorekeeper.report.narration import voice_of
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.wording.filters import labelled
from scorekeeper.web.wording.naming import distinct, remembered, short, width

HIGH: Final = "high"  # the kind of word that a rank is after “to the”
AND: Final = " & "
PARTIES: Final = {"bidder": _l("Bidder’s party"), "defenders": _l("Defenders")}


def names_at(session: Session) -> dict[str, str]:
    """What the players of a session are called at its table, each otherwise."""
    return distinct(session.structure.players)


@remembered
def marks_of(names: Mapping[str, str]) -> dict[str, str]:
    """A letter or two for each of those who play, by which a small field tells who it was.

    >>> marks_of({"mara": "Mara", "leo": "Leo", "mia": "Mia", "max": "Max"})
    {'mara': 'M1', 'leo': 'L', 'mia': 'Mi', 'max': 'M4'}
    """
    short = {player: name.lstrip("0123456789. ") or name for player, name in names.items()}
    found = {}
    for place, (player, name) in enumerate(short.items(), start=1):
        others = [other for one, other in short.items() if one != player]
        own = [n for n in (1, 2) if not any(name[:n] == other[:n] for other in others)]
        found[player] = name[: own[0]] if own else f"{name[:1]}{place}"
    return found


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
    return AND.join(names[one] for one in members) or str(PARTIES.get(side, side))


def short_labels(
    sides: Iterable[str], names: Mapping[str, str], match: MatchRecord | None, room: float
) -> dict[str, str]:
    """What sides or players are called where there is so much room, in em, for each of them."""
    members = max((len(some) for some in match.sides.values()), default=1) if match else 1
    whole = members == 1 or any(side in names for side in sides)
    names = short(names, room if whole else (room - width(AND) * (members - 1)) / members)
    return {side: side_label(side, names, match) for side in sides}


def label_of(kind: Kind, value: Any, pack: Pack | None) -> str:
    """A value of a kind, as it stands on its button."""
    said = alone(value, kind, pack)
    return said if words_of(kind) == SUIT else said.capitalize()


def part_label(part: Part, value: Any, pack: Pack | None) -> str:
    """A value of a field, as it stands on its button."""
    called = part.called.get(value) if isinstance(value, str) else None
    return language().say(called) if called else label_of(part.kind, value, pack)


def together(declared: type[Event], data: Mapping[str, Any], pack: Pack | None) -> str:
    """Several fields of an event on one button, one after another where no template fits."""
    kinds = {one.name: one.kind for one in parts(declared)}
    said = {name: label_of(kinds[name], value, pack) for name, value in data.items()}
    if declared.TOGETHER is None or not facts_in(declared.TOGETHER.says) <= said.keys():
        return " · ".join(said.values())
    said |= {
        name: language().word(HIGH, value)
        for name, value in data.items()
        if words_of(kinds[name]) == HIGH
    }
    return language().say(declared.TOGETHER.says).format_map(said)


def asked_together(declared: type[Event], names: Sequence[str]) -> str:
    """What is asked where several fields of an event are chosen at once."""
    if declared.TOGETHER is not None:
        return language().say(declared.TOGETHER.asks)
    return " · ".join(question_of(one) for one in parts(declared) if one.name in names)


def match_label(data: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A match on a button: its game, and who plays."""
    players = ", ".join(names[one] for one in data["seats"])
    return f"{labelled(GAMES[data['game']].name)} {players}"
