"""A scored log as its page shows it: sheets, reasons, findings, corrections."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from flask_babel import lazy_gettext as _l

from scorekeeper.base.json_object import JsonObject
from scorekeeper.cards.packs import Pack
from scorekeeper.events.corrections import EventInserted
from scorekeeper.events.disputes import HandConfirmed
from scorekeeper.games.game import Game
from scorekeeper.play.rulebook import Clause, Option
from scorekeeper.report.hand_facts import summary
from scorekeeper.report.marks import HandNumber, marks_of
from scorekeeper.report.narration import (
    NarratedEvent,
    NarratedPenalty,
    Story,
    penalties,
    raw_words,
    stories,
    voice_of,
    word_of,
)
from scorekeeper.report.report import report as report_of
from scorekeeper.report.sheet import HandRow, Sheet, sheet, value_in_brief
from scorekeeper.report.span import began
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.frame.ring import turned, turned_sides
from scorekeeper.web.wording.filters import COMMON_BY_ID, clause_of
from scorekeeper.web.wording.rules_link import InForce, in_force

# A page tells every card of up to this many events; a longer log has its sheets and findings.
MOST_SHOWN: Final = 6000
NOT_RECORDED: Final = "not_recorded"
SEVERITIES: Final = ("error", "warning", "info")
PARTIES: Final = {"bidder": _l("the bidder’s party"), "defenders": _l("the defenders")}


@dataclass(frozen=True, slots=True)
class Cite:
    """An event that a finding cites, in words."""

    seq: int
    words: str


@dataclass(frozen=True, slots=True)
class Reason:
    """A line of the score, or several that say the same of several sides.

    ``here`` is how the table plays otherwise than usual by its clause, ``told`` whether a reason
    before it has printed that, ``proved`` whether the one right before it has the same proof.
    """

    sides: Sequence[str]
    points: int
    text: str
    clause: Clause
    beside: Sequence[NarratedEvent]
    here: Sequence[InForce]
    tricks: Sequence[int]
    events: Sequence[int]
    told: bool
    proved: bool


@dataclass(frozen=True, slots=True)
class Remark:
    """A finding, with the hands that it was made on.

    ``here`` is how the table plays otherwise than usual by its clause.
    """

    severity: str
    code: str
    message: str
    clause: Clause | None
    here: Sequence[InForce]
    game: Game | None
    hands: Sequence[tuple[int, int]]
    cites: Sequence[Cite]


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand: its row of the sheet, and all that there is to say of it.

    ``summary`` is what it came to in one line: names, and what is said of them.
    ``marks`` are the names of its marks.
    """

    row: HandRow
    anchor: str
    summary: Sequence[tuple[Sequence[str], str]]
    reasons: Sequence[Reason]
    remarks: Sequence[Remark]
    story: Story | None
    taken: Mapping[str, int]
    players: Mapping[str, str]
    signed: Sequence[str]
    penalties: Sequence[NarratedPenalty]
    marks: Sequence[str]

    @property
    def found(self) -> list[Remark]:
        """What was found in it; what was not on record is told once for the session."""
        return [one for one in self.remarks if one.code != NOT_RECORDED]

    @property
    def worst(self) -> str:
        """The gravest severity among its findings that is more than a remark, or nothing."""
        found = {remark.severity for remark in self.remarks}
        return next((one for one in SEVERITIES[:2] if one in found), "")

    @property
    def abandoned(self) -> str:
        """Why it was abandoned, in words, where that is on record."""
        events = self.story.events if self.story else ()
        return next((told.words for told in events if told.type == "hand_abandoned"), "")


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """An option as a match is played with it; its value ``in_brief`` is a few words."""

    option: Option
    in_brief: str
    meaning: str
    by_default: bool


@dataclass(frozen=True, slots=True)
class Match:
    """One match: its sheet, its game, its hands and its options."""

    sheet: Sheet
    game: Game
    pack: Pack
    names: Mapping[str, str]
    hands: Sequence[Hand]
    choices: Sequence[OptionChoice]
    place: str


@dataclass(frozen=True, slots=True)
class CorrectedWords:
    """What was said before, and what is said now, in words."""

    seq: int
    reason: str
    stands: bool
    names: int
    before: str
    after: str
    inserted: bool


