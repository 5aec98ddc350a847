"""A thumb that records events by tapping the controls of the page, and counts its taps."""

import json
import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tests.browser.phones import Phone
from tests.web.tapping import COUNTS

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

# Controls of a form; numbers are typed on the pad of the page.
CONTROLS: Final = "button:not([data-digit]), input:not([type=hidden])"
SEEN: Final = f"""(form) => [...form.querySelectorAll("{CONTROLS}")].map((one) => ({{
  kind: one.matches("button") ? "button" : one.type, name: one.name, value: one.value,
  checked: one.checked || false, high: Number(one.dataset.high || 0),
  total: (one.closest("[data-total]") || {{ dataset: {{}} }}).dataset.total || "",
}}))"""
# Removes the pause after a change to save time; other tests check it. Before a click, Playwright
# scrolls a control that is visible but within the scroll padding, as no thumb does.
HASTE: Final = """() => [
  ".settling .pad { pointer-events: auto !important }",
  ".stage, .pad { scroll-padding: 0 !important }",
].forEach((rule) => document.styleSheets[0].insertRule(rule, 0))"""
# The middle of a control, and whether that is visible and not covered.
MIDDLE: Final = """(one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const there = document.elementFromPoint(x, y);
  return [[x, y], one.contains(there) || !!there?.contains(one)];
}"""
# The page ignores a second tap within this time and distance of the first, if it may be meant for
# what was there before.
SOON_SECONDS: Final = 0.36
NEAR_PIXELS: Final = 24
FAR: Final = 10  # a field that continues by itself accepts no other digit


@dataclass
class Control:
    """A control of a form."""

    place: int
    kind: str
    name: str
    value: str
    checked: bool
    high: int
    total: str

    @property
    def event_data(self) -> dict[str, Any]:
        """Return the data that the control adds to an event."""
        data: dict[str, Any] = json.loads(self.value) if "with:" in self.name else {}
        return data

    @property
    def parts(self) -> int:
        """The parts of a point that its number counts."""
        counts = COUNTS.search(self.name)
        return int(counts[1] or 1) if counts else 1

    @property
    def path(self) -> str:
        """Return the path of its number in the data."""
        return self.name.rpartition(":")[2] if COUNTS.search(self.name) else ""


