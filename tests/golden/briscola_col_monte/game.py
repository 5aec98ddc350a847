"""Briscola col Monte for the golden tests."""

from tests.evenings import event
from tests.samples import Sample, Worlds, apart, begun, laid, played, same, tricks

SEATS = "mara leo nina ugo zoe"
BIDS = ("bid_made", "partner_revealed", "points_counted")

SAMPLE = Sample(
    seats=5,
    cards=40,
    scores="M2 M8 M9 M10",
    counts=(120,),
    zero_sum=True,
    short={"match_end": {"hands": 3}},
    dice=2,
    secret=2,
    records={
        "totals": ("totals", BIDS),
        "tricks": ("tricks", (*BIDS, "card_called", "trick_taken")),
        "cards": ("cards", ("bid_made", "card_called", "card_played")),
    },
    most_taps={"totals": 7, "tricks": 15, "cards": 45},
    auction=(
        [event("bid_made", player=player, bid=bid)
         for player, bid in (("leo", 61), ("zoe", "pass"), ("ben", 65), ("ada", "pass"),
                             ("mara", "pass"), ("leo", "pass"))], 8,
        [event("card_called", player="ben", card="AS"),
         *(event("trick_taken", player=player) for player in ["ben", "mara", "ben"] * 2 + ["ben"]),
         event("partner_revealed", player="ada"),
         event("points_counted", points={"bidder": 80, "defenders": 40})], 13,
    ),
    taps={
        "totals": [
            ("totals", "Leo"), ("totals", "6"), ("totals", "5"),
            ("totals", "Nina", "", "1"), ("totals", "Made"), ("totals", "Save the hand"),
        ],
        "tricks": [
            ("bid_made", "Leo"), ("bid_made", "6"), ("bid_made", "5"),
            ("card_called", "A", "card"),
            *tricks("Leo Leo Mara Mara Nina Leo Leo"),
            ("partner_revealed", "Nina"),
            ("points_counted", "7"), ("points_counted", "5"), ("points_counted", "Save"),
        ],
    },
    last_total="[name$=defenders]",
    late=("cards_laid_away", ""),
    worlds=Worlds(
        SEATS,
        [
            begun("briscola_col_monte", SEATS, "mara"),
            same(event("bid_made", player="leo", bid=70)),
            same(event("card_called", player="leo", card="AS")),
            apart(event("monte_taken", player="leo", cards=["4C", "5C", "6C", "7C", "2C"]),
                  event("monte_taken", player="leo", cards=["4D", "5D", "6D", "7D", "2D"])),
            laid("leo", "4B 5B 6B AS 2C", "4C 5C 6C 7C 2D", "leo"),
            apart(event("partner_revealed", player="leo"), event("partner_revealed", player="zoe"),
                  "nina"),
            played("leo:3S nina:4S ugo:5S zoe:6S mara:7S leo:AC"),
        ],
        same(event("points_counted", points={"bidder": 75})),
        ("ugo", "nina:2B ugo:4B"),
    ),
)  # fmt: skip
