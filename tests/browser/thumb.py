"""A thumb that records events by taps alone, on whatever the page offers, and counts them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tests.browser.phones import Phone

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

# What can be tapped in a form, or opened; numbers are typed on the pad of the page.
CONTROLS: Final = "button:not([data-digit]), input:not([type=hidden])"
SEEN: Final = f"""(form) => [...form.querySelectorAll("{CONTROLS}")].map((one) => ({{
  kind: one.matches("button") ? "button" : one.type, name: one.name, value: one.value,
  checked: one.checked || false, high: Number(one.dataset.high || 0),
  total: (one.closest("[data-total]") || {{ dataset: {{}} }}).dataset.total || "",
}}))"""
# So that a suite need not wait while a page settles; that it does is tested elsewhere.
HASTE: Final = """() => document.styleSheets[0].insertRule(
  ".settling .pad { pointer-events: auto !important }", 0)"""
# Whether a thumb reaches the middle of a control as the page lies there: in sight, and not covered.
IN_REACH: Final = """(one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return one.contains(there) || !!there?.contains(one);
}"""
FAR: Final = 10  # a number that goes on by itself has no room for one digit more


@dataclass
class Control:
    """Something to tap in a form."""

    place: int
    kind: str
    name: str
    value: str
    checked: bool
    high: int
    total: str

    @property
    def says(self) -> dict[str, Any]:
        """What it adds to the data of an event."""
        found: dict[str, Any] = json.loads(self.value) if "with:" in self.name else {}
        return found

    @property
    def path(self) -> str:
        """Where its number stands in the data."""
        return self.name.rpartition("n:")[2] if "n:" in self.name else ""


@dataclass
class Thumb:
    """A thumb on a phone, which counts its taps, and how often it scrolls to what it taps."""

    phone: Phone
    taps: int = 0
    scrolls: int = 0
    said: list[str] = field(default_factory=list)

    @property
    def page(self) -> "Page":
        """The page under it."""
        return self.phone.page

    def open(self, level: str) -> None:
        """Open the table at a level."""
        self.phone.open(f"?level={level}")
        self.page.evaluate(HASTE)

    def tap(self, one: "Locator", what: str = "") -> None:
        """Tap, and open before what hides it."""
        shut = one.locator("xpath=ancestor::details[not(@open)]")
        for place in range(shut.count()):
            self._tap(shut.nth(0).locator("> summary"), f"open {place}")
        self._tap(one, what)

    def _tap(self, one: "Locator", what: str) -> None:
        if not one.evaluate(IN_REACH):
            self.scrolls += 1
            self.said.append("scroll")
        one.click(timeout=5000)
        self.taps += 1
        self.said.append(what)

    def record(self, kind: str, data: Mapping[str, Any]) -> None:
        """Record an event."""
        form = self.form(kind, data)
        version = self.phone.version()
        left = {key: one for key, one in data.items() if self._fixed(form).get(key) != one}
        if not self.fill(form, "", left):
            self.send(form)
        self.phone.wait_for(version + 1)

    def save(self, events: list[dict[str, Any]]) -> None:
        """Record the totals of a hand in one form."""
        form = self.page.locator("form.whole")
        version = self.phone.version()
        for one in events:
            self.fill(form, self.prefix(form, one["type"]), dict(one["data"]))
        self.tap(form.locator("button.save"), "save")
        self.phone.wait_for(version + 1)

    def prefix(self, form: "Locator", kind: str) -> str:
        """How the fields of an event begin in a form for several."""
        names: list[str] = form.locator(f"input[type=hidden][value='{kind}']").evaluate_all(
            "(all) => all.map((one) => one.name)"
        )
        return next(name.removesuffix("type") for name in names if name not in self.said)

    def form(self, kind: str, data: Mapping[str, Any]) -> "Locator":
        """The form for an event; of several that of its category."""
        forms = self.page.locator(f"form[data-step={kind}]")
        for place in range(forms.count()):
            fixed = self._fixed(forms.nth(place))
            if fixed.get("category") == data.get("category"):
                return forms.nth(place)
        raise AssertionError(f"no form for {kind} {data}: {self.page.locator('.pad').inner_text()}")

    def _fixed(self, form: "Locator") -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            form.locator("[name=fixed]").get_attribute("value") or "{}"
        )
        return found

    def fill(self, form: "Locator", prefix: str, left: dict[str, Any]) -> bool:
        """Tap what says this; whether the last tap sends it."""
        seen = [Control(place, **one) for place, one in enumerate(form.evaluate(SEEN))]
        mine = [one for one in seen if one.name.startswith((f"{prefix}with:", f"{prefix}n:"))]
        sent = form.get_attribute("data-auto") is not None
        for one in sorted(wanted(mine, left), key=lambda one: one.kind == "button"):
            sent = sent or one.kind == "button"
            at = form.locator(CONTROLS).nth(one.place)
            if one.kind == "text":
                self.type(at, number(left, one.path), one.high)
            elif one.kind == "button":
                self.tap(at, one.value)
            else:
                self.tap(at.locator("xpath=.."), one.value)
        return sent

    def type(self, field: "Locator", number: int, high: int) -> None:
        """Type a number on the pad, and go on where it does not go on by itself."""
        box = field.locator(
            "xpath=ancestor::*[contains(@class,'numbers') or contains(@class,'group')][1]"
        )
        if "active" not in (field.get_attribute("class") or ""):
            self.tap(field, "field")
        last = field.evaluate(  # before it is typed, with which it may be sent
            "(one, box) => [...box.querySelectorAll('[data-high]')].at(-1) === one",
            box.element_handle(),
        )
        for digit in str(number):
            self.tap(box.locator(f"[data-digit='{digit}']"), digit)
        if number * FAR <= high and not last:
            self.tap(box.locator("[data-digit=next]"), "next")

    def send(self, form: "Locator") -> None:
        """Tap the button of a form."""
        self.tap(form.locator("button.go:visible, button.single:visible").first, "send")


def wanted(seen: list[Control], left: Mapping[str, Any]) -> Iterator[Control]:
    """What has to be tapped so that a form says this; nothing for what it says already."""
    for one in seen:
        says = one.says
        if (
            says
            and not one.checked
            and all(within(part, left.get(key), one) for key, part in says.items())
        ):
            yield one
    yield from counted([one for one in seen if one.path], left)


def within(part: Any, whole: Any, one: Control) -> bool:
    """Whether a control says a part of what is to be said; of an order its own place."""
    if isinstance(part, list) and isinstance(whole, list):
        place = one.name[-1]
        if place.isdigit():
            return whole[int(place) : int(place) + 1] == part
        return all(card in whole for card in part) and bool(part) == bool(whole)
    return whole is not None and bool(part == whole)


def counted(seen: list[Control], left: Mapping[str, Any]) -> Iterator[Control]:
    """The numbers; the last is filled in where their sum is known."""
    paths = list(dict.fromkeys(one.path for one in seen if number(left, one.path) is not None))
    if seen and seen[0].total and len(paths) > 1:
        paths.pop()
    for one in seen:
        n = number(left, one.path)
        if one.path in paths and (one.kind == "text" or one.value == str(n)) and not one.checked:
            yield one


def number(data: Mapping[str, Any], path: str) -> Any:
    """The number at a place in the data."""
    name, _, side = path.partition(".")
    found = data.get(name)
    if side:
        return found.get(side) if isinstance(found, Mapping) else None
    return found if type(found) is int else None
