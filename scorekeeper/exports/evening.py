"""A session at one version, prepared for export: the common content of all files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Final, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from scorekeeper.base.language import ENGLISH, language, speaking
from scorekeeper.events.common import HandAbandoned
from scorekeeper.events.fields import PLAYER, Many
from scorekeeper.exports.filenames import get_day, parse_time, session_filename
from scorekeeper.languages.catalogues import DEFAULT, N_
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.reader import PROGRAM, Reader
from scorekeeper.play.match_members import GameOfMatchView
from scorekeeper.report.footnotes import Section, collect_footnotes, make_payment_section
from scorekeeper.report.hand_facts import summarize_hand
from scorekeeper.report.marks import COUNTED, MARKS, STATUS, collect_marks
from scorekeeper.report.narration import get_voice
from scorekeeper.report.option_words import describe_value, summarize_value
from scorekeeper.report.report import view_report
from scorekeeper.report.sheet import PenaltyRow, Sheet, SheetStep, SumRow, make_sheets
from scorekeeper.report.span import find_day, find_span
from scorekeeper.report.views import ReportView, SessionView
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session

PLAYERS: Final = Many(PLAYER)
CachedT = TypeVar("CachedT")
UNKNOWN_TIME: Final = "1980-01-01T00:00:00.000Z"  # for a log written by hand, without times


@dataclass(frozen=True, slots=True)
class OptionInWords:
    """An option of a match in words; ``usual`` is whether it has its default value."""

    question: str
    answer: str
    meaning: str
    usual: bool


class StepInWords(NamedTuple):
    """A row of the score sheet in words: its number, signs, dealer, result and signers."""

    hand: int | None
    signs: tuple[str, ...]
    dealer: str
    result: str
    signed: str = ""


@dataclass(frozen=True, slots=True)
class MatchInExport:
    """A match: its sheet, its game, its options, and its hands.

    ``called`` has the names of the games of a match that has several. ``gists`` are short texts
    about the result of each hand, ``marks`` the names of its marks; ``unresolved`` are the numbers
    of hands with a dispute that ended without an agreement.
    """

    sheet: Sheet
    game: str
    called: Mapping[str, str]
    options: Sequence[OptionInWords]
    gists: Sequence[str]
    marks: Sequence[tuple[str, ...]]
    unresolved: frozenset[int] = frozenset()

    def name_game(self, game: GameOfMatchView) -> str:
        """Return the name of a game within the match, in the current language."""
        return language().word("game", self.called.get(game.name, game.name))

    def label_sum(self, row: SumRow) -> str:
        """Return the label of a row of sums."""
        if row.game:
            return self.name_game(row.game)
        return _("Settled") if row.what == "settled" else _(COUNTED[self.sheet.counts])

    def describe_step(self, step: SheetStep) -> "StepInWords":
        """Return the words of a hand or a penalty."""
        if isinstance(step, PenaltyRow):
            return StepInWords(None, (), _("Penalty"), step.reason)
        gist, marks = self.gists[step.hand - 1], self.marks[step.hand - 1]
        words = gist or ("" if step.status == "complete" else _(STATUS[step.status]))
        signs = tuple(MARKS[name].sign for name in marks)
        return StepInWords(step.hand, signs, step.dealer, words, ", ".join(step.signed))

    @property
    def outcome(self) -> str:
        """The winners in words; without any, that it is open or undecided, or has no result."""
        return self.outcome_with(self.sheet.columns)

    def outcome_with(self, sides: Mapping[str, str]) -> str:
        """Return the winners in words, with these names of the sides.

        Without any, return that the match is open or undecided, or that it has no result.
        """
        names = [sides[side] for side in self.sheet.winners]
        if not names:
            return _(describe_without_winner(self.sheet))
        if len(names) > 1:
            return _("shared by %(names)s", names=_(" and ").join(names))
        return _("won by %(name)s", name=names[0])


def describe_without_winner(sheet: Sheet) -> str:
    """Return the word for the state of a match that nobody has won, as it is translated."""
    if sheet.status != "finished":
        return N_("open")
    return N_("undecided") if sheet.played else N_("no result")


@dataclass(frozen=True, slots=True)
class Evening:
    """A session at one version, for a reader; ``first`` is the hash of its first event.

    ``day`` is its day of play. ``began`` and ``ended`` are the times of its first and last hand, if
    known; ``recorded_later`` is whether that was not on the day of play. ``latest`` is the time of
    the last recorded event. ``notes`` are printed below the scores.
    """

    id: str
    session: Session
    reader: Reader
    report: ReportView
    matches: Sequence[MatchInExport]
    notes: Sequence[Section]
    first: str
    day: date | None
    began: datetime | None
    ended: datetime | None
    recorded_later: bool
    latest: datetime
    _cache: dict[Callable[["Evening"], Any], Any] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, id_: str, session: Session, reader: Reader = PROGRAM) -> "Evening":
        """Prepare a session that has events, in the language of the reader."""
        entries = list(session.corrections.recorded.values())
        period, played = find_span(session), find_day(session)
        with speaking(reader.translated_language):
            report = view_report(session)
            return cls(
                id=id_,
                session=session,
                reader=reader,
                report=report,
                matches=list(_matches_in_export(session, report)),
                notes=[
                    *collect_footnotes(session, report),
                    *_payment_sections(session, report, reader),
                ],
                first=entries[0].hash,
                day=get_day(played, reader),
                began=period and parse_time(period[0]),
                ended=period and parse_time(period[1]),
                recorded_later=played.differs_from(
                    period[0] if period else "", ZoneInfo(reader.zone)
                ),
                latest=parse_time(max(entry.at for entry in entries) or UNKNOWN_TIME),
            )

    def cached(self, make: Callable[["Evening"], CachedT]) -> CachedT:
        """Return the result of ``make``, computed only once for all files."""
        if make not in self._cache:
            self._cache[make] = make(self)
        result: CachedT = self._cache[make]
        return result

    @property
    def position(self) -> tuple[int, str | None]:
        """The version of the session, and the hash of its last event; None if it is not sealed."""
        return self.about.events, self.about.head

    @property
    def about(self) -> SessionView:
        """The session in the report, with its title and players."""
        return self.report.session

    @property
    def players(self) -> list[str]:
        """The names of all players of the session."""
        return [player.name for player in self.about.players]

    @property
    def hours(self) -> str:
        """The period in the reader's format, or only the day; empty if no time is known."""
        if self.day is not None and self.recorded_later:
            return self.reader.format_date(self.day)
        if self.began is None or self.ended is None:
            return ""
        return self.reader.format_period(self.began, self.ended)

    @property
    def name(self) -> str:
        """The beginning that the names of all files of the session share."""
        return session_filename(self.session, self.reader, self.id)

    @property
    def untranslated(self) -> ReportView:
        """The report in English, for programs."""
        if self.reader.language == DEFAULT:
            return self.report
        with speaking(ENGLISH):
            return view_report(self.session)

    @property
    def command(self) -> str:
        """The command that verifies that a log is the one of this export."""
        version, head = self.position
        return f"verify.py {self.name}.jsonl --count {version} --head {head}"


