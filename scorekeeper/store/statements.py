"""Every SQL statement, declared once and compiled to text for SQLite and PostgreSQL.

The store runs these texts on the driver's own connection: to build and compile a statement with
SQLAlchemy, or to make objects of rows, takes longer than the database itself.
"""

from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    ColumnClause,
    Dialect,
    Executable,
    LargeBinary,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal_column,
    null,
    or_,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql import psycopg
from sqlalchemy.sql.compiler import Compiled

from scorekeeper.store.tables import (
    CODES,
    DELETED,
    EVENINGS,
    EVENTS,
    FOLLOWED,
    HELD,
    HOST_AGREEMENTS,
    HOST_REQUESTS,
    HOST_SEATS,
    KEYS,
    LIMITS,
    PUBLICATIONS,
    RECORDERS,
    REQUESTS,
    SESSIONS,
)

SESSION: Final[BindParameter[str]] = bindparam("session")
ONE: Final[ColumnClause[int]] = literal_column("1")
ZERO: Final[ColumnClause[int]] = literal_column("0")  # without it SQLite binds a parameter
_E, _R, _K, _L, _C, _H = EVENTS.c, REQUESTS.c, KEYS.c, LIMITS.c, CODES.c, HELD.c
_IN_SESSION: Final = _E.session == SESSION
_FIRST: Final = EVENTS.alias("first").c
_LAST: Final = EVENTS.alias("last").c

# ------------------------------------------------------------------------------------ streams

INSERT_SESSION: Final = insert(SESSIONS)
INSERT_EVENT: Final = insert(EVENTS)

# Not max(seq): PostgreSQL may answer that by reading the whole stream.
POSITION: Final = (
    select(_E.seq, _E.hash).where(_IN_SESSION).order_by(_E.seq.desc()).limit(ONE).offset(ZERO)
)

# Includes the event ``after`` itself: its hash is the head if it is the last event.
LINES_FROM: Final = (
    select(_E.seq, _E.hash, _E.line)
    .where(_IN_SESSION, _E.seq >= bindparam("after"), _E.seq <= bindparam("upto"))
    .order_by(_E.seq)
)

HASH_AT: Final = select(_E.hash).where(_IN_SESSION, _E.seq == bindparam("seq"))
ROWS: Final = (
    select(_E.line, _E.seq, _E.type, _E.at, _E.by, _E.hash)
    .where(_IN_SESSION, _E.seq > bindparam("after"))
    .order_by(_E.seq)
)

SESSION_IDS: Final = select(SESSIONS.c.id, SESSIONS.c.created).order_by(
    SESSIONS.c.created, SESSIONS.c.id
)
_ITS_LAST: Final = (
    select(_E.seq)
    .where(_E.session == SESSIONS.c.id)
    .correlate(SESSIONS)
    .order_by(_E.seq.desc())
    .limit(ONE)
    .offset(ZERO)
)
LISTED: Final = (
    select(SESSIONS.c.id, SESSIONS.c.created, _LAST.seq, _LAST.hash, _FIRST.line)
    .where(
        _FIRST.session == SESSIONS.c.id,
        _FIRST.seq == ONE,
        _LAST.session == SESSIONS.c.id,
        _LAST.seq == _ITS_LAST.scalar_subquery(),
    )
    .order_by(SESSIONS.c.created, SESSIONS.c.id)
)

# ------------------------------------------------------------------------------------ deleted

_D: Final = DELETED.c
INSERT_DELETED: Final = insert(DELETED)
DELETED_AT: Final = select(_D.at).where(_D.id == SESSION)
ALL_DELETED: Final = select(_D.id, _D.at).order_by(_D.at, _D.id)

# ----------------------------------------------------------------------------------- evenings

# Queries for many sessions have a fixed number of parameters, so that their text is compiled once.
# A shorter list is filled up with repetitions.
SESSIONS_PER_QUERY: Final = 100
SESSION_BATCH: Final[list[BindParameter[str]]] = [
    bindparam(f"session{place}") for place in range(SESSIONS_PER_QUERY)
]
ENDS: Final = select(SESSIONS.c.id, _LAST.seq, _LAST.hash).where(
    SESSIONS.c.id.in_(SESSION_BATCH),
    _LAST.session == SESSIONS.c.id,
    _LAST.seq == _ITS_LAST.scalar_subquery(),
)
KEPT_EVENINGS: Final = select(EVENINGS.c.session, EVENINGS.c.head, EVENINGS.c.told).where(
    EVENINGS.c.session.in_(SESSION_BATCH)
)
DELETED_OF: Final = select(_D.id, _D.at).where(_D.id.in_(SESSION_BATCH))
KEEP_EVENING: Final = insert(EVENINGS)
FORGET_EVENING: Final = delete(EVENINGS).where(
    EVENINGS.c.session == SESSION, EVENINGS.c.head == bindparam("head")
)

