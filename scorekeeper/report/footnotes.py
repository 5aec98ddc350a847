"""The notes below the scores: findings, disputes, corrections, signatures and payments.

Pages, paper and workbooks take the same words from here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from scorekeeper.base.language import language
from scorekeeper.base.parts import format_points
from scorekeeper.events.corrections import EventInserted
from scorekeeper.events.disputes import HandConfirmed
from scorekeeper.languages.catalogues import N_, ngettext
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.money import format_amount, with_minus_sign
from scorekeeper.report.evening_sums import EveningSum, list_summed_matches, sum_evening
from scorekeeper.report.marks import COUNTED, GRADES, MARKS, HandNumber, get_signature_mark
from scorekeeper.report.narration import describe_raw_event, format_ranges
from scorekeeper.report.settlement import settle_matches
from scorekeeper.report.settlement_words import list_evening_notes, list_match_notes
from scorekeeper.report.views import CorrectionView, DisputeView, PaymentView, ReportView
from scorekeeper.session.session import Session


class Note(NamedTuple):
    """A note: its mark, the hands that it is about, and its sentences."""

    mark: str
    hands: tuple[HandNumber, ...]
    place: str
    text: str
    more: tuple[str, ...] = ()

    @property
    def sign(self) -> str:
        """The sign of the mark; empty without a mark."""
        return MARKS[self.mark].sign if self.mark else ""


class Section(NamedTuple):
    """Notes of one kind under a title."""

    name: str
    title: str
    notes: Sequence[Note]


STATES: Final = {
    "open": N_("Nobody has proposed a correction yet. The score stands for now."),
    "proposed": N_("A correction is proposed and waits for signatures. The score stands for now."),
    "signed": N_(
        "Some have signed a correction, the others have not yet. The score stands for now."
    ),
    "corrected": N_("Settled: the hand was corrected."),
    "upheld": N_("Settled: the score is right as it was recorded."),
    "unresolved": N_("Ended without agreement: the recorded score stands."),
}
ORDER: Final = {"wrong": 0, "doubtful": 1}
WORDS: Final = {"wrong": N_("Wrong"), "doubtful": N_("In doubt")}
BY: Final = {"keeper": N_("the host"), "import": N_("an import")}
FLAGS: Final = {"corrected": "", "upheld": "", "unresolved": "unresolved"}


def collect_footnotes(session: Session, report: ReportView) -> list[Section]:
    """Return the notes on the record below the scores, by kind, without empty kinds."""
    makers: tuple[tuple[str, str, Callable[[Session, ReportView], Iterable[Note]]], ...] = (
        ("found", _("What was found"), _finding_notes),
        ("disputes", _("Disputes"), _dispute_notes),
        ("corrected", _("Corrected"), _correction_notes),
        ("signatures", _("Signatures"), _signature_notes),
    )
    sections = (Section(name, title, list(notes(session, report))) for name, title, notes in makers)
    return [section for section in sections if section.notes]


def make_payment_section(session: Session, report: ReportView, language_code: str) -> Section:
    """Return the payments of each match, and of the session if it is played for money."""
    notes = list(_payment_notes(session, report, language_code))
    return Section("payments", _("Who pays whom"), notes)


def describe_hands(report: ReportView, hands: Iterable[HandNumber]) -> str:
    """Return the words for some hands of a session; empty if there are none."""
    by_match: dict[int, list[int]] = {}
    for match, hand in sorted(set(hands)):
        by_match.setdefault(match, []).append(hand)
    several = len(report.matches) > 1
    return "; ".join(
        _describe_hands_of_match(match, numbers, several) for match, numbers in by_match.items()
    )


def _describe_hands_of_match(match: int, numbers: Sequence[int], several: bool) -> str:  # noqa: FBT001  # a fact
    """Return the words for hands of a match, which is named if there are ``several`` matches."""
    if len(numbers) == 1 and several:
        return _("Match %(match)s, hand %(hand)s", match=match, hand=numbers[0])
    if len(numbers) == 1:
        return _("Hand %(number)s", number=numbers[0])
    if several:
        return _("Match %(match)s, hands %(numbers)s", match=match, numbers=format_ranges(numbers))
    return _("Hands %(numbers)s", numbers=format_ranges(numbers))


# ----------------------------------------------------------------------------------- findings


def _finding_notes(_session: Session, report: ReportView) -> Iterator[Note]:
    """Yield the errors, then the doubts; finally the number of findings that are less than that."""
    grouped: dict[tuple[str, str, str], list[HandNumber]] = {}
    light = 0
    for finding in report.findings:
        grade = GRADES.get(finding.severity)
        light += grade is None
        if grade is not None:
            hands = grouped.setdefault((grade, finding.message, finding.rule), [])
            if finding.match and finding.hand:
                hands.append((finding.match, finding.hand))
    for (grade, message, rule), hands in sorted(
        grouped.items(), key=lambda finding: ORDER[finding[0][0]]
    ):
        text = _("%(label)s:", label=_(WORDS[grade])) + f" {message}"
        where = describe_hands(report, hands) or _("The log")
        yield Note(grade, tuple(hands), where, f"{text} ({rule})" if rule else text)
    if light:
        text = _("Not on record, so not checked or not certain: %(n)s", n=light)
        yield Note("", (), "", text)


# ----------------------------------------------------------------------------------- disputes


def _dispute_notes(session: Session, report: ReportView) -> Iterator[Note]:
    """Yield a note for each dispute: who opened it, its proposals and its state."""
    names = session.structure.players
    for dispute in report.disputes:
        hands = ((dispute.match, dispute.hand),)
        opened = "; ".join(
            _("%(label)s:", label=names[opening.player])
            + f" {_translate_reason(opening.reason)}"
            if opening.reason else names[opening.player]
            for opening in dispute.opened
        )  # fmt: skip
        flag = FLAGS.get(dispute.state, "disputed")
        text = _("Disputed by %(who)s", who=opened)
        yield Note(
            flag,
            hands,
            describe_hands(report, hands),
            text,
            tuple(_dispute_course(dispute, session)),
        )


def _dispute_course(dispute: DisputeView, session: Session) -> Iterator[str]:
    """Yield a line for each proposal of a dispute with its signers, then its state."""
    names = session.structure.players
    for proposal in dispute.proposals:
        signed = ", ".join(names[answer.player] for answer in proposal.signed)
        declined = ", ".join(names[answer.player] for answer in proposal.declined)
        yield " · ".join(filter(None, (
            _("Proposed: %(what)s", what=_translate_reason(proposal.reason) or "–"),
            signed and _("signed by %(names)s", names=signed),
            declined and _("declined by %(names)s", names=declined),
        )))  # fmt: skip
    ruling = dispute.settled
    answer = f" {_translate_reason(ruling.text)}" if ruling and ruling.text else ""
    state = STATES[dispute.state]
    yield _(state) + answer


def _translate_reason(reason: str) -> str:
    """Return a recorded reason in the current language; a typed note in it stays."""
    return language().word("reason", reason)


# -------------------------------------------------------------------------------- corrections


def _correction_notes(session: Session, report: ReportView) -> Iterator[Note]:
    """Yield each correction with the words before and after, its reason and its author.

    An event that its author took back at once is left out.
    """
    agreed, back = (
        dict(_signers_by_correction(session, report)),
        session.corrections.find_taken_back(),
    )
    for key, correction in zip(session.corrections.stands, report.corrections, strict=True):
        if key not in back and not is_signature(correction):
            yield _correction_note(session, report, key, correction, agreed.get(correction.seq, ""))


def is_signature(correction: CorrectionView) -> bool:
    """Return whether a correction only inserts a signature, so that it signs an earlier hand."""
    after = correction.after
    inserted = correction.type == EventInserted.TYPE
    return inserted and after is not None and after.type == HandConfirmed.TYPE


def _correction_note(
    session: Session, report: ReportView, key: int, correction: CorrectionView, agreed: str
) -> Note:
    """Return the note about a correction; `agreed` are the names of its signers."""
    inserted = correction.type == EventInserted.TYPE
    at = key if inserted else correction.names
    segment = session.structure.segment_of.get(at)
    hand, match = (segment.hand, segment.match) if segment else (None, None)
    hands = ((match.number, hand.number),) if hand and match else ()
    recorded = session.corrections.recorded[key].by
    by = _(BY[recorded]) if recorded in BY else session.structure.players.get(recorded, "")
    more = (
        _("before: %(what)s", what=describe_raw_event(session, at, correction.before))
        if correction.before else "",
        _("now: %(what)s", what=describe_raw_event(session, at, correction.after))
        if correction.after else _("now: it did not happen"),
        _("agreed to by %(names)s", names=agreed) if agreed
        else _("corrected by %(name)s", name=by) if by else "",
        "" if correction.stands else _("(crossed out again: no effect)"),
    )  # fmt: skip
    return Note(
        "corrected", hands, describe_hands(report, hands), _translate_reason(correction.reason),
        tuple(filter(None, more)),
    )  # fmt: skip


def _signers_by_correction(session: Session, report: ReportView) -> Iterator[tuple[int, str]]:
    """Yield the signers' names for each correction from a signed proposal, by its seq."""
    for dispute in report.disputes:
        ruling = dispute.settled
        for proposal in dispute.proposals:
            if ruling and ruling.proposal == proposal.seq:
                who = ", ".join(
                    session.structure.players[signature.player] for signature in proposal.signed
                )
                many = len(proposal.corrections)
                yield from ((ruling.seq + place, who) for place in range(1, many + 1))


