"""Every form that records or creates something, as a browser sends it from its page."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.asking import Table, hand, match
from tests.api.hall import Hall
from tests.evenings import event, replaced
from tests.web.club.visiting import OWN, Visit, riparto, service
from tests.web.looking import cookie
from tests.web.tapping import Forms
from tests.web.tournament import visiting
from tests.web.tournament.test_draw_otherwise import before_the_final, correct
from tests.web.tournament.test_drawing import shown

DESK: Final = "/d/1-1"
SEATS: Final = {"as-mara": "mara", "as-leo": "leo", "as-nina": "nina"}
COUNT: Final = replaced(5, "points_counted", points={"mara": 4, "leo": 11})


@dataclass
class Sending:
    """A filled-in form, and the cookies of the phone when it showed the page."""

    app: Flask
    cookies: str
    action: str
    fields: dict[str, Any]
    file: bytes = b""
    before_return: Callable[[], object] = lambda: (
        None
    )  # what is recorded between the form and its return

    def send(self, **other: Any) -> TestResponse:
        """Send the form, optionally with other fields; each time by a new connection."""
        data = {**self.fields, **other}
        if self.file:
            data["log"] = (BytesIO(self.file), "evening.jsonl")
        headers = {"Cookie": self.cookies, **OWN}
        return self.app.test_client(use_cookies=False).post(self.action, data=data, headers=headers)


@dataclass
class Filled:
    """The values that a person chooses in the form of a page."""

    page: str
    action: str
    chosen: Mapping[str, Any] = field(default_factory=dict)
    other: Mapping[str, Any] = field(default_factory=dict)  # chosen after the way back
    file: bytes = b""
    kind: str = ""  # the type of event that the form records


def filled(app: Flask, cookies: str, asked: Filled, before_return: Callable[[], object]) -> Sending:
    """Return the form of a page with the chosen values."""
    client = app.test_client(use_cookies=False)
    answer = client.get(asked.page, headers={"Cookie": cookies})
    assert answer.status_code == 200, answer.text
    for line in answer.headers.getlist("Set-Cookie"):
        cookies = "; ".join(filter(None, (cookies, line.partition(";")[0])))
    form = next(
        form
        for form in Forms(answer.text).forms
        if form.action.partition("?")[0] == asked.action
        and asked.kind in ("", form.type)
        and any(control.name == "key" for control in form.controls)
    )
    fields: dict[str, Any] = {}
    for control in form.controls:
        if control.kind in ("hidden", "text") or control.checked:
            fields.setdefault(control.name, []).append(control.value)
    fields.pop("", None)
    return Sending(
        app, cookies, asked.action, {**fields, **asked.chosen}, asked.file, before_return
    )


def cookies_of(phone: FlaskClient) -> str:
    """Return the cookies of a phone as one header."""
    return "; ".join(
        f"{cookie_.key}={cookie_.value}" for cookie_ in (phone._cookies or {}).values()
    )


# ------------------------------------------------------------------------------------ a table


def table_client() -> FlaskClient:
    """Return a client without cookies, for the application of all clubs."""
    return service().test_client(use_cookies=False)


def at_table(who: str, *asked: Filled) -> Sending:
    """Return a form at a table with a hand of Riparto, after earlier forms were sent."""
    table = Table.open(table_client())
    table.do(match(), *hand())
    for request in asked[:-1]:
        answer = of_table(table, request, "host").send()
        assert answer.status_code == 303, answer.text
    return of_table(table, asked[-1], who)


def of_table(table: Table, asked: Filled, who: str) -> Sending:
    """Return a form of a table; its path does not include that of the table."""
    path = f"/t/{table.id}"
    cookies = cookie(table, who)["Cookie"]
    placed = Filled(path + asked.page, path + asked.action, asked.chosen, kind=asked.kind)
    return filled(service(), cookies, placed, lambda: record_note(table))


def record_note(table: Table) -> None:
    """Record an event of another person, while the session is open."""
    if table.get().get_json()["session"]["closed"]:
        return
    version = table.get("/events?limit=1").get_json()["version"]
    answer = table.append(event("note_added", text="meanwhile"), at=version)
    assert answer.status_code == 201, answer.text


OPEN: Final = Filled(DESK, f"{DESK}/open", {"player": "leo", "reason": "score"})
PROPOSE: Final = Filled(
    f"{DESK}/preview?pick={json.dumps([COUNT])}&reason=so", f"{DESK}/propose", {"player": "leo"}
)
DISPUTED: Final = event("hand_disputed", player="leo", reason="Wrong score")
PROPOSED: Final = event("correction_proposed", corrections=[COUNT], reason="so", match=1, hand=1)


def at_desk(asked: Filled, *before: Any, who: str = "host") -> Sending:
    """Return a form of the dispute desk, after these events were recorded."""
    table = Table.open(table_client())
    table.do(match(), *hand(), *before)
    return of_table(table, asked, who)


def at_play() -> Sending:
    """Return the correction of a hand that is still being played."""
    table = Table.riparto(table_client())
    table.do(event("bid_made", player="leo", points=5))
    nine = replaced(4, "bid_made", player="leo", points=9)
    asked = Filled(f"{DESK}/preview?pick={json.dumps([nine])}&reason=so", f"{DESK}/correct")
    return of_table(table, asked, "host")


def revoked() -> Sending:
    """Return the form with which the host revokes a link."""
    table = Table.open(table_client())
    keys = table.get("/keys").get_json()["keys"]
    key = next(key["id"] for key in keys if key["player"] == "leo")
    return of_table(table, Filled(f"/settings/key/{key}", "/settings/revoke"), "host")


def opened() -> Sending:
    """Return the form of a new table."""
    names = {"name": ["Mara", "Leo", "Nina"], "mine": "0"}
    return filled(service(), "", Filled("/new?game=riparto", "/new", names), lambda: None)


def joined() -> Sending:
    """Return the form of a link's page."""
    table = Table.open(table_client())
    asked = Filled(f"/join/{table.keys['leo']}", "/join")
    return filled(service(), "", asked, lambda: record_note(table))


