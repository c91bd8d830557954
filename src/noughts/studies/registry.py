"""The studies that can be named; nothing of them is imported before it is asked for.

Other packages add theirs under the entry points `noughts.studies`: docs/extend/study.md.
"""

from dataclasses import dataclass, fields
from functools import cache

from noughts.options import Listed, find, registered
from noughts.studies.study import Study, StudyParameters

ENTRY_POINTS = "noughts.studies"


@dataclass(frozen=True)
class StudyListing(Listed[Study]):
    """One row of `noughts study --list`."""

    noun = "study"

    def accept(self, found: object) -> Study:
        if not isinstance(found, Study):
            raise TypeError("no Study")
        known = {field.name for field in fields(found.parameters)}
        stray = next((key for key in found.quick if key not in known), None)
        if stray is not None:
            raise TypeError(f"a Study whose quick names '{stray}', which is no parameter of it")
        return found

    def owner(self, thing: Study) -> type[StudyParameters]:
        return thing.parameters


BUILT_IN = (
    StudyListing(
        "seven-worlds",
        "noughts.studies.risk.seven_worlds:STUDY",
        "optimal and random players in seven risky worlds: exact odds and simulated games",
    ),
    StudyListing(
        "classic-in-danger",
        "noughts.studies.risk.classic_in_danger:STUDY",
        "the classic player in worlds that are not classic",
    ),
    StudyListing(
        "danger-curve",
        "noughts.studies.risk.danger_curve:STUDY",
        "every uniform risk from 0 to 1, and what it does to the classic player",
    ),
    StudyListing(
        "bigger-boards",
        "noughts.studies.risk.bigger_boards:STUDY",
        "exact risky solutions of 3×4 and 4×4: time, memory, values",
    ),
    StudyListing(
        "lost-time",
        "noughts.studies.risk.lost_time:STUDY",
        "marks that fizzle, marks that fade, and a clock that makes moves risky",
    ),
    StudyListing(
        "three-players",
        "noughts.studies.seats.three_players:STUDY",
        "a third player: what each seat is worth and sure of, kingmaking, risk",
    ),
    StudyListing(
        "four-algorithms",
        "noughts.studies.players.four_algorithms:STUDY",
        "a published comparison repeated; every agent's games, time, memory and accuracy",
    ),
    StudyListing(
        "tactics",
        "noughts.studies.players.tactics:STUDY",
        "every agent on positions with known best moves, by budget",
    ),
    StudyListing(
        "opening-atlas",
        "noughts.studies.openings.opening_atlas:STUDY",
        "what every first move is worth, over boards and risks, drawn as boards",
    ),
    StudyListing(
        "qubic",
        "noughts.studies.openings.qubic:STUDY",
        "the first player's win of 4×4×4: found from nothing, drawn, and checked",
    ),
    StudyListing(
        "ultimate-endgames",
        "noughts.studies.players.ultimate_endgames:STUDY",
        "every agent on Ultimate endgames that are solved exactly: regret and values",
    ),
    StudyListing(
        "ultimate-zero",
        "noughts.studies.learning.ultimate_zero:STUDY",
        "the Ultimate network: its training, first moves, other rules, and a small training",
    ),
    StudyListing(
        "cube-learning",
        "noughts.studies.learning.cube_learning:STUDY",
        "3×3×3 learned by TD, Q-learning and a network; with better features, for longer",
    ),
    StudyListing(
        "learning-race",
        "noughts.studies.learning.learning_race:STUDY",
        "all learners in the seven 3×3 worlds: exact regret against games and seconds",
    ),
    StudyListing(
        "learning-from-you",
        "noughts.studies.learning.learning_from_you:STUDY",
        "the table against a person who plays well, at random, or sometimes gives in",
    ),
)


def listed_studies() -> list[StudyListing]:
    """Every study that can be named: the built-in ones, then those of other packages."""
    return list(_registry().values())


def listed_study(name: str) -> StudyListing:
    """The row of this name."""
    return find(_registry(), name, "a study", "studies")


def study(name: str) -> Study:
    """The study of this name."""
    return listed_study(name).resolve()


@cache
def _registry() -> dict[str, StudyListing]:
    return registered(BUILT_IN, ENTRY_POINTS)
