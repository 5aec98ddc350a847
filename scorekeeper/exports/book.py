"""A workbook whose rows are written whole, from top to bottom.

The library lets cells be of any kind and come in any order, and so looks at each of them several
times. Ours are texts and figures in their order: hundreds of thousands of them are written in a
fifth of the time.
"""

from collections.abc import Iterable
from functools import cache
from html import escape
from io import BytesIO
from typing import Final, Self

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

from scorekeeper.exports.csv import CsvCell
from scorekeeper.exports.filenames import in_its_own_direction, unturned

Looked = tuple[CsvCell, Format | None]

LONGEST: Final = 32_767  # characters of a cell, as UTF-16 counts them
MOST_ROWS: Final = 1_048_576

column = cache(xl_col_to_name)  # by its number


class TextSheet(Worksheet):  # type: ignore[misc]
    """A sheet of such rows: a text is a text, whatever it looks like, and a figure a number."""

    def __init__(self) -> None:
        super().__init__()
        self.down = 0
        self.rows: list[str] = []
        self.texts: dict[str, int] = {}

    def add(self, cells: Iterable[Looked] = (), height: float = 0) -> None:
        """Write the next row, of a height in points; what is None or empty has no cell.

        Rows for which a sheet has no room are left out.
        """
        if self.down == MOST_ROWS:
            return
        self.down += 1
        along, made = 0, []
        for along, (cell, look) in enumerate(cells):
            if cell is None or cell == "":
                continue
            where = f'<c r="{column(along)}{self.down}"'
            if look:
                where += f' s="{look._get_xf_index()}"'  # noqa: SLF001
            if isinstance(cell, str):
                made.append(f'{where} t="s"><v>{self._text(cell)}</v></c>')
            else:
                made.append(f"{where}><v>{+cell}</v></c>")
        if made:
            high = f' ht="{height:g}" customHeight="1"' if height else ""
            self.rows.append(f'<row r="{self.down}"{high}>{"".join(made)}</row>')
            self._check_dimensions(self.down - 1, 0)
            self._check_dimensions(self.down - 1, along)

    def _text(self, text: str) -> int:
        """The number of a text in the table that all sheets share."""
        if text in self.texts:
            self.str_table.count += 1
        else:
            number = self.str_table._get_shared_string_index(plain(text))  # noqa: SLF001
            self.texts[text] = number
        return self.texts[text]

    def _write_rows(self) -> None:
        self.fh.write("".join(self.rows))


class Book(Workbook):  # type: ignore[misc]
    """A workbook of such sheets, which is made in memory."""

    worksheet_class = TextSheet

    def __init__(self) -> None:
        self.made = BytesIO()
        super().__init__(self.made, {"in_memory": True})

    def __enter__(self) -> Self:
        return self


def plain(text: str) -> str:
    """A text as a cell holds it: it turns nothing around, and nothing in it is a sign.

    Names that run leftwards stay in the order of their list. What looks to the library like a text
    in several looks is one in a single look.

    >>> plain("<r>Mara</r>")
    '<r><t xml:space="preserve">&lt;r&gt;Mara&lt;/r&gt;</t></r>'
    """
    shown = _cut(text if text.isascii() else in_its_own_direction(unturned(text)))
    if shown.startswith("<r>") and shown.endswith("</r>"):
        return f'<r><t xml:space="preserve">{escape(shown, quote=False)}</t></r>'
    return shown


def _cut(text: str) -> str:
    """As much of a text as a cell holds."""
    if len(text) <= LONGEST // 2:
        return text
    return text.encode("utf-16-le")[: 2 * LONGEST].decode("utf-16-le", "ignore")
