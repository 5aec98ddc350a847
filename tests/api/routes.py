"""Every route with a successful request, for tests of all routes."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from flask import Flask

from scorekeeper.api.tournament_exports import PRINTED, list_forms
from scorekeeper.store import PublicView
from tests.api import club_routes, tournament_routes
from tests.api.answers import EVENING, NDJSON
from tests.api.asking import Table, hand, match, session_body
from tests.api.clubbing import Circle
from tests.api.hall import Hall, opening_body
from tests.evenings import event

NOTE: Final = {"events": [event("note_added", text="a note")]}

PAID: Final = {"events": [event("payment_made", **{"from": "leo", "to": "mara", "amount": 5})]}

SUPPOSED: Final = {
    "corrections": [event("event_inserted", after=1, **NOTE["events"][0], reason="")]
}


@dataclass(frozen=True)
class Request:
    """A request; ``path`` and ``more`` depend on its session.

    ``refused`` is the status with which it is answered though the sender has the right, as the form
    is of another moment; 0 if it succeeds.
    """

    method: str
    rule: str
    path: Callable[[Table], str]
    more: Callable[[Table], dict[str, Any]] = field(default=lambda table: {})
    sender: str = "host"  # who may send it
    refused: int = 0

    def about(self, table: Table) -> Any:
        """Return the owner of the keys: the session, its club, or a tournament beside it."""
        if self.rule.startswith(("/tournament/<", "/api/tournaments/")):
            return hall_of(table)
        return circle_of(table) if self.rule.startswith(("/club/", "/api/clubs/")) else table

    @property
    def name(self) -> str:
        """The method and the rule."""
        return f"{self.method} {self.rule}"


def plain(path: str, rule: str = "") -> Request:
    """Return a GET of a fixed path."""
    return Request("GET", rule or path, lambda _: path)


def of_session(rest: str = "", method: str = "GET", **more: Any) -> Request:
    """Return a request about a session."""
    rule = f"/api/sessions/<session:session>{rest}"
    return Request(method, rule, lambda table: f"{table.path}{rest}", lambda _: dict(more))


def circle_of(table: Table) -> Circle:
    """Return the club of a session; it has keys of a host, a member and a viewer."""
    known: dict[str, Any] = vars(table)
    if "circle" not in known:
        known["circle"] = Circle.open(table.client)
        known["circle"].enter(table)
        known["circle"].add_key("member", "leo")
        known["circle"].add_key("member", "nina")
    circle: Circle = known["circle"]
    return circle


def hall_of(table: Table) -> Hall:
    """Return a tournament with keys of a director, two entrants and a viewer, and a round drawn."""
    known: dict[str, Any] = vars(table)
    if "hall" not in known:
        hall = known["hall"] = Hall.open(table.client, "mara", "leo", "nina", name="Friday")
        for player in ("leo", "nina"):
            hall.add_key("entrant", player)
        hall.draw(1, "mara leo nina")
        hall.publish(1)
        hall.do(event("round_closed", stage=1, round=1))
        hall.draw(2, "nina mara leo")
    held: Hall = known["hall"]
    return held


HALL_RULE = "/api/tournaments/<tournament>"
# The files of a tournament by the parts of their routes, each with a form to ask for.
TOURNAMENT_FILES = (
    ("standings.", list_forms("standings."), "", "txt"),
    ("seating.", list_forms("seating."), "", "csv"),
    ("", PRINTED, ".pdf", "prizes"),
)


def of_tournament(
    rest: str, method: str = "GET", body: Callable[[], dict[str, Any]] | None = None
) -> Request:
    """Return a request about a tournament; one with a body names the present version."""

    def more(table: Table) -> dict[str, Any]:
        if body is None:
            return {}
        return {"json": body(), "headers": {"If-Match": f'"{hall_of(table).version}"'}}

    return Request(method, f"{HALL_RULE}{rest}",
                   lambda table: f"{hall_of(table).path}{rest}", more)  # fmt: skip


def of_tournament_file(before: str, forms: Sequence[str], after: str, form: str) -> Request:
    """Return the request of a file of a tournament in a form."""
    rule = f"{HALL_RULE}/{before}<any({','.join(forms)}):form>{after}"
    return Request("GET", rule, lambda table: f"{hall_of(table).path}/{before}{form}{after}")


def public_of(table: Table) -> str:
    """Return the public address of a session's club."""
    circle, store = circle_of(table), table.client.application.extensions["service"].store
    store.publish(circle.id, 0, PublicView())
    address: str = store.latest_publication(circle.id).address
    return address


