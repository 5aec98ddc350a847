"""Every page of a club with a successful request, and the roles that may send it."""

from collections.abc import Callable
from io import BytesIO
from typing import Any, Final

from tests.api.answers import EVENING
from tests.api.asking import Table
from tests.api.clubbing import Circle, evening
from tests.api.hall import Hall
from tests.evenings import Raw, event

# The statuses for no key, garbage, a revoked key, a view key, a member, a host, and the host of
# another stream.
READS: Final = (401, 401, 401, 200, 200, 200, 403)
HOSTS: Final = (401, 401, 401, 403, 403, 200, 403)
MEMBERS: Final = (401, 401, 401, 403, 200, 200, 403)
MEMBER_GOES_ON: Final = (401, 401, 401, 403, 303, 303, 403)
HOST_GOES_ON: Final = (401, 401, 401, 403, 403, 303, 403)

Page = tuple[
    str, str, tuple[int, ...], Callable[[Circle, Table], str], Callable[[Circle, Table], Any]
]


def page(
    rule: str,
    may: tuple[int, ...],
    method: str = "GET",
    path: Callable[[Circle, Table], str] | None = None,
    data: Callable[[Circle, Table], Any] = lambda circle, table: {},
) -> Page:
    """Return a page by its rule below the club's; ``path`` if it differs from the rule."""
    return method, rule, may, path or (lambda circle, table: rule), data


def ensure(circle: Circle, what: str, recorded: Raw) -> None:
    """Record a member or season unless it exists."""
    if recorded["data"]["id"] not in [known["id"] for known in circle.get().get_json()[what]]:
        circle.do(recorded)


def twice(circle: Circle, table: Table) -> str:
    """Record a member who is listed twice."""
    ensure(circle, "members", event("member_joined", id="nino", name="Nino"))
    return "/settings/merge"


def season(circle: Circle, table: Table) -> str:
    """Record a season."""
    ensure(circle, "seasons", event(
        "season_opened", id="autumn", name="Autumn", games=["riparto"], ranking="points",
        **{"from": "2026-01-01"},
    ))  # fmt: skip
    return "/settings/season/autumn/close"


def counted_tournament(circle: Circle) -> str:
    """Return the id of a tournament with a table that the club counts."""
    known = circle.get().get_json()["tournaments"]
    if known:
        return str(known[0]["tournament"])
    hall = Hall.open(circle.client)
    hall.draw(1, "ada bea ciro", "dora elio fede")
    hall.publish()
    entrants = dict.fromkeys(("ada", "bea", "ciro", "dora", "elio", "fede"))
    entered = event("tournament_entered", tournament=hall.id, entrants=entrants)
    circle.do(entered, keys=[hall.keys["view"]])
    return hall.id


def guests(circle: Circle, table: Table) -> str:
    """Record two guests who are one person."""
    for guest in ("gino", "pino"):
        ensure(circle, "members", event(
            "member_joined", id=guest, name=guest.capitalize(), guest=True,
        ))  # fmt: skip
    return "/settings/guests"


def changed_season(circle: Circle, table: Table) -> str:
    """Record an open season, of which no test closes any."""
    ensure(circle, "seasons", event(
        "season_opened", id="winter", name="Winter", games=["riparto"], ranking="points",
        **{"from": "2026-01-01"},
    ))  # fmt: skip
    return "/settings/season/winter/change"


def points(circle: Circle, table: Table) -> str:
    """Record a season that accepts given points."""
    season(circle, table)
    return "/settings/member/leo/points"


def house(circle: Circle, table: Table) -> str:
    """Record house rules of the club."""
    kept = {"name": "Fridays", "game": "knock"}
    if kept not in [
        {name: house_[name] for name in kept} for house_ in circle.get().get_json()["houses"]
    ]:
        circle.do(event("house_kept", **kept, options={}))
    return "/settings/houses/drop"


def owing(circle: Circle) -> str:
    """Record a debt of a member."""
    circle.do(event("payment_made", amount=5, **{"from": "leo", "to": "mara"}))
    return "/money/of?account=leo&currency=EUR"


def paid(circle: Circle) -> int:
    """Record a mistyped payment; return its seq."""
    circle.do(event("payment_made", amount=5, **{"from": "leo", "to": "mara"}))
    return circle.version


def another(circle: Circle, table: Table) -> dict[str, Any]:
    """Return the fields that enter a new evening by the link of its host, with its members."""
    known = vars(circle)
    if "another" not in known:
        known["another"] = evening(circle.client)
    link = f"http://localhost/join/{known['another'].keys['host']}"
    return {"link": link, "as-mara": "mara", "as-leo": "", "as-nina": "nina"}


def key_of_nina(circle: Circle, table: Table) -> dict[str, str]:
    return {"key": circle.key_ids()["nina"][0]}


