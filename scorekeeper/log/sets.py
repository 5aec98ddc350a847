"""Sets of corrections, which take effect together after the last of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.events.corrections import CORRECTIONS, EventInserted, EventReplaced, EventStruck
from scorekeeper.events.disputes import Correction
from scorekeeper.events.event import Event
from scorekeeper.events.fields import REASON
from scorekeeper.log import canonical, codec
from scorekeeper.log.codec import FaceDown
from scorekeeper.log.face_down import hide_event, remove_salt

Corrects = EventStruck | EventReplaced | EventInserted


@dataclass(slots=True)
class CorrectionSet:
    """A set of corrections, given by the key of the event that begins it, such as a ruling.

    ``members`` are the keys of the corrections recorded so far, of ``count`` in all. ``agreed`` are
    the corrections of the proposal that a ruling carries out; None if the set may have any.
    """

    begun: int
    count: int
    agreed: Sequence[Correction] | None = None
    members: list[int] = field(default_factory=list)

    @property
    def left(self) -> int:
        """The number of corrections that are still to come."""
        return self.count - len(self.members)

    @property
    def awaited(self) -> bool:
        """Whether a ruling has none of its corrections yet.

        They may follow then, but so may any event that is no correction.
        """
        return self.agreed is not None and not self.members

    def refuse(self, event: Event) -> None:
        """Raise `UnusableError` unless an event is the next correction of the set."""
        if not isinstance(event, CORRECTIONS):
            words = (
                f"expected a correction, of which {self.left} more belong to the set that event "
                f"{self.begun} begins, got {event.TYPE}"
            )
            cause = Cause(words, "inside_a_set", begun=self.begun, left=self.left, type=event.TYPE)
            raise UnusableError(cause, field="type")
        agreed = self.agreed[len(self.members)] if self.agreed is not None else None
        if agreed is not None and not _is_agreed(event, agreed):
            words = (
                f"expected correction {len(self.members) + 1} of the proposal that event "
                f"{self.begun} carries out: its corrections come right after the ruling, in "
                "their order"
            )
            raise UnusableError(Cause(words, "not_as_agreed", begun=self.begun))


def refuse_without_reason(event: Event) -> None:
    """Raise `UnusableError` for a correction, outside of a set, that has no reason."""
    if isinstance(event, CORRECTIONS) and event.reason is None:
        cause = Cause(f"missing, expected {REASON.expected}", "missing")
        raise UnusableError(cause, field="data.reason")


def refuse_unfinished(open_set: CorrectionSet | None) -> None:
    """Raise `UnusableError` if a log, or an append, ends inside this set.

    ``open_set`` is None if no set is open. A ruling after which none of its corrections has come
    yet is not unfinished.
    """
    if open_set is not None and not open_set.awaited:
        words = (
            f"ends inside the set of corrections that event {open_set.begun} begins: "
            f"{open_set.left} more are due"
        )
        cause = Cause(words, "set_unfinished", begun=open_set.begun, left=open_set.left)
        raise UnusableError(cause)


def _is_agreed(event: Corrects, agreed: Correction) -> bool:
    """Return whether a correction is the one that was agreed to, apart from salts.

    If one of the two is masked for this reader, only their visible parts are compared.
    """
    agreed_event = codec.decode(agreed.type, agreed.data)
    if _encode_unsalted(event) == _encode_unsalted(agreed_event):
        return True
    return (_is_masked(event) or _is_masked(agreed_event)) and _encode_shown(
        event
    ) == _encode_shown(agreed_event)


def _encode_unsalted(event: Event) -> bytes:
    """Return the canonical bytes of an event without its salts, for a comparison."""
    return canonical.encode([event.TYPE, remove_salt(event.TYPE, codec.encode(event))])


def _encode_shown(event: Event) -> bytes:
    """Return the canonical bytes of an event as shown face down, without its reason."""
    return canonical.encode([event.TYPE, {**codec.encode(hide_event(event)), "reason": ""}])


def _is_masked(value: object) -> bool:
    """Return whether anything in an event is masked for this reader."""
    if isinstance(value, Event):
        value = getattr(value, "data", None)
    if isinstance(value, Mapping):
        return isinstance(value, FaceDown) or any(map(_is_masked, value.values()))
    return isinstance(value, list) and any(map(_is_masked, value))
