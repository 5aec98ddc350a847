"""The answers about sessions and keys as declared values: from them follow JSON and schemas."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from scorekeeper.api.schemas import CLUB_ID, ID, TIME
from scorekeeper.base.views import DeclaredView, figure
from scorekeeper.log.schema import SEAL_FIELDS
from scorekeeper.report.views import HASH, FindingView, list_event_types
from scorekeeper.service.followers import FollowingClub
from scorekeeper.store import ROLES, Key, NewKey, Opened, Role


@dataclass(frozen=True, slots=True)
class SecretsView(DeclaredView):
    """The keys of a new session."""

    host: str = figure("the key of the host, with all rights")
    view: str = figure("the key to view")
    seats: Mapping[str, str] = figure("the key of each player")

    @classmethod
    def of(cls, keys: Sequence[NewKey]) -> "SecretsView":
        """Return the secrets of new keys: one of the host, one to view, and those of seats."""
        secrets = {new.key.role: new.secret for new in keys if new.key.player is None}
        seats = {new.key.player: new.secret for new in keys if new.key.player is not None}
        return SecretsView(secrets["host"], secrets["view"], seats)


@dataclass(frozen=True, slots=True)
class PositionView(DeclaredView):
    """The version and head of a session or club."""

    version: int = figure("the seq of its last event", minimum=0)
    head: str = figure("the hash of its last event", pattern=HASH)


@dataclass(frozen=True, slots=True)
class TestimonyView(PositionView):
    """The comparison of a remembered head with the log, and the present end of the log."""

    ORDER = ("holds", "version", "head")

    holds: bool = figure("true if the log has that hash at that version")


@dataclass(frozen=True, slots=True)
class OpenedView(PositionView):
    """A new session."""

    ORDER = ("id", "version", "head", "keys")

    id: str = figure("its id in later requests", pattern=ID)
    keys: SecretsView = figure("the keys, shown only once: the server stores only their hashes")

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

    type: str = figure("the type of the event", values=list_event_types)
    data: Mapping[str, Any] | None = figure("the data; null while the event lies face down")
    seq: int = figure("the place in the session", minimum=0)
    at: str = figure("the time at which it was recorded", pattern=TIME)
    by: str = figure("the author: a player, keeper or import", pattern=SEAL_FIELDS["by"]["pattern"])
    hash: str = figure("the hash of the event", pattern=HASH)


@dataclass(frozen=True, slots=True)
class StreamView(PositionView):
    """Consecutive events of a session."""

    events: Sequence[StoredEventView] = figure("the events")


@dataclass(frozen=True, slots=True)
class PageView(StreamView):
    """Some of the events of a session."""

    more: bool | None = figure("true if more events follow; else it is left out", optional=True)


@dataclass(frozen=True, slots=True)
class RecordedView(StreamView):
    """The events that were just recorded, and the new findings."""

    findings: Sequence[FindingView] = figure("the new findings")


# --------------------------------------------------------------------------------------- keys


@dataclass(frozen=True, slots=True)
class KeyView(DeclaredView):
    """A key, without its secret."""

    id: str = figure("the id, by which the key is revoked", pattern=ID)
    role: str = figure("the role", values=ROLES)
    player: str | None = figure("the player whose seat it is")
    created: str = figure("the time at which it was made", pattern=TIME)
    expires: str | None = figure("the time at which it expires", pattern=TIME)
    revoked: str | None = figure("the time at which it was revoked", pattern=TIME)
    last_used: str | None = figure("the time of its last use, to the hour", pattern=TIME)

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

    key: str = figure("the key itself, shown only once")


@dataclass(frozen=True, slots=True)
class KeysView(DeclaredView):
    """The keys of a session."""

    keys: Sequence[KeyView] = figure("all keys ever made, the oldest first")


# ---------------------------------------------------------------------------------- followers


@dataclass(frozen=True, slots=True)
class FollowerView(DeclaredView):
    """A club that counts the session."""

    club: str = figure("the id of the club", pattern=CLUB_ID)
    name: str = figure("the name of the club")
    keys: Sequence[str] = figure(
        "the keys by which it was entered; none if by its host",
        pattern=ID,
        of_items="a key of the session",
    )
    followed: bool = figure("true if the club reads new events")
    version: int | None = figure("the last version that the club reads; null for all", minimum=0)
    head: str | None = figure(
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

    clubs: Sequence[FollowerView] = figure("the clubs, by name")
