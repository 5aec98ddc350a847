"""Names of files, from the day and the title of a session; and bidirectional text."""

import re
import unicodedata
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Final
from urllib.parse import quote

from scorekeeper.languages.reader import Reader
from scorekeeper.report.span import DayOfPlay, find_day
from scorekeeper.session.session import Session

MAX_TITLE_LENGTH: Final = 40  # characters of a title
# Controls that change the direction of a whole line.
BIDI_CONTROLS: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
LETTERS: Final = r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]++"
# Names in right-to-left scripts.
NAME: Final = re.compile(rf"{LETTERS}(?:[\s.'’-]+{LETTERS})*+")
LEFT_TO_RIGHT: Final = "\u200e"  # an invisible mark: text after it runs from left to right
# The range of times in a ZIP archive.
EARLIEST: Final = datetime(1980, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(2107, 12, 31, 23, 59, 58, tzinfo=UTC)


def parse_time(at: str) -> datetime:
    """Parse a time of a log, limited to the range that every kind of file can store."""
    return max(EARLIEST, min(LATEST, datetime.fromisoformat(at)))


def file_name(title: str, day: date | None, session_id: str) -> str:
    """Return the common beginning of the names of files: only letters, digits and dashes.

    It is the day and the title, or the id if the title has no letters and digits.
    """
    return (f"{day}-" if day else "") + (slug(title) or session_id)


def get_day(played: DayOfPlay, reader: Reader) -> date | None:
    """Return a day of play in the reader's time zone; None if it is unknown.

    A day that follows from a time is limited to the range that every kind of file can store.
    """
    if not played.date and played.at:
        return reader.to_local_time(parse_time(played.at)).date()
    return date.fromisoformat(played.date) if played.date else None


def session_filename(session: Session, reader: Reader, session_id: str) -> str:
    """Return the common beginning of the names of the files of a session."""
    opened, day = session.structure.opened, get_day(find_day(session), reader)
    return file_name(opened.title if opened else "", day, session_id)


def slug(text: str) -> str:
    """Return the letters and digits of a text, with dashes in place of other characters.

    >>> slug("  Venerdì, da Mara (2)!"), slug("../../etc"), slug("🎉")
    ('venerdì-da-mara-2', 'etc', '')
    """
    normal = unicodedata.normalize("NFC", text).lower()
    words = ("".join(run) for is_word, run in groupby(normal, str.isalnum) if is_word)
    return "-".join(words)[:MAX_TITLE_LENGTH].strip("-")


def strip_bidi(text: str) -> str:
    """Remove the controls of bidirectional text, which would affect the text around this one.

    >>> strip_bidi("\u202eMara")
    'Mara'
    """
    return text if text.isascii() else BIDI_CONTROLS.sub("", text)


def content_disposition(name: str) -> str:
    r"""Return the Content-Disposition header for a file (RFC 6266), with an ASCII fallback.

    >>> content_disposition("venerdì.csv")
    'attachment; filename="venerdi.csv"; filename*=UTF-8\'\'venerd%C3%AC.csv'
    """
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    ascii_name = "".join(char for char in ascii_name if char.isalnum() or char in "-._")
    extended = f"; filename*=UTF-8''{quote(name, safe='')}" if ascii_name != name else ""
    return f'attachment; filename="{ascii_name}"{extended}'


def keep_own_direction(text: str) -> str:
    """Return a text in which right-to-left names do not reorder the text after them."""
    return NAME.sub(rf"\g<0>{LEFT_TO_RIGHT}", text).removesuffix(LEFT_TO_RIGHT)