def came() -> Sending:
    """Return the form that takes a seat by code."""
    table = Table.open(table_client())
    code = service().extensions["service"].store.new_code(table.id, 900)
    asked = Filled(f"/code?code={code}", "/code", {"seat": "leo"})
    return filled(service(), "", asked, lambda: record_note(table))


def shared() -> Sending:
    """Return the form that dismisses the links of a new table."""
    phone = service().test_client()
    names = {"name": ["Mara", "Leo", "Nina"], "game": "riparto"}
    path = phone.post("/new", data=names, headers=OWN).headers["Location"]
    return filled(service(), cookies_of(phone), Filled(path, path), lambda: None)


NEW_HOST: Final = "/settings/new-host"


def asked_to_host(who: str, act: str, *agreeing: str) -> Sending:
    """Return a form of a seat about the request of another one, to which seats have agreed."""
    table = Table.open(table_client())
    for player in ("mara", "leo", "nina"):
        cookie(table, player)
    if act != "ask":
        asked = of_table(table, Filled("/settings", f"{NEW_HOST}/ask"), "leo").send()
        assert asked.status_code == 303, asked.text
    for player in agreeing:
        of_table(table, Filled("/settings", f"{NEW_HOST}/agree"), player).send()
    return of_table(table, Filled("/settings", f"{NEW_HOST}/{act}"), who)


# ------------------------------------------------------------------------------------- a club


def in_club(
    page: str,
    action: str = "",
    more: Mapping[str, Any] | None = None,
    *,
    logs: int = 0,
    file: bytes = b"",
    **chosen: Any,
) -> Sending:
    """Return a form of a club with so many evenings; its path does not include the club's."""
    visit = Visit.found("Mara", "Leo", "Nina", money="yes")
    if logs:
        visit.enter(riparto(), riparto("2026-10-09", "lello", seats="mara lello nina"))
    visit.done(
        "/settings/season", name="Autumn", **{"from": "2026-09-01"}, game="riparto", by="places"
    )
    return of_club(visit, page, action or page, file, **chosen, **(more or {}))


def of_club(visit: Visit, page: str, action: str, file: bytes = b"", **chosen: Any) -> Sending:
    path = f"/club/{visit.club_id}"
    asked = Filled(path + page, path + action, chosen, file=file)
    return filled(
        service(),
        cookies_of(visit.phone),
        asked,
        lambda: visit.done("/settings/add", names="Somebody else"),
    )


