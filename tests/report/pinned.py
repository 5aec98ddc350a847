"""The words of the golden logs and the offers in them, stored to show changes."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from scorekeeper.log.codec import encode
from scorekeeper.log.reading import LogFile
from scorekeeper.play.prompts import Prompt
from scorekeeper.report.explain import explain
from scorekeeper.report.next_events import list_prompts
from scorekeeper.session.session import Session
from tests.evenings import GOLDEN, build_report, golden_logs

EVERY: Final = 3  # after so many events of a log it is looked at what is offered


def logs_of(game: str) -> list[Path]:
    """The golden logs of a game."""
    return [path for path in golden_logs() if path.parent.name == game]


def words(game: str) -> str:
    """Every finding and every reason for a trick in the golden logs of a game, each once."""
    texts = set()
    for path in logs_of(game):
        with path.open("rb") as stream:
            session = Session.read(stream)
        texts |= {
            f"{finding['code']}: {finding['message']}"
            for finding in build_report(session)["findings"]
        }
        for match in explain(session).matches:
            tricks = [trick for hand in match.hands for trick in hand.tricks]
            texts |= {f"trick: {trick.why}" for trick in tricks}
    return "\n".join(sorted(texts)) + "\n"


def offered(path: Path) -> str:
    """A digest of what is offered along a log."""
    session, digest = Session(), hashlib.sha256()
    with path.open("rb") as stream:
        for raw in LogFile(stream):
            session.add_line(raw)
            if raw.seq % EVERY == 0:
                for prompt in list_prompts(session):
                    digest.update(json.dumps(shown(prompt), sort_keys=True).encode())
    return digest.hexdigest()[:16]


def shown(prompt: Prompt) -> dict[str, Any]:
    """A prompt as it is offered."""
    return {
        "type": prompt.type,
        "levels": prompt.levels,
        "choices": [encode(choice) for choice in prompt.choices],
        "counts": prompt.counts and asdict(prompt.counts),
    }


def words_file(game: str) -> Path:
    """Where the words of a game are kept."""
    return GOLDEN / game / "words.txt"


def offers_file(game: str) -> Path:
    """Where the digests of a game are kept."""
    return GOLDEN / game / "offers.txt"


def offers(game: str) -> Iterator[str]:
    """A line for each golden log of a game: its name and its digest."""
    yield from (f"{path.stem} {offered(path)}" for path in logs_of(game))


def main() -> None:
    """Write all files anew."""
    for game in {path.parent.name for path in golden_logs()}:
        words_file(game).write_text(words(game), encoding="utf-8")
        offers_file(game).write_text("\n".join(offers(game)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
