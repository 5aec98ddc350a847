"""The complete stored data of a session, as in a backup, and checks of its consistency."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scorekeeper.base.errors import UnusableBackupError, UnusableError, expected, printable, shown
from scorekeeper.base.origins import are_origins
from scorekeeper.log.reading import is_author, is_time
from scorekeeper.store import keyring, streams
from scorekeeper.store.contract import (
    LEFT_OUT,
    PUBLIC_NAMES,
    ROLES,
    Fits,
    Followed,
    Key,
    LogCheck,
    Position,
    Publication,
    StoredLine,
    any_answer,
)
from scorekeeper.store.streams import Done

MAX_TYPE_CHARACTERS: Final = 64
DIGEST_BYTES: Final = 32  # of a SHA-256
JOINS: Final = ("session_opened", "player_joined", "member_joined", "entrant_registered",
                "entrant_replaced")  # fmt: skip
CORRECTS: Final = ("event_inserted", "event_replaced")
KEEPER: Final = "keeper"
# The events with which a club enters a stream, and the field that names it.
ENTERS: Final = {"evening_entered": "session", "tournament_entered": "tournament"}
FOLLOWING: Final = (keyring.StreamKind.CLUB, keyring.StreamKind.TOURNAMENT)  # of sessions


# The keys of a session, each with the SHA-256 of its secret; the phones that hold them, each as the
# SHA-256 of its secret with the id of its key; the clubs that may read the session; its public
# addresses.
Rights = tuple[
    tuple[tuple[Key, bytes], ...],
    tuple[tuple[bytes, str], ...],
    tuple[Followed, ...],
    tuple[Publication, ...],
]


@dataclass(frozen=True, slots=True)
class Kept:
    """A session or club with all its stored data."""

    id: str
    created: str
    lines: tuple[StoredLine, ...]
    requests: Mapping[str, Done]  # by idempotency key
    keys: tuple[tuple[Key, bytes], ...]  # each with the SHA-256 of its secret
    phones: tuple[tuple[bytes, str], ...] = ()  # SHA-256 of a phone's secret, and its key's id
    clubs: tuple[Followed, ...] = ()  # the clubs that may read it
    publications: tuple[Publication, ...] = ()  # its public addresses
    recorders: tuple[tuple[int, str], ...] = ()  # the seq of an event, and the id of its key

    @property
    def position(self) -> Position:
        """The end of its stream."""
        return streams.find_end(self.lines)


def refuse_unfit(kept: Kept, fits: Fits = any_answer) -> None:
    """Raise `UnusableBackupError`, with the place, if the data of a session are inconsistent.

    ``streams.check_lines`` verifies the hash chain and the columns; this function does not.
    """
    for complaint in complaints(kept, fits):
        raise UnusableBackupError(f"session {named(kept.id)}: {complaint}")


def refuse_unusable(kept: Kept, usable: LogCheck) -> None:
    """Raise `UnusableBackupError`, with the event at fault, if the log of a session is unusable."""
    kind = keyring.kind_of(kept.id)
    try:
        usable(kept.id, kept.lines)
    except UnusableError as error:
        where = f"{kind} {kept.id}, event {error.line}"
        raise UnusableBackupError(f"{where}: the log cannot be used: {error.reason}") from error


def complaints(kept: Kept, fits: Fits) -> Iterator[str]:
    """Yield an English description of each inconsistency in the data of a session."""
    if type(kept.id) is not str or keyring.kind_of(kept.id) is None:
        yield "its id is malformed"
    if not _is_time(kept.created):
        yield f"created: {expected('a time', kept.created)}"
    if not kept.lines:
        yield "it has no event"
        return
    for line in kept.lines:
        printable = line.type.isascii() and line.type.isprintable()
        if not (printable and 0 < len(line.type) <= MAX_TYPE_CHARACTERS):
            yield f"event {line.seq}: its type is malformed"
    requests_of_version = Counter(done.version for done in kept.requests.values())
    for name, done in kept.requests.items():
        for complaint in _check_request(name, done, kept.lines, fits):
            yield f"request {named(name)}: {complaint}"
        if requests_of_version[done.version] > 1:
            yield f"request {named(name)}: another request also made version {done.version}"
    yield from _check_keys(kept)
    yield from _check_phones(kept)
    yield from _check_recorders(kept)
    yield from _check_clubs(kept)
    yield from _check_publications(kept)


def _check_keys(kept: Kept) -> Iterator[str]:
    """Yield a description of each inconsistency of the keys."""
    players = find_players(kept.lines)
    if keyring.is_tournament(kept.id):
        players.add(KEEPER)  # the seat of its assistants
    for key, digest in kept.keys:
        for complaint in _check_key(key, digest, kept.id, players):
            yield f"key {named(key.id)}: {complaint}"


def _check_phones(kept: Kept) -> Iterator[str]:
    """Yield a description of each phone that holds no key of the session, or is malformed."""
    ids = {key.id for key, _ in kept.keys}
    for phone, held in kept.phones:
        if not _is_digest(phone) or held not in ids:
            yield f"a phone holds key {named(held)}: the key is missing, or the phone is malformed"
    if len(dict(kept.phones)) != len(kept.phones):
        yield "a phone is there twice"


def _check_recorders(kept: Kept) -> Iterator[str]:
    """Yield a description of each recorder without a key, or of an event with a named author.

    At a table of a tournament the key may be one to the tournament.
    """
    ids = {key.id for key, _ in kept.keys}
    at_table = any(
        type(club.club) is str and keyring.is_tournament(club.club) for club in kept.clubs
    )
    for seq, key in kept.recorders:
        known = key in ids or (at_table and type(key) is str and keyring.is_key_id(key))
        if type(seq) is not int or not 1 <= seq <= len(kept.lines) or not known:
            yield f"event {named(seq)} was recorded by key {named(key)}: one of them is missing"
        elif kept.lines[seq - 1].by != KEEPER:
            yield f"event {seq} has a recorder's key, and its log names the recorder"
    if len(dict(kept.recorders)) != len(kept.recorders):
        yield "an event was recorded by two keys"


def _check_clubs(kept: Kept) -> Iterator[str]:
    """Yield a description of each inconsistency of the clubs that follow the session."""
    ids = {"", keyring.UNREAD, *(key.id for key, _ in kept.keys)}
    positions = {(line.seq, line.hash) for line in kept.lines}
    for followed in kept.clubs:
        club = f"club {named(followed.club)}"
        if type(followed.club) is not str or keyring.kind_of(followed.club) not in FOLLOWING:
            yield f"{club} follows it: the id of the club is malformed"
        if followed.key not in ids:
            yield f"{club} follows it by key {named(followed.key)}, which is missing"
        if followed.stop is not None and followed.stop not in positions:
            yield f"{club} follows it up to an event that is missing"
    if len({(followed.club, followed.key) for followed in kept.clubs}) != len(kept.clubs):
        yield "a club follows it twice by the same key"


def _check_publications(kept: Kept) -> Iterator[str]:
    """Yield a description of each inconsistency of the public addresses."""
    for place, publication in enumerate(kept.publications, start=1):
        name = f"public address {shown(publication.number)}"
        if type(publication.number) is not int or publication.number != place:
            yield f"{name}: expected {place}"
        if type(publication.address) is not str or not keyring.is_address(publication.address):
            yield f"{name}: it is malformed"
        if publication.names not in PUBLIC_NAMES:
            yield f"{name}: {expected('initials or full', publication.names)}"
        if publication.left_out not in LEFT_OUT:
            yield f"{name}: {expected('standings or nothing', publication.left_out)}"
        if not _is_time(publication.created):
            yield f"{name}: {expected('a time', publication.created)}"
        if publication.ended is not None and not _is_time(publication.ended):
            yield f"{name}: {expected('a time or none', publication.ended)}"
        if type(publication.parents) is not str or not are_origins(publication.parents):
            yield f"{name}: {expected('origins of web sites', publication.parents)}"


def _check_request(
    name: object, done: Done, lines: Sequence[StoredLine], fits: Fits
) -> Iterator[str]:
    """Yield a description of each inconsistency of a stored request."""
    if type(name) is not str or not streams.is_key(name):
        yield "its idempotency key is malformed"
    if not _is_digest(done.digest):
        yield "its digest is not a SHA-256"
    if type(done.version) is not int or not 1 <= done.version <= len(lines):
        yield f"it made version {shown(done.version)}, but the log has {len(lines)} events"
    elif type(done.status) is not int or not 200 <= done.status <= 599:
        yield expected("a status from 200 to 599", done.status)
    elif type(done.answer) is not bytes or not fits(
        streams.answer_repeated(done, done.digest), lines
    ):
        yield f"its answer does not agree with the log at version {done.version}"


def _check_key(key: Key, digest: object, session_id: str, players: set[str]) -> Iterator[str]:
    """Yield a description of each inconsistency of a key."""
    if type(key.id) is not str or not keyring.is_key_id(key.id):
        yield "its id is malformed"
    if key.stream_id != session_id:
        yield f"it opens session {named(key.stream_id)}, not this session"
    if key.role not in ROLES:
        yield expected("host, seat or view", key.role)
    elif key.role != "seat" and key.player is not None:
        yield f"only a seat has a player, got {shown(key.player)}"
    elif key.role == "seat" and not (type(key.player) is str and key.player in players):
        yield expected("one of the session's players", key.player)
    if not _is_digest(digest):
        yield "its digest is not a SHA-256"
    if not _is_time(key.created):
        yield f"created: {expected('a time', key.created)}"
    for name in ("expires", "revoked", "last_used"):
        if getattr(key, name) is not None and not _is_time(getattr(key, name)):
            yield f"{name}: {expected('a time or none', getattr(key, name))}"


def find_players(lines: Sequence[StoredLine]) -> set[str]:
    """Return the ids of all players that lines declare, including lines that are corrected."""
    ids: set[str] = set()
    for line in lines:
        if line.type in (*JOINS, *CORRECTS):
            data = json.loads(line.line)["data"]
            data = data if line.type in JOINS else data.get("data")
            if isinstance(data, dict):
                players = data.get("players")
                people: list[Any] = [data, data.get("substitute")]
                people += players if isinstance(players, list) else []
                ids |= {person["id"] for person in people if _has_id(person)}
    return ids


def find_entered(lines: Iterable[StoredLine]) -> dict[str, int]:
    """Return the sessions and tournaments that lines of a club enter.

    Each is with the seq of the first such line.
    """
    first_seqs: dict[str, int] = {}
    for line in lines:
        if line.type in (*ENTERS, *CORRECTS):
            kind, data = line.type, json.loads(line.line)["data"]
            if kind in CORRECTS:
                kind, data = data.get("type"), data.get("data")
            if kind in ENTERS and isinstance(data, dict):
                entered = data.get(ENTERS[kind])
                if isinstance(entered, str):
                    first_seqs.setdefault(entered, line.seq)
    return first_seqs


def _has_id(person: object) -> bool:
    """Return whether a JSON value is an object with the id of a player."""
    return (
        isinstance(person, dict)
        and isinstance(person.get("id"), str)
        and is_author(person["id"][:64])
    )


def named(name: object) -> str:
    """Return a name or id, of any type, as text for an error message."""
    return printable(name) if isinstance(name, str) else shown(name)


def _is_time(value: object) -> bool:
    return type(value) is str and is_time(value)


def _is_digest(value: object) -> bool:
    return type(value) is bytes and len(value) == DIGEST_BYTES
