"""``/club/<club_id>/money``: balances of the club's members, their history, and payments."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from scorekeeper.base.errors import Cause, ForbiddenError, UnusableError, why_of
from scorekeeper.clubs.events import PaymentMade
from scorekeeper.clubs.ledger import view_ledgers
from scorekeeper.clubs.money_views import EveningMoney, LedgerView, PaidView
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.values import Member
from scorekeeper.http.extensions import clubs
from scorekeeper.languages.money import format_for_input
from scorekeeper.report.span import to_local_day
from scorekeeper.service import NewEvent
from scorekeeper.web.club.evening_lines import format_day, titles_by_evening
from scorekeeper.web.club.visitor import Visitor, page_of_list, record_computed, visitor_of
from scorekeeper.web.forms.typed import FieldError, clean_line, line_error, read_amount
from scorekeeper.web.frame.form_keys import recorded_before
from scorekeeper.web.wording.filters import format_money
from scorekeeper.web.wording.refused import message_for_players

blueprint = Blueprint("club_money", __name__, url_prefix="/club/<club_id>/money")

LONGEST_NOTE: Final = 200
EXAMPLE: Final = 500  # of an amount, in minor units
MAX_SEQ_DIGITS: Final = 10
PAID_MEANWHILE: Final = "paid_meanwhile"


class ClubMoney(NamedTuple):
    """The ledgers of a club, its members and guests, its evenings' titles, and its time zone."""

    ledgers: Sequence[LedgerView]
    people: Sequence[Member]
    titles: Mapping[str, tuple[str, str]]
    zone: ZoneInfo

    @property
    def paid(self) -> list[PaidView]:
        """The payments that were made, in all currencies, the last one of each first."""
        return [payment for ledger in self.ledgers for payment in reversed(ledger.paid)]

    def day(self, at: str) -> str:
        """Return the day of a payment as the reader writes it."""
        return format_day(to_local_day(at, self.zone))


def club_money(club_id: str) -> ClubMoney:
    """Return the ledgers, members and titles of a club for its money pages.

    It is cached until the club changes.
    """
    return clubs().see(club_id, _club_money, "money on pages")


def _club_money(snapshot: ClubSnapshot) -> ClubMoney:
    """Return the ledgers, people by name, evening titles and time zone of a club."""
    return ClubMoney(
        view_ledgers(snapshot.compute_ledgers(), snapshot.names),
        sorted(snapshot.state.members.values(), key=lambda member: member.name.casefold()),
        titles_by_evening(snapshot),
        snapshot.zone,
    )


@blueprint.get("")
def page(club_id: str) -> str:
    """Show balances and payments."""
    return money_page(visitor_of(club_id), {}, request.args)


def money_page(visitor: Visitor, wrong: Mapping[str, str], values: Mapping[str, str]) -> str:
    """Return the HTML page of balances and payments.

    `values` fill in its form, `wrong` has errors by field.
    """
    shown = club_money(visitor.club_id)
    usual = "" if visitor.hosts else visitor.me
    return render_template(
        "club/money.html", at=visitor, ledgers=shown.ledgers, people=shown.people, wrong=wrong,
        members={member.id for member in shown.people},
        part=page_of_list(shown.paid, "#paid"),
        seen=max((payment.event for payment in shown.paid), default=0),
        said={"from": usual, "to": "", "amount": "", "note": "", **values}, money=format_money,
        as_typed=format_for_input, done=values.get("done", ""), day_at=shown.day,
        may_pay=may_pay(visitor) and len(shown.people) > 1,
    )  # fmt: skip


def may_pay(visitor: Visitor) -> bool:
    """Return whether the visitor can record payments: the host any, a member only their own."""
    return bool(visitor.currency) and (visitor.hosts or (visitor.records and bool(visitor.me)))


