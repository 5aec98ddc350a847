"""The difference of a what-if as text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorekeeper.cli.reasons_text import MatchNames, wrap_text
from scorekeeper.report.option_words import format_option_value
from scorekeeper.report.what_if_views import ChangeView
from scorekeeper.session.session import Session


def change_lines(session: Session, difference: Sequence[ChangeView]) -> Iterator[str]:
    """Yield the differences, by match and hand; ``session`` is the session after the change."""
    yield ""
    if not difference:
        yield "Nothing would change."
        return
    yield "What would change; nothing of it is recorded:"
    for change in difference:
        yield from _lines_of_change(MatchNames(session.structure.matches[change.match - 1]), change)


def _lines_of_change(names: MatchNames, change: ChangeView) -> Iterator[str]:
    """Yield the differences of one match or hand."""
    place = f"match {change.match}"
    if change.hand is not None:
        place = f"hand {change.match}.{change.hand}"
    before, after = change.before, change.after
    if before is None or after is None:
        yield f"   {place}: it would {'not be there' if after is None else 'be there, too'}"
        return
    for name in dict.fromkeys((*before, *after)):
        if name in ("findings", "options", "lines"):
            continue
        old, new = (_value_text(names, name, state.get(name)) for state in (before, after))
        yield from wrap_text(f"{place}, {name}: {old}; would be: {new}", "   ", "      ")
    for name, value in after.get("options", {}).items():
        if value != before["options"].get(name):
            old, new = map(format_option_value, (before["options"].get(name), value))
            yield from wrap_text(f"{place}, {name}: {old}; would be: {new}", "   ", "      ")
    if "lines" in after and "scores" not in after:
        yield from wrap_text(f"{place}: the same score, for other reasons", "   ", "      ")
    for label, state in (("no more", before), ("new", after)):
        for finding in state.get("findings", ()):
            text = f"{finding['severity'].upper()}: {finding['message']} ({finding['rule']})"
            yield from wrap_text(f"{place}, {label}: {text}", "   ", "      ")


def _value_text(names: MatchNames, name: str, value: Any) -> str:
    """Return the value of a field of the report in words; `names` has the names of sides."""
    if name == "scores":
        return names.points(value)
    if name == "reckoning":
        return value["text"] if value else "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{names.side(side)} {figure}" for side, figure in value.items())
    if name == "games":
        games = (
            f"{game['name']}: {_value_text(names, '', game['scores'])}" for game in value or ()
        )
        return "; ".join(games) or "none"
    if isinstance(value, list):
        return ", ".join(map(names.side, value)) or "nobody"
    return "nobody" if value is None else names.side(str(value))