def entered() -> Sending:
    """Return the form that matches the players of an evening to members."""
    visit, table = Visit.found("Mara", "Leo", "Nina"), Table.open(table_client())
    answer = visit.post("/enter/who", link=table.keys["host"])
    form = next(form for form in Forms(answer.text).forms if form.action.endswith("/enter"))
    fields = {**dict(form.hidden()), **SEATS}
    action = f"/club/{visit.club_id}/enter"
    return Sending(
        service(),
        cookies_of(visit.phone),
        action,
        fields,
        before_return=lambda: visit.done("/settings/add", names="Somebody else"),
    )


def withdrawn() -> Sending:
    visit = Visit.found("Mara", "Leo", "Nina")
    visit.enter(riparto())
    (session_id,) = visit.phone.get(f"/api/clubs/{visit.club_id}").get_json()["evenings"]
    session_id = session_id if isinstance(session_id, str) else session_id["session"]
    path = f"/evenings/{session_id}/withdraw"
    return of_club(visit, path, path, reason="a mistake")


def club_stopped() -> Sending:
    """Return the form with which a table's host stops a club from reading further."""
    visit, table = Visit.found("Mara", "Leo", "Nina"), Table.open(table_client())
    answer = visit.post("/enter/who", link=table.keys["host"])
    form = next(form for form in Forms(answer.text).forms if form.action.endswith("/enter"))
    visit.done("/enter", **{**dict(form.hidden()), **SEATS})
    return of_table(table, Filled("/settings", "/settings/club"), "host")


def club_revoked() -> Sending:
    visit = Visit.found("Mara", "Leo", "Nina")
    visit.other("view")
    keys = service().extensions["service"].store.keys(visit.club_id)
    key = [key.id for key in keys if key.role == "view"][-1]
    return of_club(visit, f"/settings/key/{key}", "/settings/revoke")


def kept() -> Sending:
    """Return the form of a new table that saves its rules in the club."""
    visit = Visit.found("Mara", "Leo", "Nina")
    cookies, path = cookies_of(visit.phone), f"/new?club={visit.club_id}&game=riparto"
    form = filled(service(), cookies, Filled(path, "/new"), lambda: None)
    form.action = f"/club/{visit.club_id}/settings/houses"
    form.fields |= {"club-house": "Ours"}
    form.before_return = lambda: visit.done("/settings/add", names="Somebody else")
    return form


def dropped() -> Sending:
    visit = Visit.found("Mara", "Leo", "Nina")
    form = {"game": "riparto", "club-house": "Ours", "club": visit.club_id}
    visit.done("/settings/houses", **form)
    return of_club(visit, "/settings", "/settings/houses/drop")


def closed_season() -> Sending:
    visit = Visit.found("Mara", "Leo", "Nina")
    visit.done(
        "/settings/season", name="Autumn", **{"from": "2026-09-01"}, game="riparto", by="places"
    )
    path = "/settings/season/autumn/close"
    return of_club(visit, path, path)


def put_together() -> Sending:
    """Return the form that makes one guest of two."""
    visit = Visit.found("Mara", "Leo")
    visit.enter(riparto(seats="mara leo gino"), riparto("2026-10-09", seats="mara leo pino"),
                join="no")  # fmt: skip
    page = "/settings/guests?account=gino&account=pino&into=&name=Gigi"
    return of_club(visit, page, "/settings/guests")


def unpublished() -> Sending:
    """Return the form that ends the public address of a club."""
    visit = Visit.found("Mara", "Leo", "Nina")
    visit.done("/settings/public", names="full", sites="", after="0")
    return of_club(visit, "/settings/public", "/settings/public/end")


def founded() -> Sending:
    """Return the form of a new club."""
    fields = {"name": "Circolo", "me": "Mara", "others": "Leo\nNina", "money": "no"}
    return filled(service(), "", Filled("/club/new", "/club/new", fields), lambda: None)


# -------------------------------------------------------------------------------- a tournament