@blueprint.get("/of")
def account(club_id: str) -> str:
    """Show the history of one account: evenings and payments."""
    visitor, shown = visitor_of(club_id), club_money(club_id)
    name, currency = request.args.get("account", ""), request.args.get("currency", "")
    for ledger in shown.ledgers:
        balance = next((item for item in ledger.balances if item.account == name), None)
        if ledger.currency == currency and balance is not None:
            return render_template(
                "club/account.html", at=visitor, ledger=ledger, balance=balance, money=format_money,
                titles=shown.titles, part=page_of_list(list(_account_items(ledger, name))),
                day_at=shown.day,
            )  # fmt: skip
    raise NotFound(_("There is no such account in this club."))


def _account_items(ledger: LedgerView, account: str) -> Iterator[EveningMoney | PaidView]:
    """Yield the evenings of an account, the last one first, and then its payments."""
    yield from (evening for evening in reversed(ledger.evenings) if account in evening.balances)
    yield from (payment for payment in ledger.paid if account in (payment.payer, payment.to))


@blueprint.post("")
def pay(club_id: str) -> Response | tuple[str, int]:
    """Record a payment between members or guests."""
    visitor, form = visitor_of(club_id, "host", "seat"), request.form.to_dict()
    wrong: dict[str, str] = {}
    amount = parse_payment_amount(form.get("amount", ""), visitor.currency, wrong)
    note = clean_line(form.get("note", ""))
    if error := line_error(note, LONGEST_NOTE):
        wrong["note"] = error
    for name in ("from", "to"):
        if not form.get(name):
            wrong[name] = _("Choose a member of the club.")
    if not wrong:
        data = {"from": form["from"], "to": form["to"], "amount": amount}
        payment = NewEvent(PaymentMade.TYPE, {**data, "note": note} if note else data)
        try:
            if not record_payment(visitor, payment, form.get("seen", "")):
                return money_page(visitor, wrong, {**form, "done": PAID_MEANWHILE}), 409
        except UnusableError as refused:
            wrong["to"] = message_for_players(refused)
        except ForbiddenError:
            wrong["from"] = _("Record what you paid or got yourself. Ask the host for the rest.")
    if wrong:
        return money_page(visitor, wrong, form), 422
    return to(url_for(".page", club_id=club_id, done="paid"), 303)


def record_payment(visitor: Visitor, payment: NewEvent, seen: str) -> bool:
    """Record a payment; return false if the same person paid the other since the form was shown.

    Both may record one payment. ``seen`` is the seq of the last payment that the form's page shows,
    as the form has it. Raises `UnusableError` and `ForbiddenError`.
    """

    def build_events() -> tuple[NewEvent, ...]:
        if _is_paid_since(visitor.club_id, payment, seen):
            raise UnusableError(Cause("a payment between them was recorded", PAID_MEANWHILE))
        return (payment,)

    try:
        record_computed(visitor, build_events)
    except UnusableError as refused:
        if why_of(refused) != PAID_MEANWHILE:
            raise
        return recorded_before(visitor.club_id)  # by this form, which was sent twice
    return True


def _is_paid_since(club_id: str, payment: NewEvent, seen: str) -> bool:
    """Return whether the payer of a payment has paid its payee after the event with this seq."""
    if not (seen.isascii() and seen.isdecimal() and len(seen) < MAX_SEQ_DIGITS):
        return False
    between = (payment.data["from"], payment.data["to"])
    return any(
        paid.event > int(seen) and (paid.payer, paid.to) == between
        for paid in club_money(club_id).paid
    )


def parse_payment_amount(text: str, currency: str, wrong: dict[str, str]) -> int:
    """Return a typed amount in minor units; 0 if it is not valid, with the error in `wrong`."""
    if not currency:
        wrong["amount"] = _("This club has no currency, so it keeps no payments.")
        return 0
    try:
        return read_amount(text, currency, EXAMPLE, least=1)
    except FieldError as error:
        wrong["amount"] = str(error)
        return 0
