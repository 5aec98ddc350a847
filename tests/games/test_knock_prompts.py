"""Knock!: the prompts of a hand.

Tests of ``games.knock.events`` and ``games.knock.holdings``.
"""

from typing import Any

import pytest

from scorekeeper.cards.packs import Card, Suit
from scorekeeper.events.event import Event as Recorded
from scorekeeper.events.playing import CardPlayed, PointsCounted, RestClaimed
from scorekeeper.games.knock import GAME
from scorekeeper.games.knock.events import CardsLaidAway, FoolPaid, FoolSurrendered, SignalMade
from scorekeeper.games.knock.holdings import AWAY as LAY_AWAY
from scorekeeper.games.knock.holdings import known_holdings
from scorekeeper.games.knock.rules import PACK, VALUE, may_be_laid_away
from scorekeeper.log import codec
from scorekeeper.play.prompts import Prompt
from scorekeeper.report.next_events import list_prompts
from tests.games.knock import AWAY, NO_TRICK, ONE_TRICK, PLAY, findings_of, hand, words
from tests.games.test_knock_audit import TRUMPS_ONLY
from tests.players.common import Event, event, new_match, seeded
from tests.players.walking import Walker
from tests.refusals import refusal_of

A12 = "a! " * 12  # A takes twelve tricks
OWN_TRICK = PLAY.replace("KB.10B.NB.FOOL", "10B.KB.NB.FOOL")


def prompts(script: str, **options: Any) -> list[Prompt]:
    return list(GAME.prompts(hand(script, **options)))


def types(script: str, level: str | None = None, **options: Any) -> str:
    offered_prompts = prompts(script, **options)
    return " ".join(
        prompt.type for prompt in offered_prompts if level is None or level in prompt.levels
    )


def choices(script: str, kind: type[Recorded], **options: Any) -> list[Any]:
    by_prompt = [
        prompt.choices for prompt in prompts(script, **options) if prompt.type == kind.TYPE
    ]
    assert len(by_prompt) <= 1
    return [choice for listed in by_prompt for choice in listed]


def plays(script: str) -> set[str]:
    return {str(choice.card) for choice in choices(script, CardPlayed)}


def suits(script: str) -> str:
    """Return the suits that can be played next, the Fool as F."""
    letters = {choice.card.suit or "F" for choice in choices(script, CardPlayed)}
    return "".join(letter for letter in "SCDBTF" if letter in letters)


# ------------------------------------------------------------------------- what, and in which order


@pytest.mark.parametrize(
    ("script", "cards", "tricks", "totals"),
    [
        ("", "cards_laid_away card_played signal_made rest_claimed", "trick_taken rest_claimed",
         "points_counted"),
        ("d-", "card_played signal_made rest_claimed", "trick_taken rest_claimed",
         "points_counted"),
        ("d- a:KS", "card_played signal_made", "trick_taken points_counted", "points_counted"),
        ("d- a>KS.7S.8S.9S", "card_played signal_made rest_claimed",
         "trick_taken points_counted rest_claimed", "points_counted"),
        ("a!", "card_played rest_claimed", "trick_taken rest_claimed", "points_counted"),
        (A12, "card_played rest_claimed", "trick_taken rest_claimed", "points_counted"),
        (A12 + "b!", "points_counted fool_paid", "points_counted fool_paid", "points_counted"),
        (A12 + "b! A$7S", "points_counted", "points_counted", "points_counted"),
        (A12 + "b! =A80,B20", "", "", ""),
        (A12 + "c!", "points_counted fool_surrendered", "points_counted fool_surrendered",
         "points_counted"),
        ("=A60,B40", "", "", ""),
        ("x", "", "", ""),
        # When all cards are on record, only the Fool can be due (K7, K8).
        (PLAY, "fool_paid", "fool_paid", ""),
        (PLAY + " A$9B", "", "", ""),
        (ONE_TRICK, "fool_paid", "fool_paid", ""),
        (NO_TRICK, "fool_surrendered", "fool_surrendered", ""),
        (NO_TRICK + " B$", "", "", ""),
        # Some tricks by their cards, others by their winners.
        ("a>KS.7S.8S.9S b!2", "card_played rest_claimed",
         "trick_taken points_counted rest_claimed", "points_counted"),
    ],
)  # fmt: skip
def test_prompts_after_a_record(script: str, cards: str, tricks: str, totals: str) -> None:
    prompted = tuple(types(script, level) for level in ("cards", "tricks", "totals"))
    assert prompted == (cards, tricks, totals)