def in_tournament(
    page: str, action: str, prepare: Callable[[Hall], object] = lambda hall: None, **chosen: Any
) -> Sending:
    """Return a form of the director; its path does not include the tournament's."""
    hall = visiting.opened()
    prepare(hall)
    director, path = visiting.Person(hall), f"/tournament/{hall.id}"
    asked = Filled(path + page, path + action, chosen)
    return filled(
        visiting.service(), cookies_of(director.phone), asked,
        lambda: director.post("/entrants/add", text="Somebody else"),
    )  # fmt: skip


def in_round(
    page: str, action: str, chosen: Mapping[str, Any] | None = None, *,
    paper: bool = False, drawn: int = 1, published: bool = True,
) -> Sending:  # fmt: skip
    """Return a form of the director in the first round of a tournament, or before it."""

    def prepare(hall: Hall) -> None:
        if drawn:
            hall.draw(1, "ada bea ciro", "dora elio fede")
        if drawn and published:
            hall.publish(1, *((1, 2) if paper else ()))
            call = event("director_called", round=1, table=1, about="Come")
            hall.do(event("round_started", round=1, minutes=30), call)

    return in_tournament(page, action, prepare, **(chosen or {}))


def decided(act: str, *, published: bool = False) -> Sending:
    """Return the form that keeps the draw of a final, or draws it again, if others advance."""
    hall, sessions, director = before_the_final()
    if published:
        director.done("/draw/publish", **shown(director.page("/draw")))
    correct(hall, sessions[1], "elio", "ada", "dora")
    path = f"/tournament/{hall.id}"
    return filled(
        visiting.service(), cookies_of(director.phone),
        Filled(f"{path}/direct", f"{path}/draw/{act}"),
        lambda: director.post("/entrants/add", text="Somebody else"),
    )  # fmt: skip


def reopened() -> Sending:
    """Return the form that opens a round again."""

    def prepare(hall: Hall) -> None:
        hall.draw(1, "ada bea ciro", "dora elio fede")
        hall.publish()
        hall.do(event("round_closed", stage=1, round=1))

    return in_tournament("/direct", "/direct/reopen", prepare)


def ruled() -> Sending:
    """Return the form that rules on a hand."""

    def prepare(hall: Hall) -> None:
        hall.draw(1, "ada bea ciro", "dora elio fede")
        session = str(hall.publish()[1])
        hall.record(session, event("hand_started", dealer="ada"), who="host", at=2)

    return in_tournament("/direct/1/1", "/direct/1/1/ruling", prepare, hand="1", counts="no",
                         reason="too late")  # fmt: skip


def tournament_revoked() -> Sending:
    """Return the form that takes a link of a tournament back."""
    hall = visiting.opened()
    director, path = visiting.Person(hall), f"/tournament/{hall.id}"
    (key,) = hall.key_ids()["view"]
    asked = Filled(f"{path}/settings/key/{key}", f"{path}/settings/revoke")
    return filled(
        visiting.service(), cookies_of(director.phone), asked,
        lambda: director.post("/entrants/add", text="Somebody else"),
    )  # fmt: skip


def tournament_opened() -> Sending:
    """Return the form of a new tournament."""
    fields = {"name": "Sagra", "plan": "bologna"}
    asked = Filled("/tournament/new?game=riparto", "/tournament/new", fields)
    return filled(service(), "", asked, lambda: None)


