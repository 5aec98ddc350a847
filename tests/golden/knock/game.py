"""Knock! for the golden tests."""

from tests.evenings import event
from tests.samples import Sample, Worlds, begun, laid, played, same, tricks

SAMPLE = Sample(
    seats=4,
    cards=54,
    scores="K9",
    counts=(100,),
    zero_sum=True,
    short={"hands": 4},
    dice=1,
    secret=0,
    records={
        "totals": ("totals", ("points_counted",)),
        # The count includes the payment for the Fool, so no payment is offered.
        "tricks": ("tricks", ("trick_taken", "points_counted")),
        "cards": ("cards", ("card_played", "fool_paid")),
    },
    most_taps={"totals": 3, "tricks": 16, "cards": 56},
    taps={
        "totals": [("totals", "6"), ("totals", "2"), ("totals", "Save the hand")],
        "tricks": [
            *tricks("Mara Leo Nina Mara Leo Nina Mara Leo Nina Mara Leo Nina Mara"),
            ("points_counted", "6"), ("points_counted", "2"), ("points_counted", "Save"),
        ],
    },
    last_total=".typed",
    late=("cards_laid_away", ""),
    worlds=Worlds(
        "mara leo nina ugo",
        [
            begun("knock", "mara leo nina ugo", "ugo"),
            laid("ugo", "QB 7C", "QC 7D", "ugo"),
            played("mara:NS leo:KS nina:JS ugo:QS leo:10S"),
        ],
        same(event("points_counted", points={"A": 60})),
        ("nina", "nina:7C"),
    ),
)  # fmt: skip
