"""The database tables. The database itself enforces their constraints: see the migrations.

Times are texts in the format of a log, which sort chronologically. The canonical line of an event
is authoritative; its other columns exist for queries.
"""

from typing import Any, ClassVar, Final

from sqlalchemy import CheckConstraint, Index, LargeBinary, Table
from sqlmodel import Field, SQLModel

from scorekeeper.store.contract import LONGEST_KEY, PUBLIC_NAMES, ROLES

SQLModel.metadata.naming_convention = {
    "pk": "pk_%(table_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
}

# In SQLite the rows are stored in the order of the primary key: a stream is read from neighbouring
# pages, an append writes one tree and not two, and no row can be replaced by its rowid.
CLUSTERED: Final[dict[str, Any]] = {"sqlite_with_rowid": False}

MAX_ID_CHARACTERS: Final = 32
ADDRESS_CHARACTERS: Final = 26  # the values of a column of 24 are times
MAX_PARENTS_CHARACTERS: Final = 2000
TIME_CHARACTERS: Final = 24  # of a time such as 2026-11-21T20:14:03.250Z


class SessionRow(SQLModel, table=True):
    """A session, or a club. The form of the id distinguishes them."""

    __tablename__ = "sessions"
    __table_args__: ClassVar = (
        CheckConstraint("length(id) between 8 and 32", name="id"),
        CheckConstraint("length(created) = 24", name="created"),
        CLUSTERED,
    )

    id: str = Field(primary_key=True, max_length=MAX_ID_CHARACTERS)
    created: str = Field(max_length=TIME_CHARACTERS)


class EventRow(SQLModel, table=True):
    """An event of a stream: its canonical line without the line feed, and fields of it."""

    __tablename__ = "events"
    __table_args__: ClassVar = (
        CheckConstraint("seq >= 1", name="seq"),
        CheckConstraint("length(type) between 1 and 64", name="type"),
        CheckConstraint("length(at) = 24", name="at"),
        CheckConstraint('length("by") between 1 and 32', name="by"),
        CheckConstraint("length(line) >= 2", name="line"),
        CheckConstraint("length(hash) = 64", name="hash"),
        CLUSTERED,
    )

    session: str = Field(primary_key=True, foreign_key="sessions.id", max_length=MAX_ID_CHARACTERS)
    seq: int = Field(primary_key=True)
    type: str = Field(max_length=64)
    at: str = Field(max_length=TIME_CHARACTERS)
    by: str = Field(max_length=32)
    line: bytes = Field(sa_type=LargeBinary)
    hash: str = Field(max_length=64)


class RequestRow(SQLModel, table=True):
    """An executed request: its idempotency key, the SHA-256 of its body, and its answer."""

    __tablename__ = "requests"
    __table_args__: ClassVar = (
        CheckConstraint(f"length(key) between 1 and {LONGEST_KEY}", name="key"),
        CheckConstraint("length(digest) = 32", name="digest"),
        CheckConstraint("version >= 1", name="version"),
        CheckConstraint("status between 200 and 599", name="status"),
        CLUSTERED,
    )

    session: str = Field(primary_key=True, foreign_key="sessions.id", max_length=MAX_ID_CHARACTERS)
    key: str = Field(primary_key=True, max_length=LONGEST_KEY)
    digest: bytes = Field(sa_type=LargeBinary)
    version: int
    status: int
    answer: bytes = Field(sa_type=LargeBinary)


class RecorderRow(SQLModel, table=True):
    """The key that recorded an event whose ``by`` does not name the recorder."""

    __tablename__ = "recorders"
    __table_args__: ClassVar = (CheckConstraint("seq >= 1", name="seq"), CLUSTERED)

    session: str = Field(primary_key=True, foreign_key="sessions.id", max_length=MAX_ID_CHARACTERS)
    seq: int = Field(primary_key=True)
    key: str = Field(max_length=MAX_ID_CHARACTERS)


