"""Briscola Chiamata for the golden tests."""

from tests.evenings import event
from tests.samples import Sample, Worlds, apart, begun, same, tricks

SEATS = "mara leo nina ugo zoe"
BIDS = ("bid_made", "partner_revealed", "points_counted")

SAMPLE = Sample(
    seats=5,
    cards=40,
    scores="C3 C7 C8 C9",
    counts=(120,),
    zero_sum=True,
    short={"match_end": {"hands": 3}},
    dice=3,
    records={
        "totals": ("totals", BIDS),
        "tricks": ("tricks", (*BIDS, "card_called", "trick_taken")),
        "cards": ("cards", ("bid_made", "card_called", "card_played")),
    },
    most_taps={"totals": 6, "tricks": 15, "cards": 44},
    auction=(
        [event("bid_made", player=player, bid=bid)
         for player, bid in (("zoe", "A"), ("ben", "pass"), ("ada", "3"), ("mara", "pass"),
                             ("leo", "pass"), ("zoe", "pass"))], 6,
        [event("card_called", player="ada", card="3S"),
         *(event("trick_taken", player=player) for player in ["ada", "mara"] * 4),
         event("partner_revealed", player="ben"),
         event("points_counted", points={"bidder": 80, "defenders": 40})], 14,
    ),
    taps={
        "totals": [
            ("totals", "Leo"), ("totals", "3", "bid"), ("totals", "Nina", "", "1"),
            ("totals", "Made"), ("totals", "Save the hand"),
        ],
        "tricks": [
            ("bid_made", "Leo"), ("bid_made", "3", "bid"), ("card_called", "3", "card"),
            *tricks("Leo Leo Mara Mara Nina Leo Leo Mara"),
            ("partner_revealed", "Nina"),
            ("points_counted", "6"), ("points_counted", "5"), ("points_counted", "Save"),
        ],
    },
    last_total="[name$=defenders]",
    worlds=Worlds(
        SEATS,
        [
            begun("briscola_chiamata", SEATS, "mara"),
            same(event("bid_made", player="leo", bid="K")),
            same(event("card_called", player="leo", card="KS")),
            apart(event("partner_revealed", player="nina"), event("partner_revealed", player="ugo"),
                  "nina"),
            same(event("trick_taken", player="nina"), event("trick_taken", player="ugo")),
        ],
        same(event("points_counted", points={"bidder": 75})),
    ),
)  # fmt: skip
