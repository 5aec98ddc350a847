"""The context of the values in a form, and the labels of names, sides and values in it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from markupsafe import Markup, escape

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.language import language
from scorekeeper.cards.packs import ITALIAN_RANKS, Card, Pack
from scorekeeper.events.event import Event
from scorekeeper.events.fields import Kind, Part, PlayerId, SideId, Whom, parts_of, word_category
from scorekeeper.events.sentences import (
    RANKS,
    SUIT,
    Voice,
    facts_in,
    in_words,
    question_of,
    standalone_words,
)
from scorekeeper.games import GAMES
from scorekeeper.play.deal import Deal
from scorekeeper.play.table import PARTIES
from scorekeeper.report.narration import NarratedTrick, get_voice
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.frame.ring import sides_starting_with
from scorekeeper.web.wording.filters import with_colon
from scorekeeper.web.wording.naming import (
    cache_by_names,
    count_shared,
    distinct_names,
    fit_name,
    letters_of,
)

HIGH: Final = "high"  # the kind of word for a rank after “to the”
AND: Final = " & "
# Players or sides in the order of their seats, each with its members.
Ring = tuple[tuple[str, tuple[str, ...]], ...]


def names_at(session: Session) -> dict[str, str]:
    """Return the displayed names of a session's players, each of them different."""
    return distinct_names(session.structure.players)


@cache_by_names
def marks_of(names: Mapping[str, str]) -> dict[str, str]:
    """Return one or two letters for each player, for fields too small for a name.

    After the initial stands the first letter that tells the name from all others.

    >>> marks_of({"mara": "Mara", "leo": "Leo", "mia": "Mia", "max": "Max"})
    {'mara': 'Mr', 'leo': 'L', 'mia': 'Mi', 'max': 'Mx'}
    """
    letters = {player: list(letters_of(name)) for player, name in names.items()}
    initials = Counter(first.casefold() for first, *_rest in letters.values())
    marks: dict[str, str] = {}
    for place, (player, (first, *rest)) in enumerate(letters.items(), start=1):
        after = rest[max(0, count_shared(names[player], names.values()) - 1) :]
        several = [first + letter for letter in (*after, *rest, str(place)) if letter.strip()]
        free = (mark for mark in several if mark not in marks.values())
        marks[player] = first if initials[first.casefold()] == 1 else next(free)
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
    return AND.join(names[player] for player in members) or _party_label(side, match)


def _party_label(side: str, match: MatchRecord | None) -> str:
    """Return the label of a party of the hand, by its id; of anything else the id."""
    party = (match.game.parties if match else PARTIES).get(side)
    return language().say(party.label) if party else side


def fit_label(side: str, names: Mapping[str, str], match: MatchRecord | None) -> Markup:
    """Return the HTML of a side's label, in which the browser cuts each name that is too wide."""
    members = match.sides.get(side, ()) if match and side not in names else (side,)
    fitted = [fit_name(names[player], names.values()) for player in members if player in names]
    return escape(AND).join(fitted) or Markup("<bdi>{}</bdi>").format(_party_label(side, match))


def value_label(kind: Kind, value: object, pack: Pack | None) -> str:
    """Return the label of a value on its button, capitalised unless it is a suit."""
    label = standalone_words(value, kind, pack)
    return label if word_category(kind) == SUIT else label.capitalize()


def rank_in_words(kind: Kind, value: object) -> str:
    """Return the words for a rank that a button shows as a letter; empty for any other value."""
    return in_words(value, kind) if value in ITALIAN_RANKS and word_category(kind) in RANKS else ""


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


def joint_words(declared: type[Event], data: JsonObject) -> str:
    """Return the words for several fields of an event together; empty if no template fits."""
    together = declared.TOGETHER
    template = (together.spoken or together.says) if together else ""
    if not facts_in(template) <= data.keys():
        return ""
    kinds = {part.name: part.kind for part in parts_of(declared)}
    return Voice().fill(template, {name: (value, kinds[name]) for name, value in data.items()})


def joint_question(declared: type[Event], names: Sequence[str]) -> str:
    """Return the question for several fields of an event that one tap chooses together."""
    if declared.TOGETHER is not None:
        return language().say(declared.TOGETHER.asks)
    return " · ".join(question_of(part) for part in parts_of(declared) if part.name in names)


