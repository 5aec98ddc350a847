"""Briscola Regina for the golden tests."""

from tests.samples import Sample, tricks

SAMPLE = Sample(
    seats=4,
    cards=40,
    scores="B7 B9",
    counts=(120,),
    short={"match": {"wins": 2}},
    dice=2,  # a Bris
    records={
        "totals": ("totals", ("bris_called", "points_counted")),
        "tricks": ("tricks", ("bris_called", "trick_taken", "points_counted")),
        "cards": ("cards", ("bris_called", "card_played")),
    },
    most_taps={"totals": 5, "tricks": 15, "cards": 43},
    taps={
        "totals": [
            ("totals", "Leo"), ("totals", "cups"), ("totals", "6"), ("totals", "5"),
            ("totals", "Save the hand"),
        ],
        "tricks": [
            ("bris_called", "Bris", "open"), ("bris_called", "cups", "leo"),
            *tricks("Leo Leo Mara Mara Nina Leo Leo Mara Leo Ugo"),
            ("points_counted", "6"), ("points_counted", "5"), ("points_counted", "Save"),
        ],
    },
    last_total=".typed",
)  # fmt: skip
