"""A session of a game that is not installed is read-only and complete, and names the game."""

import gzip
import json
import os
import re
from collections.abc import Iterator
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from scorekeeper.base.errors import NotInstalledError
from scorekeeper.log.writing import sealed_lines
from scorekeeper.service import AppendRequest, NewEvent, Service
from scorekeeper.service.service import initial_keys
from scorekeeper.store import KeyRequest, MemoryStore, Opened
from scorekeeper.streams.holder import Holder
from scorekeeper.web.frame.refusals import LONGEST_DATA, MOST_EVENTS
from tests.api.asking import bearer, client_of
from tests.conftest import SOAK
from tests.evenings import AT, NAMES, event, opening
from tests.installing import metadata_of
from tests.operation.serving import CHECKOUT, UNREADY, Answer, Server, serving
from tests.store import homes

EXAMPLE = CHECKOUT / "examples/tressette"
SEATS = ["mara", "leo", "nina", "ugo"]
PLAYED = [
    event("match_started", game="tressette", seats=SEATS),
    event("hand_started", dealer="ugo"),
    event("points_counted", points={"A": 10}),
]
WHY = 'no game "tressette" is installed here; there are riparto, '


class Evening(NamedTuple):
    """A session, its keys, its log from when its game was installed, and a server without it."""

    id: str
    keys: Any
    log: bytes
    server: Server

    def ask(self, path: str, key: str = "host", method: str = "GET", body: Any = None) -> Answer:
        content = None if body is None else json.dumps(body)
        headers = {"Authorization": f"Bearer {self.keys[key]}"}
        if body is not None:
            headers |= {"Content_Type": "application/json", "If_Match": '"4"'}
        return self.server.get(path.format(id=self.id), method, content, **headers)


def installed(folder: Path) -> tuple[str, ...]:
    """Return the command of a server that finds the example as an installed package."""
    metadata = metadata_of(folder, "tressette", {"tressette": "scorekeeper_tressette:VERSIONS"})
    path = os.pathsep.join(map(str, (CHECKOUT, metadata, EXAMPLE)))
    return "env", f"PYTHONPATH={path}", *UNREADY


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.soak)]
)
def evening(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Evening]:
    folder = tmp_path_factory.mktemp("evening")
    if request.param == "sqlite":
        yield from session_without_its_game(folder, f"sqlite:///{folder}/scorekeeper.db")
    else:
        with homes.postgres_home() as home:
            yield from session_without_its_game(folder, home.url)


def session_without_its_game(folder: Path, database: str) -> Iterator[Evening]:
    """Yield the session in this database, on a server without its game."""
    packages = folder / "packages"
    packages.mkdir()
    with serving(folder, command=installed(packages), database_url=database) as before:
        title = {
            "title": "Friday",
            "players": [{"id": player, "name": NAMES[player]} for player in SEATS],
        }
        json_type = {"Content_Type": "application/json"}
        opened = before.get("/api/sessions", "POST", json.dumps(title), **json_type).json
        evening = Evening(opened["id"], opened["keys"], b"", before)
        answer = before.get(
            f"/api/sessions/{evening.id}/events", "POST", json.dumps({"events": PLAYED}),
            Authorization=f"Bearer {evening.keys['host']}", If_Match='"1"', **json_type,
        )  # fmt: skip
        assert answer.status == 201, answer.body
        assert evening.ask("/api/sessions/{id}").json["matches"][0]["totals"] == {"A": 10, "B": 1}
        log = evening.ask("/api/sessions/{id}/log.jsonl").body
    with serving(folder, database_url=database) as after:
        yield evening._replace(log=log, server=after)


def test_log_is_unchanged(evening: Evening) -> None:
    for key in ("host", "view"):
        assert evening.ask("/api/sessions/{id}/log.jsonl", key).body == evening.log
        events = evening.ask("/api/sessions/{id}/events", key).json["events"]
        assert [raw["type"] for raw in events] == [
            "session_opened",
            *(raw["type"] for raw in PLAYED),
        ]


def test_report_names_the_missing_game(evening: Evening) -> None:
    report = evening.ask("/api/sessions/{id}", "view").json
    assert report["not_installed"]["game"] == "tressette"
    assert report["not_installed"]["reason"].startswith(WHY)
    assert report["matches"] == []
    assert report["session"]["players"] == [
        {"id": player, "name": NAMES[player]} for player in SEATS
    ]
    assert report["session"]["events"] == 4
    assert report["session"]["head"] == json.loads(evening.log.splitlines()[-1])["hash"]


