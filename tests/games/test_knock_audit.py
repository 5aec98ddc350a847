"""Knock!: each finding of its audit triggered, and near misses."""

import pytest

from scorekeeper.games.knock import GAME
from scorekeeper.games.knock.audit import CHECKS
from scorekeeper.games.knock.rules import BOOK
from tests.games.knock import AWAY, NO_TRICK, ONE_TRICK, PLAY, findings_of, hand, swapped

ALL = " ".join(map(str, range(1, 53)))
A_TRICKS = " ".join(
    str(seq) for n in (1, 2, 3, 8, 9, 10, 12) for seq in range(4 * n - 3, 4 * n + 1)
)
B_TRICKS = " ".join(str(seq) for n in (4, 5, 6, 7, 11, 13) for seq in range(4 * n - 3, 4 * n + 1))
TRICKS = "a! a! a! b! b! b! b! a! a! a! d! c! b!"

# The dealer had no other choice for the lay-away: all other cards were trumps and kings.
TRUMPS_ONLY = (
    "a>KS.T3.T5.T9 d>T21.T1.T4.T6 d>T20.T2.KC.KB d>T19.QS.QC.QB d>T18.NS.NC.NB d>T17.JS.JC.JB "
    "d>T16.10S.10C.10B d>T15.9S.9C.9B d>T14.8S.KD.8B d>T13.7S.QD.7B d>T12.7C.ND.9D d>T11.8C.JD.8D "
    "d>T10.FOOL.10D.7D"
)


def test_a_hand_by_the_rules_has_no_finding() -> None:
    for play in (PLAY, ONE_TRICK, NO_TRICK, TRUMPS_ONLY):
        assert findings_of(play) == []
    assert findings_of(f"{AWAY} {PLAY} A$9B =A54,B46/A7 #A4,B-4") == []
    assert findings_of(f"{TRUMPS_ONLY} d-T7,T8/T7,T8 A$ =A0/A0 #A-50") == []


