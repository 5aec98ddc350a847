"""The audit as text that reads like a ruling: finding, evidence, clause, effect, suggestions."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from scorekeeper.base.errors import UnusableError
from scorekeeper.cli.reasons_text import MatchNames, event_lines, trick_lines, wrap_text
from scorekeeper.cli.sheet_text import strip_controls
from scorekeeper.cli.whatif_text import change_lines
from scorekeeper.play.rulebook import COMMON
from scorekeeper.report.explain import explain, explain_event
from scorekeeper.report.explain_views import ExplainedHandView, ExplainedMatchView
from scorekeeper.report.marks import FindingPlace
from scorekeeper.report.narration import Story, describe_event, describe_raw_event, narrate_hands
from scorekeeper.report.views import EventView, FindingView, ReportView
from scorekeeper.report.what_if import diff_sessions, suppose_agreed
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session

if TYPE_CHECKING:
    from scorekeeper.repair.suggestion_views import SuggestionView
    from scorekeeper.repair.suggestions import Searched

SEVERITIES: Final = ("error", "warning", "info")
MAX_SUGGESTIONS: Final = 3  # for a hand; JSON has all
MAX_CORRECTIONS: Final = 6  # of a suggestion; of more the first
FIRST_CORRECTIONS: Final = 3
# Suggested corrections in words.
CORRECTIONS: Final = {
    "event_struck": "strike event {place} ({before})",
    "event_replaced": "event {place} ({before}) should read: {after}",
    "event_inserted": "after event {place} insert: {after}",
}


def audit_lines(
    session: Session,
    report: ReportView,
    search: "Searched | None" = None,
    only_match: int | None = None,
    only_hand: int | None = None,
) -> Iterator[str]:
    """Yield the audit as text: for each hand with findings or an open dispute, a ruling.

    ``search`` has the suggested corrections, if they were searched for. `only_match` and
    `only_hand` limit the disputed hands to one match or hand.
    """
    by_hand: dict[FindingPlace, list[FindingView]] = {}
    for finding in report.findings:
        by_hand.setdefault((finding.match, finding.hand), []).append(finding)
    disputed = {
        (match.match, hand.hand)
        for match in report.matches if only_match in (None, match.match)
        for hand in match.hands if hand.disputed and only_hand in (None, hand.hand)
    }  # fmt: skip
    for place in sorted(disputed):
        by_hand.setdefault(place, [])
    yield strip_controls(report.session.title)
    yield _count_line(report)
    story_of = narrate_hands(session) if any(match for match, _ in by_hand) else {}
    for (match, hand), findings in by_hand.items():
        yield ""
        if not match or not hand:
            yield from _log_findings(findings)
            continue
        (tree,) = explain(session, match, hand).matches
        names = MatchNames(session.structure.matches[match - 1])
        story = story_of[names.record.hands[hand - 1].started.seq]
        suggested = [
            suggestion
            for suggestion in (search.suggestions if search else ())
            if (suggestion.match, suggestion.hand) == (match, hand)
        ]
        yield from _hand_ruling(names, tree, story, findings, suggested)
        if (match, hand) in disputed:
            yield ""
            yield "A dispute about it is open" + ("." if findings else ", and nothing is found.")
            yield from _proposal_lines(session, names.record.hands[hand - 1])
        if search is not None:
            yield from _suggestion_lines(session, names, tree.hands[0], findings, suggested)
    if search is not None and search.extent.said:
        yield ""
        yield from wrap_text(f"The search was not finished: {search.extent.said}")


def _count_line(report: ReportView) -> str:
    """Return a line with the numbers of events, errors and warnings."""
    counts = {s: sum(f.severity == s for f in report.findings) for s in SEVERITIES}
    errors, warnings = counts["error"], counts["warning"]
    words = [f"{errors} error{'s' * (errors != 1)}", f"{warnings} warning{'s' * (warnings != 1)}"]
    return f"{report.session.events} events: {', '.join(words)}"


def _log_findings(findings: Sequence[FindingView]) -> Iterator[str]:
    """Yield the findings about the log as a whole, with their clauses."""
    yield "The log"
    for finding in findings:
        yield from wrap_text(f"{finding.severity.upper()}: {finding.message}")
        text = next(clause.text for clause in COMMON if clause.id == finding.rule)
        yield from wrap_text(f"{finding.rule}  {text}", "   ", "      ")


def _hand_ruling(
    names: MatchNames,
    tree: ExplainedMatchView,
    story: Story,
    findings: Sequence[FindingView],
    suggested: "Sequence[SuggestionView]",
) -> Iterator[str]:
    """Yield a hand and the ruling on each of its findings; each clause is printed once."""
    (hand,) = tree.hands
    dealt = f"{names.name(hand.dealer)} dealt"
    yield f"Match {tree.match}: {names.record.game.name}, hand {hand.hand}, {dealt}"
    if hand.status == "complete":
        yield from wrap_text(f"As recorded it scores {names.points(hand.scores)}")
    else:
        yield f"As recorded it is {hand.status}, and scores nothing"
    printed: set[str] = set()
    for finding in sorted(findings, key=lambda item: SEVERITIES.index(item.severity)):
        yield ""
        yield from wrap_text(f"{finding.severity.upper()}: {finding.message}")
        yield from evidence_lines(names, hand, story, finding.events)
        if finding.rule in printed:
            yield f"   {finding.rule}, as above"
        else:
            yield from names.clause(finding.rule)
        printed.add(finding.rule)
        yield from _score_without_error(names, hand, finding, suggested)


def evidence_lines(
    names: MatchNames, hand: ExplainedHandView, story: Story, events: Sequence[int]
) -> Iterator[str]:
    """Yield the events that prove a finding: cards with their trick, other events in words.

    The event at fault is marked. Other cards are marked only in a trick that is cited in part.
    """
    fault, cited = {seq: " [at fault]" for seq in events[:1] if len(events) > 1}, set(events)
    in_tricks = set()
    for trick in hand.tricks:
        cards = {card.seq for card in trick.cards}
        if cards and cited.intersection(event.seq for event in trick.events):
            in_tricks |= cards
            marks = {} if cards <= cited else {seq: f" [{seq}]" for seq in cards & cited}
            marks |= {seq: f" [{seq}, at fault]" for seq in cards & fault.keys()}
            yield from trick_lines(names, trick, marks)
    others = (explain_event(event) for event in story.events if event.seq in cited - in_tricks)
    yield from event_lines(others, fault)


def _score_without_error(
    names: MatchNames,
    hand: ExplainedHandView,
    finding: FindingView,
    suggested: "Sequence[SuggestionView]",
) -> Iterator[str]:
    """Yield the score without the error, by the first suggestion that resolves the finding."""
    for place, suggestion in enumerate(suggested[:MAX_SUGGESTIONS], 1):
        if finding.severity != "info" and finding.code in suggestion.resolves:
            score = f"the score would be {names.points(suggestion.scores)}"
            if suggestion.scores == hand.scores:
                score = "the score would be the same"
            yield from wrap_text(f"Without it {score} (suggestion {place})", "   ", "      ")
            return


def _proposal_lines(session: Session, hand: HandRecord) -> Iterator[str]:
    """Yield the open proposal in a dispute, its signers, and all changes that it would cause."""
    disputes = session.structure.disputes
    proposal = disputes.find_open_proposal(hand)
    if proposal is None:
        return
    corrections = [EventView(item.type, item.data) for item in proposal.event.corrections]
    words = "; and ".join(correction_text(session, item) for item in corrections) or "nothing"
    yield from wrap_text(f"Proposal {proposal.entry.seq}: {words}", "", "   ")
    signed = [session.structure.players[player] for player in disputes.find_signers(proposal)]
    yield f"   signed by {', '.join(signed) or 'nobody'}"
    try:
        before, after = suppose_agreed(session, proposal.entry.seq)
    except UnusableError as error:
        yield from wrap_text(f"It can no longer be recorded: {error.reason}", "   ", "      ")
        return
    yield from change_lines(after, diff_sessions(before, after))


# ------------------------------------------------------------------------------- suggestions


def _suggestion_lines(
    session: Session,
    names: MatchNames,
    hand: ExplainedHandView,
    findings: Sequence[FindingView],
    suggested: "Sequence[SuggestionView]",
) -> Iterator[str]:
    """Yield the suggested corrections of a hand, and the score after each."""
    from scorekeeper.repair.trials import CORRECTED  # slow to import, and rarely needed

    grave = [f for f in findings if f.severity == "error" or f.code in CORRECTED]
    if not suggested and not grave:
        return
    yield ""
    yield "Suggestions, the likeliest first:" if suggested else "No correction that sets it right."
    for place, suggestion in enumerate(suggested[:MAX_SUGGESTIONS], 1):
        words = _corrections_text(session, suggestion.corrections)
        yield from wrap_text(f"{place}. {words}", "   ", "      ")
        resolves, leaves = (
            ", ".join(codes) or "nothing" for codes in (suggestion.resolves, suggestion.leaves)
        )
        yield from wrap_text(f"resolves {resolves}; leaves {leaves}", "      ", "      ")
        same = suggestion.scores == hand.scores
        effect = "the score stays as it is" if same else f"then {names.points(suggestion.scores)}"
        yield from wrap_text(effect, "      ", "      ")
    if len(suggested) > MAX_SUGGESTIONS:
        yield f"   {len(suggested) - MAX_SUGGESTIONS} more with --format json"


def _corrections_text(session: Session, corrections: Sequence[EventView]) -> str:
    """Return corrections in words; of many the reason, the first of them, and how many more."""
    if len(corrections) <= MAX_CORRECTIONS:
        return "; and ".join(correction_text(session, item) for item in corrections)
    first = "; and ".join(
        correction_text(session, item) for item in corrections[:FIRST_CORRECTIONS]
    )
    reason, more = corrections[0].data["reason"], len(corrections) - FIRST_CORRECTIONS
    return f"{reason}: {first}; and {more} more corrections in the same way"


def correction_text(session: Session, correction: EventView) -> str:
    """Return a correction in words, such as “strike event 12 (…)”."""
    data = correction.data
    place = data.get("seq", data.get("after"))
    before = describe_event(session, place)
    new = EventView(data["type"], data["data"]) if "type" in data else None
    after = "" if new is None else describe_raw_event(session, place, new)
    return CORRECTIONS[correction.type].format(place=place, before=before, after=after)