@pytest.mark.parametrize("path", ["next", "explain", "results.csv"])
def test_requests_that_need_the_game_are_refused_with_its_name(evening: Evening, path: str) -> None:
    refused = evening.ask("/api/sessions/{id}/" + path)
    assert refused.status == 422
    assert refused.json["detail"].startswith(WHY)


@pytest.mark.parametrize("body", [PLAYED[1:2], [event("note_added", text="still here?")]])
def test_nothing_can_be_recorded(evening: Evening, body: list[Any]) -> None:
    refused = evening.ask("/api/sessions/{id}/events", method="POST", body={"events": body})
    assert (refused.status, refused.json["code"]) == (422, "unusable")
    assert refused.json["detail"].startswith(WHY)
    assert evening.ask("/api/sessions/{id}/log.jsonl").body == evening.log


@pytest.mark.parametrize("page", ["", "/results", "/audit", "/export", "/settings", "/d/1-1"])
def test_every_page_lists_the_events(evening: Evening, page: str) -> None:
    shown = evening.ask("/t/{id}" + page, "host")
    text = shown.body.decode()
    assert shown.status == 200
    assert "The game “tressette” is not installed here" in text
    assert text.count('<th scope="row">') == 4
    assert "points_counted" in text
    assert "&#34;A&#34;:10" in text
    assert "<form" not in text.partition("<main")[2]


def test_form_that_records_shows_the_same_page_and_records_nothing(evening: Evening) -> None:
    headers = {
        "Authorization": f"Bearer {evening.keys['host']}",
        "Content_Type": "application/x-www-form-urlencoded",
        "Sec_Fetch_Site": "same-origin",
    }
    form = "version=4&key=abcdefghijkl&type=hand_started&dealer=mara"
    shown = evening.server.get(f"/t/{evening.id}/record", "POST", form, **headers)
    assert shown.status == 422
    assert "The game “tressette” is not installed here" in shown.body.decode()
    assert evening.ask("/api/sessions/{id}/log.jsonl").body == evening.log


def test_its_log_cannot_be_scored_and_is_verified(evening: Evening) -> None:
    post = {"Content_Type": "application/x-ndjson"}
    refused = evening.server.get("/api/score", "POST", evening.log, **post)
    assert refused.status == 422
    assert refused.json["detail"].startswith(WHY)
    assert refused.json["line"] == 2
    whole = evening.server.get("/api/verify", "POST", evening.log, **post)
    assert whole.json["ok"] is True


# --------------------------------------------------------------------------- without a server

SALT = "abcdefghijklmnopqrstuv"


def stored(store: MemoryStore, *events: Any) -> Opened:
    """Store a session with these events, whether or not their game is installed."""
    pairs = [(raw["type"], raw["data"]) for raw in (opening("mara", "leo"), *events)]
    log = b"".join(sealed_lines(pairs, AT))
    return store.import_sealed(BytesIO(log), initial_keys(["mara", "leo"]))


def service_with(*events: Any) -> tuple[Service, str]:
    """Return a service and the id of its session with these events."""
    store = MemoryStore()
    return Service(store), stored(store, *events).id


GONE = event("match_started", game="gone", seats=["mara", "leo"])
HIDDEN = event("cards_hidden", player="mara", cards=["AS"], salt=SALT)


def test_only_the_host_sees_events_that_may_hold_cards_face_down() -> None:
    corrected = event("event_replaced", seq=3, type="cards_hidden", data=HIDDEN["data"], reason="x")
    service, session_id = service_with(GONE, HIDDEN, corrected, event("cards_seen", cards=["KS"]))
    table = [json.loads(line)["data"] for line in service.events(session_id).lines]
    assert [data is None for data in table] == [False, False, True, True, False]
    later = service.events(session_id, after=3).lines
    assert [json.loads(line)["data"] is None for line in later] == [True, False]
    host = service.events(session_id, holder=Holder("host")).lines
    assert all(json.loads(line)["data"] for line in host)


def test_report_has_later_players_and_the_end() -> None:
    joined = event("player_joined", id="nina", name="Nina")
    service, session_id = service_with(GONE, joined, event("session_closed"))
    report = json.loads(service.report(session_id).json)
    assert [player["id"] for player in report["session"]["players"]] == ["mara", "leo", "nina"]
    assert report["session"]["closed"] is True