# ----------------------------------------------------------------------------------- followed

_F: Final = FOLLOWED.c
_ITS_FOLLOWED: Final = (_F.session, _F.club, _F.key, _F.version, _F.head)
_BY_KEY: Final = (KEYS.c.session == _F.session) & (KEYS.c.id == _F.key)

# Includes the times when the key was revoked and when it expires.
FOLLOWED_BY: Final = (
    select(*_ITS_FOLLOWED, KEYS.c.revoked, KEYS.c.expires)
    .join_from(FOLLOWED, KEYS, _BY_KEY, isouter=True)
    .where(_F.club == bindparam("club"))
)
FOLLOWERS_OF: Final = (
    select(*_ITS_FOLLOWED, KEYS.c.revoked, KEYS.c.expires)
    .join_from(FOLLOWED, KEYS, _BY_KEY, isouter=True)
    .where(_F.session == SESSION)
    .order_by(_F.club, _F.key)
)
INSERT_FOLLOWED: Final = insert(FOLLOWED)
_STOP: Final[dict[str, Any]] = {"version": bindparam("at_version"), "head": bindparam("at_head")}
# SQLite has the same clause.
FOLLOW: Final = (
    postgresql.insert(FOLLOWED)
    .values(session=SESSION, club=bindparam("club"), key=bindparam("key"))
    .on_conflict_do_update(
        index_elements=[_F.session, _F.club, _F.key], set_={"version": null(), "head": null()}
    )
)
STOP_FOLLOWED: Final = (
    FOLLOWED.update()
    .where(
        _F.session == SESSION, _F.club == bindparam("of_club"), _F.key == bindparam("by_key"),
        _F.version.is_(None),
    )
    .values(_STOP)
)  # fmt: skip
# The first event of a session that was recorded at a time or later.
FIRST_SINCE: Final = select(func.min(_E.seq)).where(_IN_SESSION, _E.at >= bindparam("since"))

# ----------------------------------------------------------------------------------- requests

INSERT_RECORDER: Final = insert(RECORDERS)
RECORDERS_OF: Final = (
    select(RECORDERS.c.seq, RECORDERS.c.key)
    .where(RECORDERS.c.session == SESSION)
    .order_by(RECORDERS.c.seq)
)
INSERT_REQUEST: Final = insert(REQUESTS)
REQUEST: Final = select(_R.digest, _R.version, _R.status, _R.answer).where(
    _R.session == SESSION, _R.key == bindparam("key")
)
REQUESTS_OF: Final = (
    select(_R.key, _R.digest, _R.version, _R.status, _R.answer)
    .where(_R.session == SESSION)
    .order_by(_R.version, _R.key)
)
LAST_ANSWERED: Final = select(func.max(_R.version)).where(_R.session == SESSION)

# --------------------------------------------------------------------------------------- keys

