"""Reasons as text: why a hand scores what it does, and why a trick went to whom it went."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from scorekeeper.base.json_object import JsonObject
from scorekeeper.cards.packs import Card
from scorekeeper.cli.sheet_text import WIDTH, findings, plain
from scorekeeper.report.explain import explain, text_of
from scorekeeper.report.narration import spans
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session

Marks = Mapping[int, str]  # what is said beside an event, by its seq
NO_MARKS: Marks = {}


class Speaker(NamedTuple):
    """How those at a match and its cards are called."""

    record: MatchRecord

    def name(self, player: str) -> str:
        """What a player is called."""
        return plain(self.record.names.get(player, player))

    def side(self, side: str) -> str:
        """What a side is called: by its players."""
        return " & ".join(map(self.name, self.record.sides.get(side, (side,))))

    def points(self, scores: Mapping[str, int]) -> str:
        """What each side has, with its sign."""
        return ", ".join(f"{self.side(side)} {points:+d}" for side, points in scores.items())

    def card(self, code: str) -> str:
        """A card as a player reads it."""
        return self.record.pack.show(Card.parse(code))

    def clause(self, clause_id: str) -> list[str]:
        """A clause with its text; no line where there is no such clause."""
        text = text_of(self.record.game, clause_id)
        return wrapped(f"{clause_id}  {text}", "   ", "      ") if text else []


def wrapped(text: str, first: str = "", then: str = "  ") -> list[str]:
    """A text on lines that are not too long."""
    return textwrap.wrap(plain(text), WIDTH, initial_indent=first, subsequent_indent=then)


def explained(
    session: Session, report: JsonObject, match: int | None, hand: int | None
) -> Iterator[str]:
    """Why hands score what they do, one after another; all of the matches meant, or one."""
    first = True
    for told in explain(session, match, hand)["matches"]:
        for one in told["hands"]:
            if not first:
                yield ""
            first = False
            yield from hand_explained(
                Speaker(session.structure.matches[told["match"] - 1]), told, one
            )
            mine = [f for f in report["findings"]
                    if (f["match"], f["hand"]) == (told["match"], one["hand"])]  # fmt: skip
            yield from findings({**report, "findings": mine})
        if hand is None:
            yield from totals_explained(Speaker(session.structure.matches[told["match"] - 1]), told)


def hand_explained(speak: Speaker, match: JsonObject, hand: JsonObject) -> Iterator[str]:
    """One hand: its lines with their clauses and events, and its tricks."""
    game = speak.record.game.name
    yield f"Match {match['match']}: {game}, hand {hand['hand']}: {hand['status']}"
    for line in hand["lines"]:
        yield ""
        yield f"{speak.side(line['side'])} {line['points']:+d}: {line['text']}"
        yield from speak.clause(line["rule"])
        yield from event_lines(line["events"])
        if line["tricks"]:
            yield f"             tricks {spans(line['tricks'])}"
    if not hand["lines"]:
        yield "Nobody scores in it."
    if hand["tricks"]:
        yield ""
        for trick in hand["tricks"]:
            yield from trick_lines(speak, trick)
    for fine in hand["penalties"]:
        yield ""
        yield from _penalty(speak, fine)


def totals_explained(speak: Speaker, match: JsonObject) -> Iterator[str]:
    """What the totals of a match are made of."""
    yield ""
    adds = [f"hand {hand['hand']}: {added}" for hand in match["hands"]
            if (added := speak.points({s: n for s, n in hand["adds"].items() if n}))]  # fmt: skip
    for fine in match["penalties"]:
        yield from _penalty(speak, fine)
    totals = ", ".join(f"{speak.side(side)} {n}" for side, n in match["totals"].items())
    yield from wrapped(f"Match {match['match']} comes to {totals}" + ":" * bool(adds))
    for one in adds:
        yield from wrapped(one, "   ", "      ")


def _penalty(speak: Speaker, fine: JsonObject) -> Iterator[str]:
    reason = f": {fine['reason']}" if fine["reason"] else ""
    yield from wrapped(f"{speak.side(fine['side'])} {fine['points']:+d}, a penalty{reason}")
    yield from speak.clause(fine["rule"])
    yield f"      {fine['seq']:>5}"


def event_lines(events: Iterable[JsonObject], marks: Marks = NO_MARKS) -> Iterator[str]:
    """Events in words, each under its seq."""
    for one in events:
        corrected = f" ({one['corrected']})" if one["corrected"] else ""
        yield plain(f"      {one['seq']:>5}  {one['text']}{corrected}{marks.get(one['seq'], '')}")


def trick_lines(speak: Speaker, trick: JsonObject, marks: Marks = NO_MARKS) -> list[str]:
    """A trick: its cards in their order, each with its mark, and why it went so."""
    cards = []
    for card in trick["cards"]:
        did = "led " if card["did"] == "led" else ""
        mark = marks.get(card["seq"], "")
        cards.append(f"{speak.name(card['player'])} {did}{speak.card(card['card'])}{mark}")
    shown = f"{'; '.join(cards)}. " if cards else ""
    rule = f" ({trick['rule']})" if trick["rule"] else ""
    why = trick["why"][:1].upper() + trick["why"][1:]
    return wrapped(f"Trick {trick['trick']}: {shown}{why}{rule}", "   ", "      ")