def test_the_likeliest_comes_first() -> None:
    assert types("") == (
        "cards_laid_away card_played trick_taken points_counted signal_made rest_claimed"
    )


def test_no_gesture_where_none_is_agreed() -> None:
    assert "signal_made" not in types("a:KS", signals="none")
    assert "signal_made" not in types("d- a>KS.7S.8S.9S", signals=["have_sun"])


def test_own_gesture_is_offered_once_with_any_card() -> None:
    own = [{"id": "wink", "text": "so"}, {"id": "cough", "text": "no"}]
    agreed: dict[str, Any] = {"signals": "none", "own_signals": own}
    assert gestures("a:KS", "a", **agreed) == {"wink", "cough"}
    assert gestures("a:KS", "b", **agreed) == set()
    assert gestures("a:KS a~wink", "a", **agreed) == set()
    assert gestures("", "c", **agreed) == set()  # before the lead there are those of the book
    assert {"wink", "do_not_return"} <= gestures("a:KS", "a", own_signals=own)


# ------------------------------------------------------------------------------- the lay-away


def test_possible_lay_aways_are_offered() -> None:
    bare, *lay_aways = choices("", CardsLaidAway)
    assert bare == CardsLaidAway("d")
    assert len(lay_aways) < 130
    assert lay_aways[0].cards == tuple(map(Card.parse, ("QS", "QC")))
    for lay_away in lay_aways:
        laid = lay_away.cards or lay_away.trumps_shown
        assert all(map(may_be_laid_away, laid))
        assert all((card.suit is Suit.T) == (lay_away.cards is None) for card in laid)
        script = f"d-{','.join(map(str, lay_away.cards or ()))}"
        shown = ",".join(map(str, lay_away.trumps_shown or ()))
        assert findings_of(script + (f"/{shown}" if shown else "")) == []


def test_cards_shown_by_others_are_not_laid_away() -> None:
    named = {card for choice in choices("b?QS", CardsLaidAway) for card in choice.cards or ()}
    assert Card.parse("QS") not in named
    assert Card.parse("QC") in named
    # The dealer may lay away cards that they showed; two plain cards need no trump with them.
    assert any(
        choice.cards and Card.parse("QS") in choice.cards
        for choice in choices("d?QS", CardsLaidAway)
    )
    assert any(choice.trumps_shown for choice in choices("d?QS", CardsLaidAway))
    assert not any(choice.trumps_shown for choice in choices("d?QS,QC,QB", CardsLaidAway))


def test_lay_away_is_offered_after_the_other_side_claimed_the_rest() -> None:
    start = "a>KS.7S.8S.9S"
    late = choices(f"d- {start} a*", CardsLaidAway)
    assert late
    assert all(
        choice.cards and not {c.code for c in choice.cards} & {"7S", "8S", "9S"} for choice in late
    )
    for further in ("d*", "b*", "a* =A100,B0", "a* #A50,B-50"):
        assert choices(f"d- {start} {further}", CardsLaidAway) == []
    assert choices(f"{AWAY} {start} a*", CardsLaidAway) == []


# ----------------------------------------------------------------------------------- the cards


def test_whoever_leads_first_can_hold_any_card() -> None:
    assert plays("d-") == {card.code for card in PACK.cards}
    assert {choice.player for choice in choices("d-", CardPlayed)} == {"a"}
    assert plays("d-QB,NB") == {card.code for card in PACK.cards} - {"QB", "NB"}


