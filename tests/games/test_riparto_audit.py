from typing import Any

import pytest

from scorekeeper.games.riparto import GAME
from scorekeeper.play.scoring import run_checks
from tests.games.riparto import FOUR, FOUR_BY_RANK, THREE, findings_of, hand, taken

BIDS = "a=4 b=6 c=5"
Cases = list[tuple[str, list[str]]]


def words(script: str, first: int, last: int) -> str:
    """Return the words of a script from one place to another, both from 1."""
    return " ".join(script.split()[first - 1 : last])


@pytest.mark.parametrize(
    ("script", "players", "options"),
    [
        (f"{BIDS} b#1 b#2 b^9 b>SDHC", 3, {}),
        (f"{BIDS} b>-", 3, {}),
        ("a=4 b=6 c=6 c#1", 3, {"bid_tie": "last"}),
        # Some of the bids; without eldest's first their order proves nothing.
        ("b=6", 3, {}),
        ("a=4 c=5 c^7", 3, {}),
        ("c=5 b=6", 3, {}),
        ("d=0 c=3 b=1 c#2", 4, {}),
        # Insiemi without cards, with some, and only the second.
        ("a=9 a#1 a#2:AS", 3, {}),
        ("a=9 a#2:AS/b9S,c6S", 3, {}),
        ("a=9 a#1:/b9S,c6S", 3, {}),
        # Whole hands, with claims and counts.
        (f"a=11 a#1:AS/b9S,c6S a#2:6C/bAC,cKC {THREE} a! =a11,b4 made $a11", 3, {}),
        (f"a=0 b=6 b>SDHC {FOUR} =a10,b1,c1,d3/a4,b1,c1 lost $b-6,a10", 4, {}),
        (f"b=6 b>SDHC {FOUR_BY_RANK}", 4, {"double_trump": "rank"}),
        ("a=9 =a6,b4,c0 lost", 3, {"last_three": "sweep"}),
        # Tricks of all kinds: with a claim, with some cards, by number, with the rest.
        (f"a=9 a:6D b:AD c:9D b! b:KD b! {taken('bb')} b:JH c:9H a! a*", 3, {}),
        (f"a=9 {THREE} b!1 b!2 b!3 b!4 a!5 a!6 a!7 a!8 a!9", 3, {}),
        ("a=9 b!4 a:6D b:AD c:9D a!7 =a11,b4", 3, {}),
        ("a=9 a:6D b:AD b! b:KD c:10D a:7D c!5 c!4 b:AC c:KC a:6C", 3, {}),
        # Cards shown, and played later or not yet.
        (f"a=9 a?AS,KS {words(THREE, 1, 12)} b?QH,JH {words(THREE, 13, 27)}", 3, {}),
        ("a=9 b?9H a:6D b:AD c:9D", 3, {}),
        # A shown card may have gone to a trick whose cards are not on record.
        ("a=9 b?9D a! a:6D b:AC c:9C", 3, {}),
        ("a=9 a#1:/b9D,c7H a! a:6D b:AC c:9C", 3, {}),
        # Without a bid any player may be the ripartitore.
        (f"b>SDHC b#1 {FOUR}", 4, {}),
        ("a=9 x $a0,b0", 3, {}),
    ],
)
def test_regular_record_has_no_findings(script: str, players: int, options: Any) -> None:
    for length in range(len(script.split()) + 1):
        assert findings_of(words(script, 1, length), players, **options) == []


BIDDING: Cases = [
    ("b=6 a=4 c=5", ["out_of_turn R2 [1 2]"]),
    ("c=5 a=4 b=6", ["out_of_turn R2 [1 2]"]),
    ("a=4 c=5 b=6", ["out_of_turn R2 [2 3]"]),
    ("c=5 b=6 a=4", ["out_of_turn R2 [1 2]", "out_of_turn R2 [2 3]"]),
    ("a=4 b=6 c=5 a=7", ["bad_bid R2 [4 1]"]),
    ("a=4 a=7 b=6 c=5", ["bad_bid R2 [2 1]"]),
    ("b=6 b=6", ["bad_bid R2 [2 1]"]),
    (f"{BIDS} b^5", ["bad_bid R5 [4 2]"]),
    (f"{BIDS} b^6", ["bad_bid R5 [4 2]"]),
    (f"{BIDS} b^7 b^8", ["bad_bid R5 [5 4]"]),
    (f"{BIDS} b^7 b^6", ["bad_bid R5 [5 2]"]),
    (f"{BIDS} b^5 b^7", ["bad_bid R5 [4 2]"]),
    (f"{BIDS} a^7", ["not_declarer R3 [4 2]"]),
    (f"{BIDS} a^3", ["not_declarer R3 [4 2]"]),
    (f"{BIDS} c>SDHC", ["not_declarer R3 [4 2]"]),
    (f"{BIDS} c>-", ["not_declarer R3 [4 2]"]),
    (f"{BIDS} c#1", ["not_declarer R3 [4 2]"]),
    (f"{BIDS} b>SDHC b>-", ["not_declarer R6 [5 4]"]),
    ("a=4 b=6 c=6 c^9", ["not_declarer R3 [4 2]"]),
    ("a=4 a^9 b=6 c=5", ["not_declarer R3 [2 3]"]),
]

