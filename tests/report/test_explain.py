"""The tree from totals to events and clauses: every sum holds at every node.

Tests of ``report.explain`` and ``report.explain_views``.
"""

import io
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.parts import ExactPoints
from scorekeeper.games import GAMES
from scorekeeper.play.rulebook import COMMON
from scorekeeper.report.explain import explain
from scorekeeper.report.explain_views import ExplainedMatchView, PenaltyView, TrickView
from scorekeeper.report.report import view_report
from scorekeeper.report.views import MatchView
from scorekeeper.session.session import Session
from tests.evenings import Evening, event, play_hand, riparto
from tests.thinned import EACH_LOG


def read(path: Path) -> Session:
    return Session.read(io.BytesIO(path.read_bytes()))


def add_up(
    parts: Iterable[Mapping[str, ExactPoints]], sides: Iterable[str]
) -> dict[str, ExactPoints]:
    sums: dict[str, ExactPoints] = dict.fromkeys(sides, 0)
    for part in parts:
        for side, points in part.items():
            sums[side] += points
    return sums


def fines(penalties: Iterable[PenaltyView]) -> Iterator[dict[str, ExactPoints]]:
    for penalty in penalties:
        if penalty.in_totals:
            yield {penalty.side: penalty.points}


@cache
def matches(path: Path) -> list[tuple[ExplainedMatchView, MatchView]]:
    """Each match as explained, and as reported."""
    session = read(path)
    return list(zip(explain(session).matches, view_report(session).matches, strict=True))


@EACH_LOG
def test_the_sums_at_every_node_are_the_totals(path: Path) -> None:
    for match, reported in matches(path):
        sides = reported.sides
        penalties = [*match.penalties, *(fine for hand in match.hands for fine in hand.penalties)]
        adds = (hand.adds for hand in match.hands)
        assert add_up([*adds, *fines(penalties)], sides) == match.totals == reported.totals
        for hand, other in zip(match.hands, reported.hands, strict=True):
            lines = ({line.side: line.points} for line in hand.lines)
            assert add_up(lines, sides) == hand.scores == other.scores
        for number, game in enumerate(match.games, 1):
            scores = [match.hands[hand - 1].scores for hand in game.hands]
            assert add_up([*scores, game.penalties], sides) == game.own["scores"]
            of_game = [hand.hand for hand in reported.hands if hand.own["game"] == number]
            assert of_game == game.hands


@EACH_LOG
def test_a_hand_adds_what_the_rules_of_its_match_make_of_its_score(path: Path) -> None:
    for match, reported in matches(path):
        for hand, other in zip(match.hands, reported.hands, strict=True):
            won = {side: int(side == other.winner) for side in reported.sides}
            counted = {side: n for side, n in hand.adds.items() if n}
            scored = {side: n for side, n in hand.scores.items() if n}
            assert counted in (scored, {side: 1 for side, n in won.items() if n}, {}) or (
                # A game won counts one, or two where its loser stayed far behind.
                match.games and sum(counted.values()) in (1, 2)
            )


@EACH_LOG
def test_every_line_stands_on_its_clause_and_its_events(path: Path) -> None:
    for match, reported in matches(path):
        clauses = {c.id: c.text for c in (*GAMES[match.game].book.clauses, *COMMON)}
        for hand, other in zip(match.hands, reported.hands, strict=True):
            tricks = {trick.trick: trick for trick in hand.tricks}
            for line, plain in zip(hand.lines, other.lines, strict=True):
                assert (line.points, line.rule) == (plain.points, plain.rule)
                assert line.clause == clauses[line.rule]
                seqs = {cited.seq for cited in line.events}
                for number in line.tricks:
                    seqs |= {cited.seq for cited in tricks[number].events}
                assert set(plain.events) <= seqs
                assert all(cited.text and cited.by is not None for cited in line.events)


@EACH_LOG
def test_every_trick_says_why_its_winner_won(path: Path) -> None:
    for match, _ in matches(path):
        for hand in match.hands:
            for trick in hand.tricks:
                assert trick.why
                assert (trick.winner is None) == (trick.by is None)
                assert trick.winner is None or trick.clause
                if trick.by == "cards":
                    check_cards(trick)


def check_cards(trick: TrickView) -> None:
    """The winner is the one unbeaten card that follows or trumps."""
    assert trick.cards[0].did == "led"
    assert trick.led == trick.cards[0].player
    beaten = {card.beaten_by for card in trick.cards} - {None}
    best = [card for card in trick.cards if card.player == trick.winner]
    assert len(best) == 1
    assert beaten <= {best[0].card}
    assert best[0].beaten_by is None
    assert best[0].did != "discarded"
    trumped = any(card.did == "trumped" for card in trick.cards)
    assert (best[0].did == "trumped") == trumped
    assert ("trumped the" in trick.why) == trumped


# ------------------------------------------------------------------------------- the sentences


