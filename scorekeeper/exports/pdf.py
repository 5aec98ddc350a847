"""The score sheet as a PDF. The libraries take long to import, so the first sheet imports them."""

from scorekeeper.exports.evening import Evening


def score_sheet(evening: Evening) -> bytes:
    """Return the score sheet of a session as a PDF."""
    from scorekeeper.exports.drawing import draw_score_sheet  # noqa: PLC0415

    return draw_score_sheet(evening)
