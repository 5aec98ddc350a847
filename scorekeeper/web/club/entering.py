"""``/club/<club_id>/enter``: an evening comes into the club: by link, code or file."""

import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Final, NamedTuple

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response

from scorekeeper.base.errors import NotInstalledError, RateLimitError, UnusableError
from scorekeeper.clubs.roll import Roll
from scorekeeper.clubs.season import day_of
from scorekeeper.clubs.who_is_who import WhoIsWho, joining, who_is_who
from scorekeeper.http.access import shown
from scorekeeper.http.extensions import clubs, service
from scorekeeper.http.headers import unkept
from scorekeeper.http.limits import refuse_often, refuse_wrong_key
from scorekeeper.service.club_logs import entering
from scorekeeper.service.club_rights import KeyOf, ShownKey
from scorekeeper.store import Key
from scorekeeper.store.keyring import is_club, opens
from scorekeeper.web.club.bringing import BroughtLogs, bring_in
from scorekeeper.web.club.visitor import Visitor, record_meant, see, visitor_of
from scorekeeper.web.frame.form_keys import recorded_before
from scorekeeper.web.opening.code import JOINED, MOST_JOINED, tried
from scorekeeper.web.opening.code import plain as plain_code
from scorekeeper.web.opening.led import look_on
from scorekeeper.web.phone.my_tables import my_keys
from scorekeeper.web.wording.refused import in_words

blueprint = Blueprint("club_entering", __name__, url_prefix="/club/<club_id>/enter")
blueprint.after_request(unkept)

MOST_TABLES: Final = 30  # of this phone that are offered
MOST_FILES: Final = 200
LONGEST: Final = 400  # letters of a link
LINK: Final = re.compile(r"(?:^|/join/)([A-Za-z0-9_-]{32})(?:[?#]|$)")
TABLE: Final = re.compile(r"/t/([0-9a-z]{12})(?:[/?#]|$)")
GUEST, NEW = "", "+"  # what a form says of who is no member, and of who joins


class NamedEvening(NamedTuple):
    """An evening that was named: its id, and what shows that one may look at it."""

    session_id: str
    secret: str = ""
    code: str = ""

    def look(self) -> KeyOf:
        """Return which key to each session came: in the link, or of this phone."""
        return shown([self.secret] if self.secret else ())

    @property
    def is_shown(self) -> bool:
        """Whether a code or a key to the evening came."""
        return bool(self.code) or self.look()(self.session_id) is not None

    @contextmanager
    def keys(self, visitor: Visitor) -> Iterator[KeyOf]:
        """Return which key to each session came; a code counts as a new key to look on.

        The host of the table sees that key among the others, and can revoke it: a code alone
        could not be taken back from the club. A key that entered nothing is revoked here.
        """
        held, made = self.look(), list[Key]()

        def key_of(session_id: str) -> ShownKey | None:
            found = held(session_id)
            if found or not self.code or session_id != self.session_id:
                return found
            if visitor.hosts and not made:
                refuse_often(JOINED, MOST_JOINED)
                made.append(look_on(session_id).key)
                service().store.touch_key(made[0])
            return ShownKey("view", *made)

        try:
            yield key_of
        finally:
            followers = service().store.followers(self.session_id) if made else []
            for key in made:
                if key.id not in {one.key for one in followers}:
                    service().revoke_key(self.session_id, key.id)


class NoEveningError(Exception):
    """What was named leads to no evening; in words for whoever named it."""


# ---------------------------------------------------------------------------------- the page


@blueprint.get("")
def page(club_id: str) -> str:
    """Show the ways in which an evening comes into the club."""
    return asked(visitor_of(club_id, "host", "seat"))


def asked(visitor: Visitor, wrong: str = "", brought: tuple[BroughtLogs, ...] = ()) -> str:
    """The page, with what is wrong, or what became of the files."""
    return render_template(
        "club/enter.html", at=visitor, wrong=wrong, brought=brought, tables=own_tables(visitor),
        done=request.args.get("done", ""), most=MOST_FILES,
    )  # fmt: skip


def own_tables(visitor: Visitor) -> list[tuple[str, str, str]]:
    """The tables of this phone that do not count for the club yet: id, title and day of each."""
    now = service().store.clock()
    stopped = clubs().store.stops(visitor.club_id).keys()
    entered = clubs().roll(visitor.club_id, lambda roll: roll.evenings.keys() - stopped)
    zone, found = see(visitor.club_id, lambda books: books.zone), {}
    for key in my_keys(MOST_TABLES):
        may = visitor.hosts or key.role == "host"
        if (
            may
            and opens(key, now)
            and key.session_id not in entered
            and not is_club(key.session_id)
        ):
            try:
                evening = clubs().evening(key.session_id)
            except (UnusableError, NotInstalledError):
                continue
            found[key.session_id] = evening.title, day_of(evening.began, zone)
    return [(session_id, title, day) for session_id, (title, day) in found.items()]


# -------------------------------------------------------------------------------- one evening


@blueprint.post("/who")
def who(club_id: str) -> Response | str | tuple[str, int]:
    """Ask who is who in the evening that was named.

    One that counts already and is no longer followed is followed again: who is who stands.
    """
    visitor = visitor_of(club_id, "host", "seat")
    try:
        found = named()
        if club_may_resume(visitor, found):
            return to(url_for("club_evenings.page", club_id=club_id, done="followed"), 303)
        return ask_who(visitor, found)
    except NoEveningError as refused:
        return asked(visitor, str(refused)), 422
    except UnusableError as error:
        return asked(visitor, in_words(error)), 422