class KeyRow(SQLModel, table=True):
    """A capability key, with the SHA-256 of its secret."""

    __tablename__ = "keys"
    __table_args__: ClassVar = (
        CheckConstraint(
            "role in ({})".format(", ".join(f"'{role}'" for role in ROLES)), name="role"
        ),
        CheckConstraint("(role = 'seat') = (player is not null)", name="player"),
        CheckConstraint("length(digest) = 32", name="digest"),
        Index(None, "session"),
        CLUSTERED,
    )

    id: str = Field(primary_key=True, max_length=MAX_ID_CHARACTERS)
    session: str = Field(foreign_key="sessions.id", max_length=MAX_ID_CHARACTERS)
    role: str = Field(max_length=8)
    player: str | None = Field(max_length=32)
    digest: bytes = Field(sa_type=LargeBinary, unique=True)
    created: str = Field(max_length=TIME_CHARACTERS)
    expires: str | None = Field(max_length=TIME_CHARACTERS)
    revoked: str | None = Field(max_length=TIME_CHARACTERS)
    last_used: str | None = Field(max_length=TIME_CHARACTERS)


class HeldRow(SQLModel, table=True):
    """The key to a session that a phone holds; ``phone`` is the SHA-256 of the phone's secret."""

    __tablename__ = "held"
    __table_args__: ClassVar = (
        CheckConstraint("length(phone) = 32", name="phone"),
        Index(None, "session"),
        CLUSTERED,
    )

    phone: bytes = Field(primary_key=True, sa_type=LargeBinary)
    session: str = Field(primary_key=True, foreign_key="sessions.id", max_length=MAX_ID_CHARACTERS)
    key: str = Field(max_length=MAX_ID_CHARACTERS)


class CodeRow(SQLModel, table=True):
    """The SHA-256 of the current code to join a session."""

    __tablename__ = "codes"
    __table_args__: ClassVar = (CheckConstraint("length(digest) = 32", name="digest"), CLUSTERED)

    session: str = Field(primary_key=True, foreign_key="sessions.id", max_length=MAX_ID_CHARACTERS)
    digest: bytes = Field(sa_type=LargeBinary, unique=True)
    expires: str = Field(max_length=TIME_CHARACTERS)


class LimitRow(SQLModel, table=True):
    """The number of acts of a subject since its window began; ``subject`` is a SHA-256."""

    __tablename__ = "limits"
    __table_args__: ClassVar = (
        CheckConstraint("length(subject) = 32", name="subject"),
        CheckConstraint("count >= 1", name="count"),
        CLUSTERED,
    )

    kind: str = Field(primary_key=True, max_length=32)
    subject: bytes = Field(primary_key=True, sa_type=LargeBinary)
    started: str = Field(max_length=TIME_CHARACTERS)
    count: int


class EveningRow(SQLModel, table=True):
    """The result of a session for its clubs, by head: a cache, which may be emptied."""

    __tablename__ = "evenings"
    __table_args__: ClassVar = (
        CheckConstraint("length(head) = 64", name="head"),
        CheckConstraint("length(told) >= 2", name="told"),
        CLUSTERED,
    )

    session: str = Field(primary_key=True, foreign_key="sessions.id", max_length=MAX_ID_CHARACTERS)
    head: str = Field(primary_key=True, max_length=64)
    told: bytes = Field(sa_type=LargeBinary)


class FollowedRow(SQLModel, table=True):
    """A session that a club may read by a key.

    ``key`` is empty if the session was entered without a key, as by the host, and ``-`` if the
    club may not read it, since its log was imported without a key to it. ``version`` and ``head``
    are the last position that the club may read; they are set when the key is revoked, or the host
    of the session stops the club.
    """

    __tablename__ = "followed"
    __table_args__: ClassVar = (
        CheckConstraint("length(club) between 8 and 32", name="club"),
        CheckConstraint("version >= 1", name="version"),
        CheckConstraint("length(head) = 64", name="head"),
        CheckConstraint("(version is null) = (head is null)", name="stop"),
        Index(None, "club"),
        CLUSTERED,
    )

    session: str = Field(primary_key=True, foreign_key="sessions.id", max_length=MAX_ID_CHARACTERS)
    club: str = Field(primary_key=True, max_length=MAX_ID_CHARACTERS)
    key: str = Field(primary_key=True, max_length=MAX_ID_CHARACTERS)
    version: int | None
    head: str | None = Field(max_length=64)


