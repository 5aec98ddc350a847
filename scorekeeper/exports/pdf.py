"""The score sheet as a PDF; what draws it takes long to load, and is loaded with the first."""

from scorekeeper.exports.evening import Evening


def score_sheet(evening: Evening) -> bytes:
    """The score sheet of an evening, as a PDF."""
    from scorekeeper.exports.drawing import drawn  # noqa: PLC0415

    return drawn(evening)