# --------------------------------------------------------------------------------- signatures


def _signature_notes(session: Session, report: ReportView) -> Iterator[Note]:
    """Yield which players accepted which hands, grouped by players; then the void signatures."""
    names = session.structure.players
    grouped: dict[tuple[str, tuple[str, ...]], list[HandNumber]] = {}
    for match in report.matches:
        for hand in match.hands:
            if hand.status == "complete":
                mark = get_signature_mark(match, hand)
                who = tuple(player for player in match.seats if player in hand.confirmed)
                grouped.setdefault((mark, who), []).append((match.match, hand.hand))
    for (mark, who), hands in grouped.items():
        player_names = ", ".join(names[player] for player in who)
        count = len(hands)
        text = (
            ngettext("accepted by %(names)s", "accepted by %(names)s", count, names=player_names)
            if player_names
            else ngettext("nobody has accepted it yet", "nobody has accepted them yet", count)
        )
        yield Note(mark, tuple(hands), describe_hands(report, hands), text)
    void: dict[HandNumber, list[str]] = {}
    for signature in report.signatures:
        if not signature.holds:
            number = signature.match, signature.hand
            void.setdefault(number, []).append(names[signature.player])
    for number, signers in void.items():
        text = _(
            "accepted by %(names)s, and corrected since", names=", ".join(dict.fromkeys(signers))
        )
        yield Note("", (number,), describe_hands(report, [number]), text)


