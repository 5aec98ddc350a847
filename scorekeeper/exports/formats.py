"""The formats in which an evening is taken away, by name."""

from collections.abc import Callable, Mapping
from typing import Final

from scorekeeper.base.language import speaking
from scorekeeper.exports import chat, csv
from scorekeeper.exports.bundle import FILES, Progress, bundle
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.ics import calendar
from scorekeeper.exports.pdf import score_sheet
from scorekeeper.exports.picture import picture
from scorekeeper.exports.xlsx import workbook

# Each is made of an evening and its sealed log, in the language that is spoken.
FORMATS: Final[Mapping[str, Callable[[Evening, bytes], bytes]]] = {
    "results": lambda evening, log: csv.results(evening),
    "lines": lambda evening, log: csv.lines(evening),
    "payments": lambda evening, log: csv.payments(evening),
    "xlsx": lambda evening, log: workbook(evening),
    "pdf": lambda evening, log: score_sheet(evening),
    "zip": bundle,
    "ics": lambda evening, log: calendar(evening),
    "text": lambda evening, log: chat.text(evening),
    "png": lambda evening, log: picture(evening),
}


ARCHIVE: Final = "zip"


def parts_of(form: str) -> int:
    """Of how many parts a file is made, one after the other."""
    return len(FILES) if form == ARCHIVE else 1


def made(form: str, evening: Evening, log: bytes, told: Progress = lambda: None) -> bytes:
    """An evening and its sealed log in a format, in the language of the reader.

    ``told`` is called after each part.
    """
    with speaking(evening.reader.translated_language):
        if form == ARCHIVE:
            return bundle(evening, log, told)
        file = FORMATS[form](evening, log)
        told()
        return file
