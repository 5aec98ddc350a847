"""The audit as text that reads like a ruling: finding, evidence, clause, effect, suggestions."""

from collections.abc import Iterator, Sequence
from typing import Final

from scorekeeper.base.errors import Unusable
from scorekeeper.base.json_object import JsonObject
from scorekeeper.cli.reasons_text import Speaker, event_lines, trick_lines, wrapped
from scorekeeper.cli.sheet_text import plain
from scorekeeper.cli.whatif_text import changes
from scorekeeper.play.rulebook import COMMON
from scorekeeper.report.explain import explain, tell_event
from scorekeeper.report.narration import Story, raw_words, stories, word_of
from scorekeeper.report.report import report as report_of
from scorekeeper.report.what_if import difference, suppose_agreed
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session

SEVERITIES: Final = ("error", "warning", "info")
MOST_SHOWN: Final = 3  # suggestions for a hand; in JSON are all
# What would stand instead of an event, and what was left out or is too many, as suggested.
DID: Final = {
    "event_struck": "strike event {place} ({before})",
    "event_replaced": "event {place} ({before}) should read: {after}",
    "event_inserted": "after event {place} insert: {after}",
}


def audited(
    session: Session,
    report: JsonObject,
    only_match: int | None = None,
    only_hand: int | None = None,
) -> Iterator[str]:
    """A ruling on each hand with findings or an open dispute, of all or of those meant."""
    found: dict[tuple[int, int], list[JsonObject]] = {}
    for finding in report["findings"]:
        found.setdefault((finding["match"], finding["hand"]), []).append(finding)
    disputed = {
        (match["match"], hand["hand"])
        for match in report["matches"] if only_match in (None, match["match"])
        for hand in match["hands"] if hand["disputed"] and only_hand in (None, hand["hand"])
    }  # fmt: skip
    for place in sorted(disputed):
        found.setdefault(place, [])
    yield plain(report["session"]["title"])
    yield _counted(report)
    told = stories(session) if any(match for match, _ in found) else {}
    for (match, hand), findings in found.items():
        yield ""
        if not match:
            yield from _of_the_log(findings)
            continue
        (tree,) = explain(session, match, hand)["matches"]
        speak = Speaker(session.structure.matches[match - 1])
        story = told[speak.record.hands[hand - 1].started.seq]
        mine = [
            one
            for one in report.get("suggestions", ())
            if (one["match"], one["hand"]) == (match, hand)
        ]
        yield from _hand(speak, tree, story, findings, mine)
        if (match, hand) in disputed:
            yield ""
            yield "A dispute about it is open" + ("." if findings else ", and nothing is found.")
            yield from _proposed(session, speak.record.hands[hand - 1])
        if "suggestions" in report:
            yield from _suggested(session, speak, tree["hands"][0], findings, mine)


def _counted(report: JsonObject) -> str:
    counts = {s: sum(f["severity"] == s for f in report["findings"]) for s in SEVERITIES}
    errors, warnings = counts["error"], counts["warning"]
    told = [f"{errors} error{'s' * (errors != 1)}", f"{warnings} warning{'s' * (warnings != 1)}"]
    return f"{report['session']['events']} events: {', '.join(told)}"


def _of_the_log(findings: Sequence[JsonObject]) -> Iterator[str]:
    yield "The log"
    for finding in findings:
        yield from wrapped(f"{finding['severity'].upper()}: {finding['message']}")
        text = next(clause.text for clause in COMMON if clause.id == finding["rule"])
        yield from wrapped(f"{finding['rule']}  {text}", "   ", "      ")


def _hand(
    speak: Speaker,
    tree: JsonObject,
    story: Story,
    findings: Sequence[JsonObject],
    suggested: Sequence[JsonObject],
) -> Iterator[str]:
    """A hand, and the ruling on each of its findings; each clause is printed once."""
    (hand,) = tree["hands"]
    dealt = f"{speak.name(hand['dealer'])} dealt"
    yield f"Match {tree['match']}: {speak.record.game.name}, hand {hand['hand']}, {dealt}"
    if hand["status"] == "complete":
        yield from wrapped(f"As recorded it scores {speak.points(hand['scores'])}")
    else:
        yield f"As recorded it is {hand['status']}, and scores nothing"
    printed: set[str] = set()
    for finding in sorted(findings, key=lambda one: SEVERITIES.index(one["severity"])):
        yield ""
        yield from wrapped(f"{finding['severity'].upper()}: {finding['message']}")
        yield from evidence(speak, hand, story, finding["events"])
        if finding["rule"] in printed:
            yield f"   {finding['rule']}, as above"
        else:
            yield from speak.clause(finding["rule"])
        printed.add(finding["rule"])
        yield from _effect(speak, hand, finding, suggested)


