"""A player who hears a page: by the accessibility tree and the keyboard, without selectors."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tests.browser.phones import Phone

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

SECONDS: Final = 5.0  # until something is to be heard
ANSWERS: Final = ("radio", "button", "checkbox")
DISCLOSURE: Final = "DisclosureTriangle"
# What a screen reader passes over.
SILENT: Final = ("none", "generic", "InlineTextBox", "LineBreak", "LabelText", "Legend")


@dataclass(eq=False)
class Node:
    """A node of the accessibility tree."""

    role: str
    name: str
    facts: dict[str, Any]
    backend: int
    parent: "Node | None" = None
    children: "list[Node]" = field(default_factory=list)

    def all(self, role: str = "", name: str | None = None) -> "Iterator[Node]":
        """Yield the nodes within this one that have a role and name, in the order of reading.

        A name may go on after a space: a group says what is chosen in it.
        """
        for child in self.children:
            named = name is None or f"{child.name} ".startswith(f"{name} ")
            if role in ("", child.role) and named:
                yield child
            yield from child.all(role, name)

    def first(self, role: str, name: str | None = None) -> "Node":
        """Return the first of these nodes."""
        found = next(self.all(role, name), None)
        assert found is not None, f"no {role} {name!r} in:\n{self}"
        return found

    @property
    def section(self) -> "Node":
        """The form or part of the page that it is the heading of."""
        around = self.parent
        while around is not None and around.role in SILENT:
            around = around.parent
        assert around is not None
        return around

    @property
    def text(self) -> str:
        """The words within it."""
        return " ".join("".join(node.name for node in self.all("StaticText")).split())

    def __str__(self) -> str:
        own = [] if self.role in SILENT else [f"{self.role} {self.name!r}"]
        return "\n".join([*own, *(str(child) for child in self.children)])


def read(cdp: "CDPSession") -> Node:
    """Return the accessibility tree of the page, without what is hidden from a screen reader."""
    raws = cdp.send("Accessibility.getFullAXTree")["nodes"]
    by_id = {raw["nodeId"]: raw for raw in raws}

    def build(raw: dict[str, Any], parent: Node | None) -> Iterator[Node]:
        if raw.get("ignored"):
            for child in raw.get("childIds", ()):
                if child in by_id:
                    yield from build(by_id[child], parent)
            return
        facts = {one["name"]: one["value"].get("value") for one in raw.get("properties", ())}
        node = Node(
            raw["role"]["value"], raw.get("name", {}).get("value", ""), facts,
            raw.get("backendDOMNodeId", 0), parent,
        )  # fmt: skip
        for child in raw.get("childIds", ()):
            if child in by_id:
                node.children.extend(build(by_id[child], node))
        yield node

    return next(build(raws[0], None))


@dataclass
class Listener:
    """A player who finds everything on a page by its role and name, and presses keys."""

    phone: Phone
    heard: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page: Page = self.phone.page
        self.cdp: CDPSession = self.phone.tools()
        self.cdp.send("DOM.enable")
        self.cdp.send("Accessibility.enable")

    def tree(self) -> Node:
        """Return the page as it is now."""
        return read(self.cdp)

    def focus(self, node: Node) -> None:
        """Move the focus, as a screen reader does to what it has read."""
        self.cdp.send("DOM.focus", {"backendNodeId": node.backend})

    def press(self, node: Node, key: str = "Enter") -> None:
        """Activate what has been found."""
        self.focus(node)
        self.page.keyboard.press(key)

    def focused(self) -> Node | None:
        """Return the node with the focus; None if the page itself has it."""
        return next((one for one in self.tree().all() if one.facts.get("focused")), None)

    # ------------------------------------------------------------------------- live regions

    def said(self) -> str:
        """Return the words in the live region, of which the page has one."""
        tree = self.tree()
        live = [
            one for one in tree.all()
            if one.facts.get("live") == "polite" and one.role != "alert"
            and not (one.parent and one.parent.facts.get("live"))
        ]  # fmt: skip
        assert len(live) == 1, [str(one) for one in live]
        return live[0].text

    def hear(self, before: str) -> str:
        """Return the next words in the live region, once they differ from those before."""
        late = time.monotonic() + SECONDS
        while (words := self.said()) == before:
            assert time.monotonic() < late, f"nothing after {before!r}"
            self.page.wait_for_timeout(20)
        self.heard.append(words)
        return words

    # ---------------------------------------------------------------------------- questions

    def question(self, title: str) -> Node:
        """Return the question with this heading, after opening what it is folded in."""
        for way in (title, "More", title):
            tree = self.tree().first("region", "Record")
            for heading in tree.all("heading", title):
                assert heading.facts["level"] == 3
                return heading.section
            folded = next(tree.all(DISCLOSURE, way), None)
            if folded is not None and not folded.facts.get("expanded"):
                self.press(folded)
        raise AssertionError(f"no question {title!r} in:\n{self.tree()}")

    def answer(self, title: str, group: str | None, name: str) -> None:
        """Choose an answer of a question, in a group of it, by the keys of its role."""
        place = self.question(title)
        if group is not None:
            folded = next(place.all(DISCLOSURE, group), None)
            if folded is not None and not folded.facts.get("expanded"):
                if folded.name.startswith(f"{group} {name} "):
                    return None  # it is the answer unless another is chosen
                self.press(folded)
                place = self.question(title)
            place = place.first("group", group)
        found = next(
            (
                one
                for one in place.all()
                if one.role in ANSWERS and f"{one.name} ".startswith(f"{name} ")
            ),
            None,
        )
        if found is None:  # a card, under its suit
            for suit in place.all(DISCLOSURE):
                if name.endswith(suit.name):
                    self.press(suit)
                    return self.answer(title, group, name)
        assert found is not None, f"no {name!r} in:\n{place}"
        if found.facts.get("checked") != "true":
            self.press(found, "Enter" if found.role == "button" else "Space")
        return None

    def type(self, title: str, name: str, number: int) -> None:
        """Type a number in a field of a question."""
        self.focus(self.question(title).first("textbox", name))
        self.page.keyboard.type(str(number))