NOTE: Final = Filled("", "/record", {"t:text": "a note"}, kind="note_added")
# By endpoint; of those in CHANGES_NOTHING nothing is on record, nor made.
SENT: Final[Mapping[str, Callable[[], Sending]]] = {
    "new.create": opened,
    "demo.table": lambda: filled(service(), "", Filled("/", "/demo/table"), lambda: None),
    "share.done": shared,
    "join.join": joined,
    "code.come": came,
    "table.record_form": lambda: at_table("leo", NOTE),
    "table.undo": lambda: at_table("host", Filled("", "/undo")),
    "settings.level": lambda: at_table(
        "host", Filled("/settings", "/settings/level", {"level": "cards"})
    ),
    "settings.seat": lambda: at_table(
        "host", Filled("/settings", "/settings/seat", {"seat": "mara"})
    ),
    "settings.code": lambda: at_table("host", Filled("/settings", "/settings/code")),
    "settings.link": lambda: at_table(
        "host", Filled("/settings", "/settings/link", {"for": "as leo"})
    ),
    "settings.revoke": revoked,
    "settings.club": club_stopped,
    "settings.player": lambda: at_table(
        "host", Filled("/settings", "/settings/player", {"name": "Ugo"})
    ),
    "names.change": lambda: at_table(
        "host",
        Filled("/settings/names", "/settings/names", {"title": "Saturday", "name.leo": "Leonardo"}),
    ),
    "new_host.ask": lambda: asked_to_host("leo", "ask"),
    "new_host.agree": lambda: asked_to_host("nina", "agree"),
    "new_host.end": lambda: asked_to_host("nina", "end"),
    "new_host.take": lambda: asked_to_host("leo", "take", "mara", "nina"),
    "rematch.start": lambda: at_table(
        "host",
        Filled(
            "/settings/match",
            "/settings/match",
            {"game": "riparto", "seat": ["mara", "leo", "nina"], "result": "decided"},
        ),
    ),
    "closing.end": lambda: at_table(
        "host",
        Filled("/settings/end", "/settings/end", {"reason": "late", "result": "undecided"}),
    ),
    "closing.close": lambda: at_table(
        "host", Filled("/settings/close", "/settings/close", {"result": "decided"})
    ),
    "chat.with_link": lambda: at_table("host", Filled("/chat", "/chat")),
    "dispute.open_dispute": lambda: at_desk(OPEN),
    "dispute.propose": lambda: at_desk(PROPOSE, DISPUTED),
    "dispute.correct": at_play,
    "dispute.sign": lambda: at_desk(Filled(DESK, f"{DESK}/sign"), DISPUTED, PROPOSED),
    "dispute.carry_out": lambda: at_desk(
        Filled(DESK, f"{DESK}/apply"),
        DISPUTED,
        PROPOSED,
        *(
            event("proposal_signed", proposal=7, player=player)
            for player in ("mara", "leo", "nina")
        ),
    ),
    "dispute.decline": lambda: at_desk(
        Filled(DESK, f"{DESK}/decline", {"player": "leo"}), DISPUTED, PROPOSED
    ),
    "dispute.settle": lambda: at_desk(
        Filled(DESK, f"{DESK}/settle", {"ruling": "upheld", "text": "so"}), DISPUTED
    ),
    "club_new.create": founded,
    "club_settings.add": lambda: in_club("/settings", "/settings/add", names="Ada\nUgo"),
    "club_settings.change": lambda: in_club("/settings/member/leo", act="rename", name="Leone"),
    "club_settings.me": lambda: in_club("/settings", "/settings/me", member="leo"),
    "club_settings.code": lambda: in_club("/settings", "/settings/code"),
    "club_settings.link": lambda: in_club("/settings", "/settings/link"),
    "club_settings.revoke": club_revoked,
    "club_adjusting.adjust": lambda: in_club(
        "/settings/member/leo",
        "/settings/member/leo/points",
        season="autumn",
        points="5",
        reason="for the cake",
    ),
    "club_merging.merge": lambda: in_club(
        "/settings/merge?member=lello&into=leo", "/settings/merge", logs=2
    ),
    "club_money.pay": lambda: in_club("/money", "", {"from": "mara", "to": "leo", "amount": "5"}),
    "club_recorded.take_back": lambda: in_club("/settings/recorded/5", reason="a mistake"),
    "club_entering.enter": entered,
    "club_entering.files": lambda: in_club("/enter", "/enter/files", file=riparto(), join="yes"),
    "club_evenings.withdraw": withdrawn,
    "club_export.calendar": lambda: in_club("/export"),
    "club_houses.keep": kept,
    "club_houses.drop": dropped,
    "club_seasons.create": lambda: in_club(
        "/settings/season",
        "",
        {"name": "Winter", "from": "2026-12-01", "game": "riparto", "by": "places"},
    ),
    "club_seasons.close": closed_season,
    "club_guests.unite": put_together,
    "club_publishing.publish": lambda: in_club("/settings/public", names="full"),
    "club_publishing.end": unpublished,
    "club_changing.change": lambda: in_club("/settings/club", name="Circolo Nuovo"),
    "club_changing.change_season": lambda: in_club(
        "/settings/season/autumn/change", name="Long autumn"
    ),
    "tournament_new.create": tournament_opened,
    "tournament_entrants.add": lambda: in_tournament("/entrants", "/entrants/add", text="Ugo"),
    "tournament_entrants.check_in": lambda: in_tournament(
        "/entrants", "/entrants/check-in", present="ada"
    ),
    "tournament_entrants.change": lambda: in_tournament(
        "/entrants/ada", "/entrants/ada", act="withdraw", from_round="2"
    ),
    "tournament_direct.clock": lambda: in_round("/direct", "/direct/clock"),
    "tournament_direct.answer": lambda: in_round("/direct", "/direct/answer"),
    "tournament_direct.close": lambda: in_round("/direct", "/direct/close"),
    "tournament_table.result": lambda: in_round(
        "/direct/1/1",
        "/direct/1/1/result",
        paper=True,
        chosen={"score.ada": "1", "score.bea": "1", "score.ciro": "-2"},
    ),
    "tournament_table.ruling": ruled,
    "tournament_table.seating": lambda: in_round(
        "/direct/1/1",
        "/direct/1/1/seating",
        {"seat.ada": "bea", "seat.bea": "ada", "seat.ciro": "ciro"},
    ),
    "tournament_drawing.draw": lambda: in_round("/direct", "/draw", drawn=0),
    "tournament_drawing.swap": lambda: in_round(
        "/draw", "/draw/swap", {"swap": ["ada", "dora"]}, published=False
    ),
    "tournament_drawing.publish": lambda: in_round("/draw", "/draw/publish", published=False),
    "tournament_other_draw.by_hand": lambda: in_round(
        "/draw/other", "/draw/by-hand", {"text": "1 3 5\n2 4 6"}, drawn=0
    ),
    "tournament_other_draw.keep": lambda: decided("keep"),
    "tournament_other_draw.again": lambda: decided("again", published=True),
    "tournament_direct.reopen": reopened,
    "tournament_direct.recall": lambda: in_round("/direct", "/direct/recall"),
    "tournament_settings.code": lambda: in_tournament("/settings", "/settings/code"),
    "tournament_settings.link": lambda: in_tournament("/settings", "/settings/link"),
    "tournament_settings.revoke": tournament_revoked,
    "tournament_more.record": lambda: in_tournament(
        "/more", "/more/points", entrant="ada", points="1", reason="for the cake"
    ),
}
CHANGES_NOTHING: Final = {
    "dispute.preview": "shows what corrections would change",
    "score.sheet": "a log comes to a sheet, which is not kept",
    "verify.verify": "a log comes to a verdict, which is not kept",
    "club_entering.who": "asks who is who, and records nothing",
    "demo.club": "leads to the one demo club",
    "prefs.choose": "sets a cookie to what is chosen",
}


