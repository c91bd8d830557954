"""What server, workers and jobs tell whoever runs them: on standard error, once it is asked for.

`noughts serve --log info` sets NOUGHTS_LOG, which the processes that the server starts inherit.
"""

import logging
import os

VARIABLE = "NOUGHTS_LOG"
LEVELS = ("debug", "info", "warning", "error")


def start_logging() -> None:
    """Write messages of the level that NOUGHTS_LOG names, and above; without it, warnings alone."""
    level = os.environ.get(VARIABLE, "").lower()
    if level in LEVELS:
        form = "%(asctime)s %(levelname)s %(name)s %(process)d: %(message)s"
        logging.basicConfig(level=level.upper(), format=form)
