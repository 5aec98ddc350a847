"""An evening as it is taken away: all that the files are made of, as it stood at one moment."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeVar

from scorekeeper.base.language import ENGLISH, language, speaking
from scorekeeper.events.common import HandAbandoned
from scorekeeper.events.fields import PLAYER, Many
from scorekeeper.exports.filenames import moment, named_by
from scorekeeper.languages.catalogues import DEFAULT
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.reader import PROGRAM, Reader
from scorekeeper.report.footnotes import Section, footnotes, payment_notes
from scorekeeper.report.hand_facts import summary
from scorekeeper.report.marks import marks_of
from scorekeeper.report.narration import voice_of
from scorekeeper.report.report import report as report_of
from scorekeeper.report.sheet import Sheet, sheets, value_in_brief, value_words
from scorekeeper.report.span import span
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session

NAMED: Final = Many(PLAYER)
MadeT = TypeVar("MadeT")
UNKNOWN: Final = "1980-01-01T00:00:00.000Z"  # where a log by hand has no times at all


@dataclass(frozen=True, slots=True)
class Chosen:
    """How a match was played where tables differ: a question, and the answer in words."""

    question: str
    answer: str
    meaning: str
    usual: bool


@dataclass(frozen=True, slots=True)
class Played:
    """A match: its sheet, its game, the options that it was played with, and its hands.

    ``called`` is what the games of a match are called, where it has several. ``gists`` say in a
    few words what each hand came to, ``marks`` are the names of its marks; ``unresolved`` are the
    numbers of the hands about which the table could not agree.
    """

    sheet: Sheet
    game: str
    called: Mapping[str, str]
    options: Sequence[Chosen]
    gists: Sequence[str]
    marks: Sequence[tuple[str, ...]]
    unresolved: frozenset[int] = frozenset()

    @property
    def outcome(self) -> str:
        """Who won it, or that nobody did yet."""
        return self.ended(self.sheet.columns)

    def ended(self, sides: Mapping[str, str]) -> str:
        """Who won it, by these names of the sides, or that nobody did yet."""
        names = [sides[side] for side in self.sheet.winners]
        if not names:
            return _("open") if self.sheet.status != "finished" else _("over")
        if len(names) > 1:
            return _("shared by %(names)s", names=_(" and ").join(names))
        return _("won by %(name)s", name=names[0])


@dataclass(frozen=True, slots=True)
class Evening:
    """A session at one version, for a reader; ``first`` is the hash of its first event.

    It ``began`` with its first hand and ``ended`` with its last, where that is known; ``latest`` is
    when its last event was recorded. ``notes`` are what stands below the scores.
    """

    id: str
    session: Session
    reader: Reader
    report: Mapping[str, Any]
    matches: Sequence[Played]
    notes: Sequence[Section]
    first: str
    began: datetime | None
    ended: datetime | None
    latest: datetime
    kept: dict[Callable[["Evening"], Any], Any] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, id_: str, session: Session, reader: Reader = PROGRAM) -> "Evening":
        """The evening of a session with events, in the language of who reads of it."""
        entries = list(session.corrections.recorded.values())
        lasted = span(session)
        with speaking(reader.translated_language):
            report = report_of(session)
            return cls(
                id=id_,
                session=session,
                reader=reader,
                report=report,
                matches=list(_matches(session, report)),
                notes=[*footnotes(session, report), *_paid(session, report, reader)],
                first=entries[0].hash,
                began=lasted and moment(lasted[0]),
                ended=lasted and moment(lasted[1]),
                latest=moment(max(entry.at for entry in entries) or UNKNOWN),
            )

    def once(self, make: Callable[["Evening"], MadeT]) -> MadeT:
        """What is made of it, for all files that have it."""
        if make not in self.kept:
            self.kept[make] = make(self)
        made: MadeT = self.kept[make]
        return made

    @property
    def position(self) -> tuple[int, str]:
        """The version that it is true of, and the hash of its last event."""
        return self.about["events"], self.about["head"]

    @property
    def about(self) -> Mapping[str, Any]:
        """The session itself, as the report has it."""
        told: Mapping[str, Any] = self.report["session"]
        return told

    @property
    def players(self) -> list[str]:
        """The names of all who were there."""
        return [player["name"] for player in self.about["players"]]

    @property
    def hours(self) -> str:
        """From when to when, as people write it; empty where no time is known."""
        if self.began is None or self.ended is None:
            return ""
        return self.reader.format_period(self.began, self.ended)

    @property
    def name(self) -> str:
        """What all files of it are called, before what each is."""
        return named_by(self.session, self.reader, self.id)

    @property
    def untranslated(self) -> Mapping[str, Any]:
        """The report as programs are told it, which is in English whoever reads the rest."""
        if self.reader.language == DEFAULT:
            return self.report
        with speaking(ENGLISH):
            return report_of(self.session)

    @property
    def command(self) -> str:
        """What to run to prove that a log is the one that this was made of."""
        version, head = self.position
        return f"verify.py {self.name}.jsonl --count {version} --head {head}"


def _paid(session: Session, report: Mapping[str, Any], reader: Reader) -> list[Section]:
    section = payment_notes(session, report, reader.language)
    return [section] if section.notes else []


def _matches(session: Session, report: Mapping[str, Any]) -> Iterator[Played]:
    marks = marks_of(session, report)
    for told, sheet in zip(report["matches"], sheets(report, session), strict=True):
        record = session.structure.matches[told["match"] - 1]
        yield Played(
            sheet=sheet,
            game=record.game.name,
            called=record.game.called,
            options=list(_chosen(record)),
            gists=[_gist(session, one) for one in record.hands],
            marks=[marks[told["match"], hand["hand"]] for hand in told["hands"]],
            unresolved=frozenset(_unresolved(report, told["match"])),
        )


def _chosen(match: MatchRecord) -> Iterator[Chosen]:
    say = language().say
    for option in match.game.book.options:
        value = match.options[option.name]
        usual = value == option.default_for(match.options)
        brief = isinstance(value, Mapping)  # a number with what it counts, as in "8 hands"
        answer = value_in_brief(option, value) if brief else value_words(value)
        yield Chosen(say(option.text), answer, say(option.meaning(value)), usual)


def _unresolved(report: Mapping[str, Any], match: int) -> Iterator[int]:
    """The hands of a match whose last dispute was settled without an agreement."""
    last = {one["hand"]: one["state"] for one in report["disputes"] if one["match"] == match}
    yield from (hand for hand, state in last.items() if state == "unresolved")


def _gist(session: Session, record: HandRecord) -> str:
    """What a hand came to in one line, or why it was abandoned."""
    voice = voice_of(session, record.match)
    told = [f"{voice.worded(one.about, NAMED)} – {one.text}" for one in summary(record, voice)]
    if told:
        return "; ".join(told)
    why = [voice.tell(e.event) for e in record.entries if isinstance(e.event, HandAbandoned)]
    return why[-1] if why else ""
