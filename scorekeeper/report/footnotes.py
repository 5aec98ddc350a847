"""What stands below the scores: what was found, disputed, corrected, accepted, and who pays whom.

Pages, paper and workbooks say it in the same words, made here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.language import language
from scorekeeper.events.corrections import EventInserted
from scorekeeper.events.disputes import HandConfirmed
from scorekeeper.languages.catalogues import N_
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.languages.money import format_amount
from scorekeeper.report.marks import GRADES, MARKS, HandNumber, get_signature_mark
from scorekeeper.report.narration import describe_raw_event, format_ranges
from scorekeeper.report.payments import Payment
from scorekeeper.report.settlement import settle_evening, settle_matches
from scorekeeper.report.settlement_words import list_evening_notes, list_match_notes
from scorekeeper.session.session import Session


class Note(NamedTuple):
    """One thing that is to be said: its mark, of which hands, and what, in some sentences."""

    mark: str
    hands: tuple[HandNumber, ...]
    place: str
    text: str
    more: tuple[str, ...] = ()

    @property
    def sign(self) -> str:
        """The sign of its mark; none where it has no mark."""
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


def collect_footnotes(session: Session, report: JsonObject) -> list[Section]:
    """What there is to say of the record below the scores, by kinds of which there is some."""
    made: tuple[tuple[str, str, Callable[[Session, JsonObject], Iterable[Note]]], ...] = (
        ("found", _("What was found"), _found),
        ("disputes", _("Disputes"), _disputes),
        ("corrected", _("Corrected"), _corrected),
        ("signatures", _("Signatures"), _signatures),
    )
    sections = (Section(name, title, list(notes(session, report))) for name, title, notes in made)
    return [section for section in sections if section.notes]


def make_payment_section(session: Session, report: JsonObject, language_code: str) -> Section:
    """Who pays whom, match by match, and for the evening where it is played for money."""
    notes = list(_payments(session, report, language_code))
    return Section("payments", _("Who pays whom"), notes)


def describe_hands(report: JsonObject, hands: Iterable[HandNumber]) -> str:
    """Some hands of a session in words; nothing where there are none."""
    by_match: dict[int, list[int]] = {}
    for match, hand in sorted(set(hands)):
        by_match.setdefault(match, []).append(hand)
    several = len(report["matches"]) > 1
    return "; ".join(_hands(match, numbers, several) for match, numbers in by_match.items())


def _hands(match: int, numbers: Sequence[int], several: bool) -> str:  # noqa: FBT001  # a fact
    if len(numbers) == 1 and several:
        return _("Match %(match)s, hand %(hand)s", match=match, hand=numbers[0])
    if len(numbers) == 1:
        return _("Hand %(number)s", number=numbers[0])
    if several:
        return _("Match %(match)s, hands %(numbers)s", match=match, numbers=format_ranges(numbers))
    return _("Hands %(numbers)s", numbers=format_ranges(numbers))


# ----------------------------------------------------------------------------------- findings


def _found(_session: Session, report: JsonObject) -> Iterator[Note]:
    """What is wrong, then what is in doubt; of what is only not certain, how much there is."""
    grouped: dict[tuple[str, str, str], list[HandNumber]] = {}
    light = 0
    for one in report["findings"]:
        grade = GRADES.get(one["severity"])
        light += grade is None
        if grade is not None:
            hands = grouped.setdefault((grade, one["message"], one["rule"]), [])
            hands += [(one["match"], one["hand"])] if one["hand"] else []
    for (grade, message, rule), hands in sorted(grouped.items(), key=lambda one: ORDER[one[0][0]]):
        text = _("%(label)s:", label=_(WORDS[grade])) + f" {message}"
        where = describe_hands(report, hands) or _("The log")
        yield Note(grade, tuple(hands), where, f"{text} ({rule})" if rule else text)
    if light:
        text = _("Not on record, so not checked or not certain: %(n)s", n=light)
        yield Note("", (), "", text)


# ----------------------------------------------------------------------------------- disputes


def _disputes(session: Session, report: JsonObject) -> Iterator[Note]:
    names = session.structure.players
    for one in report["disputes"]:
        hands = ((one["match"], one["hand"]),)
        opened = "; ".join(
            _("%(label)s:", label=names[said["player"]]) + f" {_reason(said['reason'])}"
            if said["reason"] else names[said["player"]]
            for said in one["opened"]
        )  # fmt: skip
        flag = FLAGS.get(one["state"], "disputed")
        text = _("Disputed by %(who)s", who=opened)
        yield Note(flag, hands, describe_hands(report, hands), text, tuple(_course(one, session)))


def _course(dispute: JsonObject, session: Session) -> Iterator[str]:
    """How a dispute went on: what was proposed and signed, and how it stands."""
    names = session.structure.players
    for one in dispute["proposals"]:
        signed = ", ".join(names[said["player"]] for said in one["signed"])
        declined = ", ".join(names[said["player"]] for said in one["declined"])
        yield " · ".join(filter(None, (
            _("Proposed: %(what)s", what=_reason(one["reason"]) or "–"),
            signed and _("signed by %(names)s", names=signed),
            declined and _("declined by %(names)s", names=declined),
        )))  # fmt: skip
    ruling = dispute["settled"]
    said = f" {_reason(ruling['text'])}" if ruling and ruling["text"] else ""
    state = STATES[dispute["state"]]
    yield _(state) + said


def _reason(reason: str) -> str:
    return language().word("reason", reason)


# -------------------------------------------------------------------------------- corrections


def _corrected(session: Session, report: JsonObject) -> Iterator[Note]:
    """What was said before and what is said now, why, and by whom; not what was taken back."""
    agreed, back = dict(_agreed(session, report)), session.corrections.taken_back()
    for key, one in zip(session.corrections.stands, report["corrections"], strict=True):
        if key not in back and not _is_signature(one):
            yield _correction(session, report, key, one, agreed.get(one["seq"], ""))


def _is_signature(correction: JsonObject) -> bool:
    """Whether it only put a signature in the place at which that signs an earlier hand."""
    after = correction["after"]
    inserted = correction["type"] == EventInserted.TYPE
    return inserted and after is not None and after["type"] == HandConfirmed.TYPE


def _correction(
    session: Session, report: JsonObject, key: int, one: JsonObject, agreed: str
) -> Note:
    inserted = one["type"] == EventInserted.TYPE
    at = key if inserted else one["names"]
    segment = session.structure.segment_of.get(at)
    hand, match = (segment.hand, segment.match) if segment else (None, None)
    hands = ((match.number, hand.number),) if hand and match else ()
    recorded = session.corrections.recorded[key].by
    by = _(BY[recorded]) if recorded in BY else session.structure.players.get(recorded, "")
    more = (
        _("before: %(what)s", what=describe_raw_event(session, at, one["before"]))
        if one["before"] else "",
        _("now: %(what)s", what=describe_raw_event(session, at, one["after"])) if one["after"]
        else _("now: it did not happen"),
        _("agreed to by %(names)s", names=agreed) if agreed
        else _("corrected by %(name)s", name=by) if by else "",
        "" if one["stands"] else _("(struck again: no effect)"),
    )  # fmt: skip
    return Note(
        "corrected", hands, describe_hands(report, hands), _reason(one["reason"]),
        tuple(filter(None, more)),
    )  # fmt: skip


def _agreed(session: Session, report: JsonObject) -> Iterator[tuple[int, str]]:
    """Who signed the proposal that a correction follows from, by the seq of the correction."""
    for dispute in report["disputes"]:
        ruling = dispute["settled"]
        for one in dispute["proposals"]:
            if ruling and ruling["proposal"] == one["seq"]:
                who = ", ".join(session.structure.players[said["player"]] for said in one["signed"])
                many = len(one["corrections"])
                yield from ((ruling["seq"] + place, who) for place in range(1, many + 1))


# --------------------------------------------------------------------------------- signatures


def _signatures(session: Session, report: JsonObject) -> Iterator[Note]:
    """Who accepted which hands, those who accepted the same ones together; and what is void."""
    names = session.structure.players
    grouped: dict[tuple[str, tuple[str, ...]], list[HandNumber]] = {}
    for match in report["matches"]:
        for hand in match["hands"]:
            if hand["status"] == "complete":
                mark = get_signature_mark(match, hand)
                who = tuple(one for one in match["seats"] if one in hand["confirmed"])
                grouped.setdefault((mark, who), []).append((match["match"], hand["hand"]))
    for (mark, who), hands in grouped.items():
        told = ", ".join(names[one] for one in who)
        text = _("accepted by %(names)s", names=told) if told else MARKS[mark].word
        yield Note(mark, tuple(hands), describe_hands(report, hands), text)
    void: dict[HandNumber, list[str]] = {}
    for one in report["signatures"]:
        if not one["holds"]:
            void.setdefault((one["match"], one["hand"]), []).append(names[one["player"]])
    for number, signers in void.items():
        text = _(
            "accepted by %(names)s, and corrected since", names=", ".join(dict.fromkeys(signers))
        )
        yield Note("", (number,), describe_hands(report, [number]), text)


# ----------------------------------------------------------------------------------- payments


def _payments(session: Session, report: JsonObject, code: str) -> Iterator[Note]:
    found = settle_matches(session, report)
    for settled, match in zip(found, session.structure.matches, strict=True):
        if match.hands:
            stake = settled.stake
            currency = stake.currency if stake else ""
            odd = [match.names[one] for one in settled.odd]
            said = [one.say() for one in list_match_notes(settled, odd)]
            yield Note("", (), _("Match %(number)s", number=settled.match),
                       _paid(session, settled.payments, currency, code), tuple(said))  # fmt: skip
    for purse in settle_evening(found):
        title = _("Who pays whom for the evening, in %(currency)s", currency=purse.currency)
        said = [one.say() for one in list_evening_notes(purse)]
        yield Note("", (), title, _paid(session, purse.payments, purse.currency, code), tuple(said))


def _paid(session: Session, payments: Iterable[Payment], currency: str, code: str) -> str:
    """Payments in one line, in points or in a currency."""
    names = session.structure.players
    said = [
        f"{names[one.payer]} → {names[one.to]} "
        + (format_amount(one.amount, currency, code) if currency else str(one.amount))
        for one in payments
    ]
    return "; ".join(said) or _("Nobody owes anybody anything.")
