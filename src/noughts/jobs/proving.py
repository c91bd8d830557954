"""Proves a game that was asked for as a job."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from noughts.errors import NoughtsError
from noughts.files import check_writable
from noughts.folders import data_folder
from noughts.games.registry import game as read_game
from noughts.jobs.job import Progress, Ready, flag_of
from noughts.jobs.prove import QUBIC, QUBIC_MEMORY, QUBIC_OPTIONS, Prove
from noughts.prove.search import ThreatProof, prove_by_threats
from noughts.prove.who_wins import Proof, prove, prove_with_certificate


def prepare(job: Prove) -> Ready[Prove]:
    """Refuse an option that the search of this game does not have."""
    if job.certificate is not None:
        check_writable(Path(job.certificate))
    job = replace(job, game=str(read_game(job.game)))
    own = QUBIC_OPTIONS if job.is_qubic else ("moves",)
    for name in ("moves", *QUBIC_OPTIONS):
        if getattr(job, name) is not None and name not in own:
            allowed = ", ".join(map(flag_of, own))
            raise NoughtsError(f"{flag_of(name)} is not for {job.game}; allowed: {allowed}.")
    return Ready(job, partial(_prove, job))


def _prove(
    job: Prove, folder: Path | None, progress: Progress | None, adopt: bool
) -> Proof | ThreatProof:
    """Search, and write the certificate; a stopped search of Qubic goes on at its checkpoint."""
    if job.is_qubic:
        return _prove_qubic(job, progress)
    all_moves = job.moves != "one"
    if job.certificate is None:
        return prove(job.game, all_moves, progress=progress)
    proof, certificate = prove_with_certificate(job.game, all_moves, progress=progress)
    certificate.save(job.certificate)
    return proof


def _prove_qubic(job: Prove, progress: Progress | None) -> ThreatProof:
    first, memory = job.first or 0, job.memory or QUBIC_MEMORY
    checkpoint = data_folder() / "proofs" / f"{QUBIC}-{first}.noughts"
    if job.checkpoint is not None:
        checkpoint = Path(job.checkpoint)
    found = prove_by_threats(QUBIC, first, memory, checkpoint=checkpoint, progress=progress)
    if job.certificate is not None:
        found.book.save(job.certificate)
    return found