def _payment_sections(session: Session, report: ReportView, reader: Reader) -> list[Section]:
    """Return the section about payments in a list; empty if there is nothing to pay."""
    section = make_payment_section(session, report, reader.language)
    return [section] if section.notes else []


def _matches_in_export(session: Session, report: ReportView) -> Iterator[MatchInExport]:
    """Yield each match with its sheet, options in words, and marks of its hands."""
    marks = collect_marks(session, report)
    for match, sheet in zip(report.matches, make_sheets(report, session), strict=True):
        record = session.structure.matches[match.match - 1]
        yield MatchInExport(
            sheet=sheet,
            game=record.game.local_name,
            called=record.game.called,
            options=list(_options_in_words(record)),
            gists=[_summarize_in_line(session, hand) for hand in record.hands],
            marks=[marks[match.match, hand.hand] for hand in match.hands],
            unresolved=frozenset(_unresolved(report, match.match)),
        )


def _options_in_words(match: MatchRecord) -> Iterator[OptionInWords]:
    """Yield the options of a match as question and answer."""
    say = language().say
    for option in match.game.book.options:
        value = match.options[option.name]
        usual = value == option.default_for(match.options)
        brief = isinstance(value, Mapping)  # a number with its unit, as in "8 hands"
        answer = summarize_value(option, value) if brief else describe_value(value)
        yield OptionInWords(say(option.text), answer, say(option.meaning(value)), usual)


def _unresolved(report: ReportView, match: int) -> Iterator[int]:
    """Yield the hands of a match whose last dispute ended without an agreement."""
    disputes = [dispute for dispute in report.disputes if dispute.match == match]
    last = {dispute.hand: dispute.state for dispute in disputes}
    yield from (hand for hand, state in last.items() if state == "unresolved")


def _summarize_in_line(session: Session, record: HandRecord) -> str:
    """Return the result of a hand in one line, or the reason why it was abandoned."""
    voice = get_voice(session, record.match)
    texts = [
        f"{voice.worded(line.about, PLAYERS)} – {line.text}"
        for line in summarize_hand(record, voice)
    ]
    if texts:
        return "; ".join(texts)
    reasons = [
        voice.describe(e.event) for e in record.entries if isinstance(e.event, HandAbandoned)
    ]
    return reasons[-1] if reasons else ""
