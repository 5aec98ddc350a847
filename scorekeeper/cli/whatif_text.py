"""What would change, as text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorekeeper.base.json_object import JsonObject
from scorekeeper.cli.reasons_text import Speaker, wrapped
from scorekeeper.report.sheet import option_value
from scorekeeper.session.session import Session


def changes(session: Session, difference: Sequence[JsonObject]) -> Iterator[str]:
    """What would be otherwise, match by match and hand by hand; ``session`` as it would be."""
    yield ""
    if not difference:
        yield "Nothing would change."
        return
    yield "What would change; nothing of it is recorded:"
    for change in difference:
        yield from _change(Speaker(session.structure.matches[change["match"] - 1]), change)


def _change(speak: Speaker, change: JsonObject) -> Iterator[str]:
    place = f"match {change['match']}"
    if change["hand"] is not None:
        place = f"hand {change['match']}.{change['hand']}"
    before, after = change["before"], change["after"]
    if before is None or after is None:
        yield f"   {place}: it would {'not be there' if after is None else 'be there, too'}"
        return
    for name in dict.fromkeys((*before, *after)):
        if name in ("findings", "options", "lines"):
            continue
        was, would = (_value_text(speak, name, side.get(name)) for side in (before, after))
        yield from wrapped(f"{place}, {name}: {was}; would be: {would}", "   ", "      ")
    for name, value in after.get("options", {}).items():
        if value != before["options"].get(name):
            was, would = map(option_value, (before["options"].get(name), value))
            yield from wrapped(f"{place}, {name}: {was}; would be: {would}", "   ", "      ")
    if "lines" in after and "scores" not in after:
        yield from wrapped(f"{place}: the same score, for other reasons", "   ", "      ")
    for name, findings in (("no more", before), ("new", after)):
        for one in findings.get("findings", ()):
            said = f"{place}, {name}: {one['severity'].upper()}: {one['message']} ({one['rule']})"
            yield from wrapped(said, "   ", "      ")


def _value_text(speak: Speaker, name: str, value: Any) -> str:
    if name == "scores":
        return speak.points(value)
    if name == "reckoning":
        return value["text"] if value else "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{speak.side(side)} {one}" for side, one in value.items())
    if name == "games":
        told = (f"{one['name']}: {_value_text(speak, '', one['scores'])}" for one in value or ())
        return "; ".join(told) or "none"
    if isinstance(value, list):
        return ", ".join(map(speak.side, value)) or "nobody"
    return "nobody" if value is None else speak.side(str(value))