@pytest.mark.parametrize(
    ("script", "possible"),
    [
        ("a>KS.7S.8S.9S a:QS", "SCDBTF"),
        # Who trumped is void of swords; who did not either has no trumps (K4).
        ("a>KS.T6.8S.9S", "CDBTF"),
        ("a>KS.7C.8S.9S a:QS", "CDBF"),
        ("a>KS.7C.8S.9S a:T7", "CDBF"),
        ("a>T21.7S.T6.T7 a:QS", "SCDBF"),
        # The Fool shows nothing; led, it sets no suit (K6).
        ("a>KS.FOOL.8S.9S a:QS", "SCDBT"),
        ("a>FOOL.KS.8S.9S b:QS c:10S d:JS", "SCDBT"),
        ("a>FOOL.KS.7C.9S b:QS", "CDB"),
        # Who showed a sword follows, or plays the Fool.
        ("b?7S a:KS", "SF"),
        ("b?FOOL b?7S a:KS", "SF"),
        ("c?FOOL a:KS", "SCDBT"),
    ],
)
def test_void_player_is_not_offered_the_suit(script: str, possible: str) -> None:
    assert suits(script) == possible


def test_dealer_who_laid_a_trump_away_has_only_kings_as_plain_cards() -> None:
    assert (
        not {card[-1] for card in plays("d-/T6 a>T7.T8.T9.T10")} - set("SCDB") - set("0123456789L")
    )
    offered = {choice.card for choice in choices("d-/T6 a>T7.T8.T9.T10", CardPlayed)}
    assert {card for card in offered if card.suit not in {Suit.T, None}} == {
        Card.parse(f"K{suit}") for suit in "SCDB"
    }
    assert suits("d-/T6 a:T7 b:T8 c:T9") == "TF"  # void of trumps a player would hold five cards


@pytest.mark.parametrize(
    ("left", "laid", "possible"),
    [
        (1, "", "T19"),
        (1, "d-", "T19"),
        (1, AWAY, "T19"),
        (2, "", "T2 T19"),  # the other two are plain, and so they are what was laid away
        (3, "", "T18 T2 T19"),
        (4, "", "T17 T18 T2 T19"),
    ],
)
def test_the_last_cards(left: int, laid: str, possible: str) -> None:
    played = " ".join(list(words(PLAY))[:-left])
    assert plays(f"{laid} {played}") == set(possible.split())


def test_trumps_are_assumed_laid_away_if_nobody_can_hold_them() -> None:
    # d played only trumps; c did not follow trumps, and so holds neither of the two left.
    assert plays(" ".join(list(words(TRUMPS_ONLY))[:-1])) == {"7D"}


# ------------------------------------------------------------------------------------ the Fool


def test_the_card_paid_for_the_fool() -> None:
    paid = choices(PLAY, FoolPaid)
    assert {payment.side for payment in paid} == {"A"}
    values = [VALUE[payment.card] for payment in paid]
    assert values == sorted(values)
    assert set(values) == {0, 1}
    assert not {"10C", "8B", "KS"} & {
        payment.card.code for payment in paid
    }  # B's, laid away, too good
    for payment in paid:
        assert findings_of(f"{PLAY} A${payment.card}") == []


@pytest.mark.parametrize(
    ("script", "needed"),
    [(A12 + "b!", False), (A12 + "c!", False), (PLAY, True), (ONE_TRICK, True),
     (f"{PLAY} =A55,B45", False), (NO_TRICK, False)],
)  # fmt: skip
def test_payment_is_needed_only_if_the_score_depends_on_it(script: str, *, needed: bool) -> None:
    fool = [prompt for prompt in prompts(script) if prompt.type.startswith("fool_")]
    assert [prompt.needed for prompt in fool] == [needed]


def test_side_without_an_empty_card_pays_another_card() -> None:
    assert {choice.card.code for choice in choices(ONE_TRICK, FoolPaid)} == {"KS", "QS", "NS", "JS"}


def test_no_payment_if_the_own_side_won_the_fools_trick() -> None:
    assert types(OWN_TRICK) == ""
    assert hand(OWN_TRICK).result.complete


