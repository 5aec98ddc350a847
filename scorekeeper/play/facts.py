"""Facts of a complete hand, and the sentences that summarize it.

A game declares each fact once, as data. The summary line of a hand and the columns of tables
follow from that declaration.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.fields import Each, Kind, Many, PlayerId, SideId
from scorekeeper.events.sentences import Voice, facts_in
from scorekeeper.play.deal import Deal

EACH_SIDE: Final = "each side"  # the subject of a sentence that every side can have
# The columns that the table of hands has for every game.
COLUMNS: Final = (
    "match", "game", "hand", "dealer", "status", "level", "side", "players", "score", "taken",
    "total", "winner", "confirmed", "disputed", "reason", "unresolved", "date", "session", "title",
    "game_of_match", "target",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HandFact:
    """A fact of a complete hand.

    ``id`` is the permanent name of its column in tables; it has the same meaning in every game.
    It is none of :data:`COLUMNS` except ``taken``, which has the same meaning there.
    ``label`` is its name for players; ``kind`` is the type of its value, which also formats it.
    ``read`` returns the value from a deal whose result is known, or None if it is not on record.
    A fact of the kind ``Each(SIDE, …)`` has a value for every side for which it is known.
    """

    id: str
    label: str
    kind: Kind
    read: Callable[[Any], Any]

    @property
    def of_sides(self) -> bool:
        """Whether each side has its own value."""
        return isinstance(self.kind, Each)

    @property
    def kind_of_one(self) -> Kind:
        """The kind of its value for one side."""
        return self.kind.of if isinstance(self.kind, Each) else self.kind


SIDE: Final = SideId()
KnownFacts = JsonObject  # the facts that are on record, by id


@dataclass(frozen=True, slots=True)
class Phrase:
    """A part of a sentence; it applies if the facts that it names are known and ``when`` holds."""

    words: str
    when: Callable[[KnownFacts], object] = lambda known: True


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the summary: from each group of ``phrases``, the first that applies.

    ``about`` is the id of the fact that holds its subject, one player or several, or
    ``EACH_SIDE``.
    """

    about: str
    phrases: tuple[tuple[Phrase, ...], ...]


class SummaryLine(NamedTuple):
    """The summary of a hand for some players or sides; ``text`` follows their names."""

    about: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class HandFacts:
    """The facts of a game's hands, and the sentences that summarize them."""

    facts: tuple[HandFact, ...] = ()
    sentences: tuple[Sentence, ...] = ()

    def templates(self) -> Iterator[str]:
        """Return every phrase of the sentences, as a template."""
        return (phrase.words for phrase in self._phrases())

    def facts_in_conditions(self) -> Iterator[str]:
        """Return the facts that `has`, `lacks` and `equals` conditions of phrases name."""
        conditions = (phrase.when for phrase in self._phrases())
        return (when.fact for when in conditions if isinstance(when, has | lacks | equals))

    def _phrases(self) -> Iterator[Phrase]:
        """Yield every phrase of every sentence."""
        for sentence in self.sentences:
            yield from (phrase for phrases in sentence.phrases for phrase in phrases)

    def known(self, deal: Deal) -> dict[str, Any]:
        """Return the facts of a complete hand that are on record, by id."""
        values = {fact.id: fact.read(deal) for fact in self.facts}
        return {name: value for name, value in values.items() if value is not None}

    def kinds(self) -> dict[str, Kind]:
        """Return the kind of each fact's value, for one side where each side has its own."""
        return {fact.id: fact.kind_of_one for fact in self.facts}

    def of_side(self, known: KnownFacts, side: str) -> JsonObject:
        """Return the known facts from the view of one side.

        A fact with a value for each side is reduced to the value of this side, or left out.
        """
        own = {fact.id for fact in self.facts if fact.of_sides}
        values = {name: value.get(side) if name in own else value for name, value in known.items()}
        return {name: value for name, value in values.items() if value is not None}

    def summarize(
        self, known: KnownFacts, sides: Iterable[str], voice: Voice
    ) -> Iterator[SummaryLine]:
        """Yield the summary of a hand in the current language, sentence by sentence.

        ``known`` are the known facts by id. A sentence without a known fact is left out.
        """
        kinds = self.kinds()
        for sentence in self.sentences:
            for about, facts in self._subjects(sentence, known, sides):
                parts = [_first_phrase(group, facts, kinds, voice) for group in sentence.phrases]
                text = ", ".join(filter(None, parts))
                if text:
                    yield SummaryLine(about, text)

    def _subjects(
        self, sentence: Sentence, known: KnownFacts, sides: Iterable[str]
    ) -> Iterator[tuple[tuple[str, ...], KnownFacts]]:
        """Yield each subject of a sentence, with the facts that fill its phrases."""
        if sentence.about == EACH_SIDE:
            yield from (((side,), self.of_side(known, side)) for side in sides)
        elif known.get(sentence.about):
            subject = known[sentence.about]
            yield (subject,) if isinstance(subject, str) else tuple(subject), known


def _first_phrase(
    phrases: Iterable[Phrase], known: KnownFacts, kinds: Mapping[str, Kind], voice: Voice
) -> str:
    """Return the first phrase that applies to these facts, filled in; empty if none does."""
    for phrase in phrases:
        names = facts_in(phrase.words)
        if names <= known.keys() and phrase.when(known):
            return voice.fill(phrase.words, {name: (known[name], kinds[name]) for name in names})
    return ""


@dataclass(frozen=True, slots=True)
class has:  # noqa: N801 - read as a word beside a phrase
    """A condition: a fact is known, and is neither false nor 0."""

    fact: str

    def __call__(self, known: KnownFacts) -> object:
        """Return a true value if the fact is known and neither false nor 0."""
        return known.get(self.fact)


@dataclass(frozen=True, slots=True)
class lacks:  # noqa: N801 - read as a word beside a phrase
    """A condition: a fact is not known."""

    fact: str

    def __call__(self, known: KnownFacts) -> object:
        """Return whether the fact is not known."""
        return self.fact not in known


@dataclass(frozen=True, slots=True)
class equals:  # noqa: N801 - read as a word beside a phrase
    """A condition: a fact is known, and has this value. It chooses between one and several.

    >>> phrases = Phrase("took 1 trick", equals("tricks", 1)), Phrase("took {tricks} tricks")
    >>> [phrases[0].when({"tricks": number}) for number in (1, 2)]
    [True, False]
    """

    fact: str
    value: object

    def __call__(self, known: KnownFacts) -> object:
        """Return whether the fact is known and has the value."""
        return self.fact in known and known[self.fact] == self.value


def players_in(value: Any, kind: Kind) -> tuple[str, ...] | None:
    """Return the ids of players or sides that a value names; None if its kind names none."""
    if isinstance(kind, Many) and isinstance(kind.of, PlayerId | SideId):
        return tuple(value)
    return (value,) if isinstance(kind, PlayerId | SideId) else None
