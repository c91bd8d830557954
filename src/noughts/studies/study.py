"""A study is an experiment that one command reproduces: parameters, units of work, a report.

    @dataclass
    class Parameters(StudyParameters):
        games: int = whole(100_000, 1, 10**9, "Simulated games of each pairing.")

    STUDY = Study(Parameters, quick={"games": 2000}, units=plan_units, report=make_report)

The dataclass *is* the command line. Units are independent and seeded, so they may be done in any
order and a killed run goes on with those that are left. The report is made from their results
alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from noughts.options import check_options, whole
from noughts.report import Report, Unit

Results = Mapping[str, Any]


@dataclass
class StudyParameters:
    """What every study can be told."""

    seed: int = whole(1, 0, 2**32 - 1, "Everything drawn at random comes from it.")

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class Study:
    """One experiment. `quick` names the parameters that make it a matter of seconds."""

    parameters: type[StudyParameters]
    units: Callable[[Any], Sequence[Unit]]
    report: Callable[[Any, Results], Report]
    quick: Mapping[str, Any] = field(default_factory=dict)
    summary: str = "an experiment of another package"  # where the registry has none