INSIEMI: Cases = [
    ("a=9 a#1 a#1", ["bad_deal R4 [3 2]"]),
    ("a=9 a#1 a#2 a#2", ["bad_deal R4 [4 3]"]),
    ("a=9 a#2 a#1", ["bad_deal R4 [2 3]"]),
    ("a=9 a#1:/b9S", ["bad_deal R4 [2]"]),
    ("a=9 a#1:/b9S,c6S,aAS", ["bad_deal R4 [2]"]),
    ("a=9 a#1:AS/b9S,c9S", ["bad_deal R4 [2]"]),
    ("a=9 a#1:AS/bAS,c9S", ["bad_deal R4 [2]"]),
    ("a=9 a#1:AS a#2:6C/bAS,c9S", ["bad_deal R4 [3 2]"]),
    # Insiemi that the play contradicts.
    (f"a=9 a#1:AS/b6S,c9S {THREE}", ["shown_mismatch R4 [2 23]"]),
    (f"a=9 a#1:9S {THREE}", ["shown_mismatch R4 [2 22]"]),
    ("a=9 a:6D b:AD c:9D a#1:AD", ["out_of_time R4 [5 2]", "shown_mismatch R4 [5 3]"]),
    # Nobody plays the eight of hearts, though all nine cards of the player are on record.
    (f"a=9 a#1:8H {THREE}", ["shown_mismatch R4 [2 3 8 11 14 17 18 21 24 27]"]),
    (f"a=9 a?8H {words(THREE, 1, 24)}", []),
]

LATE: Cases = [
    # After the first card, trick, claim of the rest, count or outcome.
    ("a=9 a:6D a^10", ["out_of_time R5 [3 2]"]),
    ("a=9 a! a^10", ["out_of_time R5 [3 2]"]),
    ("a=9 a* a^10", ["out_of_time R5 [3 2]"]),
    ("a=4 =a4,b7,c4 a^7", ["out_of_time R5 [3 2]"]),
    ("a=4 made a^7", ["out_of_time R5 [3 2]"]),
    ("a=9 a! a>SDHC", ["out_of_time R6 [3 2]"]),
    ("a=9 a! a#1", ["out_of_time R4 [3 2]"]),
    ("a=9 a! a#1 a#2", ["out_of_time R4 [3 2]", "out_of_time R4 [4 2]"]),
    # In time, after a score on paper or cards shown.
    ("a=9 a^10 a>SDHC a#1 a#2 a!", []),
    ("a=9 a?AS $a9 a^10", []),
    # Acts without effect have another finding, or none.
    ("a=9 a! b^10", ["not_declarer R3 [3 1]"]),
    ("a=9 a! a^8", ["bad_bid R5 [3 1]"]),
    ("a=9 a>SDHC a! a>-", ["not_declarer R6 [4 2]"]),
    ("a=9 a#1 a! a#1", ["bad_deal R4 [4 2]"]),
    ("a=9 a! b#1", ["not_declarer R3 [3 1]"]),
]

