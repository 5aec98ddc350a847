"""A club: its season's table, its evenings, its members, its money, and how it is kept."""

from typing import Final

from scorekeeper.web.club import entering, evenings, member, merging, new, page, seasons, settings

PAGES: Final = (new, page, evenings, member, settings, merging, seasons, entering)
