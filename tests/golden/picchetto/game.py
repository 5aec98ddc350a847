"""Picchetto for the golden tests."""

from tests.evenings import event
from tests.samples import Sample, Step, Worlds, apart, begun, played, same


def exchanged(player: str, first_cards: str, second_cards: str) -> Step:
    """Return an exchange that differs in two worlds: cards thrown away, a bar, cards drawn."""
    exchanges = [
        [cards.split() for cards in world.split("|")] for world in (first_cards, second_cards)
    ]
    first, second = (
        event(
            "cards_exchanged", player=player, count=len(discarded), discarded=discarded, drawn=drawn
        )
        for discarded, drawn in exchanges
    )
    return apart(first, second)


SAMPLE = Sample(
    seats=2,
    cards=32,
    scores="P2 P4 P5 P6 P9 P10 P11 P12 P13 P14 P16",
    counts=(12,),
    short={"match": "single"},
    dice=79,  # a point, a sequence and a set
    secret=8,
    records={
        "totals": ("totals points", ("points_counted",)),
        "tricks": ("totals", ("shown", "tricks_counted")),
        "cards": ("cards", ("cards_exchanged", "shown", "card_played")),
    },
    levels={"tricks": "totals"},  # tricks that are counted, not recorded one by one
    most_taps={"totals": 6, "tricks": 9, "cards": 33},
    taps={
        "totals": [
            ("totals", "2"), ("totals", "8"), ("totals", "→"), ("totals", "1"), ("totals", "4"),
            ("totals", "Save the hand"),
        ],
        "tricks": [
            ("shown", "Leo"), ("shown", "5"), ("shown", "Leo"), ("shown", "3 to the A"),
            ("shown", "Leo"), ("shown", "3 × K"), ("tricks_counted", "Count the tricks", "open"),
            ("tricks_counted", "7"), ("tricks_counted", "Leo", "last"),
        ],
    },
    late=("event_replaced", "cards_exchanged"),
    worlds=Worlds(
        "mara leo",
        [
            begun("picchetto", "mara leo", "leo"),
            exchanged("mara", "7D 8D 9D|KH QH 9C", "7S 8S 9S|KC QC 9C"),
            exchanged("leo", "7H 10D|JD AC", "7C 10C|JD AH"),
            same(event("declared", player="mara", category="point", value=51)),
            same(event("answered", player="leo", category="point", answer="good")),
            same(event("shown", player="mara", category="point", count=5)),
            played("mara:AS leo:JC"),
        ],
        same(event("tricks_counted", tricks={"mara": 8}, last="leo")),
        ("leo", "mara:KS leo:7D"),
    ),
)  # fmt: skip
