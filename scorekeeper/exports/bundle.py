"""All of an evening in one archive: the log, what it comes to, and the means to prove it."""

import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Final

from scorekeeper.exports import csv, verifier
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.pdf import score_sheet
from scorekeeper.exports.xlsx import workbook
from scorekeeper.log.writing import as_json

VERIFIER: Final = Path(verifier.__file__).read_bytes()
MASKED: Final = b'","data":null,"hash":"'  # which no text can hold: its quotes would be escaped
UNIX: Final = 3
READABLE: Final = 0o100644 << 16  # an ordinary file that everybody may read

README: Final = """\
{title}
{hours}
{players}

log.jsonl     the record: everything that was written down, one event a line, each bound to the
              one before it by a fingerprint. The other files are made of it.
results.csv   for a spreadsheet: what each side scored in each hand, and the totals after it
lines.csv     for a spreadsheet: every line of every score, with its rule and its events
report.json   for programs: scores, findings, disputes, corrections
results.xlsx  a workbook: the score sheet, both tables, the findings, the options played with
sheet.pdf     the score sheet, to be printed
verify.py     says whether the log is whole; it needs Python 3.9 or newer, and nothing else
README.txt    this text

Is the log whole, and the one that all of this was made of? In the folder of these files:

    python3 verify.py log.jsonl --count {count} --head {head}

It answers "whole", or names the first bad line. Compare the fingerprint, {head},
with one that comes from elsewhere: a printed sheet, or a phone that was at the table. Whoever
could change this archive could change its README, too.
"""


FACE_DOWN: Final = """\

Not yet: {many} lay face down when this was taken, and stand there without what they say. Take it
again once the hand is over; until then the answer is that the first of them is not as written.
"""


def bundle(evening: Evening, log: bytes) -> bytes:
    """The archive of an evening with its sealed log, the same bytes each time."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents(evening, log).items():
            entry = zipfile.ZipInfo(name, evening.ended.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = UNIX
            entry.external_attr = READABLE
            archive.writestr(entry, content)
    return made.getvalue()


def contents(evening: Evening, log: bytes) -> Mapping[str, bytes]:
    """The files of the archive by name."""
    return {
        "README.txt": (readme(evening) + not_yet(log)).encode("utf-8"),
        "log.jsonl": log,
        "results.csv": csv.results(evening.report),
        "lines.csv": csv.lines(evening.report),
        "report.json": as_json(evening.report),
        "results.xlsx": workbook(evening),
        "sheet.pdf": score_sheet(evening),
        "verify.py": VERIFIER,
    }


def readme(evening: Evening) -> str:
    """What each file is, and how to prove that the log is whole."""
    version, head = evening.position
    place = f", {evening.about['place']}" if evening.about["place"] else ""
    return README.format(
        title=evening.about["title"] + place,
        hours=evening.hours,
        players=", ".join(evening.players),
        count=version,
        head=head,
    )


def not_yet(log: bytes) -> str:
    """What the README says beside, where some events of the log are masked; else nothing."""
    many = log.count(MASKED)
    return FACE_DOWN.format(many="1 event" if many == 1 else f"{many} events") if many else ""