def facts(app: Flask) -> dict[str, tuple[int, int]]:
    """Return the numbers of events and keys of each session and club, also of the demos.

    A public address counts like a key, and its end like another one.
    """
    return {
        **facts_of(app.extensions["service"].store), **facts_of(app.extensions["demos"].store)
    }  # fmt: skip


def facts_of(store: Any) -> dict[str, tuple[int, int]]:
    """Return the numbers of events and keys of each stream in a store."""
    with store.reading() as work:
        keys = Counter(
            dict(work.connection.execute("SELECT session, count(*) FROM keys GROUP BY session"))
        )
        keys.update(dict(work.connection.execute(
            "SELECT session, count(*) + count(ended) FROM publications GROUP BY session"
        )))  # fmt: skip
    return {
        stream.id: (stream.version, keys[stream.id])
        for stream in (*store.sessions(), *store.clubs(), *store.tournaments())
    }


def changed(
    before: Mapping[str, tuple[int, int]], after: Mapping[str, tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return the new events and keys of each session or club that is new or has changed."""
    return sorted(
        (events - before.get(stream_id, (0, 0))[0], keys - before.get(stream_id, (0, 0))[1])
        for stream_id, (events, keys) in after.items()
        if (events, keys) != before.get(stream_id)
    )


def post_routes(app: Flask) -> Iterator[str]:
    """Return the endpoints to which pages send forms."""
    for rule in app.url_map.iter_rules():
        if "POST" in (rule.methods or ()) and not rule.rule.startswith("/api/"):
            yield rule.endpoint
