"""Must-trump and overtrump: what a card shows, what is offered, and what the audit finds."""

import pytest

from scorekeeper.cards.packs import Card, Suit, french_tarot
from scorekeeper.cards.tricks import Play
from scorekeeper.play.checks import MUST_TRUMP, OVERTRUMP
from scorekeeper.play.deal import Deal
from scorekeeper.play.duties import Duties
from scorekeeper.play.prompts.following import offer_card, unseen_holdings
from tests.play.plain import PACK, PlainDeal, hand

TAROT = Duties(french_tarot("K Q"), Suit.T)


class DutifulDeal(PlainDeal):
    """A hand in which hearts are trumps, and players have to trump and to overtrump."""

    duties = Duties(PACK, Suit.H)


def dutiful(script: str) -> Deal:
    return hand(script, kind=DutifulDeal)


@pytest.mark.parametrize(
    ("before", "card", "lacked"),
    [
        ("", "KS", ""),
        ("KS", "QS", ""),
        ("KS", "KD", "KS QS + 21 trumps"),
        ("KS", "T5", "KS QS"),
        ("KS T9", "T5", "KS QS T10…"),
        ("T9", "T5", "T10…"),
        ("T9", "T10", ""),
        ("T9", "KD", "21 trumps"),
        ("KS T9", "FOOL", ""),
        ("FOOL KS", "KD", "KS QS + 21 trumps"),
        ("FOOL", "KD", ""),
    ],
)
def test_card_shows_what_its_player_lacks(before: str, card: str, lacked: str) -> None:
    plays = [Play(n, "leo", Card.parse(code)) for n, code in enumerate(before.split())]
    codes = [str(each) for each in TAROT.lacked(plays, Card.parse(card))]
    trumps = [code for code in codes if code[0] == "T"]
    plain = " ".join(code for code in codes if code[0] != "T")
    assert plain == lacked.partition(" + ")[0].partition(" T")[0].replace("21 trumps", "").replace(
        "T10…", ""
    )
    assert len(trumps) == (21 if "21" in lacked else 12 if "T10" in lacked else 0)


def offered(deal: Deal) -> str:
    (prompt,) = offer_card(deal, unseen_holdings(deal))
    return " ".join(str(choice.card) for choice in prompt.choices if hasattr(choice, "card"))


def test_prompts_offer_no_card_against_a_duty() -> None:
    assert "KS" in offered(dutiful("a:AS"))
    # b is void of spades, by the first trick, and has a heart left: she showed it
    deal = dutiful("a:AS b:7H b?9H a:KS")
    assert "7D" not in offered(deal)
    assert "9H" in offered(deal)
    # b did not overtrump, so she has no heart above the ten
    later = dutiful("a:10H b:7H a:8S")
    assert not {"AH", "KH", "QH", "JH"} & set(offered(later).split())


@pytest.mark.parametrize(
    ("script", "must_trump", "overtrump"),
    [
        ("a:AS b:7D a:KS b:8H", 1, 0),  # b held a trump
        ("a:AS b:8H a:KS b:7D", 0, 0),
        ("a:10H b:7H a:KS b:AH", 0, 1),  # b held a higher one
        ("a:10H b:7H a:KS b:8H", 0, 0),
        ("a:AS b:7D b?8H", 1, 0),
        ("a:AS b:7D a:8H b:8H", 0, 0),  # a card that is recorded twice accuses nobody
    ],
)
def test_undone_duties_are_found(script: str, must_trump: int, overtrump: int) -> None:
    deal = dutiful(script)
    found = [len(list(check.look(deal))) for check in (MUST_TRUMP, OVERTRUMP)]
    assert found == [must_trump, overtrump]


def test_games_without_duties_find_nothing() -> None:
    deal = hand("a:AS b:7D a:KS b:8H")
    assert [list(check.look(deal)) for check in (MUST_TRUMP, OVERTRUMP)] == [[], []]
