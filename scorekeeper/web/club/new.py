"""``/club/new``: a new club and its members."""

from dataclasses import dataclass, field
from typing import Any, Final

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.fields import MAX_NAME_CHARACTERS
from scorekeeper.events.names import fold_name, player_ids
from scorekeeper.http.extensions import clubs
from scorekeeper.http.headers import no_store
from scorekeeper.http.limits import refuse_many_sessions
from scorekeeper.http.preferences import request_zone
from scorekeeper.log import canonical
from scorekeeper.web.forms.typed import clean_line, currency_error, line_error, name_error
from scorekeeper.web.frame.form_keys import form_attempt
from scorekeeper.web.opening.draft import LONGEST_TITLE
from scorekeeper.web.opening.stakes import USUAL
from scorekeeper.web.phone.my_tables import take_key
from scorekeeper.web.phone.viewer import take_own_seat

blueprint = Blueprint("club_new", __name__, url_prefix="/club/new")
blueprint.after_request(no_store)

MOST_MEMBERS: Final = 300  # in the form; more can join later
MONEY: Final = ("no", "yes")  # the answers to whether the club plays for money
LONGEST_LIST: Final = MOST_MEMBERS * (MAX_NAME_CHARACTERS + 2)


@dataclass(slots=True)
class ClubDraft:
    """The content of the form for a club; ``wrong`` has the errors by field.

    ``me`` is the name of the person who fills it in, empty if they are not a member. ``money`` is
    empty until they choose.
    """

    name: str
    place: str
    money: str
    currency: str
    me: str
    others: list[str]
    wrong: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, form: Any) -> "ClubDraft":
        """Return the club of a form, not validated yet."""
        lines = form.get("others", "")[:LONGEST_LIST].replace(";", "\n").splitlines()
        return cls(
            name=clean_line(form.get("name", "")),
            place=clean_line(form.get("place", "")),
            money=form.get("money", "")[:3],
            currency=clean_line(form.get("currency", USUAL))[:3].upper(),
            me=clean_line(form.get("me", "")),
            others=[name for name in map(clean_line, lines) if name],
        )

    @property
    def members(self) -> list[str]:
        """The names of all members, first the person who fills in the form."""
        return [name for name in (self.me, *self.others) if name]

    def validate(self) -> None:
        """Put the errors of the form into ``wrong``."""
        errors = {
            "name": line_error(self.name, LONGEST_TITLE, _("Give the club a name.")),
            "place": line_error(self.place, LONGEST_TITLE),
            "currency": currency_error(self.currency) if self.money == "yes" else "",
            "money": "" if self.money in MONEY else str(_("Choose yes or no.")),
            "me": name_error(self.me, ()),
        }
        self.wrong |= {name: error for name, error in errors.items() if error}
        wrong = wrong_names(self.members)
        if wrong and "me" not in self.wrong:
            self.wrong["others"] = wrong

    def opening(self) -> JsonObject:
        """Return the data of the event that opens the club; empty values are left out."""
        data = {"name": self.name, "place": self.place, "zone": request_zone()}
        if self.money == "yes":
            data["currency"] = self.currency
        return {name: value for name, value in data.items() if value}


def wrong_names(names: list[str]) -> str:
    """Return the error about members' names; empty if they are valid."""
    if len(names) > MOST_MEMBERS:
        return str(_("At most %(most)s names fit here. Add the others later.", most=MOST_MEMBERS))
    long = next((name for name in names if len(name) > MAX_NAME_CHARACTERS), None)
    if long is not None:
        return str(_("“%(name)s…” is longer than %(most)s letters.", name=long[:20],
                     most=MAX_NAME_CHARACTERS))  # fmt: skip
    normalized = [fold_name(name) for name in names]
    repeated = next(
        (name for index, name in enumerate(names) if normalized[index] in normalized[:index]), None
    )
    if repeated is not None:
        return str(
            _("Two players are called %(name)s. Add a letter to tell them apart.", name=repeated)
        )
    return ""


@blueprint.get("")
def form() -> str:
    """Ask for the name and the members."""
    return render_form(ClubDraft.read(request.args))


@blueprint.post("")
def create() -> Response | tuple[str, int]:
    """Open the club; this phone becomes its host."""
    draft = ClubDraft.read(request.form)
    draft.validate()
    if draft.wrong:
        return render_form(draft), 422
    refuse_many_sessions()
    ids = player_ids(draft.members)
    opened = clubs().open(
        canonical.normalize(draft.opening()),
        [canonical.normalize({"id": ids[name], "name": name}) for name in draft.members],
        form_attempt(),
    )
    take_key(next(new_key.key for new_key in opened.keys if new_key.key.role == "host"))
    if draft.me:
        take_own_seat(opened.id, ids[draft.me])
    return to(url_for("club.page", club_id=opened.id), 303)


def render_form(draft: ClubDraft) -> str:
    """Return the HTML form of a new club with its present content."""
    return render_template("club/new.html", draft=draft, most=LONGEST_LIST)
