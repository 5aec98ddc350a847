"""The export formats of a session, by name."""

from collections.abc import Callable, Mapping
from typing import Final

from scorekeeper.base.language import speaking
from scorekeeper.exports import chat, csv
from scorekeeper.exports.bundle import FILES, Progress, make_archive
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.ics import make_calendar
from scorekeeper.exports.pdf import score_sheet
from scorekeeper.exports.picture import draw_picture
from scorekeeper.exports.xlsx import make_workbook

# Each takes a session and its sealed log, and uses the current language.
FORMATS: Final[Mapping[str, Callable[[Evening, bytes], bytes]]] = {
    "results": lambda evening, log: csv.results_csv(evening),
    "lines": lambda evening, log: csv.lines_csv(evening),
    "payments": lambda evening, log: csv.payments_csv(evening),
    "xlsx": lambda evening, log: make_workbook(evening),
    "pdf": lambda evening, log: score_sheet(evening),
    "zip": make_archive,
    "ics": lambda evening, log: make_calendar(evening),
    "text": lambda evening, log: chat.chat_text(evening),
    "png": lambda evening, log: draw_picture(evening),
}


ARCHIVE: Final = "zip"


def count_parts(form: str) -> int:
    """Return the number of parts of a file, for a progress bar."""
    return len(FILES) if form == ARCHIVE else 1


def export_file(
    form: str, evening: Evening, log: bytes, on_progress: Progress = lambda: None
) -> bytes:
    """Return a session and its sealed log in a format, in the language of the reader.

    ``on_progress`` is called after each part.
    """
    with speaking(evening.reader.translated_language):
        if form == ARCHIVE:
            return make_archive(evening, log, on_progress)
        file = FORMATS[form](evening, log)
        on_progress()
        return file
