"""An address as a square that phones read, drawn in the page itself."""

import segno
from markupsafe import Markup


def drawn(text: str) -> Markup:
    """A QR code that holds a text; what it is has to stand beside it."""
    svg = segno.make(text, error="m", micro=False).svg_inline(
        scale=4, border=4, omitsize=True, svgclass="qr", lineclass=None, dark="#000", light="#fff"
    )
    return Markup(svg.replace("<svg ", '<svg aria-hidden="true" ', 1))  # noqa: S704  # segno's