PLAY: Cases = [
    # The first lead is the ripartitore's.
    ("a=4 b=6 c=5 a:6D b:AD c:9D", ["out_of_turn R7 [4 2]"]),
    ("b=6 b:6D a:AD c:9D", ["out_of_turn R7 [3 4]"]),
    ("b=6 b:6D c:9D a:AD b:KD", ["out_of_turn R7 [5 2 3 4]"]),
    ("b=6 c!1 b:KD", ["out_of_turn R7 [3 2]"]),
    # After a wrong claim both may lead.
    ("b=6 b:6D c:9D a:AD c! c:KD", ["wrong_winner R9 [5 4 2 3]"]),
    ("b=6 b:6D c:9D a:AD c! a:KD", ["wrong_winner R9 [5 4 2 3]"]),
    ("b=6 b:6D c:9D a:AD c! b:KD", ["out_of_turn R7 [6 2 3 4 5]", "wrong_winner R9 [5 4 2 3]"]),
    # Revokes, by a card played later, shown later or before, or had of an insieme.
    ("a=9 a:6D b:AC c:9D c:8H a:7H b:AD", ["revoke R7 [3 7]"]),
    ("a=9 a:6D b:AC c:9D b?AD", ["revoke R7 [3 5]"]),
    ("a=9 b?AD,KS a:6D b:AC c:9D", ["revoke R7 [4 2]"]),
    ("a=9 a#1:/bAD,c6S a:6D b:AC c:9D", ["revoke R7 [4 2]"]),
    ("a=9 a#1:AD a:6D b:6C c:9D c:7D a:8H b:9C", ["revoke R7 [7 2]"]),
    ("a=9 a:6D b:AC c:9D c:8H a:7H b:AH", []),
    # b has nine cards on record, and the jack is none of them: it proves no revoke on QS.
    (f"a=9 b?JS {THREE.replace('b:JS', 'b:7H')}",
     ["shown_mismatch R4 [2 4 6 9 12 15 19 22 25 28]"]),
    ("a=9 a:6D b:AD c:9D b:AC c:7H a:KC b?QD", []),
    # Winners that the cards contradict.
    ("a=9 a:6D b:AD c:9D a!", ["wrong_winner R9 [5 3 2 4]"]),
    ("a=9 a:6D b:AD c:9D b:KD c:7D a:8D a!1", ["wrong_winner R9 [8 3 2 4]"]),
    ("a=9 a>DSHC a:AH b:6D c:9H a!", ["wrong_winner R9 [6 4 3 5]"]),
    ("a=9 a:AH b:6D c:9H a! a>DSHC", ["out_of_time R6 [6 2]", "wrong_winner R9 [5 3 2 4]"]),
    ("a=9 a!1 b!1", ["wrong_winner R9 [3 2]"]),
    ("a=9 a!1 a!1", []),
    # Two of three cards are enough to show that one was beaten.
    ("a=9 a:6D b:AD a!", ["wrong_winner R9 [4 2 3]"]),
    ("a=9 a:6D b:AS b!", ["wrong_winner R9 [4 3 2]"]),
    ("a=9 a>SHDC a:6D b:AS b!", []),
    ("a=9 a:6D b:AD c!", []),
    # The rest claimed, and somebody else takes a trick of it.
    ("a=9 a! a* b:KD c:9D a:6D", ["out_of_turn R7 [4 2]", "wrong_winner R9 [3 4 5 6]"]),
    ("a=9 a:6D b:AD a* c:9D", ["wrong_winner R9 [4 2 3 5]"]),
    ("a=9 b! a* c*", ["wrong_winner R9 [3 4]"]),
    ("a=9 b! a* a*", []),
    ("a=9 b! a* b!1", []),
]  # fmt: skip

CARDS: Cases = [
    ("a=9 a:AS b:AS c:9S", ["duplicate_card R1 [3 2]"]),
    ("a=9 a:AS b:9S c:8S a:KS b:AS c:7S", ["duplicate_card R1 [6 2]"]),
    # The card on record twice accuses nobody of a revoke: neither who led it nor who played it.
    ("a=9 a:AS b:9S c:8S a:9S b:AH c:AD a:AC b:KS c:KC", ["duplicate_card R1 [5 3]"]),
    ("a=9 a:AS b:9H c:8S a:AH b:8S c:7S", ["duplicate_card R1 [6 4]"]),
    ("a=9 a:AS b:9H c:8S a:9H b:KS c:7S", ["duplicate_card R1 [5 3]"]),
    # Shown, and played by another, or by the same player before.
    ("a=9 b?AS a:AS", ["shown_mismatch R7 [2 3]"]),
    ("a=9 a:AS b?AS", ["shown_mismatch R7 [3 2]"]),
    ("a=9 a:AS a?AS", ["shown_mismatch R7 [3 2]"]),
    ("a=9 a:AS b:9H b?AS", ["shown_mismatch R7 [4 2]"]),  # and no revoke by a false showing
    # More than nine tricks; what comes then proves no revoke.
    (f"a=9 {taken('aaaaaaaaaa')}", ["too_many R4 [11]"]),
    ("a=9 a!10", ["too_many R4 [2]"]),
    (f"a=9 {THREE} a:8H b:7H c:6H", ["too_many R4 [29 30 31]"]),
    (f"a=9 {THREE.replace('b:JS', 'b:7H')} b:JS", ["too_many R4 [29]"]),
]

