"""Reasons as text: the lines of a hand's score, and why a trick was won by its winner."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from scorekeeper.base.parts import ExactPoints, format_points, format_signed
from scorekeeper.cards.packs import Card
from scorekeeper.cli.sheet_text import LINE_COLUMNS, finding_lines, strip_controls
from scorekeeper.report import explain_views as views
from scorekeeper.report.explain import explain, find_clause_text
from scorekeeper.report.narration import format_ranges
from scorekeeper.report.views import ReportView
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session

Marks = Mapping[int, str]  # texts beside events, by their seqs
NO_MARKS: Marks = {}


class MatchNames(NamedTuple):
    """The names of the players, sides, cards and clauses of a match."""

    record: MatchRecord

    def name(self, player: str) -> str:
        """Return the name of a player."""
        return strip_controls(self.record.names.get(player, player))

    def side(self, side: str) -> str:
        """Return the name of a side: those of its players."""
        return " & ".join(map(self.name, self.record.sides.get(side, (side,))))

    def points(self, scores: Mapping[str, ExactPoints]) -> str:
        """Return the points of each side with their sign."""
        figures = ((self.side(side), format_signed(points)) for side, points in scores.items())
        return ", ".join(map(" ".join, figures))

    def card(self, code: str) -> str:
        """Return the name of a card for players."""
        return self.record.pack.show(Card.parse(code))

    def clause(self, clause_id: str) -> list[str]:
        """Return the lines of a clause; none if there is no such clause."""
        text = find_clause_text(self.record.game, clause_id)
        return wrap_text(f"{clause_id}  {text}", "   ", "      ") if text else []


def wrap_text(text: str, first_indent: str = "", indent: str = "  ") -> list[str]:
    """Wrap a text to lines of at most ``LINE_COLUMNS`` columns."""
    return textwrap.wrap(
        strip_controls(text), LINE_COLUMNS, initial_indent=first_indent, subsequent_indent=indent
    )


def explanation_lines(
    session: Session, report: ReportView, only_match: int | None, only_hand: int | None
) -> Iterator[str]:
    """Yield the reasons for the scores of hands, and for the totals unless one hand is given.

    `only_match` and `only_hand` limit it to one match or hand.
    """
    first = True
    for match in explain(session, only_match, only_hand).matches:
        names = MatchNames(session.structure.matches[match.match - 1])
        for hand in match.hands:
            if not first:
                yield ""
            first = False
            yield from hand_explanation(names, match, hand)
            place = match.match, hand.hand
            findings = [item for item in report.findings if (item.match, item.hand) == place]
            yield from finding_lines(findings, several=len(report.matches) > 1)
        if only_hand is None:
            yield from totals_explanation(names, match)


def hand_explanation(
    names: MatchNames, match: views.ExplainedMatchView, hand: views.ExplainedHandView
) -> Iterator[str]:
    """Yield a hand: its lines with their clauses and events, and its tricks."""
    game = names.record.game.name
    yield f"Match {match.match}: {game}, hand {hand.hand}: {hand.status}"
    for line in hand.lines:
        yield ""
        yield f"{names.side(line.side)} {format_signed(line.points)}: {line.text}"
        yield from names.clause(line.rule)
        yield from event_lines(line.events)
        if line.tricks:
            yield f"             tricks {format_ranges(line.tricks)}"
    if not hand.lines:
        yield "Nobody scores in it."
    if hand.tricks:
        yield ""
        for trick in hand.tricks:
            yield from trick_lines(names, trick)
    for penalty in hand.penalties:
        yield ""
        yield from _penalty_lines(names, penalty)


def totals_explanation(names: MatchNames, match: views.ExplainedMatchView) -> Iterator[str]:
    """Yield the hands and penalties from which the totals of a match are added up."""
    yield ""
    adds = [f"hand {hand.hand}: {added}" for hand in match.hands
            if (added := names.points({s: n for s, n in hand.adds.items() if n}))]  # fmt: skip
    for penalty in match.penalties:
        yield from _penalty_lines(names, penalty)
    totals = ", ".join(f"{names.side(side)} {format_points(n)}" for side, n in match.totals.items())
    yield from wrap_text(f"Match {match.match} comes to {totals}" + ":" * bool(adds))
    for text in adds:
        yield from wrap_text(text, "   ", "      ")


def _penalty_lines(names: MatchNames, penalty: views.PenaltyView) -> Iterator[str]:
    """Yield a penalty with its clause and its seq."""
    reason = f": {penalty.reason}" if penalty.reason else ""
    yield from wrap_text(
        f"{names.side(penalty.side)} {format_signed(penalty.points)}, a penalty{reason}"
    )
    yield from names.clause(penalty.rule)
    yield f"      {penalty.seq:>5}"


def event_lines(
    events: Iterable[views.ExplainedEventView], marks: Marks = NO_MARKS
) -> Iterator[str]:
    """Yield events in words, each with its seq."""
    for event in events:
        corrected = f" ({event.corrected})" if event.corrected else ""
        text = f"{event.text}{corrected}{marks.get(event.seq, '')}"
        yield strip_controls(f"      {event.seq:>5}  {text}")


def trick_lines(names: MatchNames, trick: views.TrickView, marks: Marks = NO_MARKS) -> list[str]:
    """Return a trick: its cards in their order, with marks, and why its winner won it."""
    cards = []
    for card in trick.cards:
        led = "led " if card.did == "led" else ""
        mark = marks.get(card.seq, "")
        cards.append(f"{names.name(card.player)} {led}{names.card(card.card)}{mark}")
    played = f"{'; '.join(cards)}. " if cards else ""
    rule = f" ({trick.rule})" if trick.rule else ""
    why = trick.why[:1].upper() + trick.why[1:]
    return wrap_text(f"Trick {trick.trick}: {played}{why}{rule}", "   ", "      ")