class HostRequestRow(SQLModel, table=True):
    """The latest request of a seat to become the host of a session.

    ``key`` is the key of the seat that asks. ``outcome`` is how the request ended.
    """

    __tablename__ = "host_requests"
    __table_args__: ClassVar = (
        CheckConstraint("length(asked) = 24", name="asked"),
        CheckConstraint("(ended is null) = (outcome is null)", name="outcome"),
        CLUSTERED,
    )

    session: str = Field(primary_key=True, foreign_key="sessions.id", max_length=MAX_ID_CHARACTERS)
    id: str = Field(max_length=MAX_ID_CHARACTERS)
    key: str = Field(max_length=MAX_ID_CHARACTERS)
    asked: str = Field(max_length=TIME_CHARACTERS)
    ended: str | None = Field(max_length=TIME_CHARACTERS)
    outcome: str | None = Field(max_length=16)


class HostAgreementRow(SQLModel, table=True):
    """A key to a seat that agreed to the latest request to become the host of its session."""

    __tablename__ = "host_agreements"
    __table_args__: ClassVar = (CLUSTERED,)

    session: str = Field(primary_key=True, foreign_key="sessions.id", max_length=MAX_ID_CHARACTERS)
    key: str = Field(primary_key=True, max_length=MAX_ID_CHARACTERS)


class HostSeatRow(SQLModel, table=True):
    """A key to a seat that a phone holds beside a host's key."""

    __tablename__ = "host_seats"
    __table_args__: ClassVar = (CLUSTERED,)

    session: str = Field(primary_key=True, foreign_key="sessions.id", max_length=MAX_ID_CHARACTERS)
    key: str = Field(primary_key=True, max_length=MAX_ID_CHARACTERS)


class DeletedRow(SQLModel, table=True):
    """A session or club that the operator deleted, and when. Nothing else of it is left."""

    __tablename__ = "deleted"
    __table_args__: ClassVar = (
        CheckConstraint("length(id) between 8 and 32", name="id"),
        CheckConstraint("length(at) = 24", name="at"),
        CLUSTERED,
    )

    id: str = Field(primary_key=True, max_length=MAX_ID_CHARACTERS)
    at: str = Field(max_length=TIME_CHARACTERS)


class PublicationRow(SQLModel, table=True):
    """A public address of a stream.

    The one with the highest ``number`` opens the stream's public page, unless it has ended.
    ``parents`` are the origins whose pages may frame that page, separated by spaces.
    ``left_out`` is the part that the page does not show.
    """

    __tablename__ = "publications"
    __table_args__: ClassVar = (
        CheckConstraint("number >= 1", name="number"),
        CheckConstraint("length(address) = 26", name="address"),
        CheckConstraint("length(created) = 24", name="created"),
        CheckConstraint(
            "names in ({})".format(", ".join(f"'{names}'" for names in PUBLIC_NAMES)), name="names"
        ),
        CLUSTERED,
    )

    session: str = Field(primary_key=True, foreign_key="sessions.id", max_length=MAX_ID_CHARACTERS)
    number: int = Field(primary_key=True)
    address: str = Field(max_length=ADDRESS_CHARACTERS, unique=True)
    created: str = Field(max_length=TIME_CHARACTERS)
    ended: str | None = Field(max_length=TIME_CHARACTERS)
    names: str = Field(max_length=8)
    parents: str = Field(max_length=MAX_PARENTS_CHARACTERS)
    left_out: str = Field(max_length=16, sa_column_kwargs={"server_default": ""})


def table(row: type[SQLModel]) -> Table:
    """Return SQLAlchemy's table for a class of rows."""
    return SQLModel.metadata.tables[str(row.__tablename__)]


METADATA: Final = SQLModel.metadata
SESSIONS: Final = table(SessionRow)
EVENTS: Final = table(EventRow)
REQUESTS: Final = table(RequestRow)
RECORDERS: Final = table(RecorderRow)
KEYS: Final = table(KeyRow)
HELD: Final = table(HeldRow)
CODES: Final = table(CodeRow)
LIMITS: Final = table(LimitRow)
EVENINGS: Final = table(EveningRow)
FOLLOWED: Final = table(FollowedRow)
HOST_REQUESTS: Final = table(HostRequestRow)
HOST_AGREEMENTS: Final = table(HostAgreementRow)
HOST_SEATS: Final = table(HostSeatRow)
DELETED: Final = table(DeletedRow)
PUBLICATIONS: Final = table(PublicationRow)