@pytest.mark.parametrize(
    ("further", "worth"),
    [("=A55,B45", {0}), ("=A54,B46", {1}), ("#A5,B-5", {0}), ("=A54,B46 #A4,B-4", {1})],
)
def test_payment_agrees_with_the_recorded_score(further: str, worth: set[int]) -> None:
    assert {VALUE[choice.card] for choice in choices(f"{PLAY} {further}", FoolPaid)} == worth
    for choice in choices(f"{PLAY} {further}", FoolPaid):
        assert findings_of(f"{PLAY} {further} A${choice.card}") == []


def test_the_fool_among_tricks_without_cards() -> None:
    paid = choices(A12 + "b!", FoolPaid)
    assert {payment.side for payment in paid} == {"A", "B"}
    assert {VALUE[payment.card] for payment in paid} == {0, 1}
    assert {choice.side for choice in choices("a! " * 13, FoolSurrendered)} == {"B"}


def test_fool_of_the_side_that_did_not_claim_the_rest() -> None:
    start = "d- a>KS.7S.8S.9S"
    # A can pay with the lowest of its four cards. If B played the Fool, nothing is paid for it.
    paid = choices(f"{start} b*", FoolPaid)
    assert {(payment.side, payment.card.code) for payment in paid} == {
        ("A", c) for c in ("7S", "8S", "9S")
    }
    assert choices(f"a?FOOL {start} b*", FoolPaid) == paid
    assert choices(f"b?FOOL {start} b*", FoolPaid) == []
    assert choices(f"{start} b* #A-40,B40", FoolPaid) == []


# ----------------------------------------------------------------------- the count, and the rest


@pytest.mark.parametrize(
    ("script", "least", "most"),
    [
        ("", 0, 100),
        ("a>KS.7S.8S.9S", 9, 100),
        (A12, 71, 100),
        (A12 + "b!", 71, 99),  # four of 5 points, and two queens laid away
        (A12 + "b! A$T6", 71, 99),
        (A12 + "b! B$7S", 71, 94),
        (A12 + "c!", 92, 100),  # two queens laid away, at the most
        ("d-QB,NB " + A12 + "c!", 93, 93),
        ("b! " * 13, 0, 0),
        ("d-QB,NB", 0, 93),
    ],
)
def test_possible_counts_are_offered(script: str, least: int, most: int) -> None:
    counted = choices(script, PointsCounted)
    assert {count.points["A"] for count in counted} == set(range(least, most + 1))
    assert {sum(count.points.values()) for count in counted} == {100}
    for count in (counted[0], counted[-1]):
        assert findings_of(f"{script} =A{count.points['A']},B{count.points['B']}") == []


def test_the_count_that_is_near_to_half_comes_first() -> None:
    assert [choice.points for choice in choices("", PointsCounted)][:2] == [
        {"A": 50, "B": 50},
        {"A": 49, "B": 51},
    ]


# Four tricks, after which no trump is left that beats the Quartet (K5).
HIGH_TRUMPS = " ".join(
    f"{holder}:T{n}" for holder, n in zip("bcda" * 4, range(21, 5, -1), strict=True)
)


@pytest.mark.parametrize(
    ("script", "players"),
    [
        ("", "abcd"),
        ("a>KS.7S.8S.9S", "abcd"),
        ("b?T21 a>KS.7S.8S.9S", "bd"),  # the World wins a trick
        ("b?T20 a>T21.T6.T7.T8", "bd"),
        ("b?T20 a>KS.T21.8S.9S", "bd"),
        ("a>KS.7S.8S.9S a", ""),
        (f"{HIGH_TRUMPS} b?T5 a?T4", "abcd"),  # of four that are alike the last one wins
        (f"{HIGH_TRUMPS} b?T5,T4,T3,T2", "bd"),
    ],
)
def test_rest_is_offered_to_sides_that_can_take_it(script: str, players: str) -> None:
    script = script.removesuffix(" a") + (" a:QS" if script.endswith(" a") else "")
    assert {choice.player for choice in choices(script, RestClaimed)} == set(players)