def trick_of(
    game: str, seats: str, cards: str, *before: dict[str, Any], **options: Any
) -> TrickView:
    """A trick of these cards, each of the next player after the dealer, who sits first."""
    players = seats.split()
    evening = Evening(
        event("session_opened", title="x", players=[{"id": p, "name": p.title()} for p in players]),
        event("match_started", game=game, seats=players, options=options),
        event("hand_started", dealer=players[0]),
        *before,
    )
    for player, card in zip([*players[1:], players[0]], cards.split(), strict=False):
        evening.say("card_played", player=player, card=card)
    return explain(evening.session).matches[0].hands[0].tricks[0]


def hierarchy(player: str, suits: str) -> dict[str, Any]:
    return event("hierarchy_declared", player=player, suits=list(suits))


@pytest.mark.parametrize(
    ("game", "seats", "cards", "before", "why"),
    [
        ("riparto", "a b c", "7D KD AS", [], "C’s K♦ is the highest of the diamonds led"),
        ("riparto", "a b c", "7D KS AS", [], "B’s 7♦ is the only one of the diamonds led"),
        ("riparto", "a b c", "7C KC AH",
         [event("bid_made", player="b", points=5), hierarchy("b", "SDHC")],
         "C’s K♣ is the highest of the clubs led, and nobody trumped"),
        ("riparto", "a b c", "7C KD AS",
         [event("bid_made", player="b", points=5), hierarchy("b", "SDHC")],
         "A trumped the clubs led with A♠, and beat K♦, which trumped too"),
        ("knock", "a b c d", "FOOL 7S T9 KS", [], "D trumped the swords led with trump 9"),
        ("knock", "a b c d", "T4 T3 KC NB", [],
         "C’s trump 3 is the highest of the trumps led; of equal cards the last one wins"),
        ("picchetto", "a b", "7D AD", [], "A’s A♦ is the highest of the diamonds led"),
        ("briscola_regina", "a b", "7D 3D", [],
         "A’s 3 of coins is the highest of the coins led"),
        ("briscola_chiamata", "a b c d e", "7D 3D AS KS 2C", [],
         None),
    ],
)  # fmt: skip
def test_why(game: str, seats: str, cards: str, before: list[Any], why: str | None) -> None:
    trick = trick_of(game, seats, cards, *before)
    assert trick.why == (why or "who took it is not on record")
    assert trick.by == ("cards" if why else None)


def test_recorded_winner() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    evening.say("trick_taken", player="leo")
    evening.say("card_played", player="leo", card="7D")
    evening.say("trick_taken", player="nina")
    evening.say("rest_claimed", player="mara")
    tricks = explain(evening.session).matches[0].hands[0].tricks
    assert [(trick.by, trick.winner, trick.rule) for trick in tricks[:3]] == [
        ("said", "leo", "G6"), ("said", "nina", "G6"), ("rest", "mara", "G6")]  # fmt: skip
    assert len(tricks) == 9
    assert tricks[1].why == "Nina took it, as the table said: not all its cards are on record"


# ------------------------------------------------------------------------------ the rest of it


def test_an_event_says_by_whom_and_whether_it_was_corrected() -> None:
    evening = riparto()
    seqs = play_hand(evening, "mara")
    evening.replace(seqs[1], "bid_made", player="leo", points=10)
    (line,) = explain(evening.session).matches[0].hands[0].lines
    cited = {item.seq: item for item in line.events}
    assert cited[seqs[1]].corrected == "replaced"
    assert cited[seqs[1]].text == "Leo bid 10"
    assert cited[seqs[2]].corrected is None


def test_a_penalty_stands_where_it_was_given() -> None:
    evening = riparto()
    evening.say("penalty_given", side="leo", points=-2, reason="late")
    play_hand(evening, "mara")
    evening.say("penalty_given", side="mara", points=-1, reason="rude")
    (match,) = explain(evening.session).matches
    assert match.totals == {"mara": 4, "leo": -2, "nina": 0}
    assert [penalty.points for penalty in match.penalties] == [-2]
    (hand,) = match.hands
    assert hand.adds == {"mara": 5, "leo": 0, "nina": 0}
    assert [(penalty.reason, penalty.rule) for penalty in hand.penalties] == [("rude", "G7")]


def test_one_match_or_one_hand() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    play_hand(evening, "leo")
    evening.say("match_started", game="riparto", seats=["mara", "leo", "nina"])
    play_hand(evening, "mara")

    def shown(**which: int) -> list[tuple[int, list[int]]]:
        explained = explain(evening.session, **which).matches
        return [(match.match, [hand.hand for hand in match.hands]) for match in explained]

    assert shown() == [(1, [1, 2]), (2, [1])]
    assert shown(match=1) == [(1, [1, 2])]
    assert shown(match=1, hand=2) == [(1, [2])]
    assert shown(hand=1) == [(2, [1])]
    for which, field in (({"match": 3}, "match"), ({"match": 1, "hand": 3}, "hand"),
                         ({"match": 0}, "match"), ({"hand": 0}, "hand")):  # fmt: skip
        with pytest.raises(UnusableError) as error:
            explain(evening.session, **which)
        assert error.value.field == field
