"""The store in memory: the contract in its plainest form, and gone with the process."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from scorekeeper.base.errors import StaleVersion, UnknownKey, UnknownSession
from scorekeeper.log.writing import now
from scorekeeper.store import bundles, keyring, limits, streams
from scorekeeper.store.contract import (
    Checked,
    Clock,
    Durability,
    Fits,
    Key,
    Listed,
    New,
    NewKey,
    Opened,
    Position,
    Repeated,
    Request,
    StoredLine,
    Stream,
    Watch,
    Wish,
    any_answer,
)
from scorekeeper.store.kept import Kept
from scorekeeper.store.streams import Done


@dataclass(slots=True)
class Table:
    """One session, and all that belongs to it."""

    created: str
    lines: list[StoredLine]
    requests: dict[str, Done] = field(default_factory=dict)
    keys: dict[str, tuple[Key, bytes]] = field(default_factory=dict)
    phones: dict[bytes, str] = field(default_factory=dict)  # by SHA-256: the ids of their keys

    @property
    def position(self) -> Position:
        """Where its stream ends."""
        return streams.end(self.lines)

    def kept(self, session: str) -> Kept:
        """The same, as a backup has it."""
        keys = tuple(self.keys.values())
        phones = tuple(sorted(self.phones.items()))
        return Kept(session, self.created, tuple(self.lines), dict(self.requests), keys, phones)

    def held_by(self, phone: bytes) -> Key | None:
        """The key that a phone holds."""
        return self.keys[self.phones[phone]][0] if phone in self.phones else None


class MemoryStore:
    """The store in memory, for tests and for trying things out."""

    def __init__(self, clock: Clock = now) -> None:
        self.clock = clock
        self._changed = threading.Condition(threading.RLock())
        self._tables: dict[str, Table] = {}
        self._keys: dict[bytes, tuple[str, str]] = {}  # their sessions and ids, by their digests
        self._limits: dict[tuple[str, bytes], tuple[str, int]] = {}
        self._codes: dict[str, tuple[bytes, str]] = {}

    def close(self) -> None:
        """Nothing, as nothing is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _table(self, session: str) -> Table:
        table = self._tables.get(session)
        if table is None:
            raise UnknownSession(session)
        return table

    # ------------------------------------------------------------------------------- streams

    def open_session(self, events: Iterable[New], by: str, keys: Iterable[Wish] = ()) -> Opened:
        at = self.clock()
        return self._open(streams.sealed(streams.BEGINNING, events, at, by), keys, at)

    def import_sealed(self, lines: Iterable[bytes], keys: Iterable[Wish] = ()) -> Opened:
        return self._open(streams.read_sealed(lines), keys, self.clock())

    def _open(self, lines: list[StoredLine], wishes: Iterable[Wish], at: str) -> Opened:
        session = keyring.new_id()
        made = [keyring.make_key(session, wish, at) for wish in wishes]
        table = Table(at, lines, keys={new.key.id: (new.key, digest) for new, digest in made})
        with self._changed:
            self._tables[session] = table
            self._keys |= {digest: (session, new.key.id) for new, digest in made}
            self._changed.notify_all()
        first = tuple(one.line for one in lines)
        return Opened(session, *table.position, first, tuple(new for new, _ in made))

    def append(
        self,
        session: str,
        after: Position,
        lines: Sequence[StoredLine],
        request: Request | None = None,
        key: Key | None = None,
    ) -> Repeated | None:
        streams.refuse_unfit(after, lines, request)
        with self._changed:
            table = self._table(session)
            if key is not None:
                self.refuse_closed(key)
            if request is not None and request.key in table.requests:
                return streams.repeated(table.requests[request.key], request.digest)
            if table.position != after:
                raise StaleVersion(after.version, *table.position)
            table.lines += lines
            if request is not None:
                table.requests[request.key] = streams.done(request, lines[-1].seq)
            self._changed.notify_all()
        return None

    def answered(self, session: str, key: str, digest: bytes) -> Repeated | None:
        streams.refuse_key(key)
        done = self._table(session).requests.get(key)
        return None if done is None else streams.repeated(done, digest)

    def position(self, session: str) -> Position:
        return self._table(session).position

    def read(self, session: str, after: int = 0, most: int | None = None) -> Stream:
        with self._changed:
            table = self._table(session)
            found = table.lines[max(after, 0) :][:most]
            lines = tuple(one.line for one in found)
            return Stream(*table.position, lines)

    def hash_at(self, session: str, version: int) -> str | None:
        lines = self._table(session).lines
        return lines[version - 1].hash if 1 <= version <= len(lines) else None

    def export(self, session: str) -> bytes:
        return b"".join(line + b"\n" for line in self.read(session).lines)

    def sessions(self) -> list[Listed]:
        with self._changed:
            found = [
                Listed(session, table.created, *table.position, table.lines[0].line)
                for session, table in self._tables.items()
            ]
        return sorted(found, key=lambda one: (one.created, one.id))

    # ---------------------------------------------------------------------------------- keys

    def add_key(self, session: str, wish: Wish, replaces: str | None = None) -> NewKey:
        with self._changed:
            table = self._table(session)
            new, digest = keyring.make_key(session, wish, self.clock())
            if replaces is not None:
                if replaces not in table.keys:
                    raise UnknownKey(replaces)
                self._revoke(table, replaces, new.key)
            table.keys[new.key.id] = new.key, digest
            self._keys[digest] = session, new.key.id
        return new

    def find_key(self, secret: str) -> Key | None:
        key = self.known_key(secret)
        return key if key and keyring.opens(key, self.clock()) else None

    def known_key(self, secret: str) -> Key | None:
        with self._changed:
            session, name = self._keys.get(keyring.digest_of(secret), ("", ""))
            return self._tables[session].keys[name][0] if session else None

    def refuse_closed(self, key: Key) -> None:
        with self._changed:
            found, _ = self._table(key.session).keys.get(key.id, (None, b""))
            keyring.refuse_closed(found, self.clock())

    def keys(self, session: str) -> tuple[Key, ...]:
        with self._changed:
            found = [key for key, _ in self._table(session).keys.values()]
        return tuple(sorted(found, key=lambda key: (key.created, key.id)))

    def revoke_key(self, session: str, key: str) -> bool:
        with self._changed:
            table = self._tables.get(session)
            if table is None or key not in table.keys:
                return False
            self._revoke(table, key)
            return True

    def _revoke(self, table: Table, key: str, *more: Key) -> None:
        """Revoke a key of a session that has it, and ``more``; LastKey."""
        keyring.refuse_last([*(known for known, _ in table.keys.values()), *more], key)
        if table.keys[key][0].revoked is None:
            self._note(table, key, revoked=self.clock())

    def touch_key(self, key: Key) -> None:
        at = self.clock()
        if not keyring.lately_used(key, at):
            with self._changed:
                self._note(self._table(key.session), key.id, last_used=at)

    def _note(self, table: Table, key: str, **what: str) -> None:
        known, digest = table.keys[key]
        table.keys[key] = replace(known, **what), digest  # type: ignore[arg-type]  # its times

    # -------------------------------------------------------------------------------- phones

    def take_seat(self, phone: str, session: str, player: str) -> Key:
        with self._changed:
            table, at = self._table(session), self.clock()
            mine = table.held_by(keyring.digest_of(phone))
            if mine is not None and mine.player == player and keyring.in_use(mine, at):
                return mine
            keyring.refuse_seated(player, self.keys(session), at)
            key = self.add_key(session, Wish("seat", player)).key
            self.take_key(phone, key)
            return table.keys[key.id][0]

    def take_key(self, phone: str, key: Key) -> None:
        with self._changed:
            self.refuse_closed(key)
            table, sought, at = self._table(key.session), keyring.digest_of(phone), self.clock()
            mine = table.held_by(sought)
            if mine is None or mine.id != key.id:
                others = [one for one, _ in table.keys.values() if one != mine]
                phones = [one for one, held in table.phones.items() if held == key.id]
                keyring.refuse_taken(key, others, phones, at)
                self._put(sought, key)
            self._note(table, key.id, last_used=at)

    def hold(self, phone: str, keys: Iterable[Key]) -> None:
        digest = keyring.digest_of(phone)
        with self._changed:
            for key in keys:
                if digest not in self._table(key.session).phones:
                    self._put(digest, key)

    def _put(self, phone: bytes, key: Key) -> None:
        """Let a phone hold a key in place of the one it had; what it used long ago is forgotten."""
        since = limits.since(self.clock(), keyring.A_YEAR_AND_MORE)
        for table in self._tables.values():
            held = table.held_by(phone)
            if held is not None and (held.last_used or held.created) < since:
                del table.phones[phone]
        self._table(key.session).phones[phone] = key.id

    def held_key(self, phone: str, session: str) -> Key | None:
        with self._changed:
            table = self._tables.get(session)
            return table.held_by(keyring.digest_of(phone)) if table else None

    def held_keys(self, phone: str, most: int) -> tuple[Key, ...]:
        digest = keyring.digest_of(phone)
        with self._changed:
            held = [table.held_by(digest) for table in self._tables.values()]
        found = sorted((key for key in held if key), key=lambda key: key.id)
        found.sort(key=lambda key: key.last_used or key.created, reverse=True)
        return tuple(found[:most])

    # --------------------------------------------------------------------------------- codes

    def new_code(self, session: str, seconds: int) -> str:
        with self._changed:
            self._table(session)
            code = keyring.new_code()
            while self.find_code(code) is not None:
                code = keyring.new_code()
            expires = limits.later(self.clock(), seconds)
            self._codes[session] = keyring.digest_of(code), expires
        return code

    def find_code(self, code: str) -> str | None:
        sought, now = keyring.digest_of(code), self.clock()
        with self._changed:
            for session, (digest, expires) in self._codes.items():
                if digest == sought and now < expires:
                    return session
        return None

    # -------------------------------------------------------------------------------- limits

    def hit(self, kind: str, subject: str, most: int, window: int) -> int:
        with self._changed:
            left = self.wait(kind, subject, most, window)
            if not left:
                at, place = self.clock(), (kind, limits.subject_of(subject))
                started, count = self._limits.get(place, (at, 0))
                if limits.over(started, at, window):
                    started, count = at, 0
                self._limits[place] = started, count + 1
        return left

    def wait(self, kind: str, subject: str, most: int, window: int) -> int:
        found = self._limits.get((kind, limits.subject_of(subject)))
        return limits.left(found, most, window, self.clock())

    # -------------------------------------------------------------------------------- upkeep

    def verify_all(self) -> Iterator[Checked]:
        for kept in self._kept():
            answered = max((done.version for done in kept.requests.values()), default=0)
            yield Checked(kept.id, streams.checked(list(kept.lines), answered))

    def _kept(self) -> Iterator[Kept]:
        for listed in self.sessions():
            with self._changed:
                kept = self._table(listed.id).kept(listed.id)
            yield kept

    def backup(self, path: Path) -> None:
        self.bundle(path)

    def bundle(self, path: Path) -> None:
        bundles.write(path, self._kept())

    def restore(self, path: Path, *, overwrite: bool = False, fits: Fits = any_answer) -> None:
        bundles.refuse_no_file(path)
        with self._changed:
            anew = dict(self._tables)
            for back in bundles.read(path, fits):
                anew[back.id] = merged(anew.get(back.id), back)
            seen: set[object] = set()
            for session, table in anew.items():
                bundles.refuse_twice(table.kept(session), seen)
            self._tables = anew
            self._keys = {
                digest: (session, key.id)
                for session, table in anew.items()
                for key, digest in table.keys.values()
            }
            self._changed.notify_all()

    def durability(self) -> Durability:
        return Durability("memory", durable=False, settings={})

    def complaints(self) -> list[str]:
        return []

    def watch(self) -> Watch:
        return Ear(self._positions, self._changed)

    def _positions(self) -> Mapping[str, Position]:
        with self._changed:
            return {session: table.position for session, table in self._tables.items()}


def merged(here: Table | None, back: Kept) -> Table:
    """A session with what a backup has and it lacks; UnusableBackup where their events differ."""
    if here is None:
        here = Table(back.created, list(back.lines))
    same = min(len(here.lines), len(back.lines))
    bundles.refuse_fork(back, same, here.lines[same - 1].hash)
    bundles.refuse_contradiction(back, here.kept(back.id))
    return Table(
        here.created,
        [*here.lines, *back.lines[len(here.lines) :]],
        {**back.requests, **here.requests},
        {**{key.id: (key, digest) for key, digest in back.keys}, **here.keys},
        {**dict(back.phones), **here.phones},
    )


class Ear:
    """Hears of every change."""

    def __init__(
        self, positions: Callable[[], Mapping[str, Position]], changed: threading.Condition
    ) -> None:
        self._positions = positions
        self._changed = changed
        self._known = positions()

    def wait(self, timeout: float, watched: Callable[[], Iterable[str]]) -> Mapping[str, Position]:
        with self._changed:
            self._changed.wait_for(lambda: self._positions() != self._known, timeout)
            before, self._known = self._known, self._positions()
        return {one: at for one, at in self._known.items() if before.get(one) != at}

    def close(self) -> None:
        """Nothing, as nothing is open."""
