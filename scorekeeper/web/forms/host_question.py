"""The request of a seat to become the host, whose phone is lost, as pages show it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from flask import current_app
from markupsafe import Markup

from scorekeeper.http.extensions import service
from scorekeeper.service import Holder
from scorekeeper.store import Key
from scorekeeper.store.host_store import HostRequest, HostVote
from scorekeeper.store.limits import is_window_over

NEWS_SECONDS: Final = 5 * 60  # for which the table page says who became the host


@dataclass(frozen=True, slots=True)
class HostQuestion:
    """The request of a seat to become the host, as the viewer of a page sees it.

    ``name`` is the player who asks, ``own`` whether this phone did, and ``agreed`` whether this
    phone has agreed. ``missing`` are the players who have not agreed, ``decided`` is whether
    nothing is missing.
    """

    session_id: str
    id: str
    name: str
    own: bool
    agreed: bool
    missing: list[str]
    decided: bool

    def awaits(self, holder: Holder) -> bool:
        """Return whether the viewer of the page can answer, or take the last step."""
        return holder.role == "host" or (self.decided if self.own else not self.agreed)


@dataclass(frozen=True, slots=True)
class LostHost:
    """What the settings page of a seat says about a lost phone of the host.

    ``latest`` is the id of the latest request; empty if there was none. ``possible`` is whether
    enough seats have a phone. ``outcome`` is how the request of this phone ended.
    """

    question: HostQuestion | None
    latest: str
    possible: bool
    outcome: str


def describe_lost_host(session_id: str, holder: Holder) -> LostHost | None:
    """Return what the settings page says to a viewer about a lost phone of the host.

    None at a table of a tournament for those who hold a key to that: the director hosts it.
    """
    if holder.key is not None and holder.key.stream_id != session_id:
        return None
    vote = service().hosting.host_vote(session_id)
    question = _open_question(session_id, vote, holder)
    latest = vote.latest
    own = latest is not None and holder.key is not None and latest.key.id == holder.key.id
    outcome = "" if latest is None or question or not own else latest.outcome or "over"
    return LostHost(question, latest.id if latest else "", vote.is_possible, outcome)


def render_host_notice(session_id: str, holder: Holder) -> Markup:
    """Return the notice on the table page about a new host; empty if there is none to show."""
    vote = None if holder.role == "view" else service().hosting.find_host_vote(session_id)
    if vote is None or vote.latest is None:
        return Markup()
    question, news = _open_question(session_id, vote, holder), ""
    if question is None and is_news(vote.latest, service().access.clock()):
        news = "".join(_names_of(session_id, [vote.latest.key]))
    if question is not None and not question.awaits(holder):
        return Markup()
    template = current_app.jinja_env.get_template("table/new_host.html")
    return Markup(template.render(question=question, news=news, role=holder.role))  # noqa: S704


def is_news(latest: HostRequest, now: str) -> bool:
    """Return whether a seat became the host a short time ago."""
    if latest.outcome != "made" or latest.ended is None:
        return False
    return not is_window_over(latest.ended, now, NEWS_SECONDS)


def _open_question(session_id: str, vote: HostVote, holder: Holder) -> HostQuestion | None:
    """Return the open request for a viewer, or None."""
    latest = vote.latest
    if latest is None or not latest.is_open(service().access.clock()):
        return None
    key_id = holder.key.id if holder.key else ""
    name = "".join(_names_of(session_id, [latest.key]))
    return HostQuestion(
        session_id, latest.id, name, own=key_id == latest.key.id, agreed=key_id in latest.agreed,
        missing=_names_of(session_id, vote.missing), decided=vote.is_decided,
    )  # fmt: skip


def _names_of(session_id: str, keys: Iterable[Key]) -> list[str]:
    """Return the names of the players whose seats these keys are for, each once, as they sit."""
    asked = {key.player for key in keys}
    players = service().see(session_id, lambda session: dict(session.structure.players))
    return [name for player, name in players.items() if player in asked]
