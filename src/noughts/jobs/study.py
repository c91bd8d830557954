"""An experiment that one command reproduces."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from noughts.jobs.job import Job
from noughts.options import Listed, Option, flag, required, settings


@dataclass(frozen=True)
class Study(Job):
    """One of the studies, with its parameters; a checked one has all of them."""

    kind = "study"
    summary = "run an experiment and write its report"
    description = (
        "Run an experiment: a folder with report.html, tables and figures. 'noughts study NAME "
        "--help' lists what each can be told."
    )
    example = "noughts study danger-curve --quick"
    room = "noughts.studies.running"
    subject = "name"
    has_variants = True

    name: str = required("study", "The study, such as danger-curve, or 'all'.", is_word=True)
    quick: bool = flag("A matter of seconds instead of the full experiment.", role="hands")
    parameters: Mapping[str, Any] = settings("What the study can be told.")

    @property
    def title(self) -> str:
        return f"study {self.name}"

    @property
    def folder_name(self) -> str:
        return self.name

    @classmethod
    def of_variant(
        cls, variant: Listed[Any], own: Mapping[str, Any], rest: Mapping[str, Any]
    ) -> Self:
        return cls.of({**rest, "name": variant.name, "parameters": own})

    def _told(self) -> Iterator[tuple[Option, Any]]:
        yield from ((option, value) for option, value in super()._told() if option.is_word)
        for option in self.variant(self.name).options:
            value = option.check(self.parameters.get(option.key, option.default))
            if value != option.default:
                yield option, value