def test_unknown_version_of_the_rules_counts_as_not_installed() -> None:
    newer = event("match_started", game="knock", seats=["mara", "leo"], rules=99)
    service, session_id = service_with(newer)
    missing = json.loads(service.report(session_id).json)["not_installed"]
    assert missing["game"] == "knock"
    assert missing["reason"] == "expected a version of the rules of knock (1), got 99"
    with pytest.raises(NotInstalledError):
        service.record(session_id, AppendRequest(2, (NewEvent("note_added", {"text": "x"}),)),
                       Holder("host"))  # fmt: skip


def host_of(opened: Opened) -> str:
    return next(opened_key.secret for opened_key in opened.keys if opened_key.key.role == "host")


MANY = 10_000 if SOAK else 3_000  # events, which fill their last page


class CountingReads(MemoryStore):
    """A store that counts the lines that are read from it."""

    lines = 0

    def read(self, *arguments: Any) -> Any:
        stream = super().read(*arguments)
        self.lines += len(stream.lines)
        return stream


def test_many_events_are_shown_in_pages_that_read_no_earlier_lines() -> None:
    store = CountingReads()
    notes = [event("note_added", text=f"note {n}") for n in range(MANY - 2)]
    opened = stored(store, *notes, GONE)
    client, key = client_of(store), bearer(host_of(opened))
    client.get(f"/t/{opened.id}", headers=key)
    store.lines, seqs, text, link = 0, list[str](), "", f"/t/{opened.id}/results"
    while link:
        page = client.get(link, headers=key)
        text = page.get_data(as_text=True)
        assert (page.status_code, len(gzip.compress(page.data)) < 14_000) == (200, True)
        seqs += re.findall(r'<th scope="row">(\d+) ', text)
        next_link = re.search(r'rel="next" href="([^"]*)"', text)
        link = unescape(next_link[1]) if next_link else ""
    assert seqs == [str(seq) for seq in range(1, MANY + 1)]
    assert f"Events {MANY + 1 - MOST_EVENTS} to {MANY} of {MANY}" in text
    assert store.lines == MANY
    before = re.search(r'rel="prev" href="[^"]*after=(\d+)"', text)
    assert before
    assert int(before[1]) == MANY - 2 * MOST_EVENTS


@pytest.mark.parametrize("after", ["", "-1", "x", "3", "9" * 16, "9" * 400, "\u00b2"])
def test_page_of_missing_events_is_the_first_page(after: str) -> None:
    store = MemoryStore()
    opened = stored(store, GONE, event("note_added", text="€" * 2 * LONGEST_DATA))
    query = {"after": after}
    page = client_of(store).get(
        f"/t/{opened.id}", query_string=query, headers=bearer(host_of(opened))
    )
    text = page.get_data(as_text=True)
    assert (page.status_code, text.count('<th scope="row">')) == (200, 3)
    assert text.count("€") == LONGEST_DATA - len('{"text":"')
    assert "Earlier events" not in text
    assert "Later events" not in text


def test_no_address_reveals_the_session_without_its_key() -> None:
    store = MemoryStore()
    titled = event("session_opened", title="tombola", players=[{"id": "leo", "name": "tombola"}])
    pairs = [
        (raw["type"], raw["data"])
        for raw in (titled, event("match_started", game="tombola", seats=["leo"]))
    ]
    opened = store.import_sealed(BytesIO(b"".join(sealed_lines(pairs, AT))), initial_keys(["leo"]))
    taken_back = store.add_key(opened.id, KeyRequest("host"))
    store.revoke_key(opened.id, taken_back.key.id)
    client = client_of(store, failed_keys_an_hour=100_000)
    keys = {"none": {}, "wrong": bearer("x" * 43), "taken back": bearer(taken_back.secret),
            "of another": bearer(host_of(stored(store, GONE)))}  # fmt: skip
    assert "tombola" in client.get(f"/t/{opened.id}", headers=bearer(host_of(opened))).text
    address = client.application.url_map.bind("localhost")
    requests = 0
    for rule in client.application.url_map.iter_rules():
        if not rule.arguments & {"session", "session_id"}:
            continue
        values = {name: opened.id if "session" in name else 1 for name in rule.arguments}
        for method in {"GET", "POST", "DELETE"} & (rule.methods or set()):
            path = address.build(rule.endpoint, values, method)
            for whose, key in keys.items():
                headers = {**key, "Sec-Fetch-Site": "same-origin"}
                answer = client.open(path, method=method, headers=headers)
                requests += 1
                assert answer.status_code in (400, 401, 403, 404, 422), (method, path, whose)
                assert "tombola" not in answer.text, (method, path, whose)
                assert "match_started" not in answer.text, (method, path, whose)
    assert requests > 40
