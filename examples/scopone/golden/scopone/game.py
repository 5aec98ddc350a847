"""A sample of Scopone for the tests of all games."""

from tests.samples import Sample

SAMPLE = Sample(
    seats=4,
    cards=40,
    scores="S3 S4 S5 S6 S7",
    counts=(40,),
    short={"match": {"hands": 3}},
    dice=6,  # with scope, and a choice of what a card takes
    records={
        "totals": ("totals", ("points_counted",)),
        "tricks": ("tricks", ("scopa_made", "points_counted")),
        "cards": ("cards", ("card_played", "cards_taken")),
    },
    most_taps={"totals": 6, "tricks": 20, "cards": 60},
    taps={},
)