def test_fool_is_not_laid_away_with_trumps() -> None:
    """The dealer has one card more; of T7, T10 and the Fool two lie away (K3)."""
    script = TRUMPS_ONLY.replace("T2.KC", "T2.T8").replace("d>T10.FOOL.10D.7D", "a:10D b:KC c:7D")
    known = known_holdings(hand(script))
    assert {
        code: [holder for holder in (*"abcd", LAY_AWAY) if known.can_hold(holder, Card.parse(code))]
        for code in ("T7", "T10", "FOOL")
    } == {"T7": [LAY_AWAY], "T10": [LAY_AWAY], "FOOL": ["d"]}


# ---------------------------------------------------------------------------------- the gestures


def gestures(script: str, player: str, **options: Any) -> set[str]:
    return {
        choice.signal
        for choice in choices(script, SignalMade, **options)
        if choice.player == player
    }


WISHES = {"long_suit", "trump_low", "avoid_high", "not_highest", "do_not_return"}
TRUMPS = {"have_world", "have_sun", "have_moon", "highest_trump", "two_highest_trumps"}


@pytest.mark.parametrize(
    ("script", "player", "possible"),
    [
        ("", "c", {"bijou", "grand"}),
        ("c~bijou", "c", set()),
        ("a:QS", "a", WISHES | {"last_of_suit", "highest_of_suit"}),
        ("a:7S", "a", WISHES | {"last_of_suit", "have_queen", "highest_of_suit"}),
        ("a:7S a~long_suit", "a", set()),
        ("a:FOOL", "a", set()),
        ("a:FOOL b:7S", "b",
         {"do_not_return", "last_of_suit", "have_queen", "highest_of_suit", "do_not_lead"}),
        ("a:KS b:T6", "b", {"do_not_return", "last_trump", "magician_at_risk"} | TRUMPS),
        ("a:T21 b:T20", "b", {"do_not_return", "last_trump", "magician_at_risk", "do_not_lead",
                              "have_sun", "have_moon", "highest_trump", "two_highest_trumps"}),
        # A queen that may lie away is perhaps not the highest left.
        ("a:KS", "a", WISHES | {"last_of_suit", "have_queen"}),
        (f"{AWAY} a:KS", "a", WISHES | {"last_of_suit", "have_queen", "highest_of_suit"}),
        # Before partner leads, and with the last card.
        ("d- a>KS.7S.8S.9S", "c", {"bijou", "grand"}),
        ("d- a>7S.8S.KS.QS", "a", {"bijou", "grand"}),
        ("d- a>7S.8S.KS.QS", "d", {"do_not_return", "last_of_suit", "do_not_lead"}),
        # Of trumps 15 to 17 the one that is left.
        ("a:T15 b:T16", "b", TRUMPS | {"do_not_return", "last_trump", "magician_at_risk",
                                       "do_not_lead", "say_15_16_17"}),
    ],
)  # fmt: skip
def test_possible_gestures_are_offered(script: str, player: str, possible: set[str]) -> None:
    assert gestures(script, player) == possible


@pytest.mark.parametrize(
    ("script", "other"),
    [
        ("a:T6 a~have_world", "T21"),
        ("a:T6 a~two_highest_trumps", "T20"),
        ("a:7S a~have_queen", "QS"),
        ("a:T6 a~magician_at_risk", "T1"),
        ("a:7S a~highest_of_suit", "KS"),
    ],
)
def test_cards_declared_by_a_gesture_are_not_offered_to_others(script: str, other: str) -> None:
    card, _ = script.split()
    assert other in plays(card)
    assert other not in plays(script)
    others = {"T6": "b:T7 c:T8 d:T9 d:KC a:7C b:8C c:9C"}.get(card[2:], "b:8S c:9S d:10S d:T9")
    assert findings_of(f"{script} {others}") == []


