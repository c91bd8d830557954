"""Which run a line, a checkpoint or a table belongs to.

A unit of work is decided by the kind of job, its game, its players, its seed, the options that
change what a unit gives, and the form in which results are written. The *identity* of a run is a
digest of these and of nothing else: not of the package's version, and not of how many units there
are, so that games can be added to a finished match. It stands in `config.json`, in every line of
the log and in every checkpoint, and whoever reads one of them compares it.

    identity_of("match", config, ["games"]).digest      # the same for any number of games

A job (`noughts.jobs`) says of each of its options whether it decides a unit.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

RESULT_FORMAT = 1  # a new number when the same unit would give another result, or another form
LONGEST_SHOWN = 80  # characters of a value in a sentence
DIGITS = 16  # hexadecimal; 64 bits


@dataclass(frozen=True)
class Identity:
    """What decides the units of a run, as plain data."""

    kind: str
    settings: Mapping[str, Any]

    @cached_property
    def digest(self) -> str:
        """The text that stands in files."""
        told = {"kind": self.kind, "format": RESULT_FORMAT, "settings": dict(self.settings)}
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:DIGITS]

    def differences(self, config: Mapping[str, Any]) -> list[str]:
        """What a config asks for and these settings do not, each as key and both values."""
        missing = object()
        return [
            f"{key} is {_shown(config[key]) if key in config else 'not given'} there and "
            f"{_shown(value)} here"
            for key, value in self.settings.items()
            if config.get(key, missing) != value
        ]


def _shown(value: Any) -> str:
    """A value as it stands in a config, or its beginning."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"


def identity_of(
    kind: str, config: Mapping[str, Any], changes_no_unit: Iterable[str] = ()
) -> Identity:
    """The identity of a job, from its config; left out are the keys that decide no unit."""
    left_out = set(changes_no_unit)
    settings = {key: value for key, value in config.items() if key not in left_out}
    return Identity(kind, json.loads(json.dumps(settings)))