def of_public(prefix: str, rest: str) -> Request:
    """Return the request of a form of a published table."""
    return Request("GET", f"{prefix}/published/<address>{rest}",
                   lambda table: f"{prefix}/published/{public_of(table)}{rest}")  # fmt: skip


def of_club(rest: str = "", method: str = "GET", **more: Any) -> Request:
    """Return a request about a club."""
    rule = f"/api/clubs/<club>{rest}"
    return Request(method, rule, lambda table: f"{circle_of(table).path}{rest}",
                   lambda _: dict(more))  # fmt: skip


def of_page(rest: str, method: str = "GET", **data: Any) -> Request:
    """Return a request of a page of a session."""
    more = {"data": data} if method == "POST" else {}
    rule = f"/t/<session_id>{rest}"
    return Request(method, rule, lambda table: f"/t/{table.id}{rest}", lambda _: dict(more))


DIRECTOR: Final = 5  # the place of a director's status among those of a page


def on_page_of_tournament(
    method: str, rule: str, may: Any, path: Callable[[Hall], str], data: Callable[[Hall], Any]
) -> Request:
    """Return a request of a page of a tournament."""
    return Request(
        method, f"/tournament/<tournament_id>{rule}",
        lambda table: f"/tournament/{hall_of(table).id}{path(hall_of(table))}",
        lambda table: {"data": data(hall_of(table))} if method == "POST" else {},
        refused=may[DIRECTOR] if may[DIRECTOR] >= 400 else 0,
    )  # fmt: skip


def on_page_of_club(
    method: str, rule: str, may: Any, path: Callable[[Circle, Table], str],
    data: Callable[[Circle, Table], Any],
) -> Request:  # fmt: skip
    """Return a request of a page of a club."""
    return Request(
        method, f"/club/<club_id>{rule}",
        lambda table: f"/club/{circle_of(table).id}{path(circle_of(table), table)}",
        lambda table: {"data": data(circle_of(table), table)} if method == "POST" else {},
    )  # fmt: skip


def code_of(table: Table) -> str:
    """Return a code to join a session."""
    code: str = table.client.application.extensions["service"].store.new_code(table.id, 900)
    return code


# A hand with a disputed count: events 3 to 5, disputed in 6, the proposal in 7.
COUNTED: Final = {"type": "points_counted", "data": {"points": {"mara": 4, "leo": 11, "nina": 0}}}
PROPOSED: Final = event(
    "correction_proposed", match=1, hand=1, reason="counted again",
    corrections=[event("event_replaced", seq=5, **COUNTED, reason="counted again")],
)  # fmt: skip
SEATS: Final = ("mara", "leo", "nina")


def played(table: Table) -> None:
    """Record a hand if there is none."""
    if table.version == 1:
        table.do(match(), *hand())


def begun(table: Table) -> None:
    """Record a hand without its count if there is none."""
    if table.version == 1:
        table.do(match(), *hand()[:-1])


def disputed(table: Table) -> None:
    """Dispute the hand unless it is disputed."""
    played(table)
    if table.version < 6:
        table.do(event("hand_disputed", player="leo", reason="I took eleven", match=1, hand=1))


def proposed(table: Table) -> None:
    """Propose a correction unless there is a proposal."""
    disputed(table)
    if table.version < 7:
        table.do(PROPOSED)


def agreed(table: Table) -> None:
    """Sign the proposal for all seats unless it is signed."""
    proposed(table)
    if table.version < 8:
        table.do(*(event("proposal_signed", proposal=7, player=seat) for seat in SEATS))


