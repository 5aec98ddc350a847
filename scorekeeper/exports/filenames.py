"""What a file is called: by the day of its evening and the title that the table gave it."""

import re
import unicodedata
from datetime import UTC, datetime
from itertools import groupby
from typing import Final
from urllib.parse import quote

from scorekeeper.languages.reader import Reader
from scorekeeper.report.span import began
from scorekeeper.session.session import Session

LONGEST: Final = 40  # characters of a title
# What would turn a whole line around.
TURNS: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
LETTERS: Final = r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]++"
# What runs leftwards, such as a name.
NAME: Final = re.compile(rf"{LETTERS}(?:[\s.'’-]+{LETTERS})*+")
RIGHTWARDS: Final = "\u200e"  # a mark without a shape: what comes next runs to the right again
# The years that a file in a zip archive can be of.
EARLIEST: Final = datetime(1980, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(2107, 12, 31, 23, 59, 58, tzinfo=UTC)


def moment(at: str) -> datetime:
    """A time as a log writes it, so far as every kind of file can hold it."""
    return max(EARLIEST, min(LATEST, datetime.fromisoformat(at)))


def name_of(title: str, at: datetime | None, reader: Reader, session_id: str) -> str:
    """The name that all files of an evening begin with: letters, figures and dashes alone.

    It is the day as it was where the reader is, and the title; the id where the title has neither
    letters nor figures.
    """
    day = f"{reader.to_local_time(at):%Y-%m-%d}-" if at else ""
    return day + (slug(title) or session_id)


def named_by(session: Session, reader: Reader, session_id: str) -> str:
    """The same of a session."""
    opened, at = session.structure.opened, began(session)
    return name_of(opened.title if opened else "", moment(at) if at else None, reader, session_id)


def slug(text: str) -> str:
    """The letters and figures of a text, with a dash for what is between them.

    >>> slug("  Venerdì, da Mara (2)!"), slug("../../etc"), slug("🎉")
    ('venerdì-da-mara-2', 'etc', '')
    """
    found = unicodedata.normalize("NFC", text).lower()
    words = ("".join(run) for letters, run in groupby(found, str.isalnum) if letters)
    return "-".join(words)[:LONGEST].strip("-")


def unturned(text: str) -> str:
    """A text that turns nothing around that stands beside it.

    >>> unturned("\u202eMara")
    'Mara'
    """
    return text if text.isascii() else TURNS.sub("", text)


def disposition(name: str) -> str:
    r"""The header by which a file is kept under its name (RFC 6266), for old browsers in ASCII.

    >>> disposition("venerdì.csv")
    'attachment; filename="venerdi.csv"; filename*=UTF-8\'\'venerd%C3%AC.csv'
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = "".join(char for char in plain if char.isalnum() or char in "-._")
    more = f"; filename*=UTF-8''{quote(name, safe='')}" if plain != name else ""
    return f'attachment; filename="{plain}"{more}'


def in_its_own_direction(text: str) -> str:
    """A text with names that run leftwards, so that what follows one stands to the right of it."""
    return NAME.sub(rf"\g<0>{RIGHTWARDS}", text).removesuffix(RIGHTWARDS)
