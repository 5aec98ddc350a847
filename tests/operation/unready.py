"""``serve`` without preparation: the helper is started by the first request that needs it.

The preparation of a worker takes longer than all requests of most tests.
"""

from scorekeeper.answers.helper import Helper
from scorekeeper.cli import main


def skip_preparation() -> None:
    """Start no helper in advance."""
    Helper.start = lambda self: None  # type: ignore[method-assign]


if __name__ == "__main__":
    skip_preparation()
    main()