# ----------------------------------------------------------------------------------- payments


def _payment_notes(session: Session, report: ReportView, code: str) -> Iterator[Note]:
    """Yield the payments of each match with hands, then the sums of the evening, then its money.

    Matches that are added up are settled once, by their sum.
    """
    settlements, sums = settle_matches(session, report), sum_evening(session, report)
    summed = list_summed_matches(sums)
    for settlement, match in zip(settlements, session.structure.matches, strict=True):
        if match.hands and match.number not in summed:
            currency = match.stake.currency if match.stake else ""
            odd = [match.names[player] for player in settlement.odd]
            sentences = [text.say() for text in list_match_notes(settlement, odd)]
            yield Note("", (), _("Match %(number)s", number=match.number),
                       _format_payments(session, settlement.payments, currency, code),
                       tuple(sentences))  # fmt: skip
    for each in sums:
        yield Note("", (), describe_sum(each), _format_payments(session, each.payments, "", code)
                   if each.paid else "", tuple(_describe_standing(session, each)))  # fmt: skip
    for money in report.money or ():
        title = _("Who pays whom for the evening, in %(currency)s", currency=money.currency)
        sentences = [text.say() for text in list_evening_notes(money, report)]
        payments = _format_payments(session, money.payments, money.currency, code)
        yield Note("", (), title, payments, tuple(sentences))


def describe_sum(added: EveningSum) -> str:
    """Return the heading of matches that are added up: their game and numbers."""
    game = language().word("game", added.name)
    return _("%(game)s, matches %(numbers)s", game=game, numbers=format_ranges(added.matches))


def _describe_standing(session: Session, added: EveningSum) -> Iterator[str]:
    """Yield the totals of the players in a sum, and whether they may still change."""
    names = session.structure.players
    totals = (f"{names[row.player]} {with_minus_sign(row.total)}" for row in added.players)
    yield _("%(label)s:", label=_(COUNTED[added.counts])) + " " + ", ".join(totals)
    if added.provisional:
        yield _("It may still change.")


def _format_payments(
    session: Session, payments: Iterable[PaymentView], currency: str, code: str
) -> str:
    """Return payments in one line, in points or in a currency."""
    names = session.structure.players
    parts = [
        f"{names[payment.payer]} → {names[payment.to]} "
        + (
            format_amount(payment.amount, currency, code)
            if currency
            else format_points(payment.amount)
        )
        for payment in payments
    ]
    return "; ".join(parts) or _("Nobody owes anybody anything.")