# ---------------------------------------------------------------------- the lay-away (K2, K3)


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("d-8B,7B", []),
        ("d-QB,NB", []),
        ("d-8B,7B,9B", ["bad_discard K2 [1]"]),
        ("d-8B", ["bad_discard K2 [1]"]),
        ("d-KB,7B", ["bad_discard K3 [1]"]),
        ("d-T1,7B/T1", ["bad_discard K3 [1]"]),
        ("d-T21,7B/T21", ["bad_discard K3 [1]"]),
        ("d-FOOL,7B", ["bad_discard K3 [1]"]),
        # A trump: shown, and only for want of other cards.
        ("d-T6,T7/T6,T7", []),
        ("d-T6,7B/T6", []),
        ("d-T6,7B", ["bad_discard K3 [1]"]),
        ("d?T6 d-T6,7B", []),
        ("a?T6 d-T6,7B", ["bad_discard K3 [2]"]),
        ("d-T6,T7/T6", ["bad_discard K3 [1]"]),
        ("d-T6,7B d?T6", []),
        ("d-/T6", []),
        ("d-/T6,T7,T8", ["bad_discard K2 [1]"]),
        ("d-T6,7B/T6 d:8B", ["bad_discard K3 [1 2]"]),
        ("d-T6,T7/T6,T7 d:8B", ["bad_discard K3 [1 2]"]),
        ("d-T6,T7/T6,T7 d?8B,KC", ["bad_discard K3 [1 2]"]),
        ("d-T6,T7/T6,T7 d?KC,KB,FOOL,T21", []),
        ("d-T6,T7/T6,T7 d:KC", []),
        ("d-T6,T7/T6,T7 c:8B", []),
        ("d-T6,T7/T6,T7 d?8B c:8B", ["shown_mismatch K4 [2 3]"]),
        # Played too, before or after.
        ("d-8B,7B d:8B", ["bad_discard K2 [1 2]"]),
        ("d-8B,7B a:7B", ["bad_discard K2 [1 2]"]),
        ("a:7B d-8B,7B", ["bad_discard K2 [2 1]"]),
        # By another, or again.
        ("a-8B,7B", ["not_declarer K2 [1]"]),
        ("a-KB", ["not_declarer K2 [1]"]),
        ("d-8B,7B a-KB,KC", ["not_declarer K2 [2]"]),
        ("d-8B,7B d-QB,JB", ["bad_discard K2 [2 1]"]),
        ("d- d-8B,7B", []),
        ("d- d-", ["bad_discard K2 [2 1]"]),
        ("d-8B,7B d-", ["bad_discard K2 [2 1]"]),
    ],
)
def test_the_lay_away(script: str, findings: list[str]) -> None:
    assert [
        finding for finding in findings_of(script) if not finding.startswith("out_of_turn")
    ] == findings


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        # Cards that are missing once all tricks are on record were laid away.
        (swapped(PLAY, "KB", "8B"), ["bad_discard K3 [" + ALL + "]"]),
        (f"{swapped(PLAY, 'KB', '8B')} d-", [f"bad_discard K3 [53 {ALL}]"]),
        (f"{swapped(PLAY, 'KB', '8B')} d-KB,7B", ["bad_discard K3 [53]"]),
        # Said to be 8B and 7B; but 8B was played, and KB is missing.
        (f"{swapped(PLAY, 'KB', '8B')} {AWAY}", ["bad_discard K2 [53 25]"]),
        # A trump, though dino held 9S, NS, 9C and others.
        (swapped(PLAY, "T8", "8B"), [f"bad_discard K3 [{ALL}]"]),
        (f"{swapped(PLAY, 'T8', '8B')} d-T8,7B/T8",
         ["bad_discard K3 [53 4 8 12 16 19 23 27 31 40]"]),
        (f"{TRUMPS_ONLY} d-", []),
        (f"{TRUMPS_ONLY} d-T7,T8", ["bad_discard K3 [53]"]),
        (f"{TRUMPS_ONLY} d-/T8", [f"bad_discard K3 [53 {ALL}]"]),
        (f"{TRUMPS_ONLY} d-/T8,T7", []),
        # One other card, laid away: one trump is needed.
        (TRUMPS_ONLY.replace("9B", "T7"), []),
        (f"{TRUMPS_ONLY.replace('9B', 'T7')} d-9B,T8/T8", []),
        # One other card, kept: of the two trumps one was not needed.
        (swapped(TRUMPS_ONLY, "T10", "9B"), [f"bad_discard K3 [{ALL}]"]),
    ],
)  # fmt: skip
def test_lay_away_proved_by_the_play(script: str, findings: list[str]) -> None:
    lay_aways = [finding for finding in findings_of(script) if finding.startswith("bad_discard")]
    assert lay_aways == findings


