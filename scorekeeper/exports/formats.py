"""The formats in which an evening is taken away, by name."""

from collections.abc import Callable, Mapping
from typing import Final

from scorekeeper.exports import csv
from scorekeeper.exports.bundle import bundle
from scorekeeper.exports.evening import Evening
from scorekeeper.exports.ics import calendar
from scorekeeper.exports.pdf import score_sheet
from scorekeeper.exports.xlsx import workbook

# Each is made of an evening and its sealed log.
FORMATS: Final[Mapping[str, Callable[[Evening, bytes], bytes]]] = {
    "results": lambda evening, log: csv.results(evening.report),
    "lines": lambda evening, log: csv.lines(evening.report),
    "xlsx": lambda evening, log: workbook(evening),
    "pdf": lambda evening, log: score_sheet(evening),
    "zip": bundle,
    "ics": lambda evening, log: calendar(evening),
}
