"""The page of a scored log: sheets, reasons, findings, corrections."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.language import language
from scorekeeper.base.parts import ExactPoints
from scorekeeper.games.game import Game
from scorekeeper.report.footnotes import is_signature
from scorekeeper.report.hand_facts import summarize_hand
from scorekeeper.report.marks import FindingPlace, HandNumber, collect_marks
from scorekeeper.report.narration import (
    Story,
    describe_event,
    describe_raw_event,
    get_voice,
    narrate_hands,
    narrate_penalties,
)
from scorekeeper.report.option_words import summarize_value
from scorekeeper.report.report import view_report
from scorekeeper.report.sheet import Sheet, make_sheet
from scorekeeper.report.span import find_day
from scorekeeper.report.views import (
    CorrectionView,
    FindingView,
    HandView,
    LineView,
    MatchView,
    ReportView,
)
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.frame.ring import sides_starting_with, starting_with
from scorekeeper.web.review.log_parts import (
    SEVERITIES,
    Cite,
    CorrectedWords,
    NarratedHand,
    NarratedMatch,
    OptionChoice,
    Reason,
    Remark,
    ScoredLog,
)
from scorekeeper.web.wording.filters import COMMON_BY_ID, clause_of
from scorekeeper.web.wording.rules_link import OptionInForce, options_in_force

# Up to this many events, the page narrates every card; a longer log has its sheets and findings.
MOST_SHOWN: Final = 6000


def build_scored_log(session: Session) -> ScoredLog:
    """Return a scored log in words."""
    report = view_report(session)
    return ScoredLog(
        session=report.session,
        sealed=bool(session.head),
        whole=not session.damage,
        began=find_day(session).at,
        matches=list(narrate_matches(session, report)),
        remarks=make_remarks(session, report.findings),
        corrections=list_corrections(session, report),
        narrated=session.events <= MOST_SHOWN,
    )


# ----------------------------------------------------------------------------------- matches


def narrate_matches(
    session: Session,
    report: ReportView,
    me: str | None = None,
    opened: Mapping[int, range] | None = None,
) -> Iterator[NarratedMatch]:
    """Yield matches of a session with their hands.

    ``me`` comes first wherever players are in a row.
    ``opened`` has the hands to include by match number, and only its matches are yielded; by
    default all of both. In a session of more than ``MOST_SHOWN`` events the hands have no stories.
    """
    if opened is None:
        opened = {match.match: range(1, len(match.hands) + 1) for match in report.matches}
    narrated = narrate_hands(session, opened) if session.events <= MOST_SHOWN else {}
    findings: dict[FindingPlace, list[FindingView]] = {}
    for finding in report.findings:
        findings.setdefault((finding.match, finding.hand), []).append(finding)
    marks = collect_marks(session, report)
    for number, hands in opened.items():
        yield _narrate_match(
            session, report.matches[number - 1], narrated, findings, marks, me, hands
        )


def _narrate_match(
    session: Session,
    match: MatchView,
    narrated: Mapping[int, Story],
    findings: Mapping[FindingPlace, Sequence[FindingView]],
    marks: Mapping[HandNumber, Sequence[str]],
    me: str | None,
    opened: range,
) -> NarratedMatch:
    """Return one match with its sheet and its narrated hands; `opened` are the hands to include."""
    record = session.structure.matches[match.match - 1]
    rows = sheet_starting_with(make_sheet(match, record, session.structure.players), match, me)
    penalties_by_hand, voice = narrate_penalties(session, record), get_voice(session, record)
    return NarratedMatch(
        sheet=rows,
        game=record.game,
        pack=record.pack,
        names=record.names,
        hands=[
            NarratedHand(
                row=row,
                anchor=f"m{match.match}h{row.hand}",
                summary=[
                    ([_side_label(match, hand_record, side) for side in line.about], line.text)
                    for line in summarize_hand(hand_record, voice)
                ],
                reasons=list(
                    _score_reasons(match, hand, hand_record, narrated.get(hand_record.started.seq))
                ),
                remarks=make_remarks(session, findings.get((match.match, row.hand), ())),
                story=narrated.get(hand_record.started.seq),
                taken=_taken_by_name(match, hand_record, hand.taken or {}, me),
                players=_players_of_hand(hand_record, me),
                signed=list(row.signed),
                penalties=penalties_by_hand.get(row.hand, ()),
                marks=marks[match.match, row.hand],
            )
            for hand, row, hand_record in zip(match.hands, rows.rows, record.hands, strict=True)
            if row.hand in opened
        ],
        choices=_option_choices(record.game, record.options),
        place=f"m{match.match}",
    )


def sheet_starting_with(sheet: Sheet, match: MatchView, me: str | None) -> Sheet:
    """Return a sheet whose columns begin with the viewer's side."""
    order = sides_starting_with(match.sides, me)
    return replace(sheet, columns={side: sheet.columns[side] for side in order})


