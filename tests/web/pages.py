"""Helpers of the page tests: a log that shows everything, posting one, and reading a page."""

import json
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

STATIC = Path(__file__).parents[2] / "scorekeeper" / "static"
EXAMPLE = (STATIC / "mistake.jsonl").read_text(encoding="utf-8")
INLINE = {"a", "b", "bdi", "code", "del", "i", "ins", "mark", "span", "svg", "use"}
VOID = {"br", "hr", "img", "input", "link", "meta", "use", "path", "source", "wbr"}


def log_of(*events: tuple[str, dict[str, Any]]) -> str:
    """Return a log without seals."""
    return "".join(json.dumps({"type": kind, "data": data}) + "\n" for kind, data in events)


def score(client: FlaskClient, log: str) -> Any:
    """Return the response to a log that is pasted into the form."""
    return client.post("/score", data={"text": log})


@dataclass
class Page(HTMLParser):
    """A parsed page: its tags with their attributes, its text, and its unclosed tags."""

    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    @classmethod
    def of(cls, html: str) -> "Page":
        page = cls()
        page.feed(html)
        page.close()
        page.wrong += [f"{tag} is not closed" for tag in page.open]
        return page

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self.parts.append("" if tag in INLINE else " ")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        self.parts.append("" if tag in INLINE else " ")
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> after {len(self.tags)} tags closes something else")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    def updatepos(self, i: int, j: int) -> int:
        """Skip counting lines, which no test needs and takes long."""
        return j

    @cached_property
    def text(self) -> str:
        """The text as it is in the page."""
        return "".join(self.parts)

    @property
    def words(self) -> str:
        """The text with single spaces."""
        return " ".join(self.text.split())

    def all(self, tag: str) -> list[dict[str, str]]:
        """Return the attributes of every such tag."""
        return [attrs for name, attrs in self.tags if name == tag]


def page_of(response: Any) -> Page:
    """Return the page of a response."""
    return Page.of(response.get_data(as_text=True))


def inputs_of(page: Page) -> dict[str, list[str]]:
    """Return the values of a page's fields by name; of choices, the chosen ones."""
    values: dict[str, list[str]] = {}
    for field_ in page.all("input"):
        is_choice = field_.get("type") in ("radio", "checkbox")
        if "name" in field_ and (not is_choice or "checked" in field_):
            values.setdefault(field_["name"], []).append(field_.get("value", ""))
    return values
