"""What players tell of a hand: its facts, each declared once, and the sentences made of them.

A game declares them as data. The line that says what a hand came to, the columns of tables and
whatever else is made of a hand's facts follow from that one declaration.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from scorekeeper.events.fields import Each, Kind, Many, PlayerId, SideId
from scorekeeper.events.sentences import Voice, facts_in
from scorekeeper.play.deal import Deal

EACH_SIDE: Final = "each side"  # what a sentence is about that is said of every side
# The columns of the table of hands that are there for every game.
COLUMNS: Final = (
    "match", "game", "hand", "dealer", "status", "level", "side", "players", "score", "taken",
    "total", "winner", "confirmed", "disputed", "reason", "unresolved", "date", "session", "title",
    "game_of_match", "target",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HandFact:
    """One thing that is told of a complete hand.

    ``id`` names its column in tables, for ever, and means the same in every game that has it. Of
    :data:`COLUMNS` it may only be ``taken``, which is the same there.
    ``label`` is what people call it, ``kind`` what its value is and how that is said. ``read``
    finds it in a deal whose result is known: None where that is not on record. A fact of the
    kind ``Each(SIDE, …)`` has a value for every side of which it is known.
    """

    id: str
    label: str
    kind: Kind
    read: Callable[[Any], Any]

    @property
    def of_sides(self) -> bool:
        """Whether each side has its own."""
        return isinstance(self.kind, Each)

    @property
    def kind_of_one(self) -> Kind:
        """What its value is for one side."""
        return self.kind.of if isinstance(self.kind, Each) else self.kind


SIDE: Final = SideId()
KnownFacts = Mapping[str, Any]  # facts by id, as far as they are on record


@dataclass(frozen=True, slots=True)
class Phrase:
    """A few words of a sentence, said where the facts named in it are known, and ``when`` holds."""

    words: str
    when: Callable[[KnownFacts], object] = lambda known: True


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is said of somebody: of each of its ``phrases``, the first that can be.

    ``about`` is the fact that says of whom, one player or several, or ``EACH_SIDE``.
    """

    about: str
    phrases: tuple[tuple[Phrase, ...], ...]


class SummaryLine(NamedTuple):
    """What is said of some players or sides, in words that follow their names."""

    about: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class HandFacts:
    """What players tell of a hand of a game: the facts, and the sentences that sum them up."""

    facts: tuple[HandFact, ...] = ()
    sentences: tuple[Sentence, ...] = ()

    def templates(self) -> Iterator[str]:
        """Every text that the sentences can say."""
        return (phrase.words for phrase in self._phrases())

    def asked_about(self) -> Iterator[str]:
        """The facts that decide whether a phrase is said, where they are named."""
        conditions = (phrase.when for phrase in self._phrases())
        return (one.fact for one in conditions if isinstance(one, has | lacks))

    def _phrases(self) -> Iterator[Phrase]:
        for sentence in self.sentences:
            yield from (phrase for phrases in sentence.phrases for phrase in phrases)

    def known(self, deal: Deal) -> dict[str, Any]:
        """The facts of a complete hand by id, as far as they are on record."""
        found = {fact.id: fact.read(deal) for fact in self.facts}
        return {name: value for name, value in found.items() if value is not None}

    def kinds(self) -> dict[str, Kind]:
        """What the value of each fact is, for one side where each has its own."""
        return {fact.id: fact.kind_of_one for fact in self.facts}

    def of_side(self, known: KnownFacts, side: str) -> dict[str, Any]:
        """The facts as they concern one side."""
        own = {fact.id for fact in self.facts if fact.of_sides}
        told = {name: value.get(side) if name in own else value for name, value in known.items()}
        return {name: value for name, value in told.items() if value is not None}

    def told(self, known: KnownFacts, sides: Iterable[str], voice: Voice) -> Iterator[SummaryLine]:
        """What a hand came to, in the language that is spoken; nothing where nothing is known."""
        kinds = self.kinds()
        for sentence in self.sentences:
            for about, facts in self._subjects(sentence, known, sides):
                said = [_said(phrase, facts, kinds, voice) for phrase in sentence.phrases]
                text = ", ".join(filter(None, said))
                if text:
                    yield SummaryLine(about, text[:1].upper() + text[1:])

    def _subjects(
        self, sentence: Sentence, known: KnownFacts, sides: Iterable[str]
    ) -> Iterator[tuple[tuple[str, ...], KnownFacts]]:
        """Of whom a sentence is said, with the facts that it is said by."""
        if sentence.about == EACH_SIDE:
            yield from (((side,), self.of_side(known, side)) for side in sides)
        elif known.get(sentence.about):
            whom = known[sentence.about]
            yield (whom,) if isinstance(whom, str) else tuple(whom), known


def _said(
    phrases: Iterable[Phrase], known: KnownFacts, kinds: Mapping[str, Kind], voice: Voice
) -> str:
    """The first of some phrases that can be said of these facts; empty where none can."""
    for phrase in phrases:
        names = facts_in(phrase.words)
        if names <= known.keys() and phrase.when(known):
            return voice.fill(phrase.words, {name: (known[name], kinds[name]) for name in names})
    return ""


@dataclass(frozen=True, slots=True)
class has:  # noqa: N801 - read as a word beside a phrase
    """Whether a fact is known, and is neither false nor nought."""

    fact: str

    def __call__(self, known: KnownFacts) -> object:
        return known.get(self.fact)


@dataclass(frozen=True, slots=True)
class lacks:  # noqa: N801 - read as a word beside a phrase
    """Whether a fact is not known."""

    fact: str

    def __call__(self, known: KnownFacts) -> object:
        return self.fact not in known


def players_in(value: Any, kind: Kind) -> tuple[str, ...] | None:
    """The players or sides that a value names; None where it names none by its kind."""
    if isinstance(kind, Many) and isinstance(kind.of, PlayerId | SideId):
        return tuple(value)
    return (value,) if isinstance(kind, PlayerId | SideId) else None