def test_player_who_signalled_a_void_does_not_follow() -> None:
    start = "a>7S.8S.9S.KS d>QS"
    assert suits(f"{start}") == "SCDBTF"
    assert suits("a:7S a~last_of_suit b:8S c:9S d:KS d:QS") == "CDBTF"
    assert suits("a:T6 a~last_trump b:T7 c:T8 d:T9 d:KC") == "SCDBF"


def test_gestures_without_a_single_meaning_are_not_offered() -> None:
    assert not gestures("a:7S", "a") & {"one_more", "all_but_one", "say_15_16_17"}
    top = "a>T21.T6.T7.T8 a>T20.T9.T10.T11 a>T19.T12.T13.T14 a>T18.T17.T16.T15 a>T1"
    assert "highest_trump" not in gestures(top, "a")  # of four that are equal


# ------------------------------------------------------------------------------ any other record


@pytest.mark.parametrize(
    "script",
    [
        "a:KS c:7S",  # out of turn
        "a:KS c:7S b:8S",
        "b:KS",
        "a:KS b:KS",  # a card played twice
        "a>KS.7C.8S.9S a>QS.10S.JS.NS",  # a revoke
        "a>KS.7C.8S.9S b?7S a:QS",
        "d-KS,T21 a:7S",
        "d-8B",
        "d-8B,7B,9B a:KS",
        "c-8B,7B a:KS",
        "d-8B,7B a:8B",
        "a:KS a!",  # a trick of one card
        "a! b:KS",
        "a>KS.7S.8S.9S b! b:QS",  # the wrong winner leads
        "a!5 a:KS",
        "a* a:KS",
        "a:KS a*",
        "a* b*",
        "a~have_world a:T6 a~what_is_this b:T21",
        "a:T6 a~have_world b:T21 c:T7",
        "=A60,B30",
        "A$KS",
        "B$",
        f"{PLAY} B$KS A$",
        f"{PLAY} a:8B",
        f"{PLAY.replace('T19', 'KS')}",
        "a?KS,QS,NS,JS,10S,9S,8S,7S,KC,QC,NC,JC,10C,9C b:KS",
    ],
)
def test_every_choice_can_be_recorded(script: str) -> None:
    deal = hand(script)
    for prompt in GAME.prompts(deal):
        for choice in prompt.choices:
            event = codec.decode(prompt.type, codec.encode(choice), GAME.by_type)
            assert refusal_of(GAME.refuse_event, deal, event) == ""


def test_after_a_play_out_of_turn_the_missing_player_is_next() -> None:
    assert {choice.player for choice in choices("a:KS c:7S", CardPlayed)} == {"b"}
    assert {choice.player for choice in choices("a:KS b:7S d:8S", CardPlayed)} == {"c"}


@pytest.mark.parametrize("seed", range(6))
def test_an_honest_hand_can_be_followed(seed: int) -> None:
    rng = seeded(seed)
    opening, match = new_match(rng, "knock")
    honest = match.hand(rng.choice(match.seats)).records
    play = {"hand_started", "cards_laid_away", "card_played"}
    acts = [raw for raw in honest["cards counted"] if raw["type"] in play]
    acts += [raw for raw in honest["cards"] if raw["type"].startswith("fool_")]
    walker = Walker(rng, opening)
    for act in acts:
        if act["type"] != "cards_laid_away":  # of which not all can be listed
            assert act in offered(walker, act["type"])
        walker.record(act)
    assert walker.complaints() == []


def offered(walker: Walker, kind: str) -> list[Event]:
    """Return the choices of a type, as raw events."""
    prompts = [prompt for prompt in list_prompts(walker.session) if prompt.type == kind]
    return [event(kind, **codec.encode(choice)) for prompt in prompts for choice in prompt.choices]


@pytest.mark.parametrize("paid", ["9D", "9B"])
def test_card_paid_for_the_fool_is_not_in_the_lay_away(paid: str) -> None:
    known = known_holdings(hand(f"a! a! a! b! b! b! b>KB.10B.NB.FOOL A${paid}"))
    assert known.can_have_together([LAY_AWAY], [Card.parse("8D")])
    assert not known.can_have_together([LAY_AWAY], [Card.parse(paid)])
