"""Experiments that one command reproduces; one file or folder each."""

from noughts.studies.everything import run_all_studies
from noughts.studies.registry import StudyListing, listed_studies, study
from noughts.studies.running import run_study, study_parameters
from noughts.studies.study import Study, StudyParameters

__all__ = [
    "Study",
    "StudyListing",
    "StudyParameters",
    "listed_studies",
    "run_all_studies",
    "run_study",
    "study",
    "study_parameters",
]
