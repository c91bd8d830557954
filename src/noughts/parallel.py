"""The one seam through which independent work is shared out: this process, loky, or Ray.

    for answer in in_order(play, [{"index": 0}, {"index": 1}], jobs=2): ...

Answers come in the order of the calls, whoever finished first, so what is written down from them is
the same on one core, on two, and on a cluster. Closing the iterator drops the work that is left.
"""

import logging
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from functools import cache
from typing import Any

from noughts.errors import NoughtsError, whole

CLUSTERS, MOST_JOBS = ("ray",), 1024
AHEAD = 8  # calls per Ray worker that are handed out before their answers are needed
RETRIES = 3  # of work whose process died
LOOK_SECONDS = 1.0  # between two looks whether the parent is still there

Arguments = Mapping[str, Any]


def in_order(
    work: Callable[..., Any], calls: Sequence[Arguments], jobs: int = 1, cluster: str | None = None
) -> Iterator[Any]:
    """`work(**call)` for every call, in `jobs` processes or on a cluster; answers in order."""
    check_seam(jobs, cluster)
    if cluster == "ray":
        return _with_ray(work, calls)
    if jobs == 1 or len(calls) < 2:
        return (work(**call) for call in calls)
    return _with_joblib(work, calls, jobs)


def check_seam(jobs: int, cluster: str | None) -> None:
    """Refuse what the seam cannot do, before any work is begun."""
    whole("jobs", jobs, 1, MOST_JOBS)
    if cluster is None:
        return
    if cluster not in CLUSTERS:
        raise NoughtsError(f"cluster={cluster} is not known; allowed: {', '.join(CLUSTERS)}.")
    from importlib.util import find_spec

    if find_spec("ray") is None:
        raise NoughtsError("A cluster needs Ray: pip install 'noughts[cluster]'.")


def _with_joblib(work: Callable[..., Any], calls: Sequence[Arguments], jobs: int) -> Iterator[Any]:
    """Processes of this machine. Work that was lost with a killed process is handed out again."""
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    done = deaths = 0
    while done < len(calls):
        pool = Parallel(n_jobs=jobs, return_as="generator")
        mine = os.getpid()
        answers = pool(delayed(_work_for)(mine, work, call) for call in calls[done:])
        try:
            for answer in answers:
                done += 1
                yield answer
        except TerminatedWorkerError:
            deaths += 1
            if deaths > RETRIES:
                raise NoughtsError(
                    f"A process died {deaths} times, the last time in call {done}; there may be "
                    f"too little memory for {jobs} jobs."
                ) from None
        finally:
            answers.close()


def _work_for(parent: int, work: Callable[..., Any], call: Arguments) -> Any:
    """Work in a process that ends when the one that started it does."""
    _end_with(parent)
    return work(**call)


@cache
def _end_with(parent: int) -> None:
    """Watch the parent: one that was killed cannot tell its workers, who would wait for minutes."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        os._exit(1)

    if os.name == "posix" and os.getppid() == parent:
        threading.Thread(target=watch, daemon=True).start()


def _with_ray(work: Callable[..., Any], calls: Sequence[Arguments]) -> Iterator[Any]:
    """Tasks of the Ray cluster that is connected or named by RAY_ADDRESS, else a local one.

    Ray itself runs a task again when its worker dies.
    """
    import ray as installed_ray

    ray: Any = installed_ray  # typed or not, depending on whether it is there to be looked at
    _connect(ray)
    task = ray.remote(max_retries=RETRIES)(work)
    resources: dict[str, float] = ray.cluster_resources()
    ahead = AHEAD * max(int(resources.get("CPU", 1)), 1)
    waiting: deque[Any] = deque()
    left = iter(calls)
    try:
        while True:
            while len(waiting) < ahead and (call := next(left, None)) is not None:
                waiting.append(task.remote(**call))
            if not waiting:
                return
            yield _answer(ray, waiting[0])
            waiting.popleft()
    finally:
        for reference in waiting:
            ray.cancel(reference)


def _connect(ray: Any) -> None:
    """Join the cluster, or begin one here."""
    if ray.is_initialized():
        return
    try:
        with redirect_stdout(sys.stderr):  # standard output is for answers
            ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # Ray has no class for these; some are a bare Exception
        raise NoughtsError(
            f"Ray does not start: {_first_line(error)} Leave out the cluster, or let RAY_ADDRESS "
            "name one that runs."
        ) from error


def _answer(ray: Any, reference: Any) -> Any:
    """What a task answered; what the work itself raised comes as if it had been done here."""
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, NoughtsError):
            raise error.cause from None
        raise
    except ray.exceptions.RayError as error:
        raise NoughtsError(f"The Ray cluster lost the work: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    """Ray explains itself in paragraphs; the first line says what happened."""
    line = next(iter(str(error).strip().splitlines()), type(error).__name__)
    return line if line.endswith(".") else f"{line}."
