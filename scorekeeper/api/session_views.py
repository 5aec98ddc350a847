"""The answers about sessions and keys as declared values: from them follow JSON and schemas."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from scorekeeper.api.schemas import CLUB_ID, ID, TIME
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.log.schema import SEAL_FIELDS
from scorekeeper.report.views import HASH, FindingView, list_event_types
from scorekeeper.service.followers import FollowingClub
from scorekeeper.store import ROLES, Key, NewKey, Opened, Role


@dataclass(frozen=True, slots=True)
class SecretsView(DeclaredView):
    """The keys of a new session."""

    host: str = declare("the key of the host, with all rights")
    view: str = declare("the key to view")
    seats: Mapping[str, str] = declare("the key of each player")

    @classmethod
    def of(cls, keys: Sequence[NewKey]) -> "SecretsView":
        """Return the secrets of new keys: one of the host, one to view, and those of seats."""
        secrets = {new.key.role: new.secret for new in keys if new.key.player is None}
        seats = {new.key.player: new.secret for new in keys if new.key.player is not None}
        return SecretsView(secrets["host"], secrets["view"], seats)


@dataclass(frozen=True, slots=True)
class PositionView(DeclaredView):
    """The version and head of a session or club."""

    version: int = declare("the seq of its last event", minimum=0)
    head: str = declare("the hash of its last event", pattern=HASH)


@dataclass(frozen=True, slots=True)
class TestimonyView(PositionView):
    """The comparison of a remembered head with the log, and the present end of the log."""

    ORDER = ("holds", "version", "head")

    holds: bool = declare("true if the log has that hash at that version")


@dataclass(frozen=True, slots=True)
class OpenedView(PositionView):
    """A new session."""

    ORDER = ("id", "version", "head", "keys")

    id: str = declare("its id in later requests", pattern=ID)
    keys: SecretsView = declare("the keys, shown only once: the server stores only their hashes")

    @classmethod
    def of(cls, session: Opened) -> "OpenedView":
        """Return a new session with the secrets of its keys."""
        secrets = SecretsView.of(session.keys)
        return OpenedView(session.version, session.head, session.id, secrets)


# ------------------------------------------------------------------------------------- events
#
# The store has events as encoded lines, so these views only declare the answers.


@dataclass(frozen=True, slots=True)
class StoredEventView(DeclaredView):
    """An event as the log has it, except that the data of a face-down event is null."""

    type: str = declare("the type of the event", values=list_event_types)
    data: JsonObject | None = declare("the data; null while the event lies face down")
    seq: int = declare("the place in the session", minimum=0)
    at: str = declare("the time at which it was recorded", pattern=TIME)
    by: str = declare(
        "the author: a player, keeper or import", pattern=SEAL_FIELDS["by"]["pattern"]
    )
    hash: str = declare("the hash of the event", pattern=HASH)


@dataclass(frozen=True, slots=True)
class StreamView(PositionView):
    """Consecutive events of a session."""

    events: Sequence[StoredEventView] = declare("the events")


@dataclass(frozen=True, slots=True)
class PageView(StreamView):
    """Some of the events of a session."""

    more: bool | None = declare("true if more events follow; else it is left out", optional=True)


@dataclass(frozen=True, slots=True)
class RecordedView(StreamView):
    """The events that were just recorded, and the new findings."""

    findings: Sequence[FindingView] = declare("the new findings")


# --------------------------------------------------------------------------------------- keys


@dataclass(frozen=True, slots=True)
class KeyView(DeclaredView):
    """A key, without its secret."""

    id: str = declare("the id, by which the key is revoked", pattern=ID)
    role: str = declare("the role", values=ROLES)
    player: str | None = declare("the player whose seat it is")
    created: str = declare("the time at which it was made", pattern=TIME)
    expires: str | None = declare("the time at which it expires", pattern=TIME)
    revoked: str | None = declare("the time at which it was revoked", pattern=TIME)
    last_used: str | None = declare("the time of its last use, to the hour", pattern=TIME)

    @classmethod
    def of(cls, made: Key, **secret: str) -> Self:
        """Return a key as its host may see it; ``secret`` is that of a new key, as ``key``."""
        return cls(
            id=made.id,
            role=cls.get_role_name(made.role),
            player=made.player,
            created=made.created,
            expires=made.expires,
            revoked=made.revoked,
            last_used=made.last_used,
            **secret,
        )

    @staticmethod
    def get_role_name(role: Role) -> str:
        """Return the name of a role in the answer."""
        return role


@dataclass(frozen=True, slots=True)
class NewKeyView(KeyView):
    """A key just made."""

    key: str = declare("the key itself, shown only once")


@dataclass(frozen=True, slots=True)
class KeysView(DeclaredView):
    """The keys of a session."""

    keys: Sequence[KeyView] = declare("all keys ever made, the oldest first")


# ---------------------------------------------------------------------------------- followers


@dataclass(frozen=True, slots=True)
class FollowerView(DeclaredView):
    """A club that counts the session."""

    club: str = declare("the id of the club", pattern=CLUB_ID)
    name: str = declare("the name of the club")
    keys: Sequence[str] = declare(
        "the keys by which it was entered; none if by its host",
        pattern=ID,
        of_items="a key of the session",
    )
    followed: bool = declare("true if the club reads new events")
    version: int | None = declare("the last version that the club reads; null for all", minimum=0)
    head: str | None = declare(
        "the hash of the event at that version; null for all, empty at version 0"
    )

    @classmethod
    def of(cls, club: FollowingClub) -> "FollowerView":
        """Return a club that counts the session, with the position up to which it reads."""
        version, head = club.stop or (None, None)
        return FollowerView(club.id, club.name, club.keys, club.stop is None, version, head)


@dataclass(frozen=True, slots=True)
class FollowersView(DeclaredView):
    """The clubs that count the session."""

    clubs: Sequence[FollowerView] = declare("the clubs, by name")
