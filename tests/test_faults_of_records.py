"""A sample of what ``make faults`` tries: which faults are found, and how they are corrected."""

from typing import Final

import pytest

from benchmarks.faults import rivals
from benchmarks.faults.alterations import KINDS, Fault, faults
from benchmarks.faults.hands import HAND, LEVELS, LegalHand, legal_hand
from benchmarks.faults.judging import audited, says_the_same, searched
from benchmarks.faults.rivals import ENOUGH, origins, rivals_of_kind
from scorekeeper.repair import suggestions
from scorekeeper.report.what_if import suppose
from tests.conftest import SOAK
from tests.players.common import GAMES, seeded
from tests.repair.scenes import list_proposed

OF_A_KIND: Final = 2  # faults in a hand

# How many of the true corrections are among the first three, at least, by kind.
BARS: Final = {
    "off by one": 2, "figures exchanged": 3, "under another side": 2, "entry doubled": 2,
    "wrong dealer": 4,
}  # fmt: skip


def some_faults(hand: LegalHand, kind: str) -> list[Fault]:
    every = faults(hand, kind)
    return seeded(len(every)).sample(every, min(OF_A_KIND, len(every)))


@pytest.mark.parametrize("game", GAMES)
def test_each_fault_is_found_or_cannot_be_known(game: str) -> None:
    place = GAMES.index(game)
    hand = legal_hand(game, LEVELS[place % len(LEVELS)], 0, paper=place % 2 > 0)
    faults_made = [fault for kind in KINDS for fault in some_faults(hand, kind)]
    assert len({fault.kind for fault in faults_made}) > len(KINDS) / 2
    unfound = [
        (fault.kind, fault.at) for fault in faults_made if audited(fault).result == "unfound"
    ]
    assert unfound == []


@pytest.mark.parametrize("kind", BARS)
def test_the_true_correction_is_among_the_first_three(kind: str) -> None:
    hands = [legal_hand(game, "totals", 0, paper=True) for game in GAMES[:2]]
    faults_made = [fault for hand in hands for fault in some_faults(hand, kind)]
    exact = [searched(fault).exact for fault in faults_made if audited(fault).result == "found"]
    assert len([place for place in exact if place]) >= BARS[kind], exact


def test_the_reasons_excuse_little_of_what_the_audit_finds() -> None:
    """Else they would hide a check that is gone."""
    hands = [legal_hand(game, LEVELS[n % len(LEVELS)], 0, paper=n > 2)
             for n, game in enumerate(GAMES)]  # fmt: skip
    faults_made = [
        audited(fault) for hand in hands for kind in KINDS for fault in some_faults(hand, kind)
    ]
    found_faults = [audit for audit in faults_made if audit.result == "found"]
    assert len(found_faults) > len(faults_made) / 4
    assert sum(bool(audit.why) for audit in found_faults) <= 0.2 * len(found_faults)


@pytest.mark.parametrize(
    "kind",
    ["off by one", "digit dropped", "digits exchanged", "entry dropped", "bid missed",
     "entry doubled", "entered again", "late act", "players exchanged", "wrong dealer"],
)  # fmt: skip
def test_the_true_hand_is_one_of_those_from_which_a_fault_makes_the_record(kind: str) -> None:
    faults_made = faults(legal_hand("briscola_col_monte", "totals", 0, paper=True), kind)
    for fault in faults_made[:3]:
        assert fault.hand.record in origins(fault, kind)


@pytest.mark.parametrize(
    ("game", "seed", "found"), [("briscola_chiamata", 5, ENOUGH), ("picchetto", 77, 0)]
)
def test_a_forgotten_trick_has_rivals_where_its_cards_can_have_fallen_in_several_orders(
    monkeypatch: pytest.MonkeyPatch, game: str, seed: int, found: int
) -> None:
    """In Briscola a player need not follow suit, in Picchetto the winner leads the next trick."""
    if not SOAK:  # the first rivals are found in a tenth of a second
        monkeypatch.setattr(rivals, "SECONDS", 1)
    forgotten = faults(legal_hand(game, "cards", seed, paper=False), "trick forgotten")
    assert rivals_of_kind(forgotten[0]) == found


def results_of(game: str, level: str, seed: int, kind: str, at: str) -> list[tuple[str, str]]:
    """The result and the reason for each fault of a kind in the first such hand from a seed on."""
    hand = legal_hand(game, level, seed, paper=False)
    audits = [audited(fault) for fault in faults(hand, kind) if fault.at == at]
    return [(audit.result, audit.why) for audit in audits]


