"""``/club/<club_id>/money``: who owes whom, how it came about, and what was paid."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from scorekeeper.base.errors import ForbiddenError, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.clubs.books import Books
from scorekeeper.clubs.events import PaymentMade
from scorekeeper.clubs.plain_figures import money as told_money
from scorekeeper.clubs.season import day_of
from scorekeeper.events.fields import AMOUNT
from scorekeeper.http.extensions import clubs
from scorekeeper.languages.money import format_for_input, parse_amount
from scorekeeper.service import NewEvent
from scorekeeper.web.club.evening_lines import day, titles
from scorekeeper.web.club.visitor import Visitor, part_of, record_in_club, visitor_of
from scorekeeper.web.opening.draft import line
from scorekeeper.web.wording.filters import money
from scorekeeper.web.wording.refused import in_words

blueprint = Blueprint("club_money", __name__, url_prefix="/club/<club_id>/money")

LONGEST_NOTE: Final = 200


class MoneyShown(NamedTuple):
    """The money of a club by currency, its members by id, the titles of its evenings, its zone."""

    ledgers: Sequence[JsonObject]
    members: Mapping[str, str]
    titles: Mapping[str, tuple[str, str]]
    zone: ZoneInfo

    def day(self, at: str) -> str:
        """The day of a payment, as people write it."""
        return day(day_of(at, self.zone))


def shown_of(club_id: str) -> MoneyShown:
    """The money of a club, made once until anything changes."""
    return clubs().see(club_id, _told, "money on pages")


def _told(books: Books) -> MoneyShown:
    there = {one.id: one.name for one in books.roll.members.values()}
    names = dict(sorted(there.items(), key=lambda one: one[1].casefold()))
    return MoneyShown(told_money(books.ledgers(), books.names), names, titles(books), books.zone)


@blueprint.get("")
def page(club_id: str) -> str:
    """Show who owes whom, and what was paid."""
    return asked(visitor_of(club_id), {}, request.args)


def asked(visitor: Visitor, wrong: Mapping[str, str], said: Mapping[str, str]) -> str:
    """The page; the form for a payment with what was typed, or with what a payment would settle."""
    shown = shown_of(visitor.club_id)
    usual = "" if visitor.hosts else visitor.me
    paid = [one for ledger in shown.ledgers for one in reversed(ledger["paid"])]
    return render_template(
        "club/money.html", at=visitor, ledgers=shown.ledgers, members=shown.members, wrong=wrong,
        part=part_of(paid, "#paid"),
        said={"from": usual, "to": "", "amount": "", "note": "", **said}, money=money,
        as_typed=format_for_input, done=said.get("done", ""), day_at=shown.day,
        may_pay=may_pay(visitor) and len(shown.members) > 1,
    )  # fmt: skip


def may_pay(visitor: Visitor) -> bool:
    """Whether he can record a payment: as the host any, as a member what he paid or got."""
    return bool(visitor.currency) and (visitor.hosts or (visitor.records and bool(visitor.me)))


@blueprint.get("/of")
def account(club_id: str) -> str:
    """Show how the balance of one account came about: evening by evening, payment by payment."""
    visitor, shown = visitor_of(club_id), shown_of(club_id)
    name, currency = request.args.get("account", ""), request.args.get("currency", "")
    for ledger in shown.ledgers:
        balance = next((one for one in ledger["balances"] if one["account"] == name), None)
        if ledger["currency"] == currency and balance is not None:
            return render_template(
                "club/account.html", at=visitor, ledger=ledger, balance=balance, money=money,
                titles=shown.titles, part=part_of(list(_of_account(ledger, name))),
                day_at=shown.day,
            )  # fmt: skip
    raise NotFound(_("There is no such account in this club."))


def _of_account(ledger: JsonObject, account: str) -> Iterator[JsonObject]:
    """What makes a balance: the evenings, the last one first, and the payments."""
    yield from (one for one in reversed(ledger["evenings"]) if account in one["balances"])
    yield from (one for one in ledger["paid"] if account in (one["from"], one["to"]))


@blueprint.post("")
def pay(club_id: str) -> Response | tuple[str, int]:
    """Record that money changed hands."""
    visitor, said = visitor_of(club_id, "host", "seat"), request.form.to_dict()
    wrong: dict[str, str] = {}
    amount = amount_of(said.get("amount", ""), visitor.currency, wrong)
    note = line(said.get("note", ""))
    if len(note) > LONGEST_NOTE:
        wrong["note"] = _("This is longer than %(most)s letters.", most=LONGEST_NOTE)
    for name in ("from", "to"):
        if not said.get(name):
            wrong[name] = _("Choose a member of the club.")
    if not wrong:
        data = {"from": said["from"], "to": said["to"], "amount": amount}
        try:
            record_in_club(
                visitor, NewEvent(PaymentMade.TYPE, {**data, "note": note} if note else data)
            )
        except UnusableError as error:
            wrong["to"] = in_words(error)
        except ForbiddenError:
            wrong["from"] = _("Record what you paid or got yourself. Ask the host for the rest.")
    if wrong:
        return asked(visitor, wrong, said), 422
    return to(url_for(".page", club_id=club_id, done="paid"), 303)


def amount_of(text: str, currency: str, wrong: dict[str, str]) -> int:
    """The minor units that were typed; ``wrong`` gets what is no amount."""
    if not currency:
        wrong["amount"] = _("This club was opened without a currency, so it keeps no payments.")
        return 0
    amount = parse_amount(text.strip(), currency)
    if not amount:
        wrong["amount"] = _("An amount such as %(amount)s.", amount=format_for_input(500, currency))
    elif amount > AMOUNT.high:
        wrong["amount"] = _("At most %(amount)s.", amount=money(AMOUNT.high, currency))
    return amount or 0
