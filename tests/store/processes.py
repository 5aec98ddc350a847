"""Processes for tests, forked from one that has imported the usual modules."""

import multiprocessing
from collections.abc import Callable, Iterable
from typing import Any, Final

FORKS: Final = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["scorekeeper.store", "tests.store.children", "tests.service.clerks",
                              "tests.service.directors"])  # fmt: skip


def _send_result(pipe: Any, function: Callable[..., Any], values: tuple[Any, ...]) -> None:
    try:
        pipe.send((True, function(*values)))
    except BaseException as error:
        pipe.send((False, f"{type(error).__name__}: {error}"))
        raise


def in_a_process(function: Callable[..., Any], *values: Any) -> Any:
    """Return the result of a function that runs in a new process."""
    return in_processes(function, [values])[0]


def in_processes(function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Return the results of a function that runs in several processes at the same time."""
    started = []
    for values in calls:
        mine, its = FORKS.Pipe(duplex=False)
        process = FORKS.Process(target=_send_result, args=(its, function, values))
        process.start()
        its.close()
        started.append((process, mine))
    results = []
    for process, mine in started:
        with mine:
            well, result = mine.recv()
        process.join(30)
        assert well, result
        results.append(result)
    return results
