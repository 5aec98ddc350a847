"""A sample of Tressette for the tests of all games."""

from tests.samples import Sample, tricks

DECLARED = ("napoletana_declared", "same_rank_declared")

SAMPLE = Sample(
    seats=4,
    cards=40,
    scores="T6 T7",
    counts=(11,),
    short={"match": {"hands": 3}},
    dice=31,  # both sides declare something
    records={
        "totals": ("totals", (*DECLARED, "points_counted")),
        "tricks": ("tricks", (*DECLARED, "trick_taken", "points_counted")),
        "cards": ("cards", (*DECLARED, "card_played")),
    },
    most_taps={"totals": 12, "tricks": 25, "cards": 52},  # with two declarations
    taps={
        "tricks": [
            *tricks("Leo Leo Mara Mara Nina Leo Leo Mara Leo Ugo"),
            ("points_counted", "6"), ("points_counted", "5"), ("points_counted", "Save"),
        ],
    },
)  # fmt: skip