# --------------------------------------------------------------------------------- the play (K4)


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("a>KS.QC.NS.JS b:QS", ["revoke K4 [2 5]"]),
        ("a>KS.QC.NS.JS b?QS", ["revoke K4 [2 5]"]),
        ("b?QS a>KS.QC.NS.JS", ["revoke K4 [3 1]"]),
        ("b?QS a! a>KS.QC.NS.JS", []),  # it may have been played to the trick that is not on record
        ("a! b?QS a>KS.QC.NS.JS", ["revoke K4 [4 2]"]),
        ("a>KS.QC.NS.JS c:QS", []),
        ("a>KS.QC.NS.JS b:QC", None),
        ("a>KS.T6.NS.JS b:QS", ["revoke K4 [2 5]"]),
        # A trump lead.
        ("a>T6.QC.NS.JS b:T2", ["revoke K4 [2 5]"]),
        ("a>T6.QC.NS.JS b:QS", []),
        # A led Fool: the next card sets the suit.
        ("a>FOOL.QS.KC.JS c:KS", ["revoke K4 [3 5]"]),
        ("a>FOOL.QS.KC.JS c:KD a:KS", []),
        ("a>FOOL.T6.KC.JS c:T7", ["revoke K4 [3 5]"]),
        # The Fool in place of any card.
        ("a>KS.FOOL.NS.JS b:QS", []),
        ("a>T6.FOOL.T7.T8 b:T9", []),
        # The lay-away proves no revoke; a card recorded as laid away, but played later, does.
        ("d?QS d-QS,7B a>KS.7S.NS.T6", []),
        ("d-QS,7B d?QS a>KS.7S.NS.T6", []),
        ("d-QS,7B a>KS.7S.NS.T6 d:QS", ["bad_discard K2 [1 6]", "revoke K4 [5 6]"]),
        ("d-8B,7B d?QS a>KS.7S.NS.T6", ["revoke K4 [6 2]"]),
        # Cards shown first may have been laid away, if the lay-away is not on record.
        ("d?QS a>KS.7S.NS.T6", []),
        ("d?QS d- a>KS.7S.NS.T6", []),
        ("d?T6 d- a>KS.7S.NS.QC", []),
        ("d?QS d-8B,7B a>KS.7S.NS.T6", ["revoke K4 [6 1]"]),
        ("d?QS a>KS.7S.NS.T6 d-8B,7B", ["revoke K4 [5 1]"]),
        ("d- d?QS a>KS.7S.NS.T6", ["revoke K4 [6 2]"]),
        ("a:KS d?QS b:7S c:NS d:T6", ["revoke K4 [5 2]"]),
    ],
)
def test_following_suit(script: str, findings: list[str] | None) -> None:
    if findings is not None:
        assert [
            finding for finding in findings_of(script) if not finding.startswith("out_of_turn")
        ] == findings


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("a>KS.QC.NS.JS b:T6", ["must_trump K4 [2 5]"]),
        ("a>KS.QC.NS.JS b?T6", ["must_trump K4 [2 5]"]),
        ("b?T6 a>KS.QC.NS.JS", ["must_trump K4 [3 1]"]),
        ("a>KS.T7.NS.JS b:T6", []),
        ("a>KS.FOOL.NS.JS b:T6", []),
        ("a>KS.QC.NS.JS b:FOOL", []),
        ("a>KS.QC.NS.JS b?QS,T6", ["revoke K4 [2 5]"]),  # not void: only a revoke
        ("a>KS.T2.NS.T3 b:T6", []),  # no duty to beat
        ("a>FOOL.QS.KC.JS c:T6", ["must_trump K4 [3 5]"]),
        ("a>FOOL.QS.T2.JS c:T6", []),
    ],
)
def test_void_player_who_does_not_trump_is_found(script: str, findings: list[str]) -> None:
    assert [
        finding for finding in findings_of(script) if not finding.startswith("out_of_turn")
    ] == findings


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("a>KS.QS.NS.JS a:KC", []),
        ("b:KS", ["out_of_turn K4 [1]"]),
        ("a:KS c:NS b:QS d:JS", ["out_of_turn K4 [2 3]"]),
        ("a>KS.QS.NS.JS b:KC", ["out_of_turn K4 [5 1 2 3 4]"]),
        ("a>FOOL.QS.NS.JS b:KC", []),
        ("a>FOOL.QS.NS.JS a:KC", ["out_of_turn K4 [5 1 2 3 4]"]),
        ("a>KS.QS.NS.JS b! b:KC", ["wrong_winner K5 [5 1 2 3 4]"]),
        ("a>KS.QS.NS.JS b! a:KC", ["wrong_winner K5 [5 1 2 3 4]"]),
        ("a>T5.T3.T2.KS b!", ["wrong_winner K5 [5 3 1 2 4]"]),
        ("a:KS b! b!1 a!1", ["wrong_winner K5 [4 2]"]),
    ],
)
def test_turns_and_winners(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("a:KS b:KS", ["duplicate_card K1 [2 1]"]),
        ("d-8B,7B d?8B", []),  # neither is a play
        ("a?KS b:KS", ["shown_mismatch K4 [1 2]", "out_of_turn K4 [2]"]),
        (f"{PLAY} b! b! b!", ["too_many K2 [54]", "too_many K2 [55]"]),
        (f"{PLAY} b:8B", ["too_many K2 [53]"]),
        (f"{TRICKS} b!", ["too_many K2 [14]"]),
    ],
)
def test_repeated_card_and_extra_trick_are_found(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


# -------------------------------------------------------------------------- the Fool (K7, K8)


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        (f"{PLAY} A$9B", []),
        (f"{PLAY} A$T10", []),
        (f"{PLAY} A$JB", ["bad_payment K7 [53 2]"]),
        (f"{PLAY} A$KD", ["bad_payment K7 [53 17]"]),
        (f"{PLAY} A$8B", [f"bad_payment K7 [53 {ALL}]"]),
        (f"{AWAY} {PLAY} A$8B", ["bad_payment K7 [54 1]"]),
        (f"{PLAY} A$FOOL", ["bad_payment K7 [53 28]"]),
        (f"{PLAY} A$9B A$T10", ["bad_payment K7 [54 53]"]),
        (f"{PLAY} A$KD A$9B", ["bad_payment K7 [53 17]"]),
        (f"{PLAY} B$KD", ["bad_payment K7 [53 28]"]),
        (f"{PLAY} B$", ["bad_payment K8 [53 28]"]),
        (f"{PLAY} A$", [f"bad_payment K8 [53 28 {A_TRICKS}]"]),
        (f"{PLAY} A$9B A$", [f"bad_payment K8 [54 28 {A_TRICKS}]"]),
        # The own side's trick: nothing is due.
        (f"{swapped(PLAY, 'FOOL', 'NB')} B$9S", ["bad_payment K7 [53 27 25 26 28]"]),
        (f"{swapped(PLAY, 'FOOL', 'NB')} B$", ["bad_payment K8 [53 27 25 26 28]"]),
        (f"{swapped(PLAY, 'FOOL', 'NB')} A$9B", ["bad_payment K7 [53 27]"]),
        # No card of 1 or less, then no trick at all.
        (f"{ONE_TRICK} B$KS", []),
        (f"{ONE_TRICK} B$9S", ["bad_payment K7 [53 6]"]),
        (f"{ONE_TRICK} B$", ["bad_payment K8 [53 22 1 2 3 4]"]),
        (f"{NO_TRICK} B$", []),
        (f"{NO_TRICK} B$7S",
         ["bad_payment K7 [53 22 " + ALL.replace(" 22 ", " ") + "]"]),
        (f"{NO_TRICK} B$ B$", ["bad_payment K8 [54 53]"]),
        # Laid away, against K3.
        (f"{swapped(PLAY, 'FOOL', '8B')} d-FOOL,7B A$9B",
         ["bad_discard K3 [53]", "bad_payment K7 [54 53]"]),
        (f"{swapped(PLAY, 'FOOL', '8B')} d-FOOL,7B A$",
         ["bad_discard K3 [53]", "bad_payment K8 [54 53]"]),
        # Coarser records, as far as they prove anything.
        ("=A55 A$9B", []),
        ("=A55 A$", []),
        ("=A0/A0 A$9B", ["bad_payment K7 [2 1]"]),
        ("=A0/A0 A$", []),
        ("=A55/A7 A$", ["bad_payment K8 [2 1]"]),
        ("=A55 A$9B B$KD", ["bad_payment K7 [3 2]"]),
        ("=A55 A$9B A$", ["bad_payment K8 [3 2]"]),
        (f"{TRICKS} =A55 A$9B", []),
        (f"{TRICKS} =A55 A$", ["bad_payment K8 [15 1 2 3 8 9 10 12]"]),
        ("a>KS.7S.8S.9S A$7C", []),
        ("a>KS.7S.8S.9S A$7S", []),
        ("a>KS.7S.8S.9S A$KC", ["bad_payment K7 [5 2]"]),
        ("a>KS.QS.NS.JS A$KC", []),
        ("a>KS.7S.8S.9S B$7S", ["bad_payment K7 [5 2]"]),
        ("a>KS.7S.8S.FOOL B$7C", []),
        ("a>KS.7S.8S.FOOL A$7S", ["bad_payment K7 [5 4]"]),
        ("a>KS.FOOL.8S.9S A$", ["bad_payment K8 [5 2]"]),
        ("a>FOOL.7S.KS.9S A$7S", ["bad_payment K7 [5 1 2 3 4]"]),
        ("a:FOOL b:7S c! A$7S", ["bad_payment K7 [4 1 2 3]"]),
    ],
)  # fmt: skip
def test_the_payment_for_the_fool(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


# ------------------------------------------------------- counts, and what was written down


@pytest.mark.parametrize(
    ("script", "findings"),
    [
        ("=A55,B45", []),
        ("=A55", []),
        ("=A55,B44", ["total_mismatch K1 [1]"]),
        ("=A55,B46", ["total_mismatch K1 [1]"]),
        ("=A55/A7,B7", ["total_mismatch K1 [1]"]),
        ("=A55 =A56", ["count_mismatch K9 [1 2]"]),
        (f"{PLAY} =A55,B44", ["total_mismatch K1 [53]"]),
        (f"{PLAY} =A55/A7", []),
        (f"{PLAY} =A54/A7", []),
        (f"{PLAY} =A53/A7", [f"count_mismatch K9 [53 {ALL}]"]),
        (f"{PLAY} =A56", [f"count_mismatch K9 [53 {ALL}]"]),
        (f"{PLAY} =A55/A8", [f"count_mismatch K9 [53 {ALL}]"]),
        (f"{PLAY} A$T10 =A54", [f"count_mismatch K9 [54 {ALL}]"]),
        (f"{PLAY} A$9B =A54", []),
        (f"{PLAY} A$KD =A54", ["bad_payment K7 [53 17]", f"count_mismatch K9 [54 {ALL}]"]),
        (f"{ONE_TRICK} =A79", [f"count_mismatch K9 [53 {ALL}]"]),
        (f"{ONE_TRICK} =A81", []),
        (f"{NO_TRICK} =A93", [f"count_mismatch K9 [53 {ALL}]"]),
        (f"{TRICKS} =A55/A8", ["count_mismatch K9 [14 " + " ".join(map(str, range(1, 14))) + "]"]),
        (f"{TRICKS} =A6", ["count_mismatch K9 [14 " + " ".join(map(str, range(1, 14))) + "]"]),
        # With all the tricks the dealer's side has the lay-away too; without, perhaps that much.
        ("b! " * 13 + "=A5", ["count_mismatch K9 [14 " + " ".join(map(str, range(1, 14))) + "]"]),
        ("b! " * 13 + "=A0", []),
        ("a! " * 13 + "=A95", []),
        (f"{TRICKS} =A7", []),
        ("=A7/A7", []),
        ("=A6/A7", ["count_mismatch K9 [1]"]),
        ("#A5,B-5", []),
        ("=A55 #A5,B-5", []),
        ("=A55 #A-5", ["claim_mismatch K9 [2 1]"]),
        (f"{PLAY} #A4", [f"claim_mismatch K9 [53 {ALL}]"]),
        ("x #A0,B0", []),
        ("x #A1", ["claim_mismatch K9 [2]"]),
    ],
)
def test_counts_and_claims(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


SEVEN = " ".join(PLAY.split()[:7])  # A 26 and 3 tricks; B 37 and 4, the Fool of A apart
TEN = " ".join(PLAY.split()[:10])  # A 38 and 6


@pytest.mark.parametrize(
    ("script", "least_a", "least_b"),
    [
        ("", 0, 0),
        ("a!", 1, 0),
        (AWAY, 0, 2),
        ("d-QB,NB", 0, 7),
        ("d-QB,NB,JB", 0, 0),  # too many: nobody knows which two
        ("a>KS.7S.8S.9S", 9, 0),
        ("a:KS b:7S a!", 7, 0),
        ("a:KS b:7S", 0, 0),
        # The Fool: with its own side's trick 5; else 5 less what is paid, at most 1.
        ("a>KS.7S.FOOL.9S", 5 + 1 + 1 + 1 + 5, 0),
        ("a>KS.7S.8S.FOOL", 5 + 1 + 1 + 1, 0),
        ("a>KS.7S.8S.FOOL b!2", 5 + 1 + 1 + 1, 5 - 5 + 1),  # its one trick may be K Q N J
        ("a>KS.7S.8S.FOOL b>QD.7D.8D.JD", 8, 8 + 1 + 5 - 1),
        ("a>KS.7S.8S.FOOL b>QD.7D.8D.JD B$7D", 9, 8 + 1 + 5 - 1),
        ("a>KS.7S.8S.FOOL b>QD.7D.8D.JD B$JD", 10, 8 + 1 + 5 - 2),
        (
            "a>KS.7S.8S.FOOL b>QD.7D.8D.JD B$KC",
            8,
            8 + 1 + 5,
        ),  # from a trick that has no cards on record
        ("a>KS.7S.8S.FOOL b>KD.QD.ND.JD", 8, 14 + 1 + 5 - 5),
        (SEVEN, 26 + 3 + 5 - 1, 37 - 9 + 9 + 4),
        (f"{SEVEN} {AWAY}", 33, 43),
        (f"{TEN} d!11 c! b!", 38 + 7 + 5 - 1, 37 + 6),
    ],
)
def test_least_points_of_a_count(script: str, least_a: int, least_b: int) -> None:
    least = hand(script).points_at_least()
    assert (least["A"], least["B"]) == (least_a, least_b)


def test_count_below_the_proved_points_is_found() -> None:
    for count in (33, 57):
        assert findings_of(f"{SEVEN} {AWAY} =A{count}") == []
    for count in (32, 58):
        assert findings_of(f"{SEVEN} {AWAY} =A{count}")[0].startswith("count_mismatch")


# --------------------------------------------------------------------------------- the table


def not_checked(script: str) -> set[str]:
    """Return the subjects of the checks that a record does not decide."""
    deal = hand(script)
    return {c.about for c in CHECKS if c.decided is not None and not c.decided(deal)}


BY_CARDS = {
    "the order of play",
    "following suit",
    "trumping when void",
    "the winners of the tricks",
}


@pytest.mark.parametrize(
    ("script", "abouts"),
    [
        (f"{PLAY} A$9B", set()),
        (PLAY, {"the payment for the Fool"}),
        (f"{PLAY} =A54", {"the payment for the Fool"}),
        (NO_TRICK, set()),
        (swapped(PLAY, "FOOL", "NB"), set()),
        (f"{PLAY} A$9B a~have_world", set()),
        (TRICKS, BY_CARDS | {"the lay-away", "the payment for the Fool", "the count"}),
        (f"{TRICKS} {AWAY} a~bijou", BY_CARDS | {"the payment for the Fool", "the count"}),
        (f"{AWAY} =A55 a~have_world",
         BY_CARDS | {"the payment for the Fool", "the count", "the gestures"}),
    ],
)  # fmt: skip
def test_undecided_checks_of_a_record(script: str, abouts: set[str]) -> None:
    assert not_checked(script) == abouts


def test_every_check_names_a_clause_and_what_settles_it() -> None:
    for check in CHECKS:
        assert BOOK.clause(check.rule).text
        assert bool(check.about) == bool(check.decided) == bool(check.settles)
    assert GAME.checks is CHECKS
