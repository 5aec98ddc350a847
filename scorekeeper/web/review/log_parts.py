"""The content of a scored log on its page: matches, hands, reasons, findings and corrections."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.base.parts import ExactPoints
from scorekeeper.cards.packs import Pack
from scorekeeper.games.game import Game
from scorekeeper.play.rulebook import Clause, Option
from scorekeeper.report.narration import NarratedEvent, NarratedPenalty, Story
from scorekeeper.report.sheet import HandRow, Sheet
from scorekeeper.report.views import SessionView
from scorekeeper.web.wording.rules_link import OptionInForce

NOT_RECORDED: Final = "not_recorded"


SEVERITIES: Final = ("error", "warning", "info")


@dataclass(frozen=True, slots=True)
class Cite:
    """An event that a finding cites, as a sentence."""

    seq: int
    words: str


@dataclass(frozen=True, slots=True)
class Reason:
    """A line of the score, or several equal lines of different sides.

    ``house_rules`` are those about its clause, ``clause_shown`` whether an earlier reason has shown
    the clause, ``proved`` whether the previous reason has the same proof.
    """

    sides: Sequence[str]
    points: ExactPoints
    text: str
    clause: Clause
    beside: Sequence[NarratedEvent]
    house_rules: Sequence[OptionInForce]
    tricks: Sequence[int]
    events: Sequence[int]
    clause_shown: bool
    proved: bool


@dataclass(frozen=True, slots=True)
class Remark:
    """A finding, with the hands that it was made on.

    ``house_rules`` are the house rules about its clause.
    """

    severity: str
    code: str
    message: str
    clause: Clause | None
    house_rules: Sequence[OptionInForce]
    game: Game | None
    hands: Sequence[tuple[int, int]]
    cites: Sequence[Cite]


@dataclass(frozen=True, slots=True)
class NarratedHand:
    """One hand: its row of the sheet, its reasons, findings and story.

    ``summary`` is its result in lines: names, and the text about them. ``marks`` are the names of
    its marks.
    """

    row: HandRow
    anchor: str
    summary: Sequence[tuple[Sequence[str], str]]
    reasons: Sequence[Reason]
    remarks: Sequence[Remark]
    story: Story | None
    taken: Mapping[str, ExactPoints]
    players: Mapping[str, str]
    signed: Sequence[str]
    penalties: Sequence[NarratedPenalty]
    marks: Sequence[str]

    @property
    def found(self) -> list[Remark]:
        """The findings of the hand, without the notes on what was not recorded."""
        return [remark for remark in self.remarks if remark.code != NOT_RECORDED]

    @property
    def worst(self) -> str:
        """The gravest severity among its findings, apart from notes; empty if none."""
        severities = {remark.severity for remark in self.remarks}
        return next((severity for severity in SEVERITIES[:2] if severity in severities), "")

    @property
    def abandoned(self) -> str:
        """The reason why it was abandoned, as a sentence, if that is on record."""
        events = self.story.events if self.story else ()
        return next((event.words for event in events if event.type == "hand_abandoned"), "")


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """The value of an option in a match; ``in_brief`` is the value in a few words."""

    option: Option
    in_brief: str
    meaning: str
    by_default: bool


@dataclass(frozen=True, slots=True)
class NarratedMatch:
    """One match: its sheet, its game, its hands and its options.

    `place` is its anchor on the page.
    """

    sheet: Sheet
    game: Game
    pack: Pack
    names: Mapping[str, str]
    hands: Sequence[NarratedHand]
    choices: Sequence[OptionChoice]
    place: str


@dataclass(frozen=True, slots=True)
class CorrectedWords:
    """A correction in words: the event before and after it."""

    seq: int
    reason: str
    stands: bool
    names: int
    before: str
    after: str
    inserted: bool


@dataclass(frozen=True, slots=True)
class ScoredLog:
    """The content of a scored log's page."""

    session: SessionView
    sealed: bool
    whole: bool
    began: str
    matches: Sequence[NarratedMatch]
    remarks: Sequence[Remark]
    corrections: Sequence[CorrectedWords]
    narrated: bool