def evidence(
    speak: Speaker, hand: JsonObject, story: Story, events: Sequence[int]
) -> Iterator[str]:
    """Events as a proof, the one at fault marked: of cards their whole trick, of others the words.

    In a trick that is cited as a whole no other card is marked.
    """
    fault, cited = {seq: " [at fault]" for seq in events[:1] if len(events) > 1}, set(events)
    in_tricks = set()
    for trick in hand["tricks"]:
        cards = {card["seq"] for card in trick["cards"]}
        if cards and cited.intersection(one["seq"] for one in trick["events"]):
            in_tricks |= cards
            marks = {} if cards <= cited else {seq: f" [{seq}]" for seq in cards & cited}
            marks |= {seq: f" [{seq}, at fault]" for seq in cards & fault.keys()}
            yield from trick_lines(speak, trick, marks)
    beside = (tell_event(one) for one in story.events if one.seq in cited - in_tricks)
    yield from event_lines(beside, fault)


def _effect(
    speak: Speaker, hand: JsonObject, finding: JsonObject, suggested: Sequence[JsonObject]
) -> Iterator[str]:
    """What the score would be without it, by the first suggestion that resolves it."""
    for place, one in enumerate(suggested[:MOST_SHOWN], 1):
        if finding["severity"] != "info" and finding["code"] in one["resolves"]:
            score = f"the score would be {speak.points(one['scores'])}"
            if one["scores"] == hand["scores"]:
                score = "the score would be the same"
            yield from wrapped(f"Without it {score} (suggestion {place})", "   ", "      ")
            return


def _proposed(session: Session, hand: HandRecord) -> Iterator[str]:
    """What is proposed in a dispute and can be signed, who signed it, and all that it changes."""
    said = session.structure.said
    proposal = said.open_proposal(hand)
    if proposal is None:
        return
    corrections = [{"type": one.type, "data": one.data} for one in proposal.event.corrections]
    did = "; and ".join(corrected(session, each) for each in corrections) or "nothing"
    yield from wrapped(f"Proposal {proposal.entry.seq}: {did}", "", "   ")
    signed = [session.structure.players[player] for player in said.signers(proposal)]
    yield f"   signed by {', '.join(signed) or 'nobody'}"
    try:
        before, after = suppose_agreed(session, proposal.entry.seq)
    except Unusable as error:
        yield from wrapped(f"It can no longer be recorded: {error.reason}", "   ", "      ")
        return
    yield from changes(after, difference(report_of(before), report_of(after)))


# ------------------------------------------------------------------------------- suggestions


def _suggested(
    session: Session,
    speak: Speaker,
    hand: JsonObject,
    findings: Sequence[JsonObject],
    mine: Sequence[JsonObject],
) -> Iterator[str]:
    """What would set a hand right, and what it would then score."""
    grave = [f for f in findings if f["severity"] == "error" or f["code"] == "incomplete"]
    if not mine and not grave:
        return
    yield ""
    yield "Suggestions, the likeliest first:" if mine else "No correction that sets it right."
    for place, one in enumerate(mine[:MOST_SHOWN], 1):
        did = "; and ".join(corrected(session, each) for each in one["corrections"])
        yield from wrapped(f"{place}. {did}", "   ", "      ")
        resolves, leaves = (", ".join(one[name]) or "nothing" for name in ("resolves", "leaves"))
        yield from wrapped(f"resolves {resolves}; leaves {leaves}", "      ", "      ")
        same = one["scores"] == hand["scores"]
        effect = "the score stays as it is" if same else f"then {speak.points(one['scores'])}"
        yield from wrapped(effect, "      ", "      ")
    if len(mine) > MOST_SHOWN:
        yield f"   {len(mine) - MOST_SHOWN} more with --format json"


def corrected(session: Session, correction: JsonObject) -> str:
    """A correction in words."""
    data = correction["data"]
    place = data.get("seq", data.get("after"))
    before = word_of(session, place)
    after = raw_words(session, place, data) if "type" in data else ""
    return DID[correction["type"]].format(place=place, before=before, after=after)
