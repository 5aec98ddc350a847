"""Every page of a tournament with a successful request, and the roles that may send it."""

from collections.abc import Callable
from typing import Any, Final

from tests.api.hall import Hall

# The statuses for no key, garbage, a revoked key, a view key, an entrant, a director, and the host
# of another stream.
READS: Final = (401, 401, 401, 200, 200, 200, 403)
DIRECTORS: Final = (401, 401, 401, 403, 403, 200, 403)
DIRECTOR_GOES_ON: Final = (401, 401, 401, 403, 403, 303, 403)
# The form was of another moment, or lacks what it needs.
DIRECTOR_REFUSED: Final = (401, 401, 401, 403, 403, 409, 403)
DIRECTOR_UNUSABLE: Final = (401, 401, 401, 403, 403, 422, 403)
TABLE: Final = "/direct/<int:number>/<int:table>"

Page = tuple[str, str, tuple[int, ...], Callable[[Hall], str], Callable[[Hall], Any]]


def page(
    rule: str,
    may: tuple[int, ...],
    method: str = "GET",
    path: Callable[[Hall], str] | None = None,
    data: Callable[[Hall], Any] = lambda hall: {},
) -> Page:
    """Return a page by its rule below the tournament's; ``path`` if it differs from the rule."""
    return method, rule, may, path or (lambda hall: rule), data


# The tournament has the entrants mara, leo and nina. Round 1 is closed, round 2 is drawn.
PAGES: Final = (
    page("", READS),
    page("/standings", READS),
    page("/standings/rounds", READS, path=lambda hall: "/standings/rounds?round=1"),
    page("/standings/more", READS),
    page("/print", READS),
    page("/print/slips", DIRECTORS, "POST", data=lambda hall: {"for": "players"}),
    page("/call", (401, 401, 401, 403, 422, 403, 403), "POST"),
    page("/hall", DIRECTORS),
    page("/hall", DIRECTOR_GOES_ON, "POST"),
    page("/hall/end", DIRECTOR_GOES_ON, "POST"),
    page("/entrants", DIRECTORS),
    page("/entrants/add", DIRECTOR_GOES_ON, "POST", data=lambda hall: {"text": "Ugo"}),
    page("/entrants/check-in", DIRECTOR_GOES_ON, "POST", data=lambda hall: {"present": "leo"}),
    page("/entrants/<entrant>", DIRECTORS, path=lambda hall: "/entrants/leo"),
    page("/entrants/<entrant>", DIRECTOR_GOES_ON, "POST", lambda hall: "/entrants/leo",
         lambda hall: {"act": "withdraw", "from_round": "3"}),
    page("/direct", DIRECTORS),
    page("/direct/clock", DIRECTOR_REFUSED, "POST", data=lambda hall: {"act": "stop"}),
    page("/direct/answer", DIRECTOR_REFUSED, "POST", data=lambda hall: {"call": "1"}),
    page("/direct/close", DIRECTOR_REFUSED, "POST", data=lambda hall: {"round": "1"}),
    page(TABLE, DIRECTORS, path=lambda hall: "/direct/1/1"),
    page(f"{TABLE}/result", DIRECTOR_UNUSABLE, "POST", lambda hall: "/direct/1/1/result"),
    page(f"{TABLE}/ruling", DIRECTOR_UNUSABLE, "POST", lambda hall: "/direct/1/1/ruling"),
    page(f"{TABLE}/seating", DIRECTOR_UNUSABLE, "POST", lambda hall: "/direct/1/1/seating",
         lambda hall: {"seat.leo": "nobody"}),
    page("/draw", DIRECTORS),
    *(page(f"/draw{act}", DIRECTOR_REFUSED, "POST") for act in ("", "/swap", "/publish")),
    *(page(f"/draw/{act}", DIRECTOR_REFUSED, "POST") for act in ("keep", "again")),
    page("/draw/by-hand", DIRECTOR_UNUSABLE, "POST"),
    page("/draw/other", DIRECTORS),
    page("/direct/reopen", DIRECTOR_REFUSED, "POST"),
    page("/direct/recall", DIRECTOR_REFUSED, "POST"),
    page("/settings", DIRECTORS),
    page("/settings/code", DIRECTORS, "POST"),
    page("/settings/link", DIRECTORS, "POST", data=lambda hall: {"for": "view"}),
    page("/settings/key/<key_id>", DIRECTORS,
         path=lambda hall: f"/settings/key/{hall.key_ids()['nina'][0]}"),
    page("/settings/revoke", DIRECTOR_GOES_ON, "POST",
         data=lambda hall: {"key": hall.key_ids()["nina"][0]}),
    page("/more", DIRECTORS),
    page("/more/<act>", DIRECTOR_GOES_ON, "POST", lambda hall: "/more/points",
         lambda hall: {"entrant": "leo", "points": "1", "reason": "cake"}),
)  # fmt: skip
