"""Riparto for the golden tests."""

from tests.evenings import event
from tests.samples import Sample, Step, Worlds, apart, begun, played, same, tricks


def insieme(number: int, first_cards: str, second_cards: str) -> Step:
    """Return an insieme that differs in two worlds: the card kept and those given."""
    first, second = (
        event("set_distributed", player="leo", set=number, kept=kept,
              given={"mara": mara, "nina": nina})
        for kept, mara, nina in (first_cards.split(), second_cards.split())
    )  # fmt: skip
    return apart(first, second)


SAMPLE = Sample(
    seats=4,
    cards=36,
    scores="R12 R13 R14",
    counts=(10, 15),
    short={"match_end": {"hands": 3}},
    dice=4,  # an insieme
    secret=1,
    records={
        "totals": ("totals", ("bid_made", "points_counted")),
        "tricks": ("tricks", ("bid_made", "hierarchy_declared", "trick_taken")),
        "cards": ("cards", ("bid_made", "hierarchy_declared", "card_played")),
    },
    most_taps={"totals": 6, "tricks": 15, "cards": 44},
    auction=(
        [event("bid_made", player=player, points=points)
         for player, points in (("zoe", 4), ("ben", 5), ("mara", 3), ("leo", 2))], 4,
        [event("hierarchy_declared", player="ben", suits=list("SHDC")),
         *(event("trick_taken", player=player) for player in ["ben", "ben", "mara"] * 3)], 13,
    ),
    taps={
        "totals": [
            ("totals", "Leo"), ("totals", "5"), ("totals", "4"),
            ("totals", "5"), ("totals", "3"),
            ("totals", "Save the hand"),
        ],
        "tricks": [
            ("bid_made", "Leo"), ("bid_made", "5"), ("hierarchy_declared", "Hierarchy", "open"),
            ("hierarchy_declared", "spades", "suits0"), ("hierarchy_declared", "hearts", "suits1"),
            ("hierarchy_declared", "clubs", "suits2"),
            *tricks("Leo Leo Mara Mara Nina Leo Leo Mara Leo"),
        ],
    },
    late=("event_replaced", "set_distributed"),
    worlds=Worlds(
        "mara leo nina",
        [
            begun("riparto", "mara leo nina", "mara"),
            same(event("bid_made", player="leo", points=5)),
            insieme(1, "10S 9S 8D", "AS KS QS"),
            insieme(2, "6C AD AC", "7C JD JC"),
            same(event("hierarchy_declared", player="leo", suits=[])),
            played("leo:AH nina:9H mara:8H"),
        ],
        same(event("points_counted", points={"leo": 5, "mara": 6})),
        ("mara", "leo:KH nina:7H mara:10S"),
    ),
)  # fmt: skip
