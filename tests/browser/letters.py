"""Pages in the letters that machines have: wide ones, the usual, narrow ones.

Every letter of a page comes by one of three variables of its style. A page is loaded once, and
put from one family into the next.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tests.conftest import SOAK

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


class Family(NamedTuple):
    """Fonts that stand in a page for the three that its style names, and their Debian package."""

    sans: str
    serif: str
    mono: str
    package: str


FAMILIES: Final[Mapping[str, Family]] = {
    "wide": Family("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono", "fonts-dejavu-core"),
    # As wide as Arial, Times and Courier, letter by letter.
    "usual": Family("Liberation Sans", "Liberation Serif", "Liberation Mono", "fonts-liberation"),
    "narrow": Family(
        "Liberation Sans Narrow", "Liberation Serif", "Liberation Mono",
        "fonts-liberation-sans-narrow, or before Debian 13 fonts-liberation",
    ),
}  # fmt: skip
# The policy of a page says nothing of a sheet that is put there from outside, and it is the last.
PUT: Final = """([sans, serif, mono, percent]) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root { --sans: "${sans}"; --serif: "${serif}"; --mono: "${mono}" }
    ${percent === 100 ? "" : `html { font-size: ${percent}% !important }`}`);
  document.adoptedStyleSheets = [sheet];
}"""


def put(page: "Page", family: str, percent: int = 100) -> None:
    """Put a page into letters of a family, so much larger than usual, until it is left."""
    fonts = FAMILIES[family]
    page.evaluate(PUT, [fonts.sans, fonts.serif, fonts.mono, percent])


# Those of some fonts that are not here: what stands in for them depends on what is asked for.
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
    """The families of which the browser does not find every font."""
    with browser.new_context() as context:
        page = context.new_page()
        return [name for name, one in FAMILIES.items() if page.evaluate(MISSING, one[:3])]


class Letters:
    """The families that the browser has; one that is missing is told of by a test of its own."""

    def __init__(self, browser: "Browser") -> None:
        self.missing = lacking(browser)
        self.here = [name for name in FAMILIES if name not in self.missing]

    def in_turn(self, page: "Page", script: str, number: int) -> dict[str, Any]:
        """What a script finds in a page in the family whose turn it is, in the soak in each."""
        found = {}
        for name in self.by_turns(number):
            put(page, name)
            found[name] = page.evaluate(script)
        return found

    def each(
        self, page: "Page", script: str, argument: Any = None, *, percent: int = 100
    ) -> dict[str, Any]:
        """What a script finds in a page, in each family."""
        return self.seen(page, lambda: page.evaluate(script, argument), percent=percent)

    def by_turns(self, number: int) -> list[str]:
        """The family whose turn it is with this number; in the soak all of them."""
        return self.here if SOAK else [self.here[number % len(self.here)]]

    def widest(self, page: "Page", script: str, *, percent: int = 100) -> Any:
        """What a script finds in a page in the widest of them."""
        put(page, self.here[0], percent)
        return page.evaluate(script)

    def seen(self, page: "Page", look: Callable[[], Any], *, percent: int = 100) -> dict[str, Any]:
        """What there is to be seen of a page, in each family."""
        found = {}
        for name in self.here:
            put(page, name, percent)
            found[name] = look()
        return found