ELEVEN_FOUR = taken("bbbbaaaaa")
EVENTS = "2 3 4 5 6 7 8 9 10"
COUNTS: Cases = [
    ("a=9 =a11,b4,c1", ["total_mismatch R11 [2]"]),
    ("a=9 =a11,b3,c0", ["total_mismatch R11 [2]"]),
    ("a=9 =a11,b4,c0/a5,b3,c0", ["total_mismatch R11 [2]"]),
    ("a=9 =a11,b4,c1 =a11,b4", ["total_mismatch R11 [2]"]),
    (f"a=9 {ELEVEN_FOUR} =a11,b4,c1", ["total_mismatch R11 [11]"]),  # and no count_mismatch
    (f"a=9 {ELEVEN_FOUR} =a10,b5", [f"count_mismatch R10 [11 {EVENTS}]"]),
    (f"a=9 {ELEVEN_FOUR} =a11,b4/a4,b5", [f"count_mismatch R10 [11 {EVENTS}]"]),
    # Before all tricks are on record, what they already prove.
    ("a=9 b! b! b! =a13,b2", ["count_mismatch R10 [5 2 3 4]"]),
    ("a=9 b! b! b! =a12,b3", []),
    ("a=9 b! b! b! =a12,b3/a7,b2", ["count_mismatch R10 [5 2 3 4]"]),
    ("a=9 a!7 a!8 =a6,b9", ["count_mismatch R10 [4 2 3]"]),
    # Each trick is a point, and a player has six more at most, for the last ones.
    ("a=9 =a11,b4/a5,b4", []),
    ("a=9 =a4,b11/a5,b4", ["count_mismatch R10 [2]"]),
    ("a=9 =a14,b1/a7,b2", ["count_mismatch R10 [2]"]),
    ("a=9 =a11,b3,c1/a6,b3,c0", ["count_mismatch R10 [2]"]),
    # Two counts that both make 15.
    ("a=9 =a11,b4 =a10,b5", ["count_mismatch R10 [2 3]"]),
    ("a=9 =a11,b4 =b4,c0", []),
    (f"a=9 {ELEVEN_FOUR} =a10,b5 =a11,b4", [f"count_mismatch R10 [11 {EVENTS}]"]),
    # The outcome against the count, the tricks, or itself.
    ("a=11 =a11,b4 lost", ["count_mismatch R12 [3 2]"]),
    ("a=10 =a11,b4 made", ["count_mismatch R12 [3 2]"]),
    ("a=10 made =a11,b4", ["count_mismatch R12 [2 3]"]),
    (f"a=11 {ELEVEN_FOUR} lost", [f"count_mismatch R12 [11 {EVENTS}]"]),
    (f"a=11 {taken('bbbb')} a* lost", ["count_mismatch R12 [7 2 3 4 5 6]"]),
    ("a=2 a! a! a! made", ["count_mismatch R12 [5 2 3 4]"]),
    ("a=15 b! made", ["count_mismatch R12 [3 2]"]),
    ("a=14 b! made", []),
    ("a=3 a! a! a! made", []),
    ("a=9 made lost", ["count_mismatch R12 [2 3]"]),
    ("a=9 made made", []),
    # The score on paper.
    ("a=11 =a11,b4 $a11", []),
    ("a=11 =a11,b4 $b0,c0", []),
    ("a=11 =a11,b4 $a10", ["claim_mismatch R12 [3 1 2]"]),
    ("a=10 =a11,b4 $a-10,b5", ["claim_mismatch R12 [3 2]"]),
    ("a=9 $a9", []),  # there is no score yet
    ("a=9 x $a9", ["claim_mismatch R12 [3]"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("script", "findings"), [*BIDDING, *INSIEMI, *LATE, *PLAY, *CARDS, *COUNTS]
)
def test_findings_of_a_record(script: str, findings: list[str]) -> None:
    assert findings_of(script) == findings


@pytest.mark.parametrize(
    ("count", "findings"),
    [
        ("=a6,b4,c0", []),
        ("=a11,b4,c0", []),
        ("=a7,b4,c0", ["total_mismatch R11 [2]"]),
        ("=a11,b4,c1", ["total_mismatch R11 [2]"]),
    ],
)
def test_under_sweep_a_count_makes_10_or_15(count: str, findings: list[str]) -> None:
    assert findings_of(f"a=9 {count}", last_three="sweep") == findings


@pytest.mark.parametrize(
    ("script", "text"),
    [
        (f"a=9 {ELEVEN_FOUR} =a10,b5", "(points counted / on record): Ada 10 / 11, Bruno 5 / 4"),
        ("a=9 b! b! b! =a13,b2", "(points counted / at least): Bruno 2 / 3"),
        (
            f"a=9 {ELEVEN_FOUR} =a11,b4/a4,b5",
            "(tricks counted / on record): Ada 4 / 5, Bruno 5 / 4",
        ),
        ("a=9 b! b! b! =a12,b3/a7,b2", "(tricks counted / at least): Bruno 2 / 3"),
        ("a=11 =a11,b4 lost", "said to be lost, but according to the record it was made"),
        ("a=10 =a11,b4 made", "said to be made, but according to the record it was lost"),
        ("a=10 =a11,b4 $a-9,b4", "(on paper / scored): Ada -9 / -10"),
        ("b=6 b:6D c:9D a:AD c! b:KD", "Bruno led K♦, but it was Ada / Cleo’s turn to lead"),
        ("a=9 a:6D b:AC c:9D b?AD", "Bruno played A♣ on 6♦, but still held A♦"),
        ("a=9 a:AS a?AS", "Ada showed A♠, but had already played it"),
        ("a=9 b?AS a:AS", "Bruno showed A♠, but Ada played it"),
    ],
)
def test_texts_of_findings(script: str, text: str) -> None:
    deal = hand(script)
    texts = [sight.text.say(deal.table.pack.show) for _, sight in run_checks(GAME.checks, deal)]
    assert text in texts[0]


def test_with_four_players_each_of_three_gets_a_card() -> None:
    assert findings_of("a=9 a#1:AS/b9S,c6S,d7S", 4) == []
    assert findings_of("a=9 a#1:AS/b9S,c6S", 4) == ["bad_deal R4 [2]"]


def test_two_suits_that_trump_one_trick() -> None:
    script = f"b=6 b>SDHC {words(FOUR, 1, 28)} a!"
    assert findings_of(script, 4) == ["wrong_winner R9 [31 29 27 28 30]"]
    assert findings_of(script, 4, double_trump="rank") == []


def test_every_check_has_a_case() -> None:
    findings = [
        listed for cases in (BIDDING, INSIEMI, LATE, PLAY, CARDS, COUNTS) for _, listed in cases
    ]
    codes = {finding.split(" [")[0] for several in findings for finding in several}
    assert codes == {f"{check.code} {check.rule}" for check in GAME.checks}


@pytest.mark.parametrize(
    ("script", "settled"),
    [
        ("a=9 =a11,b4", set()),
        (f"{BIDS} =a11,b4", {"the order of the bids"}),
        ("a=9 a#1:AS/b9S,c6S a#2:6C/bAC,cKC =a11,b4", {"the insiemi"}),
        ("a=9 a#1 a#2 =a11,b4", set()),
        (f"a=9 {ELEVEN_FOUR}", {"the count"}),
        (f"a=9 {THREE}", {"the count", "the order of play", "following suit",
                          "the winners of the tricks"}),
    ],
)  # fmt: skip
def test_undecided_checks_of_a_record(script: str, settled: set[str]) -> None:
    deal = hand(script)
    decided = {check.about for check in GAME.checks if check.decided and check.decided(deal)}
    assert decided == settled


@pytest.mark.parametrize(
    ("count", "text"),
    [
        ("=a11,b4,c1", "The points counted make 16, but a hand has 15"),
        ("=a11,b4,c0/a5,b3,c0", "The tricks counted make 8, but a hand has 9"),
        ("=a11,b4,c1/a5,b3,c0", "The points counted make 16, but a hand has 15"),
    ],
)
def test_finding_about_a_count_names_the_wrong_sum(count: str, text: str) -> None:
    texts = [str(sight.text) for check, sight in run_checks(GAME.checks, hand(f"a=9 {count}"))
             if check.code == "total_mismatch"]  # fmt: skip
    assert texts == [text]
