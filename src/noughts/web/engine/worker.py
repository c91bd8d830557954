"""A worker: reads one line of work, writes one line with a status and a document, and again.

It ends when its input ends, and when the server that started it is no more, even while a kernel
runs: kernels let other threads go on.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import IO

from noughts.errors import NoughtsError
from noughts.web.engine.tasks import TASKS, Workshop
from noughts.web.problems import ENGINE_FAILED, IMPOSSIBLE, problem_data, title_of

WATCH_SECONDS = 2.0


def main(arguments: list[str]) -> None:
    """Serve until the input ends."""
    answers = _claim_output()
    threading.Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    workshop = Workshop(Path(arguments[0]))
    for line in sys.stdin.buffer:
        name, _, payload = line.partition(b" ")
        status, document = answer(workshop, name.decode(), payload)
        answers.write(str(status).encode() + b" " + document + b"\n")
        answers.flush()


def answer(workshop: Workshop, name: str, payload: bytes) -> tuple[int, bytes]:
    """Do one piece of work; whatever goes wrong in an engine is told in a sentence."""
    try:
        result = TASKS[name](workshop, json.loads(payload))
        return 200, json.dumps(result, allow_nan=False).encode()
    except NoughtsError as error:
        data = problem_data(422, title_of(error), str(error))
    except MemoryError:
        data = problem_data(422, IMPOSSIBLE, "There is not enough memory for this.")
    except Exception as error:  # an agent of another package may raise anything
        told = f"{ENGINE_FAILED}: {type(error).__name__}: {' '.join(str(error).split())[:300]}"
        data = problem_data(422, IMPOSSIBLE, told)
    return 422, json.dumps(data).encode()


def _claim_output() -> IO[bytes]:
    """Standard output for answers alone; whatever else is printed goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _end_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
