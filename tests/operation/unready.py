"""``serve`` of a server that gets nothing ready before it is asked for.

What a worker compiles and starts beforehand takes longer than what most tests ask of a server.
"""

from jinja2 import Environment

from scorekeeper.answers.helper import Helper
from scorekeeper.cli import main


def get_nothing_ready() -> None:
    """Compile no page and start no helper before somebody asks for it."""
    Environment.list_templates = lambda *_, **__: []  # type: ignore[method-assign]
    Helper.start = lambda self: None  # type: ignore[method-assign]


if __name__ == "__main__":
    get_nothing_ready()
    main()
