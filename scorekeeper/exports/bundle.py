"""A ZIP archive of a session: the log, its results, and a program that verifies the log."""

import textwrap
import zipfile
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Final

from scorekeeper.base.views import to_json_values
from scorekeeper.exports import csv, verifier
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.pdf import score_sheet
from scorekeeper.exports.xlsx import make_workbook
from scorekeeper.languages.catalogues import N_, ngettext
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.log.writing import as_json

VERIFIER: Final = Path(verifier.__file__).read_bytes()
MASKED: Final = b'","data":null,"hash":"'  # unique: in a text, the quotes would be escaped
ZIP_UNIX: Final = 3
READABLE_FILE: Final = 0o100644 << 16  # a regular file that is readable for all

Progress = Callable[[], object]  # called after each part of a file

README_LINE_CHARACTERS: Final = 96
# The descriptions of the files of the archive.
ABOUT: Final = {
    "log.jsonl": N_("the record: everything that was written down, one event a line, each "
        "bound to the one before it by a fingerprint. The other files are made of it."),
    "results.csv": N_("for a spreadsheet: what each side scored in each hand, and the totals "
        "after it"),
    "lines.csv": N_("for a spreadsheet: every line of every score, with its rule and its "
        "events"),
    "payments.csv": N_("for a spreadsheet: who pays whom, by match and for the evening"),
    "report.json": N_("for programs: scores, findings, disputes, corrections"),
    "results.xlsx": N_("a workbook: the score sheet, both tables, the findings, the options "
        "played with"),
    "sheet.pdf": N_("the score sheet, to be printed"),
    "verify.py": N_("says whether the log is intact; it needs Python 3.11 or newer, and "
        "nothing else"),
    "README.txt": N_("this text"),
}  # fmt: skip
QUESTION: Final = N_(
    "Is the log intact, and were all these files made from it? In the folder of these files:"
)
ANSWER: Final = N_(
    'It answers "intact", or names the first bad line. Compare the fingerprint, %(head)s, with '
    "one that comes from elsewhere: a printed sheet, or a phone that was at the table. Anyone "
    "who can change this archive can change its README, too."
)


def make_archive(evening: Evening, log: bytes, on_progress: Progress = lambda: None) -> bytes:
    """Return the archive of a session with its sealed log; equal input gives equal bytes.

    The log and the report are for programs and in English; the rest is in the reader's language.
    ``on_progress`` is called after each of the ``FILES``.
    """
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in FILES.items():
            entry = zipfile.ZipInfo(name, evening.latest.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = ZIP_UNIX
            entry.external_attr = READABLE_FILE
            archive.writestr(entry, content(evening, log))
            on_progress()
    return file.getvalue()


# The files of the archive by name.
FILES: Final[Mapping[str, Callable[[Evening, bytes], bytes]]] = {
    "README.txt": lambda evening, log: (make_readme(evening) + masked_note(log)).encode("utf-8"),
    "log.jsonl": lambda evening, log: log,
    "results.csv": lambda evening, log: csv.results_csv(evening),
    "lines.csv": lambda evening, log: csv.lines_csv(evening),
    "payments.csv": lambda evening, log: csv.payments_csv(evening),
    "report.json": lambda evening, log: as_json(to_json_values(evening.untranslated)),
    "results.xlsx": lambda evening, log: make_workbook(evening),
    "sheet.pdf": lambda evening, log: score_sheet(evening),
    "verify.py": lambda evening, log: VERIFIER,
}


def make_readme(evening: Evening) -> str:
    """Return the README: a description of each file, and how to verify the log."""
    version, head = evening.position
    place = f", {evening.about.place}" if evening.about.place else ""
    return "\n".join((
        evening.about.title + place, *filter(None, [evening.hours]),
        ", ".join(evening.players), "",
        *(line for name, about in ABOUT.items() for line in _describe_file(name, _(about))), "",
        *_paragraph(_(QUESTION)), "",
        f"    python3 verify.py log.jsonl --count {version} --head {head}", "",
        *_paragraph(_(ANSWER, head=head)), "",
    ))  # fmt: skip


def _describe_file(name: str, text: str) -> list[str]:
    """Return the lines of the README about one file."""
    return textwrap.wrap(f"{name:<14}{text}", README_LINE_CHARACTERS, subsequent_indent=" " * 14)


def _paragraph(text: str) -> list[str]:
    """Return a text as lines of the README."""
    return textwrap.wrap(
        text, README_LINE_CHARACTERS, break_long_words=False, break_on_hyphens=False
    )


def masked_note(log: bytes) -> str:
    """Return the end of the README if some events of the log are masked, else an empty text."""
    many = log.count(MASKED)
    if not many:
        return ""
    note = ngettext(
        "Not yet: %(num)d event lay face down when this was taken, and is in it without its "
        "content. Take it again once the hand is over; until then the answer is that it is not "
        "as written.",
        "Not yet: %(num)d events lay face down when this was taken, and are in it without their "
        "content. Take it again once the hand is over; until then the answer is that the first "
        "of them is not as written.",
        many,
    )
    return "\n".join(("", *_paragraph(note), ""))