def match_label(data: JsonObject, names: Mapping[str, str]) -> str:
    """Return the label of a match on a button: its game and players."""
    players = ", ".join(names[player] for player in data["seats"])
    return f"{with_colon(GAMES[data['game']].local_name)} {players}"


@dataclass(frozen=True, slots=True)
class Scene:
    """The context of the values in a form: a match, one of its hands, and the players' names.

    ``table`` is the current trick. ``taken`` is the number of tricks of each player, in games
    without partners. ``me`` is the viewer, whose seat or side comes first in lists.
    """

    names: Mapping[str, str]
    match: MatchRecord | None = None
    deal: Deal | None = None
    table: NarratedTrick | None = None
    taken: Mapping[str, int] = field(default_factory=dict)
    me: str | None = None

    @property
    def pack(self) -> Pack | None:
        """The pack of the match."""
        return self.match.pack if self.match else None

    def excluded(self, declared: type[Event], part: Part) -> list[object]:
        """Return the values that are never offered, and those used up by the entries of the hand.

        A value is used up if the field may have it only once in a hand (`Part.once`).
        """
        hands = self.match.hands if self.match and part.once else ()
        entries = next((hand.entries for hand in hands if hand.deal is self.deal), ())
        used = [entry.event for entry in entries if type(entry.event) is declared]
        return [*part.never, *(getattr(event, part.name) for event in used)]

    def can_be(self, part: Part, value: object) -> bool:
        """Return whether a value is possible in a field at this table."""
        return self.deal is None or self.deal.can_be(part.name, value)

    def sides(self, kind: Kind) -> tuple[Collection[str], Ring]:
        """Return the players, sides or parties that a field may name, and the ring of all.

        Players are in the order of their seats; each is the only member of a side.
        """
        if isinstance(kind, PlayerId):
            seated = self.match is not None and kind.whom is not Whom.SESSION
            every = tuple(self.match.seats if self.match and seated else self.names)
            active = self.deal.table.players if self.deal and kind.whom is Whom.ACTIVE else every
            ring: Ring = tuple((player, (player,)) for player in every)
            return tuple(player for player in every if player in active), ring
        members_of = self.match.sides if self.match else {}
        ring = tuple((side, tuple(members)) for side, members in members_of.items())
        counted = isinstance(kind, SideId) and kind.counted
        if counted and self.deal is not None:
            sides, order = self.deal.counted_sides(), list(members_of)
            return (
                (sorted(sides, key=order.index), ring)
                if set(sides) <= set(members_of)
                else (sides, ())
            )
        return tuple(members_of), ring

    def called(self, side: str) -> str:
        """Return the label of a player or side."""
        return side_label(side, self.names, self.match)

    def fitted(self, side: str) -> Markup:
        """Return the HTML of the label of a player or side, which fits in any space."""
        return fit_label(side, self.names, self.match)

    def called_in_full(self, kind: Kind) -> list[tuple[str, str]]:
        """Return the players or sides that a field may name, with their whole names."""
        ids, ring = self.sides(kind)
        game = self.match.game.parties if self.match else PARTIES
        parties = {party: language().say(words.phrase) for party, words in game.items()}
        order = [key for key in sides_starting_with(dict(ring), self.me) if key in ids] or ids
        return [(key, parties.get(key) or self.called(key)) for key in order]

    def fixed_total(self, name: str) -> int | None:
        """Return the fixed sum of the counts in a field; None if it is not fixed."""
        if self.deal is None or name == "scores":
            return None
        if name == "tricks":
            return self.deal.tricks.total
        totals = self.deal.totals()
        return totals[0] if len(totals) == 1 else None

    def played_cards(self) -> Collection[Card]:
        """Return the cards that have been played."""
        return self.deal.first if self.deal else ()

    def unplayed_cards(self) -> list[Card]:
        """Return the cards that have not been played."""
        return [
            card
            for card in (self.pack.cards if self.pack else ())
            if card not in self.played_cards()
        ]


NOWHERE: Final = Scene({})  # the context of values that need none