def _side_label(match: MatchView, hand: HandRecord, about: str) -> str:
    """Return the label of a side, a player or a party in the hand: names, or the role."""
    names = [hand.table.names[player] for player in match.sides.get(about, ())]
    party = hand.table.parties.get(about)
    role = language().say(party.phrase) if party else about
    return " & ".join(names) or hand.table.names.get(about, role)


def _taken_by_name(
    match: MatchView, hand: HandRecord, taken: Mapping[str, ExactPoints], me: str | None
) -> dict[str, ExactPoints]:
    """Return the points or tricks taken, by the name of the side or party.

    The side of `me` comes first.
    """
    order = [side for side in sides_starting_with(match.sides, me) if side in taken] or list(taken)
    return {_side_label(match, hand, side): taken[side] for side in order}


def _players_of_hand(hand: HandRecord, me: str | None) -> dict[str, str]:
    """Return the names of the players of a hand by id, in seat order, `me` first."""
    table = hand.table
    return {
        player: table.names[player]
        for player in starting_with(table.seats, me)
        if player in table.players
    }


def _option_choices(game: Game, options: JsonObject) -> list[OptionChoice]:
    """Return the value of each option of a game in a match."""
    return [
        OptionChoice(
            option,
            summarize_value(option, options[option.name]),
            option.meaning(options[option.name]),
            by_default=options[option.name] == option.default_for(options),
        )
        for option in game.book.options
    ]


def _score_reasons(
    match: MatchView, hand: HandView, record: HandRecord, story: Story | None
) -> Iterator[Reason]:
    """Yield the score lines of a hand with their clauses; equal lines of several sides are joined.

    `story` has the events that prove them.
    """
    grouped: dict[tuple[object, ...], list[LineView]] = {}
    for line in hand.lines:
        key = (line.points, line.rule, line.text, tuple(line.events))
        grouped.setdefault(key, []).append(line)
    rules: set[str] = set()
    house_rules = _house_rules_by_clause(record.match)
    before: Sequence[int] | None = None
    for lines in grouped.values():
        line = lines[0]
        beside, tricks = story.proof(line.events) if story else ((), ())
        yield Reason(
            sides=[_side_label(match, record, side_line.side) for side_line in lines],
            points=line.points,
            text=line.text,
            clause=clause_of(record.match.game, line.rule),
            house_rules=house_rules.get(line.rule, ()),
            beside=beside,
            tricks=tricks,
            events=line.events,
            clause_shown=line.rule in rules,
            proved=line.events == before,
        )
        rules.add(line.rule)
        before = line.events


def _house_rules_by_clause(match: MatchRecord) -> dict[str, list[OptionInForce]]:
    """Return the house rules that differ from the usual, by clause."""
    all_rules = options_in_force(match.game, match.options).items()
    return {clause: [rule for rule in rules if not rule.usual] for clause, rules in all_rules}


# ---------------------------------------------------------------------- findings, corrections


def make_remarks(session: Session, findings: Iterable[FindingView]) -> list[Remark]:
    """Return findings, the gravest first; equal ones on several hands are joined."""
    grouped: dict[tuple[object, ...], list[FindingView]] = {}
    for finding in findings:
        alone = finding.events[0] if finding.events else None
        key = (finding.severity, finding.match, finding.message, alone)
        grouped.setdefault(key, []).append(finding)
    joined = [_make_remark(session, same) for same in grouped.values()]
    return sorted(joined, key=lambda remark: SEVERITIES.index(remark.severity))


def _make_remark(session: Session, findings: Sequence[FindingView]) -> Remark:
    """Return one finding, which was made on all hands of these equal findings."""
    first = findings[0]
    match = session.structure.matches[first.match - 1] if first.match else None
    game = match.game if match else None
    rule = first.rule
    return Remark(
        severity=first.severity,
        code=first.code,
        message=first.message,
        clause=clause_of(game, rule) if game else COMMON_BY_ID.get(rule),
        house_rules=_house_rules_by_clause(match).get(rule, ()) if match else (),
        game=game,
        hands=[
            (finding.match, finding.hand)
            for finding in findings
            if finding.match is not None and finding.hand is not None
        ],
        cites=[Cite(seq, describe_event(session, seq)) for seq in first.events],
    )


def list_corrections(session: Session, report: ReportView) -> list[CorrectedWords]:
    """Return the corrections in words, without those taken back and without late signatures."""
    taken_back = session.corrections.find_taken_back()
    return [
        _describe_correction(session, correction)
        for correction in report.corrections
        if correction.seq not in taken_back and not is_signature(correction)
    ]


def _describe_correction(session: Session, correction: CorrectionView) -> CorrectedWords:
    """Return a correction of the report in words."""
    inserted = correction.type == "event_inserted"
    place = correction.seq if inserted else correction.names
    before, after = (
        describe_raw_event(session, place, event) if event else ""
        for event in (correction.before, correction.after)
    )
    return CorrectedWords(
        seq=correction.seq,
        reason=correction.reason,
        stands=correction.stands,
        names=correction.names,
        before=before,
        after=after,
        inserted=inserted,
    )