def a_season(circle: Circle, table: Table) -> dict[str, Any]:
    return {"name": "Autumn", "from": "2026-01-01", "game": ["riparto"], "by": "points"}


PAGES: Final[tuple[Page, ...]] = (
    page("", READS),
    page("/evenings", READS),
    page("/tournaments", READS),
    page("/tournaments/<tournament_id>", READS,
         path=lambda circle, table: f"/tournaments/{counted_tournament(circle)}"),
    page("/evenings/<session_id>/withdraw", HOSTS,
         path=lambda circle, table: f"/evenings/{table.id}/withdraw"),
    page("/evenings/<session_id>/withdraw", HOST_GOES_ON, "POST",
         lambda circle, table: f"/evenings/{table.id}/withdraw",
         lambda circle, table: {"reason": "a friendly game"}),
    page("/member/<member>", READS, path=lambda circle, table: "/member/leo"),
    page("/records", READS),
    page("/money", READS),
    page("/money", MEMBER_GOES_ON, "POST",
         data=lambda circle, table: {"from": "leo", "to": "mara", "amount": "5"}),
    page("/money/of", READS, path=lambda circle, table: owing(circle)),
    page("/export", READS),
    page("/export", HOSTS, "POST"),
    page("/settings", READS),
    page("/settings/add", HOST_GOES_ON, "POST", data=lambda circle, table: {"names": "Ugo\nZoe"}),
    page("/settings/member/<member>", HOSTS, path=lambda circle, table: "/settings/member/leo"),
    page("/settings/member/<member>", HOST_GOES_ON, "POST",
         lambda circle, table: "/settings/member/leo",
         lambda circle, table: {"act": "rename", "name": "Lea"}),
    page("/settings/member/<member>/points", HOST_GOES_ON, "POST", points,
         lambda circle, table: {"season": "autumn", "points": "-3", "reason": "came late"}),
    page("/settings/me", HOST_GOES_ON, "POST", data=lambda circle, table: {"member": ""}),
    page("/settings/code", HOSTS, "POST"),
    page("/settings/link", HOSTS, "POST", data=lambda circle, table: {"for": "view"}),
    page("/settings/key/<key_id>", HOSTS,
         path=lambda circle, table: f"/settings/key/{circle.key_ids()['nina'][0]}"),
    page("/settings/revoke", HOST_GOES_ON, "POST", data=key_of_nina),
    page("/settings/recorded", HOSTS),
    page("/settings/recorded/<int:seq>", HOSTS,
         path=lambda circle, table: f"/settings/recorded/{paid(circle)}"),
    page("/settings/recorded/<int:seq>", HOST_GOES_ON, "POST",
         lambda circle, table: f"/settings/recorded/{paid(circle)}",
         lambda circle, table: {"reason": "mistyped"}),
    page("/settings/merge", HOSTS),
    page("/settings/merge", HOST_GOES_ON, "POST", twice,
         lambda circle, table: {"member": "nino", "into": "nina"}),
    page("/settings/season", HOSTS),
    page("/settings/season", HOST_GOES_ON, "POST", data=a_season),
    page("/settings/season/<season>/close", HOSTS, path=season),
    page("/settings/season/<season>/close", HOST_GOES_ON, "POST", season),
    page("/settings/guests", HOSTS),
    page("/settings/guests", HOST_GOES_ON, "POST", guests,
         lambda circle, table: {"account": ["gino", "pino"], "into": "gino"}),
    page("/settings/club", HOSTS),
    page("/settings/club", HOST_GOES_ON, "POST", data=lambda circle, table: {"place": "Bar Sport"}),
    page("/settings/season/<season>/change", HOSTS, path=changed_season),
    page("/settings/season/<season>/change", HOST_GOES_ON, "POST", changed_season,
         lambda circle, table: {"name": "Long autumn"}),
    page("/settings/houses", HOST_GOES_ON, "POST",
         data=lambda circle, table: {"game": "knock", "club-house": "Sundays"}),
    page("/settings/houses/drop", HOST_GOES_ON, "POST", house,
         lambda circle, table: {"name": "Fridays", "game": "knock"}),
    page("/settings/public", READS),
    page("/settings/public", HOST_GOES_ON, "POST",
         data=lambda circle, table: {"names": "initials", "sites": "", "after": "0"}),
    page("/settings/public/end", HOST_GOES_ON, "POST",
         data=lambda circle, table: {"address": "z" * 26}),
    page("/enter", MEMBERS),
    page("/enter/who", MEMBERS, "POST", data=another),
    page("/enter", MEMBER_GOES_ON, "POST", data=another),
    page("/enter/files", MEMBERS, "POST",
         data=lambda circle, table: {"log": (BytesIO(EVENING), "friday.jsonl")}),
)  # fmt: skip