INSERT_KEY: Final = insert(KEYS)
_KEY: Final = (
    _K.id, _K.session, _K.role, _K.player, _K.created, _K.expires, _K.revoked, _K.last_used,
)  # fmt: skip
KEY_OF_SECRET: Final = select(*_KEY).where(_K.digest == bindparam("digest"))
_ITS_KEY: Final = (_K.session == SESSION) & (_K.id == bindparam("key"))
KEY: Final = select(*_KEY).where(_ITS_KEY)
# The end of a session, the stored answer to a request (nulls if there is none), and the key of the
# request (nulls if there is none).
END_AND_REQUEST: Final = (
    select(_E.seq, _E.hash, _R.digest, _R.version, _R.status, _R.answer, *_KEY)
    .join_from(
        EVENTS, REQUESTS, (_R.session == _E.session) & (_R.key == bindparam("key")), isouter=True
    )
    .outerjoin(KEYS, (_K.session == bindparam("of")) & (_K.id == bindparam("by")))
    .where(_IN_SESSION)
    .order_by(_E.seq.desc())
    .limit(ONE)
    .offset(ZERO)
)
KEYS_OF: Final = select(*_KEY).where(_K.session == SESSION).order_by(_K.created, _K.id)
KEYS_WITH_DIGESTS: Final = (
    select(*_KEY, _K.digest).where(_K.session == SESSION).order_by(_K.created, _K.id)
)
# The keys of any session that have an id or a secret.
KEYS_LIKE: Final = select(_K.session, _K.id).where(
    or_(_K.id == bindparam("key"), _K.digest == bindparam("digest"))
)
REVOKE_KEY: Final = (
    KEYS.update().where(_ITS_KEY, _K.revoked.is_(None)).values(revoked=bindparam("now"))
)
TOUCH_KEY: Final = KEYS.update().where(_ITS_KEY).values(last_used=bindparam("now"))

# --------------------------------------------------------------------------------------- held

_PHONE: Final[BindParameter[bytes]] = bindparam("phone")
_THE_KEY: Final = (_K.session == _H.session) & (_K.id == _H.key)
_USED: Final = func.coalesce(_K.last_used, _K.created)

HOLD: Final = insert(HELD)
RELEASE_KEY: Final = delete(HELD).where(_H.phone == _PHONE, _H.session == SESSION)
HELD_KEY: Final = (
    select(*_KEY)
    .join_from(HELD, KEYS, _THE_KEY)
    .where(_H.phone == _PHONE, _H.session == SESSION, _K.session == SESSION)
)
HELD_KEYS: Final = (
    select(*_KEY)
    .join_from(HELD, KEYS, _THE_KEY)
    .where(_H.phone == _PHONE)
    .order_by(_USED.desc(), _K.id)
    .limit(bindparam("most"))
    .offset(ZERO)
)
_BEFORE: Final = HELD.alias("before_").c
_PRESENT: Final = HELD.alias("present_").c
# Copies the keys that a phone holds by its earlier secret, except to sessions to which it holds a
# key by the new secret.
HOLD_AS_BEFORE: Final = (
    postgresql.insert(HELD)
    .from_select(
        ["phone", "session", "key"],
        select(bindparam("phone", type_=LargeBinary), _BEFORE.session, _BEFORE.key).where(
            _BEFORE.phone == bindparam("before"),
            ~select(ONE)
            .where(
                _PRESENT.phone == bindparam("phone", type_=LargeBinary),
                _PRESENT.session == _BEFORE.session,
            )
            .correlate(_BEFORE.phone.table)
            .exists(),
        ),
    )
    .on_conflict_do_nothing()
)
FORGET_PHONE: Final = delete(HELD).where(_H.phone == bindparam("before"))
HELD_OF: Final = select(_H.phone, _H.key).where(_H.session == SESSION).order_by(_H.phone)
FORGET_HELD: Final = delete(HELD).where(
    _H.phone == _PHONE,
    select(ONE).where(_THE_KEY, bindparam("since") > _USED).correlate(HELD).exists(),
)

# --------------------------------------------------------------------------------- new host

_HR, _HA, _HS = HOST_REQUESTS.c, HOST_AGREEMENTS.c, HOST_SEATS.c
_KEY_HERE: Final[Any] = {"session": SESSION, "key": bindparam("key")}

HOST_REQUEST: Final = select(_HR.id, _HR.key, _HR.asked, _HR.ended, _HR.outcome).where(
    _HR.session == SESSION
)
INSERT_HOST_REQUEST: Final = insert(HOST_REQUESTS)
END_HOST_REQUEST: Final = (
    HOST_REQUESTS.update()
    .where(_HR.session == SESSION, _HR.ended.is_(None))
    .values(ended=bindparam("now"), outcome=bindparam("how"))
)
FORGET_HOST_REQUEST: Final = delete(HOST_REQUESTS).where(_HR.session == SESSION)
AGREEMENTS_OF: Final = select(_HA.key).where(_HA.session == SESSION)
# SQLite has the same clause, here and below.
AGREE: Final = postgresql.insert(HOST_AGREEMENTS).values(_KEY_HERE).on_conflict_do_nothing()
FORGET_AGREEMENTS: Final = delete(HOST_AGREEMENTS).where(_HA.session == SESSION)
HOST_SEATS_OF: Final = select(_HS.key).where(_HS.session == SESSION)
MARK_HOST_SEAT: Final = postgresql.insert(HOST_SEATS).values(_KEY_HERE).on_conflict_do_nothing()
UNMARK_HOST_SEAT: Final = delete(HOST_SEATS).where(
    _HS.session == SESSION, _HS.key == bindparam("key")
)