@dataclass
class Thumb:
    """A thumb on a phone, which counts its taps and scrolls."""

    phone: Phone
    taps: int = 0
    scrolls: int = 0
    texts: list[str] = field(default_factory=list)
    tapped: float = 0.0  # when it tapped last, by the monotonic clock
    last: tuple[float, float] = (0.0, 0.0)  # where
    parts: int = 1  # of a point, which the number that it types counts

    @property
    def page(self) -> "Page":
        """The page of the phone."""
        return self.phone.page

    def open(self, level: str) -> None:
        """Open the table at a level."""
        self.phone.open(f"?level={level}")
        self.page.evaluate(HASTE)

    def tap(self, target: "Locator", what: str = "") -> None:
        """Tap a control after opening its enclosing parts."""
        shut = target.locator("xpath=ancestor::details[not(@open)]")
        for place in range(shut.count()):
            self._tap(shut.nth(0).locator("> summary"), f"open {place}")
        self._tap(target, what)

    def _tap(self, target: "Locator", what: str) -> None:
        middle, in_reach = target.evaluate(MIDDLE)
        if not in_reach:
            self.scrolls += 1
            self.texts.append("scroll")
        near = math.dist(middle, self.last) <= NEAR_PIXELS
        self.last = middle
        if near:  # wait, as a person would, who reads the next question
            time.sleep(max(0.0, self.tapped + SOON_SECONDS - time.monotonic()))
        target.click(timeout=5000)
        self.tapped = time.monotonic()
        self.taps += 1
        self.texts.append(what)

    def record(self, kind: str, data: Mapping[str, Any]) -> None:
        """Record an event."""
        form = self.form(kind, data)
        version = self.phone.version()
        left = {key: value for key, value in data.items() if self._fixed(form).get(key) != value}
        if not self.fill(form, "", left):
            self.send(form)
        self.phone.wait_for(version + 1)

    def save(self, events: list[dict[str, Any]]) -> None:
        """Record the totals of a hand in one form."""
        form = self.page.locator("form.whole")
        version = self.phone.version()
        for event in events:
            self.fill(form, self.prefix(form, event["type"]), dict(event["data"]))
        self.tap(form.locator("button.save"), "save")
        self.phone.wait_for(version + 1)

    def prefix(self, form: "Locator", kind: str) -> str:
        """Return the prefix of an event's fields in a form for several events."""
        names: list[str] = form.locator(f"input[type=hidden][value='{kind}']").evaluate_all(
            "(all) => all.map((one) => one.name)"
        )
        return next(name.removesuffix("type") for name in names if name not in self.texts)

    def form(self, kind: str, data: Mapping[str, Any]) -> "Locator":
        """Return the form for an event and its category."""
        forms = self.page.locator(f"form[data-step={kind}]")
        for place in range(forms.count()):
            fixed = self._fixed(forms.nth(place))
            if fixed.get("category") == data.get("category"):
                return forms.nth(place)
        recorded = [(event["type"], event["data"]) for event in self.phone.evening.events()[-3:]]
        pad = self.page.locator(".pad").inner_text()
        raise AssertionError(f"no form for {kind} {data} after {recorded}: {pad}")

    def _fixed(self, form: "Locator") -> dict[str, Any]:
        decoded: dict[str, Any] = json.loads(
            form.locator("[name=fixed]").get_attribute("value") or "{}"
        )
        return decoded

    def fill(self, form: "Locator", prefix: str, left: dict[str, Any]) -> bool:
        """Tap the controls of these values; return whether the last tap sends the form."""
        seen = [
            Control(place, **attributes) for place, attributes in enumerate(form.evaluate(SEEN))
        ]
        mine = [
            control
            for control in seen
            if control.name.startswith(f"{prefix}with:")
            or (control.name.startswith(prefix) and COUNTS.match(control.name[len(prefix) :]))
        ]
        sent = form.get_attribute("data-auto") is not None
        for control_ in sorted(wanted(mine, left), key=lambda control: control.kind == "button"):
            sent = sent or control_.kind == "button"
            at = form.locator(CONTROLS).nth(control_.place)
            if control_.kind == "text":
                self.parts = control_.parts
                self.type(at, number(left, control_.path), control_.high)
            elif control_.kind == "button":
                self.tap(at, control_.value)
            else:
                self.tap(at.locator("xpath=.."), control_.value)
        return sent

    def type(self, field: "Locator", number: int, high: int) -> None:
        """Type a number on the pad, and continue if the field does not continue by itself.

        Of halves, their points are typed; no other parts of a point have a key.
        """
        if "active" not in (field.get_attribute("class") or ""):
            self.tap(field, "field")
        # Read before typing, which may send the form.
        last = field.evaluate(
            "(one) => [...one.form.querySelectorAll('[data-high]')].at(-1) === one"
        )
        keys = field.locator("xpath=ancestor::form").locator(".keys:not(.off)")
        few = keys.locator("[data-digit=back]").count() == 0
        typed = str(number // self.parts) + "½" * (number % self.parts)
        for digit in [typed] if few else typed:
            self.tap(keys.locator(f"[data-digit='{digit}']"), digit)
        if (self.parts > 1 or number * FAR <= high) and not last and not few:
            self.tap(keys.locator("[data-digit=next]"), "next")

    def send(self, form: "Locator") -> None:
        """Tap the button of a form."""
        self.tap(form.locator("button.go:visible, button.single:visible").first, "send")


def wanted(seen: list[Control], left: Mapping[str, Any]) -> Iterator[Control]:
    """Yield the controls to tap for these values; none for values that are already chosen."""
    for control_ in seen:
        event_data = control_.event_data
        if (
            event_data
            and not control_.checked
            and all(within(part, left.get(key), control_) for key, part in event_data.items())
        ):
            yield control_
    yield from counted([control for control in seen if control.path], left)


def within(part: Any, whole: Any, control: Control) -> bool:
    """Return whether a control stands for a part of the values; in an order at its place."""
    if isinstance(part, list) and isinstance(whole, list):
        place = control.name[-1]
        if place.isdigit():
            return whole[int(place) : int(place) + 1] == part
        return all(card in whole for card in part) and bool(part) == bool(whole)
    return whole is not None and bool(part == whole)


def counted(seen: list[Control], left: Mapping[str, Any]) -> Iterator[Control]:
    """Yield the controls of numbers, without the last one if their sum is known."""
    paths = list(
        dict.fromkeys(control.path for control in seen if number(left, control.path) is not None)
    )
    if seen and seen[0].total and len(paths) > 1:
        paths.pop()
    for control_ in seen:
        n = number(left, control_.path)
        if (
            control_.path in paths
            and (control_.kind == "text" or control_.value == str(n))
            and not control_.checked
        ):
            yield control_


def number(data: Mapping[str, Any], path: str) -> Any:
    """Return the number at a path in the data."""
    name, _, side = path.partition(".")
    answer = data.get(name)
    if side:
        return answer.get(side) if isinstance(answer, Mapping) else None
    return answer if type(answer) is int else None