@blueprint.post("")
def enter(club_id: str) -> Response | str | tuple[str, int]:
    """Enter it, each player as the member that was chosen, or as a guest."""
    visitor = visitor_of(club_id, "host", "seat")
    if recorded_before(club_id):
        return to(url_for("club.page", club_id=club_id), 303)
    try:
        found = named()
        players = clubs().evening(found.session_id).players
    except NoEveningError as refused:
        return asked(visitor, str(refused)), 422
    except UnusableError as error:
        return asked(visitor, in_words(error)), 422
    said = {player: request.form.get(f"as-{player}", GUEST) for player in players}
    try:
        with found.keys(visitor) as key_of:
            record_meant(visitor, lambda: entering(
                found.session_id, clubs().roll(club_id, lambda roll: chosen(roll, players, said))
            ), key_of)  # fmt: skip
    except UnusableError as error:
        return ask_who(visitor, found, in_words(error), said), 422
    return to(url_for("club.page", club_id=club_id), 303)


def named() -> NamedEvening:
    """The evening that a form names: by its link, by its code, or one of this phone.

    Raises `NoEveningError`.
    """
    typed, code = request.form.get("link", "").strip(), plain_code(request.form.get("code", ""))
    if typed:
        found = by_link(typed[:LONGEST])
    elif code:
        found = by_code(code)
    elif request.form.get("session"):
        found = NamedEvening(request.form["session"])
    else:
        raise NoEveningError(_("Paste the link of the evening, or type its code."))
    if not found.is_shown:
        raise NoEveningError(_("A key to that evening is needed. Paste one of its links."))
    return found


def by_link(typed: str) -> NamedEvening:
    """The evening of a link with a key, or of a page of a table to which this phone has a key."""
    secret, table = LINK.search(typed), TABLE.search(typed)
    if secret is not None:
        key = service().store.find_key(secret[1])
        if key is None or is_club(key.session_id):
            refuse_wrong_key()
            raise NoEveningError(
                _("This link opens no evening. Ask the host of the table for a new one.")
            )
        return NamedEvening(key.session_id, secret[1])
    if table is not None:
        return NamedEvening(table[1])
    raise NoEveningError(_("This is no link of an evening. Copy all of it, from http to its end."))


def by_code(code: str) -> NamedEvening:
    """The evening of a code, which is shown on its host's phone."""
    try:
        session_id = tried(code)
    except RateLimitError:
        raise NoEveningError(_("Too many tries; wait a little.")) from None
    if session_id is None or is_club(session_id):
        raise NoEveningError(
            _("This code does not exist: it was mistyped, or has expired. Ask the host for "
              "another.")
        )  # fmt: skip
    return NamedEvening(session_id, code=code)


def club_may_resume(visitor: Visitor, found: NamedEvening) -> bool:
    """Let a club follow an evening again that it no longer follows; whether it did. Unusable."""
    club_id, session_id = visitor.club_id, found.session_id
    counts = clubs().roll(club_id, lambda roll: session_id in roll.evenings)
    if not counts or clubs().stop_of(club_id, session_id) is None:
        return False
    with found.keys(visitor) as key_of:
        clubs().follow_again(club_id, session_id, visitor.holder, key_of)
    return True


def ask_who(
    visitor: Visitor, found: NamedEvening, wrong: str = "", said: Mapping[str, str] | None = None
) -> str:
    """The form that asks for each player which member he is.

    Raises `UnusableError`.
    """
    evening = clubs().evening(found.session_id)
    known = see(visitor.club_id, lambda books: who_is_who(books, evening.players, join=False))
    members = clubs().roll(
        visitor.club_id,
        lambda roll: sorted(
            ((one.id, one.name) for one in roll.members.values()),
            key=lambda one: one[1].casefold(),
        ),
    )
    nobody = NEW if visitor.hosts else GUEST
    usual = {player: member or nobody for player, member in known.players.items()}
    return render_template(
        "club/who.html", at=visitor, found=found, evening=evening, wrong=wrong, members=members,
        said={**usual, **(said or {})}, GUEST=GUEST, NEW=NEW,
    )  # fmt: skip


def chosen(roll: Roll, players: Mapping[str, str], said: Mapping[str, str]) -> WhoIsWho:
    """Who is who as a form says."""
    found = WhoIsWho()
    for player, name in players.items():
        new = said[player] == NEW
        found.players[player] = joining(roll, found, player, name) if new else said[player] or None
    return found


# --------------------------------------------------------------------------------- many files


@blueprint.post("/files")
def files(club_id: str) -> str | tuple[str, int]:
    """Add the evenings of logs, one file each."""
    visitor = visitor_of(club_id, "host", "seat")
    sent = [one for one in request.files.getlist("log") if one.filename][:MOST_FILES]
    if not sent:
        return asked(visitor, _("Choose the files of your evenings.")), 422
    join = visitor.hosts and request.form.get("join") == "yes"
    return asked(visitor, brought=tuple(_brought(visitor, one, join=join) for one in sent))


def _brought(visitor: Visitor, file: FileStorage, *, join: bool) -> BroughtLogs:
    with closing(file):
        return bring_in(visitor, file.filename or "", file.stream.read(), join=join)