@dataclass(frozen=True, slots=True)
class ScoredLog:
    """All that the page of a scored log shows."""

    session: JsonObject
    sealed: bool
    whole: bool
    began: str | None
    matches: Sequence[Match]
    remarks: Sequence[Remark]
    corrections: Sequence[CorrectedWords]
    told: bool


def result(session: Session, report: JsonObject | None = None) -> ScoredLog:
    """What a session comes to, in words; its report is worked out unless it is known already."""
    report = report_of(session) if report is None else report
    return ScoredLog(
        session=report["session"],
        sealed=bool(session.head),
        whole=not session.damage,
        began=began(session),
        matches=list(matches_of(session, report)),
        remarks=remarks(session, report["findings"]),
        corrections=corrections(session, report),
        told=session.events <= MOST_SHOWN,
    )


# ----------------------------------------------------------------------------------- matches


def matches_of(
    session: Session,
    report: JsonObject,
    me: str | None = None,
    opened: Mapping[int, range] | None = None,
) -> Iterator[Match]:
    """The matches of a session; ``me`` comes first wherever players are in a row.

    ``opened`` are the matches that are looked at by their numbers, each with the hands that are
    told of it; without it all are.
    """
    if opened is None:
        opened = {one["match"]: range(1, len(one["hands"]) + 1) for one in report["matches"]}
    told = stories(session, opened) if session.events <= MOST_SHOWN else {}
    found: dict[HandNumber, list[JsonObject]] = {}
    for finding in report["findings"]:
        found.setdefault((finding["match"], finding["hand"]), []).append(finding)
    marks = marks_of(session, report)
    for number, hands in opened.items():
        yield _match(session, report["matches"][number - 1], told, found, marks, me, hands)


def _match(
    session: Session,
    match: JsonObject,
    told: Mapping[int, Story],
    found: Mapping[HandNumber, Sequence[JsonObject]],
    marks: Mapping[HandNumber, Sequence[str]],
    me: str | None,
    opened: range,
) -> Match:
    record = session.structure.matches[match["match"] - 1]
    rows = turned_sheet(sheet(match, record, session.structure.players), match, me)
    fines, voice = penalties(session, record), voice_of(session, record)
    return Match(
        sheet=rows,
        game=record.game,
        pack=record.pack,
        names=record.names,
        hands=[
            Hand(
                row=row,
                anchor=f"m{match['match']}h{row.hand}",
                summary=[
                    ([_name(match, one, side) for side in told_of.about], told_of.text)
                    for told_of in summary(one, voice)
                ],
                reasons=list(_reasons(match, hand, one, told.get(one.started.seq))),
                remarks=remarks(session, found.get((match["match"], row.hand), ())),
                story=told.get(one.started.seq),
                taken=_taken(match, one, hand["taken"] or {}, me),
                players=_players(one, me),
                signed=list(row.signed),
                penalties=fines.get(row.hand, ()),
                marks=marks[match["match"], row.hand],
            )
            for hand, row, one in zip(match["hands"], rows.rows, record.hands, strict=True)
            if row.hand in opened
        ],
        choices=_choices(record.game, record.options),
        place=f"m{match['match']}",
    )


def turned_sheet(sheet: Sheet, match: JsonObject, me: str | None) -> Sheet:
    """A sheet whose columns begin with the side of whoever looks."""
    order = turned_sides(match["sides"], me)
    return replace(sheet, columns={side: sheet.columns[side] for side in order})


def _name(match: JsonObject, hand: HandRecord, side: str) -> str:
    """What a side is called: by its players, or a party of the hand by what it is."""
    names = [hand.table.names[one] for one in match["sides"].get(side, ())]
    return " & ".join(names) or str(PARTIES.get(side, side))


def _taken(
    match: JsonObject, hand: HandRecord, taken: Mapping[str, int], me: str | None
) -> dict[str, int]:
    """What was taken, by the names of sides in their order, or of the parties of the hand."""
    order = [side for side in turned_sides(match["sides"], me) if side in taken] or list(taken)
    return {_name(match, hand, side): taken[side] for side in order}


