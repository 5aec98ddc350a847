"""A table operated by taps: its page as forms, and the events that taps record."""

import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Final

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.base.parts import format_parts, parse_parts
from tests.api.asking import bearer, cookie_of, session_body
from tests.evenings import Raw
from tests.web.pages import Page

FRAGMENT: Final = {"X-Fragment": "1"}
VOID: Final = {"input", "use", "meta", "link", "br"}


@dataclass
class Control:
    """A named element of a form: a button, a choice, a hidden field, a text."""

    kind: str
    name: str
    value: str
    checked: bool = False
    low: int = 0
    high: int = 0
    folded: int = 0  # so many taps open what it stands in

    @property
    def parts(self) -> int:
        """The parts of a point that its number counts."""
        number = COUNTS.search(self.name)
        return int(number[1] or 1) if number else 1

    @property
    def path(self) -> str:
        """The place of its value in the data."""
        return self.name.rpartition(":")[2]

    def typed(self, number: int) -> str:
        """Return a number of parts as a person types it."""
        return format_parts(number, self.parts)

    @property
    def says(self) -> Any:
        """The data that it adds to the event."""
        return json.loads(self.value)


@dataclass
class Form:
    """A form of the page; ``within`` are the names of its surrounding sections."""

    action: str
    classes: str
    step: str
    controls: list[Control] = field(default_factory=list)
    auto: bool = False  # whether a script sends it once all is chosen

    @property
    def type(self) -> str:
        """The type of the event that the form records."""
        return next((control.value for control in self.controls if control.name == "type"), "")

    def hidden(self) -> list[tuple[str, str]]:
        """The hidden fields."""
        return [
            (control.name, control.value) for control in self.controls if control.kind == "hidden"
        ]

    def buttons(self) -> list[Control]:
        """The buttons that record at once."""
        return [control for control in self.controls if control.kind == "submit" and control.name]

    def fixed(self) -> Raw:
        """The data that all events of the form have in common."""
        decoded: Raw = json.loads(next((o.value for o in self.controls if o.name == "fixed"), "{}"))
        return decoded

    def picks(self) -> list[Control]:
        """The choices that are combined with others."""
        return [control for control in self.controls if control.kind in ("radio", "checkbox")]

    def groups(self) -> dict[str, list[Control]]:
        """The groups of exclusive choices, by name."""
        by_name: dict[str, list[Control]] = {}
        for control in self.controls:
            if control.kind == "radio":
                by_name.setdefault(control.name, []).append(control)
        return by_name

    def texts(self) -> list[Control]:
        """The fields in which numbers are typed."""
        return [control for control in self.controls if control.kind == "text"]


COUNTS = re.compile(r"(?:^|\.)n([0-9]*):")  # the name of a field in which a number is typed
READ = {"details", "form", "input", "button"}  # what is looked at of a page


