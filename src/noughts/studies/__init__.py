"""Experiments that one command reproduces; one file each."""

from noughts.studies.everything import run_all_studies
from noughts.studies.study import (
    Study,
    StudyListing,
    StudyParameters,
    listed_studies,
    run_study,
    study,
    study_command,
    study_parameters,
)

__all__ = [
    "Study",
    "StudyListing",
    "StudyParameters",
    "listed_studies",
    "run_all_studies",
    "run_study",
    "study",
    "study_command",
    "study_parameters",
]
