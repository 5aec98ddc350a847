"""The pages of a club: its season's table, evenings, members, money, and settings."""

from typing import Final

from scorekeeper.web.club import (
    adjusting,
    changing,
    entering,
    evenings,
    export,
    guests,
    houses,
    member,
    merging,
    money,
    new,
    page,
    publishing,
    recorded,
    records,
    seasons,
    settings,
    tournaments,
)

PAGES: Final = (
    new, page, evenings, member, records, money, export, settings, merging, seasons, entering,
    adjusting, recorded, houses, changing,
    guests, publishing, tournaments,
)  # fmt: skip
