"""A sample of French Tarot for the tests of all games."""

from tests.samples import Sample

DECLARED = ("contract_taken", "bouts_counted", "points_counted")

SAMPLE = Sample(
    seats=4,
    cards=78,
    scores="F5 F6 F7 F8",
    counts=(182,),
    zero_sum=True,
    short={"match": {"hands": 3}},
    dice=4,
    records={
        "totals": ("totals", DECLARED),
        "tricks": ("tricks", (*DECLARED, "trick_taken")),
        "cards": ("cards", ("contract_taken", "card_played")),
    },
    most_taps={"totals": 14, "tricks": 40, "cards": 90},
    taps={},
)
