"""Who looks at a page: he sees what the table knows, whatever his key is for.

The phone of a host lies among the others, and is often that of a player.
"""

from dataclasses import replace

from scorekeeper.http.access import holder_of
from scorekeeper.service import Holder


def viewer_of(session_id: str) -> Holder:
    """Who holds the key that came, as one at the table; UnknownSession, NoKey, TooOften."""
    return replace(holder_of(session_id), at_table=True)
