"""Other processes, for tests: started fast, with all modules that they need."""

import multiprocessing
from collections.abc import Callable
from typing import Any, Final

FORKS: Final = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["scorekeeper.store", "tests.store.asking", "pytest"])


def _tell(pipe: Any, function: Callable[..., Any], values: tuple[Any, ...]) -> None:
    try:
        pipe.send((True, function(*values)))
    except BaseException as error:
        pipe.send((False, f"{type(error).__name__}: {error}"))
        raise


def in_a_process(function: Callable[..., Any], *values: Any) -> Any:
    """The result of a function in a process of its own."""
    mine, its = FORKS.Pipe()
    process = FORKS.Process(target=_tell, args=(its, function, values))
    process.start()
    its.close()
    try:
        well, result = mine.recv()
    finally:
        process.join(30)
    assert well, result
    return result
