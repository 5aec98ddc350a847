"""Pages in the fonts of different systems: wide, usual and narrow ones.

All fonts of a page come from three variables of its style sheet. A page is loaded once, and
switched from one family to the next.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tests.conftest import SOAK

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


class Family(NamedTuple):
    """Replacements for the three fonts of the style sheet, and their Debian package."""

    sans: str
    serif: str
    mono: str
    package: str


FAMILIES: Final[Mapping[str, Family]] = {
    "wide": Family("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono", "fonts-dejavu-core"),
    # Metrically compatible with Arial, Times and Courier.
    "usual": Family("Liberation Sans", "Liberation Serif", "Liberation Mono", "fonts-liberation"),
    "narrow": Family(
        "Liberation Sans Narrow", "Liberation Serif", "Liberation Mono",
        "fonts-liberation-sans-narrow, or before Debian 13 fonts-liberation",
    ),
}  # fmt: skip
# The page's policy does not apply to an injected style sheet, which comes last.
PUT: Final = """([sans, serif, mono, percent]) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root { --sans: "${sans}"; --serif: "${serif}"; --mono: "${mono}" }
    ${percent === 100 ? "" : `html { font-size: ${percent}% !important }`}`);
  document.adoptedStyleSheets = [sheet];
}"""


def put(page: "Page", family: str, percent: int = 100) -> None:
    """Switch a page to a family and a size in percent, until it is left."""
    fonts = FAMILIES[family]
    page.evaluate(PUT, [fonts.sans, fonts.serif, fonts.mono, percent])


# A missing font: its replacement depends on the fallback in the request.
MISSING: Final = """(fonts) => {
  const canvas = document.createElement("canvas").getContext("2d");
  const width = (font, instead) => {
    canvas.font = `40px "${font}", ${instead}`;
    return canvas.measureText("Wide, ill").width;
  };
  const differs = (font) => width(font, "serif") !== width(font, "monospace");
  return fonts.filter((font) => differs(font) || !differs("nothing is called so"));
}"""


def lacking(browser: "Browser") -> list[str]:
    """Return the families with a font that the browser does not find."""
    with browser.new_context() as context:
        page = context.new_page()
        return [name for name, family in FAMILIES.items() if page.evaluate(MISSING, family[:3])]


class Letters:
    """The families that the browser has; another test reports the missing ones."""

    def __init__(self, browser: "Browser") -> None:
        self.missing = lacking(browser)
        self.here = [name for name in FAMILIES if name not in self.missing]

    def in_turn(self, page: "Page", script: str, number: int) -> dict[str, Any]:
        """Return the results of a script in the family of this turn; in the soak in all."""
        measured = {}
        for name in self.by_turns(number):
            put(page, name)
            measured[name] = page.evaluate(script)
        return measured

    def each(
        self, page: "Page", script: str, argument: Any = None, *, percent: int = 100
    ) -> dict[str, Any]:
        """Return the results of a script in a page by family."""
        return self.inspect_each(page, lambda: page.evaluate(script, argument), percent=percent)

    def by_turns(self, number: int) -> list[str]:
        """Return the family of this turn; in the soak all of them."""
        return self.here if SOAK else [self.here[number % len(self.here)]]

    def widest(self, page: "Page", script: str, *, percent: int = 100) -> Any:
        """Return the result of a script in the widest family."""
        put(page, self.here[0], percent)
        return page.evaluate(script)

    def inspect_each(
        self, page: "Page", look: Callable[[], Any], *, percent: int = 100
    ) -> dict[str, Any]:
        """Return the results of a function that inspects the page, by family."""
        looked_at = {}
        for name in self.here:
            put(page, name, percent)
            looked_at[name] = look()
        return looked_at