def of_hand(
    rest: str = "", before: Callable[[Table], None] = played, kind: str = "d", rule: str = ""
) -> Request:
    """Return a GET of a page about a hand."""

    def path(table: Table) -> str:
        before(table)
        return f"/t/{table.id}/{kind}/1-1{rest}"

    return Request("GET", f"/t/<session_id>/{kind}/<int:match>-<int:hand>{rule or rest}", path)


def on_desk(act: str, before: Callable[[Table], None], **data: str) -> Request:
    """Return the request of a form of the dispute desk."""
    asked = of_hand(f"/{act}", before)
    return Request("POST", asked.rule, asked.path,
                   lambda table: {"data": {**data, "version": str(table.version)}})  # fmt: skip


def at_table(act: str, **data: str) -> Request:
    """Return the request of a form of the table for the next hand."""

    def path(table: Table) -> str:
        played(table)
        if table.version < 6:
            table.do(
                event("hand_started", dealer="leo"), event("bid_made", player="mara", points=3)
            )
        return f"/t/{table.id}/{act}"

    return Request("POST", f"/t/<session_id>/{act}", path,
                   lambda table: {"data": {**data, "version": str(table.version)}})  # fmt: skip


REQUESTS: Final = (
    plain("/"),
    plain("/static/style.css", "/static/<path:filename>"),
    plain("/verify.py"),
    plain("/favicon.ico"),
    plain("/apple-touch-icon.png"),
    plain("/apple-touch-icon-precomposed.png"),
    plain("/robots.txt"),
    plain("/.well-known/security.txt"),
    plain("/score"),
    Request("POST", "/score", lambda _: "/score", lambda _: {"data": {"text": EVENING.decode()}}),
    plain("/score/example"),
    plain("/score/mistake"),
    plain("/rules"),
    plain("/rules/riparto", "/rules/<game>"),
    plain("/guide"),
    plain("/guide/tournaments"),
    plain("/pictures/table-en.png", "/pictures/<name>"),
    plain("/api"),
    plain("/api/docs"),
    plain("/api/openapi.json"),
    plain("/api/games"),
    plain("/api/games/riparto", "/api/games/<game>"),
    plain("/api/schemas/session", "/api/schemas/<log_kind>"),
    plain("/api/samples"),
    plain("/api/samples/club.jsonl", "/api/samples/<sample>.jsonl"),
    plain("/healthz"),
    plain("/readyz"),
    Request("POST", "/api/score", lambda _: "/api/score",
            lambda _: {"data": EVENING, "content_type": NDJSON}),
    Request("POST", "/api/verify", lambda _: "/api/verify",
            lambda table: {"data": table.get("/log.jsonl").data, "content_type": NDJSON}),
    Request("POST", "/api/what-if", lambda _: "/api/what-if",
            lambda _: {"json": {"log": EVENING.decode(), "options": {"last_three": "sweep"}}}),
    Request("POST", "/api/sessions", lambda _: "/api/sessions",
            lambda _: {"json": session_body("mara")}),
    Request("POST", "/api/sessions/import", lambda _: "/api/sessions/import",
            lambda _: {"data": EVENING, "content_type": NDJSON}),
    of_session(),
    of_session("/events"),
    of_session("/events", "POST", json=NOTE, headers={"If-Match": '"1"'}),
    of_session("/next"),
    of_session("/audit"),
    of_session("/explain"),
    of_session("/what-if", "POST", json=SUPPOSED),
    of_session("/stream"),
    Request("GET", "/api/sessions/<session:session>/witness", lambda table:
            f"{table.path}/witness?version={table.version}&head={table.head}"),
    of_session("/log.jsonl"),
    of_session("/results.csv"),
    of_session("/lines.csv"),
    of_session("/payments.csv"),
    of_session("/results.xlsx"),
    of_session("/sheet.pdf"),
    of_session("/text"),
    of_session("/picture.png"),
    of_session("/bundle.zip"),
    of_session("/evening.ics"),
    of_session("/keys"),
    of_session("/keys", "POST", json={"role": "view"}),
    Request("DELETE", "/api/sessions/<session:session>/keys/<key>",
            lambda table: f"{table.path}/keys/{table.key_ids()['nina'][0]}"),
    of_session("/clubs"),
    Request("DELETE", "/api/sessions/<session:session>/clubs/<club>",
            lambda table: f"{table.path}/clubs/{circle_of(table).id}"),
    Request("POST", "/api/clubs", lambda _: "/api/clubs",
            lambda _: {"json": {"name": "Circolo"}}),
    of_club(),
    of_club("/events"),
    Request("POST", "/api/clubs/<club>/events", lambda table: f"{circle_of(table).path}/events",
            lambda table: {"json": PAID, "headers": {"If-Match": f'"{circle_of(table).version}"'}}),
    of_club("/standings"),
    Request("GET", "/api/clubs/<club>/members/<member>",
            lambda table: f"{circle_of(table).path}/members/mara"),
    of_club("/records"),
    of_club("/money"),
    *(of_club(f"/exports/{form}") for form in ("csv", "xlsx", "pdf", "text", "ics")),
    of_club("/log.jsonl"),
    of_club("/stream"),
    of_club("/keys"),
    of_club("/keys", "POST", json={"role": "member", "member": "mara"}),
    Request("DELETE", "/api/clubs/<club>/keys/<key>",
            lambda table: f"{circle_of(table).path}/keys/{circle_of(table).key_ids()['nina'][0]}"),
    Request("POST", "/api/tournaments", lambda _: "/api/tournaments",
            lambda _: {"json": opening_body("mara", "leo", "nina")}),
    plain("/api/tournament-presets?game=riparto", "/api/tournament-presets"),
    *(of_tournament(rest) for rest in (
        "", "/events", "/standings", "/tables", "/clock", "/log.jsonl", "/stream", "/keys", "/next",
    )),
    *(of_tournament_file(*parts) for parts in TOURNAMENT_FILES),
    of_tournament("/slips.pdf", "POST", lambda: {"players": {"leo": "https://x/join/y"}}),
    of_tournament("/events", "POST", lambda: NOTE),
    of_tournament("/entrants", "POST", lambda: {"text": "Zoe\nUgo"}),
    of_tournament("/draw", "POST", lambda: {"seed": 1}),
    of_tournament("/check", "POST", lambda: {"round": 2, "tables": [["mara", "leo", "nina"]]}),
    of_tournament("/publish", "POST", lambda: {"round": 2}),
    of_tournament("/keys", "POST", lambda: {"role": "entrant", "player": "mara"}),
    of_tournament("/keys/entrants", "POST", dict),
    Request("DELETE", "/api/tournaments/<tournament>/keys/<key>",
            lambda table: f"{hall_of(table).path}/keys/{hall_of(table).key_ids()['nina'][0]}"),
    Request("GET", "/t/<session_id>", lambda table: f"/t/{table.id}"),
    of_page("/log"),
    plain("/manifest.webmanifest"),
    plain("/new"),
    Request("POST", "/new", lambda _: "/new",
            lambda _: {"data": {"game": "picchetto", "name": ["Mara", "Leo"]}}),
    Request("POST", "/demo/table", lambda _: "/demo/table"),
    Request("POST", "/demo/club", lambda _: "/demo/club"),
    plain("/code"),
    Request("POST", "/code", lambda _: "/code", lambda table: {"data": {"code": code_of(table)}}),
    plain("/prefs"),
    Request("POST", "/prefs", lambda _: "/prefs", lambda _: {"data": {"theme": "dark"}}),
    plain("/verify"),
    Request("POST", "/verify", lambda _: "/verify",
            lambda table: {"data": {"text": table.get("/log.jsonl").text}}),
    of_page("/share"),
    of_page("/share", "POST"),
    of_page("/export"),
    of_page("/chat"),
    of_page("/chat", "POST"),
    of_page("/settings"),
    of_page("/settings/level", "POST", level="cards"),
    of_page("/settings/seat", "POST", seat="mara"),
    of_page("/settings/code", "POST"),
    of_page("/settings/link", "POST", **{"for": "view"}),
    Request("GET", "/t/<session_id>/settings/key/<key_id>",
            lambda table: f"/t/{table.id}/settings/key/{table.key_ids()['nina'][0]}"),
    Request("POST", "/t/<session_id>/settings/revoke",
            lambda table: f"/t/{table.id}/settings/revoke",
            lambda table: {"data": {"key": table.key_ids()["nina"][0]}}),
    Request("POST", "/t/<session_id>/settings/club", lambda table: f"/t/{table.id}/settings/club",
            lambda table: {"data": {"club": circle_of(table).id}}),
    of_page("/settings/player", "POST", name="Ugo"),
    *(replace(of_page(f"/settings/new-host/{act}", "POST", **data), sender="leo")
      for act, data in (("ask", {"after": ""}), ("agree", {"request": "none"}),
                        ("end", {"request": "none"}), ("take", {"request": "none"}))),
    of_page("/settings/names"),
    of_page("/settings/names", "POST", **{"was-name.leo": "Leo", "name.leo": "Leonardo"}),
    of_page("/settings/match"),
    of_page("/settings/match", "POST", game="riparto", seat=["mara", "leo", "nina"],
            result="decided", moment="0-0"),
    of_page("/settings/end"),
    of_page("/settings/end", "POST", result="undecided", moment="0-0"),
    of_page("/settings/close"),
    of_page("/settings/close", "POST", version="1", result="decided"),
    of_page("/audit"),
    of_page("/results"),
    of_hand(kind="h"),
    Request("GET", "/t/<session_id>/h/<int:hand>",
            lambda table: of_hand(kind="h").path(table).replace("1-1", "1")),
    of_hand(),
    of_hand("/e/5", disputed, rule="/e/<int:seq>"),
    of_hand("/whole/exchange_player", disputed, rule="/whole/<kind>"),
    of_hand("/preview?seq=5&strike=1", disputed, rule="/preview"),
    on_desk("preview", disputed, pick=json.dumps(PROPOSED["data"]["corrections"]), reason="so"),
    on_desk("open", played, reason="score", player="leo"),
    on_desk("propose", disputed, corrections=json.dumps(PROPOSED["data"]["corrections"]),
            reason="counted again", player="leo"),
    on_desk("correct", begun, reason="it was not so",
            corrections=json.dumps([event("event_struck", seq=4, reason="it was not so")])),
    on_desk("sign", proposed, proposal="7", player="leo"),
    on_desk("apply", agreed, proposal="7", player="leo"),
    on_desk("decline", proposed, proposal="7", player="leo"),
    on_desk("settle", disputed, ruling="upheld", text="it was so", player="leo"),
    at_table("record", type="note_added", **{"with": json.dumps({"text": "a note"})}),
    at_table("undo"),
    plain("/sw.js"),
    plain("/static/joined/table.js", rule="/static/joined/<group>.js"),
    plain("/join"),
    Request("GET", "/join/<key>", lambda table: f"/join/{table.keys['leo']}"),
    Request("POST", "/join", lambda _: "/join", lambda table: {"data": {"key": table.keys["leo"]}}),
    plain("/club/new"),
    Request("POST", "/club/new", lambda _: "/club/new",
            lambda _: {"data": {"name": "Circolo", "me": "Mara", "others": "Leo\nNina",
                                "money": "no"}}),
    plain("/tournament/new"),
    Request("POST", "/tournament/new", lambda _: "/tournament/new",
            lambda _: {"data": {"name": "Sagra", "game": "riparto", "plan": "bologna"}}),
    *(on_page_of_club(*page) for page in club_routes.PAGES),
    *(on_page_of_tournament(*page) for page in tournament_routes.PAGES),
    *(of_public(prefix, rest) for prefix, rest in (
        ("", ""), ("", "/standings.html"), ("", "/picture.png"), ("/api", ""),
    )),
)  # fmt: skip


def all_routes(app: Flask) -> set[str]:
    """Return every route with each of its methods."""
    return {
        f"{method} {rule.rule}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
