"""``serve`` without preparation: templates and the helper are loaded by the first request.

The preparation of a worker takes longer than all requests of most tests.
"""

from jinja2 import Environment

from scorekeeper.answers.helper import Helper
from scorekeeper.cli import main


def skip_preparation() -> None:
    """Compile no template and start no helper in advance."""
    Environment.list_templates = lambda *_, **__: []  # type: ignore[method-assign]
    Helper.start = lambda self: None  # type: ignore[method-assign]


if __name__ == "__main__":
    skip_preparation()
    main()