def _players(hand: HandRecord, me: str | None) -> dict[str, str]:
    """The names of those who take part in a hand, in order of their seats."""
    table = hand.table
    return {one: table.names[one] for one in turned(table.seats, me) if one in table.players}


def _choices(game: Game, options: Mapping[str, Any]) -> list[OptionChoice]:
    return [
        OptionChoice(
            one,
            value_in_brief(one, options[one.name]),
            one.meaning(options[one.name]),
            by_default=options[one.name] == one.default_for(options),
        )
        for one in game.book.options
    ]


def _reasons(
    match: JsonObject, hand: JsonObject, record: HandRecord, story: Story | None
) -> Iterator[Reason]:
    """The lines of a hand, those that say the same put together."""
    grouped: dict[tuple[Any, ...], list[JsonObject]] = {}
    for line in hand["lines"]:
        key = (line["points"], line["rule"], line["text"], tuple(line["events"]))
        grouped.setdefault(key, []).append(line)
    rules: set[str] = set()
    here = _otherwise(record.match)
    before: Sequence[int] = ()
    for lines in grouped.values():
        line = lines[0]
        beside, tricks = story.proof(line["events"]) if story else ((), ())
        yield Reason(
            sides=[_name(match, record, one["side"]) for one in lines],
            points=line["points"],
            text=line["text"],
            clause=clause_of(record.match.game, line["rule"]),
            here=here.get(line["rule"], ()),
            beside=beside,
            tricks=tricks,
            events=line["events"],
            told=line["rule"] in rules,
            proved=line["events"] == before,
        )
        rules.add(line["rule"])
        before = line["events"]


def _otherwise(match: MatchRecord) -> dict[str, list[InForce]]:
    """By clause, how a table plays otherwise than usual."""
    every = in_force(match.game, match.options).items()
    return {clause: [one for one in rules if not one.usual] for clause, rules in every}


# ---------------------------------------------------------------------- findings, corrections


def remarks(session: Session, findings: Iterable[JsonObject]) -> list[Remark]:
    """Findings, the gravest first; the same remark on several hands is made once."""
    grouped: dict[tuple[Any, ...], list[JsonObject]] = {}
    for finding in findings:
        alone = finding["events"][0] if finding["events"] else None
        key = (finding["severity"], finding["match"], finding["message"], alone)
        grouped.setdefault(key, []).append(finding)
    told = [_remark(session, found) for found in grouped.values()]
    return sorted(told, key=lambda one: SEVERITIES.index(one.severity))


def _remark(session: Session, found: Sequence[JsonObject]) -> Remark:
    first = found[0]
    match = session.structure.matches[first["match"] - 1] if first["match"] else None
    game = match.game if match else None
    rule = first["rule"]
    return Remark(
        severity=first["severity"],
        code=first["code"],
        message=first["message"],
        clause=clause_of(game, rule) if game else COMMON_BY_ID.get(rule),
        here=_otherwise(match).get(rule, ()) if match else (),
        game=game,
        hands=[(one["match"], one["hand"]) for one in found if one["hand"] is not None],
        cites=[Cite(seq, word_of(session, seq)) for seq in first["events"]],
    )


def corrections(session: Session, report: JsonObject) -> list[CorrectedWords]:
    """The corrections that are to be told: neither what was taken back, nor a late signature."""
    back = session.corrections.taken_back()
    return [
        _correction(session, one)
        for one in report["corrections"]
        if one["seq"] not in back and not _is_signature(one)
    ]


def _is_signature(correction: JsonObject) -> bool:
    """Whether it only put a signature in the place at which that signs an earlier hand."""
    after = correction["after"]
    inserted = correction["type"] == EventInserted.TYPE
    return inserted and after is not None and after["type"] == HandConfirmed.TYPE


def _correction(session: Session, one: JsonObject) -> CorrectedWords:
    inserted = one["type"] == "event_inserted"
    place = one["seq"] if inserted else one["names"]
    return CorrectedWords(
        seq=one["seq"],
        reason=one["reason"],
        stands=one["stands"],
        names=one["names"],
        before=raw_words(session, place, one["before"]) if one["before"] else "",
        after=raw_words(session, place, one["after"]) if one["after"] else "",
        inserted=inserted,
    )