# ------------------------------------------------------------------------------- publications

_P: Final = PUBLICATIONS.c
_LATER: Final = PUBLICATIONS.alias("later").c
_ITS_PUBLICATION: Final = (
    _P.session, _P.number, _P.address, _P.created, _P.ended, _P.names, _P.parents,
    _P.left_out,
)  # fmt: skip
PUBLICATIONS_OF: Final = select(*_ITS_PUBLICATION).where(_P.session == SESSION).order_by(_P.number)
# The publication that an address opens: the latest of its stream.
PUBLICATION_AT: Final = select(*_ITS_PUBLICATION).where(
    _P.address == bindparam("address"),
    _P.ended.is_(None),
    ~select(ONE)
    .where(_LATER.session == _P.session, _LATER.number > _P.number)
    .correlate(PUBLICATIONS)
    .exists(),
)
PUBLISHED_ADDRESS: Final = select(_P.session).where(_P.address == bindparam("address"))
INSERT_PUBLICATION: Final = insert(PUBLICATIONS)
# Only in a copy that will replace the database.
FORGET_PUBLICATIONS: Final = delete(PUBLICATIONS).where(_P.session == SESSION)
_OPEN_ADDRESS: Final = (
    (_P.session == SESSION) & (_P.address == bindparam("of_address")) & _P.ended.is_(None)
)
CHANGE_PUBLICATION: Final = (
    PUBLICATIONS.update()
    .where(_OPEN_ADDRESS)
    .values(
        names=bindparam("to_names"),
        parents=bindparam("to_parents"),
        left_out=bindparam("to_left_out"),
    )
)
END_PUBLICATION: Final = PUBLICATIONS.update().where(_OPEN_ADDRESS).values(ended=bindparam("now"))

# -------------------------------------------------------------------------------------- codes

INSERT_CODE: Final = insert(CODES)
CODE: Final = select(_C.session, _C.expires).where(_C.digest == bindparam("digest"))
END_CODE: Final = delete(CODES).where(_C.session == SESSION)
FORGET_CODES: Final = delete(CODES).where(
    or_(_C.session == SESSION, _C.expires <= bindparam("now"))
)

# ------------------------------------------------------------------------------------- limits

_NOW: Final[BindParameter[str]] = bindparam("now")
_OVER: Final = or_(_L.started <= bindparam("since"), _L.started > _NOW)  # or the clock went back
_SAME: Final = (_L.kind == bindparam("kind")) & (_L.subject == bindparam("subject"))

LIMIT: Final = select(_L.started, _L.count).where(_SAME)
FORGET_LIMITS: Final = delete(LIMITS).where(_L.kind == bindparam("kind"), _OVER)


# Counts one more act; starts at 1 if there is no window or it is over. SQLite has the same clause.
HIT: Final = (
    postgresql.insert(LIMITS)
    .values(kind=bindparam("kind"), subject=bindparam("subject"), started=_NOW, count=ONE)
    .on_conflict_do_update(
        index_elements=[_L.kind, _L.subject],
        set_={
            "started": case((_OVER, _NOW), else_=_L.started),
            "count": case((_OVER, ONE), else_=_L.count + ONE),
        },
    )
)

# ----------------------------------------------------------------------------------- the texts


class Texts(dict[Executable, str]):
    """The texts of the statements for one database driver, each compiled at its first use."""

    def __init__(self, dialect: Dialect) -> None:
        super().__init__()
        self._dialect = dialect

    def __missing__(self, statement: Executable) -> str:
        """Compile a statement at its first use, and store its text."""
        compiled: Compiled = statement.compile(dialect=self._dialect)  # type: ignore[attr-defined]
        self[statement] = str(compiled)
        return self[statement]


SQLITE: Final = Texts(sqlite.dialect(paramstyle="named"))
POSTGRESQL: Final = Texts(psycopg.dialect())  # type: ignore[no-untyped-call]