@pytest.mark.parametrize(
    ("game", "level", "kind", "at", "why"),
    [
        ("briscola_col_monte", "cards", "entry dropped", "called_card_shown", "left out"),
        ("briscola_chiamata", "totals", "entry doubled", "bid_made", "pass again"),
        ("briscola_chiamata", "cards", "another word", "bid_made.bid", "rank"),
    ],
)
def test_record_of_another_legal_hand_is_unknowable(
    game: str, level: str, kind: str, at: str, why: str
) -> None:
    results = results_of(game, level, 161803, kind, at)
    assert any(result == "unknowable" and why in reason for result, reason in results), results


def test_players_who_are_exchanged_in_all_entries_that_name_them_may_be_so() -> None:
    """The first trick names neither of them, or they took as many tricks as in the count."""
    hand = legal_hand("briscola_regina", "tricks", 424401, paper=False)
    exchanged = [audited(fault) for fault in faults(hand, "players exchanged")]
    assert [audit.fault.at for audit in exchanged if audit.result == "unfound"] == []
    later = [audit.fault.at for audit in exchanged if audit.fault.record[:2] == hand.record[:2]]
    assert "from the start" in later


def test_set_with_a_card_of_another_suit_is_one_that_the_player_may_have_held() -> None:
    """A card of another suit in a point cannot be right."""
    hand = legal_hand("picchetto", "tricks", 512377, paper=False)
    shown = [audited(fault) for fault in faults(hand, "other suit") if fault.at == "shown.cards"]
    assert {audit.result for audit in shown} == {"found", "unknowable", "refused"}


def test_pass_after_the_end_of_an_auction_that_is_on_record_is_no_pass_of_another_hand() -> None:
    results = results_of("briscola_chiamata", "cards", 161803, "entry doubled", "bid_made")
    assert {result for result, _ in results} == {"found"}
    assert not any("pass again" in reason for _, reason in results)


def is_corrected(fault: Fault) -> bool:
    """Whether the true correction is among the first three."""
    session = fault.hand.session(fault.record)
    first = suggestions(session, hand=HAND)[:3]
    return any(
        says_the_same(fault, suppose(session, corrections=list_proposed(suggestion)))
        for suggestion in first
    )


def test_bid_of_the_player_whose_turn_was_passed_over_is_put_in() -> None:
    hand = legal_hand("briscola_chiamata", "tricks", 161803, paper=False)
    missed = [fault for fault in faults(hand, "bid missed") if fault.at == "bid_made.bid"]
    assert missed
    assert all(map(is_corrected, missed))


@pytest.mark.parametrize("game", ["briscola_regina", "knock"])
def test_count_that_makes_the_score_on_paper_is_put_in(game: str) -> None:
    hand = legal_hand(game, "tricks", 314159, paper=True)
    dropped = [fault for fault in faults(hand, "entry dropped") if fault.at == "points_counted"]
    assert dropped
    assert all(map(is_corrected, dropped))


def test_pass_of_the_next_player_is_put_right() -> None:
    hand = legal_hand("briscola_chiamata", "cards", 314159, paper=False)
    taken_for_others = [fault for fault in faults(hand, "player") if audited(fault).asks]
    passes = [fault for fault in taken_for_others if fault.at == "bid_made.player" and "b_4" not in
              {e["data"]["player"] for e in fault.record if e["type"] == "bid_made"}]  # fmt: skip
    assert passes
    assert all(map(is_corrected, passes))


def test_cards_of_a_trick_whose_winner_is_on_record_are_put_in() -> None:
    hand = legal_hand("knock", "cards", 314159, paper=False)
    plays = [n for n, entry in enumerate(hand.record) if entry["type"] == "card_played"][24:28]
    record = [entry for n, entry in enumerate(hand.record) if n not in plays]
    assert is_corrected(Fault(hand, "trick forgotten", "cards", record))


def test_forgotten_trick_has_no_claim_of_its_winner_left() -> None:
    """A signal may stand between the last card and the claim."""
    hand = legal_hand("knock", "cards", 314159, paper=False)
    claims = [entry["type"] == "trick_taken" for entry in hand.record].count(True)
    left = [[e["type"] == "trick_taken" for e in fault.record].count(True)
            for fault in faults(hand, "trick forgotten")]  # fmt: skip
    assert left.count(claims - 1) == claims


def test_winner_on_record_decides_a_trick_with_a_card_left_out() -> None:
    """So the next trick is led by the player who took it, whatever cards are left of it."""
    hand = legal_hand("riparto", "cards", 935411, paper=False)
    results = [
        audited(fault) for fault in faults(hand, "entry dropped") if fault.at == "card_played"
    ]
    assert "unknowable" in {result.result for result in results}
    assert "unfound" not in {result.result for result in results}