class Forms(HTMLParser):
    """The forms of a page."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._folds: list[bool] = []
        self.feed(html)

    def updatepos(self, i: int, j: int) -> int:
        """Count no lines, which nobody asks for and takes long."""
        return j

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in READ:
            return
        attributes = {name: value or "" for name, value in attrs}
        if tag == "details":
            self._folds.append("open" not in attributes)
        elif tag == "form":
            self._form = Form(
                attributes["action"],
                attributes.get("class", ""),
                attributes.get("data-step", ""),
                auto="data-auto" in attributes,
            )
            self.forms.append(self._form)
        elif tag in ("input", "button") and self._form is not None and "disabled" not in attributes:
            kind = attributes.get("type", "submit" if tag == "button" else "text")
            control = Control(
                kind,
                attributes.get("name", ""),
                attributes.get("value", ""),
                "checked" in attributes,
                folded=sum(self._folds),
            )
            low, high = (attributes.get(f"data-{bound}", "0") for bound in ("low", "high"))
            control.low = parse_parts(low, control.parts) or 0
            control.high = parse_parts(high, control.parts) or 0
            self._form.controls.append(control)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "details":
            self._folds.pop()


class Tapped:
    """A session in a browser without scripts that keeps its cookie."""

    def __init__(self, client: FlaskClient, opened: Raw, who: str = "host") -> None:
        self.client = client
        self.id: str = opened["id"]
        keys = opened["keys"]
        self.keys: dict[str, str] = {"host": keys["host"], "view": keys["view"], **keys["seats"]}
        self.who = who

    @classmethod
    def open(cls, client: FlaskClient, players: str, *events: Raw) -> "Tapped":
        """Open a new session with these players and events."""
        answer = client.post("/api/sessions", json=session_body(*players.split()))
        assert answer.status_code == 201, answer.text
        table = cls(client, answer.get_json())
        if events:
            table.record(*events)
        return table

    def record(self, *events: Raw, who: str = "host", as_played: bool = False) -> None:
        """Record events through the API."""
        answer = self.client.post(
            f"/api/sessions/{self.id}/events",
            json={"events": list(events), "as_played": as_played},
            headers={**bearer(self.keys[who]), "If-Match": f'"{self.report()["version"]}"'},
        )
        assert answer.status_code == 201, answer.text

    def report(self) -> Raw:
        """Return the report, with the version."""
        answer = self.client.get(f"/api/sessions/{self.id}", headers=bearer(self.keys["host"]))
        body: Raw = answer.get_json()
        return {**body, "version": body["session"]["events"]}

    def events(self) -> list[Raw]:
        """Return all recorded events."""
        answer = self.client.get(
            f"/api/sessions/{self.id}/events", headers=bearer(self.keys["host"])
        )
        raws: list[Raw] = answer.get_json()["events"]
        return raws

    def prompts(self) -> list[Raw]:
        """Return the game's prompts at the level of the table."""
        answer = self.client.get(
            f"/api/sessions/{self.id}/next",
            query_string={"level": self.level},
            headers=bearer(self.keys["host"]),
        )
        body: list[Raw] = answer.get_json()
        return body

    def headers(self, who: str | None = None) -> dict[str, str]:
        """The cookie of the person who taps."""
        level = {f"level-{self.id[:32]}": self.level}
        cookie = cookie_of(self.client, self.keys[who or self.who], **level)
        return {**cookie, "Sec-Fetch-Site": "same-origin"}

    level = "tricks"

    def get(self, query: str = "", who: str | None = None, **headers: str) -> TestResponse:
        """Return the page."""
        return self.client.get(f"/t/{self.id}{query}", headers={**self.headers(who), **headers})

    def page(self, query: str = "", who: str | None = None) -> Page:
        """Return the parsed page."""
        answer = self.get(query, who)
        assert answer.status_code == 200, answer.text
        return Page.of(answer.text)

    def forms(self, query: str = "", who: str | None = None) -> list[Form]:
        """Return the forms of the page."""
        return Forms(self.get(query, who).text).forms

    def form(self, kind: str, who: str | None = None) -> Form:
        """Return the form that records such an event."""
        forms = [form for form in self.forms(who=who) if kind in (form.type, form.step)]
        assert forms, f"no form for {kind}"
        return forms[0]

    def post(
        self,
        form: Form,
        chosen: list[tuple[str, str]],
        who: str | None = None,
        **headers: str,
    ) -> TestResponse:
        """Return the response to a form with the chosen values."""
        checked = [(control.name, control.value) for control in form.controls if control.checked]
        named = {name for name, _ in chosen}
        fields = [
            *form.hidden(),
            *(field_ for field_ in checked if field_[0] not in named),
            *chosen,
        ]
        data: dict[str, list[str]] = {}
        for name, value in fields:
            data.setdefault(name, []).append(value)
        return self.client.post(form.action, data=data, headers={**self.headers(who), **headers})

    def tap(self, kind: str, *chosen: tuple[str, str], who: str | None = None) -> TestResponse:
        """Return the response to a step with these values."""
        return self.post(self.form(kind, who), list(chosen), who)
